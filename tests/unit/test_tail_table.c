/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of tails against the exact tails, within 1e-9 everywhere from 0 to far past the last node, for shapes from one
 * degree of freedom to millions. */

#include "support/checks.h"

#include "model/tail_table.h"

enum { PLACES = SLOW_BUILD ? 2000 : 20000 };

static const scree__tail tails[] = {
    {SCREE__TAIL_GAMMA, 0.5, 0, 2},  {SCREE__TAIL_GAMMA, 1, 0, 1e-9},   {SCREE__TAIL_GAMMA, 1.5, 0, 3e7},
    {SCREE__TAIL_GAMMA, 392, 0, 2},  {SCREE__TAIL_GAMMA, 1e4, 0, 1},    {SCREE__TAIL_GAMMA, 1e6, 0, 2},
    {SCREE__TAIL_BETA, 0.5, 0.5, 4}, {SCREE__TAIL_BETA, 0.5, 1, 4},     {SCREE__TAIL_BETA, 1, 2.5, 9},
    {SCREE__TAIL_BETA, 5, 49, 1e6},  {SCREE__TAIL_BETA, 1.5, 4e5, 1e6}, {SCREE__TAIL_BETA, 367, 3.6e5, 1e3},
    {SCREE__TAIL_BETA, 49, 0.5, 99}, {SCREE__TAIL_BETA, 1e5, 1e6, 1},   {SCREE__TAIL_F, 0.5, 0.5, 2},
    {SCREE__TAIL_F, 1, 4.5, 10},     {SCREE__TAIL_F, 2.5, 500, 1e3},    {SCREE__TAIL_F, 367, 3.6e5, 1e-3},
    {SCREE__TAIL_F, 1e5, 1e6, 1},    {SCREE__TAIL_F, 0.5, 5e5, 1e6},    {SCREE__TAIL_F, 50, 1, 7},
};

/* Where X is about this chance of being larger: by bisection. */
static double place_of(const scree__tail *tail, double log_chance)
{
    double low = 0;
    double high = tail->kind == SCREE__TAIL_BETA ? tail->scale : tail->scale * 1e150;
    for (int i = 0; i < 700; i++) {
        const double middle = low > 0 ? sqrt(low * high) : high * 1e-170;
        if (scree__tail_log(tail, middle) > log_chance)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Equal steps through the bulk, in x, then through the tail. */
static void near_everywhere(const scree__tail *tail)
{
    scree__tail_table table = {0};
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__tail_table_make(&table, tail, &error), error);
    const double ends[] = {place_of(tail, -40), place_of(tail, -800)};
    for (int part = 0; part < 2; part++)
        for (int i = 0; i <= PLACES; i++) {
            const double x = ends[part] * i / PLACES;
            const double wanted = scree__tail_log(tail, x);
            const double found = scree__tail_table_log(&table, x);
            if (!(fabs(found - wanted) <= 1e-9) && !(isinf(wanted) && found == wanted))
                fail_msg("kind %d, shapes %g %g: at %.17g, ln tail is %.17g, not %.17g", (int)tail->kind, tail->a,
                         tail->b, x, found, wanted);
        }
    assert_true(scree__tail_table_log(&table, 0) == 0);
    assert_true(isinf(scree__tail_table_log(&table, HUGE_VAL)));
    scree__tail_table_clear(&table);
}

static void tables_are_near(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(tails); i++)
        near_everywhere(&tails[i]);
}

static void nothing_is_certain(void **state)
{
    (void)state;
    scree__tail_table table = {0};
    const scree__tail none = {.kind = SCREE__TAIL_NONE};
    assert_int_equal(scree__tail_table_make(&table, &none, NULL), SCREE_OK);
    assert_true(scree__tail_table_log(&table, 0) == 0);
    assert_true(scree__tail_table_log(&table, 1e9) == 0);
    scree__tail_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_near), cmocka_unit_test(nothing_is_certain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
