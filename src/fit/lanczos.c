/* SPDX-License-Identifier: BSD-3-Clause */
/* Method lanczos, for few components of something large (10.4.2): block Lanczos on S = CᵀC/N, which is never formed.
 * Each step is one pass that computes Cᵀ(CQ) (fit/sweep.c), 4NDb flops; memory is a basis of D×(2k+6b) doubles.
 *
 * Pass 1 finds mean, scale and trace. Large jobs then sweep in float, over rows that are kept where there is memory for
 * them, and double only makes sure of what was found (kernel/refine.c). Small ones, tight tolerances and what float
 * could not do go by double alone: Lanczos runs until ‖Su - λu‖ ≤ tol·λ for each component, and two more passes ask for
 * a second opinion (kernel/probe.c): residuals afresh, and whether a larger eigenvalue was missed. If one was, a wider
 * block starts again. */

#include "fit/method.h"

#include "base/memory.h"
#include "fit/sweep.h"
#include "kernel/lanczos.h"
#include "kernel/moments.h"
#include "kernel/tall.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    IN_MEMORY_BLOCK = 16,
    EXTRA_COLUMNS = 10,
    SMALLEST_BLOCK = 8,
    MAX_STEPS = 500,
    STEPS_FOR_SHARE = 12,
    ATTEMPTS = 3,
    MIXED_EXTRA = 2
};
static const double MIXED_TOLERANCE = 1e-9; /* below it, float is no help */
static const double MIXED_CELLS = 2e6;
static const double MIXED_MARGIN = 8;      /* a round in double makes up for more than float leaves undone */
static const double MIXED_CENTRING = 0.25; /* of what centring in double takes */
static const double MIN_TRACE = 1e-20;
static const double MAX_TRACE = 1e20;
static const double MIN_SCALE = 1e-15;
static const double MAX_SCALE = 1e15;
static const int64_t FIRST_FOR_SHARE = 32;

typedef struct work {
    const scree__job *job;
    const scree__ops *ops;
    scree__moments *moments;
    scree__sweeps sweeps;
    scree__sweep *exact;
    scree__sweep *fast; /* in float, and not to be trusted */
    double *factor;     /* 1/scale, or NULL */
} work;

static double tolerance_of(const scree__job *job)
{
    return scree__method_tolerance(&scree__method_lanczos, job);
}

static const scree__ops *ops_of(const scree__job *job)
{
    return job->source->about.type == SCREE_F32 && scree__job_float_does(tolerance_of(job)) ? &scree__ops_f32
                                                                                            : &scree__ops_f64;
}

/* Wide blocks need fewer passes, narrow ones fewer flops: from memory a pass costs nothing but its flops. */
static int64_t block_of(const scree__job *job, int64_t k)
{
    int64_t block = k + EXTRA_COLUMNS;
    if (job->source->can & SCREE__IN_MEMORY)
        block = k < IN_MEMORY_BLOCK ? k : IN_MEMORY_BLOCK;
    return block < SMALLEST_BLOCK ? SMALLEST_BLOCK : block;
}

static int64_t smaller_side(const scree__job *job)
{
    int64_t rows = scree__job_rows(job);
    return rows < job->cols ? rows : job->cols;
}

static bool applicable(const scree__job *job, char *reason)
{
    const int64_t k = job->share > 0 ? FIRST_FOR_SHARE : scree__job_components(job, scree__job_rows(job));
    if (k + 3 * block_of(job, k) > smaller_side(job) / 2) {
        snprintf(reason, 256, "it is only for few components: %lld of %lld are too many", (long long)k,
                 (long long)smaller_side(job));
        return false;
    }
    return true;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t memory_for(const scree__job *job, int64_t k)
{
    const scree__ops *ops = &scree__ops_f64; /* what float has no range for goes by double */
    const int64_t d = job->cols;
    const int64_t b = block_of(job, k);
    const scree__lanczos_options options = {.k = k, .extra = MIXED_EXTRA};
    const int64_t width = larger(k + b, scree__refine_width(d, &options));
    const int64_t basis =
        larger(scree__lanczos_memory(d, scree__lanczos_basis(d, k, b), b), scree__refine_memory(d, &options));
    const int64_t rows = scree__job_rows(job);
    const int64_t products =
        scree__sweep_memory(job, rows, width, ops) + scree__sweep_memory(job, rows, width, &scree__ops_f32);
    const int64_t solving = basis + products +
                            scree__pass_memory(job->source, scree__sweep_rows(job, rows, width, &scree__ops_f32)) +
                            8 * (3 * k + MIXED_EXTRA) * d;
    const int64_t measuring = scree__moments_memory(d, true, &scree__ops_f64, job->threads) +
                              scree__pass_memory(job->source, scree__moments_rows(d, true, &scree__ops_f64));
    return larger(solving, measuring);
}

/* Whether float can find the components, and double only has to make sure of them. Small jobs get double throughout,
 * and so does what float has no range for. */
static bool is_mixed(const scree__job *job, double rows)
{
    return tolerance_of(job) >= MIXED_TOLERANCE && ops_of(job)->type == SCREE_F64 &&
           rows * (double)job->cols >= MIXED_CELLS;
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const int64_t k = job->share > 0 ? FIRST_FOR_SHARE : scree__job_components(job, scree__job_rows(job));
    const int64_t b = block_of(job, k);
    const int64_t basis = scree__lanczos_basis(job->cols, k, b);
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    /* How many components a share takes is not known, and too many for this method is an error: it is planned for many,
     * so that methods which need not know are preferred where they fit. */
    const double wanted = (job->share > 0 ? fmax((double)k, (double)smaller_side(job) / 4) : (double)k) + EXTRA_COLUMNS;
    const double steps = job->share > 0 ? STEPS_FOR_SHARE * wanted / (double)b
                                        : scree__estimate_steps(wanted, (double)b, tolerance_of(job));
    entry->passes = 3 + (int)steps;
    const bool mixed = !(job->share > 0) && is_mixed(job, n); /* a share is planned for the worst */
    const double checking = 4 * n * d * wanted;
    const double cleaning = 8 * d * (double)(basis * b);
    entry->flops = steps * (4 * n * d * (double)b + cleaning) + checking;
    effort->passing +=
        (mixed ? 2 + MIXED_CENTRING * steps : (double)entry->passes) * scree__estimate_centring(job->rates, n, d) +
        scree__estimate_product(job->rates, mixed ? SCREE_F32 : ops_of(job)->type, steps * 4 * n * d * (double)b,
                                (double)b) +
        scree__estimate_product(job->rates, ops_of(job)->type, checking, wanted);
    effort->shared += scree__estimate_product(job->rates, SCREE_F64, steps * cleaning, (double)b);
    effort->alone += steps * scree__estimate_eigen(job->rates, (double)basis / 2);
    entry->memory = memory_for(job, k);
}

/* Centring by a mean that is off by ε adds εεᵀ to S; ε is a rounding of the mean. */
static double rounding_of_mean(const scree__solution *s, int64_t cols)
{
    double sum = 0;
    for (int64_t j = 0; j < cols; j++) {
        const double e = 0x1p-53 * s->mean[j] / (s->scale ? s->scale[j] : 1);
        sum += e * e;
    }
    return sum;
}

/* Whether float can hold CᵀCq: squares of the data are in it, and rows that are multiplied where they lie have their
 * own scale, the factors being with q. */
static bool float_has_range(const scree__solution *s, int64_t cols)
{
    for (int64_t j = 0; s->scale && j < cols; j++)
        if (!(s->scale[j] >= MIN_SCALE && s->scale[j] <= MAX_SCALE))
            return false;
    return s->total >= MIN_TRACE && s->total <= MAX_TRACE;
}

static double rounding_of(const work *w, const scree__solution *s)
{
    const int64_t cols = w->job->cols;
    const double chain = scree__sweeps_chain(w->job, s->rows, w->ops);
    const double weights = w->job->source->about.weighted ? scree__sweeps_chain(w->job, s->rows, &scree__ops_f64) : 0;
    const double of_sums = (w->ops->type == SCREE_F32 ? 8 * sqrt(chain) * 0x1p-24 : chain * 0x1p-53) +
                           weights * 0x1p-53; /* √w, and the sum of weights, as in centred.c */
    return s->total * of_sums + rounding_of_mean(s, cols);
}

static scree_status visit_moments(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    scree_status status = scree__moments_add(w->moments, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

/* Pass 1: rows, mean, scale, trace; how many components there can be at most. */
static scree_status measure(work *w, int64_t *max_components, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    double *mean;
    double *variances;
    SCREE_TRY(scree__moments_new(&w->moments, job->cols, true, &scree__ops_f64, job->threads, error));
    SCREE_TRY(scree__job_pass(job, 1, 0, scree__moments_rows(job->cols, true, &scree__ops_f64), visit_moments, w, NULL,
                              error));
    w->sweeps.passes = 1;
    scree__moments_finish(w->moments, &s->rows, &mean, &variances);
    w->sweeps.rows = s->rows;
    scree__counted counted = {s->rows, scree__moments_weight(w->moments)};
    SCREE_TRY(scree__reduce_moments(job->reduce, &counted, mean, variances, job->cols, true, error));
    s->rows = counted.rows;
    s->weight = counted.weight;
    SCREE_TRY(scree__job_settle(job, s->rows, max_components, error));
    SCREE_TRY(scree__solution_alloc(s, job, 0, error));
    w->sweeps.divisor = scree__job_divisor(job, s->weight);
    for (int64_t j = 0; j < job->cols; j++) {
        s->mean[j] = mean[j];
        variances[j] /= w->sweeps.divisor;
    }
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    if (s->scale)
        SCREE_ALLOC(w->factor, job->cols, error);
    for (int64_t j = 0; j < job->cols; j++) {
        const double factor = s->scale ? 1 / s->scale[j] : 1;
        if (w->factor)
            w->factor[j] = factor;
        s->total += variances[j] * factor * factor;
    }
done:
    w->sweeps.shift = s->mean;
    w->sweeps.factor = w->factor;
    scree__moments_free(w->moments);
    w->moments = NULL;
    return status;
}

static scree__lanczos_options options_of(const work *w, int64_t k, int64_t block, uint64_t seed)
{
    const scree__job *job = w->job;
    return (scree__lanczos_options){.k = k,
                                    .block = block,
                                    .basis = scree__lanczos_basis(job->cols, k, block),
                                    .tolerance = tolerance_of(job),
                                    .max_steps = MAX_STEPS,
                                    .seed = seed,
                                    .threads = job->threads};
}

/* Less than this cannot be told from nothing. */
static double slack_of(const work *w, const scree__solution *s)
{
    return 2 * tolerance_of(w->job) * s->values[s->k - 1] + s->rounding;
}

/* Components of one run, checked; *complete tells whether nothing was missed. */
static scree_status attempt(work *w, int64_t k, int64_t block, uint64_t seed, scree__solution *s, bool *complete,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    scree__operator op = {job->cols, scree__sweep_apply, NULL};
    scree__lanczos_options options = options_of(w, k, block, seed);
    scree__lanczos_result found = {.values = s->values, .vectors = s->vectors, .residuals = s->residuals};
    double beside = 0;
    double sum = 0;
    SCREE_TRY(scree__sweep_new(&w->exact, &w->sweeps, k + block, w->ops, 0, error));
    op.context = w->exact;
    SCREE_TRY(scree__lanczos(&op, &options, &found, error));
    SCREE_TRY(scree__probe(&op, &options, &found, &beside, error));
    for (int64_t j = 0; j < k; j++)
        sum += s->values[j];
    s->k = k;
    const double last = s->values[k - 1];
    const double slack = slack_of(w, s);
    *complete = beside <= last + slack;
    s->next = fmax(fmin(found.next + found.next_residual, fmax(s->total - sum, 0)), beside);
    if (beside > found.next + found.next_residual + slack) /* more copies of an eigenvalue than the block could see */
        s->next = fmax(s->next, last);
    s->converged = found.converged;
done:
    scree__sweep_free(w->exact);
    w->exact = NULL;
    return status;
}

/* How far float products are off, as a norm: y = Cq by at most γ‖C‖_F, and Cᵀy by γ‖C‖_F‖y‖ more, ‖C‖ = √(Nλ₁) each;
 * errors are taken as independent with mean zero (Higham and Mary 2019), at eight standard deviations. A mean that is
 * rounded to float moves nothing: it is subtracted in double, or what float leaves of it is. */
static double float_error(const work *w, const scree__solution *s, double largest)
{
    const double chain = scree__sweeps_chain(w->job, s->rows, &scree__ops_f32);
    return 8 * sqrt(chain) * 0x1p-24 * sqrt(s->total * largest) + s->rounding;
}

/* to (cols×rows) = fromᵀ. */
static void transpose(const double *from, int64_t rows, int64_t cols, double *to)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            to[j * rows + i] = from[i * cols + j];
}

/* Eigenvectors v of CCᵀ, which are shorter, and from them Cᵀv, orthonormal. */
static scree_status search_rows(work *w, scree__lanczos_options options, scree__lanczos_result *found,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->sweeps.rows;
    const int64_t d = w->job->cols;
    const int64_t count = options.k + options.extra;
    const scree__operator op = {n, scree__sweep_apply_rows, w->fast};
    scree__tall u = {NULL, d, count, count};
    double *v = NULL;
    double *result = found->vectors; /* room for D×count; first it holds N×count */
    options.basis = scree__lanczos_basis(n, options.k, options.block);
    SCREE_ALLOC(v, n * count, error);
    SCREE_ALLOC(u.x, d * count, error);
    SCREE_TRY(scree__lanczos(&op, &options, found, error));
    transpose(result, count, n, v);
    SCREE_TRY(scree__sweep_columns(w->fast, v, count, u.x, error));
    SCREE_TRY(scree__tall_orthonormalise(&u, NULL, options.threads, error));
    transpose(u.x, d, count, result);
done:
    free(v);
    free(u.x);
    return status;
}

static scree_status search(work *w, const scree__lanczos_options *options, scree__lanczos_result *found,
                           scree_error *error)
{
    const scree__operator op = {w->job->cols, scree__sweep_apply, w->fast};
    return scree__sweeps_by_rows(w->job, w->sweeps.rows) ? search_rows(w, *options, found, error)
                                                         : scree__lanczos(&op, options, found, error);
}

/* The same with most sweeps in float, over rows that are kept if there is memory for them. Not converged: it has to be
 * done in double. */
static scree_status attempt_mixed(work *w, int64_t k, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const int64_t d = job->cols;
    scree__lanczos_options options = options_of(w, k, block_of(job, k), job->options->seed);
    scree__operator exact = {d, scree__sweep_apply, NULL};
    scree__cheaper cheaper = {.op = {d, scree__sweep_apply, NULL}};
    scree__lanczos_result found = {0};
    double sum = 0;
    options.extra = MIXED_EXTRA;
    options.tolerance *= MIXED_MARGIN;
    SCREE_ALLOC(found.values, k + MIXED_EXTRA, error);
    SCREE_ALLOC(found.vectors, (k + MIXED_EXTRA) * d, error);
    SCREE_ALLOC(found.residuals, k + MIXED_EXTRA, error);
    const int64_t width = scree__refine_width(d, &options);
    SCREE_TRY(scree__sweep_new(&w->fast, &w->sweeps, larger(width, options.block), &scree__ops_f32,
                               job->memory - memory_for(job, k), error));
    cheaper.op.context = w->fast;
    SCREE_TRY(search(w, &options, &found, error));
    cheaper.error = float_error(w, s, found.values[0]);
    const double foreseen = found.next + found.next_residual + cheaper.error;
    options.tolerance = tolerance_of(job);
    SCREE_TRY(scree__sweep_new(&w->exact, &w->sweeps, width, w->ops, 0, error));
    exact.context = w->exact;
    SCREE_TRY(scree__refine(&exact, &options, &cheaper, &found, error));
    memcpy(s->values, found.values, (size_t)k * sizeof *s->values);
    memcpy(s->vectors, found.vectors, (size_t)(k * d) * sizeof *s->vectors);
    memcpy(s->residuals, found.residuals, (size_t)k * sizeof *s->residuals);
    for (int64_t j = 0; j < k; j++)
        sum += s->values[j];
    s->k = k;
    s->next = fmin(found.next + found.next_residual, fmax(s->total - sum, 0));
    if (found.next > foreseen + slack_of(w, s)) /* more copies of an eigenvalue than the block could see */
        s->next = fmax(s->next, s->values[k - 1]);
    s->converged = found.converged;
done:
    free(found.values);
    free(found.vectors);
    free(found.residuals);
    scree__sweep_free(w->fast);
    scree__sweep_free(w->exact);
    w->fast = NULL;
    w->exact = NULL;
    return status;
}

static double share_of(const scree__solution *s)
{
    double sum = 0;
    for (int64_t j = 0; j < s->k; j++)
        sum += s->values[j];
    return sum / s->total;
}

/* The fewest components that keep the share. */
static void cut_to_share(scree__solution *s, double share)
{
    double sum = 0;
    double residual = 0; /* of all together: each eigenvalue lies within it of its own */
    for (int64_t j = 0; j < s->k; j++)
        residual = hypot(residual, s->residuals[j]);
    for (int64_t j = 0; j < s->k; j++) {
        sum += s->values[j];
        if (sum >= share * s->total && j + 1 < s->k) {
            s->next = fmax(s->values[j + 1] + residual, s->next);
            s->k = j + 1;
        }
    }
}

/* Twice the block, as far as the basis has room for three. */
static int64_t wider(const scree__job *job, int64_t k, int64_t block)
{
    const int64_t widest = (job->cols - k) / 3;
    return 2 * block < widest ? 2 * block : widest;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job, .ops = ops_of(job), .sweeps = {.job = job}};
    int64_t max_components;
    SCREE_TRY(measure(&w, &max_components, s, error));
    const bool in_range = float_has_range(s, job->cols);
    if (!in_range)
        w.ops = &scree__ops_f64;
    s->rounding = rounding_of(&w, s);
    int64_t k = job->share > 0 && FIRST_FOR_SHARE < max_components ? FIRST_FOR_SHARE : max_components;
    for (;;) {
        bool complete = false;
        int64_t block = block_of(job, k);
        SCREE_TRY(scree__solution_resize(s, job, k, error));
        if (in_range && is_mixed(job, (double)s->rows)) {
            SCREE_TRY(attempt_mixed(&w, k, s, error));
            complete = s->converged;
        }
        for (int round = 0; round < ATTEMPTS && !complete; round++, block = wider(job, k, block))
            SCREE_TRY(attempt(&w, k, block, job->options->seed + (uint64_t)round, s, &complete, error));
        s->converged = s->converged && complete;
        if (!(job->share > 0) || k == max_components || share_of(s) >= job->share)
            break;
        k = 2 * k < max_components ? 2 * k : max_components;
        if (k + 3 * block_of(job, k) > smaller_side(job) / 2 || memory_for(job, k) > job->memory)
            SCREE_FAIL(error, SCREE_ERR_LIMIT,
                       "%s: a share of %g needs more than %lld components, too many for lanczos; allow more memory for "
                       "another method, or ask for a smaller share",
                       job->source->about.path, job->share, (long long)s->k);
    }
    if (job->share > 0)
        cut_to_share(s, job->share);
    s->passes = w.sweeps.passes;
    s->tolerance = tolerance_of(job);
done:
    free(w.factor);
    return status;
}

const scree__method scree__method_lanczos = {
    .name = "lanczos",
    .text = "block Lanczos, for few components of large data; several passes, until the residual over the eigenvalue "
            "is below the tolerance",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES,
    .cluster = SCREE__CLUSTER_SUMS,
    .tolerance = 1e-8,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
