/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_ONLINE_H
#define SCREE_FIT_ONLINE_H

/* PPCA with gaps in one pass over rows of unknown number, in memory that does not grow with them.
 *
 * online.c        the pass: what becomes of rows as they come; the model in the end
 * online_chain.c  stepwise EM: statistics that forget, parameters that are averaged
 * online_whiten.c codes that agree with their prior
 * online_exact.c  the covariance, for as long as nothing is missing
 * online_error.c  how far two chains that saw different rows are apart */

#include "fit/em.h"
#include "fit/method.h"

/* One run of stepwise EM. Statistics are averages over rows, of cells less the origin em->rows.mean. */
typedef struct scree__online_chain {
    scree__em_state state;   /* now */
    scree__em_state average; /* of the states so far */
    double *a;               /* D×pairs(M+1): ⟨[z;1][z;1]'⟩ where the column was observed */
    double *b;               /* D×(M+1): x[z;1] */
    double *z;               /* pairs(M+1): ⟨[z;1][z;1]'⟩ of rows with something observed */
    double square;           /* x², over all columns */
    double age;              /* batches seen; the first rows count as several */
} scree__online_chain;

/* Rows in memory, as doubles. */
typedef struct scree__online_rows {
    const double *x; /* count×D */
    int64_t count;
} scree__online_rows;

scree_status scree__online_chain_new(scree__online_chain *chain, int64_t d, int64_t m, scree_error *error);
void scree__online_chain_clear(scree__online_chain *chain);

/* state is set: statistics of the first rows at it. age: as many batches as they are worth. */
scree_status scree__online_chain_start(scree__online_chain *chain, scree__em *em, const scree__online_rows *rows,
                                       double age, scree_error *error);

/* A batch. size: rows of a whole one; the last may be shorter, and counts for less. */
scree_status scree__online_chain_step(scree__online_chain *chain, scree__em *em, const scree__online_rows *rows,
                                      int64_t size, scree_error *error);

/* The same model and statistics, z with mean 0 and variance I over the rows. */
scree_status scree__online_chain_whiten(scree__online_chain *chain, scree_error *error);

int64_t scree__online_chain_memory(int64_t d, int64_t m);

/* sin of the largest angle between the spaces of two states. */
scree_status scree__online_angle(double *sine, const scree__em_state *a, const scree__em_state *b, int threads,
                                 scree_error *error);

/* The covariance of complete rows, in pieces of scree__online_exact_rows. */
typedef struct scree__online_exact scree__online_exact;
int64_t scree__online_exact_rows(const scree__job *job);
/* NULL in *out where D×D is too large. */
scree_status scree__online_exact_new(scree__online_exact **out, const scree__job *job, int64_t memory,
                                     scree_error *error);
/* *added: false when a cell is missing: then it is of no more use. */
scree_status scree__online_exact_add(scree__online_exact *exact, const scree__batch *batch, bool *added,
                                     scree_error *error);
scree_status scree__online_exact_finish(scree__online_exact *exact, scree__solution *solution, scree_error *error);
void scree__online_exact_free(scree__online_exact *exact);

/* One pass. *method: em, or covariance when nothing was missing. */
scree_status scree__online_run(const scree__method **method, const scree__job *job, scree__solution *solution,
                               scree_error *error);

#endif
