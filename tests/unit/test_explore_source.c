/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploring as a source: which row and which draw each line is, labels carried along, z* decoded into x̃*, the same bits
 * for any threads and blocks; bad rows, rows that are not there and bad options are refused, and rows stay the caller's
 * then. */

#include "support/checks.h"

#include "data/source.h"
#include "made_model.h"
#include "scripted_source.h"
#include "support/calls.h"

#include <string.h>

enum { ROWS = 40, D = 6, M = 2, DRAWS = 7, COLS = 2 + M + D };

static const char *const names[D] = {"a", "b", "c", "d", "e", "f"};

static void make_rows(const scree_model *model, double *x)
{
    scree__normals(1, 2, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] += scree_model_get(model)->mean[i % D];
}

static scree_source *explore(const scree_model *model, const double *x, const scree_explore_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *rows = NULL;
    scree_source *draws = NULL;
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, ROWS, D), &error), error);
    rows->block_rows = 16;
    EXPECT_OK(scree_source_explore(&draws, model, rows, options, &error), error);
    return draws;
}

/* Everything that is left; how many lines. */
static int64_t read_all(scree_source *source, int64_t block_rows, double *out)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    int64_t at = 0;
    if (block_rows > 0)
        source->block_rows = block_rows;
    for (;;) {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        if (block.rows == 0)
            return at;
        assert_true(block.first == at && block.rows <= source->block_rows);
        memcpy(out + at * source->about.cols, block.data, (size_t)(block.rows * source->about.cols) * sizeof *out);
        at += block.rows;
    }
}

static void lines_are_numbered_and_named(void **state)
{
    (void)state;
    static const char *const wanted[] = {"row", "draw", "z1", "z2", "a", "b", "c", "d", "e", "f"};
    static double x[ROWS * D];
    static double out[ROWS * DRAWS * COLS];
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, true, names);
    make_rows(model, x);
    options.draws = DRAWS;
    options.latent = true;
    scree_source *draws = explore(model, x, &options);
    assert_int_equal(scree_source_rows(draws), ROWS * DRAWS);
    assert_int_equal(scree_source_cols(draws), COLS);
    for (int64_t j = 0; j < COLS; j++)
        assert_string_equal(scree_source_column(draws, j), wanted[j]);
    assert_int_equal(read_all(draws, 0, out), ROWS * DRAWS);
    for (int64_t i = 0; i < ROWS * DRAWS; i++) {
        assert_true(out[i * COLS] == (double)(i / DRAWS + 1));
        assert_true(out[i * COLS + 1] == (double)(i % DRAWS + 1));
    }
    scree_source_free(draws);
    scree_model_free(model);
}

/* x̃* is Bz* + µ but for ε, whose squares add up to what they should. */
static void visible_follows_from_latent(void **state)
{
    (void)state;
    static double x[ROWS * D];
    static double out[ROWS * DRAWS * COLS];
    double b[D * M];
    double squares = 0;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, false, NULL);
    const scree_model_view *view = scree_model_get(model);
    make_rows(model, x);
    assert_int_equal(scree_model_loadings(model, b, NULL), SCREE_OK);
    options.draws = DRAWS;
    options.latent = true;
    scree_source *draws = explore(model, x, &options);
    assert_string_equal(scree_source_column(draws, 2 + M), "c1");
    assert_int_equal(read_all(draws, 0, out), ROWS * DRAWS);
    for (int64_t i = 0; i < ROWS * DRAWS; i++)
        for (int64_t k = 0; k < D; k++) {
            const double *line = out + i * COLS;
            double off = line[2 + M + k] - view->mean[k];
            for (int64_t j = 0; j < M; j++)
                off -= b[k * M + j] * line[2 + j];
            squares += off * off / view->noise_variance;
        }
    const double count = ROWS * DRAWS * D;
    EXPECT_NEAR(squares, count, 5 * sqrt(2 * count));
    scree_source_free(draws);
    scree_model_free(model);
}

static void blocks_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const int64_t blocks[] = {1, 5, 128, 100000};
    static double x[ROWS * D];
    static double first[ROWS * DRAWS * COLS];
    static double again[ROWS * DRAWS * COLS];
    scree_run run = run_with_threads(1);
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, true, NULL);
    make_rows(model, x);
    options.draws = DRAWS;
    options.latent = true;
    options.seed = 9;
    options.run = &run;
    scree_source *draws = explore(model, x, &options);
    assert_int_equal(read_all(draws, 0, first), ROWS * DRAWS);
    scree_source_free(draws);
    for (int64_t k = 0; k < COUNT_OF(blocks); k++)
        for (run.threads = 1; run.threads <= 4; run.threads *= 2) {
            draws = explore(model, x, &options);
            memset(again, 0, sizeof again);
            assert_int_equal(read_all(draws, blocks[k], again), ROWS * DRAWS);
            assert_memory_equal(again, first, sizeof first);
            assert_int_equal(scree__source_rewind(draws, NULL), SCREE_OK);
            memset(again, 0, sizeof again);
            assert_int_equal(read_all(draws, blocks[k], again), ROWS * DRAWS);
            assert_memory_equal(again, first, sizeof first);
            scree_source_free(draws);
        }
    scree_model_free(model);
}

/* The row is found in whichever block it lies. */
static void one_row_alone(void **state)
{
    (void)state;
    static double x[ROWS * D];
    static double out[1000 * (2 + D)];
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, false, NULL);
    make_rows(model, x);
    options.draws = 1000;
    for (options.row = 0; options.row < ROWS; options.row += 13) {
        scree_source *draws = explore(model, x, &options);
        assert_int_equal(scree_source_rows(draws), 1000);
        for (int turn = 0; turn < 2; turn++) {
            assert_int_equal(read_all(draws, 64, out), 1000);
            for (int64_t i = 0; i < 1000; i++) {
                assert_true(out[i * (2 + D)] == (double)(options.row + 1));
                assert_true(out[i * (2 + D) + 1] == (double)(i + 1));
            }
            assert_int_equal(scree__source_rewind(draws, NULL), SCREE_OK);
        }
        scree_source_free(draws);
    }
    scree_model_free(model);
}

/* Rows whose number is not known beforehand, in blocks of all sizes, with labels. */
static void labels_are_carried(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(SCRIPTED_COLS, 1, 0.0, false, NULL);
    scripted_source *rows = scripted_open(25, -1, 0);
    scree_source *draws = NULL;
    scree__block block = {0};
    int64_t at = 0;
    options.draws = 3;
    EXPECT_OK(scree_source_explore(&draws, model, &rows->base, &options, &error), error);
    assert_int_equal(scree_source_rows(draws), -1);
    assert_string_equal(draws->about.text_names[0], "label");
    draws->block_rows = 4;
    do {
        EXPECT_OK(scree__source_next(draws, &block, &error), error);
        for (int64_t i = 0; i < block.rows; i++, at++) {
            char label[32];
            snprintf(label, sizeof label, "row %d", (int)(at / 3));
            assert_string_equal(block.text[i], label);
        }
    } while (block.rows > 0);
    assert_int_equal(at, 75);
    assert_int_equal(scree__source_rewind(draws, &error), SCREE_ERR_UNSUPPORTED);
    scree_source_free(draws);
    scree_model_free(model);
}

/* What is refused at once leaves the rows with the caller. */
static void bad_options_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, false, NULL);
    scree_source *rows = NULL;
    scree_source *draws = NULL;
    double x[2 * D] = {0};
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, 2, D), &error), error);
    options.draws = 0;
    assert_int_equal(scree_source_explore(&draws, model, rows, &options, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "0 draws cannot be made; ask for at least 1");
    options.draws = INT64_MAX;
    assert_int_equal(scree_source_explore(&draws, model, rows, &options, &error), SCREE_ERR_ARGUMENT);
    scree_source_free(rows);
    rows = NULL;
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK_STRIDED(x, SCREE_F64, 2, D - 1, D), &error), error);
    options.draws = 1;
    assert_int_equal(scree_source_explore(&draws, model, rows, &options, &error), SCREE_ERR_SHAPE);
    assert_null(draws);
    scree_source_free(rows);
    scree_model_free(model);
}

/* What only reading shows comes after the rows before it. */
static void bad_rows_are_named(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 3.0, false, NULL);
    scree__block block = {0};
    static double x[ROWS * D];
    options.row = ROWS;
    scree_source *draws = explore(model, x, &options);
    assert_int_equal(scree__source_next(draws, &block, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "memory: there is no row 41, the last is row 40");
    scree_source_free(draws);
    x[20 * D + 3] = INFINITY;
    options.row = -1;
    draws = explore(model, x, &options);
    int64_t before = 0; /* the bad row, all are drawn */
    scree_status status = SCREE_OK;
    while ((status = scree__source_next(draws, &block, &error)) == SCREE_OK)
        before += block.rows;
    assert_int_equal(before, 20);
    assert_int_equal(status, SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 21, column 4 is infinite"));
    scree_source_free(draws);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_numbered_and_named),
        cmocka_unit_test(visible_follows_from_latent),
        cmocka_unit_test(blocks_and_threads_do_not_change_a_bit),
        cmocka_unit_test(one_row_alone),
        cmocka_unit_test(labels_are_carried),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(bad_rows_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
