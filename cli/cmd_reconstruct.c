/* SPDX-License-Identifier: BSD-3-Clause */
/* scree reconstruct: rows from codes, x̃ = Uz + µ (10.3); with --data from the rows themselves, x̃ = UUᵀ(x − µ) + µ, and
 * the mean squared error (10.29) next to the one that the eigenvalues predict (10.44). */

#include "work.h"

#include <inttypes.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    const char *data;
    cli_whiten whiten;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .whiten = CLI_WHITEN_INIT};

static const cli_option options[] = {
    {.name = "data",
     .value = "FILE",
     .help = "project and reconstruct these rows in one step, and print the mean squared error on standard error",
     .read = cli_read_text,
     .offset = offsetof(arguments, data)},
    {.group = cli_whiten_options, .offset = offsetof(arguments, whiten)},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_live_options},
    {.group = cli_run_options},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no mean squared error, notes or progress",
     .offset = offsetof(arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree reconstruct iris.scree codes.csv -o approx.csv",
    "turns codes written by scree project back into rows",
    "scree reconstruct -k 2 iris.scree --data iris.csv -o approx.csv",
    "shows what two components retain of each row, and the mean squared error",
    NULL,
};

static void print_error(const scree_model_view *model, const scree_source *source, double mean_squared_error)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    cli_known(scree_source_gaps(source, &gaps, NULL));
    cli_print(stderr, "mean squared error %.10g%s (10.29); J_%" PRId64 " of the model %.10g%s (10.44)%s\n",
              mean_squared_error, gaps.cells > 0 ? " over the observed cells" : "", model->m,
              model->reconstruction_error, gaps.cells > 0 ? ", over complete rows" : "",
              model->scale ? "; both in scaled columns" : "");
    if (model->weight != (double)model->n)
        cli_print(stderr, "the model was fitted with weights, which J_%" PRId64 " includes; the error here does not\n",
                  model->m);
}

/* Suggests the option that helps if the codes do not fit. */
static void add_hint(scree_error *error, const scree_model_view *model, int64_t cols)
{
    const size_t used = strlen(error->text);
    if (cols < model->m)
        snprintf(error->text + used, sizeof error->text - used, ", or use fewer components with -k %" PRId64, cols);
    else
        snprintf(error->text + used, sizeof error->text - used, ", or give the rows themselves with --data");
}

static scree_status from_codes(cli_work *work, cli_whiten *whiten)
{
    scree_status status = SCREE_OK;
    whiten->how.run = &work->run;
    if (whiten->wanted)
        CLI_TRY_ROWS(work, scree_model_unwhiten(work->model, work->source, work->sink, &whiten->how, &work->error));
    else
        CLI_TRY_ROWS(work, scree_model_reconstruct(work->model, work->source, work->sink, &work->run, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
done:
    if (status == SCREE_ERR_SHAPE)
        add_hint(&work->error, scree_model_get(work->model), scree_source_cols(work->source));
    return status;
}

static scree_status from_rows(cli_work *work)
{
    scree_status status = SCREE_OK;
    double mean = 0.0;
    CLI_TRY_ROWS(work, scree_model_round_trip(work->model, work->source, work->sink, &mean, &work->run, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
    if (!work->quiet)
        print_error(scree_model_get(work->model), work->source, mean);
done:
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    cli_work_live(work);
    if (!args->data && call->operand_count < 2)
        return cli_usage(call->command, NULL, "give CODES, or the rows to reconstruct with --data");
    if (args->data && call->operand_count > 1)
        return cli_usage(call->command, NULL, "give CODES or --data FILE, not both");
    if (args->data && args->whiten.wanted)
        return cli_usage(call->command, NULL, "--whiten is about CODES; leave it out with --data");
    if (cli_whiten_lacks(&args->whiten))
        return cli_usage(call->command, NULL, "--ddof is the divisor of --whiten; give both");
    CLI_TRY(cli_output_distinct(call, work->write.output, args->data, &work->error));
    CLI_TRY(cli_work_model(work));
    if (!args->data)
        work->read.row_width = scree_model_get(work->model)->m;
    if (args->data)
        CLI_TRY(scree_source_open(&work->source, args->data, &work->read, &work->error));
    else
        CLI_TRY(cli_work_rows(work, 1));
    CLI_TRY(cli_work_sink(work, cli_work_type(work)));
    CLI_TRY(args->data ? from_rows(work) : from_codes(work, &args->whiten));
    cli_work_rounded(work);
    cli_work_notes(work);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_reconstruct = {
    .name = "reconstruct",
    .synopsis = "MODEL CODES...|--data DATA [-o ROWS] [OPTIONS]",
    .operands = "MODEL [CODES...]",
    .summary = "compute rows from codes, or what a model retains of rows",
    .description =
        "Writes for each code z in CODES the row Uz + mean. The columns pc1, pc2, ... (z1, z2, ... if the model does "
        "not order its components) are found by name, in any order; without such names the columns are used in their "
        "order. With "
        "--data, reads rows instead, projects and reconstructs them, and prints on standard error their mean squared "
        "error next to J_M, the error that the eigenvalues of the model predict; on the fitted rows the two agree. "
        "Missing cells are filled with their expected values; the error counts only observed cells, and weights every "
        "row equally even if the model was fitted with weights.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
