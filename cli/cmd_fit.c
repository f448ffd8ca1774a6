/* SPDX-License-Identifier: BSD-3-Clause */
/* scree fit: fits a model to rows, saves it, and reports what was done and how accurate it is. The report goes to
 * standard output, or to standard error if the model itself goes to standard output. */

#include "again.h"
#include "checkpoint.h"
#include "facts.h"
#include "human.h"
#include "imputer_text.h"
#include "json.h"
#include "left_out.h"
#include "look.h"
#include "model_text.h"
#include "prepare.h"
#include "state_work.h"
#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 10 }; /* components in the report; scree info prints all of them */

typedef struct arguments {
    cli_work work;
    cli_prepare prepare;
    scree_fit_options fit;
    cli_state state;
    cli_checkpoint checkpoint;
    int bayes;
    int online;
    int no_imputer;
    int json;
} arguments;

static const arguments defaults = {
    .work = CLI_WORK_INIT(NULL), .fit = SCREE_FIT_OPTIONS_INIT, .checkpoint = CLI_CHECKPOINT_INIT};

/* A count from 0 on, or auto. */
static const char *read_latent(void *where, const char *text, const cli_option *option)
{
    int64_t *latent = where;
    if (strcmp(text, "auto") == 0)
        *latent = SCREE_AUTO;
    else if (strcmp(text, "0") == 0)
        *latent = SCREE_NONE;
    else if (cli_read_count(latent, text, option))
        return "a whole number from 0 on, or auto";
    return NULL;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the model to FILE, - for standard output (required, or --state)",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.group = cli_fit_options, .offset = offsetof(arguments, fit)},
    {.group = cli_state_options, .offset = offsetof(arguments, state)},
    {.group = cli_center_options, .offset = offsetof(arguments, fit)},
    {.group = cli_prepare_options, .offset = offsetof(arguments, prepare)},
    {.group = cli_genotype_options},
    {.group = cli_bayes_options, .offset = offsetof(arguments, bayes)},
    {.name = "latent",
     .value = "M",
     .help =
         "latent dimensions of the probability model, for score, posterior, sample, explore, impute and report: a "
         "count from 0 on, or auto, what scree select recommends for the model (default: the count given with -k, else "
         "auto)",
     .read = read_latent,
     .offset = offsetof(arguments, fit.latent)},
    {.name = "model-kind",
     .value = "KIND",
     .help = "what to fit: {kinds}; the first, the default, are principal components; the others have commands of "
             "their own, which set more options",
     .read = cli_read_choice,
     .offset = offsetof(arguments, fit.kind),
     .names = cli_kind_name},
    {.name = "online",
     .help = "one pass and bounded memory even if values are missing, for pipes too long to store: stepwise EM, which "
             "reports its error",
     .offset = offsetof(arguments, online),
     .set = 1},
    {.name = "no-imputer",
     .help = "with missing values: fit the components only; scree impute then fills gaps from these, less accurately",
     .offset = offsetof(arguments, no_imputer),
     .set = 1},
    {.group = cli_checkpoint_options, .offset = offsetof(arguments, checkpoint)},
    {.name = "json",
     .help = "print the report as a JSON object with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_weight_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_mpi_options, .offset = offsetof(arguments, work.mpi)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no report, notes or progress",
     .offset = offsetof(arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree fit iris.csv -k 2 -o iris.scree",
    "finds two components; text columns become labels",
    "scree fit digits.npy -k 0.95 -o digits.scree",
    "keeps as many components as are needed for 95 % of the variance",
    "scree fit part-*.npy -k 10 -o whole.scree",
    "reads several files as one",
    "scree fit iris.csv -k auto -o iris.scree",
    "keeps as many components as scree select recommends; reads the data twice",
    "scree fit survey.csv --scale unit --ddof 1 -k all -o survey.scree",
    "standardises the columns first: components of the correlation matrix",
    "scree fit survey.csv --weights count -k 5 -o survey.scree",
    "weights each row by the column named count",
    "scree fit iris.csv -k 2 --bootstrap 400 -o iris.scree",
    "intervals from 400 bootstrap replicates, whatever the distribution of the rows",
    "scree fit part-1.csv --state part-1.state",
    "writes what these rows have come to, for scree merge and update",
    "scree fit all.state -k 5 -o all.scree",
    "the model of the rows of a state, or of several",
    "scree fit big.npy -k 50 -o big.scree --checkpoint big.checkpoint",
    "saves every five minutes how far it is, and goes on from there after a crash",
    "zcat big.csv.gz | scree fit - -k 10 --memory 256M -o big.scree",
    "reads a pipe in one pass and little memory",
    NULL,
};

/* What is reported about a fit. */
typedef struct report {
    const arguments *args;
    const cli_work *work;
    const char *path;
    const scree_model_view *model;
} report;

/* The command that sees the same columns, read, scaled and weighted alike. */
static void print_select(const report *done, FILE *out)
{
    enum { NAMED = 8 };
    const cli_call *call = done->work->call;
    fputs("scree select", out);
    if (!done->work->source) { /* of states: the model is what there is to look at */
        fputc(' ', out);
        cli_print_quoted(out, done->work->write.output);
        return;
    }
    if (call->operand_count > NAMED)
        fputs(" DATA...", out);
    for (int i = 0; i < call->operand_count && call->operand_count <= NAMED; i++) {
        fputc(' ', out);
        cli_print_quoted(out, call->operands[i]);
    }
    cli_again_print(out, call, cli_prepare_options);
    cli_again_print(out, call, cli_genotype_options);
    cli_again_print(out, call, cli_read_options);
    cli_again_print(out, call, cli_weight_options);
}

/* How many components, where the data chose. */
static void print_choice(const report *done, FILE *out)
{
    const scree_fit_options *fit = &done->args->fit;
    const bool chosen = fit->share > 0 || (fit->components != 0 && fit->components != SCREE_AUTO);
    if (done->model->stopped && done->model->bayes && !chosen)
        fputs("number of components as variational Bayes finds it; -k keeps another\n", out);
    if (fit->components != SCREE_AUTO || done->model->stopped)
        return;
    if (done->model->latent == 0 && fit->latent == 0)
        fputs("nothing stands out from noise: one component is kept, and the distribution has none; ", out);
    else
        fputs("number of components as recommended; ", out);
    print_select(done, out);
    fputs(" explains it\n", out);
}

/* Whether nobody chose the number of latent dimensions. */
static bool is_recommended(const arguments *args, const scree_model_view *model)
{
    const bool kept_by_default = args->fit.components == 0 && !model->stopped;
    return args->fit.latent == SCREE_AUTO || (args->fit.latent == 0 && kept_by_default);
}

/* What M is, where nobody chose it. */
static void print_latent(const report *done, FILE *out)
{
    const scree_model_view *model = done->model;
    if (!is_recommended(done->args, model))
        return;
    if (model->latent >= model->m) {
        if (model->noise_variance > 0)
            cli_print(out, "probability model: M = %" PRId64 ", all components kept; fit --latent changes M\n",
                      model->m);
        return;
    }
    fputs("M is what the eigenvalues recommend if noise is the same in all columns; ", out);
    print_select(done, out);
    cli_print(out, ",\nwhich sees the rows, allows for other noise, too%s\n",
              model->latent > 0 ? ", and may recommend fewer" : "");
}

/* What was found out of the rows before they were fitted. */
static void print_prepared(const report *done, FILE *out)
{
    const scree_model_view *model = done->model;
    if (done->args->fit.normalize == SCREE_NORMALIZE_MEDIAN)
        cli_print(out, "rows brought to the median of their sums, %.15g\n", model->normalize);
    if (done->args->fit.top_variance > 0 && model->d < scree_source_cols(done->work->source))
        cli_print(out, "used %" PRId64 " of %" PRId64 " columns, those that vary most\n", model->d,
                  scree_source_cols(done->work->source));
}

static void print_text(const report *done, FILE *out)
{
    const scree_model_view *model = done->model;
    char time[32];
    cli_print(out, "%" PRId64 " rows × %" PRId64 " column%s, %" PRId64 " component%s, %d pass%s, %s\n", model->n,
              model->d, model->d == 1 ? "" : "s", model->m, model->m == 1 ? "" : "s", model->passes,
              model->passes == 1 ? "" : "es", cli_human_time(time, sizeof time, done->work->progress.seconds));
    if (done->work->read.weights)
        cli_print(out, "rows weighted by column '%s': total weight %.10g\n", done->work->read.weights, model->weight);
    print_prepared(done, out);
    print_choice(done, out);
    cli_print(out, "method %s%s%s\n", model->solver, model->solver_reason ? ": " : "",
              model->solver_reason ? model->solver_reason : "");
    if (!scree_model_can(done->work->model, SCREE_CAN_ORDER)) {
        cli_facts_print(out, done->work->model);
        return;
    }
    cli_model_gaps(out, model);
    fputc('\n', out);
    cli_model_table(out, done->work->model, SHOWN, true);
    if (model->m > SHOWN)
        cli_print(out, "and %" PRId64 " more: scree info %s\n", model->m - SHOWN, done->work->write.output);
    fputc('\n', out);
    cli_model_remarks(out, done->work->model);
    cli_model_latent(out, done->work->model);
    print_latent(done, out);
    cli_imputer_print(out, done->work->model);
}

static void print_json(const report *done)
{
    cJSON *object = cli_json_object();
    cli_json_text(object, "data", done->path);
    cli_json_text(object, "note", done->work->source ? scree_source_note(done->work->source) : NULL);
    cli_json_text(object, "model", done->work->write.output);
    cli_json_number(object, "seconds", done->work->progress.seconds);
    cli_json_text(object, "reason", done->model->solver_reason);
    cli_json_model(object, done->work->model);
    cli_json_print(object, stdout);
}

/* Whether a column seems to number the rows, judging by the names that people and pandas give such columns. */
static bool is_row_number(const scree_source *source, int64_t column)
{
    static const char *const names[] = {"id", "index", "row", "nr", "no", "Unnamed: 0"};
    const char *name = scree_source_column(source, column);
    const char *next = scree_source_column(source, column + 1);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    /* The first column has no name of its own, but others do: the index that pandas writes. */
    return column == 0 && name && strcmp(name, "c1") == 0 && next && strcmp(next, "c2") != 0;
}

/* Options that had nothing to act on: which is known only now. */
static void print_unused(const report *done)
{
    const cli_call *call = done->work->call;
    const scree_fit_options *fit = &done->args->fit;
    static const char *const direct[] = {"covariance", "gram", "svd", NULL};
    const char *exact = NULL;
    for (int i = 0; direct[i]; i++)
        if (strcmp(done->model->solver, direct[i]) == 0)
            exact = direct[i];
    if (done->model->bayes && fit->components > 0 && fit->components > done->model->m)
        cli_print(stderr,
                  "%" PRId64 " components were asked for, and %" PRId64
                  " stand%s out from noise: variational Bayes keeps no more, --em ml keeps all that you ask for\n",
                  fit->components, done->model->m, done->model->m == 1 ? "s" : "");
    if (!done->model->stopped && cli_given(call, "online"))
        cli_print(stderr, "no values are missing: --online had no effect\n");
    if (!done->model->stopped && cli_given(call, "no-imputer"))
        cli_print(stderr, "no values are missing: --no-imputer had no effect\n");
    cli_prepare_unused(done->work, fit->top_variance);
    if (exact && cli_given(call, "tol"))
        cli_print(stderr, "method %s is direct: --tol had no effect\n", exact);
    if (exact && cli_given(call, "seed") && done->work->read.sample == 0 && fit->bootstrap == 0 &&
        fit->components != SCREE_AUTO)
        cli_print(stderr, "nothing was random: --seed had no effect\n");
}

static void print_hints(const report *done)
{
    const char *em = done->args->fit.em;
    const bool chosen = done->work->read.columns || done->work->read.id;
    bool *told = cli_alloc((size_t)scree_source_cols(done->work->source), sizeof *told);
    print_unused(done);
    cli_repeated_print(stderr, done->work->model);
    if (em && !done->model->stopped)
        cli_print(stderr, "no values are missing: --em %s had no effect%s\n", em,
                  strcmp(em, "vb") == 0 ? "; use --bayes" : "");
    for (int64_t j = 0; !done->work->read.columns && j < done->model->d; j++) {
        if (!is_row_number(done->work->source, j))
            continue;
        told[j] = true;
        const char *name = scree_source_column(done->work->source, j);
        cli_print(stderr, "column '%s' was fitted but may only number the rows; exclude it with --id ", name);
        cli_print_quoted(stderr, name);
        fputc('\n', stderr);
    }
    cli_look(done->work, chosen ? NULL : told);
    free(told);
}

static void print_report(const report *done)
{
    const cli_work *work = done->work;
    if (done->args->json)
        print_json(done);
    else if (!work->quiet)
        print_text(done, cli_work_is_piped(work) ? stderr : stdout);
    if (!work->source)
        return;
    cli_work_note(work);
    if (!work->quiet) {
        if (done->args->fit.scale == SCREE_SCALE_BINOMIAL)
            cli_prepare_note(work);
        print_hints(done);
    }
}

static scree_status save(arguments *args, const char *path)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    if (cli_together_is_first())
        CLI_TRY(scree_model_save(work->model, work->write.output, &work->error));
    print_report(&(report){args, work, path, scree_model_get(work->model)});
done:
    return status;
}

static scree_status fit(arguments *args)
{
    cli_work *work = &args->work;
    const cli_call *call = work->call;
    scree_status status = SCREE_OK;
    work->chose_columns = args->fit.top_variance > 0;
    args->fit.checkpoint = args->checkpoint.path;
    args->fit.checkpoint_every = args->checkpoint.every;
    args->fit.checkpoint_stays = true;
    cli_checkpoint_note(&args->checkpoint, work->quiet != 0);
    CLI_TRY_SHARED(work, scree_model_fit(&work->model, work->source, &args->fit, &work->error));
    status = save(args, call->operand_count > 1 ? scree_source_name(work->source) : call->operands[0]);
done:
    return status;
}

/* The state of the rows, and where it is wanted the model. */
static scree_status fit_state(arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    scree_state *state = NULL;
    CLI_TRY(cli_output_check(args->state.path, &work->error));
    CLI_TRY(cli_state_make(&state, &args->state, work));
    CLI_TRY(cli_state_save(state, args->state.path, &work->error));
    if (work->write.output) {
        CLI_TRY_LONG(work, scree_state_fit(&work->model, state, &args->fit, &work->error));
        status = save(args, scree_source_name(work->source));
        goto done;
    }
    if (args->json)
        status = cli_state_print_json(state, args->state.path, &work->error);
    else if (!work->quiet && strcmp(args->state.path, "-") != 0)
        status = cli_state_print(stdout, state, args->state.path, &work->error);
    cli_work_note(work);
    if (!work->quiet && scree_source_scale(work->source) == SCREE_SCALE_BINOMIAL)
        cli_print(stderr, "the state keeps calls as they are: models of it are not divided by √(2p(1-p)), as those of "
                          "genotypes usually are\n");
done:
    scree_state_free(state);
    return status;
}

/* A model of states. */
static scree_status fit_states(arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    scree_state *state = NULL;
    CLI_TRY(cli_states_load(&state, work));
    CLI_TRY_LONG(work, scree_state_fit(&work->model, state, &args->fit, &work->error));
    status = save(args, work->call->operands[0]);
done:
    scree_state_free(state);
    return status;
}

static scree_status fit_rows(arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    work->read.totals = cli_prepare_sums(&args->prepare);
    work->read.varying = !args->state.path; /* other rows of a state may vary where these do not */
    CLI_TRY(cli_work_rows(work, 0));
    CLI_TRY(cli_prepare_open(&args->prepare, work));
    if (!args->state.path)
        args->fit.scale = args->prepare.scale;
    args->fit.scales = args->prepare.scales;
    if (work->write.output)
        CLI_TRY(cli_output_check(work->write.output, &work->error));
    CLI_TRY((args->state.path ? fit_state : fit)(args));
done:
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    bool of_states = false;
    CLI_TRY(cli_states_are(&of_states, call, &work->error));
    const int unused = cli_state_check(call, &args->state, args->prepare.scale, of_states, work->write.output != NULL);
    if (unused)
        return unused;
    if (!work->write.output && !args->state.path)
        return cli_usage(call->command, NULL, "-o MODEL is required");
    const int wrong = cli_checkpoint_check(call, &args->checkpoint, work->write.output);
    if (wrong)
        return wrong;
    if (args->json && (work->write.output ? cli_work_is_piped(work) : strcmp(args->state.path, "-") == 0))
        return cli_usage(call->command, NULL, "%s - and --json both write to standard output",
                         work->write.output ? "-o" : "--state");
    args->fit.run = &work->run;
    args->fit.bayes = args->bayes != 0;
    args->fit.online = args->online != 0;
    args->fit.no_imputer = args->no_imputer != 0;
    args->fit.scale = args->prepare.scale;
    args->fit.log1p = args->prepare.log1p != 0;
    args->fit.normalize = args->prepare.normalize;
    args->fit.top_variance = args->prepare.top_variance;
    if (work->write.output)
        CLI_TRY(cli_output_distinct(call, work->write.output, args->state.path, &work->error));
    if (args->state.path)
        CLI_TRY(cli_output_distinct(call, args->state.path, NULL, &work->error));
    if (of_states)
        CLI_TRY(cli_output_check(work->write.output, &work->error));
    CLI_TRY((of_states ? fit_states : fit_rows)(args));
done:
    cli_prepare_close(&args->prepare);
    const int code = cli_work_finish(work, status);
    if (code == CLI_SUCCESS)
        cli_checkpoint_remove(&args->checkpoint);
    return code;
}

const cli_command cli_fit = {
    .name = "fit",
    .synopsis = "DATA...|STATE... -o MODEL [-k COUNT|SHARE|all|auto] [--state FILE] [OPTIONS]",
    .operands = "DATA...",
    .summary = "find the principal components of rows",
    .description =
        "Reads the rows of one or more files, finds the eigenvectors of their covariance with the largest "
        "eigenvalues, proves how accurate they are, and saves them as a model. Prints what was done and the "
        "first components: the eigenvalue, its share of the variance, the cumulative share, its sampling "
        "error (a 95 % interval of the population's eigenvalue, and the angle within which its component "
        "lies, if rows are about normal), the error of arithmetic, a bound on the sine of the angle to the "
        "component of the same rows in exact arithmetic, and the cluster of components that are too close to tell "
        "apart. A dash means that there is no bound on the angle; open means that the cluster may extend "
        "past the last component kept. A cell of a CSV file is missing if it is empty or one of NA, N/A, "
        "NaN, null, none, <NA>, #NA, #N/A, n.a., n.d., n/d, -, ?, a single dot, or an error of a spreadsheet such as "
        "#DIV/0!, in upper or lower case; --na adds others. With --state what the rows have come to is saved, "
        "so that they can be fitted in parts; a state in the place of DATA gives the model of its rows.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
