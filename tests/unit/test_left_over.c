/* SPDX-License-Identifier: BSD-3-Clause */
/* J_M: the sum of the eigenvalues that are not kept, also where one column is so large that tr S has few digits left
 * for them, by singular values none; of saved and of truncated models, too. */

#include "support/calls.h"
#include "support/checks.h"

#include "support/rows.h"
#include "temporary_folder.h"

enum { N = 200, D = 6 };

static scree_model *fitted(double factor, int64_t k, const char *solver)
{
    static double x[N * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    for (int i = 0; i < N * D; i++)
        x[i] = rows_random(5, i / D, i % D) * (i % D == 2 ? factor : 1);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &SIZED(scree_fit_options, .components = k, .solver = solver), &error),
              error);
    scree_source_free(source);
    return model;
}

static void test_sum_of_the_rest(void **state)
{
    (void)state;
    static const double factors[] = {1, 1e3, 1e6, 1e7, 3e7, 1e8, 3e8, 1e9, 1e12};
    scree_error error = SCREE_ERROR_INIT;
    for (int f = 0; f < COUNT_OF(factors); f++) {
        scree_model *all = fitted(factors[f], D, "svd");
        double rest = 0;
        for (int k = D - 1; k > 0; k--) {
            scree_model *model = fitted(factors[f], k, "svd");
            scree_model *saved = NULL;
            scree_model *fewer = NULL;
            rest += scree_model_get(all)->eigenvalues[k];
            EXPECT_NEAR(scree_model_get(model)->reconstruction_error, rest, 1e-12 * rest);
            EXPECT_NEAR(scree_model_get(model)->noise_variance, rest / (D - k), 1e-12 * rest);
            EXPECT_OK(scree_model_save(model, folder_path("m.scree"), &error), error);
            EXPECT_OK(scree_model_load(&saved, folder_path("m.scree"), &error), error);
            EXPECT_NEAR(scree_model_get(saved)->reconstruction_error, rest, 1e-12 * rest);
            EXPECT_OK(scree_model_truncate(&fewer, all, k, &error), error);
            EXPECT_NEAR(scree_model_get(fewer)->reconstruction_error, rest, 1e-12 * rest);
            scree_model_free(model);
            scree_model_free(saved);
            scree_model_free(fewer);
        }
        scree_model_free(all);
    }
}

/* Of the covariance, to the rounding of tr S. */
static void test_of_the_covariance(void **state)
{
    (void)state;
    static const double factors[] = {1, 1e3, 1e6, 1e7, 3e7};
    for (int f = 0; f < COUNT_OF(factors); f++)
        for (int k = 1; k < D; k++) {
            scree_model *exact = fitted(factors[f], k, "svd");
            scree_model *model = fitted(factors[f], k, "covariance");
            const double total = scree_model_get(exact)->total_variance;
            if (scree_model_get(exact)->reconstruction_error > 2 * D * 0x1p-52 * total) /* less may be called nothing */
                EXPECT_NEAR(scree_model_get(model)->reconstruction_error, scree_model_get(exact)->reconstruction_error,
                            2 * 0x1p-52 * total + 1e-12);
            scree_model_free(exact);
            scree_model_free(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sum_of_the_rest, folder_make, folder_remove),
        cmocka_unit_test(test_of_the_covariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
