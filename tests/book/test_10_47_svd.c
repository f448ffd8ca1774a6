/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.47)–(10.49) X = UΣVᵀ: with the singular values σ_d of the centred data, λ_d = σ_d²/N, and its singular vectors
 * are the eigenvectors of S: the svd and the covariance method find the same model. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

#include "kernel/blas.h"

static void eigenvalues_are_squares_of_singular_values(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double c[BOOK_D * BOOK_N]; /* column-major N×D */
    double sigma[BOOK_D];
    double unused[1];
    book_rows(x);
    scree_model *model = book_model(x, BOOK_D, "svd", SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    for (int i = 0; i < BOOK_N; i++)
        for (int j = 0; j < BOOK_D; j++)
            c[j * BOOK_N + i] = x[i * BOOK_D + j] - view->mean[j];
    assert_int_equal(scree__dgesdd('N', BOOK_N, BOOK_D, c, BOOK_N, sigma, unused, 1, unused, 1), 0);
    for (int j = 0; j < BOOK_D; j++)
        assert_near(view->eigenvalues[j], sigma[j] * sigma[j] / BOOK_N, 1e-13 * sigma[0] * sigma[0] / BOOK_N);
    scree_model_free(model);
}

static void same_model_by_svd_and_covariance(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int scale = SCREE_SCALE_NONE; scale <= SCREE_SCALE_UNIT; scale++) {
        scree_model *by_svd = book_model(x, BOOK_D, "svd", (scree_scale)scale);
        scree_model *by_covariance = book_model(x, BOOK_D, "covariance", (scree_scale)scale);
        const scree_model_view *a = scree_model_get(by_svd);
        const scree_model_view *b = scree_model_get(by_covariance);
        for (int j = 0; j < BOOK_D; j++)
            assert_near(a->eigenvalues[j], b->eigenvalues[j], 1e-13 * b->eigenvalues[0]);
        for (int i = 0; i < BOOK_D * BOOK_D; i++)
            assert_near(a->components[i], b->components[i], 1e-10);
        scree_model_free(by_svd);
        scree_model_free(by_covariance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_are_squares_of_singular_values),
        cmocka_unit_test(same_model_by_svd_and_covariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
