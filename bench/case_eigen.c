/* SPDX-License-Identifier: BSD-3-Clause */
/* All eigenpairs of an n×n matrix on our threads, without and with their residuals, over LAPACK's dsyevd with all
 * threads of the BLAS. The matrix is the covariance of 2n rows of noise whose columns have variances 1, 1/2, 1/3, …
 * Floor: 14n³/3 flops, and 2n³ for the residuals, at the rate of GEMM. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"
#include "kernel/dense.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double WITH_RESIDUALS = 1.35; /* times dsyevd, at most */
static const double CLOSE = 1e-12;         /* over the largest eigenvalue */

typedef struct work {
    int64_t n;
    int threads;
    const double *a;
    double *values;
    double *vectors;
    double *residuals; /* NULL: not wanted */
} work;

static scree_status eigen_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    const scree__dense_options options = {.threads = w->threads};
    scree__dense_result result = {.values = w->values, .vectors = w->vectors, .residuals = w->residuals};
    int64_t k = w->n;
    const double start = bench_now();
    const scree_status status = scree__dense_eigen(w->a, w->n, &k, &options, &result, error);
    *seconds = bench_now() - start;
    return status;
}

static scree_status dsyevd_once(void *context, double *seconds, scree_error *error)
{
    const work *w = context;
    memcpy(w->vectors, w->a, (size_t)(w->n * w->n) * sizeof *w->a);
    const double start = bench_now();
    const int info = scree__dsyevd(w->n, w->vectors, w->n, w->values);
    *seconds = bench_now() - start;
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "dsyevd failed");
}

static scree_status make_matrix(double *a, int64_t n, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *x = NULL;
    SCREE_ALLOC(x, 2 * n * n, error);
    scree__normals(1, 0, 0, 2 * n * n, x);
    for (int64_t i = 0; i < 2 * n; i++)
        for (int64_t j = 0; j < n; j++)
            x[i * n + j] /= sqrt((double)(j + 1));
    if (scree__dsyrk(true, n, 2 * n, 0.5 / (double)n, x, n, 0, a, n) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "SYRK failed");
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i];
done:
    free(x);
    return status;
}

/* Residuals, eigenvalues as LAPACK's, and rows that are orthonormal, which takes the place of LAPACK's vectors. */
static scree_status verify(const work *ours, const work *theirs, bench_errors *errors, scree_error *error)
{
    const int64_t n = ours->n;
    double skew = 0;
    for (int64_t j = 0; j < n; j++) {
        errors->residual = fmax(errors->residual, ours->residuals[j] / ours->values[0]);
        errors->value = fmax(errors->value, fabs(ours->values[j] - theirs->values[n - 1 - j]) / ours->values[0]);
    }
    if (scree__dsyrk(false, n, n, 1, ours->vectors, n, 0, theirs->vectors, n) != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "SYRK failed");
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++)
            skew = fmax(skew, fabs(theirs->vectors[i * n + j] - (i == j ? 1 : 0)));
    if (!(errors->residual < CLOSE && errors->value < CLOSE && skew < CLOSE))
        return scree__fail(error, SCREE_ERR_NUMERIC,
                           "eigenpairs of order %" PRId64 " are wrong: residual %.3g, value %.3g, orthogonality %.3g",
                           n, errors->residual, errors->value, skew);
    return SCREE_OK;
}

static void add_line(const bench_case *c, bench *b, const bench_side *ours, const bench_side *theirs,
                     const bench_errors *errors)
{
    const work *w = ours->context;
    const double cubes = (double)w->n * (double)w->n * (double)w->n;
    bench_line line = {.name = c->name, .most = w->residuals ? WITH_RESIDUALS : c->most, .errors = *errors};
    bench_line_times(&line, ours, theirs);
    bench_line_floor(&line, (w->residuals ? 20 : 14) / 3.0 * cubes / b->machine.flops[SCREE_F64], 0);
    snprintf(line.what, sizeof line.what, "all eigenpairs, n = %" PRId64 "%s", w->n,
             w->residuals ? ", with residuals" : "");
    snprintf(line.against, sizeof line.against, "dsyevd");
    bench_add(b, &line);
}

scree_status bench_eigen(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = bench_rows(b, c);
    double *a = NULL;
    double *numbers = NULL;
    double *vectors = NULL;
    bench_errors errors = {0};
    SCREE_ALLOC(a, n * n, error);
    SCREE_ALLOC(numbers, 3 * n, error);
    SCREE_ALLOC(vectors, 2 * n * n, error);
    SCREE_TRY(make_matrix(a, n, error));
    work proven = {n, b->threads, a, numbers, vectors, numbers + n};
    work bare = {n, b->threads, a, numbers, vectors, NULL};
    work theirs = {n, b->threads, a, numbers + 2 * n, vectors + n * n, NULL};
    bench_side sides[] = {{.once = eigen_once, .context = &bare},
                          {.once = eigen_once, .context = &proven},
                          {.once = dsyevd_once, .context = &theirs}};
    SCREE_TRY(bench_interleave(sides, 3, 1, error)); /* the first of each counts for nothing but to be verified */
    SCREE_TRY(verify(&proven, &theirs, &errors, error));
    SCREE_TRY(bench_interleave(sides, 3, b->repeats, error));
    add_line(c, b, &sides[0], &sides[2], &errors);
    add_line(c, b, &sides[1], &sides[2], &errors);
done:
    free(a);
    free(numbers);
    free(vectors);
    return status;
}
