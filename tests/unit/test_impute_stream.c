/* SPDX-License-Identifier: BSD-3-Clause */
/* Filling gaps from source to sink: the same bits as in memory for any blocks and threads, as every other answer to
 * rows with gaps; draws that have the conditional distribution; columns in their order, unknown ones passed through;
 * what was met is counted. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "made_model.h"
#include "support/calls.h"
#include "support/dense_given.h"
#include "support/drawn.h"

#include <string.h>

enum { ROWS = 300, D = 11, M = 3, DRAWS = 3, WIDE = DRAWS * (D + 2) };

static const int64_t blocks[] = {0, 1, 7, 128, 131};

static double *made_rows(uint64_t seed)
{
    double *x = scree__alloc(ROWS * D, sizeof *x);
    assert_non_null(x);
    scree__normals(seed, 1, 0, ROWS * D, x);
    dense_given_puncture(x, ROWS, D, seed);
    return x;
}

static scree_source *source_of(const double *x, int64_t rows, int64_t cols, const char *const *names)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, rows, cols), NULL), SCREE_OK);
    if (names)
        source->about.columns = scree__strings_copy(names, cols);
    return source;
}

typedef struct answers {
    double filled[ROWS * D];
    double sd[ROWS * D];
    double drawn[ROWS * WIDE];
    double codes[ROWS * M];
    double intervals[ROWS * 3 * M];
    double scores[ROWS * 5];
    double trip[ROWS * D];
    double explored[ROWS * 2 * (D + 2)];
    double mse;
} answers;

static scree_sink *sink_of(double *data, int64_t rows, int64_t cols)
{
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, data, rows, cols, NULL), SCREE_OK);
    return sink;
}

static void impute(answers *out, const scree_model *model, scree_source *source, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_impute_options options = SCREE_IMPUTE_OPTIONS_INIT;
    scree_sink *sink = sink_of(out->filled, ROWS, D);
    scree_sink *sd = sink_of(out->sd, ROWS, D);
    options.run = run;
    EXPECT_OK(scree_model_impute(model, source, sink, sd, &options, &error), error);
    scree_sink_free(sink);
    scree_sink_free(sd);
    options.draws = DRAWS;
    options.seed = 5;
    sink = sink_of(out->drawn, ROWS * DRAWS, D + 2);
    EXPECT_OK(scree_model_impute(model, source, sink, NULL, &options, &error), error);
    scree_sink_free(sink);
}

static void ask_everything(answers *out, const scree_model *model, const double *x, const scree_run *run)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_explore_options explore = SCREE_EXPLORE_OPTIONS_INIT;
    const scree_posterior_options posterior = SIZED(scree_posterior_options, .interval = 0.9, .run = run);
    scree_source *source = source_of(x, ROWS, D, NULL);
    scree_source *draws = NULL;
    scree_scorer *scorer = NULL;
    memset(out, 0, sizeof *out);
    impute(out, model, source, run);
    scree_sink *sinks[] = {sink_of(out->codes, ROWS, M), sink_of(out->intervals, ROWS, 3 * M),
                           sink_of(out->scores, ROWS, 5), sink_of(out->trip, ROWS, D),
                           sink_of(out->explored, 2 * ROWS, D + 2)};
    EXPECT_OK(scree_model_project(model, source, sinks[0], run, &error), error);
    EXPECT_OK(scree_model_posterior(model, source, sinks[1], &posterior, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score(scorer, source, sinks[2], NULL, run, &error), error);
    EXPECT_OK(scree_model_round_trip(model, source, sinks[3], &out->mse, run, &error), error);
    explore.draws = 2;
    explore.run = run;
    EXPECT_OK(scree_source_explore(&draws, model, source, &explore, &error), error);
    EXPECT_OK(scree_source_copy(draws, sinks[4], run, &error), error);
    for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++)
        scree_sink_free(sinks[i]);
    scree_scorer_free(scorer);
    scree_source_free(draws);
}

static void blocks_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    double *x = made_rows(1);
    answers *wanted = scree__alloc(1, sizeof *wanted);
    answers *found = scree__alloc(1, sizeof *found);
    const scree_imputed imputed = SIZED(scree_imputed, .filled = wanted->filled, .sd = wanted->sd);
    scree_run run = SCREE_RUN_INIT;
    run.threads = 1;
    ask_everything(wanted, model, x, &run);
    for (int64_t b = 0; b < COUNT_OF(blocks); b++)
        for (int threads = 1; threads <= 4; threads++) {
            run.threads = threads;
            run.block_rows = blocks[b];
            ask_everything(found, model, x, &run);
            assert_memory_equal(found, wanted, sizeof *found);
        }
    memset(wanted->filled, 0, sizeof wanted->filled);
    assert_int_equal(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, ROWS, D), &imputed, NULL, NULL), SCREE_OK);
    assert_memory_equal(found, wanted, sizeof *found);
    free(wanted);
    free(found);
    free(x);
    scree_model_free(model);
}

static void the_error_counts_what_is_there(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    const scree_model_view *view = scree_model_get(model);
    double *x = made_rows(4);
    answers *out = scree__alloc(1, sizeof *out);
    long double sum = 0;
    scree_run run = SCREE_RUN_INIT;
    ask_everything(out, model, x, &run);
    for (int64_t i = 0; i < ROWS * D; i++)
        if (!isnan(x[i]))
            sum +=
                ((long double)x[i] - out->trip[i]) * (x[i] - out->trip[i]) / (view->scale[i % D] * view->scale[i % D]);
    EXPECT_NEAR(out->mse, sum / ROWS, 1e-12 * sum);
    free(out);
    free(x);
    scree_model_free(model);
}

/* Many draws of one row, its observed cells among them, have the mean and the covariance of p(x|x_o). */
static void draws_follow_the_conditional(double noise, bool with_scale, int64_t row)
{
    enum { MANY = SLOW_BUILD ? 10000 : 100000 };
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 1.0, with_scale, NULL);
    scree_model *model = NULL;
    assert_int_equal(scree_model_with_noise(&model, made, noise, NULL), SCREE_OK);
    dense_gauss *g = dense_gauss_of(model);
    double *x = made_rows(2);
    dense_given *given = dense_given_of(g, x + row * D);
    double *out = scree__alloc(MANY * (D + 2), sizeof *out);
    double mean[D];
    double covariance[D * D];
    const scree_impute_options options = SIZED(scree_impute_options, .draws = MANY, .seed = 99);
    scree_source *source = source_of(x + row * D, 1, D, NULL);
    scree_sink *sink = sink_of(out, MANY, D + 2);
    EXPECT_OK(scree_model_impute(model, source, sink, NULL, &options, &error), error);
    for (int64_t j = 0; j < D; j++)
        mean[j] = (double)given->mean[j];
    for (int64_t j = 0; j < D * D; j++)
        covariance[j] = (double)given->covariance[j];
    scree_source *drawn_rows = source_of(out, MANY, D + 2, NULL);
    drawn found = drawn_from(drawn_rows, 2, D, mean);
    drawn_expect(&found, mean, covariance);
    drawn_free(&found);
    scree_source_free(drawn_rows);
    scree_source_free(source);
    scree_sink_free(sink);
    free(out);
    free(x);
    dense_given_free(given);
    dense_gauss_free(g);
    scree_model_free(model);
    scree_model_free(made);
}

static void draws_of_many_patterns(void **state)
{
    (void)state;
    draws_follow_the_conditional(0.2, false, 0); /* nothing observed: p(x) */
    draws_follow_the_conditional(0.2, true, 1);  /* one cell */
    draws_follow_the_conditional(0.05, true, 5);
    draws_follow_the_conditional(0.01, false, 6);
}

/* z* of a row with gaps has its own mean and covariance. */
static void exploring_follows_the_posterior(void **state)
{
    (void)state;
    enum { MANY = SLOW_BUILD ? 10000 : 100000 };
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    dense_gauss *g = dense_gauss_of(model);
    double *x = made_rows(3);
    for (int64_t row = 0; row < 7; row += 3) {
        dense_given *given = dense_given_of(g, x + row * D);
        const scree_explore_options options =
            SIZED(scree_explore_options, .row = row, .draws = MANY, .latent = true, .seed = 7);
        scree_source *draws = NULL;
        double mean[M];
        double covariance[M * M];
        for (int64_t j = 0; j < M; j++)
            mean[j] = (double)given->z[j];
        for (int64_t j = 0; j < M * M; j++)
            covariance[j] = (double)given->z_cov[j];
        EXPECT_OK(scree_source_explore(&draws, model, source_of(x, ROWS, D, NULL), &options, &error), error);
        drawn found = drawn_from(draws, 2, M, mean);
        drawn_expect(&found, mean, covariance);
        assert_int_equal(gaps_of(draws).rows, 1);
        assert_int_equal(gaps_of(draws).empty, row == 0);
        drawn_free(&found);
        scree_source_free(draws);
        dense_given_free(given);
    }
    free(x);
    dense_gauss_free(g);
    scree_model_free(model);
}

/* Columns in another order, one more among them, with gaps of its own. */
static void columns_keep_their_places(void **state)
{
    (void)state;
    static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
    const char *mixed_names[D + 1] = {"more"};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, names);
    double *x = made_rows(6);
    static double mixed[ROWS * (D + 1)];
    static double found[ROWS * (D + 1)];
    static double sd[ROWS * (D + 1)];
    static double wanted[ROWS * D];
    static double wanted_sd[ROWS * D];
    const scree_imputed imputed = SIZED(scree_imputed, .filled = wanted, .sd = wanted_sd);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j <= D; j++) {
            mixed_names[j] = j == 0 ? "more" : names[D - j];
            mixed[i * (D + 1) + j] = j > 0 ? x[i * D + D - j] : i % 2 ? NAN : (double)i;
        }
    scree_source *source = source_of(mixed, ROWS, D + 1, mixed_names);
    scree_sink *sink = sink_of(found, ROWS, D + 1);
    scree_sink *spread = sink_of(sd, ROWS, D + 1);
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, ROWS, D), &imputed, NULL, &error), error);
    EXPECT_OK(scree_model_impute(model, source, sink, spread, NULL, &error), error);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j <= D; j++) {
            const int64_t at = i * (D + 1) + j;
            assert_memory_equal(&found[at], j ? &wanted[i * D + D - j] : &mixed[at], sizeof *found);
            assert_true(j ? sd[at] == wanted_sd[i * D + D - j] : i % 2 ? isnan(sd[at]) : sd[at] == 0);
        }
    scree_sink_free(sink);
    scree_sink_free(spread);
    scree_source_free(source);
    free(x);
    scree_model_free(model);
}

static void gaps_are_counted(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    double *x = made_rows(7);
    static double codes[ROWS * M];
    scree_gaps wanted = SCREE_GAPS_INIT;
    scree_source *source = source_of(x, ROWS, D, NULL);
    scree_sink *sink = sink_of(codes, ROWS, M);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t count = 0;
        for (int64_t j = 0; j < D; j++)
            count += isnan(x[i * D + j]) ? 1 : 0;
        wanted.rows += count > 0;
        wanted.cells += count;
        wanted.empty += count == D;
    }
    EXPECT_OK(scree_model_project(model, source, sink, NULL, &error), error);
    const scree_gaps found = gaps_of(source);
    assert_true(found.rows == wanted.rows && found.cells == wanted.cells && found.empty == wanted.empty);
    assert_true(wanted.empty >= 1 && wanted.rows > wanted.empty && wanted.rows < ROWS);
    scree_sink_free(sink);
    scree_source_free(source);
    free(x);
    scree_model_free(model);
}

static void too_many_draws_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    double x[2 * D] = {0};
    scree_source *source = source_of(x, 2, D, NULL);
    scree_impute_options options = SIZED(scree_impute_options, .draws = -1);
    assert_int_equal(scree_model_impute(model, source, NULL, NULL, &options, &error), SCREE_ERR_ARGUMENT);
    options.draws = INT64_MAX / 100; /* the rows could be counted, their bytes not */
    assert_int_equal(scree_model_impute(model, source, NULL, NULL, &options, &error), SCREE_ERR_ARGUMENT);
    options.draws = INT64_MAX;
    assert_int_equal(scree_model_impute(model, source, NULL, NULL, &options, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "9223372036854775807 draws of each row cannot be made; ask for fewer");
    scree_source_free(source);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_threads_do_not_change_a_bit),
        cmocka_unit_test(the_error_counts_what_is_there),
        cmocka_unit_test(draws_of_many_patterns),
        cmocka_unit_test(exploring_follows_the_posterior),
        cmocka_unit_test(columns_keep_their_places),
        cmocka_unit_test(gaps_are_counted),
        cmocka_unit_test(too_many_draws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
