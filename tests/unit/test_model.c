/* SPDX-License-Identifier: BSD-3-Clause */
/* Making, settling and truncating models, on one whose numbers are exact in binary. */

#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"a", "b", "c"};

/* λ = 4, 2 of tr S = 7 in three dimensions; components along the axes c and a, both pointing backwards. */
static scree_model *small_model(bool with_scale)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__model_new(&model, 3, 2, "covariance", with_scale, names, &error), SCREE_OK);
    model->components[2] = -1.0;
    model->components[3] = -1.0;
    model->eigenvalues[0] = 4.0;
    model->eigenvalues[1] = 2.0;
    for (int i = 0; i < 3; i++) {
        model->mean[i] = i;
        if (with_scale)
            model->scale[i] = 2.0 + i;
    }
    for (int i = 0; i < 2; i++) {
        model->bounds.residuals[i] = 1e-9 * (i + 1);
        model->bounds.gaps[i] = 2.0;
        model->bounds.eigenvalue_bounds[i] = 1e-18;
        model->bounds.angle_bounds[i] = 1e-9;
        model->bounds.cluster_first[i] = i;
        model->bounds.cluster_last[i] = i;
    }
    model->view.n = 10;
    model->view.total_variance = 7.0;
    model->view.image_rows = 1;
    model->view.image_cols = 3;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    return model;
}

static void settle_derives_what_follows(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    const scree_model_view *view = scree_model_get(model);
    assert_true(view->reconstruction_error == 1.0);
    assert_true(view->noise_variance == 1.0);
    assert_true(view->components[2] == 1.0);
    assert_true(view->components[3] == 1.0);
    assert_null(view->scale);
    assert_string_equal(view->columns[2], "c");
    assert_string_equal(view->solver, "covariance");
    scree_model_free(model);
}

static void a_tie_goes_to_the_first_entry(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    const double tie[] = {-0.5, 0.5, 0.25};
    memcpy(model->components, tie, sizeof tie);
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    assert_true(model->components[0] == 0.5);
    assert_true(model->components[1] == -0.5);
    assert_true(model->components[2] == -0.25);
    scree_model_free(model);
}

static void rounding_never_leaves_negative_variance(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    model->view.total_variance = 5.9999999999;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    assert_true(model->view.reconstruction_error == 0.0);
    assert_true(model->view.noise_variance == 0.0);
    scree_model_free(model);
}

static void a_full_model_has_no_noise(void **state)
{
    (void)state;
    scree_model *model = NULL;
    assert_int_equal(scree__model_new(&model, 1, 1, "svd", false, NULL, NULL), SCREE_OK);
    model->components[0] = 1.0;
    model->eigenvalues[0] = 3.0;
    model->view.total_variance = 3.0000001;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    assert_true(model->view.reconstruction_error == 0.0);
    assert_true(model->view.noise_variance == 0.0);
    scree_model_free(model);
}

static void half_an_image_is_none(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    assert_int_equal(model->view.image_cols, 3);
    model->view.image_rows = 2;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    assert_int_equal(model->view.image_rows, 0);
    assert_int_equal(model->view.image_cols, 0);
    scree_model_free(model);
}

static void truncation_keeps_everything_else(void **state)
{
    (void)state;
    scree_model *model = small_model(true);
    scree_model *shorter = NULL;
    assert_int_equal(scree_model_truncate(&shorter, model, 1, NULL), SCREE_OK);
    scree_model_free(model); /* nothing may be shared */
    const scree_model_view *view = scree_model_get(shorter);
    assert_int_equal(view->m, 1);
    assert_int_equal(view->n, 10);
    assert_int_equal(view->image_cols, 3);
    assert_true(view->reconstruction_error == 3.0);
    assert_true(view->noise_variance == 1.5);
    assert_true(view->eigenvalues[0] == 4.0);
    assert_true(view->mean[2] == 2.0);
    assert_true(view->scale[2] == 4.0);
    assert_true(view->components[2] == 1.0);
    assert_true(view->angle_bounds[0] == 1e-9);
    assert_string_equal(view->columns[0], "a");
    scree_model_free(shorter);
}

static void truncation_says_so_when_it_cuts_a_cluster(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    scree_model *shorter = NULL;
    model->bounds.cluster_last[0] = 1;
    model->bounds.cluster_first[1] = 0;
    assert_int_equal(scree_model_truncate(&shorter, model, 1, NULL), SCREE_OK);
    assert_true(shorter->bounds.angle_bounds[0] == 1.0);
    assert_int_equal(shorter->bounds.cluster_last[0], 0);
    assert_true(shorter->bounds.eigenvalue_bounds[0] == 1e-18);
    scree_model_free(shorter);
    shorter = NULL;
    assert_int_equal(scree_model_truncate(&shorter, model, 2, NULL), SCREE_OK);
    assert_true(shorter->bounds.angle_bounds[0] == 1e-9);
    scree_model_free(shorter);
    scree_model_free(model);
}

static void truncation_may_leave_only_converged_components(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    scree_model *shorter = NULL;
    model->view.converged = false;
    model->view.tolerance = 5e-10; /* residual over eigenvalue: 2.5e-10 and 1e-9 */
    assert_int_equal(scree_model_truncate(&shorter, model, 2, NULL), SCREE_OK);
    assert_false(shorter->view.converged);
    scree_model_free(shorter);
    shorter = NULL;
    assert_int_equal(scree_model_truncate(&shorter, model, 1, NULL), SCREE_OK);
    assert_true(shorter->view.converged);
    scree_model_free(shorter);
    scree_model_free(model);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    scree_model *model = small_model(false);
    scree_model *other = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_truncate(&other, model, 0, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_truncate(&other, model, 3, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "the model has 2 components, 3 were asked for; ask for 1 to 2");
    assert_int_equal(scree__model_new(&other, 2, 3, "svd", false, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree__model_new(&other, INT64_MAX, 2, "svd", false, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_null(other);
    scree_model_free(model);
    scree_model_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settle_derives_what_follows),
        cmocka_unit_test(a_tie_goes_to_the_first_entry),
        cmocka_unit_test(rounding_never_leaves_negative_variance),
        cmocka_unit_test(a_full_model_has_no_noise),
        cmocka_unit_test(half_an_image_is_none),
        cmocka_unit_test(truncation_keeps_everything_else),
        cmocka_unit_test(truncation_says_so_when_it_cuts_a_cluster),
        cmocka_unit_test(truncation_may_leave_only_converged_components),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
