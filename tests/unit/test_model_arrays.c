/* SPDX-License-Identifier: BSD-3-Clause */
/* Models from their numbers and from their bytes: to the last bit, for every solver, cut or with another noise; what is
 * left out is what is true when nothing is known; numbers that cannot be are refused, as a model file with them is. */

#include "support/checks.h"

#include "support/calls.h"
#include "support/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 160, D = 240, M = 3 };

static double x[N * D];

static scree_model *fit(const char *solver, bool gaps)
{
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const scree_fit_options options = SIZED(scree_fit_options, .components = M, .solver = solver,
                                            .scale = SCREE_SCALE_UNIT, .ddof = gaps ? 0 : 1, .no_imputer = true);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = gaps && i % 17 == 0 ? NAN : (double)(1 + i % D) * rows_random(9, i / D, i % D);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_int_equal(error.status, SCREE_OK);
    scree_source_free(source);
    return model;
}

static void expect_same_bytes(const scree_model *a, const scree_model *b)
{
    void *one = NULL;
    void *other = NULL;
    size_t size = 0;
    size_t other_size = 0;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_save_buffer(&one, &size, a, &error), error);
    EXPECT_OK(scree_model_save_buffer(&other, &other_size, b, &error), error);
    assert_int_equal(size, other_size);
    assert_memory_equal(one, other, size);
    scree_buffer_free(one);
    scree_buffer_free(other);
}

/* Through its view, and through its bytes. */
static void expect_survives(const scree_model *model)
{
    scree_model *copy = NULL;
    scree_model *loaded = NULL;
    void *bytes = NULL;
    size_t size = 0;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_from_arrays(&copy, scree_model_get(model), &error), error);
    expect_same_bytes(model, copy);
    EXPECT_OK(scree_model_save_buffer(&bytes, &size, model, &error), error);
    EXPECT_OK(scree_model_load_buffer(&loaded, bytes, size, &error), error);
    expect_same_bytes(model, loaded);
    for (size_t cut = 0; cut < size; cut += 1 + size / 50) {
        scree_model *damaged = NULL;
        assert_int_equal(scree_model_load_buffer(&damaged, bytes, cut, &error), SCREE_ERR_MODEL);
        assert_null(damaged);
    }
    scree_buffer_free(bytes);
    scree_model_free(copy);
    scree_model_free(loaded);
}

static void every_solver_survives(void **state)
{
    (void)state;
    const char *solver = NULL;
    for (int64_t i = 0; (solver = scree_table_name(SCREE_TABLE_SOLVERS, i)); i++) {
        scree_model *model = fit(solver, strcmp(solver, "em") == 0);
        scree_model *shorter = NULL;
        scree_model *noisy = NULL;
        expect_survives(model);
        assert_int_equal(scree_model_truncate(&shorter, model, 2, NULL), SCREE_OK);
        expect_survives(shorter);
        assert_int_equal(scree_model_with_noise(&noisy, model, 0.125, NULL), SCREE_OK);
        expect_survives(noisy);
        scree_model_free(model);
        scree_model_free(shorter);
        scree_model_free(noisy);
    }
}

/* Integers beyond 2⁵³ have means that no double holds: what is missing comes along. */
static void the_rest_of_a_mean_survives(void **state)
{
    (void)state;
    enum { ROWS = 40, COLS = 2 };
    int64_t wide[ROWS * COLS];
    double far[COLS];
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_model *copy = NULL;
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t i = 0; i < ROWS * COLS; i++)
        wide[i] = (INT64_C(1) << 60) + 7 * (i % 13) + i * i % 31;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(wide, SCREE_I64, ROWS, COLS), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, NULL, &error), error);
    scree_model_view view = *scree_model_get(model);
    assert_non_null(view.mean_rest);
    assert_true(view.mean_rest[0] != 0 && fabs(view.mean_rest[0]) <= 128);
    expect_survives(model);
    for (int j = 0; j < COLS; j++)
        far[j] = 1e3;
    view.mean_rest = far;
    assert_int_equal(scree_model_from_arrays(&copy, &view, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "mean_rest"));
    view.mean_rest = scree_model_get(model)->mean_rest;
    view.mean = NULL;
    assert_int_equal(scree_model_from_arrays(&copy, &view, &error), SCREE_ERR_VALUE);
    assert_null(copy);
    scree_model_free(model);
    scree_source_free(source);
}

/* The planner's first choice meets a gap, and another method is taken: that is no error of the call. */
static void a_success_leaves_the_error_alone(void **state)
{
    (void)state;
    scree_model *model = fit(NULL, true);
    assert_string_equal(scree_model_get(model)->solver, "em");
    scree_model_free(model);
}

static const double values[2] = {4, 1};
static const double axes[6] = {0, 1, 0, 1, 0, 0};

static scree_model_view plain(void)
{
    scree_model_view view = SCREE_MODEL_VIEW_INIT;
    view.n = 10;
    view.d = 3;
    view.m = 2;
    view.total_variance = 6;
    view.eigenvalues = values;
    view.components = axes;
    return view;
}

/* A noise of 0 that was set by hand stays, also where it would have been 0 anyway: a shorter model keeps it. */
static void a_noise_that_was_given_stays(void **state)
{
    (void)state;
    static const double full[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    static const double three[3] = {4, 1, 0.5};
    scree_model_view view = plain();
    scree_model *model = NULL;
    scree_model *still = NULL;
    view.m = 3;
    view.total_variance = 5.5;
    view.eigenvalues = three;
    view.components = full;
    view.noise_variance = 0;
    view.noise_given = true;
    assert_int_equal(scree_model_from_arrays(&model, &view, NULL), SCREE_OK);
    expect_survives(model);
    assert_int_equal(scree_model_truncate(&still, model, 1, NULL), SCREE_OK);
    assert_true(scree_model_get(still)->noise_variance == 0);
    scree_model_free(still);
    scree_model_free(model);
}

static void what_is_left_out_is_not_known(void **state)
{
    (void)state;
    const scree_model_view given = plain();
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_from_arrays(&model, &given, &error), error);
    const scree_model_view *view = scree_model_get(model);
    EXPECT_NEAR(view->noise_variance, 1.0, 1e-15);
    EXPECT_NEAR(view->variances[0], 1.0, 1e-15);
    EXPECT_NEAR(view->variances[1], 4.0, 1e-15);
    EXPECT_NEAR(view->variances[2], 1.0, 1e-15);
    assert_true(view->mean[1] == 0 && view->weight == 10 && view->observed == 30);
    assert_true(view->angle_bounds[0] == 1 && view->cluster_last[0] == 1);
    assert_string_equal(view->solver, "arrays");
    scree_model_free(model);
}

static void expect_refused(scree_model_view view)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_not_equal(scree_model_from_arrays(&model, &view, &error), SCREE_OK);
    assert_null(model);
    assert_true(strlen(error.text) > 20);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const double rising[2] = {1, 4};
    static const double skewed[6] = {0, 1, 0, 0, 1, 0};
    static const double infinite[3] = {0, INFINITY, 0};
    scree_model_view view;
#define REFUSE(field, value)                                                                                           \
    do {                                                                                                               \
        view = plain();                                                                                                \
        view.field = (value);                                                                                          \
        expect_refused(view);                                                                                          \
    } while (0)
    REFUSE(size, 0);
    REFUSE(n, 0);
    REFUSE(m, 4);
    REFUSE(ddof, 2);
    REFUSE(weight, -1);
    REFUSE(total_variance, NAN);
    REFUSE(tolerance, -1);
    REFUSE(passes, -5);
    REFUSE(observed, 100);
    REFUSE(empty_rows, 50);
    REFUSE(stopped, "boredom");
    REFUSE(eigenvalues, rising);
    REFUSE(components, skewed);
    REFUSE(mean, infinite);
    REFUSE(residuals, values); /* and no gaps */
    REFUSE(kind, "network");
    view = plain();
    view.n = view.ddof = 1;
    expect_refused(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_survives),        cmocka_unit_test(a_success_leaves_the_error_alone),
        cmocka_unit_test(a_noise_that_was_given_stays), cmocka_unit_test(what_is_left_out_is_not_known),
        cmocka_unit_test(what_cannot_be_is_refused),    cmocka_unit_test(the_rest_of_a_mean_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
