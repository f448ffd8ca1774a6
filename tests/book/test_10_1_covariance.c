/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.1), (10.45) S = (1/N) Σ (x - µ)(x - µ)ᵀ: all components together give it back, S = Σ λ u uᵀ, entry by entry; with
 * ddof 1 the divisor is N - 1. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book_data.h"

/* Entry (a, b) of the covariance, plainly. */
static double covariance(const double *x, int a, int b, double divisor)
{
    double mean_a = 0.0;
    double mean_b = 0.0;
    double sum = 0.0;
    for (int i = 0; i < BOOK_N; i++) {
        mean_a += x[i * BOOK_D + a] / BOOK_N;
        mean_b += x[i * BOOK_D + b] / BOOK_N;
    }
    for (int i = 0; i < BOOK_N; i++)
        sum += (x[i * BOOK_D + a] - mean_a) * (x[i * BOOK_D + b] - mean_b);
    return sum / divisor;
}

static void expect_covariance(const scree_model *model, const double *x, double divisor)
{
    const scree_model_view *view = scree_model_get(model);
    double trace = 0.0;
    for (int a = 0; a < BOOK_D; a++) {
        for (int b = 0; b < BOOK_D; b++) {
            double sum = 0.0;
            for (int j = 0; j < BOOK_D; j++)
                sum += view->eigenvalues[j] * view->components[j * BOOK_D + a] * view->components[j * BOOK_D + b];
            assert_near(sum, covariance(x, a, b, divisor), 1e-12);
        }
        trace += covariance(x, a, a, divisor);
    }
    assert_near(view->total_variance, trace, 1e-12);
}

static void components_give_the_covariance(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    for (int s = 0; s < 2; s++) {
        scree_model *model = book_model(x, BOOK_D, solvers[s], SCREE_SCALE_NONE);
        expect_covariance(model, x, BOOK_N);
        scree_model_free(model);
    }
}

static void divisor_n_less_one(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = NULL;
    scree_source *source = book_source(x);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = SCREE_ALL;
    options.ddof = 1;
    assert_int_equal(scree_model_fit(&model, source, &options, NULL), SCREE_OK);
    assert_int_equal(scree_model_get(model)->ddof, 1);
    expect_covariance(model, x, BOOK_N - 1);
    scree_model_free(model);
    scree_source_free(source);
}

/* (10.2)–(10.6): each component is an eigenvector, S u = λ u. */
static void components_are_eigenvectors(void **state)
{
    (void)state;
    double x[BOOK_N * BOOK_D];
    book_rows(x);
    scree_model *model = book_model(x, 3, NULL, SCREE_SCALE_NONE);
    const scree_model_view *view = scree_model_get(model);
    for (int j = 0; j < 3; j++)
        for (int a = 0; a < BOOK_D; a++) {
            double image = 0.0;
            for (int b = 0; b < BOOK_D; b++)
                image += covariance(x, a, b, BOOK_N) * view->components[j * BOOK_D + b];
            assert_near(image, view->eigenvalues[j] * view->components[j * BOOK_D + a], 1e-12);
        }
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_give_the_covariance),
        cmocka_unit_test(divisor_n_less_one),
        cmocka_unit_test(components_are_eigenvectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
