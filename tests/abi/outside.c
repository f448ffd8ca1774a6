/* SPDX-License-Identifier: BSD-3-Clause */
/* A program as others write them, which meets every struct that grows: options that it fills, results that it has
 * filled, views that it reads. Compiled against today's header, it must work with a later library. What stands behind a
 * result must not be touched, so results lie in front of a guard. */

#include <scree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, COLS = 5, KEPT = 2 };

static double data[ROWS * COLS];
static scree_error problem = SCREE_ERROR_INIT;
static int failed;

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != SCREE_OK) {                                                                                      \
            printf("%s: %s\n", #call, problem.text);                                                                   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT(truth)                                                                                                  \
    do {                                                                                                               \
        if (!(truth)) {                                                                                                \
            printf("line %d: not %s\n", __LINE__, #truth);                                                             \
            failed = 1;                                                                                                \
        }                                                                                                              \
    } while (0)

/* A result, and what a library that forgets the caller's size would write over. */
#define GUARDED(type, name, init)                                                                                      \
    struct {                                                                                                           \
        type it;                                                                                                       \
        unsigned char guard[64];                                                                                       \
    } name = {init, {0}};                                                                                              \
    memset(name.guard, 0x5a, sizeof name.guard)

static int untouched(const unsigned char *guard)
{
    for (int i = 0; i < 64; i++)
        if (guard[i] != 0x5a)
            return 0;
    return 1;
}

static void make_rows(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            data[i * COLS + j] = sin(1.7 * i) * (j + 1) + cos(2.3 * i * (j + 1)) + 0.01 * ((i * 31 + j * 17) % 13);
}

static scree_block rows_of(const double *x, int64_t rows, int64_t cols)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = x;
    block.rows = rows;
    block.cols = cols;
    return block;
}

static int count_calls(void *context, const scree_progress *progress)
{
    *(int64_t *)context += progress->rows >= 0;
    return 0;
}

static scree_model *fit(void)
{
    int64_t calls = 0;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    const scree_block block = rows_of(data, ROWS, COLS);
    scree_source *rows = NULL;
    scree_model *model = NULL;
    scree_plan *plan = NULL;
    run.threads = 2;
    run.progress = count_calls;
    run.progress_context = &calls;
    options.components = KEPT;
    options.run = &run;
    MUST(scree_source_from_memory(&rows, &block, &problem));
    MUST(scree_plan_make(&plan, rows, &options, &problem));
    EXPECT(scree_plan_count(plan) >= 4 && scree_plan_at(plan, 0)->memory > 0 && scree_plan_at(plan, 0)->reason[0]);
    MUST(scree_model_fit(&model, rows, &options, &problem));
    EXPECT(calls > 0);
    const scree_model_view *view = scree_model_get(model);
    EXPECT(view->n == ROWS && view->d == COLS && view->m == KEPT && strcmp(view->kind, "pca") == 0);
    EXPECT(view->eigenvalues[0] >= view->eigenvalues[1] && view->noise_variance > 0 && view->angle_bounds[0] < 1);
    EXPECT(view->cluster_last[1] == 1 && view->image_cols == 0);
    scree_plan_free(plan);
    scree_source_free(rows);
    return model;
}

static void ask_in_memory(const scree_model *model)
{
    double codes[ROWS * KEPT], p[ROWS], filled[ROWS * COLS], back[ROWS * COLS];
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_scorer *scorer = NULL;
    scree_scores scores = SCREE_SCORES_INIT;
    scree_score_options how = SCREE_SCORE_OPTIONS_INIT;
    scree_imputed imputed = SCREE_IMPUTED_INIT;
    GUARDED(scree_facts, facts, SCREE_FACTS_INIT);
    GUARDED(scree_rate, rate, SCREE_RATE_INIT);
    MUST(scree_model_project_rows(model, &x, codes, NULL, &problem));
    const scree_block z = rows_of(codes, ROWS, KEPT);
    MUST(scree_model_reconstruct_rows(model, &z, back, NULL, &problem));
    EXPECT(fabs(back[0] - data[0]) < 3);
    how.training = true;
    scores.p_value = p;
    MUST(scree_scorer_make(&scorer, model, &how, &problem));
    MUST(scree_scorer_score_rows(scorer, &x, &scores, NULL, &problem));
    EXPECT(p[0] > 0 && p[0] <= 1);
    imputed.filled = filled;
    MUST(scree_model_impute_rows(model, &x, &imputed, NULL, &problem));
    EXPECT(memcmp(filled, data, sizeof data) == 0);
    MUST(scree_model_facts(model, &facts.it, &problem));
    MUST(scree_model_rate(model, 0.1, &rate.it, &problem));
    EXPECT(isfinite(facts.it.log_likelihood) && facts.it.effective_rank > 1 && rate.it.bits > 0);
    EXPECT(untouched(facts.guard) && untouched(rate.guard));
    EXPECT(facts.it.size == sizeof facts.it && rate.it.size == sizeof rate.it);
    scree_scorer_free(scorer);
}

static void ask_streams(const scree_model *model)
{
    double out[2 * ROWS * COLS];
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_sample_options sample = SCREE_SAMPLE_OPTIONS_INIT;
    scree_explore_options explore = SCREE_EXPLORE_OPTIONS_INIT;
    scree_posterior_options posterior = SCREE_POSTERIOR_OPTIONS_INIT;
    scree_impute_options impute = SCREE_IMPUTE_OPTIONS_INIT;
    scree_source *rows = NULL, *draws = NULL, *explored = NULL;
    scree_sink *sink = NULL;
    scree_scorer *scorer = NULL;
    GUARDED(scree_score_summary, summary, SCREE_SCORE_SUMMARY_INIT);
    GUARDED(scree_gaps, gaps, SCREE_GAPS_INIT);
    MUST(scree_source_from_memory(&rows, &x, &problem));
    MUST(scree_scorer_make(&scorer, model, NULL, &problem));
    MUST(scree_scorer_score(scorer, rows, NULL, &summary.it, NULL, &problem));
    EXPECT(summary.it.rows == ROWS && summary.it.threshold > 0 && untouched(summary.guard));
    posterior.interval = 0.9;
    MUST(scree_sink_to_memory(&sink, out, ROWS, 3 * KEPT, &problem));
    MUST(scree_model_posterior(model, rows, sink, &posterior, &problem));
    EXPECT(out[1] < out[0] && out[0] < out[2]);
    scree_sink_free(sink);
    sink = NULL;
    MUST(scree_sink_to_memory(&sink, out, ROWS, COLS, &problem));
    MUST(scree_model_impute(model, rows, sink, NULL, &impute, &problem));
    MUST(scree_source_gaps(rows, &gaps.it, &problem));
    EXPECT(gaps.it.cells == 0 && untouched(gaps.guard));
    sample.rows = 7;
    MUST(scree_source_sample(&draws, model, &sample, &problem));
    EXPECT(scree_source_rows(draws) == 7);
    explore.draws = 2;
    MUST(scree_source_explore(&explored, model, draws, &explore, &problem)); /* owns the draws */
    EXPECT(scree_source_rows(explored) == 14);
    scree_source_free(explored);
    scree_sink_free(sink);
    scree_scorer_free(scorer);
    scree_source_free(rows);
}

static void ask_selection(void)
{
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_selection *selection = NULL;
    scree_source *rows = NULL;
    int64_t count = 0;
    options.max_components = 3;
    MUST(scree_source_from_memory(&rows, &x, &problem));
    MUST(scree_selection_make(&selection, rows, &options, &problem));
    const scree_selection_view *view = scree_selection_get(selection);
    EXPECT(view->max_components == 3 && view->reason && view->recommended >= 0);
    while (scree_selection_criterion(selection, count)) {
        const scree_criterion *criterion = scree_selection_criterion(selection, count++);
        EXPECT(criterion->name && (criterion->values || criterion->reason));
    }
    EXPECT(count >= 8);
    scree_selection_free(selection);
    scree_source_free(rows);
}

static void ask_archive(const char *path)
{
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    scree_curve_options curve_options = SCREE_CURVE_OPTIONS_INIT;
    scree_read_options reading = SCREE_READ_OPTIONS_INIT;
    scree_source *rows = NULL, *archived = NULL;
    scree_curve *curve = NULL;
    GUARDED(scree_archive, about, SCREE_ARCHIVE_INIT);
    GUARDED(scree_archive, read, SCREE_ARCHIVE_INIT);
    options.max_error = 0.01;
    MUST(scree_source_from_memory(&rows, &x, &problem));
    MUST(scree_source_compress(rows, path, &about.it, &options, &problem));
    MUST(scree_archive_read(path, &read.it, &problem));
    EXPECT(about.it.rows == ROWS && read.it.cols == COLS && read.it.bound <= 0.01);
    EXPECT(untouched(about.guard) && untouched(read.guard));
    reading.format = "screez";
    MUST(scree_source_open(&archived, path, &reading, &problem));
    EXPECT(scree_source_cols(archived) == COLS);
    curve_options.points = 3;
    MUST(scree_curve_make(&curve, rows, &curve_options, &problem));
    EXPECT(scree_curve_get(curve)->points == 3 && scree_curve_get(curve)->rmse[2] > 0);
    scree_curve_free(curve);
    scree_source_free(archived);
    scree_source_free(rows);
}

static void note_epoch(void *context, const scree_epoch *epoch)
{
    *(int64_t *)context = epoch->epoch;
}

static void ask_network(const char *path)
{
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    scree_onnx_options onnx = SCREE_ONNX_OPTIONS_INIT;
    scree_source *rows = NULL;
    scree_model *model = NULL;
    int64_t epochs = 0;
    options.code = KEPT;
    options.linear = true;
    options.epochs = 3;
    options.on_epoch = note_epoch;
    options.on_epoch_context = &epochs;
    MUST(scree_source_from_memory(&rows, &x, &problem));
    MUST(scree_model_autoencode(&model, rows, &options, &problem));
    EXPECT(epochs > 0 && scree_model_network(model)->epochs == epochs && scree_model_get(model)->m == KEPT);
    MUST(scree_model_export_onnx(model, path, &onnx, &problem));
    scree_model_free(model);
    scree_source_free(rows);
}

/* Rows from callbacks, and to them. */
static scree_status next_row(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    int64_t *at = context;
    (void)error;
    EXPECT(max_rows >= 1);
    if (*at < ROWS) {
        block->data = data + *at * COLS;
        block->rows = 1;
        block->cols = COLS;
        ++*at;
    }
    return SCREE_OK;
}

static scree_status add_rows(void *context, const scree_block *rows, scree_error *error)
{
    (void)error;
    *(int64_t *)context += rows->rows;
    return SCREE_OK;
}

static void ask_callbacks(const scree_model *model)
{
    int64_t at = 0, written = 0;
    scree_source_calls from = SCREE_SOURCE_CALLS_INIT;
    scree_sink_calls to = SCREE_SINK_CALLS_INIT;
    scree_write_options writing = SCREE_WRITE_OPTIONS_INIT;
    scree_source *rows = NULL;
    scree_sink *sink = NULL, *file = NULL;
    from.context = &at;
    from.next = next_row;
    from.cols = COLS;
    to.context = &written;
    to.write = add_rows;
    MUST(scree_source_from_calls(&rows, &from, &problem));
    MUST(scree_sink_to_calls(&sink, &to, &problem));
    MUST(scree_model_project(model, rows, sink, NULL, &problem));
    MUST(scree_sink_finish(sink, &problem));
    EXPECT(written == ROWS);
    writing.format = "csv";
    MUST(scree_sink_open(&file, "unfinished.csv", &writing, &problem));
    scree_sink_free(file);
    scree_sink_free(sink);
    scree_source_free(rows);
}

static void refuse_what_is_not_known(void)
{
    struct {
        scree_fit_options options;
        uint64_t later[64];
    } newer = {SCREE_FIT_OPTIONS_INIT, {0}};
    const scree_block x = rows_of(data, ROWS, COLS);
    scree_source *rows = NULL;
    scree_model *model = NULL;
    newer.options.size = sizeof newer;
    MUST(scree_source_from_memory(&rows, &x, &problem));
    MUST(scree_model_fit(&model, rows, &newer.options, &problem));
    scree_model_free(model);
    model = NULL;
    newer.later[63] = 1;
    EXPECT(scree_model_fit(&model, rows, &newer.options, &problem) == SCREE_ERR_ARGUMENT && !model);
    newer.options.size = 0;
    EXPECT(scree_model_fit(&model, rows, &newer.options, &problem) == SCREE_ERR_ARGUMENT && !model);
    scree_source_free(rows);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    make_rows();
    scree_model *model = fit();
    scree_model *copy = NULL;
    ask_in_memory(model);
    ask_streams(model);
    ask_selection();
    ask_archive(argv[1]);
    ask_network(argv[1]);
    ask_callbacks(model);
    refuse_what_is_not_known();
    MUST(scree_model_from_arrays(&copy, scree_model_get(model), &problem));
    EXPECT(scree_model_get(copy)->eigenvalues[0] == scree_model_get(model)->eigenvalues[0]);
    scree_model_free(copy);
    scree_model_free(model);
    printf("header %d, library %d: %s\n", SCREE_VERSION_NUMBER, scree_version_number(), failed ? "FAILED" : "fine");
    return failed;
}
