/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are normal with covariance diag(α): what holds for them holds for any rotation. */

#include "support/coverage.h"

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"

#include <stdlib.h>

static void draw(const population *p, uint64_t seed, double *x)
{
    for (int64_t i = 0; i < p->rows; i++) {
        scree__normals(seed, (uint64_t)i, 0, p->columns, x + i * p->columns);
        for (int64_t j = 0; j < p->signals; j++)
            x[i * p->columns + j] *= sqrt(p->value[j]);
    }
}

static scree_model *fit(const population *p, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    const int64_t most = p->rows - 1 < p->columns ? p->rows - 1 : p->columns;
    options.components = p->kept > 0 ? p->kept : most;
    options.bootstrap = p->bootstrap;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, p->rows, p->columns), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static void count(const population *p, const scree_model *model, coverage *c)
{
    const scree_model_view *view = scree_model_get(model);
    scree_error error = SCREE_ERROR_INIT;
    scree_sampling s = SCREE_SAMPLING_INIT;
    for (int64_t j = 0; j < p->signals && j < view->m; j++) {
        EXPECT_OK(scree_model_sampling(model, j, &s, &error), error);
        const double cosine = fmin(fabs(view->components[j * view->d + j]), 1);
        c->value[j] += s.low <= p->value[j] && p->value[j] <= s.high;
        c->angle[j] += acos(cosine) <= s.angle_limit;
        c->noise[j] += s.noise;
    }
    if (p->signals < view->m) {
        EXPECT_OK(scree_model_sampling(model, p->signals, &s, &error), error);
        c->false_signals += !s.noise;
    }
    c->samples++;
}

coverage coverage_of(const population *p, uint64_t seed, int64_t samples)
{
    coverage c = {0};
    double *x = scree__alloc(p->rows * p->columns, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < samples; i++) {
        draw(p, seed + (uint64_t)i, x);
        scree_model *model = fit(p, x);
        count(p, model, &c);
        scree_model_free(model);
    }
    free(x);
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
