/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_OPS_H
#define SCREE_KERNEL_OPS_H

/* The seam "where": every operation on tall things goes through one table of block operations, one table an element
 * type (and, one day, a device). Operands of the table's type are void here; sums across blocks are double everywhere.
 *
 * A packed block P holds rows×cols elements, contiguous, already centred and scaled. Functions return 0, or what the
 * BLAS wrapper returned. */

#include "kernel/rows.h"

/* One tile of a sum of products, done by one thread: acc, m×n of leading dimension ldacc, gains the product of two
 * panels that are k deep. scratch holds m×n elements of the table's type where it uses one. */
typedef struct scree__tile {
    const void *a;
    const void *b;
    int64_t lda;
    int64_t ldb;
    int64_t m;
    int64_t n;
    int64_t k;
    double *acc;
    int64_t ldacc;
    void *scratch;
} scree__tile;

typedef struct scree__ops {
    scree_type type;
    int64_t size;    /* bytes an element */
    int64_t scratch; /* bytes an element of the scratch of inner and outer; 0 where none is used */

    /* P_ij = √w_i (x_ij - shift_j) factor_j; factor NULL is 1, and so are rows without weights. Subtracting before
     * anything is multiplied is what keeps large means from costing digits. buffer: cols doubles. */
    void (*pack)(const scree__rows *x, const double *shift, const double *factor, void *packed, double *buffer);

    /* P_ij = √w_i ((x_ij - origin_j) - mean_j). */
    void (*centre)(const scree__rows *x, const double *origin, const double *mean, void *packed);

    /* out_j = (element)(x_j): one row of doubles, narrowed. */
    void (*narrow)(const double *x, int64_t n, void *out);

    /* acc += AᵀB for a k×m and a k×n panel; when a == b only the upper triangle. */
    int (*inner)(const scree__tile *tile);

    /* scratch = AᵀB, or gains it: a few products are short enough a sum for the table's type. */
    int (*gather)(const scree__tile *tile, bool more);

    /* acc += scratch + u vᵀ, u of m and v of n doubles. */
    void (*gain)(const scree__tile *tile, const double *u, const double *v);

    /* acc += ABᵀ for an m×k and an n×k panel; when a == b only the upper triangle. */
    int (*outer)(const scree__tile *tile);

    /* Y (rows×b) = P (rows×cols) Q (cols×b). */
    int (*multiply)(const void *p, int64_t rows, int64_t cols, const void *q, int64_t b, void *y);
} scree__ops;

extern const scree__ops scree__ops_f32;
extern const scree__ops scree__ops_f64;

/* float for float, double for everything else. */
const scree__ops *scree__ops_for(scree_type source_type);

#endif
