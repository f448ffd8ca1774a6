/* SPDX-License-Identifier: BSD-3-Clause */
/* scree reconstruct: rows from codes, x̃ = Uz + µ (10.3); with --data from rows themselves, x̃ = UUᵀ(x − µ) + µ, and the
 * mean squared error (10.29) beside the one that the eigenvalues promise (10.44). */

#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    const char *data;
    int64_t components;
    int quiet;
} arguments;

static const arguments defaults = {.write = CLI_WRITE_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT};

static const cli_option options[] = {
    {.name = "data",
     .value = "FILE",
     .help = "project these rows and reconstruct them in one step, and print the error on standard error",
     .read = cli_read_text,
     .offset = offsetof(arguments, data)},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no error of the rows, no notes and no progress",
     .offset = offsetof(arguments, quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree reconstruct iris.scree codes.csv -o approx.csv",
    "turns codes that scree project wrote back into rows",
    "scree reconstruct -k 2 iris.scree --data iris.csv -o approx.csv",
    "shows what two components keep of every row, and the mean squared error",
    NULL,
};

static void print_error(const scree_model_view *model, const scree_source *source, double mean_squared_error)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree_source_gaps(source, &gaps, NULL);
    fprintf(stderr, "mean squared error %.10g%s (10.29); J_%" PRId64 " of the model %.10g%s (10.44)%s\n",
            mean_squared_error, gaps.cells > 0 ? " of the cells that are there" : "", model->m,
            model->reconstruction_error, gaps.cells > 0 ? ", of whole rows" : "",
            model->scale ? "; both in scaled columns" : "");
    if (model->weight != (double)model->n)
        fprintf(stderr, "the model's rows have weights, and in J_%" PRId64 " too; in the error here rows count alike\n",
                model->m);
}

/* Which option makes something of codes that do not fit. */
static void add_hint(scree_error *error, const scree_model_view *model, int64_t cols)
{
    const size_t used = strlen(error->text);
    if (cols < model->m)
        snprintf(error->text + used, sizeof error->text - used, ", or use fewer of its components with -k %" PRId64,
                 cols);
    else
        snprintf(error->text + used, sizeof error->text - used, ", or with --data the rows themselves");
}

static scree_status work(arguments *args, const scree_model *model, scree_source *source, scree_sink *sink,
                         scree_error *error)
{
    cli_progress progress;
    double mean_squared_error = 0.0;
    scree_status status = SCREE_OK;
    cli_progress_begin(&progress, &args->run, args->quiet);
    if (args->data)
        status = scree_model_round_trip(model, source, sink, &mean_squared_error, &args->run, error);
    else
        status = scree_model_reconstruct(model, source, sink, &args->run, error);
    cli_progress_end(&progress);
    if (status == SCREE_ERR_SHAPE && !args->data)
        add_hint(error, scree_model_get(model), scree_source_cols(source));
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, error));
    if (args->data && !args->quiet)
        print_error(scree_model_get(model), source, mean_squared_error);
done:
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    if (!args->data && call->operand_count < 2)
        return cli_usage(call->command, NULL, "CODES is missing, or --data with the rows to reconstruct");
    if (args->data && call->operand_count > 1)
        return cli_usage(call->command, NULL, "give CODES or --data, which takes one file, not both");
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, args->data, &error));
    CLI_TRY(cli_model_open(&model, call->operands[0], args->components, &error));
    if (args->data)
        CLI_TRY(scree_source_open(&source, args->data, &args->read, &error));
    else
        CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, &error));
    CLI_TRY(work(args, model, source, sink, &error));
    cli_gaps(source, args->quiet);
    cli_note(source, args->quiet);
done:
    scree_sink_free(sink);
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_reconstruct = {
    .name = "reconstruct",
    .synopsis = "MODEL CODES...|--data DATA [-o ROWS] [OPTIONS]",
    .operands = "MODEL [CODES...]",
    .summary = "write rows from their codes, or what a model keeps of rows",
    .description =
        "From each code z in CODES writes the row Uz + mean. Columns pc1, pc2, ... (z1, z2, ... of an auto-encoder) "
        "are found by their names, in any "
        "order; without such names the columns are taken as they stand. With --data reads rows instead, projects and "
        "reconstructs them, and prints on standard error their mean squared error beside the one that the "
        "model's eigenvalues promise, J_M: on the rows that were fitted the two agree. Gaps in such rows are filled "
        "with what the model expects there; the error is counted over the cells that are there, and rows count alike, "
        "also where the model was fitted "
        "with weights.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
