/* SPDX-License-Identifier: BSD-3-Clause */
/* Method lanczos, for few components of something large (10.4.2): block Lanczos on S = CᵀC/N, which is never formed.
 * Each step is one sweep that computes Cᵀ(CQ) (fit/sweep.c), 4NDb flops; memory is a basis of D×(4k+14b) doubles.
 *
 * Pass 1 finds mean, scale and trace. Then fit/search.c searches, in float where that is cheaper, and proves in double,
 * until the residuals are as small as asked for, or, where nothing was asked for, until the error is small beside that
 * of sampling (stopping.c). How many sweeps that takes depends on the spectrum, which nobody knows before: where it is
 * too many, the method gives way to one whose cost is known (kernel/pace.c). Should an eigenvalue turn out to be
 * missed, a wider block starts again. */

#include "fit/method.h"

#include "base/memory.h"
#include "fit/measure.h"
#include "fit/packed_sweep.h"
#include "fit/plan.h"
#include "fit/search.h"
#include "fit/stopping.h"
#include "kernel/moments.h"
#include "kernel/sparse_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 16, FILE_BLOCK = 64, SMALLEST_BLOCK = 8, ATTEMPTS = 3, STEPS_FOR_SHARE = 12 };
static const double MIXED_TOLERANCE = 1e-9; /* below it, float is no help */
static const double MIXED_CELLS = 2e6;
static const double MIN_TRACE = 1e-20;
static const double MAX_TRACE = 1e20;
static const double MIN_SCALE = 1e-15;
static const double MAX_SCALE = 1e15;
static const int64_t FIRST_FOR_SHARE = 32;
static const double LANE_ENTRIES = 4;     /* of a column: as long it takes to clear and add up what lanes have of it */
static const double CHECKED_COLUMNS = 10; /* beside those wanted, that double multiplies */

typedef struct work {
    const scree__job *job;
    scree__sparse_centring centring; /* of sparse rows */
    scree__search search;
    double *factor; /* 1/scale, or NULL */
} work;

static bool is_sampling(const scree__job *job)
{
    return !(job->options->tolerance > 0);
}

/* Float proves only what float was asked for. */
static const scree__ops *exact_of(const scree__job *job)
{
    return !job->source->sparse && job->source->about.type == SCREE_F32 &&
                   scree__job_float_does(job->options->tolerance)
               ? &scree__ops_f32
               : &scree__ops_f64;
}

static int64_t smaller_side(const scree__job *job)
{
    int64_t rows = scree__job_rows(job);
    return rows < job->cols ? rows : job->cols;
}

static bool has_room(const scree__job *job, int64_t k, int64_t block)
{
    return k + 3 * block <= smaller_side(job) / 2;
}

static bool is_in_memory(const scree__job *job)
{
    return (job->source->can & SCREE__IN_MEMORY) != 0;
}

/* Whether rows are in memory, or will be kept there. */
static bool is_near(const scree__job *job)
{
    const scree_source *source = job->source;
    const double rows = (double)scree__job_rows(job);
    const double cell = scree__job_packed(job) ? 0.25 : sizeof(float);
    const double bytes = rows * (source->sparse ? (double)scree__entries_row_bytes(source) : (double)job->cols * cell);
    return is_in_memory(job) || (source->sparse && (source->can & SCREE__IN_STEP)) || bytes < 0.5 * (double)job->memory;
}

static int64_t memory_with(const scree__job *job, int64_t k, int64_t block)
{
    const int64_t solving = scree__search_memory(job, k, block) + 8 * k * job->cols;
    if (scree__job_packed(job))
        return solving + 8 * 5 * job->cols;
    if (job->source->sparse)
        return solving + scree__sparse_centring_memory(job->cols) + scree__sparse_columns_memory(job->cols);
    const int64_t measuring = scree__moments_memory(job->cols, true, &scree__ops_f64, job->threads) +
                              scree__pass_memory(job->source, scree__moments_rows(job->cols, true, &scree__ops_f64));
    return solving > measuring ? solving : measuring;
}

/* Rows that are near are read for little: a narrow block takes the fewest flops. From a file a sweep costs a read, and
 * a wide one takes fewer, as wide as memory allows. */
static int64_t block_of(const scree__job *job, int64_t k)
{
    const bool near = is_near(job);
    int64_t block = near ? BLOCK : FILE_BLOCK;
    while (block > SMALLEST_BLOCK && (!has_room(job, k, block) || (!near && memory_with(job, k, block) > job->memory)))
        block /= 2;
    return block;
}

static int64_t first_components(const scree__job *job)
{
    return job->share > 0 ? FIRST_FOR_SHARE : scree__job_components(job, scree__job_rows(job));
}

static bool applicable(const scree__job *job, char *reason)
{
    const int64_t k = first_components(job);
    if (has_room(job, k, SMALLEST_BLOCK))
        return true;
    snprintf(reason, 256, "it is only for few components of many rows and columns: %lld of %lld are too many",
             (long long)k, (long long)smaller_side(job));
    return false;
}

static int64_t memory_for(const scree__job *job, int64_t k)
{
    return memory_with(job, k, block_of(job, k));
}

/* Whether float can find the components, and double only has to make sure of them. Small jobs get double throughout,
 * and so does what float has no range for. */
static bool is_mixed(const scree__job *job, double rows)
{
    const double cells = job->source->sparse ? scree__job_entries(job) : rows * (double)job->cols;
    return (is_sampling(job) || job->options->tolerance >= MIXED_TOLERANCE) && exact_of(job)->type == SCREE_F64 &&
           cells >= MIXED_CELLS;
}

/* Seconds of a sweep of b columns. */
static double sweep_of(const scree__job *job, scree_type type, double b)
{
    const scree_source *source = job->source;
    if (source->sparse)
        return scree__estimate_entries(job->rates, type, scree__job_entries(job) + LANE_ENTRIES * (double)job->cols, b);
    return scree__estimate_sweep(job->rates, source->about.type, type, (double)scree__job_rows(job) * (double)job->cols,
                                 b);
}

/* One step of a search. */
static void cost_of_step(const scree__job *job, int64_t k, bool mixed, scree__effort *effort)
{
    const double b = (double)block_of(job, k);
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    const double basis = (double)scree__search_basis(job, k, block_of(job, k));
    const double side = job->source->sparse ? d : fmin(n, d);
    const scree_type type = mixed ? SCREE_F32 : exact_of(job)->type;
    effort->passing += sweep_of(job, type, b);
    effort->shared += scree__estimate_product(job->rates, SCREE_F64, 4 * side * basis * b, b);
    effort->alone += 0.25 * scree__estimate_eigen(job->rates, basis / 2) + scree__estimate_step(job->rates);
}

/* Of a search for so many components. */
static double steps_of(const scree__job *job, double wanted)
{
    const double b = (double)block_of(job, first_components(job));
    return job->share > 0 ? STEPS_FOR_SHARE * wanted / b : scree__estimate_steps(wanted, b, job->options->tolerance);
}

/* Sweeps that prove what was found. */
static int checks_of(const scree__job *job)
{
    return is_sampling(job) ? 1 : 2;
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const int64_t k = first_components(job);
    const double b = (double)block_of(job, k);
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    /* How many components a share takes is not known, and too many for this method is an error: it is planned for many,
     * so that methods which need not know are preferred where they fit. */
    const double wanted = job->share > 0 ? fmax((double)k, (double)smaller_side(job) / 4) : (double)k;
    const double steps = steps_of(job, wanted);
    const bool mixed = !(job->share > 0) && is_mixed(job, n); /* a share is planned for the worst */
    const double checks = checks_of(job);
    const double checked = wanted + CHECKED_COLUMNS;
    scree__effort step = {0};
    cost_of_step(job, k, mixed, &step);
    effort->passing +=
        steps * step.passing +
        (job->source->sparse ? sweep_of(job, SCREE_F64, 1) : scree__estimate_centring(job->rates, n, d)) +
        checks * sweep_of(job, exact_of(job)->type, checked);
    effort->shared += steps * step.shared;
    effort->alone += steps * step.alone;
    entry->passes = 2 + (int)(steps + checks);
    effort->reads = is_near(job) && !is_in_memory(job) ? 2 + (int)checks : 0;
    entry->flops = 4 * (job->source->sparse ? scree__job_entries(job) : n * d) * (steps * b + checks * checked);
    entry->memory = memory_for(job, k);
}

/* Columns that the next best method is worth; 0: there is none. */
static double worth_of(const scree__job *job, int64_t k)
{
    scree__effort step = {0};
    cost_of_step(job, k, is_mixed(job, (double)scree__job_rows(job)), &step);
    const int reads = is_near(job) && !is_in_memory(job) ? 0 : 1; /* of the source */
    return job->rival > 0 ? job->rival / scree__plan_seconds(job, &step, reads) * (double)block_of(job, k) : 0;
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
    const double chain = scree__sweeps_chain(w->job, s->rows, w->search.exact);
    const double weights = w->job->source->about.weighted ? scree__sweeps_chain(w->job, s->rows, &scree__ops_f64) : 0;
    const double of_sums = (w->search.exact->type == SCREE_F32 ? 8 * sqrt(chain) * 0x1p-24 : chain * 0x1p-53) +
                           weights * 0x1p-53; /* √w, and the sum of weights, as in centred.c */
    return s->total * of_sums + rounding_of_mean(s, cols);
}

/* Pass 1: rows, mean, scale, trace; how many components there can be at most. */
static scree_status measure(work *w, int64_t *max_components, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    scree__sparse_found found = {0};
    scree__measure measuring = {.job = job};
    SCREE_TRY(scree__measure_run(&measuring, &w->search.sweeps, &found, error));
    double *mean = found.mean;
    double *variances = found.squares;
    s->rows = found.rows;
    s->weight = found.weight;
    SCREE_TRY(scree__job_settle(job, s->rows, max_components, error));
    SCREE_TRY(scree__solution_alloc(s, job, 0, error));
    w->search.sweeps.divisor = scree__job_divisor(job, s->weight);
    for (int64_t j = 0; j < job->cols; j++) {
        s->mean[j] = mean[j];
        variances[j] /= w->search.sweeps.divisor;
    }
    scree__job_uncentre(job, s->mean, variances, 1);
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    if (s->scale)
        SCREE_ALLOC(w->factor, job->cols, error);
    for (int64_t j = 0; j < job->cols; j++) {
        const double factor = s->scale ? 1 / s->scale[j] : 1;
        if (w->factor)
            w->factor[j] = factor;
        s->total += variances[j] * factor * factor;
    }
    if (job->source->sparse) {
        SCREE_TRY(scree__sparse_centring_init(&w->centring, job->cols, job->options->uncentred ? NULL : s->mean,
                                              found.rest, variances, 1, w->factor, error));
        w->search.sweeps.sparse = &w->centring;
    }
done:
    w->search.sweeps.shift = s->mean;
    w->search.sweeps.factor = w->factor;
    scree__measure_clear(&measuring);
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

/* Twice the block, as far as a basis has room for k + EXTRA vectors, three blocks, and the next. */
static int64_t wider(const scree__job *job, int64_t rows, int64_t k, int64_t block)
{
    const int64_t order = scree__sweeps_by_rows(job, rows) ? rows : job->cols;
    const int64_t widest = (order - k - SCREE__SEARCH_EXTRA) / 4;
    return 2 * block < widest ? 2 * block : widest > block ? widest : block;
}

/* A power of two near the trace. */
static double unit_of(double total)
{
    int exponent;
    frexp(total, &exponent);
    return ldexp(1, exponent);
}

/* How far float products are off, as a norm: y = Cq by at most γ‖C‖_F, and Cᵀy by γ‖C‖_F‖y‖ more; errors are taken as
 * independent with mean zero (Higham and Mary 2019), at eight standard deviations. */
static double float_error(const work *w, const scree__solution *s)
{
    const double chain = scree__sweeps_chain(w->job, s->rows, &scree__ops_f32);
    return 8 * sqrt(chain) * 0x1p-24 * s->total;
}

/* For those who listen: how long the search is thought to take beside its proof. */
static void foresee(work *w, int64_t k, bool mixed)
{
    const scree__job *job = w->job;
    const double steps = steps_of(job, (double)k);
    const double proof = checks_of(job) * sweep_of(job, exact_of(job)->type, (double)k + CHECKED_COLUMNS);
    scree__effort step = {0};
    cost_of_step(job, k, mixed, &step);
    const double finding = steps * (step.passing + step.shared + step.alone);
    w->search.likely = (int64_t)(steps * (double)w->search.block);
    w->search.find_share = finding / (finding + proof);
}

/* k components: in float first, if that may be, and where anything was missed, once more in double, with wider blocks.
 */
static scree_status find_components(work *w, int64_t k, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    scree__search *search = &w->search;
    const bool mixed = float_has_range(s, job->cols) && is_mixed(job, (double)s->rows);
    const int64_t spare = job->memory - memory_for(job, k);
    search->fast = mixed ? &scree__ops_f32 : search->exact;
    search->block = block_of(job, k);
    SCREE_TRY(scree__checkpoint_settle(job->checkpoint, "block", &search->block, 1, error));
    search->seed = job->options->seed;
    foresee(w, k, mixed);
    search->worth = worth_of(job, k);
    search->slack = (s->rounding + (mixed ? float_error(w, s) : 0)) / search->unit;
    s->converged = false;
    for (int round = 0; round < ATTEMPTS && !s->converged && !search->gave_way; round++) {
        SCREE_TRY(scree__search_run(search, k, spare, s, error));
        search->fast = search->exact;
        search->block = wider(job, s->rows, k, search->block);
        search->seed++;
    }
done:
    return status;
}

static scree_status too_many(const scree__job *job, int64_t k, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s: a share of %g needs more than %lld components, too many for lanczos; allow more memory for "
                       "another method, or ask for a smaller share",
                       job->source->about.path, job->share, (long long)k);
}

static scree_status run(const scree__job *given, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job mine;
    scree_source *part = NULL;
    const scree__job *job = &mine;
    work w = {.job = job, .search = {.sweeps = {.job = job}}};
    int64_t max_components;
    SCREE_TRY(scree__job_share(&mine, &part, given, error));
    mine.takes_sparse = true;
    w.search.exact = exact_of(job);
    SCREE_TRY(measure(&w, &max_components, s, error));
    w.search.unit = unit_of(s->total);
    const scree__stopping stopping = scree__stopping_of(job, s, w.search.unit);
    w.search.goal = scree__stopping_goal(&stopping);
    if (!float_has_range(s, job->cols))
        w.search.exact = &scree__ops_f64;
    s->rounding = rounding_of(&w, s);
    int64_t k = job->share > 0 && FIRST_FOR_SHARE < max_components ? FIRST_FOR_SHARE : max_components;
    for (;;) {
        SCREE_TRY(find_components(&w, k, s, error));
        if (w.search.gave_way || !(job->share > 0) || k == max_components || share_of(s) >= job->share)
            break;
        k = 2 * k < max_components ? 2 * k : max_components;
        if (!has_room(job, k, SMALLEST_BLOCK) || memory_for(job, k) > job->memory)
            SCREE_TRY(too_many(job, s->k, error));
    }
    if (job->share > 0 && !w.search.gave_way)
        cut_to_share(s, job->share);
    s->gave_way = w.search.gave_way;
    s->passes = w.search.sweeps.passes;
    s->stop_rule = stopping.rule;
done:
    free(w.factor);
    scree__sparse_centring_clear(&w.centring);
    scree__sweeps_clear(&w.search.sweeps);
    scree_source_free(part);
    return status;
}

const scree__method scree__method_lanczos = {
    .name = "lanczos",
    .text = "block Lanczos, for few components of large data; several passes, until the error is small beside that of "
            "sampling, or the residual over the eigenvalue is below the tolerance",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_UNCENTRED,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
