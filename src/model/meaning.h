/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_MEANING_H
#define SCREE_MODEL_MEANING_H

/* What the numbers of a code mean, for kinds whose codes are linear functions of the columns. With c = (x - µ)/scale,
 * centred and scaled columns,
 *
 *     code_k = Σ_j weight_jk c_j,   c_j ≈ Σ_k loading_jk code_k/s_k,   structure_jk = cov(c_j, code_k/s_k)
 *
 * where s_k² is the variance of code k in the rows that were fitted. */

#include "model/answers.h"

typedef struct scree__meaning {
    double (*weight)(const scree_model *model, int64_t column, int64_t code);
    double (*loading)(const scree_model *model, int64_t column, int64_t code);
    double (*structure)(const scree_model *model, int64_t column, int64_t code);
    double (*variance)(const scree_model *model, int64_t code); /* s² */
} scree__meaning;

/* ‖w_k‖², of the weights of a code. O(D). */
double scree__meaning_length(const scree_model *model, int64_t code);

/* out of scree__describe_open: of each row its code, and what else is wanted. */
typedef struct scree__describe_out {
    void (*project)(const scree_model *model, const scree__chunk *chunk, void *codes); /* set by it */
    double *codes;                                                                     /* rows×M */
    double *squares; /* rows: ‖c‖²; NULL: not wanted */
    double *centred; /* rows×D: c; NULL: not wanted */
} scree__describe_out;

/* Fails where the kind has no meaning. */
scree_status scree__describe_open(scree__chunks *chunks, scree__describe_out *out, const scree_model *model,
                                  int64_t cols, int threads, scree_error *error);

#endif
