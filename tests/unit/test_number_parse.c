/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading numbers: the same double as strtod on random decimals, halfway points and oddities; where reading stops. */

#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state_word = 1;

/* xorshift64*, seeded alike in every run. */
static uint64_t random_word(void)
{
    state_word ^= state_word >> 12;
    state_word ^= state_word << 25;
    state_word ^= state_word >> 27;
    return state_word * UINT64_C(2685821657736338717);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Agrees with strtod in value and in where the number ends. */
static void check(const char *text)
{
    double value = 0;
    char *stop;
    double wanted = strtod(text, &stop);
    const char *after = scree__parse_double(text, text + strlen(text), &value);
    if (after != stop || bits_of(value) != bits_of(wanted))
        fail_msg("'%s' reads as %.17g where strtod has %.17g", text, value, wanted);
}

static void test_random_decimals(void **state)
{
    (void)state;
    for (int i = 0; i < 400000; i++) {
        char text[64];
        int digits = 1 + (int)(random_word() % 25);
        int point = (int)(random_word() % (unsigned)(digits + 2)) - 1;
        int n = 0;
        if (random_word() & 1)
            text[n++] = random_word() & 1 ? '-' : '+';
        for (int j = 0; j < digits; j++) {
            if (j == point)
                text[n++] = '.';
            text[n++] = (char)('0' + random_word() % 10);
        }
        text[n] = 0;
        if (random_word() & 1)
            snprintf(text + n, sizeof text - (size_t)n, "e%d",
                     random_word() & 1 ? (int)(random_word() % 60) - 30 : (int)(random_word() % 700) - 350);
        check(text);
    }
}

static void test_bit_patterns(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = random_word();
        double value;
        char text[64];
        memcpy(&value, &bits, sizeof bits);
        if (!isfinite(value))
            continue;
        for (int precision = 14; precision <= 19; precision++) {
            snprintf(text, sizeof text, "%.*e", precision, value);
            check(text);
        }
    }
}

/* The point halfway between two doubles, written out in full, and its neighbours in the last digit. */
static void check_halfway(uint64_t significand, int exponent)
{
    char text[1200];
    long double middle = ldexpl((long double)(2 * significand + 1), exponent - 1);
    int length = snprintf(text, sizeof text - 2, "%.*Lf", exponent <= 0 ? 1 - exponent : 0, middle);
    check(text);
    if (!strchr(text, '.'))
        text[length++] = '.';
    memcpy(text + length, "1", 2);
    check(text);
    text[length] = 0;
    for (char *p = text + length - 1; p >= text; p--)
        if (*p > '0' && *p <= '9') {
            --*p;
            check(text);
            break;
        }
}

static void test_halfway_cases(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t significand = UINT64_C(1) << 52 | random_word() >> 12;
        check_halfway(significand, (int)(random_word() % 220) - 150);
        check_halfway(significand, (int)(random_word() % 20) - 10);
    }
    for (int i = 0; i < 200; i++)
        check_halfway(random_word() >> 12, -1074);
}

static void test_oddities(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0.0",
                                        "00000000000000000000000000000.5",
                                        "0.000000000000000000000000000000000000123456789012345678",
                                        "0e999999999999999999999999",
                                        "1e999999999999999999999",
                                        "-1e400",
                                        "1e-400",
                                        "1e-999999999999999999999999999",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e",
                                        "1e+",
                                        "1e-",
                                        "1.5e+x",
                                        "1..5",
                                        "1,5",
                                        "12 3",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327208e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "9007199254740993",
                                        "9007199254740992.999999999999999999999999",
                                        "9007199254740993.000000000000000000000000001",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "99999999999999999999",
                                        "10000000000000000000000e-22",
                                        "7.2057594037927933e16",
                                        "1e23",
                                        "8.5e22",
                                        "6929495644600919.5",
                                        "3.1415926535897932384626433832795028841971",
                                        "123456789012345678e-18",
                                        "5e-324",
                                        "3e-324",
                                        "2e-324",
                                        "inf",
                                        "INF",
                                        "-Infinity",
                                        "infinite",
                                        "nan",
                                        "NaN"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check(texts[i]);
}

static void test_very_long_numbers(void **state)
{
    (void)state;
    char *text = malloc(5000);
    assert_non_null(text);
    for (int i = 0; i < 200; i++) {
        int length = 100 + (int)(random_word() % 4000);
        for (int j = 0; j < length; j++)
            text[j] = (char)('0' + (i % 2 ? random_word() % 10 : j == 0));
        text[random_word() % 90] = '.';
        snprintf(text + length, 20, "e-%d", (int)(random_word() % 4000));
        check(text);
    }
    free(text);
}

static void test_no_number(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "-", "+", ".", "-.", "e5", ".e5", "x", " 1", "in", "na", "--1", "NA", "-e"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value;
        assert_null(scree__parse_double(texts[i], texts[i] + strlen(texts[i]), &value));
    }
}

/* What stands behind the end is not read, not even as part of eight digits. */
static void test_end_is_obeyed(void **state)
{
    (void)state;
    const char text[] = "1234567890123456.5e12";
    double value;
    for (int64_t length = 1; length < (int64_t)sizeof text - 1; length++) {
        char *part = malloc((size_t)length + 1);
        assert_non_null(part);
        memcpy(part, text, (size_t)length);
        part[length] = 0;
        double wanted = strtod(part, NULL);
        assert_non_null(scree__parse_double(text, text + length, &value));
        assert_true(bits_of(value) == bits_of(wanted));
        free(part);
    }
    const char *hex = "0x10";
    assert_ptr_equal(scree__parse_double(hex, hex + 4, &value), hex + 1);
    const char *name = "nan(1)";
    assert_ptr_equal(scree__parse_double(name, name + 6, &value), name + 3);
}

static void test_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};
    for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, locales[i]); i++)
        ;
    const char *text = "2.4703282292062328e-324";
    double value = 0;
    scree__parse_double(text, text + strlen(text), &value);
    setlocale(LC_NUMERIC, "C");
    assert_true(bits_of(value) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_decimals),   cmocka_unit_test(test_bit_patterns),
        cmocka_unit_test(test_halfway_cases),     cmocka_unit_test(test_oddities),
        cmocka_unit_test(test_very_long_numbers), cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_end_is_obeyed),     cmocka_unit_test(test_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
