/* SPDX-License-Identifier: BSD-3-Clause */
/* scree sample: draws rows from the model, z ~ N(0, I), x = Bz + µ + ε (10.64, 10.66). */

#include "work.h"

typedef struct arguments {
    cli_work work;
    cli_draw draw;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .draw = CLI_DRAW_INIT};

static const cli_option options[] = {
    {.group = cli_draw_options, .offset = offsetof(arguments, draw)},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree sample iris.scree -n 1000 -o made-up.csv",
    "writes a thousand random flowers",
    "scree sample digits.scree -n 20 --noise 0 --seed 7 -o digits.npy",
    "writes twenty images without noise: points in the principal subspace",
    NULL,
};

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_sample_options how = SCREE_SAMPLE_OPTIONS_INIT;
    how.rows = args->draw.count;
    how.seed = args->draw.seed;
    how.run = &work->run;
    how.held = work->read.held;
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    CLI_TRY(cli_work_model(work));
    CLI_TRY(scree_source_sample(&work->source, work->model, &how, &work->error));
    CLI_TRY(cli_work_copy(work, work->source, SCREE_F64));
    cli_work_rounded(work);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_sample = {
    .name = "sample",
    .synopsis = "MODEL -n COUNT [-o ROWS] [--seed NUMBER] [OPTIONS]",
    .operands = "MODEL",
    .summary = "draw random rows from a model",
    .description = "Draws rows from the model: a code z from the standard normal distribution, then x = Bz + mean + "
                   "noise. --noise 0 omits the noise. The same seed gives the same rows for any number of draws and "
                   "threads. Memory does not grow with the number of rows.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
