/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense Gaussians by Gauss–Jordan elimination, O(D³): positive definite matrices need no pivots. */

#include "support/dense_gauss.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"
#include "support/checks.h"
#include "support/rows.h"

#include <stdlib.h>

static const long double LN_2PI = 1.83787706640934548356065947281123528L;

const ppca_case ppca_cases[] = {
    {"tall", 200, 8, 3, false, false, 0, 0},
    {"fifty columns", 120, 50, 10, false, false, 0, 0},
    {"one component", 90, 20, 1, false, false, 0, 0},
    {"all but one", 150, 12, 11, false, false, 0, 0},
    {"two columns", 40, 2, 1, false, false, 0, 0},
    {"wide", 20, 50, 5, false, false, 0, 0},
    {"wide, most of the rank", 12, 40, 9, false, false, 0, 0},
    {"ties", 64, 16, 4, true, false, 0, 0},
    {"a tie cut", 64, 16, 3, true, false, 0, 0},
    {"standardised", 80, 10, 4, false, true, 0, 0},
    {"divisor N-1", 30, 9, 4, false, false, 1, 0},
    {"standardised, divisor N-1", 25, 30, 4, false, true, 1, 0},
    {"noise above some", 100, 15, 6, false, false, 0, 1.5},
    {"noise above all", 100, 15, 2, false, false, 0, 100},
    {"little noise", 100, 15, 6, false, true, 0, 1e-3},
    {"a floor under all components", 60, 6, 6, false, false, 0, 0.5},
    {NULL, 0, 0, 0, false, false, 0, 0},
};

static void *take(int64_t count, size_t size)
{
    void *memory = scree__alloc(count, size);
    assert_non_null(memory);
    return memory;
}

long double dense_invert(long double *a, int64_t n)
{
    long double logdet = 0;
    for (int64_t k = 0; k < n; k++) {
        const long double pivot = a[k * n + k];
        if (!(pivot > 0))
            fail_msg("pivot %lld is %Lg: the matrix is not positive definite", (long long)k, pivot);
        logdet += logl(pivot);
        a[k * n + k] = 1;
        for (int64_t j = 0; j < n; j++)
            a[k * n + j] /= pivot;
        for (int64_t i = 0; i < n; i++) {
            const long double factor = a[i * n + k];
            if (i == k)
                continue;
            a[i * n + k] = 0;
            for (int64_t j = 0; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return logdet;
}

dense_gauss *dense_gauss_of(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const int64_t m = view->m;
    dense_gauss *g = take(1, sizeof *g);
    *g = (dense_gauss){.d = d, .m = m};
    g->mean = take(d, sizeof *g->mean);
    g->b = take(d * m, sizeof *g->b);
    g->noise = take(d, sizeof *g->noise);
    g->covariance = take(d * d, sizeof *g->covariance);
    for (int64_t i = 0; i < d; i++) {
        const long double scale = view->scale ? view->scale[i] : 1;
        g->mean[i] = view->mean[i];
        g->noise[i] = scale * scale * view->noise_variance;
        for (int64_t j = 0; j < m; j++) {
            const long double above = (long double)view->eigenvalues[j] - view->noise_variance;
            g->b[i * m + j] = scale * view->components[j * d + i] * (above > 0 ? sqrtl(above) : 0);
        }
    }
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++) {
            g->covariance[a * d + b] = a == b ? g->noise[a] : 0;
            for (int64_t j = 0; j < m; j++)
                g->covariance[a * d + b] += g->b[a * m + j] * g->b[b * m + j];
        }
    if (view->noise_variance > 0) {
        g->inverse = take(d * d, sizeof *g->inverse);
        for (int64_t i = 0; i < d * d; i++)
            g->inverse[i] = g->covariance[i];
        g->logdet = dense_invert(g->inverse, d);
    }
    return g;
}

void dense_gauss_free(dense_gauss *g)
{
    free(g->mean);
    free(g->b);
    free(g->noise);
    free(g->covariance);
    free(g->inverse);
    free(g);
}

/* (BBᵀ + σ²I)⁻¹(x - µ), the caller's to free. */
static long double *whitened(const dense_gauss *g, const double *x)
{
    long double *y = take(g->d, sizeof *y);
    for (int64_t i = 0; i < g->d; i++)
        for (int64_t k = 0; k < g->d; k++)
            y[i] += g->inverse[i * g->d + k] * (x[k] - g->mean[k]);
    return y;
}

long double dense_gauss_log_density(const dense_gauss *g, const double *x)
{
    long double *y = whitened(g, x);
    long double sum = (long double)g->d * LN_2PI + g->logdet;
    for (int64_t i = 0; i < g->d; i++)
        sum += (x[i] - g->mean[i]) * y[i];
    free(y);
    return -0.5L * sum;
}

void dense_gauss_posterior_mean(const dense_gauss *g, const double *x, long double *mean)
{
    long double *y = whitened(g, x);
    for (int64_t j = 0; j < g->m; j++) {
        mean[j] = 0;
        for (int64_t i = 0; i < g->d; i++)
            mean[j] += g->b[i * g->m + j] * y[i];
    }
    free(y);
}

void dense_gauss_posterior_covariance(const dense_gauss *g, long double *covariance)
{
    for (int64_t p = 0; p < g->m; p++)
        for (int64_t q = 0; q < g->m; q++) {
            long double sum = p == q;
            for (int64_t i = 0; i < g->d; i++)
                for (int64_t k = 0; k < g->d; k++)
                    sum -= g->b[i * g->m + p] * g->inverse[i * g->d + k] * g->b[k * g->m + q];
            covariance[p * g->m + q] = sum;
        }
}

/* Walsh functions with equal weights two by two, a tie each; else normals whose columns share their noise. */
double *ppca_case_rows(const ppca_case *c)
{
    if (c->ties) {
        static const double s[] = {3, 3, 2, 2, 1, 1, 0.5, 0.5, 0.5, 0.5};
        double *x = rows_walsh_sum(c->n, c->d, s, COUNT_OF(s));
        for (int64_t i = 0; i < c->n * c->d; i++)
            x[i] += (double)(i % c->d);
        return x;
    }
    double *x = take(c->n * c->d, sizeof *x);
    scree__normals(1063, (uint64_t)(c->n * c->d), 0, c->n * c->d, x);
    for (int64_t i = 0; i < c->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < c->d; j++) {
            sum += x[i * c->d + j] / (double)(1 + j % 7);
            x[i * c->d + j] = 3.0 * (double)(j % 5) + sum + 0.3 * x[i * c->d + j];
        }
    }
    return x;
}

scree_model *ppca_case_model(const ppca_case *c, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_model *other = NULL;
    options.components = c->m;
    options.scale = c->unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.ddof = c->ddof;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, c->n, c->d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    if (!(c->noise > 0))
        return model;
    const double last = scree_model_get(model)->eigenvalues[c->m - 1];
    EXPECT_OK(scree_model_with_noise(&other, model, c->noise * last, &error), error);
    scree_model_free(model);
    return other;
}
