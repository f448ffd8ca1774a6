/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.24) V_M = Σ_{j≤M} λ_j, and no other M orthonormal directions keep more; a share of the variance asks for the
 * fewest components that keep it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

/* Variance of the rows along the unit vector e. */
static double variance_along(const double *x, const double *mean, const double *e)
{
    double sum = 0.0;
    for (int i = 0; i < BOOK_N; i++) {
        double code = 0.0;
        for (int j = 0; j < BOOK_D; j++)
            code += e[j] * (x[i * BOOK_D + j] - mean[j]);
        sum += code * code;
    }
    return sum / BOOK_N;
}

static void sum_of_eigenvalues(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    double kept = 0.0;
    book_rows(x);
    scree_model *model = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    for (int j = 0; j < BOOK_D; j++) {
        double along = variance_along(x, view->mean, view->components + j * BOOK_D);
        assert_near(along, view->eigenvalues[j], 1e-12);
        kept += along;
    }
    assert_near(kept, view->total_variance, 1e-12);
    scree_model_free(model);
}

/* The first two components, turned by a small angle against any other, keep less. */
static void no_other_plane_keeps_more(void **state)
{
    (void)state;
    const double angle = 0.1;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    const double best = view->eigenvalues[0] + view->eigenvalues[1];
    for (int in = 0; in < 2; in++)
        for (int out = 2; out < BOOK_D; out++) {
            double turned[BOOK_D];
            for (int j = 0; j < BOOK_D; j++)
                turned[j] =
                    cos(angle) * view->components[in * BOOK_D + j] + sin(angle) * view->components[out * BOOK_D + j];
            assert_true(variance_along(x, view->mean, turned) + view->eigenvalues[1 - in] < best);
        }
    scree_model_free(model);
}

static void fewest_that_keep_a_share(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    static const double shares[] = {0.5, 0.7, 0.8, 0.9, 0.99};
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *all = book_model(x, BOOK_D, NULL, SCREE_SCALE_NONE);
    const scree_model_view *whole = scree_model_get(all);
    for (int i = 0; i < 10; i++) {
        const double share = shares[i / 2];
        scree_model *model = NULL;
        scree_source *source = book_source(x);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        double kept = 0.0;
        int64_t fewest = 0;
        while (kept < share * whole->total_variance)
            kept += whole->eigenvalues[fewest++];
        options.share = share;
        options.solver = solvers[i % 2];
        assert_int_equal(scree_model_fit(&model, source, &options, NULL), SCREE_OK);
        assert_int_equal(scree_model_get(model)->m, fewest);
        scree_model_free(model);
        scree_source_free(source);
    }
    scree_model_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_of_eigenvalues),
        cmocka_unit_test(no_other_plane_keeps_more),
        cmocka_unit_test(fewest_that_keep_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
