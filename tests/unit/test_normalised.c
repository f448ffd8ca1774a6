/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows divided by their sums: dense and sparse alike, over all columns of a file where some are chosen, and what has no
 * share of a sum is refused after the rows before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/normalised.h"
#include "support/calls.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, COLS = 4, ENTRIES = 9 };

static const double counts[ROWS][COLS] = {{1, 0, 3, 0}, {0, 0, 0, 0}, {2, 2, 0, 100}, {0, 7, 0, 1}, {0, 0, 5, 0}};
static const double values[ENTRIES] = {1, 3, 2, 2, 100, 7, 1, 5, 0};
static const int32_t indices[ENTRIES] = {0, 2, 0, 1, 3, 1, 3, 2, 3};
static const int64_t starts[ROWS + 1] = {0, 2, 2, 5, 7, 9};

static scree_source *dense(scree_type type)
{
    static uint8_t bytes[ROWS * COLS];
    static float floats[ROWS * COLS];
    scree_source *source = NULL;
    for (int i = 0; i < ROWS * COLS; i++) {
        bytes[i] = (uint8_t)counts[i / COLS][i % COLS];
        floats[i] = (float)counts[i / COLS][i % COLS];
    }
    const void *data = type == SCREE_U8 ? (const void *)bytes : type == SCREE_F32 ? (const void *)floats : counts;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, type, ROWS, COLS), NULL), SCREE_OK);
    return source;
}

static scree_source *sparse(void)
{
    scree_source *source = NULL;
    const scree_block block = SIZED(scree_block, .data = values, .type = SCREE_F64, .rows = ROWS, .cols = COLS,
                                    .starts = starts, .indices = indices);
    assert_int_equal(scree_source_from_memory(&source, &block, NULL), SCREE_OK);
    return source;
}

/* The rows of a source, every cell. */
static void read_all(scree_source *source, double out[ROWS][COLS], int64_t cols)
{
    scree__block block;
    int64_t at = 0;
    assert_int_equal(scree__source_restart(source, NULL), SCREE_OK);
    do {
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_int_equal(block.type, SCREE_F64);
        for (int64_t i = 0; i < block.rows; i++)
            for (int64_t j = 0; j < cols; j++)
                out[at + i][j] = ((const double *)block.data)[i * block.stride + j];
        at += block.rows;
    } while (block.rows > 0);
    assert_int_equal(at, ROWS);
}

static double expected(int64_t i, int64_t j, double target, bool log)
{
    double sum = 0;
    for (int64_t k = 0; k < COLS; k++)
        sum += counts[i][k];
    const double x = counts[i][j] * (sum > 0 ? target / sum : 1);
    return log ? log1p(x) : x;
}

static void check(scree_source *inner, bool log)
{
    double out[ROWS][COLS];
    scree_source *source = NULL;
    const scree__normal normal = {.target = 1e4, .log1p = log};
    assert_int_equal(scree__normalised_open(&source, inner, &normal, NULL), SCREE_OK);
    for (int turn = 0; turn < 2; turn++) {
        read_all(source, out, COLS);
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < COLS; j++)
                assert_true(fabs(out[i][j] - expected(i, j, 1e4, log)) <= 1e-15 * 1e4);
        assert_int_equal(scree__normalised_empty(source), 1);
    }
    scree_source_free(source);
    scree_source_free(inner);
}

static void test_dense_and_sparse(void **state)
{
    (void)state;
    for (int log = 0; log < 2; log++) {
        check(dense(SCREE_U8), log);
        check(dense(SCREE_F32), log);
        check(dense(SCREE_F64), log);
        check(sparse(), log);
    }
}

/* What is sparse is lent as entries to those who take them. */
static void test_entries(void **state)
{
    (void)state;
    scree_source *inner = sparse();
    scree_source *source = NULL;
    scree__block block;
    const scree__normal normal = {.target = 8};
    assert_int_equal(scree__normalised_open(&source, inner, &normal, NULL), SCREE_OK);
    assert_true(source->sparse);
    source->takes_sparse = true;
    assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
    assert_non_null(block.starts);
    assert_int_equal(block.rows, ROWS);
    assert_true(((const double *)block.data)[0] == 2 && ((const double *)block.data)[1] == 6);
    scree_source_free(source);
    scree_source_free(inner);
}

/* Columns 1 and 3 of four: the sums are still those of all. */
static void test_sums_over_all_columns(void **state)
{
    (void)state;
    static const int64_t index[] = {1, 3};
    for (int turn = 0; turn < 2; turn++) {
        double out[ROWS][COLS];
        scree_source *select = NULL;
        scree_source *source = NULL;
        const scree__normal normal = {.target = 100};
        assert_int_equal(scree__select_open(&select, turn ? sparse() : dense(SCREE_F64), index, 2, NULL), SCREE_OK);
        assert_int_equal(scree__source_summed(select), COLS);
        assert_int_equal(scree__normalised_open(&source, select, &normal, NULL), SCREE_OK);
        read_all(source, out, 2);
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < 2; j++)
                assert_true(fabs(out[i][j] - expected(i, index[j], 100, false)) <= 1e-13);
        scree_source_free(source);
        scree_source_free(select);
    }
}

static void test_too_few_columns(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *inner = dense(SCREE_F64);
    scree_source *source = NULL;
    scree__normal normal = {.target = 100, .columns = 7, .chosen = COLS};
    assert_int_equal(scree__normalised_open(&source, inner, &normal, &error), SCREE_ERR_SHAPE);
    assert_non_null(strstr(error.text, "sums over all 7, of which it uses 4"));
    normal.target = 0;
    assert_int_equal(scree__normalised_open(&source, inner, &normal, &error), SCREE_ERR_ARGUMENT);
    normal = (scree__normal){.target = 100, .columns = 7, .chosen = 2};
    assert_int_equal(scree__normalised_open(&source, inner, &normal, &error), SCREE_OK);
    scree_source_free(source);
    scree_source_free(inner);
}

/* Two good rows, then one that cannot be used. */
static void expect_refused(double bad, const char *part)
{
    const double rows[3][2] = {{1, 3}, {2, 2}, {1, bad}};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *inner = NULL;
    scree_source *source = NULL;
    scree__block block;
    const scree__normal normal = {.target = 4};
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(rows, SCREE_F64, 3, 2), NULL), SCREE_OK);
    assert_int_equal(scree__normalised_open(&source, inner, &normal, NULL), SCREE_OK);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(scree__source_next(source, &block, &error), SCREE_OK);
        assert_int_equal(block.rows, 2);
        assert_true(((const double *)block.data)[1] == 3);
        assert_int_equal(scree__source_next(source, &block, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "row 3, column 2"));
        assert_non_null(strstr(error.text, part));
        assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
    }
    scree_source_free(source);
    scree_source_free(inner);
}

static void test_what_is_no_count(void **state)
{
    (void)state;
    expect_refused(-1, "is -1");
    expect_refused(NAN, "is missing");
    expect_refused(INFINITY, "is infinite");
}

/* A column that is not used is bad: it cannot be named, but its row is. */
static void test_bad_cells_that_are_not_used(void **state)
{
    (void)state;
    static const double rows[2][2] = {{1, NAN}, {2, 2}};
    static const int64_t index[] = {0};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *inner = NULL;
    scree_source *select = NULL;
    scree_source *source = NULL;
    scree__block block;
    const scree__normal normal = {.target = 4};
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(rows, SCREE_F64, 2, 2), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, index, 1, NULL), SCREE_OK);
    assert_int_equal(scree__normalised_open(&source, select, &normal, NULL), SCREE_OK);
    assert_int_equal(scree__source_next(source, &block, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 1 has a cell"));
    scree_source_free(source);
    scree_source_free(select);
}

/* Of the sums 4, 0, 104, 8, 5 those that are not 0. */
static void test_median(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        scree_source *source = turn ? sparse() : dense(SCREE_U8);
        double median = 0;
        assert_int_equal(scree__normal_median(&median, source, NULL, NULL), SCREE_OK);
        assert_true(median == 6.5);
        scree_source_free(source);
    }
}

static void test_no_median(void **state)
{
    (void)state;
    static const double zeros[4] = {0, 0, 0, 0};
    static const double weights[2] = {1, 2};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    double median = 0;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(zeros, SCREE_F64, 2, 2), NULL), SCREE_OK);
    assert_int_equal(scree__normal_median(&median, source, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "every row sums to 0"));
    assert_int_equal(scree_source_weigh(source, weights, 2, NULL), SCREE_OK);
    assert_int_equal(scree__normal_median(&median, source, NULL, &error), SCREE_ERR_UNSUPPORTED);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_and_sparse),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_sums_over_all_columns),
        cmocka_unit_test(test_too_few_columns),
        cmocka_unit_test(test_what_is_no_count),
        cmocka_unit_test(test_bad_cells_that_are_not_used),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_no_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
