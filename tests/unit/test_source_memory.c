/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in memory are lent where they are; slices, rewinding and wrong arguments. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/source.h"
#include "support/calls.h"

#include <string.h>

static const float rows[4][5] = {{0, 1, 2, -1, -1}, {10, 11, 12, -1, -1}, {20, 21, 22, -1, -1}, {30, 31, 32, -1, -1}};

static void test_lends_without_copy(void **state)
{
    (void)state;
    scree_source *source = NULL;
    scree__block block;
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, 4, 3, 5), NULL), SCREE_OK);
    assert_int_equal(scree_source_rows(source), 4);
    assert_int_equal(scree_source_cols(source), 3);
    assert_int_equal(scree_source_type(source), SCREE_F32);
    assert_null(scree_source_column(source, 0));
    assert_null(scree_source_note(source));
    source->block_rows = 3;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_ptr_equal(block.data, &rows[0][0]);
        assert_int_equal(block.rows, 3);
        assert_int_equal(block.stride, 5);
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_ptr_equal(block.data, &rows[3][0]);
        assert_int_equal(block.rows, 1);
        assert_int_equal(block.first, 3);
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_int_equal(block.rows, 0);
        assert_true(source->started);
        assert_int_equal(scree__source_restart(source, NULL), SCREE_OK);
        assert_false(source->started);
    }
    scree_source_free(source);
}

static void test_slice(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_source *part = NULL;
    scree__block block;
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, 4, 3, 5), NULL), SCREE_OK);
    assert_int_equal(source->table->slice(&part, source, 1, 2, &error), SCREE_OK);
    assert_int_equal(scree__source_next(part, &block, NULL), SCREE_OK);
    assert_ptr_equal(block.data, &rows[1][0]);
    assert_int_equal(block.rows, 2);
    scree_source_free(part);
    part = NULL;
    assert_int_equal(source->table->slice(&part, source, 3, 2, &error), SCREE_ERR_ARGUMENT);
    assert_null(part);
    scree_source_free(source);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, -1, 3, 5), &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, 4, 0, 5), &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, 4, 3, 2), &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, SCREE_F32, INT64_MAX / 4, 3, 5), &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(NULL, SCREE_F32, 4, 3, 5), &error),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(rows, (scree_type)99, 4, 3, 5), &error),
                     SCREE_ERR_ARGUMENT);
    assert_null(source);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(NULL, SCREE_F32, 0, 3), &error), SCREE_OK);
    scree_source_free(source);
    scree_source_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lends_without_copy),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
