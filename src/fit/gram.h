/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_GRAM_H
#define SCREE_FIT_GRAM_H

/* What the method gram does with rows of either kind, with sparse ones, and by several processes; see gram.c,
 * gram_sparse.c and gram_together.c. */

#include "base/watch.h"
#include "fit/method.h"
#include "kernel/wide_vectors.h"

/* Eigenvectors of *g (N×N), which is freed, as rows of v; the values, and what follows about the other ones, to the
 * solution, which has rows and total. */
scree_status scree__gram_solve(const scree__job *job, double **g, double *v, const scree__watch *watch,
                               scree__solution *solution, scree_error *error);

/* G (N×N) in a checkpoint: *g as an earlier process had it here, or left as it is; and noted. */
scree_status scree__gram_recall(const scree__job *job, int64_t side, double **g, scree_error *error);
scree_status scree__gram_note(const scree__job *job, int64_t side, double *g, scree_error *error);

/* Whether rows stay sparse; the machine has no say in it. */
bool scree__gram_is_sparse(const scree__job *job);
void scree__gram_sparse_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort);
scree_status scree__gram_sparse_run(const scree__job *job, scree__solution *solution, scree_error *error);

/* Bytes that processes which share the columns need beside G and all that one alone needs for vectors. */
int64_t scree__gram_together_memory(const scree__job *job, int64_t rows, int64_t k);
/* Where they do, of which rows has those of this one: G (N×N), and u and residuals of all. */
scree_status scree__gram_multiply_together(const scree__job *job, scree__wide_rows *rows, double *g,
                                           scree_error *error);
scree_status scree__gram_integers_together(const scree__job *job, const scree__wide_rows *rows, int64_t divisor,
                                           double *g, scree_error *error);
scree_status scree__gram_vectors_together(const scree__job *job, const scree__wide_rows *rows,
                                          const scree__wide_pairs *pairs, scree_error *error);

#endif
