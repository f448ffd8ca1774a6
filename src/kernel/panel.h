/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PANEL_H
#define SCREE_KERNEL_PANEL_H

/* Products of centred rows C with a few columns, one thread each; see typed/panel_kernel.h.
 *
 * A tile of C is kept as blocks of SCREE__BLOCK columns, `apart` elements from one to the next, each block row after
 * row; it is filled up with zeros to a multiple of SCREE__BLOCK rows and columns. Thin matrices, n×b, are kept as
 * panels, one after the other, each n×width and contiguous, the last one filled up with zeros. */

#include "kernel/rows.h"

enum { SCREE__BLOCK = 24, SCREE__PANEL_KINDS = 3 };

/* Rows that are wanted next, as many as a tile has, brought nearer while it is multiplied. */
typedef struct scree__panel_ahead {
    const char *rows; /* NULL: none */
    int64_t apart;    /* bytes from row to row */
    int64_t size;     /* bytes of an element */
} scree__panel_ahead;

typedef struct scree__panel_tile {
    void *c;
    int64_t apart;
    int64_t rows; /* multiples of SCREE__BLOCK */
    int64_t cols;
    scree__panel_ahead ahead; /* for forward */
} scree__panel_tile;

/* Products with a panel of so many columns. */
typedef struct scree__panel_kind {
    int64_t width;
    /* y (rows×width) += C q, q cols×width. */
    void (*forward)(const scree__panel_tile *tile, const void *q, double *y);
    /* w (cols×width) += Cᵀy, y rows×width. */
    void (*backward)(const scree__panel_tile *tile, const void *y, double *w);
} scree__panel_kind;

/* Rows of doubles, a few columns each. */
typedef struct scree__thin {
    const double *x;
    const double *factor; /* n, or NULL: 1 */
    int64_t n;
    int64_t ld;
} scree__thin;

/* Products and what is done around them, for float or double. The panels of a thin matrix are as wide as its columns
 * leave room for, after they are filled up to a multiple of the narrowest. */
typedef struct scree__panels {
    const scree__panel_kind *kinds[SCREE__PANEL_KINDS]; /* the widest first; NULL after the narrowest */

    /* The tile becomes x - 1 shiftᵀ, filled up. The shift is double where x is, else of the table's type. */
    void (*lay)(const scree__panel_tile *tile, const scree__rows *x, const void *shift);

    /* A panel (n×width, contiguous) = the first columns of x, each row times its factor; from `known` on they are 0. */
    void (*split)(const scree__thin *x, int64_t known, int64_t width, void *panel);
} scree__panels;

/* For any machine, and for this one. */
extern const scree__panels scree__panels_portable_f32;
extern const scree__panels scree__panels_portable_f64;
const scree__panels *scree__panels_best_f32(void);
const scree__panels *scree__panels_best_f64(void);

/* b filled up. */
int64_t scree__panels_padded(const scree__panels *panels, int64_t b);

/* The panel that begins with column `first` of so many, filled up. */
const scree__panel_kind *scree__panels_at(const scree__panels *panels, int64_t first, int64_t padded);

#endif
