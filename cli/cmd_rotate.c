/* SPDX-License-Identifier: BSD-3-Clause */
/* scree rotate: rotates the first components of a model to loadings that are large or small (10.78), as a model of its
 * own. */

#include "loadings_text.h"
#include "table.h"
#include "work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    scree_rotate_options rotate;
    int no_kaiser;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .rotate = SCREE_ROTATE_OPTIONS_INIT};

static const char *const methods[] = {"varimax", "quartimax", "promax", "oblimin", NULL};

static const char *read_power(void *where, const char *text, const cli_option *option)
{
    double power = 0;
    if (cli_read_positive(&power, text, option) || !(power > 1 && power <= 20))
        return "a number above 1, at most 20";
    *(double *)where = power;
    return NULL;
}

static const char *read_gamma(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    const double gamma = strtod(text, &end);
    (void)option;
    if (end == text || *end || !isfinite(gamma) || gamma > 0.8)
        return "a number, at most 0.8";
    *(double *)where = gamma;
    return NULL;
}

/* 0 is none, which the library spells otherwise. */
static const char *read_starts(void *where, const char *text, const cli_option *option)
{
    int starts = 0;
    if (cli_read_int(&starts, text, option) || starts > 100000)
        return "a whole number from 0 to 100000";
    *(int64_t *)where = starts > 0 ? starts : SCREE_NONE;
    return NULL;
}

static const cli_option options[] = {
    {.name = "method",
     .value = "METHOD",
     .help =
         "varimax or quartimax, which keep factors uncorrelated; promax or oblimin, which do not (default: varimax)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, rotate.method),
     .choices = methods},
    {.name = "components",
     .letter = 'k',
     .value = "COUNT",
     .help = "rotate the first COUNT components (default: the latent dimensions that scree info prints, or all)",
     .read = cli_read_count,
     .offset = offsetof(arguments, rotate.components)},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the model to FILE",
     .read = cli_read_text,
     .offset = offsetof(arguments, work.write.output)},
    {.name = "no-kaiser",
     .help = "do not normalise: columns count by the variance that they have in common with the components (default: "
             "all alike)",
     .offset = offsetof(arguments, no_kaiser),
     .set = 1},
    {.name = "power",
     .value = "NUMBER",
     .help = "for promax: the power that loadings are raised to (default: 4)",
     .read = read_power,
     .offset = offsetof(arguments, rotate.power)},
    {.name = "gamma",
     .value = "NUMBER",
     .help = "for oblimin: less than 0 makes factors less correlated (default: 0, quartimin)",
     .read = read_gamma,
     .offset = offsetof(arguments, rotate.gamma)},
    {.name = "starts",
     .value = "COUNT",
     .help = "also start from COUNT random rotations, and take the best (default: 10, fewer for large models)",
     .read = read_starts,
     .offset = offsetof(arguments, rotate.starts)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the random starts (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(arguments, rotate.seed)},
    {.name = "json",
     .help = "print a JSON object with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree rotate iris.scree -k 2 -o rotated.scree",
    "rotates two components by varimax, and prints their loadings",
    "scree rotate survey.scree --method oblimin -k 5 -o factors.scree",
    "five factors that may be correlated",
    "scree project rotated.scree iris.csv -o factors.csv",
    "writes the factors rc1, rc2, ... of every row",
    NULL,
};

/* Variances of the factors, and their correlations where they have any. */
static void print_factors(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_rotation_view *rotation = scree_model_rotation(model);
    cli_table *table = cli_table_new("lrr");
    cli_table_cell(table, "factor");
    cli_table_cell(table, "variance");
    cli_table_cell(table, "share%%");
    for (int64_t k = 0; k < view->m; k++) {
        cli_table_cell(table, "%s%" PRId64, view->code_prefix, k + 1);
        cli_table_cell(table, "%.6g", rotation->variances[k]);
        cli_table_cell(table, "%.2f", 100 * rotation->variances[k] / view->total_variance);
    }
    cli_table_print(table, stdout);
    cli_table_free(table);
    if (rotation->oblique)
        fputc('\n', stdout);
    for (int64_t i = 0; rotation->oblique && i < view->m; i++)
        for (int64_t j = 0; j < i; j++)
            cli_print(stdout, "correlation of %s%" PRId64 " and %s%" PRId64 ": %.4f\n", view->code_prefix, j + 1,
                      view->code_prefix, i + 1, rotation->correlations[i * view->m + j]);
}

static void print_json(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_rotation_view *rotation = scree_model_rotation(model);
    cJSON *object = cli_json_object();
    cli_json_text(object, "method", rotation->method);
    cli_json_bool(object, "kaiser", rotation->kaiser);
    cli_json_bool(object, "converged", rotation->converged);
    cli_json_numbers(object, "variances", rotation->variances, view->m);
    cJSON *matrix = cli_json_add_array(object, "rotation");
    cJSON *correlations = cli_json_add_array(object, "correlations");
    for (int64_t k = 0; k < view->m; k++) {
        cli_json_append(matrix, cli_json_list(rotation->matrix + k * view->m, view->m));
        cli_json_append(correlations, cli_json_list(rotation->correlations + k * view->m, view->m));
    }
    cli_meaning_names_json(object, model);
    cli_meaning_json(object, model, cli_meaning_find("loadings"));
    cli_meaning_json(object, model, cli_meaning_find("structure"));
    cli_json_print(object, stdout);
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    args->rotate.no_kaiser = args->no_kaiser != 0;
    const char *method = args->rotate.method ? args->rotate.method : methods[0];
    if (!work->write.output)
        return cli_usage(call->command, NULL, "no output was named: where to write the model? give -o FILE");
    if (args->json && cli_work_is_piped(work))
        return cli_usage(call->command, NULL, "--json and -o - would both write to standard output; give one of them");
    if (cli_given(call, "power") && strcmp(method, "promax") != 0)
        return cli_usage(call->command, NULL, "--power is for --method promax, not for %s", method);
    if (cli_given(call, "gamma") && strcmp(method, "oblimin") != 0)
        return cli_usage(call->command, NULL, "--gamma is for --method oblimin, not for %s", method);
    if (cli_given(call, "seed") && args->rotate.starts == SCREE_NONE)
        return cli_usage(call->command, NULL,
                         "--seed is for random starts, and --starts 0 asks for none; leave one out");
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    CLI_TRY(cli_work_model(work));
    CLI_TRY(scree_model_rotate(&model, work->model, &args->rotate, &work->error));
    CLI_TRY(scree_model_save(model, work->write.output, &work->error));
    if (args->json) {
        print_json(model);
    } else if (!work->quiet && !cli_work_is_piped(work)) {
        cli_meaning_print(stdout, model, cli_meaning_find("loadings"), scree_model_get(model)->m);
        fputc('\n', stdout);
        print_factors(model);
    }
    if (!scree_model_rotation(model)->converged && !work->quiet) {
        cli_flush();
        cli_print(stderr, "the rotation has not converged; loadings are not at an optimum\n");
    }
done:
    scree_model_free(model);
    return cli_work_finish(work, status);
}

const cli_command cli_rotate = {
    .name = "rotate",
    .synopsis = "MODEL -o ROTATED [--method METHOD] [-k COUNT] [OPTIONS]",
    .operands = "MODEL",
    .summary = "rotate components, so that each loads on few columns",
    .description =
        "Rotates the first components of MODEL, each divided by its standard deviation, so that their loadings on the "
        "columns are large or small, and prints these. ROTATED is a model of its own: project writes its factors rc1, "
        "rc2, ..., of variance 1, reconstruct takes them back, loadings, plot and report show them. Reconstructions, "
        "scores and draws are those of MODEL with as many components. Factors are ordered by the variance that they "
        "explain. Those of promax and oblimin are correlated: loadings are then their pattern, and structure the "
        "covariances with the columns.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
