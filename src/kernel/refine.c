/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of S from approximate ones, most of the work done by a cheaper operator S' ≈ S (float for double).
 *
 *   V   n×w  the approximate eigenvectors, and random columns G beside them
 *   Q   n×p  orthonormal, from R = SV - VΘ, what S knows and V does not: all of it for the columns beside the first k,
 *            and of these the directions in which R, over the tolerance, is not small. After Lanczos they are few.
 *
 * A round applies S to V and S' to Q, and takes the best vectors of [V Q] (Rayleigh and Ritz): u = Vy + Qz, whose image
 * is Su = (SV)y + (S'Q)z but for ‖S - S'‖‖z‖. The better V was, the smaller is z: the error of S' is counted in the
 * residual, and shrinks with it. No residual is trusted that was not computed from these images, and nothing that was
 * missed before hides from G and SG, but by chance: it shows up as a Ritz vector that has not converged, or as the
 * eigenvalue after the last. Cost: w columns of S and p of S' a round, 30nw² flops. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum { PROBES = 8, UNIT = 8, Q_UNIT = 16, MOST_ROUNDS = 4, STREAM = 1 << 21 };
static const double WORTH_IT = 0.25; /* a round that leaves more than this of the excess is the last */
static const double SMALL = 0.0625;  /* of a squared residual, over the tolerance's: such directions are left alone */
static const double NOTHING = 1e-14; /* a column of SV that leaves V by no more, relative to S, is noise */

typedef struct refine {
    const scree__operator *op;
    const scree__cheaper *cheaper;
    const scree__lanczos_options *options;
    int64_t n;
    int64_t k;
    int64_t w;
    int64_t p;
    uint64_t stream;
    double *v;         /* n×w, and its image */
    double *sv;        /* n×w */
    double *q;         /* n×p, and its image */
    double *sq;        /* n×p */
    double *h;         /* (w+p)×(w+p): [V Q]ᵀS[V Q], then its eigenvectors as rows, ascending */
    double *theta;     /* w+p */
    double *part;      /* w×w, twice */
    double *residuals; /* w: of the Ritz vectors in V, the error of S' counted in */
} refine;

int64_t scree__refine_width(int64_t n, const scree__lanczos_options *options)
{
    const int64_t w = (options->k + options->extra + PROBES + UNIT - 1) / UNIT * UNIT;
    return w < n / 2 ? w : n / 2;
}

int64_t scree__refine_memory(int64_t n, const scree__lanczos_options *options)
{
    const int64_t w = scree__refine_width(n, options);
    return 8 * (5 * n * w + 7 * w * w + 3 * w);
}

static void refine_free(refine *f)
{
    free(f->v);
    free(f->sv);
    free(f->q);
    free(f->sq);
    free(f->h);
    free(f->theta);
    free(f->part);
    free(f->residuals);
}

static scree__tall tall(const refine *f, double *x)
{
    return (scree__tall){x, f->n, f->w, f->w};
}

static scree__tall tall_of_p(const refine *f, double *x)
{
    return (scree__tall){x, f->n, f->p, f->p};
}

/* a -= V(Vᵀa), twice. */
static void project_out(refine *f, const scree__tall *v, const scree__tall *a)
{
    for (int round = 0; round < 2; round++) {
        scree__tall_cross(v, a, f->part, f->options->threads);
        scree__tall_subtract(v, f->part, a, f->options->threads);
    }
}

/* V: what was found, and random columns, orthonormal. */
static scree_status start(refine *f, const double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t found = f->k + f->options->extra;
    const int64_t count = f->w - found;
    const scree__tall u = {f->v, f->n, found, f->w};
    const scree__tall g = {f->v + found, f->n, count, f->w};
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < found; j++)
            f->v[i * f->w + j] = vectors[j * f->n + i];
    scree__tall_randomise(&g, f->options->seed, f->stream++);
    for (int round = 0; count > 0 && round < 2; round++) {
        project_out(f, &u, &g);
        SCREE_TRY(scree__tall_orthonormalise(&g, NULL, f->options->threads, error));
    }
done:
    return status;
}

/* norms_j = ‖x_j‖, x n×cols. */
static void column_norms(const double *x, int64_t n, int64_t cols, double *norms)
{
    memset(norms, 0, (size_t)cols * sizeof *norms);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < cols; j++)
            norms[j] += x[i * cols + j] * x[i * cols + j];
    for (int64_t j = 0; j < cols; j++)
        norms[j] = sqrt(norms[j]);
}

/* R (n×w) = SV - V diag(values), and the norms of its columns. */
static void find_residuals(refine *f, const double *values, double *r)
{
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < f->w; j++)
            r[i * f->w + j] = f->sv[i * f->w + j] - values[j] * f->v[i * f->w + j];
    column_norms(r, f->n, f->w, f->residuals);
}

/* Columns of Q get length 1; those that are only noise become random. */
static void even_out(refine *f, double floor)
{
    double *norms = f->part;
    column_norms(f->q, f->n, f->p, norms);
    for (int64_t j = 0; j < f->p; j++)
        if (!(norms[j] > floor)) {
            const scree__tall column = {f->q + j, f->n, 1, f->p};
            scree__tall_randomise(&column, f->options->seed, f->stream++);
            norms[j] = sqrt((double)f->n);
        }
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < f->p; j++)
            f->q[i * f->p + j] /= norms[j];
}

/* What the residual of column j may be. */
static double allowed(const refine *f, const double *values, int64_t j)
{
    return fmax(f->options->tolerance * values[j], 64 * 0x1p-53 * values[0]);
}

/* V becomes its Ritz vectors, values descending; SV follows. */
static scree_status settle(refine *f, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t w = f->w;
    const scree__tall v = tall(f, f->v);
    const scree__tall sv = tall(f, f->sv);
    scree__tall_cross(&v, &sv, f->h, f->options->threads);
    if (scree__dsyevd(w, f->h, w, f->theta) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "an eigendecomposition of order %lld failed", (long long)w);
    for (int64_t j = 0; j < w; j++) {
        values[j] = fmax(f->theta[w - 1 - j], 0);
        for (int64_t i = 0; i < w; i++)
            f->part[i * w + j] = f->h[(w - 1 - j) * w + i];
    }
    SCREE_TRY(scree__tall_rotate(&v, f->part, w, f->options->threads, error));
    SCREE_TRY(scree__tall_rotate(&sv, f->part, w, f->options->threads, error));
done:
    return status;
}

/* The directions of R that Q is to have, as columns of part (w×p), from the eigenvectors of the k×k matrix of inner
 * products of the first k columns of R, each over what is allowed. */
static scree_status choose(refine *f, const double *values, const scree__tall *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = f->k;
    const int64_t w = f->w;
    int64_t large = 0;
    scree__tall_cross(r, r, f->part, f->options->threads);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            f->h[i * k + j] = f->part[i * w + j] / (allowed(f, values, i) * allowed(f, values, j));
    if (scree__dsyevd(k, f->h, k, f->theta) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "an eigendecomposition of order %lld failed", (long long)k);
    while (large < k && !(f->theta[k - 1 - large] <= SMALL))
        large++;
    f->p = (large + w - k + Q_UNIT - 1) / Q_UNIT * Q_UNIT;
    f->p = f->p < w ? f->p : w;
    memset(f->part, 0, (size_t)(w * f->p) * sizeof *f->part);
    for (int64_t j = 0; j < w - k; j++)
        f->part[(k + j) * f->p + j] = 1;
    for (int64_t j = w - k; j < f->p; j++)
        for (int64_t i = 0; i < k; i++)
            f->part[i * f->p + j] =
                f->h[(k - 1 - (j - (w - k))) * k + i] * (allowed(f, values, k - 1) / allowed(f, values, i));
done:
    return status;
}

/* Q, from SV. */
static scree_status find_q(refine *f, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int threads = f->options->threads;
    const scree__tall v = tall(f, f->v);
    const scree__tall r = tall(f, f->q);
    find_residuals(f, values, f->q);
    SCREE_TRY(choose(f, values, &r, error));
    SCREE_TRY(scree__tall_rotate(&r, f->part, f->p, threads, error));
    for (int64_t i = 1; f->p < f->w && i < f->n; i++)
        memmove(f->q + i * f->p, f->q + i * f->w, (size_t)f->p * sizeof *f->q);
    const scree__tall q = tall_of_p(f, f->q);
    project_out(f, &v, &q);
    even_out(f, NOTHING * values[0]);
    for (int round = 0; round < 2; round++) {
        SCREE_TRY(scree__tall_orthonormalise(&q, NULL, threads, error));
        project_out(f, &v, &q);
    }
    SCREE_TRY(scree__tall_orthonormalise(&q, NULL, threads, error));
done:
    return status;
}

/* SV, Q and S'Q, and H: Θ, SVᵀQ, and QᵀS'Q. */
static scree_status expand(refine *f, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int threads = f->options->threads;
    const scree__tall sv = tall(f, f->sv);
    SCREE_TRY(f->op->apply(f->op->context, f->v, f->w, f->sv, error));
    SCREE_TRY(settle(f, values, error));
    SCREE_TRY(find_q(f, values, error));
    const int64_t order = f->w + f->p;
    const scree__tall q = tall_of_p(f, f->q);
    const scree__tall sq = tall_of_p(f, f->sq);
    SCREE_TRY(f->cheaper->op.apply(f->cheaper->op.context, f->q, f->p, f->sq, error));
    memset(f->h, 0, (size_t)(order * order) * sizeof *f->h);
    for (int64_t i = 0; i < f->w; i++)
        f->h[i * (order + 1)] = values[i];
    scree__tall_cross(&sv, &q, f->part, threads);
    for (int64_t i = 0; i < f->w; i++)
        memcpy(f->h + i * order + f->w, f->part + i * f->p, (size_t)f->p * sizeof *f->h);
    scree__tall_cross(&q, &sq, f->part, threads);
    for (int64_t i = 0; i < f->p; i++)
        memcpy(f->h + (f->w + i) * order + f->w, f->part + i * f->p, (size_t)f->p * sizeof *f->h);
done:
    return status;
}

/* x becomes x Y + z Z, Y and Z the halves of the w best eigenvectors of H. */
static scree_status rotate(refine *f, double *x, double *z, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t w = f->w;
    const scree__tall a = tall(f, x);
    const scree__tall b = tall_of_p(f, z);
    const int64_t order = w + f->p;
    double *minus = f->part + w * w;
    for (int64_t j = 0; j < w; j++) {
        const double *best = f->h + (order - 1 - j) * order;
        for (int64_t i = 0; i < w; i++)
            f->part[i * w + j] = best[i];
        for (int64_t i = 0; i < f->p; i++)
            minus[i * w + j] = -best[w + i];
    }
    SCREE_TRY(scree__tall_rotate(&a, f->part, w, f->options->threads, error));
    if (scree__tall_subtract(&b, minus, &a, f->options->threads) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis could not be rotated");
done:
    return status;
}

/* The best vectors of [V Q], their images and residuals. */
static scree_status improve(refine *f, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t w = f->w;
    const int64_t order = w + f->p;
    if (scree__dsyevd(order, f->h, order, f->theta) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "an eigendecomposition of order %lld failed", (long long)order);
    for (int64_t j = 0; j < w; j++)
        values[j] = fmax(f->theta[order - 1 - j], 0);
    SCREE_TRY(rotate(f, f->v, f->q, error));
    SCREE_TRY(rotate(f, f->sv, f->sq, error));
    find_residuals(f, values, f->q);
    for (int64_t j = 0; j < w; j++) {
        const double *z = f->h + (order - 1 - j) * order + w;
        double norm = 0;
        for (int64_t i = 0; i < f->p; i++)
            norm = hypot(norm, z[i]);
        f->residuals[j] += f->cheaper->error * norm;
    }
done:
    return status;
}

/* The largest residual over what it may be: 1 or less is converged. */
static double excess(const refine *f, const double *values)
{
    double worst = 0;
    for (int64_t j = 0; j < f->k; j++)
        worst = fmax(worst, f->residuals[j] / allowed(f, values, j));
    return isfinite(worst) ? worst : HUGE_VAL;
}

static void collect(const refine *f, const double *values, scree__lanczos_result *result)
{
    for (int64_t j = 0; j < f->k; j++) {
        result->values[j] = values[j];
        result->residuals[j] = f->residuals[j];
        for (int64_t i = 0; i < f->n; i++)
            result->vectors[j * f->n + i] = f->v[i * f->w + j];
    }
    result->next = values[f->k];
    result->next_residual = f->residuals[f->k];
}

scree_status scree__refine(const scree__operator *op, const scree__lanczos_options *options,
                           const scree__cheaper *cheaper, scree__lanczos_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    refine f = {.op = op, .cheaper = cheaper, .options = options, .n = op->n, .k = options->k, .stream = STREAM};
    const int64_t w = f.w = scree__refine_width(op->n, options);
    double *values = NULL;
    double before = HUGE_VAL;
    scree__blas_enter();
    SCREE_ALLOC(f.v, f.n * w, error);
    SCREE_ALLOC(f.sv, f.n * w, error);
    SCREE_ALLOC(f.q, f.n * w, error);
    SCREE_ALLOC(f.sq, f.n * w, error);
    SCREE_ALLOC(f.h, 4 * w * w, error);
    SCREE_ALLOC(f.theta, 2 * w, error);
    SCREE_ALLOC(f.part, 2 * w * w, error);
    SCREE_ALLOC(f.residuals, w, error);
    SCREE_ALLOC(values, w, error);
    SCREE_TRY(start(&f, result->vectors, error));
    result->converged = false;
    for (int round = 0; round < MOST_ROUNDS && !result->converged; round++) {
        SCREE_TRY(expand(&f, values, error));
        SCREE_TRY(improve(&f, values, error));
        result->applies += 2;
        const double now = excess(&f, values);
        result->converged = now <= 1;
        if (!(now < WORTH_IT * before))
            break;
        before = now;
    }
    collect(&f, values, result);
done:
    refine_free(&f);
    free(values);
    scree__blas_leave();
    return status;
}
