/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos with full reorthogonalisation and thick restart (Golub and Underwood 1977; Wu and Simon 2000).
 *
 *   V   n×m  orthonormal basis, grown by one block of b columns a step (basis.c)
 *   H   m×m  VᵀSV, kept whole: after a restart it is not block tridiagonal
 *   W   n×b  S times the last block, less its part in V;  W = QR, and Q is the next block
 *
 * Ritz pairs and their residuals are in ritz.c, when to look at them in pace.c. When the basis is full, the best half
 * of its Ritz vectors and Q go on. A step costs one application and 8nmb flops to reorthogonalise.
 *
 * The first block is random, so the first basis also tells how the eigenvalues beyond the k lie (shape.c).
 *
 * The basis may begin with vectors whose images are known better than the operator would tell them (refine.c): their
 * part of H then comes from these images. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/basis.h"
#include "kernel/blas.h"
#include "kernel/pace.h"
#include "kernel/ritz.h"

#include <math.h>
#include <string.h>

typedef struct state {
    const scree__operator *op;
    const scree__lanczos_options *options;
    const scree__lanczos_start *start;
    scree__basis basis;
    scree__ritz ritz; /* both triangles of H */
    scree__pace pace;
    double *coupling; /* count×b: of the start */
    double *values;   /* k + extra, and what is allowed */
    double *allowed;
    double *rest;  /* b */
    bool measured; /* the first basis has told how the other eigenvalues lie */
} state;

static const double FASTER = 0.5;      /* of the columns that seem to be left: residuals fall ever faster */
static const double BREAKDOWN = 1e-12; /* a block whose R falls below this, relative to S, is noise */

int64_t scree__lanczos_basis(int64_t n, int64_t k, int64_t block)
{
    const int64_t basis = 4 * k + 14 * block;
    return basis < n - block ? basis : n - block;
}

int64_t scree__lanczos_memory(int64_t n, int64_t basis, int64_t block)
{
    return scree__basis_memory(n, basis, block) + 8 * (5 * basis * basis + 2 * basis * block);
}

static void state_free(state *s)
{
    scree__basis_clear(&s->basis);
    scree__ritz_clear(&s->ritz);
    free(s->coupling);
    free(s->values);
    free(s->allowed);
    free(s->rest);
}

static int64_t count_of(const scree__lanczos_options *options)
{
    return options->k + options->extra;
}

static scree_status state_new(state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__lanczos_options *options = s->options;
    s->basis = (scree__basis){
        .n = s->op->n, .b = options->block, .ld = options->basis, .seed = options->seed, .threads = options->threads};
    if (s->start) {
        s->basis.q = s->start->vectors;
        s->basis.w = s->start->block;
        s->basis.lent = true;
    }
    SCREE_TRY(scree__basis_new(&s->basis, error));
    SCREE_TRY(scree__ritz_new(&s->ritz, options->basis, options->block, error));
    SCREE_ALLOC(s->coupling, (s->start ? s->start->count : 1) * options->block, error);
    SCREE_ALLOC(s->values, count_of(options) + 1, error);
    SCREE_ALLOC(s->allowed, options->k, error);
    SCREE_ALLOC(s->rest, options->block, error);
done:
    return status;
}

static void append(state *s)
{
    scree__basis_append(&s->basis);
    s->ritz.m = s->basis.m;
}

/* V: what is known, and the first block. */
static scree_status begin(state *s, scree_error *error)
{
    scree__basis *v = &s->basis;
    if (s->start) {
        const int64_t count = s->start->count;
        for (int64_t i = 0; i < v->n; i++)
            memcpy(v->v + i * v->ld, s->start->vectors + i * count, (size_t)count * sizeof *v->v);
        for (int64_t j = 0; j < count; j++)
            s->ritz.h[j * (v->ld + 1)] = s->start->values[j];
        v->m = count;
    } else {
        scree_status status = scree__basis_randomise(v, error);
        if (status != SCREE_OK)
            return status;
    }
    append(s);
    return SCREE_OK;
}

/* The columns of H that belong to the last block: what its image had along V, but for the start's share, which is
 * known better. */
static void set_columns(state *s)
{
    const scree__basis *v = &s->basis;
    const int64_t last = v->m - v->b;
    const int64_t known = s->start ? s->start->count : 0;
    for (int64_t i = 0; i < v->m; i++)
        for (int64_t j = 0; j < v->b; j++) {
            double value = i < known ? s->coupling[i * v->b + j] : v->h[i * v->b + j];
            if (i >= last) /* the diagonal block is symmetric but for rounding */
                value = 0.5 * (value + v->h[(last + j) * v->b + (i - last)]);
            s->ritz.h[i * v->ld + last + j] = value;
            s->ritz.h[(last + j) * v->ld + i] = value;
        }
}

/* The largest Rayleigh quotient among V and, with W = SQ, the last block. */
static double largest_of(const state *s)
{
    const scree__basis *v = &s->basis;
    double largest = 0;
    for (int64_t i = 0; i < v->m - v->b; i++)
        largest = fmax(largest, s->ritz.h[i * (v->ld + 1)]);
    for (int64_t j = 0; j < v->b; j++) {
        double dot = 0;
        for (int64_t i = 0; i < v->n; i++)
            dot += v->q[i * v->b + j] * v->w[i * v->b + j];
        largest = fmax(largest, dot);
    }
    return largest;
}

/* One step: W = SQ, the new columns of H, and W = QR. */
static scree_status step(state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__basis *v = &s->basis;
    SCREE_TRY(s->op->apply(s->op->context, v->q, v->b, v->w, error));
    const double floor = BREAKDOWN * largest_of(s);
    if (s->start) {
        const scree__tall images = {(double *)s->start->images, v->n, s->start->count, s->start->count};
        const scree__tall q = {v->q, v->n, v->b, v->b};
        const int info = scree__tall_cross(&images, &q, s->coupling, v->threads);
        if (info != 0)
            SCREE_TRY(scree__blas_fail(info, "a step of a basis", v->n, error));
    }
    SCREE_TRY(scree__basis_clean(v, floor, error));
    set_columns(s);
    memcpy(s->ritz.r, v->r, (size_t)(v->b * v->b) * sizeof *v->r);
done:
    return status;
}

/* The residual of the j-th largest Ritz pair. */
static double residual(const state *s, int64_t j)
{
    double norm = 0;
    scree__ritz_rest(&s->ritz, j, s->rest);
    for (int64_t i = 0; i < s->basis.b; i++)
        norm = hypot(norm, s->rest[i]);
    return norm;
}

/* The largest residual over what it may be. */
static double excess(state *s)
{
    const scree__lanczos_options *options = s->options;
    const int64_t known = count_of(options) < s->ritz.found ? count_of(options) : s->ritz.found;
    double worst = 0;
    for (int64_t j = 0; j < known; j++)
        s->values[j] = fmax(scree__ritz_value(&s->ritz, j), 0);
    options->goal->allow(options->goal, s->values, known, options->k, s->allowed);
    for (int64_t j = 0; j < options->k; j++) {
        const double share = residual(s, j) / s->allowed[j];
        worst = fmax(worst, isnan(share) ? 0 : share); /* 0/0: a matrix of zeros */
    }
    return worst;
}

/* For scree__operator: H q. */
static scree_status apply_h(void *context, const double *q, int64_t b, double *w, scree_error *error)
{
    const state *s = context;
    const int64_t m = s->ritz.m;
    if (scree__dgemm(false, false, m, b, m, 1, s->ritz.h, s->basis.ld, q, b, 0, w, b) != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)m);
    return SCREE_OK;
}

/* Before the first restart, or at the end. */
static scree_status measure(state *s, scree__lanczos_result *result, scree_error *error)
{
    const int64_t k = s->options->k;
    const int64_t steps = s->ritz.m / s->basis.b;
    const scree__operator h = {s->ritz.m, apply_h, s};
    const scree__shape_from from = {.known = k,
                                    .vectors = scree__ritz_vector(&s->ritz, k - 1), /* they ascend */
                                    .units = s->basis.b,
                                    .steps = steps < SCREE__SHAPE_STEPS ? (int)steps : SCREE__SHAPE_STEPS};
    if (s->start || s->measured)
        return SCREE_OK;
    s->measured = true;
    return scree__shape_measure(&result->others, &h, &from, error);
}

/* V becomes its keep best Ritz vectors, H their values. */
static scree_status restart(state *s, int64_t keep, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t ld = s->basis.ld;
    double *y = NULL;
    SCREE_ALLOC(y, s->ritz.m * keep, error);
    for (int64_t i = 0; i < s->ritz.m; i++)
        for (int64_t j = 0; j < keep; j++)
            y[i * keep + j] = scree__ritz_vector(&s->ritz, j)[i];
    SCREE_TRY(scree__basis_rotate(&s->basis, y, keep, error));
    memset(s->ritz.h, 0, (size_t)(ld * ld) * sizeof *s->ritz.h);
    for (int64_t j = 0; j < keep; j++)
        s->ritz.h[j * (ld + 1)] = scree__ritz_value(&s->ritz, j);
    s->ritz.m = keep;
done:
    free(y);
    return status;
}

static scree_status collect(state *s, scree__lanczos_result *result, scree_error *error)
{
    const int64_t k = s->options->k;
    const int64_t count = count_of(s->options);
    const int64_t n = s->basis.n;
    for (int64_t j = 0; j < count; j++) {
        result->values[j] = fmax(scree__ritz_value(&s->ritz, j), 0);
        result->residuals[j] = residual(s, j);
    }
    const bool more = s->ritz.found > k;
    result->next = more ? fmax(scree__ritz_value(&s->ritz, k), 0) : 0;
    result->next_residual = more ? residual(s, k) : 0;
    scree_status status = restart(s, count, error);
    for (int64_t j = 0; status == SCREE_OK && j < count; j++)
        for (int64_t i = 0; i < n; i++)
            result->vectors[j * n + i] = s->basis.v[i * s->basis.ld + j];
    return status;
}

/* Half of the basis is kept, but what is asked for in any case, and room for two steps is made. */
static int64_t kept_of(const state *s)
{
    const int64_t half = s->basis.ld / 2;
    const int64_t least = count_of(s->options) + s->basis.b;
    const int64_t most = s->basis.ld - 2 * s->basis.b;
    const int64_t keep = half > least ? half : least;
    return keep < most ? keep : most;
}

/* After a step: whether it is over, and the Ritz pairs are those at the end. */
static scree_status look(state *s, scree__lanczos_result *result, bool *over, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__lanczos_options *options = s->options;
    const int64_t columns = result->applies * s->basis.b;
    const bool full = s->basis.m + s->basis.b > s->basis.ld;
    const bool enough = s->basis.m > options->k && s->basis.m >= count_of(options);
    const bool last = enough && result->applies >= options->max_steps;
    *over = false;
    if (!full && !last && !(enough && columns >= s->pace.next))
        goto done;
    SCREE_TRY(scree__ritz_solve_some(&s->ritz, full && !s->start ? kept_of(s) : count_of(options) + 1, error));
    scree__pace_look(&s->pace, columns, s->basis.b, excess(s));
    result->converged = s->pace.excess <= 1;
    result->gave_way = !result->converged && scree__pace_gives_way(&s->pace, options->worth);
    *over = result->converged || result->gave_way || last || (full && s->start);
    if (*over || full)
        SCREE_TRY(measure(s, result, error));
    if (full && !*over)
        SCREE_TRY(restart(s, kept_of(s), error));
done:
    return status;
}

/* What is done after a step: of as many columns as it seemed at the last look, or else as was thought before. */
static scree_status tell(const state *s, int64_t columns, scree_error *error)
{
    const double left =
        isfinite(s->pace.left) ? (double)s->pace.seen + FASTER * s->pace.left : (double)s->options->likely;
    const double all = fmax(left, (double)(columns + s->basis.b));
    return scree__watch_tell(&s->options->watch, (double)columns / all, error);
}

/* The first look is where a spectrum that falls off may have converged. */
static int64_t first_look(const state *s)
{
    return s->start ? s->basis.b : s->options->k + s->options->extra + 3 * s->basis.b;
}

scree_status scree__lanczos(const scree__operator *op, const scree__lanczos_options *options,
                            const scree__lanczos_start *start, scree__lanczos_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    state s = {.op = op, .options = options, .start = start};
    bool over = false;
    scree__blas_enter();
    result->converged = false;
    result->gave_way = false;
    if (options->basis < (start ? start->count + options->block : count_of(options) + 3 * options->block))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a basis of %lld vectors is too small for blocks of %lld",
                   (long long)options->basis, (long long)options->block);
    SCREE_TRY(state_new(&s, error));
    SCREE_TRY(begin(&s, error));
    s.pace = scree__pace_from(first_look(&s));
    for (result->applies = 1;; result->applies++) {
        SCREE_TRY(step(&s, error));
        SCREE_TRY(look(&s, result, &over, error));
        if (over)
            break;
        append(&s);
        SCREE_TRY(tell(&s, result->applies * s.basis.b, error));
    }
    result->columns = result->applies * s.basis.b;
    SCREE_TRY(collect(&s, result, error));
done:
    state_free(&s);
    scree__blas_leave();
    return status;
}
