/* SPDX-License-Identifier: BSD-3-Clause */
/* Clean rows are called outliers as often as the level says, in the cases where a newcomer starts: few rows, more
 * columns than rows, more components than there are, and the defaults. A small part of test_false_alarms_all. */

#include "support/alarms.h"
#include "support/checks.h"

#include <string.h>

enum { FITS = SLOW_BUILD ? 6 : 60, FRESH = 100, THREADS = 2 };

static void as_often_as_the_level_says(void **state)
{
    (void)state;
    static const alarm_cell cells[] = {
        {.n = 100, .d = 60, .truth = 3},
        {.n = 60, .d = 200, .truth = 3},
        {.n = 60, .d = 200, .truth = 3, .kept = 3},
        {.n = 30, .d = 20, .truth = 3, .kept = 3},
        {.n = 30, .d = 20, .truth = 3, .kept = 8, .scaled = true},
        {.n = 16, .d = 300, .truth = 3, .kept = 3},
        {.n = 200, .d = 10, .truth = 1},
        {.n = 60, .d = 20, .truth = 0, .scaled = true},
        {.n = 30, .d = 300, .truth = 10, .kept = 10},
        {.n = 25, .d = 90, .truth = 3, .share = 0.9},
        {.n = 16, .d = 5, .truth = 3},
    };
    char verdict[24];
    for (int64_t k = 0; k < COUNT_OF(cells); k++) {
        const alarm_rates rates = alarms(&cells[k], FITS, FRESH, THREADS);
        for (int kind = 0; kind < ALARM_ROWS; kind++) {
            alarms_verdict(&cells[k], &rates, kind, 3, verdict);
            if (strcmp(verdict, "ok") != 0)
                fail_msg("%lld×%lld, %lld components, %lld kept%s, %s rows: %s", (long long)cells[k].n,
                         (long long)cells[k].d, (long long)cells[k].truth, (long long)cells[k].kept,
                         cells[k].scaled ? ", scaled" : "", alarm_rows[kind], verdict);
        }
    }
}

/* What is left beyond the components is far from white, seen by methods that find a few of them only. */
static void of_unequal_columns_too(void **state)
{
    (void)state;
    static const alarm_cell cells[] = {
        {.n = 600, .d = 300, .truth = 3, .kept = 3, .unequal = 20, .solver = "lanczos"},
        {.n = 300, .d = 500, .truth = 3, .kept = 3, .unequal = 20, .solver = "lanczos"},
        {.n = 600, .d = 300, .truth = 3, .kept = 3, .unequal = 100, .solver = "covariance"},
        {.n = 100, .d = 12, .truth = 1, .kept = 2, .loud = 1e7},
        {.n = 100, .d = 12, .truth = 1, .loud = 1e10},
        {.n = 60, .d = 20, .truth = 3, .kept = 3, .loud = 1e10, .solver = "svd"},
        {.n = 40, .d = 60, .truth = 3, .kept = 3, .loud = 1e6},
    };
    char verdict[24];
    for (int64_t k = 0; k < COUNT_OF(cells); k++) {
        const alarm_rates rates = alarms(&cells[k], cells[k].unequal > 0 ? FITS / 6 : FITS, FRESH, THREADS);
        for (int kind = 0; kind < ALARM_ROWS; kind++) {
            alarms_verdict(&cells[k], &rates, kind, 3, verdict);
            if (strcmp(verdict, "ok") != 0)
                fail_msg("%lld×%lld, unequal %g, loud %g, %s rows: %s", (long long)cells[k].n, (long long)cells[k].d,
                         cells[k].unequal, cells[k].loud, alarm_rows[kind], verdict);
        }
    }
}

/* A shift of a quiet column is found beside a loud one. */
static void loud_columns_hide_nothing(void **state)
{
    (void)state;
    const alarm_cell cell = {.n = 100, .d = 12, .truth = 1, .kept = 2, .loud = 1e10, .planted = 0.05, .shift = 12};
    const alarm_rates rates = alarms(&cell, FITS, FRESH, THREADS);
    assert_int_equal(rates.failed, 0);
    assert_true(rates.power[ALARM_NEW] > 0.75); /* one in twelve is of the loud column */
}

static void discoveries_keep_their_rate(void **state)
{
    (void)state;
    static const alarm_cell cells[] = {
        {.n = 60, .d = 20, .truth = 3, .planted = 0.05, .shift = 12},
        {.n = 100, .d = 60, .truth = 3, .kept = 3, .planted = 0.05, .shift = 12},
    };
    for (int64_t k = 0; k < COUNT_OF(cells); k++) {
        const alarm_rates rates = alarms(&cells[k], FITS, FRESH, THREADS);
        assert_int_equal(rates.failed, 0);
        assert_true(rates.discoveries[ALARM_NEW] <= 0.13); /* 0.11, and what so few fits leave open */
        assert_true(rates.discoveries[ALARM_FITTED] <= 0.13);
        assert_true(rates.power[ALARM_NEW] > 0.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_often_as_the_level_says), cmocka_unit_test(of_unequal_columns_too),
        cmocka_unit_test(loud_columns_hide_nothing), cmocka_unit_test(discoveries_keep_their_rate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
