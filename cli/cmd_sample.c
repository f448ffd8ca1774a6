/* SPDX-License-Identifier: BSD-3-Clause */
/* scree sample: rows that the model makes up, z ~ N(0, I), x = Bz + µ + ε (10.64, 10.66), as many as are wanted. */

#include "cli.h"
#include "progress.h"

typedef struct arguments {
    cli_write write;
    scree_run run;
    cli_draw draw;
    cli_noise noise;
    int64_t components;
    int quiet;
} arguments;

static const arguments defaults = {
    .write = CLI_WRITE_INIT, .run = SCREE_RUN_INIT, .draw = CLI_DRAW_INIT, .noise = CLI_NOISE_INIT};

static const cli_option options[] = {
    {.group = cli_draw_options, .offset = offsetof(arguments, draw)},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree sample iris.scree -n 1000 -o made-up.csv",
    "writes a thousand flowers that nobody has picked",
    "scree sample digits.scree -n 20 --noise 0 --seed 7 -o digits.npy",
    "writes twenty images without noise: points of the principal subspace",
    NULL,
};

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *draws = NULL;
    scree_sink *sink = NULL;
    cli_progress progress;
    scree_sample_options how = SCREE_SAMPLE_OPTIONS_INIT;
    how.rows = args->draw.count;
    how.seed = args->draw.seed;
    how.run = &args->run;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(scree_source_sample(&draws, model, &how, &error));
    CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, &error));
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_source_copy(draws, sink, &args->run, &error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, &error));
done:
    scree_sink_free(sink);
    scree_source_free(draws);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_sample = {
    .name = "sample",
    .synopsis = "MODEL -n COUNT [-o ROWS] [--seed NUMBER] [OPTIONS]",
    .operands = "MODEL",
    .summary = "write rows that a model makes up",
    .description = "Draws rows from the model: a code z from the standard normal distribution, then x = Bz + mean + "
                   "noise. --noise 0 leaves the noise out. The same seed gives the same rows, however many are drawn "
                   "and on however many threads; any number is written in little memory.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
