/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.77) The maximum-likelihood mean is that of the rows, µ = (1/N) Σ x, by every method. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

static void mean_of_the_rows(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int s = 0; s < 2; s++) {
        scree_model *model = book_model(x, 2, solvers[s], SCREE_SCALE_NONE);
        for (int j = 0; j < BOOK_D; j++) {
            long double sum = 0.0;
            for (int i = 0; i < BOOK_N; i++)
                sum += x[i * BOOK_D + j];
            assert_near(scree_model_get(model)->mean[j], (double)(sum / BOOK_N), 1e-15 * (1.0 + 5.0 * j));
        }
        scree_model_free(model);
    }
}

/* Rows moved by the same vector: the mean moves along, nothing else does. */
static void moves_with_the_rows(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double moved[BOOK_N * BOOK_D];
    book_rows(x);
    for (int i = 0; i < BOOK_N * BOOK_D; i++) {
        x[i] = ldexp(round(ldexp(x[i], 30)), -30); /* so that the sum below is exact */
        moved[i] = x[i] + 1024.0 * (1 + i % BOOK_D);
    }
    scree_model *here = book_model(x, 3, "covariance", SCREE_SCALE_NONE);
    scree_model *there = book_model(moved, 3, "covariance", SCREE_SCALE_NONE);
    for (int j = 0; j < BOOK_D; j++)
        assert_near(scree_model_get(there)->mean[j] - 1024.0 * (1 + j), scree_model_get(here)->mean[j], 2e-12);
    for (int k = 0; k < 3; k++)
        assert_near(scree_model_get(there)->eigenvalues[k], scree_model_get(here)->eigenvalues[k], 1e-13);
    scree_model_free(here);
    scree_model_free(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_of_the_rows),
        cmocka_unit_test(moves_with_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
