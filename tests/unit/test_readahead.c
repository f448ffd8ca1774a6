/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading ahead changes neither rows nor text nor the place of an error, and may be left at any moment. Two
 * threads share the buffers: the thread sanitizer watches this test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_source.h"

/* Reads to the end or to an error; checks every row. Returns the rows. */
static int64_t read_rows(scree_source *source, scree_status *status, scree_error *error)
{
    scree__block block;
    int64_t seen = 0;
    for (;;) {
        *status = scree__source_next(source, &block, error);
        if (*status != SCREE_OK || block.rows == 0)
            return seen;
        assert_int_equal(block.first, seen);
        for (int64_t i = 0; i < block.rows; i++) {
            char label[32];
            const double *row = (const double *)block.data + i * block.stride;
            snprintf(label, sizeof label, "row %lld", (long long)seen);
            assert_string_equal(block.text[i], label);
            for (int64_t j = 0; j < SCRIPTED_COLS; j++)
                assert_true(row[j] == (double)(1000 * seen + j));
            seen++;
        }
    }
}

static void test_rows_text_and_rewind(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = SCREE_OK;
    scree_source *ahead = NULL;
    scripted_source *scripted = scripted_open(500, -1, SCREE__CAN_REWIND);
    assert_int_equal(scree__readahead_open(&ahead, &scripted->base, &error), SCREE_OK);
    assert_int_equal(scree_source_cols(ahead), SCRIPTED_COLS);
    assert_string_equal(scree_source_column(ahead, 1), "b");
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(read_rows(ahead, &status, &error), 500);
        assert_int_equal(status, SCREE_OK);
        assert_int_equal(scree__source_rewind(ahead, &error), SCREE_OK);
    }
    scree_source_free(ahead);
    scree_source_free(&scripted->base);
}

static void test_error_arrives_in_order(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = SCREE_OK;
    scree_source *ahead = NULL;
    scripted_source *scripted = scripted_open(500, 100, 0);
    scripted->base.block_rows = 1;
    assert_int_equal(scree__readahead_open(&ahead, &scripted->base, &error), SCREE_OK);
    assert_int_equal(read_rows(ahead, &status, &error), 100);
    assert_int_equal(status, SCREE_ERR_VALUE);
    assert_string_equal(error.text, "row 101 is bad");
    assert_int_equal(read_rows(ahead, &status, &error), 0);
    assert_int_equal(status, SCREE_ERR_VALUE);
    assert_int_equal(scree__source_rewind(ahead, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "save them to a file"));
    scree_source_free(ahead);
    scree_source_free(&scripted->base);
}

static void test_close_at_any_moment(void **state)
{
    (void)state;
    for (int calls = 0; calls < 12; calls++) {
        scree_source *ahead = NULL;
        scree__block block;
        scripted_source *scripted = scripted_open(40, -1, 0);
        assert_int_equal(scree__readahead_open(&ahead, &scripted->base, NULL), SCREE_OK);
        for (int i = 0; i < calls; i++)
            assert_int_equal(scree__source_next(ahead, &block, NULL), SCREE_OK);
        scree_source_free(ahead);
        scree_source_free(&scripted->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_text_and_rewind),
        cmocka_unit_test(test_error_arrives_in_order),
        cmocka_unit_test(test_close_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
