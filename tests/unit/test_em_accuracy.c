/* SPDX-License-Identifier: BSD-3-Clause */
/* What fits with gaps state of their eigenvalues: that they are as near to where iteration leads as is said, for any
 * tolerance, by maximum likelihood and by Bayes; and that what is said is not far too careful. */

#include "support/checks.h"

#include "support/gappy.h"

#include <math.h>

static scree_model *fitted(const gappy *g, int64_t m, const char *em, double tolerance)
{
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    o.components = m;
    o.solver = "em";
    o.em = em;
    o.tolerance = tolerance;
    return gappy_fit(g, &o);
}

static void expect_within(const gappy *g, int64_t m, const char *em)
{
    scree_model *exact = fitted(g, m, em, 1e-12);
    const scree_model_view *truth = scree_model_get(exact);
    const double rounding = 1e-13 * truth->eigenvalues[0];
    for (int digits = 3; digits <= 8; digits++) {
        const double tolerance = pow(10, -digits);
        scree_model *model = fitted(g, m, em, tolerance);
        const scree_model_view *view = scree_model_get(model);
        assert_true(view->m >= truth->m);
        for (int64_t j = 0; j < truth->m; j++) {
            const double stated = view->eigenvalue_bounds[j];
            assert_true(fabs(view->eigenvalues[j] - truth->eigenvalues[j]) <= stated + rounding);
            assert_true(stated <= 100 * tolerance * view->total_variance);
        }
        scree_model_free(model);
    }
    scree_model_free(exact);
}

static void test_eigenvalues_are_as_near_as_stated(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        int64_t d;
        int64_t drawn;
        int64_t asked;
        double missing;
    } cases[] = {{300, 20, 3, 3, 0.1}, {500, 12, 2, 4, 0.3}, {200, 30, 5, 5, 0.5},   {80, 40, 3, 3, 0.2},
                 {400, 25, 4, 2, 0.7}, {60, 20, 4, 6, 0.3},  {2000, 10, 3, 3, 0.02}, {3000, 6, 2, 2, 0.3}};
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        gappy *g = gappy_made(cases[i].n, cases[i].d, cases[i].drawn, cases[i].missing, 77 + (uint64_t)i);
        expect_within(g, cases[i].asked, "ml");
        expect_within(g, cases[i].asked, "vb");
        gappy_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eigenvalues_are_as_near_as_stated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
