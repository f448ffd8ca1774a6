/* SPDX-License-Identifier: BSD-3-Clause */
/* Ritz pairs of block Lanczos (Golub and Underwood 1977). For an orthonormal basis V of m vectors, H = VᵀSV, and the
 * next block Q,
 *
 *     S V = V H + Q R Eᵀ     (E: the last b columns of the identity)
 *
 * a Ritz pair (θ, Vy), Hy = θy, has the residual ‖R (last b entries of y)‖, for nothing. An eigendecomposition of H
 * costs 9m³ flops, one for a few of its eigenvectors 4m³/3. */

#include "kernel/ritz.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

scree_status scree__ritz_new(scree__ritz *ritz, int64_t max_basis, int64_t block, scree_error *error)
{
    scree_status status = SCREE_OK;
    *ritz = (scree__ritz){.max_basis = max_basis, .b = block};
    SCREE_ALLOC(ritz->h, max_basis * max_basis, error);
    SCREE_ALLOC(ritz->y, max_basis * max_basis, error);
    SCREE_ALLOC(ritz->r, block * block, error);
    SCREE_ALLOC(ritz->theta, max_basis, error);
done:
    return status;
}

void scree__ritz_clear(scree__ritz *ritz)
{
    free(ritz->h);
    free(ritz->y);
    free(ritz->r);
    free(ritz->theta);
}

scree_status scree__ritz_solve(scree__ritz *ritz, scree_error *error)
{
    const int64_t m = ritz->m;
    for (int64_t i = 0; i < m; i++)
        memcpy(ritz->y + i * m, ritz->h + i * ritz->max_basis, (size_t)m * sizeof *ritz->y);
    const int info = scree__dsyevd(m, ritz->y, m, ritz->theta);
    if (info != 0)
        return scree__blas_fail(info, "an eigendecomposition", m, error);
    ritz->found = m;
    return SCREE_OK;
}

scree_status scree__ritz_solve_some(scree__ritz *ritz, int64_t count, scree_error *error)
{
    const int64_t m = ritz->m;
    if (4 * count > m) /* one by one, vectors cost more than all together */
        return scree__ritz_solve(ritz, error);
    scree_status status = SCREE_OK;
    double *h = NULL;
    SCREE_ALLOC(h, m * m, error);
    for (int64_t i = 0; i < m; i++)
        memcpy(h + i * m, ritz->h + i * ritz->max_basis, (size_t)m * sizeof *h);
    const int info = scree__dsyevr(m, h, m, count, ritz->theta, ritz->y, m);
    if (info == SCREE__BLAS_NO_MEMORY)
        SCREE_TRY(scree__blas_fail(info, "an eigendecomposition", m, error));
    if (info == 0)
        ritz->found = count;
    else /* it may not find a few of many that are all alike */
        SCREE_TRY(scree__ritz_solve(ritz, error));
done:
    free(h);
    return status;
}

double scree__ritz_value(const scree__ritz *ritz, int64_t j)
{
    return ritz->theta[ritz->found - 1 - j];
}

const double *scree__ritz_vector(const scree__ritz *ritz, int64_t j)
{
    return ritz->y + (ritz->found - 1 - j) * ritz->m;
}

void scree__ritz_rest(const scree__ritz *ritz, int64_t j, double *rest)
{
    const int64_t b = ritz->b;
    const double *tail = scree__ritz_vector(ritz, j) + ritz->m - b;
    for (int64_t row = 0; row < b; row++) {
        double dot = 0;
        for (int64_t i = row; i < b; i++)
            dot += ritz->r[row * b + i] * tail[i];
        rest[row] = dot;
    }
}
