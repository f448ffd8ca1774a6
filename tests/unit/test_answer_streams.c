/* SPDX-License-Identifier: BSD-3-Clause */
/* Project, reconstruct, round trip and copy from source to sink: the same bits as in memory, for any blocks and
 * threads; errors that name the row; the error of (10.29). */

#include "data/source.h"
#include "model/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"

enum { ROWS = 300, D = 11, M = 3 };

static const int64_t blocks[] = {0, 1, 7, 128, 131, 1000};

static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};

typedef scree_status (*answer)(const scree_model *, scree_source *, scree_sink *, const scree_run *, scree_error *);

typedef struct table {
    double *data; /* ROWS×cols */
    int64_t cols;
    const char *const *names;
} table;

/* Runs an answer from memory to memory. */
static scree_status ask(answer question, const scree_model *model, table x, table out, const scree_run *run,
                        scree_error *error)
{
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x.data, SCREE_F64, ROWS, x.cols), NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, out.data, ROWS, out.cols, NULL), SCREE_OK);
    if (x.names)
        source->about.columns = scree__strings_copy(x.names, x.cols);
    scree_status status = question(model, source, sink, run, error);
    if (status == SCREE_OK)
        assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static void blocks_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    double x[ROWS * D];
    double codes[ROWS * M];
    double rows[ROWS * D];
    double found[ROWS * D];
    scree__normals(1, 1, 0, ROWS * D, x);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), rows, NULL, NULL), SCREE_OK);
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
        for (int threads = 1; threads <= 3; threads++) {
            scree_run run = SCREE_RUN_INIT;
            run.threads = threads;
            run.block_rows = blocks[b];
            assert_int_equal(ask(scree_model_project, model, (table){x, D, NULL}, (table){found, M, NULL}, &run, NULL),
                             SCREE_OK);
            assert_memory_equal(found, codes, sizeof codes);
            assert_int_equal(
                ask(scree_model_reconstruct, model, (table){codes, M, NULL}, (table){found, D, NULL}, &run, NULL),
                SCREE_OK);
            assert_memory_equal(found, rows, sizeof rows);
        }
    }
    scree_model_free(model);
}

static void columns_are_matched_by_name(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, names);
    double x[ROWS * D];
    double mixed[ROWS * (D + 1)];
    double codes[ROWS * M];
    double found[ROWS * M];
    const char *mixed_names[D + 1] = {"more"};
    scree__normals(1, 1, 0, ROWS * D, x);
    for (int64_t j = 0; j < D; j++)
        mixed_names[j + 1] = names[D - 1 - j];
    for (int64_t i = 0; i < ROWS; i++) {
        mixed[i * (D + 1)] = NAN; /* a column that the model does not know may be anything */
        for (int64_t j = 0; j < D; j++)
            mixed[i * (D + 1) + j + 1] = x[i * D + D - 1 - j];
    }
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(
        ask(scree_model_project, model, (table){mixed, D + 1, mixed_names}, (table){found, M, NULL}, NULL, NULL),
        SCREE_OK);
    assert_memory_equal(found, codes, sizeof codes);
    scree_model_free(model);
}

static void errors_name_row_and_column(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, names);
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    static double x[ROWS * D];
    double codes[ROWS * M];
    x[255 * D + 3] = INFINITY;
    run.block_rows = 100;
    assert_int_equal(ask(scree_model_project, model, (table){x, D, names}, (table){codes, M, NULL}, &run, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "memory: row 256, column 'd' is infinite"));
    assert_int_equal(ask(scree_model_reconstruct, model, (table){x, D, NULL}, (table){codes, D, NULL}, &run, &error),
                     SCREE_ERR_SHAPE);
    scree_model_free(model);
}

static double mean_error(const scree_model *model, const double *x, const scree_run *run)
{
    double error = -1.0;
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, D), NULL), SCREE_OK);
    assert_int_equal(scree_model_round_trip(model, source, NULL, &error, run, NULL), SCREE_OK);
    scree_source_free(source);
    return error;
}

static void round_trips_measure_what_is_lost(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    const scree_model_view *view = scree_model_get(model);
    double x[ROWS * D];
    double codes[ROWS * M];
    double rows[ROWS * D];
    long double sum = 0.0L;
    scree__normals(1, 1, 0, ROWS * D, x);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), rows, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS * D; i++) {
        long double lost = ((long double)x[i] - rows[i]) / view->scale[i % D];
        sum += lost * lost;
    }
    double whole = mean_error(model, x, NULL);
    assert_true(fabs(whole - (double)(sum / ROWS)) < 1e-13 * whole);
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
        scree_run run = SCREE_RUN_INIT;
        run.block_rows = blocks[b];
        run.threads = (int)b % 3 + 1;
        assert_true(mean_error(model, x, &run) == whole);
    }
    scree_model_free(model);
}

static scree_status trip(const scree_model *model, scree_source *source, scree_sink *sink, const scree_run *run,
                         scree_error *error)
{
    return scree_model_round_trip(model, source, sink, NULL, run, error);
}

static scree_status copy(const scree_model *model, scree_source *source, scree_sink *sink, const scree_run *run,
                         scree_error *error)
{
    (void)model;
    return scree_source_copy(source, sink, run, error);
}

static void round_trips_write_rows(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    double x[ROWS * D];
    double codes[ROWS * M];
    double rows[ROWS * D];
    double found[ROWS * D];
    scree__normals(1, 1, 0, ROWS * D, x);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), rows, NULL, NULL), SCREE_OK);
    assert_int_equal(ask(trip, model, (table){x, D, NULL}, (table){found, D, NULL}, NULL, NULL), SCREE_OK);
    assert_memory_equal(found, rows, sizeof rows);
    scree_model_free(model);
}

static void copies_keep_everything(void **state)
{
    (void)state;
    static const uint8_t small[] = {0, 7, 255, 128};
    double x[ROWS * D];
    double found[ROWS * D];
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree__normals(1, 1, 0, ROWS * D, x);
    x[5] = NAN;
    x[7] = -INFINITY;
    x[9] = -0.0;
    assert_int_equal(ask(copy, NULL, (table){x, D, NULL}, (table){found, D, NULL}, NULL, NULL), SCREE_OK);
    assert_memory_equal(found, x, sizeof x);
    assert_int_equal(scree_source_from_memory(&source, BLOCK_STRIDED(small, SCREE_U8, 2, 1, 2), NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, found, 2, 1, NULL), SCREE_OK);
    assert_int_equal(scree_source_copy(source, sink, NULL, NULL), SCREE_OK);
    assert_true(found[0] == 0.0 && found[1] == 255.0);
    scree_sink_free(sink);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_threads_do_not_change_a_bit),
        cmocka_unit_test(columns_are_matched_by_name),
        cmocka_unit_test(errors_name_row_and_column),
        cmocka_unit_test(round_trips_measure_what_is_lost),
        cmocka_unit_test(round_trips_write_rows),
        cmocka_unit_test(copies_keep_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
