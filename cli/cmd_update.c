/* SPDX-License-Identifier: BSD-3-Clause */
/* scree update: a state gains new rows. */

#include "state_work.h"
#include "together.h"

typedef struct arguments {
    cli_work work;
    double forget;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL)};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the state to FILE, - for standard output (default: STATE itself, replaced when it is whole)",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.name = "forget",
     .value = "ROWS",
     .help = "from now on a row counts half once so many have come after it; 0: all rows to come count (default: as "
             "before)",
     .read = cli_read_half_life,
     .offset = offsetof(arguments, forget)},
    {.name = "json",
     .help = "print a JSON object with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_weight_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_run_options},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree update all.state today.csv",
    "all.state has the rows of today, too",
    "scree update all.state today.csv --forget 100000 -o recent.state",
    "rows fade by half with every 100000 that come after them",
    NULL,
};

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_state *state = NULL;
    const bool is_new = work->write.output != NULL;
    if (!is_new)
        work->write.output = call->operands[0];
    if (args->json && cli_work_is_piped(work))
        return cli_usage(call->command, NULL, "--json and -o - would both write to standard output; give one of them");
    if (is_new)
        CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    CLI_TRY(cli_output_check(work->write.output, &work->error));
    CLI_TRY(scree_state_load(&state, call->operands[0], &work->error));
    if (cli_given(call, "forget"))
        CLI_TRY(scree_state_forget(state, args->forget, &work->error));
    CLI_TRY(cli_work_rows(work, 1));
    CLI_TRY_SHARED(work, scree_state_add_source(state, work->source, &work->run, &work->error));
    CLI_TRY(cli_state_save(state, work->write.output, &work->error));
    if (args->json)
        CLI_TRY(cli_state_print_json(state, work->write.output, &work->error));
    else if (!work->quiet && !cli_work_is_piped(work))
        CLI_TRY(cli_state_print(stdout, state, work->write.output, &work->error));
    cli_work_note(work);
done:
    scree_state_free(state);
    return cli_work_finish(work, status);
}

const cli_command cli_update = {
    .name = "update",
    .synopsis = "STATE DATA... [-o FILE] [--forget ROWS] [OPTIONS]",
    .operands = "STATE DATA...",
    .summary = "add rows to a state",
    .description =
        "Adds the rows of DATA, which have the columns of STATE, to a state that scree fit --state has "
        "written: what it then holds is what all rows together come to. With a half-life old rows fade, so "
        "that scree fit STATE follows data that drift. Under mpirun each process reads its share of the rows.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
