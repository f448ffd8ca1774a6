/* SPDX-License-Identifier: BSD-3-Clause */
/* How far two fits of the same model are apart: the sine of the largest angle between their spaces, the square root of
 * the largest eigenvalue of E'E with E = Q_a - Q_b Q_b'Q_a. O(D M²). */

#include "fit/online.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

static scree_status basis(scree__tall *q, const scree__em_state *s, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    *q = (scree__tall){.rows = s->d, .cols = s->m, .ld = s->m};
    SCREE_ALLOC(q->x, s->d * s->m, error);
    memcpy(q->x, s->w, (size_t)(s->d * s->m) * sizeof *q->x);
    SCREE_TRY(scree__tall_orthonormalise(q, NULL, threads, error));
done:
    return status;
}

scree_status scree__online_angle(double *sine, const scree__em_state *a, const scree__em_state *b, int threads,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = a->m;
    scree__tall qa = {0};
    scree__tall qb = {0};
    double *small = NULL;
    double *values = NULL;
    SCREE_ALLOC(small, m * m, error);
    SCREE_ALLOC(values, m, error);
    SCREE_TRY(basis(&qa, a, threads, error));
    SCREE_TRY(basis(&qb, b, threads, error));
    int info = scree__tall_cross(&qb, &qa, small, threads);
    if (info == 0)
        info = scree__tall_subtract(&qb, small, &qa, threads);
    if (info == 0)
        info = scree__tall_cross(&qa, &qa, small, threads);
    scree__blas_enter();
    if (info == 0)
        info = scree__dsyevd(m, small, m, values);
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", m, error));
    *sine = fmin(sqrt(fmax(values[m - 1], 0)), 1);
done:
    free(qa.x);
    free(qb.x);
    free(small);
    free(values);
    return status;
}
