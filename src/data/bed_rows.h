/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_BED_ROWS_H
#define SCREE_DATA_BED_ROWS_H

/* Genotypes as rows, a sample each; see bed_rows.c. */

#include "data/bytes.h"
#include "data/genotypes.h"

typedef struct scree__bed_rows {
    scree__bytes *bytes; /* of the file, lent */
    int64_t offset;      /* of its first variant */
    int64_t stride;      /* bytes of a variant */
    const int64_t *row;  /* variants: of the file, -1: all calls are missing; lent */
    int64_t variants;
    int64_t samples;
    double *value;      /* variants × SCREE__CALLS: what a call is lent as */
    uint8_t *held;      /* variants × held_bytes: the calls of some samples */
    int64_t held_bytes; /* a variant */
    int64_t first;      /* sample whose calls are held first, a multiple of 4; -1: none are held */
} scree__bed_rows;

/* How many bytes of a variant are held where so many bytes may be taken in all, at least one. */
int64_t scree__bed_rows_held(int64_t stride, int64_t variants, int64_t bytes);

/* Samples from at on, count of them, into out: rows of elements of the type, one after the other. */
scree_status scree__bed_rows_take(scree__bed_rows *rows, int64_t at, int64_t count, scree_type type, void *out,
                                  int threads, scree_error *error);

#endif
