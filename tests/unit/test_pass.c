/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass shows every row once, in batches of one size, however the source lends them. The reader and
 * the visitor are two threads: the thread sanitizer watches this test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/pass.h"
#include "scripted_source.h"
#include "support/calls.h"

#include <stdlib.h>

typedef struct witness {
    int64_t batch_rows;
    int64_t rows;
    int64_t total;
    int64_t fail_at; /* batch number, from 1; 0: never */
    int64_t batches;
    const void *data; /* of the last batch */
    int calls;        /* of progress */
    int cancel_at;
} witness;

static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    witness *seen = context;
    if (++seen->batches == seen->fail_at)
        return scree__fail(error, SCREE_ERR_NUMERIC, "no more");
    assert_int_equal(batch->first, seen->rows);
    assert_int_equal(batch->rows,
                     seen->total - seen->rows < seen->batch_rows ? seen->total - seen->rows : seen->batch_rows);
    assert_int_equal(batch->cols, SCRIPTED_COLS);
    for (int64_t i = 0; i < batch->rows; i++)
        for (int64_t j = 0; j < batch->cols; j++)
            assert_true(((const double *)batch->data)[i * batch->stride + j] == (double)(1000 * (seen->rows + i) + j));
    seen->rows += batch->rows;
    seen->data = batch->data;
    return SCREE_OK;
}

static int report(void *context, const scree_progress *progress)
{
    witness *seen = context;
    assert_int_equal(progress->rows, seen->rows);
    assert_int_equal(progress->bytes, seen->rows * SCRIPTED_COLS * 8);
    assert_string_equal(progress->stage, "test");
    return ++seen->calls == seen->cancel_at;
}

static void test_batches_of_one_size(void **state)
{
    (void)state;
    static const int64_t block_rows[] = {0, 1, 5, 7, 16};
    static const int64_t batch_rows[] = {1, 3, 7, 16, 1000};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            scree_run run = SCREE_RUN_INIT;
            witness seen = {.batch_rows = batch_rows[j], .total = 200};
            scree__pass pass = {.stage = "test",
                                .pass = 1,
                                .passes = 2,
                                .batch_rows = batch_rows[j],
                                .run = &run,
                                .visit = look,
                                .context = &seen};
            scripted_source *scripted = scripted_open(200, -1, SCREE__CAN_REWIND);
            int64_t rows = 0;
            run.block_rows = block_rows[i];
            run.progress = report;
            run.progress_context = &seen;
            assert_int_equal(scree__pass_run(&scripted->base, &pass, &rows, NULL), SCREE_OK);
            assert_int_equal(rows, 200);
            assert_int_equal(seen.rows, 200);
            assert_int_equal(seen.calls, seen.batches);
            assert_int_equal(scripted->base.about.rows, 200);
            seen.rows = 0;
            assert_int_equal(scree__pass_run(&scripted->base, &pass, NULL, NULL), SCREE_OK);
            assert_int_equal(seen.rows, 200);
            scree_source_free(&scripted->base);
        }
}

static void test_memory_is_not_copied(void **state)
{
    (void)state;
    static double data[10][4];
    scree_source *source = NULL;
    witness seen = {.batch_rows = 4, .total = 10};
    scree__pass pass = {.stage = "test", .pass = 1, .passes = 1, .batch_rows = 4, .visit = look, .context = &seen};
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 4; j++)
            data[i][j] = j < 3 ? 1000 * i + j : -1;
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(data, SCREE_F64, 10, 3, 4), NULL), SCREE_OK);
    assert_int_equal(scree__pass_memory(source, 4), 0);
    assert_int_equal(scree__pass_run(source, &pass, NULL, NULL), SCREE_OK);
    assert_ptr_equal(seen.data, &data[8][0]);
    assert_int_equal(seen.batches, 3);
    scree_source_free(source);
}

typedef struct several {
    int64_t rows;
    int64_t batches;
    int64_t most; /* rows at once */
} several;

static scree_status count_several(void *context, const scree__batch *batch, scree_error *error)
{
    several *seen = context;
    (void)error;
    assert_int_equal(batch->first, seen->rows);
    assert_true(((const float *)batch->data)[0] == (float)(batch->first % 4096));
    assert_true(batch->rows % 256 == 0 || batch->first + batch->rows == 100000);
    seen->rows += batch->rows;
    seen->batches++;
    seen->most = batch->rows > seen->most ? batch->rows : seen->most;
    return SCREE_OK;
}

/* Rows in memory come many batches at a time, more for more threads, whole ones but for the last; blocks of an odd size
 * are put together as ever. */
static void test_several_batches_at_once(void **state)
{
    (void)state;
    enum { ROWS = 100000, COLS = 128 };
    float *data = calloc((size_t)ROWS * COLS, sizeof *data);
    scree_source *source = NULL;
    int64_t most = 0;
    assert_non_null(data);
    for (int64_t i = 0; i < ROWS; i++)
        data[i * COLS] = (float)(i % 4096);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, SCREE_F32, ROWS, COLS), NULL), SCREE_OK);
    for (int threads = 1; threads <= 2; threads++) {
        scree_run run = SCREE_RUN_INIT;
        several seen = {0};
        const scree__pass pass = {.stage = "test",
                                  .pass = 1,
                                  .passes = 1,
                                  .batch_rows = 256,
                                  .run = &run,
                                  .takes_several = true,
                                  .visit = count_several,
                                  .context = &seen};
        run.threads = threads;
        assert_int_equal(scree__pass_run(source, &pass, NULL, NULL), SCREE_OK);
        assert_int_equal(seen.rows, ROWS);
        assert_true(seen.most > most && seen.most >= 16 * 256);
        most = seen.most;
        run.block_rows = 1000;
        seen = (several){0};
        assert_int_equal(scree__pass_run(source, &pass, NULL, NULL), SCREE_OK);
        assert_int_equal(seen.rows, ROWS);
        assert_true(seen.most <= 1000);
    }
    scree_source_free(source);
    free(data);
}

static void test_pipe_is_read_once(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    witness seen = {.batch_rows = 8, .total = 50};
    scree__pass pass = {.stage = "test", .pass = 1, .passes = 1, .batch_rows = 8, .visit = look, .context = &seen};
    scripted_source *scripted = scripted_open(50, -1, 0);
    assert_true(scree__pass_memory(&scripted->base, 8) > 0);
    assert_int_equal(scree__pass_run(&scripted->base, &pass, NULL, &error), SCREE_OK);
    assert_int_equal(scree__pass_run(&scripted->base, &pass, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "two passes"));
    scree_source_free(&scripted->base);
}

static void test_failures_stop_the_pass(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    witness seen = {.batch_rows = 4, .total = 50, .fail_at = 3};
    scree__pass pass = {
        .stage = "test", .pass = 1, .passes = 1, .batch_rows = 4, .run = &run, .visit = look, .context = &seen};
    scripted_source *scripted = scripted_open(50, -1, SCREE__CAN_REWIND);
    int64_t rows = -7;
    assert_int_equal(scree__pass_run(&scripted->base, &pass, &rows, &error), SCREE_ERR_NUMERIC);
    assert_string_equal(error.text, "no more");
    assert_int_equal(seen.rows, 8);
    assert_int_equal(rows, -7);
    seen = (witness){.batch_rows = 4, .total = 50, .cancel_at = 2};
    run.progress = report;
    run.progress_context = &seen;
    assert_int_equal(scree__pass_run(&scripted->base, &pass, NULL, &error), SCREE_ERR_CANCELLED);
    assert_string_equal(error.text, "cancelled");
    assert_int_equal(seen.rows, 8);
    scripted->fail_at = 20;
    scripted->base.about.rows = -1;
    seen = (witness){.batch_rows = 4, .total = 50};
    assert_int_equal(scree__pass_run(&scripted->base, &pass, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "row 21 is bad");
    scree_source_free(&scripted->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_of_one_size),     cmocka_unit_test(test_memory_is_not_copied),
        cmocka_unit_test(test_several_batches_at_once), cmocka_unit_test(test_pipe_is_read_once),
        cmocka_unit_test(test_failures_stop_the_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
