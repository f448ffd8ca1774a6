/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated rows: x = Σ_j s_j z_j w_j + ε, w random unit vectors, ε standard normal, the variances s² + 1 of the
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
static const double POWER_LEVEL = 0.01;
static const double DISCOVERY = 0.1;

/* What one fit found. */
typedef struct trial {
    bool failed;
    double rate[ALARM_ROWS][ALARM_LEVELS];
    double none[ALARM_ROWS];
    double discoveries[ALARM_ROWS];
    double power;
    double oracle;
} trial;

typedef struct simulation {
    const alarm_cell *cell;
    int64_t fresh;
    uint64_t seed;
    trial *trials;
} simulation;

/* A population: loadings D×q, by rows of D. */
typedef struct population {
    const alarm_cell *cell;
    double *loadings;
    double *variances; /* q: s² */
} population;

static void draw_population(population *p, const alarm_cell *cell, uint64_t seed, uint64_t stream)
{
    const double step = cell->truth > 1 ? 0.7 / (double)(cell->truth - 1) : 0;
    for (int64_t j = 0; j < cell->truth; j++) {
        double *w = p->loadings + j * cell->d;
        double square = 0;
        scree__normals(seed, stream, j * cell->d, cell->d, w);
        for (int64_t k = 0; k < cell->d; k++)
            square += w[k] * w[k];
        p->variances[j] = 1 + 4 * sqrt((double)cell->d / (double)cell->n) * (1.5 - step * (double)j);
        for (int64_t k = 0; k < cell->d; k++)
            w[k] *= sqrt(p->variances[j] / square);
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
        for (int64_t j = 0; j < q; j++)
            for (int64_t k = 0; k < d; k++)
                x[i * d + k] += z[j] * p->loadings[j * d + k];
        for (int64_t k = 0; k < d; k++)
            x[i * d + k] += (double)(k % 7);
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
}

/* By the true parameters: loadings of nearly orthogonal components are taken for orthogonal ones. */
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

static scree_status fit_rows(scree_model **model, const alarm_cell *cell, const double *x, const scree_run *run)
{
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = cell->kept;
    options.scale = cell->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.run = run;
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

/* Task: one fit, and the rows that it judges. Planted rows are among the new ones, and of fitted ones only where
 * discoveries are counted. */
static void run_trial(void *context, int64_t index, int worker)
{
    const simulation *s = context;
    const alarm_cell *cell = s->cell;
    const int64_t most = cell->n > s->fresh ? cell->n : s->fresh;
    const scree_run run = {.size = sizeof run, .threads = 1};
    const uint64_t stream = 4 * (uint64_t)index;
    trial *t = &s->trials[index];
    scree_model *model = NULL;
    population p = {cell, scree__alloc(cell->truth * cell->d + 1, sizeof(double)),
                    scree__alloc(cell->truth + 1, sizeof(double))};
    double *x = scree__alloc(most * cell->d, sizeof *x);
    double *work = scree__alloc(most, sizeof *work);
    row_score *scores = scree__alloc(most, sizeof *scores);
    (void)worker;
    draw_population(&p, cell, s->seed, stream);
    draw_rows(&p, s->seed, stream + 1, cell->n, x);
    const int64_t among = cell->oracle ? 0 : plant(cell, cell->n, x);
    t->failed = fit_rows(&model, cell, x, &run) != SCREE_OK || score(model, cell, true, x, cell->n, scores) != SCREE_OK;
    if (!t->failed) {
        count(scores, cell->n, among, ALARM_FITTED, t);
        t->discoveries[ALARM_FITTED] = discoveries(scores, cell->n, among, work);
        draw_rows(&p, s->seed, stream + 2, s->fresh, x);
        const int64_t planted = plant(cell, s->fresh, x);
        if (among > 0) { /* a clean fit for new rows */
            double *clean = scree__alloc(cell->n * cell->d, sizeof *clean);
            scree_model_free(model);
            model = NULL;
            draw_rows(&p, s->seed, stream + 1, cell->n, clean);
            t->failed = fit_rows(&model, cell, clean, &run) != SCREE_OK;
            free(clean);
        }
        t->failed = t->failed || score(model, cell, false, x, s->fresh, scores) != SCREE_OK;
        if (!t->failed) {
            count(scores, s->fresh, planted, ALARM_NEW, t);
            t->discoveries[ALARM_NEW] = discoveries(scores, s->fresh, planted, work);
            for (int64_t i = 0; i < planted; i++) {
                t->power += (scores[i].p_value <= POWER_LEVEL) / (double)planted;
                t->oracle += cell->oracle ? (oracle_p(&p, x + i * cell->d) <= POWER_LEVEL) / (double)planted : 0;
            }
        }
    }
    scree_model_free(model);
    free(p.loadings);
    free(p.variances);
    free(x);
    free(work);
    free(scores);
}

static void add_trials(const trial *trials, int fits, alarm_rates *rates)
{
    double squares[ALARM_ROWS][ALARM_LEVELS] = {{0}};
    for (int f = 0; f < fits; f++) {
        rates->failed += trials[f].failed;
        rates->power += trials[f].power / fits;
        rates->oracle += trials[f].oracle / fits;
        for (int kind = 0; kind < ALARM_ROWS; kind++) {
            rates->none[kind] += trials[f].none[kind] / fits;
            rates->discoveries[kind] += trials[f].discoveries[kind] / fits;
            for (int level = 0; level < ALARM_LEVELS; level++) {
                rates->rate[kind][level] += trials[f].rate[kind][level] / fits;
                squares[kind][level] += trials[f].rate[kind][level] * trials[f].rate[kind][level] / fits;
            }
        }
    }
    for (int kind = 0; kind < ALARM_ROWS; kind++)
        for (int level = 0; level < ALARM_LEVELS; level++) {
            const double mean = rates->rate[kind][level];
            rates->error[kind][level] = sqrt(fmax(squares[kind][level] - mean * mean, 0) / fits);
        }
}

alarm_rates alarms(const alarm_cell *cell, int fits, int64_t fresh, int threads)
{
    alarm_rates rates = {.fits = fits};
    simulation s = {.cell = cell, .fresh = fresh};
    s.seed = (uint64_t)(cell->n * 1000003 + cell->d * 10007 + cell->truth * 101 + cell->kept * 7 + cell->scaled);
    s.trials = scree__alloc(fits, sizeof *s.trials);
    scree__parallel(threads, fits, run_trial, &s);
    add_trials(s.trials, fits, &rates);
    rates.rows[ALARM_NEW] = (double)fits * (double)fresh;
    rates.rows[ALARM_FITTED] = (double)fits * (double)cell->n;
    free(s.trials);
    return rates;
}

void alarms_verdict(const alarm_cell *cell, const alarm_rates *rates, char *text, size_t size)
{
    static const char *const kinds[ALARM_ROWS] = {"new", "fitted"};
    const bool may_lack = cell->n <= 16 || 2 * cell->kept > cell->n;
    text[0] = '\0';
    if (rates->failed > 0)
        snprintf(text, size, "%d fits or scores failed", rates->failed);
    for (int kind = 0; kind < ALARM_ROWS && !text[0]; kind++) {
        if (rates->none[kind] > 0 && !may_lack)
            snprintf(text, size, "%.2g of the %s rows have no p-value", rates->none[kind], kinds[kind]);
        for (int level = 0; level < ALARM_LEVELS && !text[0] && rates->none[kind] < 1; level++) {
            const double rate = rates->rate[kind][level] / alarm_levels[level];
            const double least = sqrt(alarm_levels[level] / rates->rows[kind]);
            const double error = fmax(rates->error[kind][level], least) / alarm_levels[level];
            if (rate > 1.3 + 2 * error || (cell->n >= 60 && rate < 0.5 - 2 * error))
                snprintf(text, size, "%s rows at %g: %.2f times as many as there should be (± %.2f)", kinds[kind],
                         alarm_levels[level], rate, error);
        }
    }
}
