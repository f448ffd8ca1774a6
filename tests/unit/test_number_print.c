/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing numbers: they read back the same, no shorter decimal does, and they look as people expect. */

#include "base/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state_word = 7;

static uint64_t random_word(void)
{
    state_word ^= state_word >> 12;
    state_word ^= state_word << 25;
    state_word ^= state_word >> 27;
    return state_word * UINT64_C(2685821657736338717);
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The significant digits of a printed number, without zeros at either end; returns how many. */
static int digits_of(const char *text, char *digits)
{
    int count = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0'))
            digits[count++] = *text;
    while (count > 0 && digits[count - 1] == '0')
        count--;
    digits[count] = 0;
    return count;
}

/* Prints, reads back, and compares with the least precision of %e that reads back. At a power of two the interval is
 * lopsided and a shorter decimal may exist that %e does not round to. */
static void check_double(double value)
{
    char text[SCREE__NUMBER_SIZE];
    char probe[64];
    char digits[64];
    char wanted[64];
    double back = 0;
    int length = scree__print_double(text, value);
    assert_int_equal(length, strlen(text));
    assert_true(length < SCREE__NUMBER_SIZE);
    assert_ptr_equal(scree__parse_double(text, text + length, &back), text + length);
    if (memcmp(&back, &value, sizeof value))
        fail_msg("%.17g prints as %s", value, text);
    int precision = 0;
    do
        snprintf(probe, sizeof probe, "%.*e", precision++, value);
    while (strtod(probe, NULL) != value);
    int count = digits_of(text, digits);
    int least = digits_of(probe, wanted);
    if (count > least || (count == least && strcmp(digits, wanted) != 0))
        fail_msg("%s prints as %s", probe, text);
}

static void check_float(float value)
{
    char text[SCREE__NUMBER_SIZE];
    char probe[64];
    char digits[64];
    char wanted[64];
    scree__print_float(text, value);
    float back = strtof(text, NULL);
    if (memcmp(&back, &value, sizeof value))
        fail_msg("%.9g prints as %s", (double)value, text);
    int precision = 0;
    do
        snprintf(probe, sizeof probe, "%.*e", precision++, (double)value);
    while (strtof(probe, NULL) != value);
    int count = digits_of(text, digits);
    int least = digits_of(probe, wanted);
    if (count > least || (count == least && strcmp(digits, wanted) != 0))
        fail_msg("%s prints as %s", probe, text);
}

static void test_shortest(void **state)
{
    (void)state;
    for (int i = 0; i < 30000; i++) {
        double value = double_of(random_word());
        if (isfinite(value) && value != 0)
            check_double(value);
        check_double((double)(random_word() % 1000000 + 1) / 1000);
        check_double((double)(random_word() >> (random_word() % 60)) + 1);
    }
    for (uint64_t exponent = 1; exponent < 2047; exponent++)
        for (uint64_t step = 0; step < 3; step++)
            check_double(double_of((exponent << 52) - 1 + step));
    for (uint64_t bits = 1; bits < 1000; bits++)
        check_double(double_of(bits));
}

static void test_millions_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < 2000000; i++) {
        double value = double_of(random_word());
        double back = 0;
        char text[SCREE__NUMBER_SIZE];
        if (isnan(value))
            continue;
        int length = scree__print_double(text, value);
        if (scree__parse_double(text, text + length, &back) != text + length || memcmp(&back, &value, sizeof value))
            fail_msg("%.17g prints as %s", value, text);
    }
}

static void test_floats(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        float value = float_of((uint32_t)random_word());
        if (isfinite(value) && value != 0)
            check_float(value);
    }
    for (uint32_t exponent = 1; exponent < 255; exponent++)
        for (uint32_t step = 0; step < 3; step++)
            check_float(float_of((exponent << 23) - 1 + step));
    for (uint32_t bits = 1; bits < 1000; bits++)
        check_float(float_of(bits));
}

static void expect(double value, const char *wanted)
{
    char text[SCREE__NUMBER_SIZE];
    assert_int_equal(scree__print_double(text, value), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void test_looks(void **state)
{
    (void)state;
    char text[SCREE__NUMBER_SIZE];
    expect(0.0, "0");
    expect(-0.0, "-0");
    expect(1, "1");
    expect(-2.5, "-2.5");
    expect(0.1, "0.1");
    expect(0.1 + 0.2, "0.30000000000000004");
    expect(123456, "123456");
    expect(1e15, "1000000000000000");
    expect(1234567890123456, "1234567890123456");
    expect(1e16, "1e16");
    expect(0x1p53, "9007199254740992");
    expect(0.0001, "0.0001");
    expect(0.00012, "0.00012");
    expect(1e-5, "1e-5");
    expect(1.25e-7, "1.25e-7");
    expect(6.02214076e23, "6.02214076e23");
    expect(1e100, "1e100");
    expect(5e-324, "5e-324");
    expect(-1.7976931348623157e308, "-1.7976931348623157e308");
    expect(-2.2250738585072014e-308, "-2.2250738585072014e-308");
    expect((double)NAN, "nan");
    expect((double)-INFINITY, "-inf");
    assert_int_equal(scree__print_float(text, 0.1f), 3);
    assert_string_equal(text, "0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_millions_read_back),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
