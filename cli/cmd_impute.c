/* SPDX-License-Identifier: BSD-3-Clause */
/* scree impute: rows with their gaps filled by what the model expects there given the rest of the row, or by draws; and
 * how uncertain that is. One line on what was filled goes to standard error. */

#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    cli_noise noise;
    const char *sd;
    int64_t draws;
    uint64_t seed;
    int64_t components;
    int quiet;
} arguments;

static const arguments defaults = {
    .write = CLI_WRITE_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT, .noise = CLI_NOISE_INIT};

static const cli_option options[] = {
    {.name = "draws",
     .letter = 'n',
     .value = "COUNT",
     .help =
         "write so many rows for each, with gaps drawn at random given the rest of the row, and the columns row and "
         "draw in front: multiple imputation",
     .read = cli_read_count,
     .offset = offsetof(arguments, draws)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "the same seed gives the same draws, for any number of threads (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, seed)},
    {.name = "sd",
     .value = "FILE",
     .help = "write also the standard deviation of each filled cell, in rows like those of DATA, 0 for cells that were "
             "there",
     .read = cli_read_text,
     .offset = offsetof(arguments, sd)},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no summary of what was filled, no notes and no progress",
     .offset = offsetof(arguments, quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree impute iris.scree gaps.csv -o whole.csv --sd spread.csv",
    "fills every gap with what the model expects there, and says how sure it is",
    "scree impute iris.scree gaps.csv --draws 20 --seed 1 -o twenty.csv",
    "twenty versions of the data, to repeat an analysis on each",
    NULL,
};

static void print_summary(const scree_source *source)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    const int64_t rows = scree_source_rows(source);
    scree_source_gaps(source, &gaps, NULL);
    fflush(stdout);
    fprintf(stderr, "%" PRId64 " cell%s filled, in %" PRId64 " of %" PRId64 " row%s", gaps.cells,
            gaps.cells == 1 ? "" : "s", gaps.rows, rows, rows == 1 ? "" : "s");
    if (gaps.empty > 0)
        fprintf(stderr, "; of %" PRId64 " row%s nothing was observed, and the mean was filled in", gaps.empty,
                gaps.empty == 1 ? "" : "s");
    fputc('\n', stderr);
}

static scree_status work(arguments *args, const scree_model *model, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sink *sink = NULL;
    scree_sink *sd = NULL;
    cli_progress progress;
    const cli_write spread = {.output = args->sd};
    scree_impute_options how = SCREE_IMPUTE_OPTIONS_INIT;
    how.draws = args->draws;
    how.seed = args->seed;
    how.run = &args->run;
    const scree_type type = scree_source_type(source) == SCREE_F32 && args->draws == 0 ? SCREE_F32 : SCREE_F64;
    CLI_TRY(cli_sink_open(&sink, &args->write, type, error));
    if (args->sd)
        CLI_TRY(cli_sink_open(&sd, &spread, SCREE_F64, error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_model_impute(model, source, sink, sd, &how, error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, error));
    if (sd)
        CLI_TRY(scree_sink_finish(sd, error));
done:
    scree_sink_free(sd);
    scree_sink_free(sink);
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    if (args->sd && strcmp(args->sd, args->write.output) == 0)
        return cli_usage(call->command, NULL, "-o and --sd both want %s",
                         strcmp(args->sd, "-") == 0 ? "standard output" : args->sd);
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    if (args->sd)
        CLI_TRY(cli_output_apart(call, args->sd, NULL, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    CLI_TRY(work(args, model, source, &error));
    if (!args->quiet)
        print_summary(source);
    cli_note(source, args->quiet);
done:
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_impute = {
    .name = "impute",
    .synopsis = "MODEL DATA... [-o ROWS] [--draws COUNT] [--sd FILE] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "fill missing values, and say how sure that is",
    .description =
        "Writes the rows of DATA with their gaps filled: empty cells, NA and the like, NaN. Each receives its "
        "expectation under the probability model given the cells of its row that are there, or, with --draws, values "
        "drawn from that distribution. Cells that are there come back as they were, and columns that the model does "
        "not "
        "know pass through, gaps included. Columns of numbers keep their order; label and id columns come in front of "
        "them, and are left out of NPY. Of a row with nothing in it the mean is all that can be said. The model is "
        "taken as known: where it was fitted to a few dozen rows, gaps are somewhat less certain than --sd and --draws "
        "say.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
