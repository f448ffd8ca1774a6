/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.3) z = Bᵀ(x - µ): the codes of the fitted rows are the products with the components, have mean 0, and their
 * covariance is Λ (10.24: the variance that is kept is the sum of the eigenvalues). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"
#include "support/calls.h"

enum { M = 3 };

static void codes_are_products(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double z[BOOK_N * M];
    book_rows(x);
    scree_model *model = book_model(x, M, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, BOOK_N, BOOK_D), z, NULL, NULL), SCREE_OK);
    for (int i = 0; i < BOOK_N; i++) {
        for (int k = 0; k < M; k++) {
            double sum = 0.0;
            for (int j = 0; j < BOOK_D; j++)
                sum += view->components[k * BOOK_D + j] * (x[i * BOOK_D + j] - view->mean[j]);
            assert_near(z[i * M + k], sum, 1e-13);
        }
    }
    scree_model_free(model);
}

static void codes_have_the_eigenvalues_as_variances(scree_scale scale)
{
    double x[BOOK_N * BOOK_D];
    double z[BOOK_N * M];
    book_rows(x);
    scree_model *model = book_model(x, M, NULL, scale);
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, BOOK_N, BOOK_D), z, NULL, NULL), SCREE_OK);
    for (int k = 0; k < M; k++) {
        double mean = 0.0;
        for (int i = 0; i < BOOK_N; i++)
            mean += z[i * M + k] / BOOK_N;
        assert_near(mean, 0.0, 1e-13);
        for (int l = 0; l < M; l++) {
            double covariance = 0.0;
            for (int i = 0; i < BOOK_N; i++)
                covariance += z[i * M + k] * z[i * M + l] / BOOK_N;
            assert_near(covariance, k == l ? view->eigenvalues[k] : 0.0, 1e-12);
        }
    }
    scree_model_free(model);
}

static void code_variances(void **state)
{
    (void)state;
    codes_have_the_eigenvalues_as_variances(SCREE_SCALE_NONE);
    codes_have_the_eigenvalues_as_variances(SCREE_SCALE_UNIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(codes_are_products), cmocka_unit_test(code_variances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
