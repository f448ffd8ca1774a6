/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows have covariance diag(α), for what holds for them holds for any rotation. If columns are scaled it does not: then
 * rows are LᵀF + noise, with loadings L in orthogonal directions that are drawn once for a width, and the truth is
 * found from the correlations that they have. */

#include "support/coverage.h"

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/dense.h"
#include "support/calls.h"

#include <stdlib.h>

enum { LOADINGS = 77, FREEDOM = 5 };

struct coverage_world {
    population p;
    double *loadings; /* signals×D where scaled */
    double *truth;    /* signals×D: directions */
    double value[COVERAGE_MOST];
    double total;
};

static void make_orthogonal(double *x, const double *to, int64_t d)
{
    double product = 0;
    double square = 0;
    for (int64_t a = 0; a < d; a++) {
        product += x[a] * to[a];
        square += to[a] * to[a];
    }
    for (int64_t a = 0; a < d; a++)
        x[a] -= product / square * to[a];
}

static void draw_loadings(coverage_world *w)
{
    const int64_t d = w->p.columns;
    scree__normals(LOADINGS, (uint64_t)d, 0, w->p.signals * d, w->loadings);
    for (int64_t k = 0; k < w->p.signals; k++) {
        double *x = w->loadings + k * d;
        double length = 0;
        for (int64_t l = 0; l < k; l++)
            make_orthogonal(x, w->loadings + l * d, d);
        for (int64_t a = 0; a < d; a++)
            length += x[a] * x[a];
        for (int64_t a = 0; a < d; a++)
            x[a] *= sqrt(w->p.value[k] / length);
    }
}

static double *correlations_of(const coverage_world *w)
{
    const int64_t d = w->p.columns;
    double *p = scree__alloc(d * d, sizeof *p);
    assert_non_null(p);
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++) {
            p[a * d + b] = a == b;
            for (int64_t k = 0; k < w->p.signals; k++)
                p[a * d + b] += w->loadings[k * d + a] * w->loadings[k * d + b];
        }
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            if (a != b)
                p[a * d + b] /= sqrt(p[a * d + a] * p[b * d + b]);
    for (int64_t a = 0; a < d; a++)
        p[a * d + a] = 1;
    return p;
}

static void find_truth(coverage_world *w)
{
    scree_error error = SCREE_ERROR_INIT;
    int64_t k = w->p.signals;
    const scree__dense_options options = {.threads = 1};
    scree__dense_result result = {.values = w->value, .vectors = w->truth};
    draw_loadings(w);
    double *correlations = correlations_of(w);
    EXPECT_OK(scree__dense_eigen(correlations, w->p.columns, &k, &options, &result, &error), error);
    free(correlations);
    w->total = (double)w->p.columns;
}

/* In direction j, where columns are not scaled. */
static double variance_of(const population *p, int64_t j)
{
    if (j < p->signals)
        return p->value[j];
    return p->tail > 0 ? p->value[p->signals - 1] * pow(p->tail, (double)(j - p->signals + 1)) : 1;
}

coverage_world *coverage_begin(const population *p)
{
    coverage_world *w = scree__alloc(1, sizeof *w);
    assert_non_null(w);
    w->p = *p;
    w->loadings = scree__alloc((p->signals + 1) * p->columns, sizeof(double));
    w->truth = scree__alloc((p->signals + 1) * p->columns, sizeof(double));
    assert_true(w->loadings && w->truth);
    for (int64_t j = 0; j < p->columns; j++)
        w->total += variance_of(p, j);
    for (int64_t j = 0; j < p->signals; j++) {
        w->value[j] = p->value[j];
        w->truth[j * p->columns + j] = 1;
    }
    if (p->scaled)
        find_truth(w);
    return w;
}

void coverage_free(coverage_world *w)
{
    free(w->loadings);
    free(w->truth);
    free(w);
}

/* Normal numbers become those of the shape, of mean 0 and variance 1. */
static void give_shape(coverage_shape shape, uint64_t seed, uint64_t row, int64_t count, double *z)
{
    double wild[FREEDOM];
    double square = 0;
    if (shape == SHAPE_HEAVY_ROWS) {
        scree__normals(seed + UINT64_C(0x77696c64), row, 0, FREEDOM, wild);
        for (int f = 0; f < FREEDOM; f++)
            square += wild[f] * wild[f];
        for (int64_t j = 0; j < count; j++)
            z[j] *= sqrt((FREEDOM - 2) / square);
        return;
    }
    for (int64_t j = 0; j < count && shape != SHAPE_NORMAL; j++) {
        const double tail = fmax(0.5 * erfc(fabs(z[j]) / sqrt(2)), 1e-300);
        if (shape == SHAPE_LAPLACE)
            z[j] = copysign(-log(2 * tail) / sqrt(2), z[j]);
        else
            z[j] = (z[j] > 0 ? -log(tail) : -log1p(-tail)) - 1;
    }
}

static void draw(const coverage_world *w, uint64_t seed, double *x, double *z)
{
    const population *p = &w->p;
    const int64_t d = p->columns;
    for (int64_t i = 0; i < p->rows; i++) {
        double *row = x + i * d;
        scree__normals(seed, (uint64_t)i, 0, d + p->signals, z);
        give_shape(p->shape, seed, (uint64_t)i, d + p->signals, z);
        for (int64_t j = 0; j < d; j++)
            row[j] = z[j] * (p->scaled ? 1 : sqrt(variance_of(p, j)));
        for (int64_t k = 0; k < p->signals && p->scaled; k++)
            for (int64_t j = 0; j < d; j++)
                row[j] += w->loadings[k * d + j] * z[d + k];
    }
}

static scree_model *fit(const population *p, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    const scree_run run = run_with_threads(1);
    scree_source *source = NULL;
    scree_model *model = NULL;
    const int64_t most = p->rows - 1 < p->columns ? p->rows - 1 : p->columns;
    options.components = p->kept > 0 ? p->kept : most;
    options.bootstrap = p->bootstrap;
    options.scale = p->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.run = &run;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, p->rows, p->columns), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static void count(const coverage_world *w, const scree_model *model, coverage *c)
{
    const scree_model_view *view = scree_model_get(model);
    scree_error error = SCREE_ERROR_INIT;
    scree_sampling s = SCREE_SAMPLING_INIT;
    for (int64_t j = 0; j < w->p.signals && j < view->m; j++) {
        double cosine = 0;
        EXPECT_OK(scree_model_sampling(model, j, &s, &error), error);
        for (int64_t a = 0; a < view->d; a++)
            cosine += view->components[j * view->d + a] * w->truth[j * view->d + a];
        c->value[j] += s.low <= w->value[j] && w->value[j] <= s.high;
        c->angle[j] += acos(fmin(fabs(cosine), 1)) <= s.angle_limit;
        c->share[j] += s.share_low <= w->value[j] / w->total && w->value[j] / w->total <= s.share_high;
        c->noise[j] += s.noise;
    }
    if (w->p.signals < view->m) {
        EXPECT_OK(scree_model_sampling(model, w->p.signals, &s, &error), error);
        c->false_signals += !s.noise;
    }
    c->samples++;
}

void coverage_add(const coverage_world *w, uint64_t seed, coverage *c)
{
    const population *p = &w->p;
    double *x = scree__alloc(p->rows * p->columns + p->columns + p->signals, sizeof *x);
    assert_non_null(x);
    draw(w, seed, x, x + p->rows * p->columns);
    scree_model *model = fit(p, x);
    count(w, model, c);
    scree_model_free(model);
    free(x);
}

coverage coverage_of(const population *p, uint64_t seed, int64_t samples)
{
    coverage c = {0};
    coverage_world *w = coverage_begin(p);
    for (int64_t i = 0; i < samples; i++)
        coverage_add(w, seed + (uint64_t)i, &c);
    coverage_free(w);
    return c;
}

double coverage_share(const coverage *c, int64_t count)
{
    return (double)count / (double)c->samples;
}

void coverage_expect(const coverage *c, int64_t count, double low, double high, const char *what)
{
    const double share = coverage_share(c, count);
    const double error = sqrt(0.95 * 0.05 / (double)c->samples);
    if (!(share >= low - 3 * error && share <= high + 3 * error))
        fail_msg("%s: %.3f of %lld samples, not %g to %g", what, share, (long long)c->samples, low, high);
}
