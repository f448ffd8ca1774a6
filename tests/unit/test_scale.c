/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales: ends of the range have their place inside, ticks stand within the range at 1, 2 or 5 times a power of ten and
 * about as many as are wanted, for any range. */

#include "support/checks.h"

#include "view/scale.h"

static void places_run_from_low_to_high(void **state)
{
    const scree__scale linear = {.low = -2, .high = 6}, logarithmic = {.low = 0.01, .high = 100, .logarithmic = true};
    (void)state;
    EXPECT_NEAR(scree__scale_place(&linear, -2), 0, 0);
    EXPECT_NEAR(scree__scale_place(&linear, 0), 0.25, 1e-15);
    EXPECT_NEAR(scree__scale_place(&logarithmic, 1), 0.5, 1e-15);
    assert_true(isnan(scree__scale_place(&logarithmic, 0)));
}

/* 1, 2 or 5 times a power of ten. */
static bool is_nice(double step)
{
    const double rest = step / pow(10.0, floor(log10(step) + 1e-9));
    return fabs(rest - 1) < 1e-6 || fabs(rest - 2) < 1e-6 || fabs(rest - 5) < 1e-6;
}

static void ticks_are_nice_and_inside(void **state)
{
    static const double lows[] = {-1e9, -3.7, 0, 1e-9, 17.3}, spans[] = {1e-6, 0.013, 1, 47, 3.3e5, 1e12};
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(lows); i++)
        for (int64_t j = 0; j < COUNT_OF(spans); j++) {
            const scree__scale scale = {.low = lows[i], .high = lows[i] + spans[j]};
            scree__ticks ticks;
            scree__scale_ticks(&ticks, &scale, 6);
            assert_in_range(ticks.count, 2, 12);
            for (int k = 0; k < ticks.count; k++) {
                assert_true(ticks.at[k] >= scale.low - 1e-6 * spans[j] && ticks.at[k] <= scale.high + 1e-6 * spans[j]);
                if (k > 0 && fabs(lows[i]) < 1e6 * spans[j])
                    assert_true(is_nice(ticks.at[k] - ticks.at[k - 1]));
            }
        }
}

static void logarithmic_ticks_are_powers(void **state)
{
    const scree__scale wide = {.low = 1e-7, .high = 1e5, .logarithmic = true};
    const scree__scale narrow = {.low = 3, .high = 3.4, .logarithmic = true};
    scree__ticks ticks;
    (void)state;
    scree__scale_ticks(&ticks, &wide, 6);
    assert_in_range(ticks.count, 4, 8);
    for (int k = 0; k < ticks.count; k++)
        EXPECT_NEAR(log10(ticks.at[k]), round(log10(ticks.at[k])), 1e-9);
    scree__scale_ticks(&ticks, &narrow, 6);
    assert_in_range(ticks.count, 2, 12);
    const scree__scale low = {.low = 8e-4, .high = 0.9, .logarithmic = true}; /* every second power is one alone */
    scree__scale_ticks(&ticks, &low, 2);
    assert_in_range(ticks.count, 2, 4);
    for (int k = 0; k < ticks.count; k++)
        EXPECT_NEAR(log10(ticks.at[k]), round(log10(ticks.at[k])), 1e-9);
}

static void texts_say_what_the_ticks_are(void **state)
{
    const scree__scale scale = {.low = -0.3, .high = 0.55};
    scree__ticks ticks;
    (void)state;
    scree__scale_ticks(&ticks, &scale, 4);
    assert_int_equal(ticks.count, 2);
    assert_string_equal(ticks.text[0], "0.0");
    assert_string_equal(ticks.text[1], "0.5");
    scree__scale_ticks(&ticks, &scale, 5);
    assert_string_equal(ticks.text[0], "−0.2");
}

static void whole_numbers_have_no_ticks_between_them(void **state)
{
    const scree__scale scale = {.low = 0.5, .high = 3.5, .whole = true};
    scree__ticks ticks;
    (void)state;
    scree__scale_ticks(&ticks, &scale, 10);
    assert_int_equal(ticks.count, 3);
    assert_string_equal(ticks.text[2], "3");
}

static void a_scale_may_fall(void **state)
{
    const scree__scale rises = {.low = 12, .high = 61}, falls = {.low = 61, .high = 12};
    scree__ticks up, down;
    (void)state;
    scree__scale_ticks(&up, &rises, 5);
    scree__scale_ticks(&down, &falls, 5);
    assert_in_range(up.count, 3, 10);
    assert_int_equal(down.count, up.count);
    for (int k = 0; k < up.count; k++) {
        assert_string_equal(down.text[k], up.text[k]);
        EXPECT_NEAR(scree__scale_place(&falls, down.at[k]), 1 - scree__scale_place(&rises, up.at[k]), 1e-15);
    }
}

static void one_value_has_a_range(void **state)
{
    static const double alone[] = {0, 5, -1e-9, 1e300};
    double range[2];
    const double mixed[] = {NAN, 3, -1, INFINITY, 0, 2};
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(alone); i++) {
        const scree__scale scale = scree__scale_over(alone[i], alone[i], true);
        assert_true(scale.low < alone[i] && alone[i] < scale.high);
    }
    scree__range(mixed, COUNT_OF(mixed), 1, false, range);
    assert_true(range[0] == -1 && range[1] == 3);
    scree__range(mixed, COUNT_OF(mixed), 1, true, range);
    assert_true(range[0] == 2 && range[1] == 3);
    scree__range(mixed, 1, 1, false, range);
    assert_true(range[0] == 0 && range[1] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_run_from_low_to_high),
        cmocka_unit_test(ticks_are_nice_and_inside),
        cmocka_unit_test(logarithmic_ticks_are_powers),
        cmocka_unit_test(texts_say_what_the_ticks_are),
        cmocka_unit_test(whole_numbers_have_no_ticks_between_them),
        cmocka_unit_test(one_value_has_a_range),
        cmocka_unit_test(a_scale_may_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
