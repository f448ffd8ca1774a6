/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.4.1) Eckart–Young: the reconstruction from M components is the best matrix of rank M in spectral norm, and its
 * error there is σ_{M+1} = √(Nλ_{M+1}). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

#include "kernel/blas.h"
#include "support/calls.h"

static double spectral_norm(double *column_major)
{
    double sigma[BOOK_D];
    double unused[1];
    assert_int_equal(scree__dgesdd('N', BOOK_N, BOOK_D, column_major, BOOK_N, sigma, unused, 1, unused, 1), 0);
    return sigma[0];
}

static void error_is_the_next_singular_value(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double z[BOOK_N * BOOK_D];
    double back[BOOK_N * BOOK_D];
    double left[BOOK_D * BOOK_N];
    book_rows(x);
    scree_model *full = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const double *values = scree_model_get(full)->eigenvalues;
    for (int m = 1; m < BOOK_D; m++) {
        scree_model *model = NULL;
        assert_int_equal(scree_model_truncate(&model, full, m, NULL), SCREE_OK);
        assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, BOOK_N, BOOK_D), z, NULL, NULL), SCREE_OK);
        assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(z, SCREE_F64, BOOK_N, m), back, NULL, NULL),
                         SCREE_OK);
        for (int i = 0; i < BOOK_N; i++)
            for (int j = 0; j < BOOK_D; j++)
                left[j * BOOK_N + i] = x[i * BOOK_D + j] - back[i * BOOK_D + j];
        assert_near(spectral_norm(left), sqrt(BOOK_N * values[m]), 1e-11);
        scree_model_free(model);
    }
    scree_model_free(full);
}

/* Another projection onto M directions, the first M axes, does worse. */
static void axes_do_worse(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double left[BOOK_D * BOOK_N];
    book_rows(x);
    scree_model *full = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(full);
    for (int m = 1; m < BOOK_D; m++) {
        for (int i = 0; i < BOOK_N; i++)
            for (int j = 0; j < BOOK_D; j++)
                left[j * BOOK_N + i] = j < m ? 0.0 : x[i * BOOK_D + j] - view->mean[j];
        assert_true(spectral_norm(left) > sqrt(BOOK_N * view->eigenvalues[m]));
    }
    scree_model_free(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_is_the_next_singular_value),
        cmocka_unit_test(axes_do_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
