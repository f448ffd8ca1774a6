/* SPDX-License-Identifier: BSD-3-Clause */
/* scree project: writes the code z = Uᵀ(x − µ) of each row (10.3). */

#include "work.h"

typedef struct arguments {
    cli_work work;
    cli_whiten whiten;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .whiten = CLI_WHITEN_INIT};

static const cli_option options[] = {
    {.group = cli_whiten_options, .offset = offsetof(arguments, whiten)},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_live_options},
    {.group = cli_run_options},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree project iris.scree iris.csv -o codes.csv",
    "writes pc1, pc2, ... of every row, preceded by its label",
    "scree project -k 2 iris.scree iris.csv",
    "prints the first two components only",
    "zcat big.csv.gz | scree project big.scree - -o codes.npy",
    "reads a pipe, in little memory",
    "scree project -k 2 iris.scree iris.csv --whiten --ddof 1",
    "gives each component unit variance, with the divisor N - 1, as scikit-learn's PCA(whiten=True) does",
    "scree project cells.scree cells.h5ad -o cells.h5ad",
    "puts the codes into the AnnData file, as obsm/X_pca, varm/PCs and uns/pca",
    NULL,
};

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    if (cli_whiten_lacks(&args->whiten))
        return cli_usage(call->command, NULL, "--ddof is the divisor of --whiten; give both");
    cli_work_live(work);
    work->write.takes_codes = true;
    args->whiten.how.run = &work->run;
    CLI_TRY(cli_work_open(work));
    CLI_TRY(cli_work_sink(work, cli_work_type(work)));
    if (args->whiten.wanted)
        CLI_TRY_ROWS(work, scree_model_whiten(work->model, work->source, work->sink, &args->whiten.how, &work->error));
    else
        CLI_TRY_ROWS(work, scree_model_project(work->model, work->source, work->sink, &work->run, &work->error));
    CLI_TRY(cli_sink_finish(work->sink, &work->error));
    cli_work_notes(work);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_project = {
    .name = "project",
    .synopsis = "MODEL DATA... [-o CODES] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "compute the codes of rows: their coordinates in a model",
    .description =
        "Writes for each row x of DATA its code z = U'(x - mean), the coordinates of its projection onto the principal "
        "subspace, in the columns pc1, pc2, ... (z1, z2, ... if the model does not order its components). The columns "
        "of DATA are matched "
        "with those of the model by name, in any order, if both have names, and by position otherwise. A row with "
        "missing cells gets the expected code given its observed cells. Label and id columns are copied. With --whiten "
        "the codes "
        "have unit variance over the fitted rows, in the columns w1, w2, .... Numbers in an NPY or HDF5 file are "
        "double, or float if those of DATA are. If CODES ends in .h5ad, DATA is one AnnData file, and CODES a copy of "
        "it "
        "with the codes of its cells, which may take its place.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
