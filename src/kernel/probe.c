/* SPDX-License-Identifier: BSD-3-Clause */
/* A second opinion on eigenpairs (U, θ) of S, in two applications of S.
 *
 * Residuals ‖Su - θu‖ are computed afresh. They prove that eigenvalues lie near θ, not that none was missed: so a
 * random block G outside U is put through the operator, Q = orth((I - UUᵀ)SG), and the largest Ritz value ρ of
 * S - UΘUᵀ on span{Q} is returned: where SG has nothing left outside U, Q is completed by vectors that may lie in U.
 * ρ > θ_k proves that an eigenvalue was missed; one that was missed shows with high probability, since random vectors
 * are orthogonal to it only by chance. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum { PROBES = 8, PROBE_STREAM = 1 << 20 };

typedef struct probe {
    const scree__operator *op;
    int threads;
    int64_t n;
    int64_t k;
    int64_t p;
    double *in;    /* n×(k+p): U and G */
    double *out;   /* n×(k+p): S times that */
    double *block; /* n×p: Q */
    double *image; /* n×p: S times that */
    double *small; /* (k+p)×p */
} probe;

static void probe_free(probe *b)
{
    free(b->in);
    free(b->out);
    free(b->block);
    free(b->image);
    free(b->small);
}

static scree_status probe_new(probe *b, const double *vectors, uint64_t seed, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t width = b->k + b->p;
    SCREE_ALLOC(b->in, b->n * width, error);
    SCREE_ALLOC(b->out, b->n * width, error);
    SCREE_ALLOC(b->block, b->n * b->p, error);
    SCREE_ALLOC(b->image, b->n * b->p, error);
    SCREE_ALLOC(b->small, width * b->p, error);
    for (int64_t i = 0; i < b->n; i++)
        for (int64_t j = 0; j < b->k; j++)
            b->in[i * width + j] = vectors[j * b->n + i];
    scree__tall g = {b->in + b->k, b->n, b->p, width};
    scree__tall_randomise(&g, seed, PROBE_STREAM);
done:
    return status;
}

/* x -= U(Uᵀx), twice, and orthonormal. */
static scree_status clean(probe *b, const scree__tall *x, scree_error *error)
{
    const scree__tall u = {b->in, b->n, b->k, b->k + b->p};
    for (int round = 0; round < 2; round++) {
        scree__tall_cross(&u, x, b->small, b->threads);
        scree__tall_subtract(&u, b->small, x, b->threads);
        scree_status status = scree__tall_orthonormalise(x, NULL, b->threads, error);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static void fresh_residuals(const probe *b, scree__lanczos_result *result)
{
    const int64_t width = b->k + b->p;
    for (int64_t j = 0; j < b->k; j++) {
        double norm = 0; /* hypot: squares of very large or small numbers do not exist */
        for (int64_t i = 0; i < b->n; i++) {
            double r = b->out[i * width + j] - result->values[j] * b->in[i * width + j];
            norm = hypot(norm, r);
        }
        result->residuals[j] = norm;
    }
}

/* ritz (p×p) -= (UᵀQ)ᵀ Θ (UᵀQ): what U itself has to do with it. */
static void deflate(probe *b, const scree__tall *q, const double *values, double *ritz)
{
    const scree__tall u = {b->in, b->n, b->k, b->k + b->p};
    double *along = b->small + b->p * b->p;
    scree__tall_cross(&u, q, along, b->threads);
    for (int64_t i = 0; i < b->p; i++)
        for (int64_t j = 0; j < b->p; j++)
            for (int64_t l = 0; l < b->k; l++)
                ritz[i * b->p + j] -= values[l] * along[l * b->p + i] * along[l * b->p + j];
}

/* The largest Ritz value of S - UΘUᵀ on span{(I - UUᵀ)SG}. */
static scree_status largest_beside_u(probe *b, const double *values, double *largest, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t width = b->k + b->p;
    const scree__tall block = {b->block, b->n, b->p, b->p};
    const scree__tall image = {b->image, b->n, b->p, b->p};
    double theta[PROBES];
    for (int64_t i = 0; i < b->n; i++)
        memcpy(b->block + i * b->p, b->out + i * width + b->k, (size_t)b->p * sizeof(double));
    SCREE_TRY(clean(b, &block, error));
    SCREE_TRY(b->op->apply(b->op->context, b->block, b->p, b->image, error));
    scree__tall_cross(&block, &image, b->small, b->threads);
    deflate(b, &block, values, b->small);
    if (scree__dsyevd(b->p, b->small, b->p, theta) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "an eigendecomposition of order %lld failed", (long long)b->p);
    *largest = theta[b->p - 1];
done:
    return status;
}

scree_status scree__probe(const scree__operator *op, const scree__lanczos_options *options,
                          scree__lanczos_result *result, double *largest_beside, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t beside = op->n - options->k;
    probe b = {.op = op, .threads = options->threads, .n = op->n, .k = options->k};
    b.p = beside < PROBES ? beside : PROBES;
    scree__blas_enter();
    *largest_beside = 0;
    SCREE_TRY(probe_new(&b, result->vectors, options->seed, error));
    if (b.p > 0) {
        const scree__tall g = {b.in + b.k, b.n, b.p, b.k + b.p};
        SCREE_TRY(clean(&b, &g, error));
    }
    SCREE_TRY(op->apply(op->context, b.in, b.k + b.p, b.out, error));
    fresh_residuals(&b, result);
    result->applies++;
    if (b.p > 0) {
        SCREE_TRY(largest_beside_u(&b, result->values, largest_beside, error));
        result->applies++;
    }
done:
    probe_free(&b);
    scree__blas_leave();
    return status;
}
