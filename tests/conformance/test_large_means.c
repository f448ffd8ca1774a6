/* SPDX-License-Identifier: BSD-3-Clause */
/* Means that dwarf the deviations: 200000 rows of 64 columns, mean 1e5, standard deviations 1/(1+j). The correlations
 * from the model's components, S = Σ λ u uᵀ, are within 1e-12 of those computed in two passes of long double, 1e-4 for
 * float input; and those of the float kernel itself, which a fit of this size would not use. Means of 1e12: eigenvalues
 * within their bounds of those about zero. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/moments.h"
#include "support/rows.h"

#include <string.h>

enum { COLS = 64 };
static const int64_t ROWS = SLOW_BUILD ? 12000 : 200000;

static rows *far_away(scree_type type)
{
    double *x = scree__alloc(ROWS * COLS, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = 1e5 + (rows_random(1, i, j) + 0.5 * rows_random(1, i, COLS)) / (double)(1 + j);
    return rows_of(x, ROWS, COLS, type, 0);
}

/* Correlations from x itself: two passes. */
static void plain_correlations(const rows *r, double *correlations)
{
    static long double sums[COLS * COLS];
    long double mean[COLS] = {0};
    memset(sums, 0, sizeof sums);
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = 0; j < COLS; j++)
            mean[j] += r->exact[i * COLS + j] - 1e5L;
    for (int64_t j = 0; j < COLS; j++)
        mean[j] = mean[j] / (long double)r->n + 1e5L;
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t a = 0; a < COLS; a++) {
            const long double off = r->exact[i * COLS + a] - mean[a];
            for (int64_t b = a; b < COLS; b++)
                sums[a * COLS + b] += off * (r->exact[i * COLS + b] - mean[b]);
        }
    for (int64_t a = 0; a < COLS; a++)
        for (int64_t b = a; b < COLS; b++)
            correlations[a * COLS + b] = (double)(sums[a * COLS + b] / sqrtl(sums[a * COLS + a] * sums[b * COLS + b]));
}

/* The largest error of the correlations of s, entry by entry of the upper triangle. */
static double largest_error(const double *s, const double *correlations)
{
    double largest = 0;
    for (int64_t a = 0; a < COLS; a++)
        for (int64_t b = a; b < COLS; b++) {
            const double found = s[a * COLS + b] / sqrt(s[a * COLS + a] * s[b * COLS + b]);
            const double error = fabs(found - correlations[a * COLS + b]);
            largest = error <= largest ? largest : error;
        }
    return largest;
}

static double error_of_fit(const rows *r, const char *solver, const double *correlations)
{
    static double s[COLS * COLS];
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = SCREE_ALL;
    options.solver = solver;
    scree_model *model = rows_fit(r, &options);
    const scree_model_view *view = scree_model_get(model);
    memset(s, 0, sizeof s);
    for (int64_t k = 0; k < COLS; k++)
        for (int64_t a = 0; a < COLS; a++)
            for (int64_t b = 0; b < COLS; b++)
                s[a * COLS + b] +=
                    view->eigenvalues[k] * view->components[k * COLS + a] * view->components[k * COLS + b];
    scree_model_free(model);
    return largest_error(s, correlations);
}

static double error_of_kernel(const rows *r, const scree__ops *ops, const double *correlations)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__moments *moments = NULL;
    int64_t count;
    double *mean;
    double *scatter;
    const scree__rows all = {r->data, r->type, r->n, r->d, r->stride, NULL};
    const int64_t batch = scree__moments_rows(COLS, false, ops);
    EXPECT_OK(scree__moments_new(&moments, COLS, false, ops, 2, &error), error);
    for (int64_t first = 0; first < r->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, r->n - first < batch ? r->n - first : batch);
        EXPECT_OK(scree__moments_add(moments, &part, &error), error);
    }
    scree__moments_finish(moments, &count, &mean, &scatter);
    assert_int_equal(count, r->n);
    const double largest = largest_error(scatter, correlations);
    scree__moments_free(moments);
    return largest;
}

static void test_double(void **state)
{
    (void)state;
    static double correlations[COLS * COLS];
    rows *r = far_away(SCREE_F64);
    plain_correlations(r, correlations);
    EXPECT_NEAR(error_of_fit(r, "covariance", correlations), 0, 1e-12);
    EXPECT_NEAR(error_of_fit(r, "svd", correlations), 0, 1e-12);
    EXPECT_NEAR(error_of_kernel(r, &scree__ops_f64, correlations), 0, 1e-13);
    rows_free(r);
}

static void test_float(void **state)
{
    (void)state;
    static double correlations[COLS * COLS];
    rows *r = far_away(SCREE_F32);
    plain_correlations(r, correlations);
    EXPECT_NEAR(error_of_fit(r, "covariance", correlations), 0, 1e-12);
    EXPECT_NEAR(error_of_kernel(r, &scree__ops_f32, correlations), 0, 1e-6);
    rows_free(r);
}

/* Numbers of few bits: adding the mean rounds nothing, so the eigenvalues are exactly the same. */
static rows *rows_about(double mean, int64_t n, int64_t d)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = mean + floor(256 * rows_random(2, i, j)) / 256;
    return rows_of(x, n, d, SCREE_F64, 0);
}

/* 5 components of rows about zero and about 1e12. */
static void expect_alike(int64_t n, int64_t d, const char *solver)
{
    enum { K = 5 };
    rows *near = rows_about(0, n, d);
    rows *far = rows_about(1e12, n, d);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = solver;
    scree_model *a = rows_fit(near, &options);
    scree_model *b = rows_fit(far, &options);
    const scree_model_view *v = scree_model_get(a);
    const scree_model_view *w = scree_model_get(b);
    EXPECT_NEAR(w->total_variance / v->total_variance, 1, 1e-13);
    for (int64_t k = 0; k < K; k++)
        EXPECT_NEAR(w->eigenvalues[k], v->eigenvalues[k], v->eigenvalue_bounds[k] + w->eigenvalue_bounds[k]);
    scree_model_free(a);
    scree_model_free(b);
    rows_free(near);
    rows_free(far);
}

static void test_larger_means(void **state)
{
    (void)state;
    expect_alike(60, 200, "covariance");
    expect_alike(60, 200, "gram");
    expect_alike(60, 200, "svd");
    expect_alike(300, 150, "lanczos");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_larger_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
