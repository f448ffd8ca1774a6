/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated rows: x = Σ_j s_j z_j w_j + ε, w orthonormal and random, ε standard normal, the variances s² + 1 of the
 * components some times the edge of what can be told from noise, 2 + 4√(D/N)(1.5 … 0.8). Each fit has its own w, rows
 * and new rows, drawn by position, so that neither threads nor order matter. */

#include "support/alarms.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/special.h"
#include "base/threads.h"
#include "support/calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double alarm_levels[ALARM_LEVELS] = {0.05, 0.01, 0.001};
const char *const alarm_rows[ALARM_ROWS] = {"new", "fitted"};
static const double POWER_LEVEL = 0.01;
static const double DISCOVERY = 0.1;

/* What one fit found. */
typedef struct trial {
    bool failed;
    double rate[ALARM_ROWS][ALARM_LEVELS];
    double none[ALARM_ROWS];
    double discoveries[ALARM_ROWS];
    double power[ALARM_ROWS];
    double oracle;
} trial;

typedef struct simulation {
    const alarm_cell *cell;
    int64_t fresh;
    uint64_t seed;
    trial *trials;
} simulation;

/* A population: loadings q×D. */
typedef struct population {
    const alarm_cell *cell;
    double *loadings;
    double *variances; /* q: s² */
} population;

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Gram and Schmidt's, twice: as orthogonal as doubles can be. */
static void draw_population(population *p, const alarm_cell *cell, uint64_t seed, uint64_t stream)
{
    const int64_t d = cell->d;
    const double step = cell->truth > 1 ? 0.7 / (double)(cell->truth - 1) : 0;
    for (int64_t j = 0; j < cell->truth; j++) {
        double *w = p->loadings + j * d;
        scree__normals(seed, stream, j * d, d, w);
        for (int64_t i = 0; i < 2 * j; i++) {
            const double *u = p->loadings + i % j * d;
            const double along = dot(w, u, d) / dot(u, u, d);
            for (int64_t k = 0; k < d; k++)
                w[k] -= along * u[k];
        }
        p->variances[j] = 1 + 4 * sqrt((double)d / (double)cell->n) * (1.5 - step * (double)j);
        const double length = sqrt(p->variances[j] / dot(w, w, d));
        for (int64_t k = 0; k < d; k++)
            w[k] *= length;
    }
}

static void draw_rows(const population *p, uint64_t seed, uint64_t stream, int64_t rows, double *x)
{
    const int64_t d = p->cell->d;
    const int64_t q = p->cell->truth;
    double z[64];
    for (int64_t i = 0; i < rows; i++) {
        scree__normals(seed, stream, i * (d + q + 2), d, x + i * d);
        scree__normals(seed, stream, i * (d + q + 2) + d, q, z);
        for (int64_t k = 0; k < d && p->cell->unequal > 0; k++)
            x[i * d + k] *= pow(p->cell->unequal, (double)(k * 7919 % d) / (double)d - 0.5);
        for (int64_t j = 0; j < q; j++)
            for (int64_t k = 0; k < d; k++)
                x[i * d + k] += z[j] * p->loadings[j * d + k];
        for (int64_t k = 0; k < d; k++)
            x[i * d + k] += (double)(k % 7);
        if (p->cell->loud > 0)
            x[i * d + d / 2] *= p->cell->loud;
    }
}

/* The first rows are shifted, each in a column of its own choice. */
static int64_t plant(const alarm_cell *cell, int64_t rows, double *x)
{
    const int64_t count = (int64_t)round(cell->planted * (double)rows);
    for (int64_t i = 0; i < count; i++)
        x[i * cell->d + (i * 7919) % cell->d] += cell->shift;
    return count;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Share of false discoveries among the rows, of which the first are true ones. */
static double discoveries(const row_score *scores, int64_t rows, int64_t planted, double *work)
{
    double threshold = -1;
    double found = 0, wrong = 0;
    for (int64_t i = 0; i < rows; i++)
        work[i] = isnan(scores[i].p_value) ? 1 : scores[i].p_value;
    qsort(work, (size_t)rows, sizeof *work, ascending);
    for (int64_t i = rows; i > 0 && threshold < 0; i--)
        if (work[i - 1] <= DISCOVERY * (double)i / (double)rows)
            threshold = work[i - 1];
    for (int64_t i = 0; i < rows; i++) {
        found += scores[i].p_value <= threshold;
        wrong += i >= planted && scores[i].p_value <= threshold;
    }
    return found > 0 ? wrong / found : 0;
}

static void count(const row_score *scores, int64_t rows, int64_t planted, int kind, trial *t)
{
    double known = 0;
    for (int64_t i = planted; i < rows; i++) {
        known += !isnan(scores[i].p_value);
        for (int level = 0; level < ALARM_LEVELS; level++)
            t->rate[kind][level] += scores[i].p_value <= alarm_levels[level];
    }
    t->none[kind] = 1 - known / (double)(rows - planted);
    for (int level = 0; level < ALARM_LEVELS; level++)
        t->rate[kind][level] /= fmax(known, 1);
    for (int64_t i = 0; i < planted; i++)
        t->power[kind] += (scores[i].p_value <= POWER_LEVEL) / (double)planted;
}

/* By the true parameters. */
static double oracle_p(const population *p, const double *x)
{
    const int64_t d = p->cell->d;
    const int64_t q = p->cell->truth;
    double t2 = 0, square = 0;
    for (int64_t k = 0; k < d; k++)
        square += pow(x[k] - (double)(k % 7), 2);
    for (int64_t j = 0; j < q; j++) {
        double t = 0;
        for (int64_t k = 0; k < d; k++)
            t += (x[k] - (double)(k % 7)) * p->loadings[j * d + k] / sqrt(p->variances[j]);
        t2 += t * t / (1 + p->variances[j]);
        square -= t * t;
    }
    const double rest = scree__log_gamma_tail((double)(d - q) / 2, fmax(square, 0) / 2);
    if (q == 0)
        return exp(rest);
    const double both = rest + scree__log_gamma_tail((double)q / 2, t2 / 2);
    return exp(both) * (1 - both);
}

static scree_status fit_rows(scree_model **model, const alarm_cell *cell, const double *x)
{
    const scree_run run = {.size = sizeof run, .threads = 1};
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = cell->kept == ALARM_NO_LATENT ? 1 : cell->kept;
    options.share = cell->share;
    options.solver = cell->solver;
    options.latent = cell->kept == ALARM_NO_LATENT ? SCREE_NONE : 0;
    options.scale = cell->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.run = &run;
    scree_model_free(*model);
    *model = NULL;
    scree_status status = scree_source_from_memory(&source, BLOCK(x, SCREE_F64, cell->n, cell->d), NULL);
    if (status == SCREE_OK)
        status = scree_model_fit(model, source, &options, NULL);
    scree_source_free(source);
    return status;
}

static scree_status score(const scree_model *model, const alarm_cell *cell, bool fitted, const double *x, int64_t rows,
                          row_score *scores)
{
    scree_scorer *scorer = NULL;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    options.training = fitted;
    scree_status status = scree_scorer_make(&scorer, model, &options, NULL);
    if (status == SCREE_OK)
        status = score_rows(scorer, BLOCK(x, SCREE_F64, rows, cell->d), scores, NULL);
    scree_scorer_free(scorer);
    return status;
}

/* What one fit works with. */
typedef struct desk {
    population p;
    scree_model *model;
    double *x;
    double *work;
    row_score *scores;
} desk;

/* The fitted rows, planted ones among them unless power is all that is wanted. */
static bool judge_fitted(const simulation *s, desk *k, uint64_t stream, trial *t)
{
    const alarm_cell *cell = s->cell;
    draw_rows(&k->p, s->seed, stream + 1, cell->n, k->x);
    const int64_t planted = cell->oracle ? 0 : plant(cell, cell->n, k->x);
    if (fit_rows(&k->model, cell, k->x) != SCREE_OK ||
        score(k->model, cell, true, k->x, cell->n, k->scores) != SCREE_OK)
        return false;
    count(k->scores, cell->n, planted, ALARM_FITTED, t);
    t->discoveries[ALARM_FITTED] = discoveries(k->scores, cell->n, planted, k->work);
    if (planted == 0)
        return true;
    draw_rows(&k->p, s->seed, stream + 1, cell->n, k->x); /* new rows are judged by a clean fit */
    return fit_rows(&k->model, cell, k->x) == SCREE_OK;
}

static bool judge_new(const simulation *s, desk *k, uint64_t stream, trial *t)
{
    const alarm_cell *cell = s->cell;
    draw_rows(&k->p, s->seed, stream + 2, s->fresh, k->x);
    const int64_t planted = plant(cell, s->fresh, k->x);
    if (score(k->model, cell, false, k->x, s->fresh, k->scores) != SCREE_OK)
        return false;
    count(k->scores, s->fresh, planted, ALARM_NEW, t);
    t->discoveries[ALARM_NEW] = discoveries(k->scores, s->fresh, planted, k->work);
    for (int64_t i = 0; i < planted && cell->oracle; i++)
        t->oracle += (oracle_p(&k->p, k->x + i * cell->d) <= POWER_LEVEL) / (double)planted;
    return true;
}

/* Task: one fit, and the rows that it judges. */
static void run_trial(void *context, int64_t index, int worker)
{
    const simulation *s = context;
    const alarm_cell *cell = s->cell;
    const int64_t most = cell->n > s->fresh ? cell->n : s->fresh;
    const uint64_t stream = 4 * (uint64_t)index;
    trial *t = &s->trials[index];
    desk k = {.p = {cell, scree__alloc(cell->truth * cell->d + 1, sizeof(double)),
                    scree__alloc(cell->truth + 1, sizeof(double))},
              .x = scree__alloc(most * cell->d, sizeof(double)),
              .work = scree__alloc(most, sizeof(double)),
              .scores = scree__alloc(most, sizeof(row_score))};
    (void)worker;
    draw_population(&k.p, cell, s->seed, stream);
    t->failed = !judge_fitted(s, &k, stream, t) || !judge_new(s, &k, stream, t);
    scree_model_free(k.model);
    free(k.p.loadings);
    free(k.p.variances);
    free(k.x);
    free(k.work);
    free(k.scores);
}

/* Mean and its standard error, from sums of values and of squares. */
static double standard_error(double mean, double squares, int count)
{
    return sqrt(fmax(squares - mean * mean, 0) / fmax(count - 1, 1));
}

static void add_trials(const trial *trials, int fits, alarm_rates *rates)
{
    for (int f = 0; f < fits; f++) {
        rates->failed += trials[f].failed;
        rates->oracle += trials[f].oracle / fits;
    }
    for (int kind = 0; kind < ALARM_ROWS; kind++) {
        double found = 0;
        for (int f = 0; f < fits; f++) {
            rates->none[kind] += trials[f].none[kind] / fits;
            rates->power[kind] += trials[f].power[kind] / fits;
            rates->discoveries[kind] += trials[f].discoveries[kind] / fits;
            found += trials[f].discoveries[kind] * trials[f].discoveries[kind] / fits;
        }
        rates->discovery_error[kind] = standard_error(rates->discoveries[kind], found, fits);
        for (int level = 0; level < ALARM_LEVELS; level++) {
            double squares = 0;
            for (int f = 0; f < fits; f++) {
                rates->rate[kind][level] += trials[f].rate[kind][level] / fits;
                squares += trials[f].rate[kind][level] * trials[f].rate[kind][level] / fits;
            }
            rates->error[kind][level] = standard_error(rates->rate[kind][level], squares, fits);
        }
    }
}

alarm_rates alarms(const alarm_cell *cell, int fits, int64_t fresh, int threads)
{
    alarm_rates rates = {.fits = fits};
    simulation s = {.cell = cell, .fresh = fresh};
    s.seed = (uint64_t)(cell->n * 1000003 + cell->d * 10007 + cell->truth * 101 + cell->kept * 7 + cell->scaled) +
             (uint64_t)cell->again * 1000000007 + (uint64_t)(cell->planted * 64) * 7919;
    s.trials = scree__alloc(fits, sizeof *s.trials);
    scree__parallel(threads, fits, run_trial, &s);
    add_trials(s.trials, fits, &rates);
    rates.rows[ALARM_NEW] = (double)fits * round((double)fresh * (1 - cell->planted));
    rates.rows[ALARM_FITTED] = (double)fits * round((double)cell->n * (1 - (cell->oracle ? 0 : cell->planted)));
    free(s.trials);
    return rates;
}

void alarms_verdict(const alarm_cell *cell, const alarm_rates *rates, int kind, double errors, char text[24])
{
    const bool may_lack = cell->n <= 16 || 2 * cell->kept > cell->n;
    snprintf(text, 24, "%s", rates->failed > 0 ? "failed" : rates->none[kind] > 0 && !may_lack ? "no-p" : "ok");
    if (strcmp(text, "ok") != 0 || rates->none[kind] == 1)
        return;
    for (int level = 0; level < ALARM_LEVELS; level++) {
        const double rate = rates->rate[kind][level] / alarm_levels[level];
        const double error = rates->error[kind][level] / alarm_levels[level];
        const bool above = rate > 1.3 + 2 * error;
        if (above || (cell->n >= 60 && rate < 0.5 - errors * error)) {
            snprintf(text, 24, "%s@%g", above ? "above" : "below", alarm_levels[level]);
            return;
        }
    }
}
