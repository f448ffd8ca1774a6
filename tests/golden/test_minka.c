/* SPDX-License-Identifier: BSD-3-Clause */
/* Minka's evidence against values that scikit-learn computed (minka.py). */

#include "fit/criterion.h"
#include "support/checks.h"

#include "golden/minka_values.h"

static double evidence(int64_t n, int64_t d, int64_t signals, int64_t m)
{
    double values[64];
    double found[65];
    double trace = 0;
    scree_error error = SCREE_ERROR_INIT;
    scree__spectrum s = {.n = n, .cols = d, .d = d};
    for (int64_t j = 0; j < d; j++) {
        values[j] = j < signals ? 50.0 / (double)(1 + j) : 1 + 0.5 / (double)(1 + j);
        trace += values[j];
    }
    EXPECT_OK(scree__spectrum_make(&s, values, d, trace, &error), error);
    EXPECT_OK(scree__criterion_minka.evaluate(&s, found, &error), error);
    scree__spectrum_clear(&s);
    return found[m];
}

static void test_evidence_is_that_of_others(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(minka_values); i++)
        EXPECT_NEAR(evidence(minka_values[i].n, minka_values[i].d, minka_values[i].signals, minka_values[i].m),
                    minka_values[i].value, 1e-12 * fabs(minka_values[i].value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_that_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
