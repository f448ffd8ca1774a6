/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_KEPT_H
#define SCREE_FIT_KEPT_H

/* Rows that were read once and need not be read again; see kept.c. */

#include "kernel/ops.h"

typedef struct scree__kept {
    scree__rows x;       /* what is there; its rows are those that were added */
    int64_t room;        /* rows that there is memory for; 0: nothing is kept */
    const double *shift; /* subtracted from doubles that become floats, or NULL; lent */
    int threads;
    char *data;
    double *weights;
    const scree__rows *from; /* being added */
} scree__kept;

/* Bytes of so many rows for sweeps by these operations. */
int64_t scree__kept_memory(int64_t rows, int64_t cols, scree_type type, const scree__ops *ops);

/* Whether doubles are kept as floats: what is kept has been centred then. */
bool scree__kept_centred(scree_type type, const scree__ops *ops);

/* k->shift is used where they are centred. Without memory nothing is kept. */
void scree__kept_open(scree__kept *k, int64_t rows, const scree__rows *like, const scree__ops *ops);

/* The next rows. Once there are too many, none are kept. */
void scree__kept_add(scree__kept *k, const scree__rows *x);

void scree__kept_clear(scree__kept *k);

#endif
