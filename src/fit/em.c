/* SPDX-License-Identifier: BSD-3-Clause */
/* Method em: PPCA of rows with gaps. Each row's code has its exact posterior given the cells that are there (E step,
 * em_expect.c), each column its own normal equations (M step, em_maximise.c); after Tipping and Bishop (1999), and by
 * variational Bayes after Bishop (1999) and Ilin and Raiko (2010), where components that explain nothing die out.
 *
 * The start is the covariance of available pairs, steps are expanded (em_expand.c) and accelerated (em_anderson.c). A
 * step that makes the observed cells less likely is taken back, and the plain EM step taken instead: the likelihood
 * rises. It ends when the parameters are within the tolerance of where they lead, by an estimate. One pass an
 * iteration, over memory where the rows fit; 2 N D (M+1)² flops each. */

#include "fit/em.h"

#include "base/memory.h"
#include "fit/imputer.h"
#include "fit/method.h"
#include "kernel/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ITERATIONS = 1000, GUESSED_ITERATIONS = 15, CELLS_ENOUGH = 5 };
/* Of Bayes where the number of components is left open: most of them die, and slowly. */
enum { GUESSED_OPEN = 25, GUESSED_ALIVE = 20, MAX_OPEN = 100 };
/* Of many rows a column, few die, and it takes long to tell them from noise. */
enum { MANY_ROWS = 15, GUESSED_TALL = 75 };
static const double FLOPS_ENOUGH = 4e9;  /* a second or two */
static const double MIN_NOISE = 1e-12;   /* of the average variance */
static const double UNSEEN = 10;         /* what is left, over what was estimated */
static const double NEARLY_WHOLE = 0.98; /* of all cells are observed, and of each column */
static const double COLUMN_WHOLE = 0.9;

static bool is_open(const scree__job *job)
{
    return job->options->components == SCREE_AUTO || job->options->components == 0;
}

/* The last direction of so many columns is left to the noise. */
static int64_t components_of(const scree__job *job, int64_t rows, int64_t cols)
{
    const int64_t k = scree__job_components(job, rows);
    return k < cols ? k : cols - 1;
}

/* Before rows are read, what weights make of them is not known: there may be any number. */
static int64_t components_at_most(const scree__job *job)
{
    return components_of(job, job->source->about.weighted ? INT64_MAX : scree__job_rows(job), job->cols);
}

static bool applicable(const scree__job *job, char *reason)
{
    if (job->share > 0)
        snprintf(reason, 256,
                 "a share of the variance is not known where cells are missing (say how many components, "
                 "or auto)");
    else if (job->cols < 2)
        snprintf(reason, 256, "a single column says nothing about its missing values");
    else if (!job->k_is_flexible && job->k >= job->cols)
        snprintf(reason, 256, "it finds at most %lld components of %lld columns, and leaves the rest to noise",
                 (long long)job->cols - 1, (long long)job->cols);
    else
        return true;
    return false;
}

static int64_t work_memory(const scree__job *job)
{
    const int64_t m = components_at_most(job);
    const int64_t d = job->cols;
    const int64_t starting = d <= SCREE__EM_PAIRS ? 16 * d * d + scree__dense_memory(d, m) : 0;
    const int64_t reading = job->source->cells ? job->source->memory : scree__pass_memory(job->source, 4096);
    const int64_t tree = job->team ? 8 * scree__team_tree_doubles(job->team, scree__em_sums_doubles(job, m + 8)) : 0;
    return scree__em_memory(job, m + 8, true) + starting + reading + tree + 16 * m * d;
}

static bool must_keep(const scree__job *job)
{
    return !(job->source->can & SCREE__CAN_REWIND);
}

/* What is left for the imputer, which comes after the components, when rows are kept: those of one that is kept. */
static int64_t imputer_room(const scree__job *job)
{
    const int64_t kept = scree__em_rows_bytes(job);
    const bool keeps = must_keep(job) || work_memory(job) + kept <= job->memory;
    return job->memory - (keeps ? kept : 0);
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    const bool open = is_open(job) || job->options->bayes;
    const double all = (double)components_at_most(job) + 1;
    const bool tall = n >= MANY_ROWS * d;
    const double m = open && !tall ? fmin(all, GUESSED_ALIVE) : all;
    const int iterations = !open ? GUESSED_ITERATIONS : tall ? GUESSED_TALL : GUESSED_OPEN;
    const int64_t work = work_memory(job);
    const int64_t kept = scree__em_rows_bytes(job);
    const bool keeps = must_keep(job) || work + kept <= job->memory;
    const int spread = job->cols <= SCREE__EM_PAIRS; /* passes for it: em_spread.c */
    entry->passes = keeps && kept > 0 ? 1 : iterations + 2 + spread;
    entry->flops = 2 * n * d * m * m * (iterations + spread) + n * d * fmin(d, 40 * m) * (1 + spread);
    effort->passing += scree__estimate_em(job->rates, n * d, m) * (iterations + spread) +
                       scree__estimate_product(job->rates, SCREE_F64, n * d * fmin(d, 40 * m), d) * (1 + spread);
    const scree__csr *cells = job->source->cells;
    const double share = cells ? (double)cells->start[cells->rows] / (n * d) : 1;
    const scree__imputer_plan plan = scree__imputer_plan_of(job, scree__job_rows(job), share, imputer_room(job));
    const double width = (double)(plan.k + 1);
    entry->flops += plan.steps * 2 * width * width;
    effort->passing += scree__estimate_em(job->rates, plan.steps, width);
    entry->memory = (work > plan.memory ? work : plan.memory) + (keeps ? kept : 0);
}

static scree_status fail_empty(const scree__job *job, int64_t column, int64_t rows, scree_error *error)
{
    char label[256];
    return scree__fail(
        error, SCREE_ERR_VALUE,
        "%s: %s has no value in any of %lld rows; leave it out by choosing the other columns with --columns",
        job->source->about.path, scree__column_label(job->source, column, label, sizeof label), (long long)rows);
}

scree_status scree__em_check_columns(const scree__job *job, const double *seen, int64_t rows, scree_error *error)
{
    for (int64_t j = 0; j < job->cols; j++)
        if (seen[j] == 0)
            return fail_empty(job, j, rows, error);
    return SCREE_OK;
}

scree_status scree__em_check_cells(const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t column;
    SCREE_TRY(scree__source_empty_column(job->source, &column, error));
    if (column >= 0)
        status = fail_empty(job, column, job->source->about.rows, error);
done:
    return status;
}

/* Mean, variances, scale; from then on columns that do not vary are none of the fit's. */
static scree_status measure(scree__em *em, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = em->job;
    double *variances = NULL;
    double average = 0;
    SCREE_ALLOC(variances, em->d, error);
    SCREE_TRY(scree__em_check_columns(job, em->rows.seen, em->rows.rows, error));
    SCREE_TRY(scree__solution_alloc(s, job, 0, error));
    for (int64_t j = 0; j < em->d; j++) {
        const double seen = em->rows.seen[j];
        s->mean[j] = em->rows.mean[j];
        variances[j] = seen > job->options->ddof ? em->rows.variance[j] * seen / (seen - job->options->ddof)
                                                 : em->rows.variance[j];
    }
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    SCREE_TRY(scree__em_narrow(em, error));
    if (s->scale)
        SCREE_ALLOC(em->factor, em->d, error);
    for (int64_t j = 0; j < em->d; j++) {
        const double factor = s->scale ? 1 / s->scale[scree__em_column(em, j)] : 1;
        if (em->factor)
            em->factor[j] = factor;
        average += em->rows.variance[j] * factor * factor / (double)em->d;
    }
    em->floor = MIN_NOISE * average;
    if (em->floor < DBL_MIN)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: the values are too small for their squares; rescale them",
                   job->source->about.path);
done:
    free(variances);
    return status;
}

/* Whether it is said how gaps are to be fitted. */
static bool is_chosen(const scree_fit_options *o)
{
    return o->bayes || o->em;
}

/* Where neither a number of components nor a tolerance was asked for, minutes for the last digits are too much, but not
 * a second. */
static int max_iterations(const scree__em *em, int64_t m)
{
    const scree__job *job = em->job;
    const double step = 2 * (double)em->rows.rows * (double)em->d * (double)(m + 1) * (double)(m + 1);
    if (!is_open(job) || job->options->tolerance > 0)
        return MAX_ITERATIONS;
    return (int)fmin(fmax(FLOPS_ENOUGH / step, MAX_OPEN), MAX_ITERATIONS);
}

/* Whether a few cells are missing, of no column many: then what is found is nearly what whole rows would give, however
 * few they are. */
static bool is_nearly_whole(const scree__em *em)
{
    const double rows = em->rows.weight;
    for (int64_t j = 0; j < em->d; j++)
        if (em->rows.seen[j] < COLUMN_WHOLE * rows)
            return false;
    return em->rows.cell_weight >= NEARLY_WHOLE * rows * (double)em->d;
}

static bool wants_bayes(const scree__em *em, int64_t m)
{
    const scree_fit_options *o = em->job->options;
    const double cells = em->rows.cell_weight;
    if (is_chosen(o))
        return o->bayes || strcmp(o->em, "vb") == 0;
    return is_open(em->job) || cells < 0.5 * em->rows.weight * (double)em->d ||
           (cells < (double)CELLS_ENOUGH * (double)(m + 1) * (double)em->d && !is_nearly_whole(em));
}

/* How far C = WW' + σ²I would still move along u: as a step does, in proportion, or as acceleration would have it,
 * whichever is farther, with room for what both cannot see. r: D of scratch. */
static double residual_of(const scree__em_search *s, const double *u, double *r)
{
    const double step = scree__em_moved(&s->image, &s->state, u, r);
    const double jump = scree__em_moved(&s->next, &s->state, u, r);
    const double times = s->distance.step > 0 ? fmax(1, s->distance.left / s->distance.step) : 1;
    return UNSEEN * fmax(step * times, jump);
}

/* Bayes keeps what stands out. */
static scree_status check_alive(const scree__em_search *s, scree_error *error)
{
    const scree__job *job = s->em->job;
    if (!s->state.bayes || scree__em_alive(&s->image) > 0)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: no component stands out from noise, so Bayes keeps none; use em ml to keep as many as you "
                       "asked for",
                       job->source->about.path);
}

static scree_status finish(const scree__em_search *s, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__em *em = s->em;
    const int64_t m = s->state.m;
    const double wider = em->rows.weight / scree__job_divisor(em->job, em->rows.weight);
    double *r = NULL;
    SCREE_TRY(check_alive(s, error));
    SCREE_ALLOC(r, em->d, error);
    SCREE_ALLOC(solution->likelihood, 1, error);
    SCREE_TRY(scree__solution_resize(solution, em->job, m, error));
    SCREE_TRY(scree__em_principal(&s->state, em->job->threads, solution->values, solution->vectors, error));
    solution->total = (double)(em->d - m) * s->state.noise * wider;
    for (int64_t k = 0; k < m; k++) {
        solution->residuals[k] = residual_of(s, solution->vectors + k * em->d, r) * wider;
        solution->values[k] = (solution->values[k] + s->state.noise) * wider;
        solution->total += solution->values[k];
    }
    scree__likelihood *likelihood = solution->likelihood;
    likelihood->log_likelihood = s->likelihood;
    for (int64_t j = 0; j < em->d; j++) {
        const double factor = em->factor ? em->factor[j] : 1;
        solution->mean[scree__em_column(em, j)] = em->rows.mean[j] + s->state.offset[j] / factor;
        likelihood->log_likelihood += em->rows.seen[j] * log(factor);
    }
    likelihood->stopped = s->stopped;
    likelihood->iterations = s->iterations;
    likelihood->bayes = s->state.bayes;
    likelihood->nothing = s->nothing;
    SCREE_TRY(scree__em_spread(s->em, &s->state, solution->vectors, &likelihood->noise_spread, error));
    scree__em_spread_out(em, m, solution->vectors);
    solution->next = s->state.noise * wider;
    solution->converged = strcmp(s->stopped, "tolerance") == 0;
    solution->tolerance = s->tolerance;
done:
    free(r);
    return status;
}

/* A number of components that is asked for is kept: where Bayes, by default, keeps nothing, maximum likelihood does.
 * Where it is left open, the one that is kept is not part of the distribution. */
static scree_status look_for_all(scree__em_search *s, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->em->job;
    SCREE_TRY(scree__em_look(s, m, wants_bayes(s->em, m), error));
    if (s->state.bayes && scree__em_alive(&s->image) == 0 && (is_open(job) || !is_chosen(job->options))) {
        scree__em_search_clear(s);
        SCREE_TRY(scree__em_look(s, is_open(job) ? 1 : m, false, error));
        s->nothing = is_open(job);
    }
done:
    return status;
}

/* Rows that components may be as many as: a row of weight w is w of them, as if it were repeated; weights that are
 * parts of 1 take none away. */
static int64_t count_rows(const scree__em_rows *rows)
{
    const double weight = floor(fmin(rows->weight, 0x1p62));
    return weight > (double)rows->rows ? (int64_t)weight : rows->rows;
}

/* How often each column was observed, where some were not. */
static scree_status copy_seen(const scree__em *em, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (em->rows.cells == em->rows.rows * em->d || em->job->source->about.weighted) /* then it is a sum of weights */
        return SCREE_OK;
    SCREE_ALLOC(solution->seen, em->d, error);
    memcpy(solution->seen, em->rows.seen, (size_t)em->d * sizeof *solution->seen);
done:
    return status;
}

/* Whether it was left open how many latent dimensions there are, and gaps keep the closed forms from saying it. */
static bool leaves_latent_open(const scree__em *em, const scree__likelihood *found)
{
    const scree_fit_options *o = em->job->options;
    return is_open(em->job) && !is_chosen(o) && o->latent == 0 && found->bayes && !found->nothing &&
           em->rows.cells < em->rows.rows * em->d;
}

/* What selection says of the components, and how many passes there have been then. */
typedef struct selected {
    scree__em *em;
    scree__solution *solution;
} selected;

static void move_latent(void *context, scree__snapshot *s)
{
    const selected *t = context;
    scree__snapshot_count(s, &t->solution->likelihood->latent, 0, t->solution->k);
    scree__snapshot_int(s, &t->em->rows.passes, 0, INT32_MAX);
}

static scree_status find_latent(scree__em *em, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__checkpoint *checkpoint = em->job->checkpoint;
    selected t = {em, solution};
    const scree__stage stage = {.name = "latent", .move = move_latent, .context = &t};
    bool found;
    SCREE_TRY(scree__checkpoint_recall(checkpoint, &stage, &found, error));
    if (found)
        goto done;
    SCREE_TRY(scree__em_latent(&solution->likelihood->latent, em, solution, imputer_room(em->job), error));
    SCREE_TRY(scree__checkpoint_note(checkpoint, &stage, error));
    SCREE_TRY(scree__checkpoint_offer(checkpoint, error));
done:
    return status;
}

static scree_status run(const scree__job *job, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em em = {.job = job, .d = job->cols};
    scree__em_search s = {
        .em = &em, .tolerance = scree__method_tolerance(&scree__method_em, job), .open = is_open(job)};
    int64_t k;
    SCREE_TRY(scree__em_rows_open(&em.rows, job, job->memory - work_memory(job), error));
    solution->rows = em.rows.rows;
    solution->weight = em.rows.weight;
    const int64_t counted = count_rows(&em.rows);
    SCREE_TRY(scree__job_settle(job, counted, &k, error));
    SCREE_TRY(measure(&em, solution, error));
    const int64_t m = components_of(job, counted, em.d);
    s.limit = max_iterations(&em, m);
    SCREE_TRY(look_for_all(&s, m, error));
    SCREE_TRY(finish(&s, solution, error));
    scree__em_search_clear(&s);
    scree__em_release(&em);
    scree__em_widen(&em);
    solution->likelihood->observed = em.rows.cells;
    solution->likelihood->empty_rows = em.rows.empty;
    SCREE_TRY(copy_seen(&em, solution, error));
    solution->likelihood->selected = leaves_latent_open(&em, solution->likelihood);
    if (solution->likelihood->selected)
        SCREE_TRY(find_latent(&em, solution, error));
    const double share = (double)em.rows.cells / ((double)em.rows.rows * (double)em.d);
    const scree__imputer_plan plan = scree__imputer_plan_of(job, em.rows.rows, share, imputer_room(job));
    SCREE_TRY(scree__imputer_make(&solution->imputer, &em, solution, &plan, error));
    solution->passes = em.rows.passes; /* the imputer reads rows that are not kept, too */
done:
    scree__em_search_clear(&s);
    scree__em_close(&em);
    return status;
}

const scree__method scree__method_em = {
    .name = "em",
    .text = "expectation maximisation, for missing values; iterates until the parameters are within the tolerance of "
            "the optimum",
    .can = SCREE__TAKES_GAPS | SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__FITS_BAYES |
           SCREE__FINDS_COUNT,
    .tolerance = 1e-6,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
