/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_SAMPLE_H
#define SCREE_ARCHIVE_SAMPLE_H

/* What a first pass over the rows finds out: how many there are, what kind of numbers, and rows to learn from. */

#include "data/pass.h"
#include "kernel/rows.h"

enum {
    SCREE__SAMPLE_RUN = 16,       /* rows that follow each other are kept together */
    SCREE__SAMPLE_LEAST = 64,     /* rows, however many columns there are */
    SCREE__SAMPLE_CELLS = 1 << 23 /* that are enough */
};

typedef struct scree__sample {
    int64_t rows; /* of the source */
    int64_t cols;
    scree_type type;
    int element;  /* as in a lattice */
    double least; /* of the finite cells; least > largest: there is none */
    double largest;
    double grid;  /* all finite cells are whole numbers over this power of ten; 0: not */
    bool signals; /* there is a NaN that signals: only the elements themselves say that */
    void *data;   /* kept×cols elements */
    int64_t kept;

    /* Inside: */
    int64_t capacity; /* rows, whole runs */
    int64_t spacing;  /* one run in so many is kept */
    double *buffer;   /* a row */
} scree__sample;

/* Of at most so many cells, or of SCREE__SAMPLE_LEAST rows. */
scree_status scree__sample_take(scree__sample *sample, scree_source *source, int64_t cells, const scree_run *run,
                                scree_error *error);
void scree__sample_clear(scree__sample *sample);

/* At most so many rows of the sample, in pieces of one or more runs, evenly spaced; to be freed. */
scree_status scree__sample_part(scree__rows *part, void **owned, const scree__sample *sample, int64_t most,
                                scree_error *error);

#endif
