/* SPDX-License-Identifier: BSD-3-Clause */
/* scree score: how likely rows are under a model (10.70), which are outliers, and which columns are to blame. Writes a
 * row of scores per row; a summary goes to standard error or, as JSON, to standard output. */

#include "json.h"
#include "model_text.h"
#include "relation_text.h"
#include "work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 256 };

/* Calibration files, in the order given. */
typedef struct calibration {
    const char *paths[MOST_FILES];
    int64_t count;
} calibration;

typedef struct arguments {
    cli_work work;
    calibration calibrate;
    double alpha;
    int64_t blame_columns;
    int training;
    int fdr;
    int json;
    int alarm;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .alpha = 0.01};

static const char *read_file(void *where, const char *text, const cli_option *option)
{
    calibration *files = where;
    (void)option;
    if (files->count == MOST_FILES)
        return "at most 256 files";
    files->paths[files->count++] = text;
    return NULL;
}

static const cli_option options[] = {
    {.name = "alpha",
     .value = "P",
     .help = "rows with a p-value of at most P are outliers: P is the rate of false alarms (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, alpha)},
    {.name = "fdr",
     .help = "control the false discovery rate instead: alpha is the expected share of false alarms among the outliers "
             "(Benjamini-Hochberg); reads DATA twice",
     .offset = offsetof(arguments, fdr),
     .set = 1},
    {.name = "calibrate",
     .value = "FILE",
     .help = "compute p-values from ranks among these rows, which must not be among the fitted ones: they are then "
             "valid for data of any distribution; rows with missing cells are left out; repeat the option for several "
             "files",
     .read = read_file,
     .offset = offsetof(arguments, calibrate),
     .repeats = true},
    {.name = "training",
     .help = "the rows are those that were fitted; their p-values follow different distributions",
     .offset = offsetof(arguments, training),
     .set = 1},
    {.name = "why",
     .value = "COUNT",
     .help = "add a text column that names the COUNT columns most to blame for each outlier, with their shares (not in "
             "NPY files)",
     .read = cli_read_count,
     .offset = offsetof(arguments, blame_columns)},
    {.name = "alarm", .help = "exit with 3 if there was an outlier", .offset = offsetof(arguments, alarm), .set = 1},
    {.name = "json",
     .help = "print the summary as a JSON object; scores are written only with -o FILE",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_live_options},
    {.group = cli_run_options},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no summary, notes or progress",
     .offset = offsetof(arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree score iris.scree new.csv --why 2 -o scores.csv",
    "flags unlikely rows, and names the two columns most to blame for each",
    "scree score iris.scree iris.csv --training --alpha 0.05 --fdr",
    "looks for outliers among the fitted rows; about one flag in twenty is false",
    "scree score digits.scree new.npy --calibrate held-out.npy -o scores.npy",
    "p-values that are valid even though pixels are far from Gaussian",
    "sensors | scree score plant.scree - --on-error skip --append -o log.csv",
    "answers each row as it comes, and keeps a log; Ctrl-C ends it",
    NULL,
};

/* The summary of all rows. */
typedef struct report {
    const arguments *args;
    scree_score_summary summary;
    int64_t calibration; /* rows */
    int64_t incomplete;  /* rows with missing cells among those, left out */
    char *calibrated_by; /* the names of their files, for messages; NULL: none */
    const char *data;    /* the scored files, likewise */
    scree_gaps gaps;
} report;

/* A shell pattern passes only its first file to --calibrate, and the others become DATA: hence both are named. */
static void print_calibration(const report *done)
{
    cli_print(stderr, "calibrated with %" PRId64 " row%s of %s, scored %" PRId64 " row%s of %s\n", done->calibration,
              done->calibration == 1 ? "" : "s", done->calibrated_by, done->summary.rows,
              done->summary.rows == 1 ? "" : "s", done->data);
    if (done->incomplete > 0)
        cli_print(stderr,
                  "%" PRId64 " row%s with missing cells in %s %s left out of the calibration, which needs whole rows\n",
                  done->incomplete, done->incomplete == 1 ? "" : "s", done->calibrated_by,
                  done->incomplete == 1 ? "was" : "were");
}

/* The smallest p-value is 1/(n + 1) for n calibration rows: whether it can make an outlier. Benjamini and Hochberg need
 * k rows with p ≤ alpha k/rows. */
static void print_resolution(const report *done)
{
    const double alpha = done->args->alpha;
    const double least = 1.0 / (double)(done->calibration + 1);
    const double rows = (double)done->summary.rows;
    const double together = ceil(rows * least / alpha - 1e-9);
    if (done->calibration == 0)
        return;
    if (least > alpha * (1 + 1e-9))
        cli_print(stderr,
                  "%" PRId64 " calibration row%s cannot show outliers at level %g; calibrate with at least %.0f\n",
                  done->calibration, done->calibration == 1 ? "" : "s", alpha, ceil(1.0 / alpha - 1e-9) - 1);
    else if (done->args->fdr && done->summary.outliers == 0 && together > 1)
        cli_print(stderr,
                  "with %" PRId64 " calibration row%s no p-value is below %.3g, and a false discovery rate of %g then "
                  "flags at least %.0f rows or none; calibrate with at least %.0f rows to find a single one\n",
                  done->calibration, done->calibration == 1 ? "" : "s", least, alpha, together,
                  ceil(rows / alpha - 1e-9) - 1);
}

/* Why rows have no p-value. */
static void print_without(const report *done)
{
    const scree_model_view *view = scree_model_get(done->args->work.model);
    const int64_t rows = done->summary.rows_without_p;
    cli_print(stderr, "%" PRId64 " row%s no p-value: ", rows, rows == 1 ? " has" : "s have");
    if (cli_model_loses_digits(view))
        cli_print(stderr, "what the components leave is lost in rounding beside columns in much larger units; %s\n",
                  cli_model_for_digits(view));
    else if (view->n > 2 * (view->m + 1))
        fputs("the components leave nothing but rounding; keep fewer with -k\n", stderr);
    else
        fputs("too few rows were fitted for so many components\n", stderr);
}

/* Rows that no row like those fitted can be. */
static void print_broken(const report *done)
{
    char relation[CLI_EQUATION];
    const int64_t rows = done->summary.broken_rows;
    if (rows == 0 || done->calibrated_by)
        return;
    scree_model_relation_text(done->args->work.model, done->summary.broken_relation, relation, sizeof relation);
    cli_print(stderr,
              "%" PRId64 " row%s %s, which holds exactly in all fitted rows, so %s p = 0; --why names what is broken\n",
              rows, rows == 1 ? " breaks" : "s break a relation between columns such as", relation,
              rows == 1 ? "it has" : "they have");
}

/* Columns that rows are not judged by. */
static void print_left_out(const report *done)
{
    const scree_model_view *view = scree_model_get(done->args->work.model);
    const int64_t count = done->summary.columns_left_out;
    const int64_t first = done->summary.column_left_out;
    if (count == 0)
        return;
    if (view->columns)
        cli_print(stderr, "column '%s'", view->columns[first]);
    else
        cli_print(stderr, "column %" PRId64, first + 1);
    if (count > 1)
        cli_print(stderr, " and %" PRId64 " more had", count - 1);
    else
        fputs(" had", stderr);
    fputs(" too few values in the fitted rows to judge others by, and did not count here\n", stderr);
}

static void print_text(const report *done)
{
    const scree_score_summary *all = &done->summary;
    cli_flush();
    cli_print(stderr, "%" PRId64 " row%s, log-likelihood %.10g (%.6g per row), %" PRId64 " outlier%s", all->rows,
              all->rows == 1 ? "" : "s", all->loglik, all->rows > 0 ? all->loglik / (double)all->rows : 0.0,
              all->outliers, all->outliers == 1 ? "" : "s");
    if (!done->args->fdr)
        cli_print(stderr, " (p ≤ %g)\n", all->threshold);
    else if (all->outliers > 0)
        cli_print(stderr, " (p ≤ %.3g: false discovery rate %g)\n", all->threshold, done->args->alpha);
    else
        cli_print(stderr, " (false discovery rate %g)\n", done->args->alpha);
    if (all->rows_without_p > 0)
        print_without(done);
    print_broken(done);
    print_left_out(done);
    if (all->fitted)
        cli_print(stderr, "these are the fitted rows: score them with --training, which counts that they were\n");
    else if (all->differs && done->args->training)
        cli_print(stderr, "the fitted rows are not Gaussian: their p-values are not spread evenly; use --calibrate for "
                          "p-values that hold for any distribution, and fit --bootstrap for intervals\n");
    else if (all->differs)
        cli_print(stderr,
                  "the p-values are not spread evenly: these rows are not Gaussian, or not like the fitted ones; "
                  "use --calibrate for p-values that hold for any distribution\n");
    if (done->calibrated_by)
        print_calibration(done);
    print_resolution(done);
}

static void print_json(const report *done)
{
    const scree_score_summary *all = &done->summary;
    cJSON *object = cli_json_object();
    cli_json_integer(object, "rows", all->rows);
    cli_json_number(object, "loglik", all->loglik);
    cli_json_integer(object, "outliers", all->outliers);
    cli_json_number(object, "alpha", done->args->alpha);
    cli_json_bool(object, "fdr", done->args->fdr != 0);
    cli_json_number(object, "threshold", all->threshold);
    cli_json_number(object, "t2_limit", all->t2_limit);
    cli_json_number(object, "q_limit", all->q_limit);
    cli_json_integer(object, "rows_without_p", all->rows_without_p);
    cli_json_integer(object, "rows_breaking_relations", all->broken_rows);
    cli_relations_json(object, done->args->work.model);
    cli_json_integer(object, "columns_left_out", all->columns_left_out);
    cli_json_bool(object, "p_values_even", !all->differs);
    if (done->args->training)
        cli_json_bool(object, "gaussian", !all->differs);
    cli_json_bool(object, "training", done->args->training != 0);
    cli_json_bool(object, "fitted_rows", all->fitted || done->args->training != 0);
    cli_json_integer(object, "calibration_rows", done->calibration);
    cli_json_integer(object, "calibration_rows_left_out", done->incomplete);
    cli_json_integer(object, "rows_with_gaps", done->gaps.rows);
    cli_json_integer(object, "rows_empty", done->gaps.empty);
    cli_json_integer(object, "rows_unusable", scree_source_faults(done->args->work.source));
    cli_json_print(object, stdout);
}

static scree_status calibrate(scree_scorer *scorer, arguments *args, report *done)
{
    const calibration *files = &args->calibrate;
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree_read_options read = work->read;
    read.live = false;
    read.on_error = SCREE_STOP;
    read.first_row = read.last_row = read.sample = 0; /* they are about DATA */
    if (files->count == 0)
        return SCREE_OK;
    CLI_TRY(scree_source_open_many(&source, files->paths, files->count, &read, &work->error));
    CLI_TRY_LONG(work, scree_scorer_calibrate(scorer, source, &work->run, &work->error));
    CLI_TRY(scree_source_gaps(source, &gaps, &work->error));
    done->incomplete = gaps.rows;
    done->calibration = scree_source_rows(source) - gaps.rows;
    const size_t size = strlen(scree_source_name(source)) + 1;
    done->calibrated_by = memcpy(cli_alloc(size, 1), scree_source_name(source), size);
done:
    scree_source_free(source);
    return status;
}

/* From an open model to the finished output. */
static scree_status score(arguments *args, report *done)
{
    cli_work *work = &args->work;
    scree_score_options how = SCREE_SCORE_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree_scorer *scorer = NULL;
    how.training = args->training != 0;
    how.alpha = args->alpha;
    how.fdr = args->fdr != 0;
    how.blame_columns = args->blame_columns;
    CLI_TRY(scree_scorer_make(&scorer, work->model, &how, &work->error));
    if (!args->json || !cli_work_is_piped(work))
        CLI_TRY(cli_work_sink(work, SCREE_F64));
    CLI_TRY(calibrate(scorer, args, done));
    CLI_TRY_ROWS(work, scree_scorer_score(scorer, work->source, work->sink, &done->summary, &work->run, &work->error));
    if (work->sink)
        CLI_TRY(cli_sink_finish(work->sink, &work->error));
done:
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

static bool is_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(a, &first) == 0 && S_ISREG(first.st_mode) && stat(b, &second) == 0 && first.st_ino == second.st_ino &&
           first.st_dev == second.st_dev;
}

/* Rows that are ranked with twice count for more than they are. */
static scree_status check_once(const calibration *files, scree_error *error)
{
    for (int64_t i = 0; i < files->count; i++)
        for (int64_t j = 0; j < i; j++)
            if (is_same_file(files->paths[i], files->paths[j])) {
                snprintf(error->text, sizeof error->text, "--calibrate names %s twice; give other rows",
                         files->paths[i]);
                return error->status = SCREE_ERR_ARGUMENT;
            }
    return SCREE_OK;
}

/* A row among those that it is ranked with would be its own witness. */
static scree_status check_held_out(const cli_call *call, const calibration *files, scree_error *error)
{
    for (int64_t i = 0; i < files->count; i++)
        for (int j = 1; j < call->operand_count; j++)
            if (is_same_file(files->paths[i], call->operands[j])) {
                snprintf(error->text, sizeof error->text,
                         "%s is scored, and cannot calibrate its own p-values; calibrate with other rows",
                         call->operands[j]);
                return error->status = SCREE_ERR_ARGUMENT;
            }
    return check_once(files, error);
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    report done = {.args = args, .summary = SCREE_SCORE_SUMMARY_INIT, .gaps = SCREE_GAPS_INIT};
    cli_work_live(work);
    if (args->training && args->calibrate.count > 0)
        return cli_usage(call->command, NULL, "give --training or --calibrate, not both");
    static const char *const of_rows[] = {"why", "format", "type", "spreadsheet", "append", NULL};
    const cli_option *unused = args->json && cli_work_is_piped(work) ? cli_given_among(call, of_rows) : NULL;
    if (unused)
        return cli_usage(call->command, unused, "with --json, --%s needs -o FILE: no scores are written otherwise",
                         unused->name);
    if (reads_input_twice(call, &args->calibrate))
        return cli_usage(call->command, NULL, "DATA and --calibrate cannot both be standard input");
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    for (int64_t i = 0; i < args->calibrate.count; i++)
        CLI_TRY(cli_output_distinct(call, work->write.output, args->calibrate.paths[i], &work->error));
    CLI_TRY(check_held_out(call, &args->calibrate, &work->error));
    CLI_TRY(cli_work_model(work));
    CLI_TRY(cli_density_check(work->model, call->operands[0], &work->error));
    CLI_TRY(cli_work_rows(work, 1));
    CLI_TRY(score(args, &done));
    CLI_TRY(scree_source_gaps(work->source, &done.gaps, &work->error));
    done.data = scree_source_name(work->source);
    if (args->json)
        print_json(&done);
    else if (!work->quiet)
        print_text(&done);
    cli_work_notes(work);
done:
    free(done.calibrated_by);
    const int exit_code = cli_work_finish(work, status);
    return exit_code == CLI_SUCCESS && args->alarm && done.summary.outliers > 0 ? CLI_ALARM : exit_code;
}

const cli_command cli_score = {
    .name = "score",
    .synopsis = "MODEL DATA... [-o SCORES] [--why COUNT] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "compute how likely rows are, and find outliers",
    .description = "Writes for each row of DATA: loglik, the logarithm of its density; t2, its distance from the mean "
                   "within the principal subspace (Hotelling's T²); q, its squared distance from that subspace; "
                   "p_value, the probability that another row of the kind that was fitted is at least as extreme in "
                   "both; and "
                   "outlier, 1 if that probability is at most alpha. Without --calibrate, the p-values assume Gaussian "
                   "rows and count what the fit has estimated from how many rows; a row has none (NaN) if as many "
                   "components as rows were fitted, or if rounding has taken what the components leave; it is 0 for a "
                   "row that breaks an exact relation between "
                   "columns, or differs where no fitted row did. With "
                   "--calibrate they are valid for any data. A row with missing "
                   "cells is judged by its "
                   "observed cells; calibrated p-values require complete rows. Label and id columns are copied. "
                   "Rows from a pipe are answered as they come, except with --fdr, which needs all of them first.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
