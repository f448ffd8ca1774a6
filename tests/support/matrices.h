/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_MATRICES_H
#define SCREE_TESTS_MATRICES_H

/* Symmetric matrices with eigenpairs known by construction: A = H diag(λ) H with the reflection H = I - 2vvᵀ, so that
 * row j of H is the eigenvector of λ_j. Include after checks.h. */

#include "base/memory.h"
#include "kernel/lanczos.h"

#include <math.h>
#include <stdlib.h>

/* Entry (i, j) of the reflection; v_i grows with i, so that no two rows are alike. */
static inline double reflection(int64_t n, int64_t i, int64_t j)
{
    const double squares = (double)n * (double)(n + 1) * (double)(2 * n + 1) / 6;
    return (i == j ? 1 : 0) - 2 * (double)(i + 1) * (double)(j + 1) / squares;
}

/* n×n, to be freed: Σ λ_r h_r h_rᵀ, values beyond count are 0. */
static inline double *matrix_with(const double *values, int64_t count, int64_t n)
{
    double *a = scree__alloc(n * n, sizeof *a);
    assert_non_null(a);
    for (int64_t r = 0; r < count; r++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                a[i * n + j] += values[r] * reflection(n, r, i) * reflection(n, r, j);
    return a;
}

/* ‖part of u outside eigenvectors first .. last‖. */
static inline double outside(const double *u, int64_t n, int64_t first, int64_t last)
{
    double sum = 0;
    for (int64_t r = 0; r < n; r++) {
        double along = 0;
        for (int64_t i = 0; i < n && (r < first || r > last); i++)
            along += u[i] * reflection(n, r, i);
        sum += along * along;
    }
    return sqrt(sum);
}

/* An operator that is a matrix, and counts how often it is applied. */
typedef struct matrix_operator {
    const double *a;
    int64_t n;
    int64_t applies;
    int64_t fail_at; /* 0: never */
} matrix_operator;

static inline scree_status matrix_apply(void *context, const double *q, int64_t b, double *w, scree_error *error)
{
    matrix_operator *m = context;
    if (++m->applies == m->fail_at)
        return scree__fail(error, SCREE_ERR_IO, "the disk is gone");
    for (int64_t i = 0; i < m->n * b; i++)
        w[i] = 0;
    for (int64_t i = 0; i < m->n; i++)
        for (int64_t j = 0; j < m->n; j++)
            for (int64_t l = 0; l < b; l++)
                w[i * b + l] += m->a[i * m->n + j] * q[j * b + l];
    return SCREE_OK;
}

#endif
