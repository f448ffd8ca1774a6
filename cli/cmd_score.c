/* SPDX-License-Identifier: BSD-3-Clause */
/* scree score: how likely rows are under a model (10.70), which are outliers, and which columns are to blame. The rows
 * are written a row for a row; one line about all of them goes to standard error, or, as JSON, to standard output. */

#include "cli.h"
#include "json.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256 };

/* Files to calibrate with, in the order given. */
typedef struct calibration {
    const char *paths[MOST_FILES];
    int64_t count;
} calibration;

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    cli_noise noise;
    calibration calibrate;
    double alpha;
    int64_t blame_columns;
    int64_t components;
    int training;
    int fdr;
    int json;
    int quiet;
} arguments;

static const arguments defaults = {.write = CLI_WRITE_INIT,
                                   .read = SCREE_READ_OPTIONS_INIT,
                                   .run = SCREE_RUN_INIT,
                                   .noise = CLI_NOISE_INIT,
                                   .alpha = 0.01};

static const char *read_file(void *where, const char *text, const cli_option *option)
{
    calibration *files = where;
    (void)option;
    if (files->count == MOST_FILES)
        return "one of the first 256 files to calibrate with, and no more are taken";
    files->paths[files->count++] = text;
    return NULL;
}

static const cli_option options[] = {
    {.name = "alpha",
     .value = "P",
     .help = "call a row an outlier when its p-value is at most this: the rate of false alarms (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, alpha)},
    {.name = "fdr",
     .help = "let alpha be the expected share of false alarms among the outliers instead (Benjamini-Hochberg); reads "
             "DATA twice",
     .offset = offsetof(arguments, fdr),
     .set = 1},
    {.name = "calibrate",
     .value = "FILE",
     .help = "take p-values from the ranks among these rows, which must not have been fitted: they then hold for data "
             "of any distribution; give it again for each further file",
     .read = read_file,
     .offset = offsetof(arguments, calibrate)},
    {.name = "training",
     .help = "the rows are those that were fitted; their p-values follow other distributions",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "why",
     .value = "COUNT",
     .help = "add a text column that names so many columns to blame for each outlier, with their shares (not in npy)",
     .read = cli_read_count,
     .offset = offsetof(arguments, blame_columns)},
    {.name = "json",
     .help = "print the summary as one JSON object; the rows are written only where -o FILE says",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no summary of the rows, no notes and no progress",
     .offset = offsetof(arguments, quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree score iris.scree new.csv --why 2 -o scores.csv",
    "flags rows that the model finds unlikely, and the two columns that make them so",
    "scree score iris.scree iris.csv --training --alpha 0.05 --fdr",
    "looks for outliers among the rows that were fitted; one in twenty flags is false",
    "scree score digits.scree new.npy --calibrate held-out.npy -o scores.npy",
    "p-values that hold though pixels are anything but Gaussian",
    NULL,
};

/* What is to be told about all rows. */
typedef struct report {
    const arguments *args;
    scree_score_summary summary;
    int64_t calibration; /* rows */
    char *calibrated_by; /* their files, for messages; NULL: none */
    const char *data;    /* the files scored, likewise */
    scree_gaps gaps;
} report;

/* A pattern of the shell gives --calibrate its first file only, and the others become DATA: so both are named. */
static void print_calibration(const report *done)
{
    fprintf(stderr, "calibrated by %" PRId64 " row%s of %s, scored %" PRId64 " row%s of %s\n", done->calibration,
            done->calibration == 1 ? "" : "s", done->calibrated_by, done->summary.rows,
            done->summary.rows == 1 ? "" : "s", done->data);
}

static void print_text(const report *done)
{
    const scree_score_summary *all = &done->summary;
    fflush(stdout);
    fprintf(stderr, "%" PRId64 " row%s, log-likelihood %.10g (%.6g a row), %" PRId64 " outlier%s", all->rows,
            all->rows == 1 ? "" : "s", all->loglik, all->rows > 0 ? all->loglik / (double)all->rows : 0.0,
            all->outliers, all->outliers == 1 ? "" : "s");
    if (!done->args->fdr)
        fprintf(stderr, " (p ≤ %g)\n", all->threshold);
    else if (all->outliers > 0)
        fprintf(stderr, " (p ≤ %.3g: false discovery rate %g)\n", all->threshold, done->args->alpha);
    else
        fprintf(stderr, " (false discovery rate %g)\n", done->args->alpha);
    if (done->calibrated_by)
        print_calibration(done);
    if (done->calibration > 0 && (double)(done->calibration + 1) * done->args->alpha < 1.0)
        fprintf(stderr, "%" PRId64 " calibration rows are too few for outliers at %g; give at least %.0f\n",
                done->calibration, done->args->alpha, 1.0 / done->args->alpha);
}

static void print_json(const report *done)
{
    const scree_score_summary *all = &done->summary;
    cJSON *object = cJSON_CreateObject();
    cli_json_integer(object, "rows", all->rows);
    cli_json_number(object, "loglik", all->loglik);
    cli_json_integer(object, "outliers", all->outliers);
    cli_json_number(object, "alpha", done->args->alpha);
    cJSON_AddBoolToObject(object, "fdr", done->args->fdr != 0);
    cli_json_number(object, "threshold", all->threshold);
    cJSON_AddBoolToObject(object, "training", done->args->training != 0);
    cli_json_integer(object, "calibration_rows", done->calibration);
    cli_json_integer(object, "rows_with_gaps", done->gaps.rows);
    cli_json_integer(object, "rows_empty", done->gaps.empty);
    cli_json_print(object, stdout);
}

static scree_status calibrate(scree_scorer *scorer, const arguments *args, report *done, scree_error *error)
{
    const calibration *files = &args->calibrate;
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    if (files->count == 0)
        return SCREE_OK;
    CLI_TRY(scree_source_open_many(&source, files->paths, files->count, &args->read, error));
    CLI_TRY(scree_scorer_calibrate(scorer, source, &args->run, error));
    done->calibration = scree_source_rows(source);
    const size_t size = strlen(scree_source_name(source)) + 1;
    done->calibrated_by = memcpy(cli_alloc(size, 1), scree_source_name(source), size);
done:
    scree_source_free(source);
    return status;
}

/* From an open model to the finished output. */
static scree_status work(arguments *args, const scree_model *model, scree_source *source, report *done,
                         scree_error *error)
{
    scree_score_options how = SCREE_SCORE_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_scorer *scorer = NULL;
    scree_sink *sink = NULL;
    cli_progress progress;
    how.training = args->training != 0;
    how.alpha = args->alpha;
    how.fdr = args->fdr != 0;
    how.blame_columns = args->blame_columns;
    CLI_TRY(scree_scorer_make(&scorer, model, &how, error));
    if (!args->json || strcmp(args->write.output, "-") != 0)
        CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = calibrate(scorer, args, done, error);
    if (status == SCREE_OK)
        status = scree_scorer_score(scorer, source, sink, &done->summary, &args->run, error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    if (sink)
        CLI_TRY(scree_sink_finish(sink, error));
done:
    scree_sink_free(sink);
    scree_scorer_free(scorer);
    return status;
}

static bool reads_input_twice(const cli_call *call, const calibration *files)
{
    bool data = false;
    bool ranks = false;
    for (int i = 1; i < call->operand_count; i++)
        data |= strcmp(call->operands[i], "-") == 0;
    for (int64_t i = 0; i < files->count; i++)
        ranks |= strcmp(files->paths[i], "-") == 0;
    return data && ranks;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    report done = {.args = args, .summary = SCREE_SCORE_SUMMARY_INIT, .gaps = SCREE_GAPS_INIT};
    if (args->training && args->calibrate.count > 0)
        return cli_usage(call->command, NULL, "give --training or --calibrate, not both");
    if (reads_input_twice(call, &args->calibrate))
        return cli_usage(call->command, NULL, "DATA and --calibrate cannot both be standard input");
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    for (int64_t i = 0; i < args->calibrate.count; i++)
        CLI_TRY(cli_output_apart(call, args->write.output, args->calibrate.paths[i], &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(cli_density_check(model, call->operands[0], "score", &error));
    CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    CLI_TRY(work(args, model, source, &done, &error));
    CLI_TRY(scree_source_gaps(source, &done.gaps, &error));
    done.data = scree_source_name(source);
    if (args->json)
        print_json(&done);
    else if (!args->quiet)
        print_text(&done);
    cli_gaps(source, args->quiet);
    cli_note(source, args->quiet);
done:
    free(done.calibrated_by);
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_score = {
    .name = "score",
    .synopsis = "MODEL DATA... [-o SCORES] [--why COUNT] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "say how likely rows are, and which are outliers",
    .description =
        "For each row of DATA writes loglik, the logarithm of its density; t2, how far out it lies within the "
        "principal subspace (Hotelling's T²); q, its squared distance from that subspace; p_value, the chance "
        "that a row of the model is at least as far out in both; and outlier, 1 when that chance is at most "
        "alpha. Without --calibrate the p-values are those of Gaussian rows, over all data that could have been "
        "fitted: good when rows are many more than columns, rough when they are few; with it they hold for any data. "
        "A row with gaps is judged by the cells that are there, unless p-values are calibrated, which takes whole "
        "rows. "
        "Label and id columns are carried through.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
