/* SPDX-License-Identifier: BSD-3-Clause */
/* scree info: everything that a model contains, as text or as JSON. */

#include "archive_text.h"
#include "facts.h"
#include "imputer_text.h"
#include "json.h"
#include "model_text.h"
#include "sampling_text.h"
#include "state_work.h"
#include "views.h"
#include "work.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAMES_WIDTH = 60 };

typedef struct arguments {
    cli_work work;
    double distortion;
    int views;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL)};

static const cli_option options[] = {
    {.group = cli_model_options},
    {.name = "views",
     .help = "print the equivalent views of PCA: variance kept, error, mutual information, log-likelihood, and bits "
             "per row at a given distortion",
     .offset = offsetof(arguments, views),
     .set = 1},
    {.name = "distortion",
     .value = "ERROR",
     .help = "with --views: also print the rate at this mean squared error per row, in the units of J_M",
     .read = cli_read_positive,
     .offset = offsetof(arguments, distortion)},
    {.name = "json",
     .help = "print a JSON object with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.name = "memory",
     .value = "SIZE",
     .help = "for an archive: use at most this much memory, such as 256M (default: most of the free memory)",
     .read = cli_read_size,
     .offset = offsetof(arguments, work.run.memory)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree info iris.scree",
    "prints eigenvalues, shares, J_M and bounds",
    "scree info -k 2 iris.scree",
    "the same for the model truncated to two components",
    "scree info --json iris.scree | jq .eigenvalues",
    "extracts the eigenvalues; everything is there, components too",
    "scree info iris.scree --views --distortion 0.05",
    "variance, error, information and likelihood, and the bits per row at an error of 0.05",
    NULL,
};

/* As many column names as fit on the line. */
static void print_names(const scree_model_view *model)
{
    size_t width = 0;
    for (int64_t j = 0; model->columns && j < model->d; j++) {
        width += strlen(model->columns[j]) + 2;
        if (width > NAMES_WIDTH) {
            cli_print(stdout, ", …");
            break;
        }
        cli_print(stdout, "%s%s", j ? ", " : ": ", model->columns[j]);
    }
}

/* What models of every kind have. */
static void print_data(const scree_model *model, const char *path)
{
    const scree_model_view *view = scree_model_get(model);
    const bool ordered = scree_model_can(model, SCREE_CAN_ORDER);
    cli_print(stdout, "model       %s\n", path);
    if (!ordered)
        cli_print(stdout, "kind        %s\n", view->kind);
    cli_print(stdout, "rows        %" PRId64, view->n);
    if (view->weight != (double)view->n)
        cli_print(stdout, ", total weight %.10g", view->weight);
    fputc('\n', stdout);
    cli_print(stdout, "columns     %" PRId64, view->d);
    print_names(view);
    if (view->image_rows > 0)
        cli_print(stdout, ", images of %" PRId64 " × %" PRId64, view->image_rows, view->image_cols);
    cli_print(stdout, "\n%s %" PRId64 "\n", ordered ? "components " : "code       ", view->m);
}

static void print_method(const scree_model_view *model)
{
    cli_print(stdout, "method      %s%s, %d pass%s over the data\n", model->solver,
              cli_model_has_gaps(model) ? ": values are missing" : "", model->passes, model->passes == 1 ? "" : "es");
    cli_print(stdout, "divisor     %.15g (N%s)\n", model->weight - model->ddof, model->ddof == 0 ? "" : " − ddof");
    if (model->uncentred)
        cli_print(stdout, "center      none: components of the second moments, singular values √(Nλ)\n");
    if (model->normalize > 0)
        cli_print(stdout, "normalize   each row divided by its sum over %" PRId64 " columns, times %.15g\n",
                  model->normalize_columns, model->normalize);
    if (model->log1p)
        cli_print(stdout, "transform   log(1 + x) of every cell\n");
    cli_print(stdout, "scale       %s\n", cli_model_scaling(model));
}

/* The model as a probability distribution. */
static void print_density(const scree_model *model)
{
    static const double bits = 1.44269504088896340736; /* in a nat: 1/ln 2 */
    scree_facts facts = SCREE_FACTS_INIT;
    if (cli_known(scree_model_facts(model, &facts, NULL)) != SCREE_OK)
        return;
    const scree_model_view *view = scree_model_get(model);
    const bool even = view->m < view->d && view->noise_variance > 0; /* what is not kept counts as spread evenly */
    cli_print(stdout, "effective rank %s%.6g\n", even ? "at most " : "", facts.effective_rank);
    const bool printed =
        isnan(facts.log_likelihood) || scree_model_get(model)->stopped; /* printed above with the missing cells */
    if (printed && !isnan(facts.mutual_information))
        cli_print(stdout, "mutual information %.6g nats = %.6g bits\n", facts.mutual_information,
                  bits * facts.mutual_information);
    else if (isnan(facts.log_likelihood))
        cli_print(stdout, "no log-likelihood or mutual information: without noise rows have no density\n");
    else if (isnan(facts.mutual_information))
        cli_print(stdout, "log-likelihood %.10g; without noise, mutual information is infinite\n",
                  facts.log_likelihood);
    else
        cli_print(stdout, "log-likelihood %.10g, mutual information %.6g nats = %.6g bits\n", facts.log_likelihood,
                  facts.mutual_information, bits * facts.mutual_information);
}

static void print_json(const arguments *args, const scree_model *model)
{
    cJSON *object = cli_json_object();
    cli_json_model(object, model);
    cli_json_components(object, model);
    if (args->views && scree_model_can(model, SCREE_CAN_EXPLAIN) && scree_model_can(model, SCREE_CAN_DENSITY))
        cli_views_json(object, scree_model_distribution(model), args->distortion);
    cli_json_print(object, stdout);
}

static void print_spectrum(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    cli_model_table(stdout, model, view->m, false);
    putchar('\n');
    cli_sampling_table(stdout, model);
    cli_model_remarks(stdout, model);
    if (view->latent < view->m)
        cli_model_latent(stdout, model);
    cli_model_gaps(stdout, view);
    cli_imputer_print(stdout, model);
    print_density(model);
}

static void print_model(const arguments *args, const scree_model *model, const char *path)
{
    const scree_model_view *view = scree_model_get(model);
    const bool ordered = scree_model_can(model, SCREE_CAN_ORDER);
    print_data(model, path);
    if (ordered)
        print_method(view);
    putchar('\n');
    if (args->views) {
        cli_views_print(stdout, scree_model_distribution(model), args->distortion);
        return;
    }
    if (ordered)
        print_spectrum(model);
    cli_facts_print(stdout, model);
    if (!ordered)
        cli_print(stdout,
                  "\ntotal variance %.6g; errors are squared, in the units of the data, and summed over the columns\n",
                  view->total_variance);
}

/* Whether it is an archive; one that cannot be read may be either. */
static scree_status find_kind(const char *path, bool *is_archive, scree_error *error)
{
    *is_archive = scree_archive_is(path);
    if (*is_archive || errno == 0 || errno == EACCES)
        return SCREE_OK; /* what opens it says what is wrong */
    snprintf(error->text, sizeof error->text, "%s: cannot be read (%s): check the disk", path, strerror(errno));
    return error->status = SCREE_ERR_IO;
}

static int run(const cli_call *call)
{
    const arguments *args = call->arguments;
    const char *path = call->operands[0];
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_rate rate = SCREE_RATE_INIT;
    bool is_archive = false;
    bool is_state = false;
    scree_state *state = NULL;
    if (args->distortion > 0 && !args->views)
        return cli_usage(call->command, NULL, "--distortion needs --views");
    CLI_TRY(find_kind(path, &is_archive, &work->error));
    if (is_archive) {
        if (args->views || work->components > 0)
            return cli_usage(call->command, NULL, "%s is an archive, but %s needs a model", path,
                             args->views ? "--views" : "-k");
        CLI_TRY(cli_memory_check(work));
        CLI_TRY(cli_archive_info(path, &work->read, args->json != 0, &work->error));
        goto done;
    }
    CLI_TRY(cli_states_are(&is_state, call, &work->error));
    if (is_state) {
        if (args->views || work->components > 0 || work->run.memory > 0)
            return cli_usage(call->command, NULL, "%s is a state, but %s needs %s", path,
                             args->views            ? "--views"
                             : work->components > 0 ? "-k"
                                                    : "--memory",
                             work->run.memory > 0 ? "an archive" : "a model");
        CLI_TRY(scree_state_load(&state, path, &work->error));
        CLI_TRY(args->json ? cli_state_print_json(state, path, &work->error)
                           : cli_state_print(stdout, state, path, &work->error));
        goto done;
    }
    if (work->run.memory > 0)
        return cli_usage(call->command, NULL, "%s is a model, but --memory needs an archive", path);
    CLI_TRY(cli_work_model(work));
    if (args->distortion > 0)
        CLI_TRY(scree_model_rate(work->model, args->distortion, &rate, &work->error));
    if (args->json)
        print_json(args, work->model);
    else
        print_model(args, work->model, path);
done:
    scree_state_free(state);
    return cli_work_finish(work, status);
}

const cli_command cli_info = {
    .name = "info",
    .synopsis = "MODEL|ARCHIVE|STATE [-k COUNT] [--views] [--json]",
    .operands = "MODEL",
    .summary = "print the contents of a model: eigenvalues, errors, bounds",
    .description =
        "Prints a row for each number M of components: the eigenvalue, its share of the variance, the cumulative "
        "share, the mean squared reconstruction error J_M with M components, the residual of the eigenvector, the "
        "bound on the error of the eigenvalue, the bound on the sine of the angle to the component in exact "
        "arithmetic, and the "
        "cluster of eigenvalues that are too close to tell apart. A dash means that there is no bound on the angle; "
        "open means that the cluster may extend past the last component kept. Then prints the sampling error of each "
        "component that can be told from noise: an estimate of the population's eigenvalue, its standard error and "
        "95 % interval, the expected angle to the population's component, and the angle within which 95 % of samples "
        "lie, for rows that are about normal; after fit --bootstrap, for rows of any distribution. Then prints the "
        "total variance, the "
        "noise variance, the log-likelihood of the fitted rows, the mutual information between a row and its code, and "
        "the effective rank: the exponential of the entropy of the shares of variance, an upper limit if components "
        "were left out. Models of other kinds print "
        "what they know about themselves. For an archive "
        "(.screez), prints its shape, model, error bound and size; for a state, what its rows have come to.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
