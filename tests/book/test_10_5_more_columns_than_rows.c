/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.5) N < D: the N×N matrix CCᵀ/N has the eigenvalues of S, and Cᵀv its eigenvectors; at most N-1 of them are not
 * zero once the data is centred. (10.79) σ² still is the average over D - M directions. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"
#include "support/calls.h"

enum { N = 7 };

/* The first N rows of the book's data, turned: D×N becomes N rows of BOOK_N columns. */
static void wide_rows(double *wide)
{
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < BOOK_N; j++)
            wide[i * BOOK_N + j] = (1 + i) * x[j * BOOK_D + i];
}

static scree_model *wide_model(const double *x, int64_t components, const char *solver)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    options.solver = solver;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, BOOK_N), NULL), SCREE_OK);
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return model;
}

static void same_model_from_the_small_matrix(void **state)
{
    (void)state;
    static const char *const solvers[] = {"gram", "svd"};
    static double x[N * BOOK_N];
    wide_rows(x);
    scree_model *large = wide_model(x, N - 1, "covariance");
    const scree_model_view *a = scree_model_get(large);
    for (int s = 0; s < 2; s++) {
        scree_model *small = wide_model(x, N - 1, solvers[s]);
        const scree_model_view *b = scree_model_get(small);
        for (int j = 0; j < N - 1; j++)
            assert_near(b->eigenvalues[j], a->eigenvalues[j], 1e-12 * a->eigenvalues[0]);
        for (int i = 0; i < (N - 1) * BOOK_N; i++)
            assert_near(b->components[i], a->components[i], 1e-9);
        scree_model_free(small);
    }
    scree_model_free(large);
}

static void rank_is_one_less_than_rows(void **state)
{
    (void)state;
    static double x[N * BOOK_N];
    wide_rows(x);
    scree_model *all = wide_model(x, SCREE_ALL, "gram");
    assert_int_equal(scree_model_get(all)->m, N - 1);
    assert_true(scree_model_get(all)->reconstruction_error <= 1e-12 * scree_model_get(all)->total_variance);
    scree_model *asked = wide_model(x, N, "gram");
    assert_int_equal(scree_model_get(asked)->m, N);
    assert_near(scree_model_get(asked)->eigenvalues[N - 1], 0.0, 1e-12 * scree_model_get(asked)->total_variance);
    scree_model_free(all);
    scree_model_free(asked);
}

static void noise_is_averaged_over_all_columns(void **state)
{
    (void)state;
    static double x[N * BOOK_N];
    wide_rows(x);
    scree_model *model = wide_model(x, 2, "gram");
    const scree_model_view *view = scree_model_get(model);
    const double left = view->total_variance - view->eigenvalues[0] - view->eigenvalues[1];
    assert_true(left > 0.0);
    assert_near(view->noise_variance, left / (BOOK_N - 2), 1e-14 * left);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_model_from_the_small_matrix),
        cmocka_unit_test(rank_is_one_less_than_rows),
        cmocka_unit_test(noise_is_averaged_over_all_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
