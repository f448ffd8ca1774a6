/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WIDE_VECTORS_H
#define SCREE_KERNEL_WIDE_VECTORS_H

/* From eigenvectors of CCᵀ to those of CᵀC, with their residuals, for rows that lie in memory; see wide_vectors.c. */

#include "base/watch.h"
#include "kernel/wide_rows.h"

/* k eigenpairs of CCᵀ/divisor, and what becomes of them. */
typedef struct scree__wide_pairs {
    int64_t k;
    const double *values; /* k: λ */
    const double *v;      /* k×N, orthonormal rows */
    double *u;            /* k×D, orthonormal rows, which are ld apart */
    int64_t ld;
    double *residuals; /* k: ‖CᵀCu/divisor - λu‖ */
    scree__watch watch;
} scree__wide_pairs;

int64_t scree__wide_vectors_memory(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops, int threads);

/* Fills u and residuals. Two reads of the rows. */
scree_status scree__wide_vectors(const scree__wide_rows *w, const scree__wide_pairs *pairs, scree_error *error);

/* ---- the same step by step, where processes share the columns: rows are some columns of all, and u theirs; in ranges,
 * each with lanes of its own ---- */

/* Bytes that ranges take together, beside what scree__wide_vectors_memory says of all columns. */
int64_t scree__wide_vectors_ranges_memory(int64_t rows, const scree__wide_ranges *ranges, int64_t k,
                                          const scree__ops *ops);

/* Numbers that are added up between the reads. */
int64_t scree__wide_vectors_sums(int64_t rows, int64_t k);
/* The first read; known: u is there already and orthonormal. */
scree_status scree__wide_vectors_read(const scree__wide_rows *w, const scree__wide_pairs *pairs,
                                      const scree__wide_ranges *ranges, bool known, scree_error *error);
/* Of the sums of all columns; not settled: u needs to be made orthonormal otherwise, and one more read. */
scree_status scree__wide_vectors_settle(int64_t rows, int64_t k, int threads, double *sums, bool *settled,
                                        scree_error *error);
/* Of u of all columns, ld of them. */
scree_status scree__wide_vectors_orthonormalise(const scree__wide_pairs *pairs, int64_t cols, int threads,
                                                scree_error *error);

typedef struct scree__wide_sums_known {
    const double *sums; /* of all columns */
    bool orthonormal;   /* u is */
} scree__wide_sums_known;

/* The second read: u is orthonormal then; sums are squares (k) of the residuals in units that all columns share. */
scree_status scree__wide_vectors_finish(const scree__wide_rows *w, const scree__wide_pairs *pairs,
                                        const scree__wide_ranges *ranges, const scree__wide_sums_known *known,
                                        scree_error *error);
/* Of the squares of all columns. */
void scree__wide_vectors_residuals(const scree__wide_pairs *pairs, const double *squares);

/* The longest chain of additions behind a number of CᵀCu. */
double scree__wide_vectors_chain(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops);

#endif
