/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream gives a row for a row, with its text, whatever the blocks; the sink begins even when there are no rows. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/stream.h"
#include "scripted_source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <math.h>

/* A sink that only looks. */
typedef struct witness_sink {
    scree_sink base;
    int64_t rows;
    int64_t announced;
} witness_sink;

static scree_status witness_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    (void)error;
    assert_int_equal(shape->cols, 2);
    assert_int_equal(shape->text_count, 1);
    assert_string_equal(shape->text_names[0], "label");
    assert_string_equal(shape->columns[1], "last");
    ((witness_sink *)sink)->announced = shape->rows;
    return SCREE_OK;
}

static scree_status witness_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                  int threads, scree_error *error)
{
    witness_sink *witness = (witness_sink *)sink;
    (void)error;
    assert_true(threads > 0);
    for (int64_t i = 0; i < rows; i++, witness->rows++) {
        char label[32];
        snprintf(label, sizeof label, "row %lld", (long long)witness->rows);
        assert_string_equal(text[i], label);
        assert_true(data[2 * i] == (double)(1000 * witness->rows));
        assert_true(data[2 * i + 1] == (double)(1000 * witness->rows + 2));
    }
    return SCREE_OK;
}

static scree_status witness_finish(scree_sink *sink, scree_error *error)
{
    (void)sink;
    (void)error;
    return SCREE_OK;
}

static void witness_close(scree_sink *sink)
{
    (void)sink;
}

static const scree__sink_table witness_table = {.name = "witness",
                                                .begin = witness_begin,
                                                .write = witness_write,
                                                .finish = witness_finish,
                                                .close = witness_close};

static scree_status first_and_last(void *context, const scree__block *block, double *out, int threads,
                                   scree_error *error)
{
    (void)threads;
    (void)error;
    for (int64_t i = 0; i < block->rows; i++) {
        const double *row = (const double *)block->data + i * block->stride;
        out[2 * i] = row[0];
        out[2 * i + 1] = row[SCRIPTED_COLS - 1];
    }
    *(int64_t *)context += block->rows;
    return SCREE_OK;
}

static const char *const names[] = {"first", "last"};

static int cancel_at_once(void *context, const scree_progress *progress)
{
    (void)context;
    return progress->rows > 0;
}

static void test_rows_and_text_arrive(void **state)
{
    (void)state;
    static const int64_t block_rows[] = {0, 1, 4, 16};
    for (size_t i = 0; i < 4; i++) {
        int64_t mapped = 0;
        const scree__map map = {
            .stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
        scree_run run = SCREE_RUN_INIT;
        witness_sink witness = {.base = {.table = &witness_table}};
        scripted_source *scripted = scripted_open(150, -1, SCREE__CAN_REWIND);
        run.block_rows = block_rows[i];
        assert_int_equal(scree__stream_run(&scripted->base, &map, &witness.base, &run, NULL), SCREE_OK);
        assert_int_equal(witness.rows, 150);
        assert_int_equal(witness.announced, -1);
        assert_int_equal(mapped, 150);
        assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, NULL, NULL), SCREE_OK);
        assert_int_equal(mapped, 300);
        assert_int_equal(scree_sink_finish(&witness.base, NULL), SCREE_OK);
        scree_source_free(&scripted->base);
    }
}

/* What the source holds counts; what is left goes to blocks: four of them, of 40 bytes a row in and out. */
static void test_memory_is_obeyed(void **state)
{
    (void)state;
    int64_t mapped = 0;
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scripted_source *scripted = scripted_open(150, -1, SCREE__CAN_REWIND);
    scripted->base.memory = 5 << 20;
    run.memory = (5 << 20) + 159;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, &error), SCREE_ERR_LIMIT);
    assert_non_null(
        strstr(error.text, "5 MiB is too little memory: reading and answering its rows needs at least 6 MiB"));
    assert_int_equal(mapped, 0);
    run.memory += 1;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, NULL), SCREE_OK);
    assert_int_equal(scripted->base.block_rows, 1);
    run.memory += 9 * 160;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, NULL), SCREE_OK);
    assert_int_equal(scripted->base.block_rows, 10);
    assert_int_equal(mapped, 300);
    run.block_rows = 11;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, NULL), SCREE_ERR_LIMIT);
    scree_source_free(&scripted->base);
}

/* A map that makes a column of text: "10 times" for row 10. */
typedef struct namer {
    char names[SCRIPTED_BLOCK][32];
    const char *texts[SCRIPTED_BLOCK];
    int passes; /* as progress says */
} namer;

static scree_status name_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    namer *made = context;
    (void)threads;
    (void)error;
    for (int64_t i = 0; i < block->rows; i++) {
        out[i] = 0.5;
        snprintf(made->names[i], sizeof made->names[i], "%lld times", (long long)(block->first + i));
        made->texts[i] = made->names[i];
    }
    return SCREE_OK;
}

static const char *const *lend_names(void *context)
{
    return ((namer *)context)->texts;
}

static int note_passes(void *context, const scree_progress *progress)
{
    ((namer *)context)->passes = 10 * progress->pass + progress->passes;
    return 0;
}

static scree_status pair_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    (void)sink;
    (void)error;
    assert_int_equal(shape->text_count, 2);
    assert_int_equal(shape->text_behind, 1);
    assert_string_equal(shape->text_names[0], "label");
    assert_string_equal(shape->text_names[1], "times");
    return SCREE_OK;
}

static scree_status pair_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error)
{
    witness_sink *witness = (witness_sink *)sink;
    (void)data;
    (void)threads;
    (void)error;
    for (int64_t i = 0; i < rows; i++, witness->rows++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "row %lld|%lld times", (long long)witness->rows, (long long)witness->rows);
        char found[128];
        snprintf(found, sizeof found, "%s|%s", text[2 * i], text[2 * i + 1]);
        assert_string_equal(found, wanted);
    }
    return SCREE_OK;
}

static const scree__sink_table pair_table = {
    .name = "pair", .begin = pair_begin, .write = pair_write, .finish = witness_finish, .close = witness_close};

static void test_maps_make_text(void **state)
{
    (void)state;
    namer made = {.passes = 0};
    const scree__map map = {.stage = "test",
                            .cols = 1,
                            .rows = name_rows,
                            .context = &made,
                            .text_name = "times",
                            .texts = lend_names,
                            .pass = 2,
                            .passes = 3};
    scree_run run = SCREE_RUN_INIT;
    witness_sink witness = {.base = {.table = &pair_table}};
    scripted_source *scripted = scripted_open(150, -1, SCREE__CAN_REWIND);
    run.block_rows = SCRIPTED_BLOCK;
    run.progress = note_passes;
    run.progress_context = &made;
    assert_int_equal(scree__stream_run(&scripted->base, &map, &witness.base, &run, NULL), SCREE_OK);
    assert_int_equal(witness.rows, 150);
    assert_int_equal(made.passes, 23);
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, NULL), SCREE_OK);
    scree_source_free(&scripted->base);
}

/* A map that writes each row three times: its first element, and which time it is. */
static scree_status three_times(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    const double *x = block->data;
    (void)context;
    (void)threads;
    (void)error;
    for (int64_t i = 0; i < 3 * block->rows; i++) {
        out[2 * i] = x[i / 3 * block->stride];
        out[2 * i + 1] = (double)(i % 3);
    }
    return SCREE_OK;
}

static scree_status thrice_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                 int threads, scree_error *error)
{
    witness_sink *witness = (witness_sink *)sink;
    (void)error;
    (void)threads;
    for (int64_t i = 0; i < rows; i++, witness->rows++) {
        char label[32];
        snprintf(label, sizeof label, "row %lld", (long long)(witness->rows / 3));
        assert_string_equal(text[i], label);
        assert_true(data[2 * i] == (double)(1000 * (witness->rows / 3)));
        assert_true(data[2 * i + 1] == (double)(witness->rows % 3));
    }
    return SCREE_OK;
}

static void test_rows_are_repeated(void **state)
{
    (void)state;
    static const scree__sink_table table = {.name = "thrice",
                                            .begin = witness_begin,
                                            .write = thrice_write,
                                            .finish = witness_finish,
                                            .close = witness_close};
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = three_times, .repeat = 3};
    scripted_source *source = scripted_open(100, -1, SCREE__CAN_REWIND);
    for (int64_t round = 0; round < 2; round++) {
        witness_sink witness = {.base = {.table = &table}};
        scree_run run = SCREE_RUN_INIT;
        run.block_rows = 5 * round;
        assert_int_equal(scree__stream_run(&source->base, &map, &witness.base, &run, NULL), SCREE_OK);
        assert_int_equal(witness.rows, 300);
        assert_int_equal(witness.announced, round == 0 ? -1 : 300); /* the second time the rows are known */
    }
    scree_source_free(&source->base);
}

/* Three rows for each row, with a text each: of rows that cannot be used, what came with them, and none of its own. */
static scree_status bad_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                              scree_error *error)
{
    witness_sink *witness = (witness_sink *)sink;
    (void)error;
    (void)threads;
    for (int64_t i = 0; i < rows; i++, witness->rows++) {
        static const char *const labels[] = {"one", "two", "three"};
        const bool bad = witness->rows / 3 == 1;
        assert_non_null(text[2 * i]);
        assert_non_null(text[2 * i + 1]);
        assert_string_equal(text[2 * i], labels[witness->rows / 3]);
        assert_string_equal(text[2 * i + 1], bad ? "" : "good");
        assert_true(isnan(data[2 * i]) == bad);
    }
    return SCREE_OK;
}

static const char *const *lend_good(void *context)
{
    static const char *const good[] = {"good", "good", "good"};
    (void)context;
    return good;
}

static void test_bad_rows_are_repeated(void **state)
{
    (void)state;
    static const char csv[] = "label,a,b\none,1,2\ntwo,3,oops\nthree,5,6\n";
    static const scree__sink_table table = {
        .name = "bad", .begin = pair_begin, .write = bad_write, .finish = witness_finish, .close = witness_close};
    const scree__map map = {.stage = "test",
                            .cols = 2,
                            .columns = names,
                            .rows = three_times,
                            .repeat = 3,
                            .text_name = "times",
                            .texts = lend_good};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    witness_sink witness = {.base = {.table = &table}};
    file_write("bad.csv", csv, sizeof csv - 1);
    const scree_read_options options =
        SIZED(scree_read_options, .header = -1, .live = true, .columns = "a,b", .on_error = SCREE_NAN);
    if (scree_source_open(&source, folder_path("bad.csv"), &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scree__stream_run(source, &map, &witness.base, NULL, &error), SCREE_OK);
    assert_int_equal(witness.rows, 9);
    scree_source_free(source);
}

static void test_no_rows_still_begin(void **state)
{
    (void)state;
    int64_t mapped = 0;
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
    witness_sink witness = {.base = {.table = &witness_table}};
    scripted_source *scripted = scripted_open(0, -1, 0);
    assert_int_equal(scree__stream_run(&scripted->base, &map, &witness.base, NULL, NULL), SCREE_OK);
    assert_true(witness.base.begun);
    assert_int_equal(witness.rows, 0);
    scree_source_free(&scripted->base);
}

static void test_failures_stop_the_stream(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    int64_t mapped = 0;
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
    scree_run run = SCREE_RUN_INIT;
    witness_sink witness = {.base = {.table = &witness_table}};
    scripted_source *scripted = scripted_open(100, 30, SCREE__CAN_REWIND);
    assert_int_equal(scree__stream_run(&scripted->base, &map, &witness.base, &run, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "row 31 is bad");
    scripted->fail_at = -1;
    run.progress = cancel_at_once;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, &error), SCREE_ERR_CANCELLED);
    scree_source_free(&scripted->base);
}

static int see_share(void *context, const scree_progress *p)
{
    double *done = context;
    assert_true(p->done > *done && p->seconds_left >= 0);
    assert_true(p->done == (double)p->rows / (double)p->rows_total && (p->done < 1 || p->seconds_left == 0));
    *done = p->done;
    return 0;
}

static void test_progress_says_how_much_is_done(void **state)
{
    (void)state;
    int64_t mapped = 0;
    double done = 0;
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
    scree_run run = SCREE_RUN_INIT;
    scripted_source *scripted = scripted_open(150, -1, SCREE__CAN_REWIND);
    scripted->base.about.rows = 150;
    run.block_rows = SCRIPTED_BLOCK;
    run.progress = see_share;
    run.progress_context = &done;
    assert_int_equal(scree__stream_run(&scripted->base, &map, NULL, &run, NULL), SCREE_OK);
    assert_int_equal(mapped, 150);
    assert_true(done == 1);
    scree_source_free(&scripted->base);
}

static void test_memory_sink(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    int64_t mapped = 0;
    const scree__map map = {.stage = "test", .cols = 2, .columns = names, .rows = first_and_last, .context = &mapped};
    double out[20][2];
    scree_sink *sink = NULL;
    scripted_source *scripted = scripted_open(20, -1, SCREE__CAN_REWIND);
    assert_int_equal(scree_sink_to_memory(&sink, &out[0][0], 20, 2, &error), SCREE_OK);
    assert_int_equal(scree__stream_run(&scripted->base, &map, sink, NULL, &error), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, &error), SCREE_OK);
    assert_true(out[19][1] == 19002.0);
    assert_int_equal(scree__stream_run(&scripted->base, &map, sink, NULL, &error), SCREE_ERR_ARGUMENT);
    scree_sink_free(sink);
    sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, &out[0][0], 19, 2, &error), SCREE_OK);
    assert_int_equal(scree__stream_run(&scripted->base, &map, sink, NULL, &error), SCREE_ERR_SHAPE);
    scree_sink_free(sink);
    sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, &out[0][0], 10, 4, &error), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree__stream_run(&scripted->base, &map, sink, NULL, &error), SCREE_ERR_SHAPE);
    scree_sink_free(sink);
    scree_source_free(&scripted->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_text_arrive),
        cmocka_unit_test(test_memory_is_obeyed),
        cmocka_unit_test(test_maps_make_text),
        cmocka_unit_test(test_rows_are_repeated),
        cmocka_unit_test(test_bad_rows_are_repeated),
        cmocka_unit_test(test_no_rows_still_begin),
        cmocka_unit_test(test_failures_stop_the_stream),
        cmocka_unit_test(test_progress_says_how_much_is_done),
        cmocka_unit_test(test_memory_sink),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
