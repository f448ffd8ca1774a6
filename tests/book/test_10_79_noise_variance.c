/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.79) σ² = (1/(D-M)) Σ_{j>M} λ_j, the average variance left over; a model cut to M components is the model fitted
 * with M, and has the same σ². (N < D is in test_10_5_more_columns_than_rows.c.) */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

static void average_of_what_is_left(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int s = 0; s < 2; s++) {
        scree_model *full = book_model(x, BOOK_D, solvers[s], SCREE_SCALE_NONE);
        const scree_model_view *all = scree_model_get(full);
        assert_true(all->noise_variance == 0.0);
        for (int m = 1; m < BOOK_D; m++) {
            double left = 0.0;
            for (int j = BOOK_D - 1; j >= m; j--)
                left += all->eigenvalues[j];
            scree_model *model = book_model(x, m, solvers[s], SCREE_SCALE_NONE);
            assert_near(scree_model_get(model)->noise_variance, left / (BOOK_D - m), 1e-13);
            scree_model_free(model);
        }
        scree_model_free(full);
    }
}

/* One fit serves every smaller M. */
static void cut_model_is_the_smaller_fit(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int s = 0; s < 2; s++) {
        scree_model *full = book_model(x, BOOK_D, solvers[s], SCREE_SCALE_UNIT);
        for (int m = 1; m <= BOOK_D; m++) {
            scree_model *cut = NULL;
            scree_model *small = book_model(x, m, solvers[s], SCREE_SCALE_UNIT);
            assert_int_equal(scree_model_truncate(&cut, full, m, NULL), SCREE_OK);
            const scree_model_view *a = scree_model_get(cut);
            const scree_model_view *b = scree_model_get(small);
            assert_int_equal(a->m, b->m);
            assert_near(a->noise_variance, b->noise_variance, 1e-13);
            assert_near(a->reconstruction_error, b->reconstruction_error, 1e-13);
            for (int k = 0; k < m; k++)
                assert_near(a->eigenvalues[k], b->eigenvalues[k], 1e-13);
            for (int i = 0; i < m * BOOK_D; i++)
                assert_near(a->components[i], b->components[i], 1e-12);
            scree_model_free(cut);
            scree_model_free(small);
        }
        scree_model_free(full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(average_of_what_is_left),
        cmocka_unit_test(cut_model_is_the_smaller_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
