/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts for pictures: anything becomes UTF-8 without control characters, long ones are cut between letters and keep
 * their ends, numbers are written as people write them. */

#include "support/checks.h"

#include "view/words.h"

#include <string.h>

static void dirt_becomes_question_marks(void **state)
{
    static const struct {
        const char *given;
        const char *wanted;
    } cases[] = {
        {"größe 漢字 𝛌", "größe 漢字 𝛌"},
        {"a\xff"
         "b",
         "a?b"},
        {"\xc3", "?"},
        {"\xe6\xbc", "??"},
        {"\xc0\x80", "??"},
        {"\xed\xa0\x80", "???"},
        {"red\033[31m", "red?[31m"},
        {"a\tb\x7f\xc2\x85", "a?b??"},
        {"<b>&\"", "<b>&\""},
    };
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        char out[64];
        scree__words_clean(out, sizeof out, cases[i].given);
        assert_string_equal(out, cases[i].wanted);
    }
}

static void what_does_not_fit_ends_between_letters(void **state)
{
    char out[6];
    (void)state;
    scree__words_clean(out, sizeof out, "aößb"); /* 6 bytes and the end */
    assert_string_equal(out, "aöß");
}

static void long_texts_keep_their_ends(void **state)
{
    char out[64];
    (void)state;
    scree__words_cut(out, sizeof out, "sepal_length", 12);
    assert_string_equal(out, "sepal_length");
    scree__words_cut(out, sizeof out, "measurement number 17", 11);
    assert_string_equal(out, "measur…r 17");
    scree__words_cut(out, sizeof out, "ßßßßßßßßß", 5);
    assert_string_equal(out, "ßßßß…");
    assert_int_equal(scree__words_letters("ßß…"), 3);
}

static void numbers_are_short(void **state)
{
    static const struct {
        double value;
        int digits;
        const char *wanted;
    } cases[] = {
        {0, 3, "0"},           {12, 3, "12"},   {0.25, 3, "0.25"},        {-2.5, 3, "−2.5"}, {1234.5, 3, "1234"},
        {20, 1, "20"},         {500, 1, "500"}, {1690000, 3, "1.69×10⁶"}, {1e6, 3, "10⁶"},   {5.12e-6, 3, "5.12×10⁻⁶"},
        {-2e-7, 2, "−2×10⁻⁷"},
    };
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        char out[64];
        scree__words_number(out, sizeof out, cases[i].value, cases[i].digits);
        assert_string_equal(out, cases[i].wanted);
    }
}

static void powers_counts_and_files(void **state)
{
    char out[64];
    (void)state;
    scree__words_power(out, sizeof out, 3);
    assert_string_equal(out, "1000");
    scree__words_power(out, sizeof out, -12);
    assert_string_equal(out, "10⁻¹²");
    scree__words_count(out, sizeof out, 9999);
    assert_string_equal(out, "9999");
    scree__words_count(out, sizeof out, 1234567);
    assert_string_equal(out, "1\u202f234\u202f567");
    assert_string_equal(scree__words_base("/data/iris.csv"), "iris.csv");
    assert_string_equal(scree__words_base("iris.csv"), "iris.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dirt_becomes_question_marks), cmocka_unit_test(what_does_not_fit_ends_between_letters),
        cmocka_unit_test(long_texts_keep_their_ends),  cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(powers_counts_and_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
