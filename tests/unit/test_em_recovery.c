/* SPDX-License-Identifier: BSD-3-Clause */
/* What was hidden is found again: rows drawn from PPCA, cells hidden at random. Conditional means are nearly as good as
 * with the true parameters, intervals cover as often as they say, Bayes does not overfit and finds the number of
 * components. */

#include "support/checks.h"

#include "support/gappy.h"

#include <string.h>

enum { ROWS = SLOW_BUILD ? 800 : 2000, COLS = SLOW_BUILD ? 50 : 100, TRUE_M = 5 };

static double oracle(const gappy *g)
{
    gappy_ppca *p = gappy_ppca_new(g->d, g->m);
    double covered;
    p->noise = g->noise;
    for (int64_t i = 0; i < g->d * g->m; i++)
        p->w[i] = g->w[i];
    for (int64_t j = 0; j < g->d; j++)
        p->mean[j] = g->mean[j];
    const double error = gappy_imputed(g, p, &covered);
    gappy_ppca_free(p);
    return error;
}

static double imputed_by(const gappy *g, const char *em, int64_t components, int64_t *found, double *covered)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    o.components = components;
    o.em = em;
    o.tolerance = 1e-3;
    scree_model *model = gappy_fit(g, &o);
    gappy_ppca *p = gappy_ppca_of(model);
    *found = p->m;
    const double error = gappy_imputed(g, p, covered);
    gappy_ppca_free(p);
    scree_model_free(model);
    return error;
}

static void run_missing(double missing)
{
    gappy *g = gappy_made(ROWS, COLS, TRUE_M, missing, 41);
    int64_t found;
    double covered;
    const double best = oracle(g);
    const double error = imputed_by(g, NULL, TRUE_M, &found, &covered);
    if (!(error < 1.03 * best))
        fail_msg("%g missing: error %g, with the true parameters %g", missing, error, best);
    assert_true(covered > 0.93 && covered < 0.97);
    gappy_free(g);
}

static void test_near_the_oracle(void **state)
{
    (void)state;
    run_missing(0.1);
    run_missing(0.3);
    run_missing(0.5);
}

static void test_little_observed(void **state)
{
    (void)state;
    gappy *g = gappy_made(2000, 100, TRUE_M, 0.9, 42);
    int64_t found;
    double covered;
    const double likelihood = imputed_by(g, "ml", 8, &found, &covered);
    assert_int_equal(found, 8);
    const double bayes = imputed_by(g, "vb", 8, &found, &covered);
    assert_int_equal(found, TRUE_M);
    if (!(bayes < 0.97 * likelihood))
        fail_msg("Bayes %g, maximum likelihood %g", bayes, likelihood);
    gappy_free(g);
}

static void test_number_of_components(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        gappy *g = gappy_made(800, 40, 3, 0.25 * i, 43);
        scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
        o.no_imputer = true; /* tested apart */
        o.components = SCREE_AUTO;
        o.bayes = true;
        scree_model *model = gappy_fit(g, &o);
        assert_int_equal(scree_model_get(model)->m, 3);
        assert_true(scree_model_get(model)->bayes);
        scree_model_free(model);
        o.bayes = false;
        if (i > 0) { /* gaps alone say the same */
            model = gappy_fit(g, &o);
            assert_int_equal(scree_model_get(model)->m, 3);
            scree_model_free(model);
        }
        gappy_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_the_oracle),
        cmocka_unit_test(test_little_observed),
        cmocka_unit_test(test_number_of_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
