/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers at the edge of the range of doubles: means that dwarf what varies, constant columns of any size, values whose
 * squares are small, large, or no doubles at all. Every method is right within its bound, or says a sentence. */

#include "support/calls.h"
#include "support/checks.h"

#include "base/memory.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

static const char *const solvers[] = {"covariance", "gram", "svd", "lanczos", "em"};
enum { K = 3 };

static double *made(int64_t n, int64_t d, double factor)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(9, i, j) * pow(0.7, (double)j) + 0.25;
    rows_mix(x, n, d);
    for (int64_t i = 0; i < n * d; i++)
        x[i] *= factor;
    return x;
}

static scree_status fit(scree_model **model, const double *x, int64_t n, int64_t d, const scree_fit_options *options,
                        scree_error *error)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), NULL), SCREE_OK);
    const scree_status status = scree_model_fit(model, source, options, error);
    scree_source_free(source);
    return status;
}

/* gram is for fewer rows than columns. */
static int64_t rows_for(int s)
{
    return s == 1 ? 40 : 300;
}

/* A power of two changes no digit: what is found is what the rows of size 1 have, times its square. */
static void test_sizes(void **state)
{
    (void)state;
    static const int exponents[] = {-532, -500, -480, -400, -332, -230, -100, 100, 230, 332, 480, 500, 532};
    for (int s = 0; s < COUNT_OF(solvers); s++)
        for (int scaled = 0; scaled < 2; scaled++) {
            const int64_t n = rows_for(s), d = 60;
            const scree_fit_options options =
                SIZED(scree_fit_options, .components = K, .solver = solvers[s],
                      .scale = scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE, .tolerance = s == 3 ? 1e-9 : 0);
            scree_error error = SCREE_ERROR_INIT;
            scree_model *wanted = NULL;
            double *one = made(n, d, 1);
            EXPECT_OK(fit(&wanted, one, n, d, &options, &error), error);
            for (int e = 0; e < COUNT_OF(exponents); e++) {
                scree_model *model = NULL;
                double *x = made(n, d, ldexp(1, exponents[e]));
                const scree_status status = fit(&model, x, n, d, &options, &error);
                if (status != SCREE_OK) { /* squares that are no doubles with all their digits */
                    assert_int_equal(status, SCREE_ERR_VALUE);
                    assert_non_null(strstr(error.text, "for their squares; rescale"));
                    assert_true(abs(exponents[e]) > 470);
                }
                for (int k = 0; model && k < K; k++) {
                    const scree_model_view *a = scree_model_get(model);
                    const scree_model_view *b = scree_model_get(wanted);
                    const double unit = scaled ? 1 : ldexp(1, 2 * exponents[e]);
                    const double off = fabs(a->eigenvalues[k] / unit - b->eigenvalues[k]);
                    assert_true(off <= (a->eigenvalue_bounds[k] / unit) + b->eigenvalue_bounds[k]);
                    assert_true(a->eigenvalue_bounds[k] > 0);
                    EXPECT_NEAR(a->eigenvalues[k] / unit, b->eigenvalues[k], 1e-6 * b->eigenvalues[k]);
                }
                scree_model_free(model);
                free(x);
            }
            scree_model_free(wanted);
            free(one);
        }
}

/* Near 1e-160 squares are below all doubles with their digits: a sentence, not a bound of 0. */
static void test_too_small(void **state)
{
    (void)state;
    static const double sizes[] = {1e-155, 1e-160, 1e-170, 1e-300, 1e155, 1e160, 1e300};
    for (int s = 0; s < COUNT_OF(solvers); s++)
        for (int i = 0; i < COUNT_OF(sizes); i++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_model *model = NULL;
            double *x = made(rows_for(s), 60, sizes[i]);
            assert_int_equal(fit(&model, x, rows_for(s), 60,
                                 &SIZED(scree_fit_options, .components = K, .solver = solvers[s]), &error),
                             SCREE_ERR_VALUE);
            assert_non_null(strstr(error.text, sizes[i] < 1 ? "too small for their squares; rescale" : "too large"));
            free(x);
        }
}

/* One column of size 1e-120 beside others of size 1, all scaled. */
static void test_small_column_scaled(void **state)
{
    (void)state;
    for (int s = 0; s < COUNT_OF(solvers); s++) {
        const int64_t n = rows_for(s), d = 60;
        const scree_fit_options options =
            SIZED(scree_fit_options, .components = K, .solver = solvers[s], .scale = SCREE_SCALE_UNIT);
        scree_error error = SCREE_ERROR_INIT;
        scree_model *wanted = NULL;
        scree_model *model = NULL;
        double *x = made(n, d, 1);
        EXPECT_OK(fit(&wanted, x, n, d, &options, &error), error);
        for (int64_t i = 0; i < n; i++)
            x[i * d + 7] *= 0x1p-400;
        EXPECT_OK(fit(&model, x, n, d, &options, &error), error);
        EXPECT_NEAR(scree_model_get(model)->scale[7] / 0x1p-400, scree_model_get(wanted)->scale[7], 1e-12);
        for (int k = 0; k < K; k++)
            EXPECT_NEAR(scree_model_get(model)->eigenvalues[k], scree_model_get(wanted)->eigenvalues[k], 1e-6);
        scree_model_free(model);
        scree_model_free(wanted);
        free(x);
    }
}

/* Columns that are orthogonal, the squares of the last no doubles beside those of the first. */
static void test_wide_span(void **state)
{
    (void)state;
    enum { N = 8, D = 4 };
    static const int exponents[D] = {498, 100, -300, -498};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    double x[N * D];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            x[i * D + j] = ldexp((j < 3 ? i >> j : i ^ i >> 1) & 1 ? 1 : -1, exponents[j]);
    EXPECT_OK(fit(&model, x, N, D, &SIZED(scree_fit_options, .components = D, .solver = "covariance"), &error), error);
    const scree_model_view *view = scree_model_get(model);
    for (int k = 0; k < D; k++)
        EXPECT_NEAR(view->eigenvalues[k], ldexp(1, 2 * exponents[k]), view->eigenvalue_bounds[k]);
    scree_model_free(model);
}

/* Columns of mean 3e14 and deviation 0.9, of a constant, and of a constant but for one last digit. */
static void test_large_means(void **state)
{
    (void)state;
    static const double constants[] = {0.1, -3e14 / 7, 1e300, 5e-324, 1e-200};
    for (int s = 0; s < COUNT_OF(solvers); s++)
        for (int c = 0; c < COUNT_OF(constants); c++) {
            const int64_t n = rows_for(s), d = 60;
            scree_error error = SCREE_ERROR_INIT;
            scree_model *model = NULL;
            double *x = made(n, d, 1);
            double sum = 0, squares = 0;
            for (int64_t i = 0; i < n; i++) {
                const double off = floor(14.4 * rows_random(3, i, 0)) / 16; /* as doubles near 3e14 are */
                x[i * d] = 3e14 + off;
                x[i * d + 1] = constants[c];
                x[i * d + 2] = i == n / 2 ? nextafter(1e6 / 7, 1e9) : 1e6 / 7;
                sum += off / (double)n;
                squares += off * off / (double)n;
            }
            EXPECT_OK(fit(&model, x, n, d,
                          &SIZED(scree_fit_options, .components = K, .solver = solvers[s], .scale = SCREE_SCALE_UNIT),
                          &error),
                      error);
            const scree_model_view *view = scree_model_get(model);
            const double digit = nextafter(1e6 / 7, 1e9) - 1e6 / 7;
            EXPECT_NEAR(view->variances[0], squares - sum * sum, 1e-12 * squares);
            EXPECT_NEAR(view->scale[0], sqrt(squares - sum * sum), 1e-12);
            assert_true(view->variances[1] == 0 && view->scale[1] == 1);
            const double once = digit * digit * (double)(n - 1) / (double)(n * n);
            EXPECT_NEAR(view->variances[2], once, 1e-9 * once);
            scree_model_free(model);
            free(x);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_small_column_scaled),
        cmocka_unit_test(test_wide_span),
        cmocka_unit_test(test_large_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
