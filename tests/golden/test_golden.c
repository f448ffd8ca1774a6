/* SPDX-License-Identifier: BSD-3-Clause */
/* Every method against 50 digits (golden.h): eigenvalues to 1e-12 of themselves, vectors to an angle of 1e-10, mean and
 * J_M, where the problem is well separated. On graded columns only the svd method keeps eigenvalues that are smaller
 * than round-off times the first, and there it must. */

#include "support/checks.h"

#include "golden/golden.h"
#include "support/calls.h"

#include <string.h>

static scree_model *fitted(const golden *g, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = g->count;
    options.solver = solver;
    options.tolerance = 1e-13;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(g->data, SCREE_F64, g->n, g->d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* sin of the angle between a component and the golden vectors whose eigenvalue is the same. */
static double sine(const golden *g, const double *u, int64_t j)
{
    long double outside = 0;
    for (int64_t i = 0; i < g->d; i++) {
        long double rest = u[i];
        for (int64_t t = 0; t < g->count; t++) {
            long double along = 0;
            if (fabsl(g->values[t] - g->values[j]) > 1e-30L * g->values[j])
                continue;
            for (int64_t l = 0; l < g->d; l++)
                along += g->vectors[t * g->d + l] * u[l];
            rest -= along * g->vectors[t * g->d + i];
        }
        outside += rest * rest;
    }
    return (double)sqrtl(outside);
}

/* Whether a vector is determined, sign and all: no other has its eigenvalue, and one entry is the largest. */
static bool is_determined(const golden *g, int64_t j)
{
    const long double *v = g->vectors + j * g->d;
    long double largest = 0;
    int times = 0;
    for (int64_t i = 0; i < g->d; i++)
        largest = fmaxl(largest, fabsl(v[i]));
    for (int64_t i = 0; i < g->d; i++)
        times += fabsl(v[i]) > 0.999L * largest;
    return times == 1 && (j == 0 || g->values[j - 1] > 1.000001L * g->values[j]) &&
           (j == g->count - 1 || g->values[j] > 1.000001L * g->values[j + 1]);
}

static void expect_golden(const golden *g, const char *solver, double relative, double angle)
{
    scree_model *model = fitted(g, solver);
    const scree_model_view *view = scree_model_get(model);
    for (int64_t j = 0; j < g->d; j++)
        EXPECT_NEAR(view->mean[j], g->mean[j], 4e-16 * fabsl(g->mean[j]) + 1e-15 * sqrtl(g->values[0]));
    for (int64_t j = 0; j < g->count; j++) {
        const double *u = view->components + j * g->d;
        EXPECT_NEAR(view->eigenvalues[j] / (double)g->values[j], 1, relative);
        EXPECT_NEAR(sine(g, u, j), 0, angle);
        for (int64_t i = 0; is_determined(g, j) && i < g->d; i++)
            EXPECT_NEAR(u[i], g->vectors[j * g->d + i], 2 * angle);
    }
    EXPECT_NEAR(view->reconstruction_error, g->errors[g->count - 1], 1e-12 * g->values[0]);
    scree_model_free(model);
}

static const golden *find(const char *name)
{
    for (int64_t i = 0; i < COUNT_OF(goldens); i++)
        if (strcmp(goldens[i].name, name) == 0)
            return &goldens[i];
    fail_msg("there is no problem %s", name);
    return NULL;
}

static void test_plain(void **state)
{
    (void)state;
    expect_golden(find("plain"), "covariance", 1e-12, 1e-10);
    expect_golden(find("plain"), "svd", 1e-12, 1e-10);
}

static void test_large_mean(void **state)
{
    (void)state;
    expect_golden(find("large_mean"), "covariance", 1e-12, 1e-10);
    expect_golden(find("large_mean"), "svd", 1e-12, 1e-10);
}

static void test_fewer_rows_than_columns(void **state)
{
    (void)state;
    expect_golden(find("wide"), "covariance", 1e-12, 1e-10);
    expect_golden(find("wide"), "gram", 1e-12, 1e-10);
    expect_golden(find("wide"), "svd", 1e-12, 1e-10);
}

static void test_tied(void **state)
{
    (void)state;
    expect_golden(find("tied"), "covariance", 1e-12, 1e-10);
    expect_golden(find("tied"), "svd", 1e-12, 1e-10);
}

static void test_few_of_many(void **state)
{
    (void)state;
    expect_golden(find("few"), "covariance", 1e-12, 1e-10);
    expect_golden(find("few"), "svd", 1e-12, 1e-10);
    expect_golden(find("few"), "lanczos", 1e-12, 1e-10);
}

static void test_graded_columns(void **state)
{
    (void)state;
    const golden *g = find("graded");
    assert_true(g->values[g->count - 1] < 1e-20L * g->values[0]);
    expect_golden(g, "svd", 1e-10, 1e-10);
}

/* What the method cannot know it must not claim: its bounds cover the eigenvalues that it lost. */
static void test_graded_columns_beyond_the_covariance(void **state)
{
    (void)state;
    const golden *g = find("graded");
    scree_model *model = fitted(g, "covariance");
    const scree_model_view *view = scree_model_get(model);
    for (int64_t j = 0; j < g->count; j++)
        EXPECT_NEAR(view->eigenvalues[j], g->values[j], view->eigenvalue_bounds[j]);
    EXPECT_NEAR(view->eigenvalues[0] / (double)g->values[0], 1, 1e-12);
    scree_model_free(model);
}

/* J_M of every smaller model. */
static void test_errors_left(void **state)
{
    (void)state;
    const golden *g = find("plain");
    scree_model *model = fitted(g, "svd");
    for (int64_t m = 1; m <= g->count; m++) {
        scree_model *shorter = NULL;
        assert_int_equal(scree_model_truncate(&shorter, model, m, NULL), SCREE_OK);
        EXPECT_NEAR(scree_model_get(shorter)->reconstruction_error, g->errors[m - 1], 1e-13 * g->values[0]);
        scree_model_free(shorter);
    }
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_large_mean),
        cmocka_unit_test(test_fewer_rows_than_columns),
        cmocka_unit_test(test_tied),
        cmocka_unit_test(test_few_of_many),
        cmocka_unit_test(test_graded_columns),
        cmocka_unit_test(test_graded_columns_beyond_the_covariance),
        cmocka_unit_test(test_errors_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
