/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_ROWS_H
#define SCREE_KERNEL_SPARSE_ROWS_H

/* Sparse rows less the mean of their columns, most of which is subtracted later.
 *
 * Of a light column, half of its cells or fewer being there, the cells stay as they are, and its mean is subtracted
 * from sums: µ² is at most the variance there, and nothing is lost. Of a heavy one, x - µ is formed cell by cell, and
 * absent cells become entries of -µ: what has a large mean is full, or nearly, and keeps its digits. So
 *
 *     C = (V - 1mᵀ) diag(f),    V sparse,    m the means of light columns, and 0 for heavy ones,
 *
 * and V has at most twice the entries of X. */

#include "kernel/entries.h"

typedef struct scree__sparse_centring {
    int64_t cols;
    const double *factor; /* D: f; NULL: 1. Lent */
    double *mean;         /* D: µ of heavy columns, else 0 */
    double *later;        /* D: m */
    int32_t *heavy;       /* the heavy columns, ascending */
    int64_t heavy_count;
    bool centres; /* false: C = X diag(f), and no column is heavy */
} scree__sparse_centring;

/* mean, present: as scree__sparse_columns_finish found them; mean NULL: rows are not centred. factor is lent. */
scree_status scree__sparse_centring_init(scree__sparse_centring *centring, int64_t cols, const double *mean,
                                         const double *present, double weight, const double *factor,
                                         scree_error *error);
void scree__sparse_centring_clear(scree__sparse_centring *centring);
int64_t scree__sparse_centring_memory(int64_t cols);

/* Row i of V: its entries, ascending, at most those of the row and heavy_count more. Returns their number. */
int64_t scree__sparse_load_f32(const scree__sparse_centring *centring, const scree__entries *x, int64_t i,
                               int32_t *index, float *value);
int64_t scree__sparse_load_f64(const scree__sparse_centring *centring, const scree__entries *x, int64_t i,
                               int32_t *index, double *value);

#endif
