/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of eigenvalues and limits of angles hold the truth in 90 to 98 % of samples, at nominal 95 %, of 50 to 1000
 * rows and 5 to 100 columns; those of a bootstrap where there are ten rows or more for a column. */

#include "support/checks.h"

#include "support/coverage.h"

#include <stdio.h>

enum { SAMPLES = 1000, BOOTSTRAP_SAMPLES = 400, REPLICATES = 200 };

static const int64_t rows[] = {50, 200, 1000};
static const int64_t columns[] = {5, 20, 100};

/* Separated spectra; other directions have variance 1. */
static const population spectra[] = {
    {.signals = 4, .value = {300, 100, 30, 10}},
    {.signals = 3, .value = {60, 24, 10}},
    {.signals = 1, .value = {12}},
};

static void expect_all(const population *p, const coverage *c)
{
    char what[160];
    for (int64_t j = 0; j < p->signals; j++) {
        snprintf(what, sizeof what, "%lld × %lld, component %lld of %lld", (long long)p->rows, (long long)p->columns,
                 (long long)j + 1, (long long)p->signals);
        print_message("%s: eigenvalue %.3f, angle %.3f\n", what, coverage_share(c, c->value[j]),
                      coverage_share(c, c->angle[j]));
        coverage_expect(c, c->value[j], 0.90, 0.98, what);
        coverage_expect(c, c->angle[j], 0.90, 0.98, what);
    }
}

static void test_theory(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(spectra); s++)
        for (int64_t n = 0; n < COUNT_OF(rows); n++)
            for (int64_t d = 0; d < COUNT_OF(columns); d++) {
                population p = spectra[s];
                p.rows = rows[n];
                p.columns = columns[d];
                const coverage c = coverage_of(&p, 1000, SAMPLES);
                expect_all(&p, &c);
            }
}

static void test_bootstrap(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(spectra); s++)
        for (int64_t n = 0; n < COUNT_OF(rows); n++)
            for (int64_t d = 0; d < COUNT_OF(columns); d++) {
                population p = spectra[s];
                p.rows = rows[n];
                p.columns = columns[d];
                p.kept = p.signals;
                p.bootstrap = REPLICATES;
                if (p.rows < 10 * p.columns)
                    continue;
                const coverage c = coverage_of(&p, 1000, p.columns == 100 ? BOOTSTRAP_SAMPLES / 4 : BOOTSTRAP_SAMPLES);
                expect_all(&p, &c);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theory),
        cmocka_unit_test(test_bootstrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
