/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of S from approximate ones, most of the work done by an operator S' near S (float for double).
 *
 *   V   n×w  the approximate eigenvectors, and random columns G beside them
 *   Q   n×p  orthonormal, from R = SV - VΘ, what S knows and V does not: of the first k columns of R the directions in
 *            which it is not small beside the goal, and, the first time, all of it for the columns behind them
 *
 * A round applies S to V and takes the best vectors of V (Rayleigh and Ritz): their residuals are true ones, and when
 * they have reached the goal, they are proven. Else V is extended by block Lanczos with S' from Q on (lanczos.c). Its
 * coupling to V comes from SV: an eigenvector is u = Vy + Zz, Z what was added, of which S' gets only z wrong, and the
 * better V was, the smaller is z. So the error of S' shrinks from round to round.
 *
 * Nothing that was missed before hides from G and SG, but by chance: in the first round at least one step is made in
 * any case, and values that rise in it were wrong. Cost: w columns of S a round, p of S' a step, 10nw² flops. */

#include "kernel/lanczos.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/pace.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum { PROBES = 8, UNIT = 8, Q_UNIT = 16, MOST_STEPS = 24, STREAM = 1 << 21 };
static const double WORTH_IT = 0.25; /* a round that leaves more than this of the excess is the last */
static const double SMALL = 0.0625;  /* of a squared residual, over the goal's: such directions are left alone */
static const double NOTHING = 1e-14; /* a column of SV that leaves V by no more, relative to S, is noise */
static const double MARGIN = 0.5;    /* of the goal, for S': S will find somewhat more */

typedef struct refine {
    const scree__operator *op;
    const scree__refine_options *options;
    const scree__lanczos_options *lanczos;
    int64_t n;
    int64_t k;
    int64_t w;
    int64_t p;
    uint64_t stream;
    double *v;         /* n×w, and its image */
    double *sv;        /* n×w */
    double *q;         /* n×w: R, then n×p; then the vectors of wider */
    double *h;         /* w×w */
    double *part;      /* w×w */
    double *theta;     /* w */
    double *values;    /* w, descending */
    double *residuals; /* w */
    double *allowed;   /* k */
    scree__lanczos_result wider;
    scree__pace pace;
} refine;

int64_t scree__refine_width(int64_t n, const scree__lanczos_options *options)
{
    const int64_t w = (options->k + options->extra + PROBES + UNIT - 1) / UNIT * UNIT;
    return w < n / 2 ? w : n / 2;
}

int64_t scree__refine_memory(int64_t n, const scree__lanczos_options *options)
{
    const int64_t w = scree__refine_width(n, options);
    const int64_t p = (w + Q_UNIT - 1) / Q_UNIT * Q_UNIT;
    const int64_t lent = 2 * n * w; /* V and Q, to Lanczos */
    return 8 * (3 * n * w + 2 * w * w + 6 * w - lent) + scree__lanczos_memory(n, options->basis, p);
}

static void refine_free(refine *f)
{
    free(f->v);
    free(f->sv);
    free(f->q);
    free(f->h);
    free(f->part);
    free(f->theta);
    free(f->values);
    free(f->residuals);
    free(f->allowed);
    free(f->wider.values);
    free(f->wider.residuals);
}

static scree_status refine_new(refine *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t w = f->w;
    SCREE_ALLOC(f->v, f->n * w, error);
    SCREE_ALLOC(f->sv, f->n * w, error);
    SCREE_ALLOC(f->q, f->n * w, error);
    SCREE_ALLOC(f->h, w * w, error);
    SCREE_ALLOC(f->part, w * w, error);
    SCREE_ALLOC(f->theta, w, error);
    SCREE_ALLOC(f->values, w, error);
    SCREE_ALLOC(f->residuals, w, error);
    SCREE_ALLOC(f->allowed, f->k, error);
    SCREE_ALLOC(f->wider.values, w, error);
    f->wider.vectors = f->q;
    SCREE_ALLOC(f->wider.residuals, w, error);
done:
    return status;
}

static scree__tall tall(const refine *f, double *x)
{
    return (scree__tall){x, f->n, f->w, f->w};
}

static scree__tall tall_of_p(const refine *f, double *x)
{
    return (scree__tall){x, f->n, f->p, f->p};
}

static scree_status cross(refine *f, const scree__tall *a, const scree__tall *b, double *h, scree_error *error)
{
    if (scree__tall_cross(a, b, h, f->lanczos->threads) != 0)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld×%lld products of vectors cannot be formed",
                           (long long)a->cols, (long long)b->cols);
    return SCREE_OK;
}

/* a -= V(Vᵀa), twice. */
static scree_status project_out(refine *f, const scree__tall *v, const scree__tall *a, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int round = 0; round < 2; round++) {
        SCREE_TRY(cross(f, v, a, f->part, error));
        if (scree__tall_subtract(v, f->part, a, f->lanczos->threads) != 0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "vectors of %lld entries could not be projected", (long long)f->n);
    }
done:
    return status;
}

/* The first columns of V: count vectors, given as rows. */
static void set_vectors(refine *f, const double *vectors, int64_t count)
{
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < count; j++)
            f->v[i * f->w + j] = vectors[j * f->n + i];
}

/* V: what was found, and random columns, orthonormal. */
static scree_status start(refine *f, const double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t found = f->k + f->lanczos->extra;
    const int64_t count = f->w - found;
    const scree__tall u = {f->v, f->n, found, f->w};
    const scree__tall g = {f->v + found, f->n, count, f->w};
    set_vectors(f, vectors, found);
    SCREE_TRY(scree__tall_orthonormalise(&u, NULL, f->lanczos->threads, error));
    scree__tall_randomise(&g, f->lanczos->seed, f->stream++);
    for (int round = 0; count > 0 && round < 2; round++) {
        SCREE_TRY(project_out(f, &u, &g, error));
        SCREE_TRY(scree__tall_orthonormalise(&g, NULL, f->lanczos->threads, error));
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

/* Columns of Q get length 1; those that are only noise become random. */
static void even_out(refine *f, double floor)
{
    double *norms = f->part;
    column_norms(f->q, f->n, f->p, norms);
    for (int64_t j = 0; j < f->p; j++)
        if (!(norms[j] > floor)) {
            const scree__tall column = {f->q + j, f->n, 1, f->p};
            scree__tall_randomise(&column, f->lanczos->seed, f->stream++);
            norms[j] = sqrt((double)f->n);
        }
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < f->p; j++)
            f->q[i * f->p + j] /= norms[j];
}

/* V becomes its Ritz vectors, values descending, and SV follows; R = SV - VΘ is in q, and its norms are told. */
static scree_status settle(refine *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t w = f->w;
    const int threads = f->lanczos->threads;
    const scree__tall v = tall(f, f->v);
    const scree__tall sv = tall(f, f->sv);
    SCREE_TRY(f->op->apply(f->op->context, f->v, w, f->sv, error));
    SCREE_TRY(cross(f, &v, &sv, f->h, error));
    const int info = scree__dsyevd(w, f->h, w, f->theta);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "an eigendecomposition", w, error));
    for (int64_t j = 0; j < w; j++) {
        f->values[j] = fmax(f->theta[w - 1 - j], 0);
        for (int64_t i = 0; i < w; i++)
            f->part[i * w + j] = f->h[(w - 1 - j) * w + i];
    }
    SCREE_TRY(scree__tall_rotate(&v, f->part, w, threads, error));
    SCREE_TRY(scree__tall_rotate(&sv, f->part, w, threads, error));
    for (int64_t i = 0; i < f->n * w; i++)
        f->q[i] = f->sv[i] - f->values[i % w] * f->v[i];
    column_norms(f->q, f->n, w, f->residuals);
done:
    return status;
}

/* The largest residual over what it may be: 1 or less is converged. */
static double excess(refine *f)
{
    const scree__goal *goal = f->lanczos->goal;
    double worst = 0;
    goal->allow(goal, f->values, f->w, f->k, f->allowed);
    for (int64_t j = 0; j < f->k; j++) {
        const double share = f->residuals[j] / f->allowed[j];
        worst = fmax(worst, f->residuals[j] == 0 ? 0 : isnan(share) ? HUGE_VAL : share);
    }
    return worst;
}

/* Columns of Q, so that V has room for one step with them. */
static int64_t most_columns(const refine *f)
{
    const int64_t by_order = (f->n - f->w) / 2;
    const int64_t by_basis = f->lanczos->basis - f->w;
    return by_order < by_basis ? by_order : by_basis;
}

/* The directions of R that Q is to have, as columns of part (w×p), from the eigenvectors of the k×k matrix of inner
 * products of the first k columns of R, each over what is allowed; and those of the columns behind, if wanted. */
static scree_status choose(refine *f, const scree__tall *r, bool all_behind, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = f->k;
    const int64_t w = f->w;
    const int64_t most = most_columns(f);
    const int64_t behind = !all_behind ? 0 : w - k < most ? w - k : most;
    int64_t large = 0;
    SCREE_TRY(cross(f, r, r, f->part, error));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            f->h[i * k + j] =
                f->allowed[i] > 0 && f->allowed[j] > 0 ? f->part[i * w + j] / f->allowed[i] / f->allowed[j] : 0;
    const int info = scree__dsyevd(k, f->h, k, f->theta);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "an eigendecomposition", k, error));
    while (large < k && !(f->theta[k - 1 - large] <= SMALL))
        large++;
    f->p = (large + behind + Q_UNIT - 1) / Q_UNIT * Q_UNIT;
    f->p = f->p < behind + k ? f->p : behind + k;
    f->p = f->p < most ? f->p : most;
    memset(f->part, 0, (size_t)(w * f->p) * sizeof *f->part);
    for (int64_t j = 0; j < behind; j++)
        f->part[(k + j) * f->p + j] = 1;
    for (int64_t j = behind; j < f->p; j++)
        for (int64_t i = 0; i < k; i++)
            f->part[i * f->p + j] = f->h[(k - 1 - (j - behind)) * k + i] * (f->allowed[k - 1] / f->allowed[i]);
done:
    return status;
}

/* Q, from R. */
static scree_status find_q(refine *f, bool all_behind, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int threads = f->lanczos->threads;
    const scree__tall v = tall(f, f->v);
    const scree__tall r = tall(f, f->q);
    SCREE_TRY(choose(f, &r, all_behind, error));
    SCREE_TRY(scree__tall_rotate(&r, f->part, f->p, threads, error));
    for (int64_t i = 1; f->p < f->w && i < f->n; i++)
        memmove(f->q + i * f->p, f->q + i * f->w, (size_t)f->p * sizeof *f->q);
    const scree__tall q = tall_of_p(f, f->q);
    SCREE_TRY(project_out(f, &v, &q, error));
    even_out(f, NOTHING * f->values[0]);
    for (int round = 0; round < 2; round++) {
        SCREE_TRY(scree__tall_orthonormalise(&q, NULL, threads, error));
        SCREE_TRY(project_out(f, &v, &q, error));
    }
    SCREE_TRY(scree__tall_orthonormalise(&q, NULL, threads, error));
done:
    return status;
}

/* The best vectors of V and what S' adds to it, in so many steps at most: f->wider. V itself is lost. */
static scree_status widen(refine *f, int64_t max_steps, scree_error *error)
{
    const scree__loose_goal goal = scree__goal_loosened(f->lanczos->goal, MARGIN, 0);
    const int64_t most = f->lanczos->basis < f->n - f->p ? f->lanczos->basis : f->n - f->p;
    const int64_t room = (most - f->w) / f->p;
    const scree__lanczos_options options = {.k = f->k,
                                            .extra = f->w - f->k,
                                            .block = f->p,
                                            .basis = f->w + (room < max_steps ? room : max_steps) * f->p,
                                            .goal = &goal.goal,
                                            .max_steps = max_steps,
                                            .seed = f->lanczos->seed + f->stream++,
                                            .threads = f->lanczos->threads};
    const scree__lanczos_start start = {f->w, f->values, f->v, f->sv, f->q};
    return scree__lanczos(f->options->near, &options, &start, &f->wider, error);
}

/* Whether a value rose by more than it may be off. */
static bool has_risen(const refine *f)
{
    for (int64_t j = 0; j < f->k; j++)
        if (f->wider.values[j] > f->values[j] + f->allowed[j] + f->options->slack)
            return true;
    return false;
}

static void collect(const refine *f, scree__lanczos_result *result)
{
    for (int64_t j = 0; j < f->k; j++) {
        result->values[j] = f->values[j];
        result->residuals[j] = f->residuals[j];
        for (int64_t i = 0; i < f->n; i++)
            result->vectors[j * f->n + i] = f->v[i * f->w + j];
        for (int64_t i = 0; result->images && i < f->n; i++)
            result->images[j * f->n + i] = f->sv[i * f->w + j];
    }
}

/* One round; *over when there is no other. */
static scree_status improve(refine *f, int round, double *before, scree__lanczos_result *result, bool *over,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(settle(f, error));
    SCREE_TRY(scree__watch_tell(&f->lanczos->watch, (round + 1.0) / (round + 2.0), error)); /* mostly there are two */
    result->applies++;
    result->columns += f->w;
    const double now = excess(f);
    result->next = f->values[f->k];
    result->next_residual = f->residuals[f->k];
    result->converged = now <= 1;
    scree__pace_look(&f->pace, result->columns, f->w, now);
    result->gave_way = round > 0 && !result->converged && scree__pace_gives_way(&f->pace, f->lanczos->worth);
    *over = round > 0 &&
            (result->converged || result->gave_way || round + 1 >= f->options->rounds || !(now < WORTH_IT * *before));
    *before = now;
    collect(f, result);
    if (*over)
        goto done;
    SCREE_TRY(find_q(f, round == 0, error));
    SCREE_TRY(widen(f, result->converged ? 1 : MOST_STEPS, error));
    result->applies += f->wider.applies;
    result->columns += f->wider.columns;
    result->next = f->wider.next;
    result->next_residual = f->wider.next_residual;
    result->converged = result->converged && !has_risen(f);
    *over = result->converged || round + 1 >= f->options->rounds;
    if (*over)
        goto done;
    const scree__tall v = tall(f, f->v);
    set_vectors(f, f->wider.vectors, f->w);
    SCREE_TRY(scree__tall_orthonormalise(&v, NULL, f->lanczos->threads, error));
done:
    return status;
}

scree_status scree__refine(const scree__operator *op, const scree__refine_options *options,
                           scree__lanczos_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    refine f = {.op = op, .options = options, .lanczos = options->lanczos, .n = op->n, .stream = STREAM};
    double before = HUGE_VAL;
    bool over = false;
    scree__blas_enter();
    f.k = f.lanczos->k;
    f.w = scree__refine_width(op->n, f.lanczos);
    SCREE_TRY(refine_new(&f, error));
    SCREE_TRY(start(&f, result->vectors, error));
    for (int round = 0; !over; round++)
        SCREE_TRY(improve(&f, round, &before, result, &over, error));
done:
    refine_free(&f);
    scree__blas_leave();
    return status;
}
