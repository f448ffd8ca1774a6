/* SPDX-License-Identifier: BSD-3-Clause */
/* UTF-8: what is a letter, what steers a terminal, and texts that were cut; every byte is shown or spelled out. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/utf8.h"

static void shows(const char *text, const char *wanted)
{
    char out[64];
    assert_int_equal(scree_text_visible(out, sizeof out, text), strlen(wanted));
    assert_string_equal(out, wanted);
    char again[64];
    scree_text_visible(again, sizeof again, out); /* what is visible stays as it is */
    assert_string_equal(again, wanted);
}

static void test_visible(void **state)
{
    (void)state;
    shows("", "");
    shows("height (cm), Größe, 高さ, 🙂", "height (cm), Größe, 高さ, 🙂");
    shows("a\033[31mb\n\t\r", "a\\x1b[31mb\\x0a\\x09\\x0d");
    shows("\x7f\xC2\x9B\xC2\xA0", "\\x7f\\u009b\xC2\xA0");
    /* NOLINTNEXTLINE(misc-misleading-bidirectional) ; that is what is tested */
    shows("\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8\xE2\x80\x94", "\\u202e\\u2066\\u2028—");
    shows("\xFF\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80\xE2\x82", /* too long, half a pair, too large, cut */
          "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xe2\\x82");
}

static void test_every_byte(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = {(char)byte, '\0'};
        char out[8];
        scree_text_visible(out, sizeof out, text);
        assert_int_equal(strlen(out), byte >= 0x20 && byte < 0x7F ? 1 : 4);
    }
}

/* A byte that begins a letter, and three that go on with one: four are a letter from F0 to F4, where they are one. */
static void test_every_beginning(void **state)
{
    (void)state;
    for (int byte = 0x80; byte < 256; byte++) {
        const char text[] = {(char)byte, '\x90', '\x80', '\x80'};
        assert_int_equal(scree__utf8_valid(text, 4) == 4, byte >= 0xF0 && byte <= 0xF3);
    }
}

static void test_cut_between_letters(void **state)
{
    char out[8];
    (void)state;
    for (size_t size = 1; size <= sizeof out; size++) {
        memset(out, '#', sizeof out);
        assert_int_equal(scree_text_visible(out, size, "aé\033é"), 9);
        assert_true(strlen(out) < size);
        assert_int_equal(scree__utf8_valid(out, strlen(out)), strlen(out));
        assert_true(size < 8 || strcmp(out, "aé\\x1b") == 0);
    }
    assert_int_equal(scree_text_visible(NULL, 0, "\033"), 4);
}

static void test_valid(void **state)
{
    (void)state;
    assert_int_equal(scree__utf8_valid("0123456789abcdefé", 18), 18);
    assert_int_equal(scree__utf8_valid("0123456789abcdef\xE9", 17), 16);
    assert_int_equal(scree__utf8_valid("\xE9xyz0123456", 11), 0);
    assert_int_equal(scree__utf8_valid("ab\xE2\x82", 4), 2);
}

static void test_trim(void **state)
{
    static const char euro[] = "a€";
    (void)state;
    for (size_t size = 1; size <= 4; size++) {
        char text[8] = "";
        memcpy(text, euro, size);
        scree__utf8_trim(text);
        assert_string_equal(text, size == 4 ? euro : "a");
    }
}

/* Names in error texts, also in those that are too long for it. */
static void test_error_text(void **state)
{
    static const char euro[3] = {'\xE2', '\x82', '\xAC'};
    static char name[3000];
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    scree__fail(&error, SCREE_ERR_IO, "%s: cannot", "\033]0;x\007.csv");
    assert_string_equal(error.text, "\\x1b]0;x\\x07.csv: cannot");
    for (size_t i = 0; i + 3 < sizeof name; i += 3)
        memcpy(name + i, euro, sizeof euro);
    for (int shift = 0; shift < 3; shift++) {
        scree__fail(&error, SCREE_ERR_IO, "%.*s%s", shift, "xx", name);
        assert_true(strlen(error.text) >= sizeof error.text - 4);
        assert_int_equal(scree__utf8_valid(error.text, strlen(error.text)), strlen(error.text));
        assert_null(strchr(error.text, '\\'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visible),         cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_every_beginning), cmocka_unit_test(test_cut_between_letters),
        cmocka_unit_test(test_valid),           cmocka_unit_test(test_trim),
        cmocka_unit_test(test_error_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
