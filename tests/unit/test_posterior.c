/* SPDX-License-Identifier: BSD-3-Clause */
/* Posterior means are codes, shrunk: by √(λ-σ²)/λ, to zero where the noise covers the component; rows that cannot be
 * used are refused. (The stream is in test_posterior_stream.c, the dense formulas in tests/book.) */

#include "support/checks.h"

#include "made_model.h"
#include "support/calls.h"

#include <string.h>

enum { ROWS = 140, D = 9, M = 3 };

static void means_are_shrunk_codes(void **state)
{
    (void)state;
    static const double noises[] = {0, 1e-6, 0.05, 0.3, 0.75, 10};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 4.0, true, NULL);
    double x[ROWS * D];
    double codes[ROWS * M];
    double means[ROWS * M];
    scree__normals(2, 2, 0, ROWS * D, x);
    EXPECT_OK(scree_model_project_rows(made, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, &error), error);
    for (int64_t k = 0; k < COUNT_OF(noises); k++) {
        scree_model *model = NULL;
        EXPECT_OK(scree_model_with_noise(&model, made, noises[k], &error), error);
        EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, ROWS, D), means, NULL, NULL, &error), error);
        for (int64_t i = 0; i < ROWS * M; i++) {
            const double lambda = scree_model_get(model)->eigenvalues[i % M];
            const double shrink = lambda > noises[k] ? sqrt(lambda - noises[k]) / lambda : 0;
            EXPECT_NEAR(means[i], shrink * codes[i], 1e-14 * fabs(codes[i]));
        }
        scree_model_free(model);
    }
    scree_model_free(made);
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 4.0, true, NULL);
    static double x[ROWS * D];
    double means[ROWS * M];
    assert_int_equal(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, ROWS, D - 1), means, NULL, NULL, &error),
                     SCREE_ERR_SHAPE);
    assert_int_equal(scree_model_posterior_rows(model, BLOCK(NULL, SCREE_F64, 1, D), means, NULL, NULL, &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, -1, D), means, NULL, NULL, &error),
                     SCREE_ERR_ARGUMENT);
    x[130 * D + 8] = INFINITY;
    assert_int_equal(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, ROWS, D), means, NULL, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 131, column 9 is infinite"));
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(means_are_shrunk_codes),
                                       cmocka_unit_test(bad_rows_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
