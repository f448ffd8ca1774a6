/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_STAIRCASE_H
#define SCREE_KERNEL_STAIRCASE_H

/* Singular values and vectors of a matrix whose rows are of very different lengths; see staircase.c. */

#include "base/error.h"

typedef struct scree__staircase {
    double *rows; /* m×n, none of them 0: become the right singular vectors, times σ */
    int64_t m;    /* ≤ n */
    int64_t n;
    int threads;
    bool upper;    /* row i begins with i zeros; changed */
    double *room;  /* 3mn */
    double *sigma; /* m: their lengths, in about descending order */
    double skew; /* ‖VᵀV - I‖ of Frobenius, measured, of the rows over their lengths: what each σ², relative, may be
                    off by for it */
    bool found; /* else the rows are others with the same singular values and vectors, and not orthogonal */
} scree__staircase;

scree_status scree__staircase_climb(scree__staircase *s, scree_error *error);

/* Bytes beside rows and room. */
int64_t scree__staircase_memory(int64_t n);

#endif
