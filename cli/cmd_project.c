/* SPDX-License-Identifier: BSD-3-Clause */
/* scree project: the codes z = Uᵀ(x − µ) of rows (10.3), written a row for a row. */

#include "work.h"

static const cli_work defaults = CLI_WORK_INIT("-");

static const cli_option options[] = {
    {.group = cli_write_options}, {.group = cli_model_options}, {.group = cli_read_options},
    {.group = cli_run_options},   {.group = cli_quiet_options}, CLI_OPTIONS_END,
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
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    CLI_TRY(cli_work_open(work));
    CLI_TRY(cli_work_sink(work, SCREE_F64));
    CLI_TRY_LONG(work, scree_model_project(work->model, work->source, work->sink, &work->run, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
    cli_work_notes(work);
done:
    return cli_work_finish(work, status);
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
