/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV as a source: quotes, line ends, missing values, faults and their lines, and the same rows for any block size and
 * any number of threads, in files of several windows too. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"
#include "csv_file.h"
#include "support/calls.h"
#include "support/checks.h"

static void test_line_ends(void **state)
{
    (void)state;
    const double wanted[] = {1, 2, 3, 4};
    csv_expect_values("a,b\n1,2\n3,4\n", NULL, 2, 2, wanted);
    csv_expect_values("a,b\r\n1,2\r\n3,4\r\n", NULL, 2, 2, wanted);
    csv_expect_values("a,b\n1,2\n3,4", NULL, 2, 2, wanted);
    csv_expect_values("a,b\r\n1,2\r\n3,4\r\n\r\n \n\n", NULL, 2, 2, wanted);
    csv_expect_values("\na,b\n\n1,2\n\n3,4", NULL, 2, 2, wanted);
    csv_expect_values("\xEF\xBB\xBF"
                      "1,2\n3,4\n",
                      NULL, 2, 2, wanted);
}

static void test_missing(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    csv_expect_values("a,b,c\n1,,3\nNA,N/A,NaN\nnan,NULL,null\nNone,-,?\n.,\" \",\"NA\"\n4, ,6\n7,8,\n9,9,-inf\n", NULL,
                      8, 3, (double[]){1,   nan, 3,   nan, nan, nan, nan, nan, nan, nan, nan, nan,
                                       nan, nan, nan, 4,   nan, 6,   7,   8,   nan, 9,   9,   -(double)INFINITY});
}

static void test_quotes(void **state)
{
    (void)state;
    const char *text = "\"a\",\"the \"\"b\"\", and\nmore\",note\r\n"
                       "\"1\",2,\"plain\"\r\n"
                       "3,\" 4.5 \",\"two\r\nlines, and \"\"quotes\"\"\"\r\n"
                       "5,6,5\" disk\r\n"
                       "7,8,\"\"\r\n"
                       "9,10,\"tail\"s\r\n";
    static const char *const wanted[] = {"plain", "two\r\nlines, and \"quotes\"", "5\" disk", "", "tails"};
    scree_source *source = csv_open_text("quotes.csv", text, NULL);
    scree_error error = SCREE_ERROR_INIT;
    table t;
    assert_int_equal(table_read(&t, source, &error), SCREE_OK);
    assert_int_equal(t.rows, 5);
    assert_string_equal(scree_source_column(source, 1), "the \"b\", and\nmore");
    assert_true(t.values[0] == 1 && t.values[3] == 4.5 && t.values[9] == 10);
    for (int i = 0; i < 5; i++)
        assert_string_equal(t.text[i], wanted[i]);
    table_clear(&t);
    scree_source_free(source);
}

/* Rows long enough to be read by the index of cells, with in some of them what the index does not know of. */
static void test_odd_cells_in_long_rows(void **state)
{
    (void)state;
    enum { COLS = 21, ROWS = 12 };
    static const char *const odd[ROWS] = {"7",       " 7",   "7 ",  "\"7\"",
                                          "\" 7 \"", "NA",   "7e0", "+7.0",
                                          "70e-1",   "\"\"", "",    "0000000000000000000000000000000000000007"};
    for (int col = 0; col < COLS; col++)
        for (int ending = 0; ending < 2; ending++) {
            char text[8192];
            char *p = text;
            double wanted[ROWS * COLS];
            for (int i = 0; i < ROWS * COLS; i++) {
                const bool is_odd = i % COLS == col;
                const bool missing = odd[i / COLS][0] == 'N' || strlen(odd[i / COLS]) == strspn(odd[i / COLS], "\"");
                wanted[i] = !is_odd ? i + 0.25 : missing ? (double)NAN : 7;
                p += is_odd ? sprintf(p, "%s", odd[i / COLS]) : sprintf(p, "%d.25", i);
                p += sprintf(p, "%s", i % COLS < COLS - 1 ? "," : ending ? "\r\n" : "\n");
            }
            csv_expect_values(text, NULL, ROWS, COLS, wanted);
        }
}

/* Texts with delimiters and line breaks in quotes move what the index says; as many as make the count right again. */
static void test_quotes_against_the_index(void **state)
{
    (void)state;
    const char *text = "name,a,b,c\n"
                       "plain words to fill the first bytes of it,1,2,3\n"
                       "\"x,y\",4,5,6\n"
                       "\"x\ny\",7,8,9\n"
                       "\"p,q\nr,s,t,u\nv,w\",10,\"11\",12\r\n"
                       "\"\"\"\",13,14,15\n";
    csv_expect_values(text, NULL, 5, 3, (double[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    csv_expect_error("name,a,b\nplain words to fill the first bytes of it,1,2\nx,1,2\n\"y,1\",2\nz,1,2\n", NULL,
                     "line 4 has 2 fields where 3 are expected; correct that line");
    csv_expect_error("a,name,b\n1,plain words to fill the first bytes of it,2\n1,x,2\n1,\"y\nz\",2\n1,w,?!\n", NULL,
                     "line 6, column 'b': '?!' is not a number; correct the cell, take it as missing with --na '?!', "
                     "or make the column a label");
}

static void test_decimal_commas(void **state)
{
    (void)state;
    csv_expect_values("a;b;c\n1,5;2,25;3\n-4,5;5,75e1;6\n;7,0;\"8,5\"\n9;NA; 10,5 \n", NULL, 4, 3,
                      (double[]){1.5, 2.25, 3, -4.5, 57.5, 6, (double)NAN, 7, 8.5, 9, (double)NAN, 10.5});
    csv_expect_error("a;b\n1,5;2,5\n1,5;2,5\n1,5;2,5\n1,5;2,5\n1,5;2,5\n1.5;2,5\n", NULL,
                     "line 7, column 'a': '1.5' is not a number with the decimal mark of the others; say which mark is "
                     "right, with --decimal , or --decimal ., correct the cell, or make the column a label");
}

static void test_faults(void **state)
{
    (void)state;
    csv_expect_error("height,age\n1,2\n3,4\ntall,5\n6,7\n", NULL,
                     "line 4, column 'height': 'tall' is not a number; correct the cell, take it as missing with --na "
                     "'tall', or make the column a label");
    csv_expect_error("1,2\n3,4\n5,6x\n", NULL,
                     "line 3, column 2: '6x' is not a number; correct the cell, take it as missing with --na '6x', or "
                     "make the column a label");
    csv_expect_error("a,b,c\n1,2,3\n1,2\n1,2,3\n", NULL, "line 3 has 2 fields where 3 are expected; correct that line");
    csv_expect_error("a,b,c\n1,2,3\n1\n1,2,3\n", NULL, "line 3 has 1 field where 3 are expected; correct that line");
    csv_expect_error("a,b,c\n1,2,3\n1,2,3,4,\"5\n\",6\n", NULL,
                     "line 3 has 6 fields where 3 are expected; correct that line");
    csv_expect_error("a b\n1 2\n3 4 5 \n", NULL, "line 3 has 3 fields where 2 are expected; correct that line");
    csv_expect_error("a,b,s\n1,2,x\n1,y\n", NULL, "line 3 has 2 fields where 3 are expected; correct that line");
    csv_expect_error("n,a\n\"two\nlines\",1\n\nx,2\ny,3\nz,*\n", NULL,
                     "line 7, column 'a': '*' is not a number; correct the cell, take it as missing with --na '*', or "
                     "make the column a label");
    csv_expect_error("a,b\n1,2\n3,\"4\n5,6\n", NULL,
                     "the quote opened on line 3 is never closed; close it or remove it");
    csv_expect_error("a,b\n1,2\n3,0123456789012345678901234567890123456789012345678901234567890123456789x\n", NULL,
                     "line 3, column 'b': '012345678901234567890123456789012345678901234567890123456789...' is not a "
                     "number; correct the cell, take it as missing with --na, or make the column a label");
}

/* Rows of which each cell can be told from its place: some quoted, some blank lines, texts with line breaks. */
static char *made_file(int64_t rows, bool quotes, size_t *size)
{
    char *text = malloc((size_t)rows * 100 + 100);
    assert_non_null(text);
    char *p = text + sprintf(text, "x,name,y\n");
    for (int64_t i = 0; i < rows; i++) {
        if (i % 1000 == 7)
            p += sprintf(p, "\n");
        if (quotes && i % 10 == 3)
            p += sprintf(p, "\"%lld\",\"row\n\"\"%lld\"\"\",%.3f\n", (long long)i, (long long)i, (double)i / 8);
        else
            p += sprintf(p, "%lld,row %lld,%.3f\n", (long long)i, (long long)i, (double)i / 8);
    }
    *size = (size_t)(p - text);
    return text;
}

static void check_made(const table *t, int64_t rows, bool quotes)
{
    assert_int_equal(t->rows, rows);
    for (int64_t i = 0; i < rows; i++) {
        char name[64];
        snprintf(name, sizeof name, quotes && i % 10 == 3 ? "row\n\"%lld\"" : "row %lld", (long long)i);
        if (t->values[2 * i] != (double)i || t->values[2 * i + 1] != (double)i / 8 || strcmp(t->text[i], name) != 0)
            fail_msg("row %lld is %g, %g, '%s'", (long long)i, t->values[2 * i], t->values[2 * i + 1], t->text[i]);
    }
}

/* Some windows long, twice each. */
static void test_any_threads_and_blocks(void **state)
{
    (void)state;
    enum { ROWS = 300000 };
    static const int64_t block_rows[] = {1000000, 4096, 777};
    for (int quotes = SLOW_BUILD; quotes < 2; quotes++) {
        size_t size;
        char *text = made_file(ROWS, quotes, &size);
        const char *path = file_write("made.csv", text, size);
        for (int i = SLOW_BUILD; i < 3; i++) {
            scree_source *source = NULL;
            scree_error error = SCREE_ERROR_INIT;
            scree_read_options options = SCREE_READ_OPTIONS_INIT;
            table t;
            options.threads = i + 1;
            assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_OK);
            assert_true(source->about.rows_estimate > ROWS * 3 / 4 && source->about.rows_estimate < ROWS * 3 / 2);
            source->block_rows = block_rows[i];
            for (int pass = 0; pass < 2; pass++) {
                assert_int_equal(table_read(&t, source, &error), SCREE_OK);
                check_made(&t, ROWS, quotes);
                table_clear(&t);
                assert_int_equal(scree__source_rewind(source, &error), SCREE_OK);
            }
            scree_source_free(source);
        }
        free(text);
    }
}

/* Of two faults the first in the file is told, with its line, for any number of threads. */
static void test_first_fault(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    size_t size;
    char *text = made_file(ROWS, true, &size);
    char *first = strstr(text, "\n150001,");
    char *second = strstr(text, "\n199990,");
    assert_non_null(first);
    assert_non_null(second);
    first[6] = '!';
    second[6] = '?';
    int64_t line = 1;
    for (const char *p = text; p <= first; p++)
        line += *p == '\n';
    char wanted[200];
    snprintf(wanted, sizeof wanted,
             "line %lld, column 'x': '15000!' is not a number; correct the cell, take it as missing with --na "
             "'15000!', or make the column a label",
             (long long)line);
    text[size] = 0;
    for (int threads = 1; threads <= 3; threads += 1 + SLOW_BUILD)
        csv_expect_error(text, &SIZED(scree_read_options, .header = -1, .threads = threads), wanted);
    free(text);
}

/* A line that is longer than the window at first. */
static void test_wide(void **state)
{
    (void)state;
    enum { COLS = 700000 };
    char *text = malloc((size_t)COLS * 8 * 3);
    assert_non_null(text);
    char *p = text;
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < COLS; i++)
            p += sprintf(p, "%d%c", i + row, i + 1 < COLS ? ',' : '\n');
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    table t;
    const char *path = file_write("wide.csv", text, (size_t)(p - text));
    assert_int_equal(scree_source_open(&source, path, NULL, &error), SCREE_OK);
    assert_int_equal(table_read(&t, source, &error), SCREE_OK);
    assert_int_equal(t.rows, 2);
    assert_int_equal(source->about.cols, COLS);
    assert_true(t.values[COLS - 1] == COLS - 1 && t.values[2 * COLS - 1] == COLS);
    table_clear(&t);
    scree_source_free(source);
    free(text);
}

static void test_tsv(void **state)
{
    (void)state;
    scree_source *source = csv_open_text("t.tsv", "a\tb\n1,500\t2\n2,50\t3\n", NULL);
    assert_int_equal(scree_source_cols(source), 2);
    assert_string_equal(scree_source_note(source), "decimal comma, header");
    scree_source_free(source);
}

/* Rows of much the same are compressed a hundredfold: the guess goes by what this file needs. */
static void test_guess_of_compressed_rows(void **state)
{
    (void)state;
    enum { ROWS = 400000, ROW = 24 };
    char *text = malloc((size_t)ROWS * ROW + 1);
    assert_non_null(text);
    for (int64_t i = 0; i < ROWS; i++)
        snprintf(text + i * ROW, ROW + 1, "1.000,2.00000,%09lld\n", (long long)(i % 7));
    const char *path = file_write_gzip("same.csv.gz", text, (size_t)ROWS * ROW);
    scree_source *source = NULL;
    assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
    assert_true(source->about.rows_estimate > ROWS * 3 / 4 && source->about.rows_estimate < ROWS * 3 / 2);
    scree_source_free(source);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_odd_cells_in_long_rows),
        cmocka_unit_test(test_quotes_against_the_index),
        cmocka_unit_test(test_decimal_commas),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_any_threads_and_blocks),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_tsv),
        cmocka_unit_test(test_guess_of_compressed_rows),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
