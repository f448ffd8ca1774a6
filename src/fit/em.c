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
#include "kernel/blas.h"
#include "kernel/dense.h"
#include "kernel/tall.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_ITERATIONS = 1000,
    GUESSED_ITERATIONS = 15,
    SETTLED = 5,
    NEAR_TWICE = 2,
    MAX_STALLED = 10,
    MAX_LOW = 50,
    CELLS_ENOUGH = 5
};
/* Of Bayes where the number of components is left open: most of them die, and slowly. */
enum { GUESSED_OPEN = 100, GUESSED_ALIVE = 20, MAX_OPEN = 100 };
static const double MIN_NOISE = 1e-12;        /* of the average variance */
static const double SLACK = 64 * DBL_EPSILON; /* of the likelihood: less is rounding */
static const double CLEARLY = 1e-3;           /* this far below the tolerance once is enough */
static const double UNSEEN = 10;              /* what is left, over what was estimated */
static const double FLOOR_REACHED = 1 + 1e-6;

typedef struct search {
    scree__em *em;
    double tolerance;
    scree__em_state state; /* whose likelihood has been computed */
    scree__em_state image; /* one EM step on */
    scree__em_state next;
    scree__em_anderson *anderson;
    scree__em_distance distance;
    double likelihood; /* the best so far */
    int iterations;
    int near;     /* steps in a row that were within the tolerance: one alone may be a flat stretch on the way */
    int low;      /* steps in a row with σ² at its floor: the rest has yet to settle */
    int stalled;  /* steps without a rise */
    bool nothing; /* Bayes kept no component, and how many to keep was left open */
    bool plain;   /* the state is an EM step from the best: it is not taken back */
    const char *stopped;
} search;

static bool is_open(const scree__job *job)
{
    return job->options->components == SCREE_AUTO || job->options->components == 0;
}

/* The last direction is left to the noise. */
static int64_t components_of(const scree__job *job, int64_t rows)
{
    const int64_t k = scree__job_components(job, rows);
    return k < job->cols ? k : job->cols - 1;
}

/* Before rows are read, what weights make of them is not known: there may be any number. */
static int64_t components_at_most(const scree__job *job)
{
    return components_of(job, job->source->about.weighted ? INT64_MAX : scree__job_rows(job));
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
    const int64_t starting = d <= 2048 ? 16 * d * d + scree__dense_memory(d, m) : 0;
    const int64_t reading = job->source->cells ? job->source->memory : scree__pass_memory(job->source, 4096);
    return scree__em_memory(job, m + 8, true) + starting + reading + 16 * m * d;
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
    const double m = open ? fmin(all, GUESSED_ALIVE) : all;
    const int iterations = open ? GUESSED_OPEN : GUESSED_ITERATIONS;
    const int64_t work = work_memory(job);
    const int64_t kept = scree__em_rows_bytes(job);
    const bool keeps = must_keep(job) || work + kept <= job->memory;
    entry->passes = keeps && kept > 0 ? 1 : iterations + 2;
    entry->flops = 2 * n * d * m * m * iterations + n * d * fmin(d, 40 * m);
    effort->passing += scree__estimate_em(job->rates, n * d, m) * iterations +
                       scree__estimate_product(job->rates, SCREE_F64, n * d * fmin(d, 40 * m), d);
    const scree__csr *cells = job->source->cells;
    const double share = cells ? (double)cells->start[cells->rows] / (n * d) : 1;
    const scree__imputer_plan plan = scree__imputer_plan_of(job, scree__job_rows(job), share, imputer_room(job));
    const double width = (double)(plan.k + 1);
    entry->flops += plan.steps * 2 * width * width;
    effort->passing += scree__estimate_em(job->rates, plan.steps, width);
    entry->memory = (work > plan.memory ? work : plan.memory) + (keeps ? kept : 0);
}

static scree_status check_columns(const scree__em *em, scree_error *error)
{
    char label[256];
    for (int64_t j = 0; j < em->d; j++)
        if (em->rows.seen[j] == 0)
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: %s has no value in any of %lld rows; leave it out by choosing the other columns",
                               em->job->source->about.path,
                               scree__column_label(em->job->source, j, label, sizeof label), (long long)em->rows.rows);
    return SCREE_OK;
}

/* Mean, variances, scale. */
static scree_status measure(scree__em *em, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = em->job;
    double *variances = NULL;
    double average = 0;
    SCREE_ALLOC(variances, em->d, error);
    SCREE_TRY(check_columns(em, error));
    SCREE_TRY(scree__solution_alloc(s, job, 0, error));
    for (int64_t j = 0; j < em->d; j++) {
        const double seen = em->rows.seen[j];
        s->mean[j] = em->rows.mean[j];
        variances[j] = seen > job->options->ddof ? em->rows.variance[j] * seen / (seen - job->options->ddof)
                                                 : em->rows.variance[j];
    }
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    if (s->scale)
        SCREE_ALLOC(em->factor, em->d, error);
    for (int64_t j = 0; j < em->d; j++) {
        const double factor = s->scale ? 1 / s->scale[j] : 1;
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

static bool wants_bayes(const scree__em *em, int64_t m)
{
    const scree_fit_options *o = em->job->options;
    const double cells = em->rows.cell_weight;
    if (is_chosen(o))
        return o->bayes || strcmp(o->em, "vb") == 0;
    return is_open(em->job) || cells < 0.5 * em->rows.weight * (double)em->d ||
           cells < (double)CELLS_ENOUGH * (double)(m + 1) * (double)em->d;
}

static scree_status begin(search *s, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em *em = s->em;
    SCREE_TRY(scree__em_start(em, &s->state, m, bayes && is_open(em->job), bayes, error));
    SCREE_TRY(scree__em_open(em, s->state.m, error));
    SCREE_TRY(scree__em_state_new(&s->image, em->d, s->state.m, bayes, error));
    SCREE_TRY(scree__em_state_new(&s->next, em->d, s->state.m, bayes, error));
    SCREE_TRY(scree__em_anderson_new(&s->anderson, em->d, s->state.m, error));
    s->likelihood = -HUGE_VAL;
done:
    return status;
}

/* Where neither a number of components nor a tolerance was asked for, minutes for the last digits are too much. */
static int max_iterations(const scree__job *job)
{
    return is_open(job) && !(job->options->tolerance > 0) ? MAX_OPEN : MAX_ITERATIONS;
}

/* Why to stop here; NULL: go on. */
static const char *reason_to_stop(search *s, double risen)
{
    s->stalled = risen > SLACK * fabs(s->likelihood) ? 0 : s->stalled + 1;
    const bool low = s->state.noise <= FLOOR_REACHED * s->em->floor && s->image.noise <= FLOOR_REACHED * s->em->floor;
    s->low = low ? s->low + 1 : 0;
    s->near = s->distance.left <= s->tolerance ? s->near + 1 : 0;
    if (low && (s->near > 0 || s->low >= MAX_LOW))
        return "floor";
    if (s->near >= NEAR_TWICE || s->distance.left <= CLEARLY * s->tolerance)
        return "tolerance";
    if (s->stalled >= MAX_STALLED)
        return "stalled";
    return s->iterations >= max_iterations(s->em->job) ? "iterations" : NULL;
}

/* The next state to look at: where acceleration leads, or, when components have died, one EM step on without them. */
static void advance(search *s)
{
    const int64_t before = s->image.m;
    s->plain = false;
    if (s->state.bayes && (s->iterations >= SETTLED || s->stopped) && scree__em_prune(&s->image) < before) {
        s->stopped = NULL;
        s->near = 0;
        scree__em_state_copy(&s->state, &s->image);
        scree__em_anderson_forget(s->anderson);
        s->likelihood = -HUGE_VAL; /* that of another model */
        return;
    }
    scree__em_state_copy(&s->state, &s->next);
    s->state.noise = fmax(s->state.noise, s->em->floor);
}

/* Whether Bayes is about to end with components that have died, and could do without them. */
static bool has_dead(const search *s)
{
    return s->state.bayes && s->image.m > 1 && scree__em_alive(&s->image) < s->image.m &&
           s->iterations < max_iterations(s->em->job);
}

/* One E step, and when it shows no loss the M step and where to go from there. */
static scree_status step(search *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em *em = s->em;
    SCREE_TRY(scree__em_expect(em, &s->state, error));
    s->iterations++;
    const double found = em->sums.density;
    if (!(found >= s->likelihood - SLACK * fabs(s->likelihood)) && !s->plain) {
        scree__em_state_copy(&s->state, &s->image);
        scree__em_anderson_forget(s->anderson);
        s->plain = true;
        goto done;
    }
    const double risen = found - s->likelihood;
    s->likelihood = found;
    scree__em_state_copy(&s->image, &s->state);
    SCREE_TRY(scree__em_maximise(em, &s->image, error));
    SCREE_TRY(scree__em_expand(em, &s->image, error));
    SCREE_TRY(scree__em_anderson_step(s->anderson, &s->state, &s->image, &s->next, &s->distance, error));
    s->stopped = reason_to_stop(s, risen);
    if (!s->stopped || has_dead(s))
        advance(s);
done:
    return status;
}

/* How far C = WW' + σ²I would still move along u: as a step does, in proportion, or as acceleration would have it,
 * whichever is farther, with room for what both cannot see. r: D of scratch. */
static double residual_of(const search *s, const double *u, double *r)
{
    const double step = scree__em_moved(&s->image, &s->state, u, r);
    const double jump = scree__em_moved(&s->next, &s->state, u, r);
    const double times = s->distance.step > 0 ? fmax(1, s->distance.left / s->distance.step) : 1;
    return UNSEEN * fmax(step * times, jump);
}

scree_status scree__em_principal(const scree__em_state *s, int threads, double *values, double *vectors,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = s->m;
    scree__tall q = {.rows = s->d, .cols = m, .ld = m};
    double *r = NULL;
    double *rotations = NULL;
    SCREE_ALLOC(q.x, q.rows * m, error);
    SCREE_ALLOC(r, m * m, error);
    SCREE_ALLOC(rotations, 2 * m * m, error);
    memcpy(q.x, s->w, (size_t)(q.rows * m) * sizeof *q.x);
    SCREE_TRY(scree__tall_orthonormalise(&q, r, threads, error));
    scree__blas_enter();
    const int info = scree__dgesdd('A', m, m, r, m, values, rotations, m, rotations + m * m, m);
    scree__blas_leave();
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "LAPACK dgesdd failed for a matrix of order %lld", (long long)m);
    /* R row by row is R' to LAPACK: its right vectors, read row by row, are the left ones of R. */
    SCREE_TRY(scree__tall_rotate(&q, rotations + m * m, m, threads, error));
    for (int64_t k = 0; k < m; k++) {
        values[k] *= values[k];
        for (int64_t j = 0; j < q.rows; j++)
            vectors[k * q.rows + j] = q.x[j * m + k];
    }
done:
    free(q.x);
    free(r);
    free(rotations);
    return status;
}

/* Bayes keeps what stands out. */
static scree_status check_alive(const search *s, scree_error *error)
{
    const scree__job *job = s->em->job;
    if (!s->state.bayes || scree__em_alive(&s->image) > 0)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_VALUE, "%s: no component stands out from noise, so %s", job->source->about.path,
                       is_open(job) ? "there is no number to recommend; say how many to keep"
                                    : "Bayes keeps none; use em ml to keep as many as you asked for");
}

static scree_status finish(const search *s, scree__solution *solution, scree_error *error)
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
        solution->mean[j] = em->rows.mean[j] + s->state.offset[j] / factor;
        likelihood->log_likelihood += em->rows.seen[j] * log(factor);
    }
    likelihood->stopped = s->stopped;
    likelihood->iterations = s->iterations;
    likelihood->bayes = s->state.bayes;
    likelihood->nothing = s->nothing;
    likelihood->observed = em->rows.cells;
    likelihood->empty_rows = em->rows.empty;
    solution->next = s->state.noise * wider;
    solution->passes = em->rows.passes;
    solution->converged = strcmp(s->stopped, "tolerance") == 0;
    solution->tolerance = s->tolerance;
done:
    free(r);
    return status;
}

static void clear(search *s)
{
    scree__em_state_clear(&s->state);
    scree__em_state_clear(&s->image);
    scree__em_state_clear(&s->next);
    scree__em_anderson_free(s->anderson);
    *s = (search){.em = s->em, .tolerance = s->tolerance, .iterations = s->iterations};
}

static scree_status look(search *s, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(begin(s, m, bayes, error));
    while (!s->stopped)
        SCREE_TRY(step(s, error));
done:
    return status;
}

/* A number of components that is asked for is kept: where Bayes, by default, keeps nothing, maximum likelihood does.
 * Where it is left open, the one that is kept is not part of the distribution. */
static scree_status look_for_all(search *s, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->em->job;
    SCREE_TRY(look(s, m, wants_bayes(s->em, m), error));
    if (s->state.bayes && scree__em_alive(&s->image) == 0 && !is_chosen(job->options)) {
        clear(s);
        SCREE_TRY(look(s, is_open(job) ? 1 : m, false, error));
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

static scree_status run(const scree__job *job, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em em = {.job = job, .d = job->cols};
    search s = {.em = &em, .tolerance = scree__method_tolerance(&scree__method_em, job)};
    int64_t k;
    SCREE_TRY(scree__em_rows_open(&em.rows, job, job->memory - work_memory(job), error));
    solution->rows = em.rows.rows;
    solution->weight = em.rows.weight;
    const int64_t counted = count_rows(&em.rows);
    SCREE_TRY(scree__job_settle(job, counted, &k, error));
    SCREE_TRY(measure(&em, solution, error));
    SCREE_TRY(look_for_all(&s, components_of(job, counted), error));
    SCREE_TRY(finish(&s, solution, error));
    clear(&s);
    scree__em_release(&em);
    const double share = (double)em.rows.cells / ((double)em.rows.rows * (double)em.d);
    const scree__imputer_plan plan = scree__imputer_plan_of(job, em.rows.rows, share, imputer_room(job));
    SCREE_TRY(scree__imputer_make(&solution->imputer, &em, solution, &plan, error));
done:
    clear(&s);
    scree__em_close(&em);
    return status;
}

const scree__method scree__method_em = {
    .name = "em",
    .text = "expectation maximisation, for missing values; iterates until the parameters are within the tolerance of "
            "the optimum",
    .can = SCREE__TAKES_GAPS | SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__FITS_BAYES |
           SCREE__FINDS_COUNT,
    .cluster = SCREE__CLUSTER_ROWS,
    .tolerance = 1e-6,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
