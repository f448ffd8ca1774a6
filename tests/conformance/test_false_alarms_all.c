/* SPDX-License-Identifier: BSD-3-Clause */
/* False alarms over all shapes: N from 16 to 2000, D from 5 to 3000, 0 to 10 components, the default number kept, as
 * many as there are, and five more, columns scaled or not, new rows and fitted ones, 200 fits and 20000 rows for each,
 * 8 fits where there are more than 400000 cells; false discoveries, with a twentieth of the rows shifted; and how many
 * of the shifted rows are found. Prints a line for each case. One in a hundred may be wrong by chance: with 20000 rows,
 * 20 are expected at 0.001. With arguments N and D it runs those alone, with a third as the number of fits. */

#include "support/alarms.h"
#include "support/checks.h"

#include <stdio.h>
#include <stdlib.h>

enum { FITS = SLOW_BUILD ? 4 : 200, FEW_FITS = SLOW_BUILD ? 1 : 8, FRESH = 100, THREADS = 2, LARGE = 2000 * 200 };

static const int64_t rows[] = {16, 30, 60, 100, 200, 2000};
static const int64_t columns[] = {5, 10, 20, 60, 200, 3000};
static const int64_t truths[] = {0, 1, 3, 10};
static int64_t only_rows, only_columns, only_fits;
static int cases, failures;

static void print_rates(const alarm_cell *c, const alarm_rates *r, const char *wrong)
{
    printf("%5lld %5lld %3lld %3lld %s", (long long)c->n, (long long)c->d, (long long)c->truth, (long long)c->kept,
           c->scaled ? "unit" : "none");
    for (int kind = 0; kind < ALARM_ROWS; kind++) {
        printf(" |");
        for (int level = 0; level < ALARM_LEVELS; level++)
            printf(" %5.2f", r->rate[kind][level] / alarm_levels[level]);
        printf(" nan %.2f", r->none[kind]);
    }
    if (c->planted > 0)
        printf(" | fdr %.3f %.3f power %.3f oracle %.3f", r->discoveries[ALARM_NEW], r->discoveries[ALARM_FITTED],
               r->power, r->oracle);
    printf("%s%s\n", wrong[0] ? "  WRONG: " : "", wrong);
    fflush(stdout);
    cases++;
    failures += wrong[0] != '\0';
}

static int fits_of(const alarm_cell *c)
{
    return only_fits ? (int)only_fits : c->n * c->d > LARGE ? FEW_FITS : FITS;
}

static void try_cell(const alarm_cell *c)
{
    char wrong[200];
    const alarm_rates r = alarms(c, fits_of(c), FRESH, THREADS);
    alarms_verdict(c, &r, wrong, sizeof wrong);
    print_rates(c, &r, wrong);
}

/* Each kept number once: the default, the truth, and five more. */
static void try_kept(int64_t n, int64_t d, int64_t truth, bool scaled)
{
    const int64_t rank = n - 1 < d ? n - 1 : d;
    const int64_t kept[3] = {0, truth, truth + 5};
    for (int k = 0; k < 3; k++)
        if ((k == 0 || kept[k] > 0) && kept[k] < rank)
            try_cell(&(alarm_cell){.n = n, .d = d, .truth = truth, .kept = kept[k], .scaled = scaled});
}

static bool is_wanted(int64_t n, int64_t d)
{
    return (!only_rows || only_rows == n) && (!only_columns || only_columns == d);
}

static void false_alarms(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(rows); i++)
        for (int64_t j = 0; j < COUNT_OF(columns); j++)
            for (int64_t k = 0; k < COUNT_OF(truths) && is_wanted(rows[i], columns[j]); k++)
                for (int scaled = 0; scaled < 2; scaled++)
                    if (truths[k] < columns[j] && truths[k] < rows[i] - 2)
                        try_kept(rows[i], columns[j], truths[k], scaled);
    printf("%d of %d cases wrong\n", failures, cases);
    assert_in_range(failures, 0, cases / 100);
    failures = 0;
}

static void false_discoveries(void **state)
{
    (void)state;
    for (int64_t i = 2; i < COUNT_OF(rows); i++)
        for (int64_t j = 0; j < COUNT_OF(columns); j++) {
            if (!is_wanted(rows[i], columns[j]))
                continue;
            const alarm_cell c = {.n = rows[i],
                                  .d = columns[j],
                                  .truth = 3,
                                  .planted = 0.05,
                                  .shift = 4 + 3 * sqrt(sqrt(2 * (double)columns[j]))};
            const alarm_rates r = alarms(&c, fits_of(&c), FRESH, THREADS);
            const bool bad = r.discoveries[ALARM_NEW] > 0.11 || r.discoveries[ALARM_FITTED] > 0.11;
            print_rates(&c, &r, bad && fits_of(&c) >= FITS ? "false discoveries" : "");
        }
    assert_int_equal(failures, 0);
    failures = 0;
}

static void power(void **state)
{
    (void)state;
    for (int64_t i = 3; i < COUNT_OF(rows); i++)
        for (int64_t j = 0; j < 4; j++) {
            if (!is_wanted(rows[i], columns[j]))
                continue;
            alarm_cell c = {
                .n = rows[i], .d = columns[j], .truth = 3, .kept = 3, .planted = 0.5, .shift = 6, .oracle = true};
            alarm_rates r = alarms(&c, fits_of(&c), FRESH, THREADS);
            print_rates(&c, &r, r.power < 0.95 * r.oracle - 0.01 ? "power beside the oracle's" : "");
            c.kept = 0;
            c.shift = 8;
            r = alarms(&c, fits_of(&c), FRESH, THREADS);
            print_rates(&c, &r, columns[j] <= 20 && r.power < 0.9 ? "power" : "");
        }
    assert_int_equal(failures, 0);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(false_alarms), cmocka_unit_test(false_discoveries),
                                       cmocka_unit_test(power)};
    only_rows = count > 1 ? atoll(arguments[1]) : 0;
    only_columns = count > 2 ? atoll(arguments[2]) : 0;
    only_fits = count > 3 ? atoll(arguments[3]) : 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
