/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos with full reorthogonalisation and thick restart (Golub and Underwood 1977; Wu and Simon 2000).
 *
 *   V   n×m  orthonormal basis, grown by one block of b columns a step
 *   H   m×m  VᵀSV, kept whole: after a restart it is not block tridiagonal
 *   W   n×b  S times the last block, less its part in V;  W = QR, and Q is the next block
 *
 *     S V = V H + Q R Eᵀ     (E: the last b columns of the identity)
 *
 * so a Ritz pair (θ, Vy), Hy = θy, has the residual ‖R (last b entries of y)‖, for nothing. When the basis is full it
 * is replaced by its best Ritz vectors; they and Q go on. A step costs one application, 8nmb flops to reorthogonalise
 * (twice is enough) and now and then an eigendecomposition of H. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

typedef struct state {
    const scree__operator *op;
    const scree__lanczos_options *options;
    int64_t n;
    int64_t b;
    int64_t ld;    /* columns that V can hold */
    int64_t m;     /* columns that V holds */
    double *v;     /* n×ld */
    double *q;     /* n×b: the last block */
    double *w;     /* n×b */
    double *h;     /* ld×ld */
    double *r;     /* b×b */
    double *y;     /* ld×ld: eigenvectors of H as rows, ascending */
    double *theta; /* ld */
    double *work;  /* ld×b, twice */
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
    free(s->h);
    free(s->r);
    free(s->y);
    free(s->theta);
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
    SCREE_ALLOC(s->h, s->ld * s->ld, error);
    SCREE_ALLOC(s->r, s->b * s->b, error);
    SCREE_ALLOC(s->y, s->ld * s->ld, error);
    SCREE_ALLOC(s->theta, s->ld, error);
    SCREE_ALLOC(s->work, 2 * s->ld * s->b, error);
done:
    return status;
}

static scree__tall basis_of(const state *s)
{
    return (scree__tall){s->v, s->n, s->m, s->ld};
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
        for (int64_t i = 0; h && i < s->m * s->b; i++)
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
        norm = hypot(norm, s->r[i * s->b + j]);
    return fabs(s->r[j * s->b + j]) < CANCELLED * norm;
}

/* Replaces columns of W that are only noise after projection by random ones; how often W is to be cleaned now. */
static int replace_noise(state *s, double floor)
{
    int rounds = 0;
    for (int64_t j = 0; j < s->b; j++) {
        if (fabs(s->r[j * s->b + j]) <= floor) {
            scree__tall column = {s->w + j, s->n, 1, s->b};
            scree__tall_randomise(&column, s->options->seed, ++s->stream);
            memset(s->r + j * s->b, 0, (size_t)s->b * sizeof *s->r);
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
        memcpy(s->v + i * s->ld + s->m, block + i * s->b, (size_t)s->b * sizeof *block);
    memcpy(s->q, block, (size_t)(s->n * s->b) * sizeof *block);
    s->m += s->b;
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
    const int64_t last = s->m - s->b;
    double largest = 0;
    SCREE_TRY(s->op->apply(s->op->context, s->q, s->b, s->w, error));
    if (project_out(s, s->w, s->work) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis could not be extended");
    for (int64_t i = 0; i < s->m; i++) {
        for (int64_t j = 0; j < s->b; j++) {
            double value = s->work[i * s->b + j];
            if (i >= last) /* the diagonal block is symmetric but for rounding */
                value = 0.5 * (value + s->work[(last + j) * s->b + (i - last)]);
            s->h[i * s->ld + last + j] = value;
            s->h[(last + j) * s->ld + i] = value;
        }
    }
    for (int64_t i = 0; i < s->m; i++)
        largest = fmax(largest, s->h[i * s->ld + i]);
    scree__tall block = {s->w, s->n, s->b, s->b};
    SCREE_TRY(scree__tall_orthonormalise(&block, s->r, s->options->threads, error));
    SCREE_TRY(refill(s, BREAKDOWN * largest, error));
done:
    return status;
}

/* Ritz pairs of the basis: theta ascending, y as rows. */
static scree_status ritz(state *s, scree_error *error)
{
    for (int64_t i = 0; i < s->m; i++)
        memcpy(s->y + i * s->m, s->h + i * s->ld, (size_t)s->m * sizeof *s->y);
    if (scree__dsyevd(s->m, s->y, s->m, s->theta) != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "an eigendecomposition of order %lld failed", (long long)s->m);
    return SCREE_OK;
}

/* The residual of the j-th largest Ritz pair. */
static double ritz_residual(const state *s, int64_t j)
{
    const double *tail = s->y + (s->m - 1 - j) * s->m + s->m - s->b;
    double norm = 0;
    for (int64_t row = 0; row < s->b; row++) {
        double dot = 0;
        for (int64_t i = row; i < s->b; i++)
            dot += s->r[row * s->b + i] * tail[i];
        norm = hypot(norm, dot);
    }
    return norm;
}

static bool is_converged(const state *s)
{
    const double floor = 64 * 0x1p-53 * s->theta[s->m - 1];
    for (int64_t j = 0; j < s->options->k; j++)
        if (!(ritz_residual(s, j) <= fmax(s->options->tolerance * s->theta[s->m - 1 - j], floor)))
            return false;
    return true;
}

/* V becomes its keep best Ritz vectors, H their values. */
static scree_status restart(state *s, int64_t keep, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall v = basis_of(s);
    double *y = NULL;
    SCREE_ALLOC(y, s->m * keep, error);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < keep; j++)
            y[i * keep + j] = s->y[(s->m - 1 - j) * s->m + i];
    SCREE_TRY(scree__tall_rotate(&v, y, keep, s->options->threads, error));
    memset(s->h, 0, (size_t)(s->ld * s->ld) * sizeof *s->h);
    for (int64_t j = 0; j < keep; j++)
        s->h[j * s->ld + j] = s->theta[s->m - 1 - j];
    s->m = keep;
done:
    free(y);
    return status;
}

static scree_status collect(state *s, scree__lanczos_result *result, scree_error *error)
{
    const int64_t k = s->options->k;
    const int64_t count = k + s->options->extra;
    for (int64_t j = 0; j < count; j++) {
        result->values[j] = fmax(s->theta[s->m - 1 - j], 0);
        result->residuals[j] = ritz_residual(s, j);
    }
    result->next = s->m > k ? fmax(s->theta[s->m - 1 - k], 0) : 0;
    result->next_residual = s->m > k ? ritz_residual(s, k) : 0;
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
        bool full = s.m + s.b > s.ld;
        bool enough = s.m > options->k && s.m >= options->k + options->extra;
        bool last = enough && result->applies >= options->most;
        bool look = enough && result->applies % between == 0;
        if (full || last || look) {
            SCREE_TRY(ritz(&s, error));
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
