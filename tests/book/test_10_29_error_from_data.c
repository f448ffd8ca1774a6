/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.29) J_M = (1/N) Σ ‖x - x̃‖², from the data, agrees with (10.44) J_M = Σ_{j>M} λ_j, from the eigenvalues: for every
 * method, for every M that truncation gives, and with scaled columns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

static double error_from_data(const scree_model *model, const double *x)
{
    double error = -1.0;
    scree_source *source = book_source(x);
    assert_int_equal(scree_model_round_trip(model, source, NULL, &error, NULL, NULL), SCREE_OK);
    scree_source_free(source);
    return error;
}

static void both_errors_agree(const char *solver, scree_scale scale)
{
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, BOOK_D, solver, scale);
    for (int64_t m = 1; m < BOOK_D; m++) {
        scree_model *shorter = NULL;
        assert_int_equal(scree_model_truncate(&shorter, model, m, NULL), SCREE_OK);
        double expected = scree_model_get(shorter)->reconstruction_error;
        assert_true(expected > 0.0);
        assert_near(error_from_data(shorter, x), expected, 1e-10 * expected);
        scree_model_free(shorter);
    }
    assert_near(error_from_data(model, x), 0.0, 1e-25);
    scree_model_free(model);
}

static void every_method_agrees(void **state)
{
    (void)state;
    both_errors_agree("covariance", SCREE_SCALE_NONE);
    both_errors_agree("svd", SCREE_SCALE_NONE);
    both_errors_agree("covariance", SCREE_SCALE_UNIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
