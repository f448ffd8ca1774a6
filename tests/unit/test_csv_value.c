/* SPDX-License-Identifier: BSD-3-Clause */
/* What cells say: digits in groups, per cent signs, spellings of missing, and which decimal mark explains a number. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_file.h"
#include "data/csv.h"
#include "support/calls.h"

#include <stdio.h>
#include <string.h>

static const scree__csv_syntax plain = {.decimal_comma = false};
static const scree__csv_syntax by_point = {.thousands = ','};
static const scree__csv_syntax by_comma = {.decimal_comma = true, .thousands = '.'};

static void read_cell(scree__csv_cell *cell, char *copy, size_t size, const char *text)
{
    snprintf(copy, size, "\"%s\"\n", text);
    scree__csv_cell_read(cell, copy, ';');
}

static scree__csv_kind kind_of(const char *text, const scree__csv_syntax *syntax, double *value)
{
    char copy[256];
    scree__csv_cell cell;
    read_cell(&cell, copy, sizeof copy, text);
    return scree__csv_cell_value(&cell, syntax, value);
}

static void expect_number(const char *text, const scree__csv_syntax *syntax, double wanted)
{
    double value = 0;
    if (kind_of(text, syntax, &value) != SCREE__CSV_NUMBER || value != wanted)
        fail_msg("'%s' is %.17g, not %.17g", text, value, wanted);
}

static void expect_text(const char *text, const scree__csv_syntax *syntax)
{
    double value = 0;
    if (kind_of(text, syntax, &value) != SCREE__CSV_TEXT)
        fail_msg("'%s' is no text but %.17g", text, value);
}

static void test_groups(void **state)
{
    (void)state;
    expect_number("1 234", &plain, 1234);
    expect_number("1\xC2\xA0"
                  "234.5",
                  &plain, 1234.5);
    expect_number("-12\xE2\x80\xAF"
                  "345\xE2\x80\xAF"
                  "678",
                  &plain, -12345678);
    expect_number("1'234'567.25", &plain, 1234567.25);
    expect_number("1,234", &by_point, 1234);
    expect_number("+123,456,789.5", &by_point, 123456789.5);
    expect_number("1.234,5", &by_comma, 1234.5);
    expect_number("1.234.567", &by_comma, 1234567);
    expect_number("1.234", &by_comma, 1234);
    expect_number("1,5", &by_comma, 1.5);
    expect_number("1,234.5e2", &by_point, 123450);
    static const char *const texts[] = {"1,234", "1 23",    "1 2345",    "12 34 567", "1234 567",
                                        "0 123", "1 234,5", "1 234'567", "1  234",    "1 234x"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i], &plain);
    expect_text("1,23,456", &by_point);
    expect_text("1234,567", &by_point);
    expect_text("0,123", &by_point);
    expect_text("1.5", &by_comma);
    expect_text("9,007,199,254,740,993", &by_point); /* it would be rounded */
}

static void test_percentages(void **state)
{
    (void)state;
    double value = 0;
    assert_int_equal(kind_of("25%", &plain, &value), SCREE__CSV_PERCENT);
    assert_true(value == 25);
    assert_int_equal(kind_of("-2.5 %", &plain, &value), SCREE__CSV_PERCENT);
    assert_true(value == -2.5);
    assert_int_equal(kind_of("2,5\xC2\xA0%", &by_comma, &value), SCREE__CSV_PERCENT);
    assert_true(value == 2.5);
    assert_int_equal(kind_of("%", &plain, &value), SCREE__CSV_TEXT);
    assert_int_equal(kind_of("x%", &plain, &value), SCREE__CSV_TEXT);
    assert_int_equal(kind_of("25%%", &plain, &value), SCREE__CSV_TEXT);
}

static void test_words(void **state)
{
    (void)state;
    static const char *const missing[] = {"n.d.", "N.D.", "n.a.", "n/d", "#DIV/0!", "#Value!", "#NAME?", "#WERT!"};
    static const char *const texts[] = {"nd", "#DIV/0", "<0.5", "--", "-1x", "n.d"};
    double value = 0;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        assert_int_equal(kind_of(missing[i], &plain, &value), SCREE__CSV_MISSING);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i], &plain);
}

static void test_words_of_the_options(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__csv_na na = {.count = 0};
    const scree__csv_syntax syntax = {.na = &na};
    double value = 0;
    assert_int_equal(scree__csv_na_read(&na, "-999, n.m. ,<*,\"a,b*\"", "f", &error), SCREE_OK);
    assert_int_equal(na.count, 4);
    static const char *const missing[] = {"-999", "-999.0", "-9.99e2", "n.m.", "<0.5", "<", "a,b*"};
    static const char *const texts[] = {"-999x", "N.M.", ">0.5", "a", "n.m.x"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (kind_of(missing[i], &syntax, &value) != SCREE__CSV_MISSING)
            fail_msg("'%s' is not missing", missing[i]);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i], &syntax);
    expect_number("999", &syntax, 999);
    scree__csv_na_clear(&na);
    assert_int_equal(scree__csv_na_read(&na, "a,\"b\"c", "f", &error), SCREE_ERR_ARGUMENT);
    scree__csv_na_clear(&na);
    char many[2 * SCREE__CSV_NA_MOST + 2] = "0";
    for (int i = 0; i < SCREE__CSV_NA_MOST; i++)
        memcpy(many + 1 + 2 * (size_t)i, ",1", 3);
    assert_int_equal(scree__csv_na_read(&na, many, "f", &error), SCREE_ERR_ARGUMENT);
    scree__csv_na_clear(&na);
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        scree__csv_shape shape;
    } cases[] = {
        {"1,234", SCREE__CSV_BY_EITHER},    {"-12,345", SCREE__CSV_BY_EITHER},  {"3,14", SCREE__CSV_BY_COMMA},
        {"0,123", SCREE__CSV_BY_COMMA},     {"1234,567", SCREE__CSV_BY_COMMA},  {"1.234,5", SCREE__CSV_BY_COMMA},
        {"1.234.567", SCREE__CSV_BY_COMMA}, {"1,234,567", SCREE__CSV_BY_POINT}, {"1,234.5", SCREE__CSV_BY_POINT},
        {"a,b", SCREE__CSV_BY_NONE},        {"1,2,3", SCREE__CSV_BY_NONE},      {"word", SCREE__CSV_BY_NONE},
        {"1.234", SCREE__CSV_BY_EITHER},    {"0.234", SCREE__CSV_BY_POINT},     {"1.5", SCREE__CSV_BY_POINT},
        {"1.5e3", SCREE__CSV_BY_POINT},     {".", SCREE__CSV_BY_NONE},          {"1234", SCREE__CSV_BY_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char copy[64];
        scree__csv_cell cell;
        read_cell(&cell, copy, sizeof copy, cases[i].text);
        if (scree__csv_cell_shape(&cell) != cases[i].shape)
            fail_msg("'%s' has the shape %d", cases[i].text, (int)scree__csv_cell_shape(&cell));
    }
}

/* Whole files of more than a window's pieces: what the sample settled holds for all of it. */
static void test_beyond_the_sample(void **state)
{
    (void)state;
    enum { LINES = 400 };
    char text[LINES * 32] = "a;b\n";
    size_t length = strlen(text);
    for (int i = 1; i < LINES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i == 350 ? "x%d;1.234,5\n" : "%d;1.234,5\n", i);
    csv_expect_error(text, NULL,
                     "line 351, column 'a': 'x350' is not a number; correct the cell, take it as missing with --na "
                     "'x350', or make the column a label");
    length = (size_t)snprintf(text, sizeof text, "a,b\n");
    for (int i = 1; i < LINES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i > 390 ? "%d mg,1\n" : "%d,1\n", i);
    csv_expect_error(text, NULL,
                     "line 392, column 'a': '391 mg' is not a number, nor is '392 mg' in line 393, '393 mg' in line "
                     "394, and 6 more; correct the cells, take them as missing with --na '391 mg,392 mg,393 mg', or "
                     "make the column a label");
}

/* A row of which nothing is known is a row, but not at the end. */
static void test_empty_rows(void **state)
{
    (void)state;
    const double gap = (double)NAN;
    csv_expect_values("a,b\n1,2\n,\n3,4\n,\n , \n,\r\n", NULL, 3, 2, (double[]){1, 2, gap, gap, 3, 4});
    csv_expect_values("a,b\n1,2\n,", NULL, 1, 2, (double[]){1, 2});
    csv_expect_error("a,b\n,\n,\n", NULL, "there is a header and no row below it; give a file with rows of numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_percentages),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_words_of_the_options),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_beyond_the_sample),
        cmocka_unit_test(test_empty_rows),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
