/* SPDX-License-Identifier: BSD-3-Clause */
/* A population is a scenario's, of a seed: rows to fit and new rows are one table of it. */

#include "support/drifts.h"

#include "support/calls.h"
#include "support/checks.h"

#include <stdlib.h>

enum { COLUMN = 4 };

/* The column that shifts, or the one after which the noise grows. */
static void change_column(const drift_cell *c, double *x)
{
    for (int64_t i = 0; i < c->rows; i++) {
        double *cell = &x[i * c->population.d + COLUMN];
        *cell = c->change == DRIFT_SHIFT ? *cell + c->amount : COLUMN % 7 + (*cell - COLUMN % 7) * c->amount;
    }
}

/* Rows are turned about the model's mean, in the plane of its first component u and of a v that it leaves. */
static void turn(const drift_cell *c, const scree_model *model, double *x)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const double *u = view->components;
    double *v = calloc((size_t)d, sizeof *v);
    assert_non_null(v);
    double length = 0;
    for (int64_t j = 0; j < d; j++)
        v[j] = j % 2 ? 1 : 0.5;
    for (int64_t k = 0; k < view->m; k++) {
        double along = 0;
        for (int64_t j = 0; j < d; j++)
            along += v[j] * view->components[k * d + j];
        for (int64_t j = 0; j < d; j++)
            v[j] -= along * view->components[k * d + j];
    }
    for (int64_t j = 0; j < d; j++)
        length += v[j] * v[j];
    const double angle = c->amount * acos(-1) / 180;
    for (int64_t i = 0; i < c->rows; i++) {
        double a = 0;
        double b = 0;
        for (int64_t j = 0; j < d; j++) {
            a += u[j] * (x[i * d + j] - view->mean[j]);
            b += v[j] * (x[i * d + j] - view->mean[j]) / sqrt(length);
        }
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] += u[j] * (a * (cos(angle) - 1) - b * sin(angle)) +
                            v[j] / sqrt(length) * (a * sin(angle) + b * (cos(angle) - 1));
    }
    free(v);
}

static scree_model *fit(const drift_cell *c, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    run.threads = 1;
    options.run = &run;
    options.components = c->latent > 0 ? c->latent : c->population.components;
    options.latent = options.components;
    options.scale = c->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, c->population.n, c->population.d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static void judge(const drift_cell *c, const scree_model *model, const double *fitted, scree_source *source,
                  drift_rates *rates)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_drift *drift = NULL;
    run.threads = 1;
    options.run = &run;
    options.exact = c->exact;
    options.level = c->level;
    if (c->shuffled)
        EXPECT_OK(scree_source_from_memory(&options.fitted, BLOCK(fitted, SCREE_F64, c->population.n, c->population.d),
                                           &error),
                  error);
    EXPECT_OK(scree_drift_make(&drift, model, source, &options, &error), error);
    const scree_drift_view *view = scree_drift_get(drift);
    rates->sets++;
    rates->without += isnan(view->p_value);
    rates->all += view->drifted;
    for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++)
        rates->checks[i] += scree_drift_check_at(drift, i)->p_value <= view->level;
    const scree_drift_blame *first = scree_drift_blame_at(drift, 0);
    rates->blamed += first && first->column == COLUMN;
    scree_drift_free(drift);
    scree_source_free(options.fitted);
    scree_source_free(source);
}

static scree_source *draws(const drift_cell *c, const scree_model *model, uint64_t seed)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sample_options options = SCREE_SAMPLE_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_source *source = NULL;
    run.threads = 1;
    options.run = &run;
    options.rows = c->rows;
    options.seed = seed;
    EXPECT_OK(scree_source_sample(&source, model, &options, &error), error);
    return source;
}

/* The next rows of the population. */
static scree_source *others(const drift_cell *c, const scree_model *model, double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    if (c->change == DRIFT_TURN)
        turn(c, model, x);
    else if (c->change != DRIFT_NOTHING)
        change_column(c, x);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, c->rows, c->population.d), &error), error);
    return source;
}

drift_rates drifts(const drift_cell *cell, int64_t sets, int64_t share, uint64_t seed)
{
    drift_rates rates = {0};
    const int64_t each = share > 0 ? share : sets;
    for (int64_t first = 0; first < sets; first += each) {
        scenario all = cell->population;
        all.n += cell->from_model ? 0 : cell->rows * each;
        double *x = scenario_draw(&all, seed + 1000 * (uint64_t)first);
        scree_model *model = fit(cell, x);
        for (int64_t i = 0; i < each && first + i < sets; i++)
            judge(cell, model, x,
                  cell->from_model
                      ? draws(cell, model, seed + (uint64_t)(first + i))
                      : others(cell, model, x + (cell->population.n + i * cell->rows) * cell->population.d),
                  &rates);
        scree_model_free(model);
        free(x);
    }
    rates.all /= (double)rates.sets;
    rates.blamed /= (double)rates.sets;
    for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++)
        rates.checks[i] /= (double)rates.sets;
    return rates;
}
