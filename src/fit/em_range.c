/* SPDX-License-Identifier: BSD-3-Clause */
/* The first guess for EM with gaps where D×D numbers are too many: block power iterations (Halko, Martinsson and Tropp
 * 2011) on the covariance of the rows with gaps filled up with means, Z, corrected for what was not there. With r_j the
 * share of rows that observed column j and v_j its variance,
 *
 *     S = R⁻¹ Z R⁻¹ - diag(v_j (1/r_j - 1)),     R = diag(r),
 *
 * is right on average when cells are missing at random. A pass for each iteration, 4 N D b flops, b = m + 8. */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum { MORE = 8, ROUNDS = 4 };

static int project_chunk(scree__em *em, scree__observed *o)
{
    return scree__observed_project(o, &em->loadings);
}

static int add_columns(scree__em *em, const scree__observed *o, const scree__observed_part *part)
{
    return scree__observed_add(o, part, NULL, em->sums.b);
}

static void give(scree__em_pass *pass, double *place)
{
    memcpy(place, pass->em->sums.b, (size_t)pass->doubles * sizeof *place);
    memset(pass->em->sums.b, 0, (size_t)pass->doubles * sizeof *place);
}

static void take(scree__em_pass *pass, const double *all)
{
    memcpy(pass->em->sums.b, all, (size_t)pass->doubles * sizeof *all);
}

static double share_of(const scree__em *em, int64_t j)
{
    return em->rows.seen[j] / em->rows.weight;
}

/* y (D×b) = Sq. The products have a column more, the sums of the rows. */
static scree_status apply(scree__em *em, const double *q, int64_t b, double *scaled, double *y, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_pass pass = {.em = em,
                           .at_chunk = project_chunk,
                           .at_part = add_columns,
                           .doubles = em->d * (b + 1),
                           .give = give,
                           .take = take};
    for (int64_t j = 0; j < em->d; j++)
        for (int64_t k = 0; k < b; k++)
            scaled[j * b + k] = q[j * b + k] / share_of(em, j);
    em->loadings = (scree__loadings){.cols = em->d, .m = b, .shift = em->rows.mean, .factor = em->factor, .w = scaled};
    memset(em->sums.b, 0, (size_t)pass.doubles * sizeof *em->sums.b);
    SCREE_TRY(scree__em_run_pass(&pass, error));
    for (int64_t j = 0; j < em->d; j++) {
        const double factor = em->factor ? em->factor[j] : 1;
        const double too_much = em->rows.variance[j] * factor * factor * (1 / share_of(em, j) - 1);
        for (int64_t k = 0; k < b; k++)
            y[j * b + k] = em->sums.b[j * (b + 1) + k] / (share_of(em, j) * em->rows.weight) - too_much * q[j * b + k];
    }
done:
    return status;
}

/* Ritz pairs of the orthonormal q with y = Sq: values and vectors, largest first. */
static scree_status ritz(const scree__em *em, const scree__tall *q, const scree__tall *y, int64_t m, double *values,
                         double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t b = q->cols;
    double *square = NULL;
    double *found = NULL;
    SCREE_ALLOC(square, b * b, error);
    SCREE_ALLOC(found, b, error);
    int info = scree__tall_cross(q, y, square, em->job->threads);
    scree__blas_enter();
    if (info == 0)
        info = scree__dsyevd(b, square, b, found);
    for (int64_t k = 0; info == 0 && k < m; k++) {
        values[k] = fmax(found[b - 1 - k], 0);
        info = scree__dgemm(false, true, 1, em->d, b, 1, square + (b - 1 - k) * b, b, q->x, b, 0, vectors + k * em->d,
                            em->d);
    }
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", b, error));
done:
    free(square);
    free(found);
    return status;
}

scree_status scree__em_range(scree__em *em, int64_t m, double *values, double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t b = m + MORE < em->d ? m + MORE : em->d;
    double *scaled = NULL;
    scree__tall q = {.rows = em->d, .cols = b, .ld = b};
    scree__tall y = q;
    SCREE_ALLOC(q.x, em->d * b, error);
    SCREE_ALLOC(y.x, em->d * b, error);
    SCREE_ALLOC(scaled, em->d * b, error);
    SCREE_TRY(scree__em_open(em, b, error));
    scree__tall_randomise(&q, em->job->options->seed, 0);
    for (int round = 0; round < ROUNDS; round++) {
        SCREE_TRY(scree__tall_orthonormalise(&q, NULL, em->job->threads, error));
        SCREE_TRY(apply(em, q.x, b, scaled, y.x, error));
        if (round + 1 < ROUNDS)
            memcpy(q.x, y.x, (size_t)(em->d * b) * sizeof *q.x);
    }
    SCREE_TRY(ritz(em, &q, &y, m, values, vectors, error));
done:
    free(q.x);
    free(y.x);
    free(scaled);
    return status;
}
