/* SPDX-License-Identifier: BSD-3-Clause */
/* Chosen columns come in the order asked for, with names and text; neighbours are not copied. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_source.h"
#include "support/calls.h"

static void test_any_order(void **state)
{
    (void)state;
    static const int64_t index[] = {2, 0, 2};
    scree_source *select = NULL;
    scree__block block;
    int64_t seen = 0;
    scripted_source *scripted = scripted_open(60, -1, SCREE__CAN_REWIND);
    scripted->base.about.image_rows = 1;
    scripted->base.about.image_cols = 3;
    assert_int_equal(scree__select_open(&select, &scripted->base, index, 3, NULL), SCREE_OK);
    assert_string_equal(scree_source_column(select, 0), "c");
    assert_string_equal(scree_source_column(select, 1), "a");
    assert_string_equal(select->about.text_names[0], "label");
    assert_int_equal(select->about.image_cols, 0);
    for (int turn = 0; turn < 2; turn++, seen = 0) {
        do {
            assert_int_equal(scree__source_next(select, &block, NULL), SCREE_OK);
            for (int64_t i = 0; i < block.rows; i++, seen++) {
                char label[32];
                const double *row = (const double *)block.data + i * block.stride;
                snprintf(label, sizeof label, "row %lld", (long long)seen);
                assert_string_equal(block.text[i], label);
                assert_true(row[0] == (double)(1000 * seen + 2) && row[2] == row[0]);
                assert_true(row[1] == (double)(1000 * seen));
            }
        } while (block.rows > 0);
        assert_int_equal(seen, 60);
        assert_int_equal(scree__source_restart(select, NULL), SCREE_OK);
    }
    scree_source_free(select);
}

/* Three columns of very many: rows come a few at a time, since the inner source reads whole ones. */
static void test_blocks_of_wide_rows(void **state)
{
    (void)state;
    enum { WIDE = 1 << 20, ROWS = 20 };
    static const int64_t index[] = {0, 1, 2};
    uint8_t *data = calloc(ROWS, WIDE);
    scree_source *inner = NULL;
    scree_source *select = NULL;
    scree__block block;
    int64_t seen = 0;
    assert_non_null(data);
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(data, SCREE_U8, ROWS, WIDE), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, index, 3, NULL), SCREE_OK);
    select->block_rows = ROWS;
    do {
        assert_int_equal(scree__source_next(select, &block, NULL), SCREE_OK);
        assert_true(block.rows * WIDE <= 4 << 20);
        seen += block.rows;
    } while (block.rows > 0);
    assert_int_equal(seen, ROWS);
    scree_source_free(select);
    free(data);
}

static void test_types_and_slices(void **state)
{
    (void)state;
    static const uint8_t bytes[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    static const float floats[2][2] = {{1, 2}, {3, 4}};
    static const int64_t index[] = {2, 0};
    static const int64_t turned[] = {1, 0};
    scree_source *inner = NULL;
    scree_source *select = NULL;
    scree_source *part = NULL;
    scree__block block;
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(bytes, SCREE_U8, 3, 3), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, index, 2, NULL), SCREE_OK);
    assert_false(select->can & SCREE__IN_MEMORY);
    assert_int_equal(select->table->slice(&part, select, 1, 2, NULL), SCREE_OK);
    assert_int_equal(scree__source_next(part, &block, NULL), SCREE_OK);
    assert_int_equal(block.rows, 2);
    assert_memory_equal(block.data, "\x06\x04\x09\x07", 4);
    scree_source_free(part);
    scree_source_free(select);
    inner = NULL;
    select = NULL;
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(floats, SCREE_F32, 2, 2), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, turned, 2, NULL), SCREE_OK);
    assert_int_equal(scree__source_next(select, &block, NULL), SCREE_OK);
    assert_true(((const float *)block.data)[0] == 2.0F && ((const float *)block.data)[3] == 3.0F);
    scree_source_free(select);
}

static void test_neighbours_are_lent(void **state)
{
    (void)state;
    static const double data[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    static const int64_t index[] = {1, 2};
    scree_source *inner = NULL;
    scree_source *select = NULL;
    scree__block block;
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(data, SCREE_F64, 2, 4), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, index, 2, NULL), SCREE_OK);
    assert_true(select->can & SCREE__IN_MEMORY);
    assert_int_equal(scree__source_next(select, &block, NULL), SCREE_OK);
    assert_ptr_equal(block.data, &data[0][1]);
    assert_int_equal(block.stride, 4);
    scree_source_free(select);
}

static void test_wrong_columns(void **state)
{
    (void)state;
    static const double data[1] = {1};
    static const int64_t index[] = {1};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *inner = NULL;
    scree_source *select = NULL;
    assert_int_equal(scree_source_from_memory(&inner, BLOCK(data, SCREE_F64, 1, 1), NULL), SCREE_OK);
    assert_int_equal(scree__select_open(&select, inner, index, 1, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree__select_open(&select, inner, index, 0, &error), SCREE_ERR_ARGUMENT);
    assert_null(select);
    scree_source_free(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),        cmocka_unit_test(test_blocks_of_wide_rows),
        cmocka_unit_test(test_types_and_slices), cmocka_unit_test(test_neighbours_are_lent),
        cmocka_unit_test(test_wrong_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
