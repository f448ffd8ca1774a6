/* SPDX-License-Identifier: BSD-3-Clause */
/* scree explore: what else a row could have been (10.7.3): z* ~ p(z|x*), then x̃* ~ p(x|z*), again and again. */

#include "cli.h"
#include "progress.h"

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    cli_draw draw;
    cli_noise noise;
    int64_t row; /* from 1; 0: every one */
    int64_t components;
    int latent;
    int quiet;
} arguments;

static const arguments defaults = {.write = CLI_WRITE_INIT,
                                   .read = SCREE_READ_OPTIONS_INIT,
                                   .run = SCREE_RUN_INIT,
                                   .draw = CLI_DRAW_INIT,
                                   .noise = CLI_NOISE_INIT};

static const cli_option options[] = {
    {.name = "row",
     .value = "NUMBER",
     .help = "explore this row only, counted from 1 (default: every row)",
     .read = cli_read_count,
     .offset = offsetof(arguments, row)},
    {.group = cli_draw_options, .offset = offsetof(arguments, draw)},
    {.name = "latent",
     .help = "write also the code of each draw, as the columns z1, z2, ...",
     .offset = offsetof(arguments, latent),
     .set = 1},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree explore iris.scree iris.csv --row 51 -n 100 -o like-51.csv",
    "draws a hundred flowers that could have been the 51st",
    "scree explore digits.scree digits.npy -n 5 --noise-floor 10 --latent -o near.npy",
    "five draws for every image, each with its code in front",
    NULL,
};

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *rows = NULL; /* belongs to draws once there are any */
    scree_source *draws = NULL;
    scree_sink *sink = NULL;
    cli_progress progress;
    scree_explore_options how = SCREE_EXPLORE_OPTIONS_INIT;
    how.row = args->row - 1;
    how.draws = args->draw.count;
    how.latent = args->latent != 0;
    how.seed = args->draw.seed;
    how.run = &args->run;
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(cli_data_open(&rows, call, 1, &args->read, &error));
    CLI_TRY(scree_source_explore(&draws, model, rows, &how, &error));
    CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, &error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_source_copy(draws, sink, &args->run, &error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, &error));
    cli_gaps(rows, args->quiet);
    cli_note(rows, args->quiet);
    if (!args->quiet && !(scree_model_get(model)->noise_variance > 0.0))
        fputs("σ² = 0: the posterior is a point, and all draws of a row are the same\n", stderr);
done:
    scree_sink_free(sink);
    scree_source_free(draws ? draws : rows);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_explore = {
    .name = "explore",
    .synopsis = "MODEL DATA... [--row NUMBER] -n COUNT [-o ROWS] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "write what rows could have been as well",
    .description = "For each row of DATA, or the one that --row names, draws a code from its posterior, then a row "
                   "from that code: rows that the model cannot well tell from it. Of a row with gaps, what is there "
                   "decides. Writes the number of the row, the "
                   "number of the draw, with --latent the code, and the row drawn. The same seed gives the same draws, "
                   "on any number of threads. Label and id columns are carried through.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
