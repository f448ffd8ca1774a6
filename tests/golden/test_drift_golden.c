/* SPDX-License-Identifier: BSD-3-Clause */
/* p-values of drift beside those of make_drift.py, which computes them from their definitions. */

#include "support/calls.h"
#include "support/checks.h"

#include "answer/drift.h"

#include "drift_golden.h"

enum { COLUMNS = 5, FITTED = 50 };

static scree_model *fit(int64_t m)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    options.components = options.latent = m;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(drift_fitted, SCREE_F64, FITTED, COLUMNS), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static void p_values_are_those_of_the_definitions(void **state)
{
    (void)state;
    for (int64_t k = 0; k < COUNT_OF(drift_golden); k++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
        scree_model *model = fit(drift_golden[k].m);
        scree_source *source = NULL;
        scree_drift *drift = NULL;
        options.exact = drift_golden[k].exact;
        EXPECT_OK(scree_source_from_memory(
                      &source, BLOCK(drift_golden[k].data, SCREE_F64, drift_golden[k].rows, COLUMNS), &error),
                  error);
        EXPECT_OK(scree_drift_make(&drift, model, source, &options, &error), error);
        double none = 1;
        for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++) {
            const double wanted = drift_golden[k].p[i];
            const double found = scree_drift_check_at(drift, i)->p_value;
            none *= 1 - fmin(found, 1);
            if (!(fabs(found - wanted) <= 1e-8 * wanted + 1e-12))
                fail_msg("%s, %lld components, exact %d: %s has p = %.15g, not %.15g", drift_golden[k].name,
                         (long long)drift_golden[k].m, drift_golden[k].exact, scree_drift_check_at(drift, i)->name,
                         found, wanted);
        }
        assert_true(scree_drift_get(drift)->p_value <= 4 * (1 - none) + 1e-12);
        scree_drift_free(drift);
        scree_source_free(source);
        scree_model_free(model);
    }
}

/* F tails with two and with one finite number of degrees of freedom, and both sides: values of mpmath 1.3. */
static void tails_are_those_of_the_tables(void **state)
{
    (void)state;
    EXPECT_NEAR(scree__drift_ratio_tail(2.5, 3, 10), 0.119039562658278, 1e-9 * 0.119);
    EXPECT_NEAR(scree__drift_ratio_tail(1.2, 51, 1993.5), 0.159023052282168, 1e-9 * 0.159);
    EXPECT_NEAR(scree__drift_ratio_tail(40.0, 4, 7.5), 4.00394190839852e-05, 1e-9 * 4e-05);
    EXPECT_NEAR(scree__drift_ratio_tail(0.9, 17, 1000000.0), 0.573882840699723, 1e-9 * 0.574);
    EXPECT_NEAR(scree__drift_ratio_tail(2.1, 6, HUGE_VAL), 0.0498464931724497, 1e-9);
    EXPECT_NEAR(scree__drift_ratio_sides(0.4, 30, 20), 0.0226569274069435, 1e-9);
    EXPECT_NEAR(scree__drift_ratio_sides(2.2, 30, 20), 0.0695236246513345, 1e-9);
    EXPECT_NEAR(scree__drift_ratio_sides(0.5, 12, HUGE_VAL), 0.167835884062607, 1e-9);
    EXPECT_NEAR(scree__drift_student(-2, 9), 0.076552823770701, 1e-10);
    assert_true(isnan(scree__drift_ratio_tail(1, 0, 5)));
    assert_true(isnan(scree__drift_product((double)NAN, (double)NAN)));
    EXPECT_NEAR(scree__drift_product((double)NAN, 0.3), 0.3, 0);
    EXPECT_NEAR(scree__drift_product(0.1, 0.2), 0.02 * (1 - log(0.02)), 1e-15);
    EXPECT_NEAR(scree__drift_smallest(0.01, 4), 1 - pow(0.99, 4), 1e-15);
    EXPECT_NEAR(scree__drift_smallest(1, 4), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(p_values_are_those_of_the_definitions),
                                       cmocka_unit_test(tails_are_those_of_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
