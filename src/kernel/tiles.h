/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TILES_H
#define SCREE_KERNEL_TILES_H

/* Rows as tiles of centred elements, and thin matrices as panels; see tiles.c. */

#include "kernel/ops.h"
#include "kernel/panel.h"

/* C = (X - 1µᵀ) diag(f), D columns. Tiles hold X - 1µ'ᵀ; the rest of the mean, d = µ - µ', and f go with the vectors.
 */
typedef struct scree__tiles {
    const scree__ops *ops;
    const scree__panels *panels;
    int64_t cols;
    int64_t padded;       /* D filled up to whole blocks */
    const double *factor; /* f, or NULL: 1; lent */
    char *shift;          /* µ': double where rows are, else of the panels' type */
    int64_t shift_size;   /* bytes of one */
    double *rest;         /* d, or NULL: 0 */
} scree__tiles;

/* A thin matrix of b columns in panels, `wide` columns with those that fill it up, of `height` rows each. */
typedef struct scree__paneled {
    char *x;
    int64_t height;
    int64_t b;
    int64_t wide;
} scree__paneled;

int64_t scree__tiles_memory(int64_t cols);

/* For rows of the type. */
scree_status scree__tiles_init(scree__tiles *t, int64_t cols, scree_type type, const scree__ops *ops,
                               const double *shift, const double *factor, scree_error *error);
void scree__tiles_clear(scree__tiles *t);

/* Elements from block to block of a tile of so many rows. */
int64_t scree__tiles_apart(int64_t height, const scree__ops *ops);

/* Bytes of an element. */
int64_t scree__tiles_element(scree_type type);

/* n filled up to whole blocks. */
int64_t scree__tiles_filled(int64_t n);

/* x (all columns), columns from first on, in the tile. */
void scree__tiles_lay(const scree__tiles *t, const scree__rows *x, int64_t first, const scree__panel_tile *tile);

/* Rows first, … of q (n×b) times their factors (or NULL) become rows of the panels; those past n are 0. */
void scree__tiles_split(const scree__tiles *t, const scree__thin *q, int64_t first, int64_t count,
                        const scree__paneled *to);

/* out (b) = Σ_j d_j f_j q_j, or 0: what the rest of the mean takes from each row of CQ. */
void scree__tiles_rest(const scree__tiles *t, const double *q, int64_t b, double *out);

#endif
