/* SPDX-License-Identifier: BSD-3-Clause */
/* scree project: the codes z = Uᵀ(x − µ) of rows (10.3), written a row for a row. */

#include "cli.h"
#include "progress.h"

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    int64_t components;
    int quiet;
} arguments;

static const arguments defaults = {.write = CLI_WRITE_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT};

static const cli_option options[] = {
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree project iris.scree iris.csv -o codes.csv",
    "writes pc1, pc2, ... of every row, with its label in front",
    "scree project -k 2 iris.scree iris.csv",
    "prints the first two components only",
    "zcat big.csv.gz | scree project big.scree - -o codes.npy",
    "reads a pipe, in little memory",
    NULL,
};

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    cli_progress progress;
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    CLI_TRY(cli_model_open(&model, call->operands[0], args->components, &error));
    CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, &error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_model_project(model, source, sink, &args->run, &error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, &error));
    cli_gaps(source, args->quiet);
    cli_note(source, args->quiet);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_project = {
    .name = "project",
    .synopsis = "MODEL DATA... [-o CODES] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "write the codes of rows: their coordinates in a model",
    .description =
        "For each row x of DATA writes its code z = U'(x - mean), the coordinates of its projection onto the "
        "principal subspace, as the columns pc1, pc2, ...; of an auto-encoder its codes, z1, z2, ... Columns of DATA "
        "are matched with those of the "
        "model by name when both have names, in any order, and by position otherwise. A row with gaps has the "
        "code that is expected given the cells that are there. Label and id columns are carried through.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
