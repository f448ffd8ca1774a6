/* SPDX-License-Identifier: BSD-3-Clause */
/* scree explore: what else a row could have been (10.7.3): repeated draws z* ~ p(z|x*), then x̃* ~ p(x|z*). */

#include "work.h"

typedef struct arguments {
    cli_work work;
    cli_draw draw;
    int64_t row; /* from 1; 0: every row */
    int latent;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .draw = CLI_DRAW_INIT};

static const cli_option options[] = {
    {.name = "row",
     .value = "NUMBER",
     .help = "explore only this row, counted from 1 (default: every row)",
     .read = cli_read_count,
     .offset = offsetof(arguments, row)},
    {.group = cli_draw_options, .offset = offsetof(arguments, draw)},
    {.name = "latent",
     .help = "also write the code of each draw, in the columns z1, z2, ...",
     .offset = offsetof(arguments, latent),
     .set = 1},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_live_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree explore iris.scree iris.csv --row 51 -n 100 -o like-51.csv",
    "draws a hundred flowers similar to the 51st",
    "scree explore digits.scree digits.npy -n 5 --noise-floor 10 --latent -o near.npy",
    "writes five draws for every image, each preceded by its code",
    NULL,
};

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_source *draws = NULL; /* owns the rows once it exists */
    scree_explore_options how = SCREE_EXPLORE_OPTIONS_INIT;
    how.row = args->row - 1;
    how.draws = args->draw.count;
    how.latent = args->latent != 0;
    how.seed = args->draw.seed;
    how.run = &work->run;
    cli_work_live(work);
    CLI_TRY(cli_work_open(work));
    CLI_TRY(scree_source_explore(&draws, work->model, work->source, &how, &work->error));
    CLI_TRY(cli_work_copy(work, draws, SCREE_F64));
    cli_work_rounded(work);
    cli_work_notes(work);
    if (!work->quiet && !(scree_model_get(scree_model_distribution(work->model))->noise_variance > 0.0))
        fputs("σ² = 0: the posterior is a single point, so all draws for a row are equal\n", stderr);
done:
    if (draws)
        work->source = draws;
    return cli_work_finish(work, status);
}

const cli_command cli_explore = {
    .name = "explore",
    .synopsis = "MODEL DATA... [--row NUMBER] -n COUNT [-o ROWS] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "draw variations of rows",
    .description = "For each row of DATA, or the one given by --row, draws a code from its posterior and then a row "
                   "from that code: rows that the model can hardly distinguish from it. For a row with missing cells, "
                   "the posterior given its observed cells is used. Writes the number of the row, the number of the "
                   "draw, the code (with --latent), and the drawn row. The same seed gives the same draws for any "
                   "number of threads. Label and id columns are copied.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
