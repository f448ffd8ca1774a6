/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators and matrices of the covariance: columns of the matrix are products with unit vectors, the precision undoes
 * the covariance, nothing of it exists without noise. */

#include "support/checks.h"

#include "made_model.h"

#include <string.h>

enum { D = 12, M = 5 };

static void matrices_are_made_of_products(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    for (int scaled = 0; scaled < 2; scaled++) {
        scree_model *model = made_model(D, M, 1.0, scaled, NULL);
        double covariance[D * D];
        double precision[D * D];
        assert_int_equal(scree_model_marginal_dense(model, covariance, NULL), SCREE_OK);
        EXPECT_OK(scree_model_precision_dense(model, precision, &error), error);
        for (int64_t j = 0; j < D; j++) {
            double unit[D] = {0};
            double column[D];
            double back[D];
            unit[j] = 1;
            assert_int_equal(scree_model_marginal_multiply(model, unit, column, NULL), SCREE_OK);
            for (int64_t i = 0; i < D; i++) {
                EXPECT_NEAR(column[i], covariance[i * D + j], 1e-13 * covariance[j * D + j]);
                assert_true(covariance[i * D + j] == covariance[j * D + i]);
                assert_true(precision[i * D + j] == precision[j * D + i]);
            }
            EXPECT_OK(scree_model_precision_multiply(model, column, back, &error), error);
            for (int64_t i = 0; i < D; i++)
                EXPECT_NEAR(back[i], unit[i], 1e-11);
        }
        scree_model_free(model);
    }
}

/* The covariance without noise is that of the subspace, and has no inverse. */
static void without_noise(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 1.0, false, NULL);
    scree_model *silent = NULL;
    double matrix[D * D];
    double y[D];
    assert_int_equal(scree_model_with_noise(&silent, made, 0, NULL), SCREE_OK);
    const scree_model_view *view = scree_model_get(silent);
    for (int64_t j = 0; j < M; j++) {
        assert_int_equal(scree_model_marginal_multiply(silent, view->components + j * D, y, NULL), SCREE_OK);
        for (int64_t i = 0; i < D; i++)
            EXPECT_NEAR(y[i], view->eigenvalues[j] * view->components[j * D + i], 1e-15);
    }
    assert_int_equal(scree_model_precision_multiply(silent, y, matrix, &error), SCREE_ERR_NUMERIC);
    assert_non_null(strstr(error.text, "σ² = 0"));
    assert_int_equal(scree_model_precision_dense(silent, matrix, &error), SCREE_ERR_NUMERIC);
    scree_model_free(silent);
    scree_model_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matrices_are_made_of_products),
                                       cmocka_unit_test(without_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
