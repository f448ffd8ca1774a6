/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_ROWS_H
#define SCREE_KERNEL_SPARSE_ROWS_H

/* Sparse rows less the mean of their columns, most of which is subtracted later.
 *
 * Of a light column the cells stay as they are, and its mean is subtracted from sums: µ² is at most three variances
 * there, which costs no more than a bit or two. Of a heavy one, with a larger mean, x - µ is formed cell by cell, and
 * absent cells become entries of -µ: more than three quarters of its cells are there, and it keeps its digits. So
 *
 *     C = (V - 1mᵀ) diag(f),    V sparse,    m the means of light columns, and of heavy ones what their mean has lost
 *                                            by its rounding: the means of V,
 *
 * and V has at most a third more entries than X. */

#include "kernel/entries.h"

typedef struct scree__sparse_centring {
    int64_t cols;
    const double *factor; /* D: f; NULL: 1. Lent */
    double *mean;         /* D: µ of heavy columns, which is not 0, else 0 */
    double *later;        /* D: m */
    int32_t *heavy;       /* the heavy columns, ascending */
    int64_t heavy_count;
    bool centres; /* false: C = X diag(f), and no column is heavy */
} scree__sparse_centring;

/* rest: what the mean has lost by its rounding, or NULL. variances: that may be common multiples of them, which
 * multiple says; mean NULL: rows are not centred. factor is lent. */
scree_status scree__sparse_centring_init(scree__sparse_centring *centring, int64_t cols, const double *mean,
                                         const double *rest, const double *variances, double multiple,
                                         const double *factor, scree_error *error);
void scree__sparse_centring_clear(scree__sparse_centring *centring);
int64_t scree__sparse_centring_memory(int64_t cols);

/* Row i of V: its entries, ascending, at most those of the row and heavy_count more. Returns their number. */
int64_t scree__sparse_load_f32(const scree__sparse_centring *centring, const scree__entries *x, int64_t i,
                               int32_t *index, float *value);
int64_t scree__sparse_load_f64(const scree__sparse_centring *centring, const scree__entries *x, int64_t i,
                               int32_t *index, double *value);

#endif
