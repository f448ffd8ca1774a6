/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SKINNY_H
#define SCREE_KERNEL_SKINNY_H

/* Products of a strip of rows with a few columns, one thread each; see typed/skinny_cpu.c.
 *
 * Thin matrices, n×b, are kept as panels: ⌈b/lanes⌉ of them, each n×lanes and contiguous, the last one filled up with
 * zeros. Functions return 0, or what the BLAS wrapper returned. */

#include "kernel/rows.h"

/* A strip P of packed rows, rows×cols elements. */
typedef struct scree__strip {
    const void *p;
    int64_t ld;
    int64_t rows;
    int64_t cols;
    const char *ahead;   /* as many rows that are wanted next, to be brought nearer meanwhile; NULL: those after P */
    int64_t ahead_apart; /* bytes from row to row of these */
    int64_t ahead_size;  /* bytes of an element */
} scree__strip;

typedef struct scree__skinny {
    int64_t lanes;

    /* out (x.rows×x.cols, contiguous) = x - shift. The shift is double where x is, else of the panels' type. */
    void (*lay)(const scree__rows *x, const void *shift, void *out);

    /* out, in panels, = q, n×b contiguous. */
    void (*split)(const double *q, int64_t n, int64_t b, void *out);

    /* y (rows×lanes) = P q, one panel each. */
    int (*forward)(const scree__strip *p, const void *q, void *y);

    /* The first width columns of w (cols rows, ldw apart) += Pᵀy, y one panel. */
    int (*backward)(const scree__strip *p, const void *y, double *w, int64_t ldw, int64_t width);

    /* w (cols×lanes, one panel) += Pᵀy, y one panel: for a dozen rows at a time, while w is in the cache. */
    int (*spread)(const scree__strip *p, const void *y, void *w);

    /* The first width columns of y (n rows, ld apart) += a panel. */
    void (*add)(const void *panel, int64_t n, double *y, int64_t ld, int64_t width);

    /* out (n) = Σ parts, count of them, stride apart. */
    void (*sum)(const void *parts, int64_t count, int64_t stride, int64_t n, void *out);
} scree__skinny;

/* For any machine, and the best for this one. */
extern const scree__skinny scree__skinny_blas_f32;
extern const scree__skinny scree__skinny_blas_f64;
const scree__skinny *scree__skinny_best_f32(void);
const scree__skinny *scree__skinny_best_f64(void);

#endif
