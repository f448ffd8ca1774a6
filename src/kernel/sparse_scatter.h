/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_SCATTER_H
#define SCREE_KERNEL_SPARSE_SCATTER_H

/* The scatter of sparse rows about their mean, which is known, from outer products of their entries; see
 * sparse_scatter.c. */

#include "base/snapshot.h"
#include "kernel/sparse_rows.h"

typedef struct scree__sparse_scatter scree__sparse_scatter;

enum { SCREE__SPARSE_SCATTER_ROWS = 4096 }; /* that it is best given at a time; changes no bit */

/* entries: about so many in a row. */
int64_t scree__sparse_scatter_memory(int64_t cols, double entries);

/* The centring is lent; its factors are not used. */
scree_status scree__sparse_scatter_new(scree__sparse_scatter **out, const scree__sparse_centring *centring, int threads,
                                       scree_error *error);
scree_status scree__sparse_scatter_add(scree__sparse_scatter *scatter, const scree__entries *x, scree_error *error);

/* Lends Σ(x-µ)(x-µ)ᵀ, D×D, both triangles; weight: N. Call once, at the end. */
void scree__sparse_scatter_finish(scree__sparse_scatter *scatter, double weight, double **out);

/* ‖error of the scatter‖ / its trace that rounding may have caused, after so many rows. */
double scree__sparse_scatter_rounding(int64_t rows);

/* What the rows so far come to, before scree__sparse_scatter_finish. */
void scree__sparse_scatter_move(scree__sparse_scatter *scatter, scree__snapshot *snapshot);
void scree__sparse_scatter_free(scree__sparse_scatter *scatter);

#endif
