/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotients of integers: small ones against the processor's own division, ties and what lies just beside them, and long
 * ones against the definition: no other double is nearer. */

#include "support/checks.h"

#include "kernel/integer_quotient.h"

#include <math.h>

static scree__wide power(int exponent)
{
    return (scree__wide)1 << exponent;
}

static uint64_t drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 11;
}

static void test_short(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        const int64_t a = (int64_t)drawn(&seed) - (INT64_C(1) << 52);
        const int64_t b = (int64_t)(drawn(&seed) >> i % 50) + 1;
        const double expected = (double)a / (double)b;
        assert_true(scree__wide_quotient(a, b) == expected);
        assert_true(scree__quotient(a, b) == expected);
    }
    assert_true(scree__wide_quotient(0, 7) == 0);
    assert_true(scree__wide_quotient(-1, 3) == -1.0 / 3);
}

/* q + 1/2 in units of the last place goes to the even neighbour, a little less or more to the nearer one. */
static void test_ties(void **state)
{
    (void)state;
    const scree__wide divisor = power(40) - 87;
    for (int odd = 0; odd < 2; odd++) {
        const scree__wide last = power(53) - 5 + odd; /* odd or even as a double of 53 bits */
        const double down = ldexp((double)(int64_t)last, 1);
        const double up = ldexp((double)(int64_t)(last + 1), 1);
        const scree__wide tie = (2 * last + 1) * divisor;
        assert_true(scree__wide_quotient(tie, divisor) == (last % 2 == 0 ? down : up));
        assert_true(scree__wide_quotient(tie - 1, divisor) == down);
        assert_true(scree__wide_quotient(tie + 1, divisor) == up);
        assert_true(scree__wide_quotient(-tie + 1, divisor) == -down);
        assert_true(scree__wide_quotient(-tie - 1, divisor) == -up);
    }
}

/* |q·b - a| in units that are integers: q·2^shift is one for every q in question, a·2^shift fits. */
static scree__wide miss(double q, scree__wide a, scree__wide b, int shift)
{
    const scree__wide off = (scree__wide)ldexp(q, shift) * b - a * power(shift);
    return off < 0 ? -off : off;
}

static void test_long(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int beyond = 0;
    for (int i = 0; i < 20000; i++) {
        const scree__wide b = power(60) + (scree__wide)drawn(&seed);
        const scree__wide a = (scree__wide)(drawn(&seed) >> 1) * (scree__wide)(512 + drawn(&seed) % 512);
        const double q = scree__quotient(a, b); /* below 8, and 2^64 a fits; above 1/8 in most cases */
        if (q < 0.125)
            continue;
        beyond++;
        assert_true(miss(q, a, b, 56) <= miss(nextafter(q, 0), a, b, 56));
        assert_true(miss(q, a, b, 56) <= miss(nextafter(q, 9), a, b, 56));
        assert_true(scree__quotient(-a, b) == -q);
    }
    assert_true(beyond > 1000);
    assert_true(scree__quotient(1, power(95)) == ldexp(1, -95));
    assert_true(scree__quotient(power(120) + 1, power(95)) == ldexp(1, 25));
    assert_true(scree__quotient(power(126), 3) == ldexp(1, 126) / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
