/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries in any order as rows: in memory and by a scratch file, counted before or not, against the same matrix dense;
 * columns that callbacks hand in; what is refused. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source_calls.h"
#include "data/turned.h"

#include <string.h>

enum { N = 900, D = 700 };

typedef struct cell {
    int32_t row;
    int32_t col;
    double value;
} cell;

/* More cells than a run holds, in no order, some of them several times. */
static cell *draw(int64_t count, int64_t rows, int64_t cols)
{
    cell *cells = calloc((size_t)count, sizeof *cells);
    uint64_t x = 88172645463325252U;
    for (int64_t c = 0; c < count; c++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        cells[c] = (cell){(int32_t)(x % (uint64_t)rows), (int32_t)((x >> 20) % (uint64_t)cols), 1 + (double)(x >> 61)};
    }
    return cells;
}

static double *dense_of(const cell *cells, int64_t count, int64_t rows, int64_t cols)
{
    double *dense = calloc((size_t)(rows * cols), sizeof *dense);
    for (int64_t c = 0; c < count; c++)
        dense[cells[c].row * cols + cells[c].col] += cells[c].value;
    return dense;
}

static double value_of(const scree__block *block, int64_t p)
{
    return block->type == SCREE_F64   ? ((const double *)block->data)[p]
           : block->type == SCREE_F32 ? (double)((const float *)block->data)[p]
                                      : (double)((const uint8_t *)block->data)[p];
}

/* Takes the cells of the block off; returns how many entries it had. */
static int64_t take_off(const scree__block *block, double *dense, int64_t cols)
{
    for (int64_t i = 0; i < block->rows; i++) {
        int64_t last = -1;
        for (int64_t p = block->starts[i]; p < block->starts[i + 1]; p++) {
            assert_true(block->indices[p] > last && block->indices[p] < cols);
            last = block->indices[p];
            dense[(block->first + i) * cols + last] -= value_of(block, p);
        }
    }
    return block->starts[block->rows] - block->starts[0];
}

static void expect_zero(const double *dense, int64_t count)
{
    for (int64_t c = 0; c < count; c++)
        assert_true(dense[c] == 0);
}

/* budget: bytes; 0: as much as there is. */
static void check_turned(int64_t count, scree_type type, bool counted, int64_t budget, bool in_memory)
{
    scree_error error = SCREE_ERROR_INIT;
    cell *cells = draw(count, N, D);
    scree__turned turned = {.file = "cells",
                            .rows = N,
                            .cols = D,
                            .type = type,
                            .budget = {.given = budget, .seen = 1 << 30},
                            .threads = 1};
    for (int64_t c = 0; counted && c < count; c++)
        EXPECT_OK(scree__turned_count(&turned, cells[c].row, &error), error);
    if (counted)
        EXPECT_OK(scree__turned_counted(&turned, &error), error);
    for (int64_t c = 0; c < count; c++)
        EXPECT_OK(scree__turned_add(&turned, cells[c].row, cells[c].col, cells[c].value, &error), error);
    EXPECT_OK(scree__turned_finish(&turned, &error), error);
    if (turned.in_memory != in_memory)
        fail_msg("%lld entries of type %d, counted %d: in memory %d", (long long)count, (int)type, counted, !in_memory);
    for (int turn = 0; turn < 2; turn++, scree__turned_rewind(&turned)) {
        double *dense = dense_of(cells, count, N, D);
        int64_t rows = 0;
        for (;;) {
            scree__block block = {0};
            EXPECT_OK(scree__turned_next(&turned, 64, &block, &error), error);
            if (block.rows == 0)
                break;
            assert_int_equal(block.first, rows);
            take_off(&block, dense, D);
            rows += block.rows;
        }
        assert_int_equal(rows, N);
        expect_zero(dense, N * D);
        free(dense);
    }
    scree__turned_clear(&turned);
    free(cells);
}

static void test_in_memory(void **state)
{
    (void)state;
    check_turned(50000, SCREE_F64, false, 0, true);
    check_turned(50000, SCREE_F32, false, 0, true);
    check_turned(50000, SCREE_U8, true, 0, true);
    check_turned(50000, SCREE_F64, true, 0, true);
    check_turned(0, SCREE_F64, true, 0, true);
    check_turned(0, SCREE_F64, false, 0, true);
}

static void test_by_scratch(void **state)
{
    (void)state;
    check_turned(900000, SCREE_F64, false, 1, false);
    check_turned(1200000, SCREE_F32, true, 1, false);
    check_turned(800000, SCREE_F64, true, 1, false);
}

/* ---- columns from callbacks ---- */

typedef struct columns {
    int64_t starts[4];
    int32_t rows[8];
    double values[8];
    int64_t wide[8];
    int64_t at;
    int64_t read; /* columns, in all */
    int64_t each; /* a block */
    const char *texts[5];
    scree_type type;
} columns;

/* 5×3:  1 0 0 / 0 2 9 / 0 0 0 / 5+1 0 3 / 0 4 0, rows of columns in no order. */
static columns made(int64_t each)
{
    return (columns){.starts = {0, 3, 5, 7},
                     .rows = {3, 0, 3, 4, 1, 3, 1},
                     .values = {5, 1, 1, 4, 2, 3, 9},
                     .wide = {5, 1, 1, 4, 2, 3, 9},
                     .each = each,
                     .texts = {"a", "b", NULL, "d", "e"},
                     .type = SCREE_F64};
}

static scree_status columns_next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    columns *c = context;
    (void)error;
    const int64_t left = 3 - c->at < c->each ? 3 - c->at : c->each;
    block->rows = left < max_rows ? left : max_rows;
    block->cols = 5;
    block->type = c->type;
    block->starts = c->starts + c->at;
    block->indices = c->rows;
    block->data = c->type == SCREE_F64 ? (const void *)c->values : (const void *)c->wide;
    c->at += block->rows;
    c->read += block->rows;
    return SCREE_OK;
}

static scree_status columns_rewind(void *context, scree_error *error)
{
    (void)error;
    ((columns *)context)->at = 0;
    return SCREE_OK;
}

static scree_status columns_texts(void *context, int64_t first, int64_t count, const char *const **texts,
                                  scree_error *error)
{
    (void)error;
    assert_true(first + count <= 5);
    *texts = ((columns *)context)->texts + first;
    return SCREE_OK;
}

static const double wanted[15] = {1, 0, 0, 0, 2, 9, 0, 0, 0, 6, 0, 3, 0, 4, 0};

static scree_source_calls calls_of(columns *c)
{
    static const char *const names[] = {"name"};
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    calls.context = c;
    calls.next = columns_next;
    calls.rows = 5;
    calls.cols = 3;
    calls.sparse = calls.by_columns = true;
    calls.text_names = names;
    calls.text_count = 1;
    calls.type = c->type;
    return calls;
}

static void expect_rows(scree_source *source, bool texts)
{
    static const char *const names[] = {"a", "b", "", "d", "e"};
    scree_error error = SCREE_ERROR_INIT;
    scree__block block;
    for (int64_t i = 0; i < 5;) {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        assert_true(block.rows > 0);
        for (int64_t k = 0; k < block.rows; k++, i++) {
            for (int64_t j = 0; j < 3; j++)
                assert_true(((const double *)block.data)[k * block.stride + j] == wanted[3 * i + j]);
            assert_string_equal(block.text[k], texts ? names[i] : "");
        }
    }
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_int_equal(block.rows, 0);
}

static void test_columns(void **state)
{
    (void)state;
    for (int64_t each = 1; each <= 3; each++) {
        for (int way = 0; way < 4; way++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_source *source = NULL;
            columns c = made(each);
            scree_source_calls calls = calls_of(&c);
            calls.rewind = way & 1 ? columns_rewind : NULL;
            calls.texts = way & 2 ? columns_texts : NULL;
            EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
            assert_int_equal(c.read, 0);
            expect_rows(source, way & 2);
            EXPECT_OK(scree__source_rewind(source, &error), error);
            expect_rows(source, way & 2);
            assert_int_equal(c.read, way & 1 ? 6 : 3);
            scree_source_free(source);
        }
    }
}

static void expect_refused(columns c, scree_source_calls calls, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    calls.context = &c;
    scree_status status = scree_source_from_calls(&source, &calls, &error);
    status = status == SCREE_OK ? scree__source_next(source, &block, &error) : status;
    assert_int_not_equal(status, SCREE_OK);
    if (!strstr(error.text, part))
        fail_msg("'%s' is not in: %s", part, error.text);
    scree_source_free(source);
}

static void test_refused(void **state)
{
    (void)state;
    columns c = made(2);
    scree_source_calls calls = calls_of(&c);
    calls.sparse = false;
    expect_refused(c, calls, "handed in sparse");
    calls = calls_of(&c);
    calls.rows = -1;
    expect_refused(c, calls, "number of rows known");
    calls = calls_of(&c);
    calls.cols = 4;
    expect_refused(c, calls, "3 columns came, and 4 were announced");
    calls.cols = 2;
    expect_refused(made(3), calls, "at most 2 can follow");
    calls = calls_of(&c);
    calls.rows = 4;
    expect_refused(c, calls, "has 5 rows, and 4 were announced");
    columns bad = c;
    bad.rows[4] = 5;
    expect_refused(bad, calls_of(&bad), "column 2 has an entry in row 5, counted from 0, and there are 5 rows");
    bad = c;
    bad.starts[1] = -1;
    expect_refused(bad, calls_of(&bad), "the entries of column 1 end before they start");
    bad = c;
    bad.type = SCREE_I64;
    bad.wide[6] = (INT64_C(1) << 53) + 1;
    expect_refused(bad, calls_of(&bad), "column 3 has a whole number beyond 2^53");
}

/* ---- rows in any order ---- */

static scree_status loose_next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    static const int64_t starts[] = {0, 1, 4, 4};
    static const int32_t indices[] = {2, 2, 0, 2};
    static const uint8_t values[] = {7, 200, 5, 55};
    static const uint8_t large[] = {7, 200, 5, 56};
    (void)error;
    int64_t *at = context;
    block->rows = *at % 10 == 3 ? 0 : max_rows < 3 ? max_rows : 3;
    block->cols = 3;
    block->type = SCREE_U8;
    block->starts = starts;
    block->indices = indices;
    block->data = *at >= 10 ? large : values;
    *at += block->rows;
    return SCREE_OK;
}

static void test_unsorted(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    int64_t at = 0;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    calls.context = &at;
    calls.next = loose_next;
    calls.cols = 3;
    calls.type = SCREE_U8;
    calls.sparse = true;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    assert_int_equal(scree__source_next(source, &block, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "the columns of row 2 do not ascend"));
    scree_source_free(source);
    source = NULL;
    at = 0;
    calls.unsorted = true;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_memory_equal(block.data, ((const uint8_t[]){0, 0, 7, 5, 0, 255, 0, 0, 0}), 9);
    scree_source_free(source);
    source = NULL;
    at = 10;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    assert_int_equal(scree__source_next(source, &block, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 2 has several entries in column 3 whose sum, 256, is no byte"));
    scree_source_free(source);
}

/* Columns that are left out, with sums over all of them. */
static void test_kept(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    columns c = made(3);
    scree_source_calls calls = calls_of(&c);
    calls.kept = (const uint8_t[]){1, 0, 1};
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    assert_int_equal(scree_source_cols(source), 2);
    source->takes_sparse = source->takes_totals = true;
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_int_equal(block.rows, 5);
    assert_memory_equal(block.totals, ((const double[]){1, 11, 0, 9, 4}), 5 * sizeof(double));
    assert_int_equal(block.starts[5], 4);
    assert_memory_equal(block.indices, ((const int32_t[]){0, 1, 0, 1}), 4 * sizeof(int32_t));
    scree_source_free(source);
    source = NULL;
    calls.kept = (const uint8_t[]){0, 0, 0};
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    assert_null(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_memory), cmocka_unit_test(test_by_scratch), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_unsorted),   cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
