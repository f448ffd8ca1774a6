/* SPDX-License-Identifier: BSD-3-Clause */
/* Where records and cells end, in whole text and in text that is cut off; what a cell says. */

#include "data/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The first record has length characters; in every shorter text it is not whole. */
static void expect_record(const char *text, char delimiter, int64_t length)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    for (int64_t size = 0; size <= (int64_t)strlen(text); size++) {
        char *open = NULL;
        const char *end = scree__csv_record_end(copy, copy + size, delimiter, &open);
        if (size < length)
            assert_null(end);
        else
            assert_ptr_equal(end, copy + length);
    }
}

static void test_records(void **state)
{
    (void)state;
    expect_record("\n", ',', 1);
    expect_record("1,2\n3,4\n", ',', 4);
    expect_record("1,2\r\n3,4\r\n", ',', 5);
    expect_record("\"a\nb\",2\n3,4\n", ',', 8);
    expect_record("1,\"a\n\"\"\nb\"\n3\n", ',', 11);
    expect_record("1,5\" disk\n\"x\"\n", ',', 10);
    expect_record("1;\",\";\"\n\"\n2;3\n", ';', 10);
    expect_record("1 \"a\nb\" 2\n", ' ', 10);
}

static void expect_cells(const char *text, char delimiter, int64_t count, const char *const *wanted)
{
    char copy[256];
    char cell_text[256];
    scree__csv_cell cell = {.next = copy};
    snprintf(copy, sizeof copy, "%s", text);
    for (int64_t i = 0; i < count; i++) {
        assert_false(cell.last);
        scree__csv_cell_read(&cell, cell.next, delimiter);
        assert_int_equal(scree__csv_cell_text(&cell, cell_text), strlen(wanted[i]));
        assert_string_equal(cell_text, wanted[i]);
    }
    assert_true(cell.last);
    assert_ptr_equal(cell.next, copy + strlen(text));
}

static void test_cells(void **state)
{
    (void)state;
    expect_cells("1,,3\n", ',', 3, (const char *const[]){"1", "", "3"});
    expect_cells(" a b , c \r\n", ',', 2, (const char *const[]){"a b", "c"});
    expect_cells("\"a,\"\"b\"\"\n\",\" c \",\"\"\r\n", ',', 3, (const char *const[]){"a,\"b\"\n", " c ", ""});
    expect_cells(" \"a,b\"\n", ',', 2, (const char *const[]){"\"a", "b\""});
    expect_cells("  1   2 \r\n", ' ', 2, (const char *const[]){"1", "2"});
    expect_cells("1\t\t\n", '\t', 3, (const char *const[]){"1", "", ""});
}

static scree__csv_kind kind_of(const char *text, bool decimal_comma, double *value)
{
    char copy[256];
    scree__csv_cell cell;
    snprintf(copy, sizeof copy, "%s\n", text);
    scree__csv_cell_read(&cell, copy, ';');
    return scree__csv_cell_value(&cell, &(scree__csv_syntax){.decimal_comma = decimal_comma}, value);
}

static void test_kinds(void **state)
{
    (void)state;
    static const char *const missing[] = {"",     "  ",   "NA",  "N/A",  "n/a", "NaN", "nan", "NULL", "null",
                                          "None", "<NA>", "#NA", "#N/A", "-",   "?",   ".",   "\"\"", "\"#N/A\""};
    static const char *const texts[] = {"x", "1x", "1 2", "NAN1", "--", "#N", "<NA", "NA>", "\"1\"2", "0x10", "1,5"};
    double value = 0;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        assert_int_equal(kind_of(missing[i], false, &value), SCREE__CSV_MISSING);
        assert_true(isnan(value));
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(kind_of(texts[i], false, &value), SCREE__CSV_TEXT);
    assert_int_equal(kind_of("\" 1.5\"", false, &value), SCREE__CSV_NUMBER);
    assert_true(value == 1.5);
    assert_int_equal(kind_of("-1,25e1", true, &value), SCREE__CSV_NUMBER);
    assert_true(value == -12.5);
    assert_int_equal(kind_of("1.5", true, &value), SCREE__CSV_TEXT);
    assert_int_equal(kind_of("1,234,5", true, &value), SCREE__CSV_TEXT);
}

/* A number of any length, whatever its point; the cell is left as it was. */
static void test_long_numbers(void **state)
{
    (void)state;
    char text[203] = "1,";
    double value = 0;
    memset(text + 2, '0', 200);
    for (int length = 60; length <= 200; length += 10) {
        text[length] = '5';
        text[length + 1] = 0;
        assert_int_equal(kind_of(text, true, &value), SCREE__CSV_NUMBER);
        assert_true(value == 1.0);
        text[length] = 'x';
        assert_int_equal(kind_of(text, true, &value), SCREE__CSV_TEXT);
        text[length] = text[length + 1] = '0';
    }
    char cells[] = "2,5;x\n";
    scree__csv_cell cell;
    scree__csv_cell_read(&cell, cells, ';');
    assert_int_equal(scree__csv_cell_value(&cell, &(scree__csv_syntax){.decimal_comma = true}, &value),
                     SCREE__CSV_NUMBER);
    assert_string_equal(cells, "2,5;x\n");
}

static void test_blank_lines(void **state)
{
    (void)state;
    char text[] = "  \r\n\nx\n";
    char *next;
    assert_true(scree__csv_is_blank(text, &next));
    assert_ptr_equal(next, text + 4);
    assert_true(scree__csv_is_blank(next, &next));
    assert_ptr_equal(next, text + 5);
    assert_false(scree__csv_is_blank(text + 5, &next));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),      cmocka_unit_test(test_cells),       cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_long_numbers), cmocka_unit_test(test_blank_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
