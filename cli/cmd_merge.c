/* SPDX-License-Identifier: BSD-3-Clause */
/* scree merge: states as one state, or as the model of all their rows. */

#include "json.h"
#include "model_text.h"
#include "state_work.h"
#include "together.h"

typedef struct arguments {
    cli_work work;
    scree_fit_options fit;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .fit = SCREE_FIT_OPTIONS_INIT};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the state, or with -k the model, to FILE, - for standard output (required)",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.name = "components",
     .letter = 'k',
     .value = "K",
     .help = "write a model with so many components: a count such as 2; a share of the variance such as 0.95 or 95%; "
             "all; or auto",
     .read = cli_read_components,
     .offset = offsetof(arguments, fit)},
    {.name = "json",
     .help = "print a JSON object with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree merge part-*.state -o all.state",
    "what all rows of the parts have come to",
    "scree merge part-*.state -k 5 -o all.scree",
    "the model of all rows",
    NULL,
};

static scree_status write_model(arguments *args, scree_state *state)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    args->fit.run = &work->run;
    CLI_TRY(scree_state_fit(&work->model, state, &args->fit, &work->error));
    if (cli_together_is_first())
        CLI_TRY(scree_model_save(work->model, work->write.output, &work->error));
    if (args->json) {
        cJSON *object = cli_json_object();
        cli_json_text(object, "model", work->write.output);
        cli_json_model(object, work->model);
        cli_json_print(object, stdout);
    } else if (!work->quiet && !cli_work_is_piped(work)) {
        cli_model_table(stdout, work->model, scree_model_get(work->model)->m, true);
        fputc('\n', stdout);
        cli_model_remarks(stdout, work->model);
    }
done:
    return status;
}

static scree_status write_state(arguments *args, scree_state *state)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    CLI_TRY(cli_state_save(state, work->write.output, &work->error));
    if (args->json)
        status = cli_state_print_json(state, work->write.output, &work->error);
    else if (!work->quiet && !cli_work_is_piped(work))
        status = cli_state_print(stdout, state, work->write.output, &work->error);
done:
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_state *state = NULL;
    if (!work->write.output)
        return cli_usage(call->command, NULL, "no output was named: where to write the state? give -o FILE");
    if (args->json && cli_work_is_piped(work))
        return cli_usage(call->command, NULL, "--json and -o - would both write to standard output; give one of them");
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    CLI_TRY(cli_output_check(work->write.output, &work->error));
    CLI_TRY(cli_states_load(&state, work));
    CLI_TRY((cli_given(call, "components") ? write_model : write_state)(args, state));
done:
    scree_state_free(state);
    return cli_work_finish(work, status);
}

const cli_command cli_merge = {
    .name = "merge",
    .synopsis = "STATE... -o FILE [-k COUNT|SHARE|all|auto]",
    .operands = "STATE...",
    .summary = "merge states of rows that were seen apart",
    .description =
        "Merges states, which scree fit --state has written, of the same columns kept by the same method. The result "
        "is the state of all rows, whatever the order: exact for covariance and svd, within its bound for low-rank. "
        "With "
        "-k the model of these rows is written instead. Under mpirun each process reads its share of the states.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
