/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.6) Steps in practice: columns are divided by their standard deviations, a new point is treated with the mean and
 * the scale of the training data, and reconstruction undoes both. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"
#include "support/calls.h"

static void scale_is_the_standard_deviation(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, 3, NULL, SCREE_SCALE_UNIT);
    const scree_model_view *view = scree_model_get(model);
    for (int j = 0; j < BOOK_D; j++) {
        double mean = 0.0;
        double squares = 0.0;
        for (int i = 0; i < BOOK_N; i++)
            mean += x[i * BOOK_D + j] / BOOK_N;
        for (int i = 0; i < BOOK_N; i++)
            squares += (x[i * BOOK_D + j] - mean) * (x[i * BOOK_D + j] - mean);
        assert_near(view->mean[j], mean, 1e-13 * fabs(mean) + 1e-14);
        assert_near(view->scale[j], sqrt(squares / BOOK_N), 1e-13);
    }
    assert_near(view->total_variance, BOOK_D, 1e-12); /* each column has variance 1 now */
    scree_model_free(model);
}

/* z = Uᵀ((x* - µ)/scale) for a point that is no training row, and back. */
static void new_point_by_training_mean_and_scale(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double point[BOOK_D];
    double z[BOOK_D];
    double back[BOOK_D];
    book_rows(x);
    for (int j = 0; j < BOOK_D; j++)
        point[j] = 100.0 - 30.0 * j;
    scree_model *model = book_model(x, BOOK_D, NULL, SCREE_SCALE_UNIT);
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(scree_model_project_rows(model, BLOCK(point, SCREE_F64, 1, BOOK_D), z, NULL, NULL), SCREE_OK);
    for (int k = 0; k < BOOK_D; k++) {
        double sum = 0.0;
        for (int j = 0; j < BOOK_D; j++)
            sum += view->components[k * BOOK_D + j] * (point[j] - view->mean[j]) / view->scale[j];
        assert_near(z[k], sum, 1e-11);
    }
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(z, SCREE_F64, 1, BOOK_D), back, NULL, NULL), SCREE_OK);
    for (int j = 0; j < BOOK_D; j++)
        assert_near(back[j], point[j], 1e-11); /* all components: nothing is lost */
    scree_model_free(model);
}

/* Units do not matter once columns are standardised. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    double x[BOOK_N * BOOK_D];
    double other[BOOK_N * BOOK_D];
    book_rows(x);
    for (int i = 0; i < BOOK_N * BOOK_D; i++)
        other[i] = x[i] * ldexp(1.0, 3 * (i % BOOK_D)) + 7.0;
    for (int s = 0; s < 2; s++) {
        scree_model *first = book_model(x, 3, solvers[s], SCREE_SCALE_UNIT);
        scree_model *second = book_model(other, 3, solvers[s], SCREE_SCALE_UNIT);
        for (int k = 0; k < 3; k++)
            assert_near(scree_model_get(first)->eigenvalues[k], scree_model_get(second)->eigenvalues[k], 1e-12);
        for (int i = 0; i < 3 * BOOK_D; i++)
            assert_near(scree_model_get(first)->components[i], scree_model_get(second)->components[i], 1e-11);
        scree_model_free(first);
        scree_model_free(second);
    }
}

static void constant_column_keeps_its_scale(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int i = 0; i < BOOK_N; i++)
        x[i * BOOK_D + 2] = 0.1;
    scree_model *model = book_model(x, 3, NULL, SCREE_SCALE_UNIT);
    const scree_model_view *view = scree_model_get(model);
    assert_true(view->scale[2] == 1.0);
    assert_near(view->mean[2], 0.1, 1e-17);
    assert_near(view->total_variance, BOOK_D - 1, 1e-12);
    for (int k = 0; k < 3; k++)
        assert_near(view->components[k * BOOK_D + 2], 0.0, 1e-14);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scale_is_the_standard_deviation),
        cmocka_unit_test(new_point_by_training_mean_and_scale),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(constant_column_keeps_its_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
