/* SPDX-License-Identifier: BSD-3-Clause */
/* scree impute: fills missing cells with their expected values given the rest of the row, or with draws, and says how
 * uncertain they are. A one-line summary goes to standard error. */

#include "work.h"

#include <inttypes.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    scree_impute_options impute;
    const char *sd;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .impute = SCREE_IMPUTE_OPTIONS_INIT};

static const cli_option options[] = {
    {.name = "draws",
     .letter = 'n',
     .value = "COUNT",
     .help = "multiple imputation: write COUNT versions of each row, with missing cells drawn at random given the rest "
             "of the row; the columns row and draw come first",
     .read = cli_read_count,
     .offset = offsetof(arguments, impute.draws)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the draws, which do not depend on the number of threads (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, impute.seed)},
    {.name = "sd",
     .value = "FILE",
     .help = "also write the standard deviation of each filled cell, in the layout of DATA, with 0 for observed cells",
     .read = cli_read_text,
     .offset = offsetof(arguments, sd)},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
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
    "scree impute iris.scree gaps.csv -o whole.csv --sd spread.csv",
    "fills every missing cell with its expected value, and writes standard deviations",
    "scree impute iris.scree gaps.csv --draws 20 --seed 1 -o twenty.csv",
    "writes twenty completed versions of the data, for an analysis of each",
    NULL,
};

static void print_summary(const cli_work *work)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    const scree_source *source = work->source;
    const int64_t skipped = work->read.on_error == SCREE_SKIP ? scree_source_faults(source) : 0;
    const int64_t rows = scree_source_rows(source) - skipped;
    cli_known(scree_source_gaps(source, &gaps, NULL));
    cli_flush();
    cli_print(stderr, "filled %" PRId64 " cell%s in %" PRId64 " of %" PRId64 " row%s", gaps.cells,
              gaps.cells == 1 ? "" : "s", gaps.rows, rows, rows == 1 ? "" : "s");
    if (gaps.empty > 0)
        cli_print(stderr, "; %" PRId64 " row%s without observed cells received the mean", gaps.empty,
                  gaps.empty == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* What is not known of the spread, where it was asked for. */
static void print_unknown(const arguments *args)
{
    const scree_model *model = args->work.model;
    const scree_imputer_view *imputer = scree_model_imputer(model);
    const scree_model_view *view = scree_model_get(model);
    char number[24];
    if (!imputer || imputer->singles == 0 || (!args->sd && args->impute.draws == 0))
        return;
    snprintf(number, sizeof number, "%" PRId64, imputer->single + 1);
    cli_print(stderr, "column %s%s%s", view->columns ? "'" : "",
              view->columns ? view->columns[imputer->single] : number, view->columns ? "'" : "");
    if (imputer->singles > 1)
        cli_print(stderr, " and %" PRId64 " more", imputer->singles - 1);
    fputs(" had a single value when the model was fitted: how far others are from it is not known, and what "
          "--sd and --draws say of its missing cells is nan\n",
          stderr);
}

static scree_status impute(arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    scree_sink *sd = NULL;
    const cli_write spread = {.output = args->sd};
    args->impute.run = &work->run;
    CLI_TRY(cli_work_sink(work, args->impute.draws == 0 ? cli_work_type(work) : SCREE_F64));
    if (args->sd)
        CLI_TRY(cli_sink_open(&sd, &spread, SCREE_F64, &work->error));
    CLI_TRY_ROWS(work, scree_model_impute(work->model, work->source, work->sink, sd, &args->impute, &work->error));
    if (cli_together_is_first())
        CLI_TRY(scree_sink_finish_all((scree_sink *const[]){work->sink, sd}, 2, &work->error));
done:
    scree_sink_free(sd);
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    cli_work_live(work);
    if (args->sd && strcmp(args->sd, work->write.output) == 0)
        return cli_usage(call->command, NULL, "-o and --sd both write to %s",
                         strcmp(args->sd, "-") == 0 ? "standard output" : args->sd);
    if (cli_given(call, "seed") && args->impute.draws == 0 && work->read.sample == 0)
        return cli_usage(call->command, NULL,
                         "--seed is for random draws, and there are none: add --draws or --sample");
    if (args->sd)
        CLI_TRY(cli_output_distinct(call, args->sd, NULL, &work->error));
    work->copies_unknown = true;
    work->read.missing_calls = true; /* of genotypes: it is these that are to be filled */
    CLI_TRY(cli_work_open(work));
    CLI_TRY(impute(args));
    if (!work->quiet) {
        print_summary(work);
        print_unknown(args);
    }
    cli_work_note(work);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_impute = {
    .name = "impute",
    .synopsis = "MODEL DATA... [-o ROWS] [--draws COUNT] [--sd FILE] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "fill missing values, with their uncertainty",
    .description = "Writes the rows of DATA with missing cells (empty, NA and the like, NaN) filled in. Each cell "
                   "receives its expected value given the observed cells of its row or, with --draws, values drawn "
                   "from that distribution: that of the imputer, if the model was fitted to rows with missing values, "
                   "else that of the components. Observed cells are copied exactly, and columns "
                   "that are not in the model are copied as they are, missing cells included. Numeric columns keep "
                   "their order; label and id columns come first, and are omitted from NPY files. A row without any "
                   "observed cell is filled with the mean. Standard deviations and draws of an imputer include what is "
                   "not known of its parameters, and are calibrated on cells that were held out; 95 % of the cells "
                   "are within 1.96 standard deviations. Without an imputer they are as wide as the errors of the "
                   "model in the fitted rows were, column by column, and wider by what the number of rows leaves open.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
