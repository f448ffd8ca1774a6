/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts by number: the same text has the same number, also after the table has grown; what is kept is clean UTF-8. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/report_dictionary.h"

static int64_t number(scree__dictionary *words, const char *text)
{
    int64_t found = -2;
    assert_int_equal(scree__dictionary_number(words, text, &found, NULL), SCREE_OK);
    return found;
}

static void test_numbers(void **state)
{
    (void)state;
    scree__dictionary words = {0};
    char text[32];
    for (int round = 0; round < 2; round++)
        for (int64_t i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "word %d", (int)i);
            assert_int_equal(number(&words, text), i);
        }
    assert_int_equal(words.count, 1000);
    assert_string_equal(words.text[999], "word 999");
    scree__dictionary_clear(&words);
}

static void test_no_more_than_allowed(void **state)
{
    (void)state;
    scree__dictionary words = {.most = 2};
    assert_int_equal(number(&words, "a"), 0);
    assert_int_equal(number(&words, ""), 1);
    assert_int_equal(number(&words, "b"), -1);
    assert_int_equal(number(&words, "a"), 0);
    assert_int_equal(words.count, 2);
    scree__dictionary_clear(&words);
}

static void check_text(const char *text, int64_t most, const char *wanted)
{
    char *clean = scree__report_text(text, most);
    assert_non_null(clean);
    assert_string_equal(clean, wanted);
    free(clean);
}

static void test_clean_text(void **state)
{
    (void)state;
    check_text("plain", 5, "plain");
    check_text("plain", 4, "plai\xE2\x80\xA6");
    check_text("\xC3\xBC\xE2\x9C\x93\xF0\x9F\x98\x80", 3, "\xC3\xBC\xE2\x9C\x93\xF0\x9F\x98\x80");
    check_text("\xC3\xBC\xE2\x9C\x93", 1, "\xC3\xBC\xE2\x80\xA6");
    check_text("a\tb\x7F", 9,
               "a\xEF\xBF\xBD"
               "b\xEF\xBF\xBD");
    check_text("\xFF", 9, "\xEF\xBF\xBD");                                 /* no first byte */
    check_text("\xC3", 9, "\xEF\xBF\xBD");                                 /* cut off */
    check_text("\xC0\x80", 9, "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* overlong */
    check_text("\xED\xA0\x80", 9, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* a surrogate */
    check_text("\xF4\x90\x80\x80", 1, "\xEF\xBF\xBD\xE2\x80\xA6");         /* past the last */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_no_more_than_allowed),
        cmocka_unit_test(test_clean_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
