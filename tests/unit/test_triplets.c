/* SPDX-License-Identifier: BSD-3-Clause */
/* Triplets and Matrix Market files as a source: rows in the order of the file whatever the order of the cells, columns
 * by number or by first appearance, missing where nothing is given; every fault has its sentence. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_file.h"
#include "support/checks.h"

#include "base/random.h"
#include "data/triplets.h"

static const scree_read_options plain = SCREE_READ_OPTIONS_INIT;

static scree_read_options triplets(const char *columns)
{
    scree_read_options options = plain;
    options.format = "triplets";
    options.columns = columns;
    options.threads = 2;
    return options;
}

/* The dense rows of a text; rows and columns as they are wanted. */
static void expect_rows(const char *text, const char *columns, int64_t rows, int64_t cols, const double *wanted)
{
    const scree_read_options options = triplets(columns);
    csv_expect_values(text, &options, rows, cols, wanted);
}

static void test_ids_are_numbers_or_names(void **state)
{
    (void)state;
    static const double numbers[] = {NAN, 3, 1, 5, NAN, NAN};
    static const double names[] = {3, 1, NAN, NAN, NAN, 5};
    expect_rows("user,item,rating,time\n7,10,3,99\n7,30,1,98\n2,9,5,97\n", NULL, 2, 3, numbers);
    expect_rows("ann;oak;3\nann;elm;1\nbob;ash;5\n", NULL, 2, 3, names);
    const scree_read_options options = triplets(NULL);
    scree_source *source = csv_open_text("ids.csv", "user,item,rating\n7,10,3\n7,30,1\n2,9,5\n", &options);
    assert_string_equal(scree_source_column(source, 0), "9");
    assert_string_equal(scree_source_column(source, 2), "30");
    assert_int_equal(source->about.text_count, 1);
    assert_string_equal(source->about.text_names[0], "user");
    table t;
    assert_int_equal(table_read(&t, source, NULL), SCREE_OK);
    assert_string_equal(t.text[0], "7");
    assert_string_equal(t.text[1], "2");
    assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
    table_clear(&t);
    assert_int_equal(table_read(&t, source, NULL), SCREE_OK);
    assert_int_equal(t.rows, 2);
    table_clear(&t);
    scree_source_free(source);
}

static void test_cells_in_any_order(void **state)
{
    (void)state;
    static const double wanted[] = {1, 2, 3, NAN, 5, NAN, 7, NAN, 9};
    expect_rows("1,1,1\n1,2,2\n1,3,3\n2,2,5\n3,1,7\n3,3,9\n", NULL, 3, 3, wanted);
    expect_rows("1,3,3\n2,2,5\n3,3,9\n3,1,7\n1,1,1\n1,2,2\n", NULL, 3, 3, wanted);
    expect_rows("1,3,3\n1,2,2\n1,1,1\n2,2,5\n2,3,NA\n3,3,9\n3,1,7\n", NULL, 3, 3, wanted);
}

static void test_columns_can_be_chosen(void **state)
{
    (void)state;
    static const double wanted[] = {3, 1, NAN, 7};
    expect_rows("r,c,v\na,x,1\na,y,2\na,z,3\nb,y,5\nb,x,7\n", "z,x", 2, 2, wanted);
    expect_rows("r,c,v\nb,y,5\na,x,1\nb,x,7\na,y,2\na,z,3\n", "x", 2, 1, (const double[]){7, 1});
}

static void test_a_value_left_out_makes_its_row_known(void **state)
{
    (void)state;
    expect_rows("a,x,1\nb,y,\nc,x,2\n", NULL, 3, 2, (const double[]){1, NAN, NAN, NAN, 2, NAN});
}

static void test_sorted_as_counted(void **state)
{
    (void)state;
    enum { ROWS = 700, COLS = 40 };
    static double wanted[ROWS * COLS];
    scree__triplets t = {.file = "test"};
    for (int64_t i = 0; i < ROWS * COLS; i++) {
        const int64_t cell = i * 12347 % (ROWS * COLS); /* each once, far apart */
        uint32_t word[4];
        scree__philox(5, 0, (uint64_t)cell, word);
        wanted[cell] = word[0] % 3 == 0 ? (double)word[1] : (double)NAN;
        if (word[0] % 3 == 0)
            assert_int_equal(scree__triplets_add(&t, cell / COLS, cell % COLS, wanted[cell], NULL), SCREE_OK);
    }
    scree__triplets_order order = {.rows = ROWS + 2, .threads = 2};
    assert_int_equal(scree__triplets_sort(&t, &order, NULL), SCREE_OK);
    assert_int_equal(order.twice, -1);
    int64_t at = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(t.start[i], at);
        for (int64_t j = 0; j < COLS; j++) {
            if (isnan(wanted[i * COLS + j]))
                continue;
            assert_int_equal(t.column[at], j);
            assert_true(t.value[at++] == wanted[i * COLS + j]);
        }
    }
    assert_int_equal(t.start[ROWS + 2], at);
    assert_int_equal(t.count, at);
    scree__triplets_clear(&t);
}

static void expect_fault(const char *text, const char *format, const char *wanted)
{
    scree_read_options options = plain;
    options.format = format;
    csv_expect_error(text, &options, wanted);
}

static void test_faults_of_triplets(void **state)
{
    (void)state;
    expect_fault("a,x,1\nb,x,2\na,x,3\n", "triplets", "row 'a' has two values in column 'x'; keep one of them");
    expect_fault("a,x,1\nb,x,two\nc,x,4\n", "triplets",
                 "line 2, column 3: 'two' is not a number; correct the cell, take it as missing with --na 'two', or "
                 "make the column a label");
    expect_fault("a,x\nb,x\n", "triplets",
                 "triplets are lines of three columns, a row, a column and a value, and here there are fewer; give the "
                 "delimiter, or another format");
    scree_read_options options = triplets(NULL);
    options.label = "2";
    csv_expect_error("a,x,1\n", &options,
                     "triplets have no column for a label or an id: the row of each cell is its id already");
}

#define BANNER "%%MatrixMarket matrix coordinate real general\n"

static scree_read_options absent(scree_absent_cells cells)
{
    scree_read_options options = plain;
    options.absent = cells;
    options.threads = 2;
    return options;
}

static void test_matrix_market_missing(void **state)
{
    (void)state;
    static const double wanted[] = {NAN, 1.5, NAN, NAN, -2e3, NAN, 7, NAN};
    scree_read_options options = absent(SCREE_CELLS_MISSING);
    csv_expect_values(BANNER "% a comment\n\n 4 2 3 \n4 1 7\r\n1 2 1.5\n 3 1 -2e3", &options, 4, 2, wanted);
    options.columns = "2";
    csv_expect_values(BANNER "2 2 2\n2 1 7\n1 2 1.5\n", &options, 2, 1, (const double[]){1.5, NAN});
    options.columns = NULL;
    csv_expect_values("%%MatrixMarket MATRIX Coordinate Integer General\n2 2 2\n2 1 7\n2 2 3\n", &options, 2, 2,
                      (const double[]){NAN, NAN, 7, 3});
    csv_expect_error(BANNER "2 2 2\n2 1 2\n2 1 2\n", &options, "row 2 has two values in column 1; keep one of them");
    csv_expect_error("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", &options,
                     "cells that are missing are for matrices that are general and have values; leave out --absent "
                     "missing");
}

/* What is not listed is 0, what is listed twice is the sum, and in any order. */
static void test_matrix_market(void **state)
{
    (void)state;
    static const double wanted[] = {0, 1.5, 0, 0, -2e3, 0, 7, 0};
    scree_read_options options = plain;
    csv_expect_values(BANNER "% a comment\n\n 4 2 3 \n4 1 7\r\n1 2 1.5\n 3 1 -2e3", &options, 4, 2, wanted);
    csv_expect_values(BANNER "4 2 5\n4 1 3\n1 2 1.5\n3 1 -2e3\n4 1 4\n2 2 0\n", &options, 4, 2, wanted);
    csv_expect_values(BANNER "2 3 6\n1 3 .25\n1 1 1\n1 3 .5\n2 2 nan\n2 1 5\n1 3 .25\n", &options, 2, 3,
                      (const double[]){1, 0, 1, 5, NAN, 0});
    options.columns = "2,1";
    csv_expect_values(BANNER "2 2 2\n2 1 7\n1 2 1.5\n", &options, 2, 2, (const double[]){1.5, 0, 0, 7});
    options = plain;
    options.transpose = 1;
    csv_expect_values(BANNER "2 3 3\n2 1 7\n1 2 1.5\n1 3 2\n", &options, 3, 2, (const double[]){0, 7, 1.5, 0, 2, 0});
    scree_source *source = csv_open_text("sparse.mtx", BANNER "3 2 3\n3 1 7\n1 2 1.5\n3 2 2\n", &plain);
    assert_true(source->sparse);
    assert_int_equal(source->entries, 3);
    assert_non_null(
        strstr(scree_source_note(source), "3 cells of 3 rows and 2 columns, 50 % of all; the others are 0"));
    scree_source_free(source);
}

static void test_matrix_market_kinds(void **state)
{
    (void)state;
    csv_expect_values("%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n2 3\n2 3\n", &plain, 2, 3,
                      (const double[]){1, 0, 0, 0, 0, 2});
    csv_expect_values("%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n1 1 4\n2 1 5\n3 2 6\n3 3 7\n", &plain,
                      3, 3, (const double[]){4, 5, 0, 5, 0, 6, 0, 6, 7});
    csv_expect_values("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", &plain, 2, 2,
                      (const double[]){0, -5, 5, 0});
    scree_read_options options = plain;
    csv_expect_values("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", &options, 2, 3,
                      (const double[]){1, 3, 5, 2, 4, 6});
    options.columns = "3,1";
    csv_expect_values("%%MatrixMarket matrix array integer general\n2 3\n1\n2\n%\n3\n4\n5\n6\n", &options, 2, 2,
                      (const double[]){5, 1, 6, 2});
    options = plain;
    options.transpose = 1;
    csv_expect_values("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", &options, 3, 2,
                      (const double[]){1, 2, 3, 4, 5, 6});
}

static void test_triplets_with_zeros(void **state)
{
    (void)state;
    scree_read_options options = absent(SCREE_CELLS_ZERO);
    options.format = "triplets";
    csv_expect_values("user,item,rating,time\n7,10,3,99\n7,30,1,98\n2,9,5,97\n", &options, 2, 3,
                      (const double[]){0, 3, 1, 5, 0, 0});
    scree_source *source = csv_open_text("ids.csv", "user,item,rating\n7,10,3\n7,30,1\n2,9,5\n", &options);
    assert_true(source->sparse);
    assert_null(source->cells);
    assert_string_equal(source->about.text_names[0], "user");
    scree_source_free(source);
    options.format = "csv";
    csv_expect_error("1,2\n3,4\n", &options,
                     "is read as csv, and --absent is for Matrix Market files and triplets, which list their cells; "
                     "leave it out");
}

/* A run is at least as long as its least: the same rows by way of a scratch file, whatever the order. */
static void test_matrix_market_by_scratch(void **state)
{
    (void)state;
    enum { ROWS = 900, COLS = 800, KEPT = 480000 };
    scree_error error = SCREE_ERROR_INIT;
    char *text = malloc(KEPT * 16 + 200);
    double *wanted = calloc(ROWS * COLS, sizeof *wanted);
    int64_t used = sprintf(text, "%s%d %d %d\n", BANNER, ROWS, COLS, KEPT);
    for (int64_t c = 0; c < KEPT; c++) {
        const int64_t cell = c * 12347 % (ROWS * COLS);
        used += sprintf(text + used, "%d %d %d\n", (int)(cell / COLS + 1), (int)(cell % COLS + 1), (int)(c % 90 + 1));
        wanted[cell] += (double)(c % 90 + 1);
    }
    for (int64_t memory = 0; memory < 2; memory++) {
        scree_read_options options = plain;
        options.memory = memory;
        scree_source *source = NULL;
        scree__block block;
        int64_t rows = 0;
        EXPECT_OK(scree_source_open(&source, file_write("many.mtx", text, (size_t)used), &options, &error), error);
        assert_int_equal((source->can & SCREE__IN_STEP) != 0, memory == 0);
        for (;; rows += block.rows) {
            EXPECT_OK(scree__source_next(source, &block, &error), error);
            if (block.rows == 0)
                break;
            assert_memory_equal(block.data, wanted + rows * COLS, (size_t)(block.rows * COLS) * sizeof *wanted);
        }
        assert_int_equal(rows, ROWS);
        scree_source_free(source);
    }
    free(text);
    free(wanted);
}

static void test_faults_of_matrix_market(void **state)
{
    (void)state;
    expect_fault("1,2\n", "mtx",
                 "is not a Matrix Market file, its first line does not begin with %%MatrixMarket and four words: check "
                 "the file or name its format");
    expect_fault("%%MatrixMarket vector coordinate real general\n1 1 1\n2\n", NULL,
                 "is a Matrix Market file of kind 'vector coordinate real', and only 'matrix coordinate' and 'matrix "
                 "array' with values are read; write the file again");
    expect_fault("%%MatrixMarket matrix array pattern general\n1 1\n", NULL,
                 "is a Matrix Market file of kind 'matrix array pattern', and only 'matrix coordinate' and 'matrix "
                 "array' with values are read; write the file again");
    expect_fault("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n", NULL,
                 "has cells of kind 'complex', and only real, integer and pattern ones can be observations; write the "
                 "real and the imaginary part as columns of their own");
    expect_fault("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 2\n", NULL,
                 "is a matrix of the symmetry 'hermitian', and only general, symmetric and skew-symmetric ones are "
                 "read; save it as general");
    expect_fault("%%MatrixMarket matrix array real symmetric\n1 1\n1\n", NULL,
                 "is a symmetric array, and only general ones are read; save it as general");
    expect_fault("%%MatrixMarket matrix coordinate real symmetric\n1 2 1\n1 1 2\n", NULL,
                 "line 2 has 1 rows and 2 columns, and a symmetric matrix has as many of both; write the file again");
    expect_fault("%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 1 2\n", NULL,
                 "line 3 is '1 1 2' where a row and a column are expected; correct that line");
    expect_fault("%%MatrixMarket matrix array real general\n2 1\n1\n2 3\n", NULL,
                 "line 4 is '2 3' where a value is expected; correct that line");
    expect_fault("%%MatrixMarket matrix array real general\n2 1\n1\n", NULL,
                 "announces 2 cells and has 1; copy or write the file again");
    expect_fault("%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n", NULL,
                 "announces 2 cells and has at least 3; copy or write the file again");
    expect_fault(
        "%%MatrixMarket matrix array real general\n2\n1\n2\n", NULL,
        "line 2 should say how many rows and columns there are, each at least 1 and below 2147483647; write the "
        "file again");
    expect_fault(BANNER "2 2\n1 1 2\n", NULL,
                 "line 2 should say how many rows, columns and cells there are, each at least 1 and below 2147483647; "
                 "write the file again");
    expect_fault(BANNER "2 2 1\n1 x 2\n", NULL,
                 "line 3 is '1 x 2' where a row, a column and a value are expected; correct that line");
    expect_fault(BANNER "2 2 1\n1 3 2\n", NULL,
                 "line 3 has row 1 and column 3 of a matrix of 2 rows and 2 columns; correct that line");
    expect_fault(BANNER "2 2 2\n1 1 2\n", NULL, "announces 2 cells and has 1; copy or write the file again");
}

/* What is missing from a file of cells, known before a row is read. */
static void expect_gaps(const char *text, int64_t row, int64_t column, int64_t empty)
{
    const scree_read_options options = absent(SCREE_CELLS_MISSING);
    scree_source *source = csv_open_text("gaps.mtx", text, &options);
    int64_t found[2] = {-1, -1};
    int64_t none;
    assert_int_equal(scree__source_first_gap(source, &found[0], &found[1]), row >= 0);
    assert_int_equal(found[0], row);
    assert_int_equal(found[1], column);
    assert_int_equal(scree__source_empty_column(source, &none, NULL), SCREE_OK);
    assert_int_equal(none, empty);
    scree_source_free(source);
}

static void test_gaps_are_known_before_reading(void **state)
{
    (void)state;
    expect_gaps(BANNER "2 2 4\n1 1 2\n1 2 3\n2 1 4\n2 2 5\n", -1, -1, -1);
    expect_gaps(BANNER "2 2 3\n1 1 2\n1 2 3\n2 2 5\n", 1, 0, -1);
    expect_gaps(BANNER "2 3 3\n1 1 2\n1 3 3\n2 3 5\n", 0, 1, 1);
    expect_gaps(BANNER "3 2 4\n1 1 2\n1 2 3\n2 1 4\n2 2 5\n", 2, 0, -1);
    expect_gaps(BANNER "1 70 1\n1 65 2\n", 0, 0, 0);
    scree_source *dense = csv_open_text("dense.csv", "1,2\n3,NA\n", &plain);
    int64_t row;
    int64_t column;
    assert_false(scree__source_first_gap(dense, &row, &column));
    assert_int_equal(scree__source_empty_column(dense, &column, NULL), SCREE_OK);
    assert_int_equal(column, -1);
    scree_source_free(dense);
}

/* A small file may have some empty columns, and many only with a limit that allows them. */
static void test_empty_columns_are_believed_up_to_a_number(void **state)
{
    (void)state;
    scree_read_options options = absent(SCREE_CELLS_MISSING);
    csv_expect_error(
        BANNER "2 5000000 1\n1 1 2\n", &options,
        "5000000 columns need 612 MiB of memory, but only 64 bytes of input has been seen; check the file, or "
        "allow that much memory (--memory) if it is right");
    expect_fault(BANNER "2 5000000 1\n1 1 2\n", NULL,
                 "5000000 columns need 611 MiB of memory, but only 64 bytes of input has been seen; check the file, or "
                 "allow that much memory (--memory) if it is right");
    scree_source_free(csv_open_text("some.mtx", BANNER "2 2000000 1\n1 1 2\n", &plain));
    options.columns = "1,2,3";
    scree_source_free(csv_open_text("chosen.mtx", BANNER "2 5000000 1\n1 1 2\n", &options));
    options.columns = NULL;
    options.memory = INT64_C(1) << 30;
    scree_source_free(csv_open_text("allowed.mtx", BANNER "2 5000000 1\n1 1 2\n", &options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_numbers_or_names),
        cmocka_unit_test(test_cells_in_any_order),
        cmocka_unit_test(test_columns_can_be_chosen),
        cmocka_unit_test(test_a_value_left_out_makes_its_row_known),
        cmocka_unit_test(test_sorted_as_counted),
        cmocka_unit_test(test_faults_of_triplets),
        cmocka_unit_test(test_matrix_market_missing),
        cmocka_unit_test(test_matrix_market),
        cmocka_unit_test(test_matrix_market_kinds),
        cmocka_unit_test(test_matrix_market_by_scratch),
        cmocka_unit_test(test_triplets_with_zeros),
        cmocka_unit_test(test_faults_of_matrix_market),
        cmocka_unit_test(test_gaps_are_known_before_reading),
        cmocka_unit_test(test_empty_columns_are_believed_up_to_a_number),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
