/* SPDX-License-Identifier: BSD-3-Clause */
/* scree select: every criterion for the number of components side by side, what each one chooses, and a recommendation.
 * From data, in one pass; or from the eigenvalues of a model, which are enough for some of them. */

#include "prepare.h"
#include "select_text.h"
#include "work.h"

#include <string.h>

typedef struct arguments {
    cli_work work;
    cli_prepare prepare;
    scree_select_options select;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .select = SCREE_SELECT_OPTIONS_INIT};

static const cli_option options[] = {
    {.group = cli_select_options, .offset = offsetof(arguments, select)},
    {.group = cli_prepare_options, .offset = offsetof(arguments, prepare)},
    {.group = cli_genotype_options},
    {.name = "json",
     .help = "print a JSON object with the values for every M in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_weight_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no legend, notes or progress",
     .offset = offsetof(arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree select iris.csv",
    "prints each criterion for each number of components, and a recommendation",
    "scree select digits.npy --max 60 --folds 10",
    "considers up to 60 components, with ten folds",
    "scree select sensor.csv --noise-sd 0.05",
    "uses the known noise of the instrument",
    "scree select iris.scree",
    "prints the criteria that need only the eigenvalues of a model",
    NULL,
};

static bool is_model(const char *path)
{
    static const char ending[] = ".scree";
    const size_t length = strlen(path);
    return length >= sizeof ending - 1 && strcmp(path + length - (sizeof ending - 1), ending) == 0;
}

static scree_status select_components(scree_selection **out, arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    args->select.run = &work->run;
    if (is_model(work->call->operands[0])) {
        CLI_TRY(cli_work_model(work));
        CLI_TRY(scree_selection_from_model(out, work->model, &args->select, &work->error));
    } else {
        work->read.totals = cli_prepare_sums(&args->prepare);
        work->read.varying = true;
        CLI_TRY(cli_work_rows(work, 0));
        CLI_TRY(cli_prepare_open(&args->prepare, work));
        args->select.scale = args->prepare.scale;
        args->select.scales = args->prepare.scales;
        args->select.log1p = args->prepare.log1p != 0;
        args->select.normalize = args->prepare.normalize;
        args->select.top_variance = args->prepare.top_variance;
        CLI_TRY_SHARED(work, scree_selection_make(out, work->source, &args->select, &work->error));
    }
done:
    return status;
}

/* A model has eigenvalues and no rows: an exit code, or 0. */
static int check_model(const cli_call *call)
{
    static const char *const of_rows[] = {"folds",        "scale",   "normalize",  "log1p",
                                          "top-variance", "weights", "block-rows", NULL};
    const cli_option *option = cli_given_among(call, of_rows);
    option = option ? option : cli_given_of(call, cli_read_options);
    return option ? cli_usage(call->command, option, "--%s is about rows, and %s is a model, which has none",
                              option->name, call->operands[0])
                  : 0;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_selection *selection = NULL;
    for (int i = 0; call->operand_count > 1 && i < call->operand_count; i++)
        if (is_model(call->operands[i]))
            return cli_usage(call->command, NULL, "'%s' is a model; give one MODEL, or only DATA", call->operands[i]);
    const int unused = is_model(call->operands[0]) ? check_model(call) : 0;
    if (unused)
        return unused;
    CLI_TRY(select_components(&selection, args));
    if (args->json)
        cli_selection_json(selection);
    else
        cli_selection_print(selection, args->select.max_components > 0, !work->quiet);
    if (work->source) {
        cli_prepare_unused(work, args->prepare.top_variance);
        cli_work_note(work);
    }
done:
    cli_prepare_close(&args->prepare);
    scree_selection_free(selection);
    return cli_work_finish(work, status);
}

const cli_command cli_select = {
    .name = "select",
    .synopsis = "DATA...|MODEL [--max M] [--folds COUNT] [--noise-sd S] [OPTIONS]",
    .operands = "DATA...",
    .summary = "compare criteria for the number of components",
    .description =
        "Reads DATA once and prints, for each number M of components, the cumulative share of the variance, the error "
        "J_M, Minka's evidence, BIC, AIC, the log-likelihood of held-out rows, the bi-cross-validation error, the "
        "thresholds of Gavish and Donoho, of Marchenko and Pastur and of parallel analysis, and the p-values of the "
        "Tracy-Widom test, for white noise and for noise that was whitened; then what each criterion chooses, and a "
        "recommendation with its reason. M = 0 means that nothing stands out from noise. Rows with gaps are taken, "
        "too. For a MODEL (a .scree file) it prints the criteria that need only eigenvalues. "
        "scree fit -k auto uses the recommendation, unless values are missing: then it keeps what variational Bayes "
        "finds, which may be fewer, and -k takes the number recommended here.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
