/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos with full reorthogonalisation and thick restart (Golub and Underwood 1977; Wu and Simon 2000).
 *
 *   V   n×m  orthonormal basis, grown by one block of b columns a step
 *   H   m×m  VᵀSV, kept whole: after a restart it is not block tridiagonal
 *   W   n×b  S times the last block, less its part in V;  W = QR, and Q is the next block
 *
 * Ritz pairs and their residuals are in ritz.c. When the basis is full it is replaced by its best Ritz vectors; they
 * and Q go on. A step costs one application, 8nmb flops to reorthogonalise (twice is enough) and now and then an
 * eigendecomposition of H. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/ritz.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

typedef struct state {
    const scree__operator *op;
    const scree__lanczos_options *options;
    int64_t n;
    int64_t b;
    int64_t ld;       /* columns that V can hold */
    scree__ritz ritz; /* m: columns that V holds; both triangles of H */
    double *v;        /* n×ld */
    double *q;        /* n×b: the last block */
    double *w;        /* n×b */
    double *work;     /* ld×b, twice */
    uint64_t stream;
} state;

enum { REFILL_ROUNDS = 3 };
static const double BREAKDOWN = 1e-12; /* a block whose R falls below this, relative to S, is noise */
static const double CANCELLED = 1e-2;  /* a column that lost more than this to its neighbours is cleaned again */

int64_t scree__lanczos_basis(int64_t n, int64_t k, int64_t block)
{
    int64_t basis = 2 * k + 6 * block;
    return basis < n ? basis : n;
}

int64_t scree__lanczos_memory(int64_t n, int64_t basis, int64_t block)
{
    return 8 * (n * (basis + 3 * block) + 4 * basis * basis + 2 * basis * block);
}

static void state_free(state *s)
{
    free(s->v);
    free(s->q);
    free(s->w);
    scree__ritz_clear(&s->ritz);
    free(s->work);
}

static scree_status state_new(state *s, const scree__operator *op, const scree__lanczos_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    *s = (state){.op = op, .options = options, .n = op->n, .b = options->block, .ld = options->basis};
    SCREE_ALLOC(s->v, s->n * s->ld, error);
    SCREE_ALLOC(s->q, s->n * s->b, error);
    SCREE_ALLOC(s->w, s->n * s->b, error);
    SCREE_TRY(scree__ritz_new(&s->ritz, s->ld, s->b, error));
    SCREE_ALLOC(s->work, 2 * s->ld * s->b, error);
done:
    return status;
}

static scree__tall basis_of(const state *s)
{
    return (scree__tall){s->v, s->n, s->ritz.m, s->ld};
}

/* W -= V(VᵀW), twice; what was taken away is added to h (m×b) when it is wanted. */
static int project_out(state *s, double *w, double *h)
{
    scree__tall v = basis_of(s);
    scree__tall block = {w, s->n, s->b, s->b};
    double *part = s->work + s->ld * s->b;
    for (int round = 0; round < 2; round++) {
        int info = scree__tall_cross(&v, &block, part, s->options->threads);
        if (info == 0)
            info = scree__tall_subtract(&v, part, &block, s->options->threads);
        if (info != 0)
            return info;
        for (int64_t i = 0; h && i < s->ritz.m * s->b; i++)
            h[i] = round == 0 ? part[i] : h[i] + part[i];
    }
    return 0;
}

/* Whether a column of W was mostly made of those before it: what rounding left of V in it has grown as it was
 * normalised. */
static bool has_cancelled(const state *s, int64_t j)
{
    double norm = 0;
    for (int64_t i = 0; i <= j; i++)
        norm = hypot(norm, s->ritz.r[i * s->b + j]);
    return fabs(s->ritz.r[j * s->b + j]) < CANCELLED * norm;
}

/* Replaces columns of W that are only noise after projection by random ones; how often W is to be cleaned now. */
static int replace_noise(state *s, double floor)
{
    int rounds = 0;
    for (int64_t j = 0; j < s->b; j++) {
        if (fabs(s->ritz.r[j * s->b + j]) <= floor) {
            scree__tall column = {s->w + j, s->n, 1, s->b};
            scree__tall_randomise(&column, s->options->seed, ++s->stream);
            memset(s->ritz.r + j * s->b, 0, (size_t)s->b * sizeof *s->ritz.r);
            rounds = REFILL_ROUNDS;
        } else if (rounds == 0 && has_cancelled(s, j)) {
            rounds = 1;
        }
    }
    return rounds;
}

/* Whatever W was, it becomes orthonormal and orthogonal to V. */
static scree_status refill(state *s, double floor, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall block = {s->w, s->n, s->b, s->b};
    for (int rounds = replace_noise(s, floor); rounds > 0; rounds--) {
        if (project_out(s, s->w, NULL) != 0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis could not be extended");
        SCREE_TRY(scree__tall_orthonormalise(&block, NULL, s->options->threads, error));
    }
done:
    return status;
}

static void append_block(state *s, const double *block)
{
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * s->ld + s->ritz.m, block + i * s->b, (size_t)s->b * sizeof *block);
    memcpy(s->q, block, (size_t)(s->n * s->b) * sizeof *block);
    s->ritz.m += s->b;
}

static scree_status start(state *s, scree_error *error)
{
    scree__tall block = {s->w, s->n, s->b, s->b};
    scree__tall_randomise(&block, s->options->seed, s->stream);
    scree_status status = scree__tall_orthonormalise(&block, NULL, s->options->threads, error);
    if (status == SCREE_OK)
        append_block(s, s->w);
    return status;
}

/* One step: W = SQ, the new columns of H, and W = QR. */
static scree_status step(state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t last = s->ritz.m - s->b;
    double largest = 0;
    SCREE_TRY(s->op->apply(s->op->context, s->q, s->b, s->w, error));
    if (project_out(s, s->w, s->work) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis could not be extended");
    for (int64_t i = 0; i < s->ritz.m; i++) {
        for (int64_t j = 0; j < s->b; j++) {
            double value = s->work[i * s->b + j];
            if (i >= last) /* the diagonal block is symmetric but for rounding */
                value = 0.5 * (value + s->work[(last + j) * s->b + (i - last)]);
            s->ritz.h[i * s->ld + last + j] = value;
            s->ritz.h[(last + j) * s->ld + i] = value;
        }
    }
    for (int64_t i = 0; i < s->ritz.m; i++)
        largest = fmax(largest, s->ritz.h[i * s->ld + i]);
    scree__tall block = {s->w, s->n, s->b, s->b};
    SCREE_TRY(scree__tall_orthonormalise(&block, s->ritz.r, s->options->threads, error));
    SCREE_TRY(refill(s, BREAKDOWN * largest, error));
done:
    return status;
}

/* The residual of the j-th largest Ritz pair. */
static double residual(const state *s, int64_t j)
{
    double *rest = s->work;
    double norm = 0;
    scree__ritz_rest(&s->ritz, j, rest);
    for (int64_t i = 0; i < s->b; i++)
        norm = hypot(norm, rest[i]);
    return norm;
}

static bool is_converged(const state *s)
{
    for (int64_t j = 0; j < s->options->k; j++)
        if (!(residual(s, j) <= scree__ritz_allowed(&s->ritz, j, s->options->tolerance)))
            return false;
    return true;
}

/* V becomes its keep best Ritz vectors, H their values. */
static scree_status restart(state *s, int64_t keep, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall v = basis_of(s);
    double *y = NULL;
    SCREE_ALLOC(y, s->ritz.m * keep, error);
    for (int64_t i = 0; i < s->ritz.m; i++)
        for (int64_t j = 0; j < keep; j++)
            y[i * keep + j] = scree__ritz_vector(&s->ritz, j)[i];
    SCREE_TRY(scree__tall_rotate(&v, y, keep, s->options->threads, error));
    memset(s->ritz.h, 0, (size_t)(s->ld * s->ld) * sizeof *s->ritz.h);
    for (int64_t j = 0; j < keep; j++)
        s->ritz.h[j * s->ld + j] = scree__ritz_value(&s->ritz, j);
    s->ritz.m = keep;
done:
    free(y);
    return status;
}

static scree_status collect(state *s, scree__lanczos_result *result, scree_error *error)
{
    const int64_t k = s->options->k;
    const int64_t count = k + s->options->extra;
    for (int64_t j = 0; j < count; j++) {
        result->values[j] = fmax(scree__ritz_value(&s->ritz, j), 0);
        result->residuals[j] = residual(s, j);
    }
    result->next = s->ritz.m > k ? fmax(scree__ritz_value(&s->ritz, k), 0) : 0;
    result->next_residual = s->ritz.m > k ? residual(s, k) : 0;
    scree_status status = restart(s, count, error);
    for (int64_t j = 0; status == SCREE_OK && j < count; j++)
        for (int64_t i = 0; i < s->n; i++)
            result->vectors[j * s->n + i] = s->v[i * s->ld + j];
    return status;
}

scree_status scree__lanczos(const scree__operator *op, const scree__lanczos_options *options,
                            scree__lanczos_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    state s = {0};
    const int64_t between = options->between > 0 ? options->between : 1;
    scree__blas_enter();
    SCREE_TRY(state_new(&s, op, options, error));
    SCREE_TRY(start(&s, error));
    for (result->applies = 1;; result->applies++) {
        SCREE_TRY(step(&s, error));
        bool full = s.ritz.m + s.b > s.ld;
        bool enough = s.ritz.m > options->k && s.ritz.m >= options->k + options->extra;
        bool last = enough && result->applies >= options->max_steps;
        bool look = enough && result->applies % between == 0;
        if (full || last || look) {
            SCREE_TRY(scree__ritz_solve(&s.ritz, error));
            result->converged = enough && is_converged(&s);
            if (last || result->converged)
                break;
        }
        if (full) {
            int64_t keep = options->k + options->extra + options->block;
            SCREE_TRY(restart(&s, keep < s.ld - 2 * s.b ? keep : s.ld - 2 * s.b, error));
        }
        append_block(&s, s.w);
    }
    SCREE_TRY(collect(&s, result, error));
done:
    state_free(&s);
    scree__blas_leave();
    return status;
}
