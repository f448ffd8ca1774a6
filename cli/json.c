/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON output. cJSON compares its own numbers with a tolerance and may lose the last bit, so numbers are added as text:
 * the shortest of 15, 16 and 17 digits that reads back as the same double. */

#include "json.h"
#include "cli.h"
#include "facts.h"
#include "imputer_text.h"
#include "relation_text.h"
#include "sampling_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const scalings[] = {
    [SCREE_SCALE_NONE] = "none",     [SCREE_SCALE_UNIT] = "unit",   [SCREE_SCALE_RANGE] = "range",
    [SCREE_SCALE_PARETO] = "pareto", [SCREE_SCALE_GIVEN] = "given", [SCREE_SCALE_BINOMIAL] = "binomial"};

/* Of rows that were not centred. */
static void add_singular_values(cJSON *object, const scree_model_view *view)
{
    double *values = cli_alloc((size_t)view->m, sizeof *values);
    for (int64_t j = 0; j < view->m; j++)
        values[j] = sqrt(view->weight * view->eigenvalues[j]);
    cli_json_bool(object, "uncentred", true);
    cli_json_numbers(object, "singular_values", values, view->m);
    free(values);
}

enum { NUMBER_SIZE = 40 };

static const char *number_text(char text[NUMBER_SIZE], double value)
{
    if (!isfinite(value))
        return "null";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* cJSON gives NULL where it has no memory, and would go on with what is left. */
static cJSON *made(cJSON *item)
{
    if (!item)
        cli_out_of_memory();
    return item;
}

cJSON *cli_json_object(void)
{
    return made(cJSON_CreateObject());
}

cJSON *cli_json_parse(const char *text)
{
    return made(cJSON_Parse(text));
}

void cli_json_add(cJSON *object, const char *name, cJSON *item)
{
    if (!cJSON_AddItemToObject(object, name, made(item)))
        cli_out_of_memory();
}

void cli_json_append(cJSON *array, cJSON *item)
{
    if (!cJSON_AddItemToArray(array, made(item)))
        cli_out_of_memory();
}

cJSON *cli_json_add_object(cJSON *object, const char *name)
{
    return made(cJSON_AddObjectToObject(object, name));
}

cJSON *cli_json_add_array(cJSON *object, const char *name)
{
    return made(cJSON_AddArrayToObject(object, name));
}

void cli_json_bool(cJSON *object, const char *name, bool value)
{
    made(cJSON_AddBoolToObject(object, name, value));
}

void cli_json_null(cJSON *object, const char *name)
{
    made(cJSON_AddNullToObject(object, name));
}

static cJSON *number(double value)
{
    char text[NUMBER_SIZE];
    return made(cJSON_CreateRaw(number_text(text, value)));
}

void cli_json_put_number(FILE *out, double value)
{
    char text[NUMBER_SIZE];
    cli_print(out, "%s", number_text(text, value));
}

void cli_json_number(cJSON *object, const char *name, double value)
{
    cli_json_add(object, name, number(value));
}

void cli_json_integer(cJSON *object, const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    cli_json_add(object, name, cJSON_CreateRaw(text));
}

void cli_json_numbers(cJSON *object, const char *name, const double *values, int64_t count)
{
    if (!values) {
        cli_json_null(object, name);
        return;
    }
    cJSON *array = cli_json_add_array(object, name);
    for (int64_t i = 0; i < count; i++)
        cli_json_append(array, number(values[i]));
}

cJSON *cli_json_list(const double *values, int64_t count)
{
    cJSON *array = made(cJSON_CreateArray());
    for (int64_t i = 0; i < count; i++)
        cli_json_append(array, number(values[i]));
    return array;
}

void cli_json_text(cJSON *object, const char *name, const char *text)
{
    if (text)
        cli_json_add(object, name, cJSON_CreateString(text));
    else
        cli_json_null(object, name);
}

/* Derived from the eigenvalues: the share of each, and J_m = Σ_{j>m} λ_j (10.44), summed from the small end. */
static void add_shares(cJSON *object, const scree_model_view *model)
{
    double *shares = cli_alloc((size_t)model->m, sizeof *shares);
    double *errors = cli_alloc((size_t)model->m, sizeof *errors);
    double left = model->reconstruction_error;
    for (int64_t j = model->m; j-- > 0;) {
        errors[j] = left;
        left += model->eigenvalues[j];
        shares[j] = model->eigenvalues[j] / model->total_variance;
    }
    cli_json_numbers(object, "explained_variance_ratio", shares, model->m);
    cli_json_numbers(object, "reconstruction_errors", errors, model->m);
    free(errors);
    free(shares);
}

static void add_accuracy(cJSON *object, const scree_model_view *model)
{
    cli_json_text(object, "bounds", model->stopped ? "estimated" : "proven");
    cli_json_numbers(object, "residuals", model->residuals, model->m);
    cli_json_numbers(object, "gaps", model->gaps, model->m);
    cli_json_numbers(object, "eigenvalue_bounds", model->eigenvalue_bounds, model->m);
    cli_json_numbers(object, "angle_bounds", model->angle_bounds, model->m);
    cJSON *clusters = cli_json_add_array(object, "clusters");
    for (int64_t j = 0; model->cluster_first && j < model->m; j++) {
        if (model->cluster_first[j] != j || model->cluster_last[j] == j)
            continue;
        const int ends[2] = {(int)j + 1, (int)model->cluster_last[j] + 1};
        cli_json_append(clusters, cJSON_CreateIntArray(ends, 2));
    }
}

static void add_columns(cJSON *object, const scree_model_view *model)
{
    if (!model->columns) {
        cli_json_null(object, "columns");
        return;
    }
    cJSON *columns = cli_json_add_array(object, "columns");
    for (int64_t j = 0; j < model->d; j++)
        cli_json_append(columns, cJSON_CreateString(model->columns[j]));
}

static void add_image(cJSON *object, const scree_model_view *model)
{
    const int shape[2] = {(int)model->image_rows, (int)model->image_cols};
    if (model->image_rows > 0)
        cli_json_add(object, "image_shape", cJSON_CreateIntArray(shape, 2));
}

/* The model as a probability distribution. */
static void add_density(cJSON *object, const scree_model *model)
{
    static const double bits = 1.44269504088896340736; /* in a nat: 1/ln 2 */
    scree_facts facts = SCREE_FACTS_INIT;
    if (cli_known(scree_model_facts(model, &facts, NULL)) != SCREE_OK)
        return;
    cli_json_number(object, "log_likelihood", facts.log_likelihood);
    cli_json_number(object, "mutual_information", facts.mutual_information);
    cli_json_number(object, "mutual_information_bits", bits * facts.mutual_information);
    cli_json_number(object, "effective_rank", facts.effective_rank);
}

static void add_fit(cJSON *object, const scree_model_view *model)
{
    cli_json_integer(object, "passes", model->passes);
    cli_json_bool(object, "converged", model->converged);
    cli_json_integer(object, "observed", model->observed);
    if (model->stopped) {
        cli_json_integer(object, "empty_rows", model->empty_rows);
        cli_json_integer(object, "iterations", model->iterations);
        cli_json_text(object, "em", model->bayes ? "vb" : "ml");
        cli_json_text(object, "stopped", model->stopped);
        if (model->online_angle > 0) {
            cli_json_number(object, "online_angle", model->online_angle);
            cli_json_number(object, "online_noise", model->online_noise);
        }
    }
    cli_json_number(object, "tolerance", model->tolerance);
    if (model->stop_rule)
        cli_json_text(object, "stop_rule", model->stop_rule);
    cli_json_integer(object, "ddof", model->ddof);
    cli_json_number(object, "divisor", model->weight - model->ddof);
}

/* What components in order have: eigenvalues, and what follows from them. */
static void add_spectrum(cJSON *object, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    add_fit(object, view);
    cli_json_number(object, "total_variance", view->total_variance);
    cli_json_number(object, "noise_variance", scree_model_get(scree_model_distribution(model))->noise_variance);
    cli_json_number(object, "reconstruction_error", view->reconstruction_error);
    add_density(object, model);
    cli_json_numbers(object, "eigenvalues", view->eigenvalues, view->m);
    add_shares(object, view);
    add_accuracy(object, view);
    cli_sampling_json(object, model);
    cli_imputer_json(object, model);
    add_image(object, view);
    cli_json_numbers(object, "mean", view->mean, view->d);
    cli_json_numbers(object, "scale", view->scale, view->d);
    if (view->uncentred)
        add_singular_values(object, view);
    if (view->normalize > 0) {
        cli_json_number(object, "normalize", view->normalize);
        cli_json_integer(object, "normalize_columns", view->normalize_columns);
        cli_json_integer(object, "normalize_empty", view->normalize_empty);
    }
    if (view->log1p)
        cli_json_bool(object, "log1p", true);
    if (view->scale)
        cli_json_text(object, "scaling", scalings[view->scaling]);
    add_columns(object, view);
    cli_constants_json(object, model);
    cli_relations_json(object, model);
}

void cli_json_model(cJSON *object, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    cli_json_integer(object, "n", view->n);
    if (view->weight != (double)view->n)
        cli_json_number(object, "weight", view->weight);
    cli_json_integer(object, "d", view->d);
    cli_json_integer(object, "m", view->m);
    if (scree_model_can(model, SCREE_CAN_ORDER))
        cli_json_integer(object, "latent", view->latent);
    cli_json_text(object, "solver", view->solver);
    if (scree_model_can(model, SCREE_CAN_ORDER)) {
        add_spectrum(object, model);
    } else {
        cli_json_number(object, "total_variance", view->total_variance);
        cli_json_number(object, "reconstruction_error", view->reconstruction_error);
        add_columns(object, view);
        add_image(object, view);
    }
    if (scree_model_fact(model, 0))
        cli_facts_json(cli_json_add_object(object, view->kind), model);
}

/* rows arrays of cols numbers. */
static void add_matrix(cJSON *object, const char *name, const double *values, int64_t rows, int64_t cols)
{
    cJSON *matrix = cli_json_add_array(object, name);
    for (int64_t i = 0; i < rows; i++)
        cli_json_append(matrix, cli_json_list(values + i * cols, cols));
}

void cli_json_components(cJSON *object, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_rotation_view *rotation = scree_model_rotation(model);
    cli_json_text(object, "kind", view->kind);
    if (!scree_model_can(model, SCREE_CAN_EXPLAIN))
        return;
    cli_json_numbers(object, "variances", view->variances, view->d);
    if (view->rest_count > 0) {
        cli_json_numbers(object, "rest_values", view->rest_values, view->rest_count);
        cli_json_numbers(object, "rest_counts", view->rest_counts, view->rest_count);
    }
    add_matrix(object, "components", view->components, view->m, view->d);
    if (!rotation)
        return;
    cli_json_numbers(object, "eigenvalues", view->eigenvalues, view->m);
    cli_json_numbers(object, "mean", view->mean, view->d);
    cli_json_numbers(object, "scale", view->scale, view->d);
    add_matrix(object, "rotation", rotation->matrix, view->m, view->m);
    add_matrix(object, "correlations", rotation->correlations, view->m, view->m);
    cli_json_numbers(object, "factor_variances", rotation->variances, view->m);
}

/* Prints the letter at text as a terminal can show it, which is the same JSON: \u009b for one that steers. A byte that
 * is not UTF-8, as the name of a file may have, is taken for a Latin-1 letter, as in rows that are written as JSON.
 * Returns its bytes. */
static size_t put_letter(FILE *out, const char *text)
{
    char letter[5] = "";
    char shown[32];
    const unsigned char first = (unsigned char)*text;
    const size_t count = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    memcpy(letter, text, strnlen(text, count));
    scree_text_visible(shown, sizeof shown, letter);
    if (shown[0] == '\\' && shown[1] == 'x') {
        cli_print(out, "\\u%04x", (unsigned)first);
        return 1;
    }
    cli_print(out, "%s", shown);
    return count;
}

static void put_json(FILE *out, const char *text)
{
    while (*text) {
        size_t plain = 0;
        while (text[plain] && (unsigned char)text[plain] < 0x7F)
            plain++;
        fwrite(text, 1, plain, out);
        text += plain;
        if (*text)
            text += put_letter(out, text);
    }
}

void cli_json_print(cJSON *object, FILE *out)
{
    char *text = cJSON_Print(object);
    if (text)
        put_json(out, text);
    else
        cli_out_of_memory();
    fputc('\n', out);
    cJSON_free(text);
    cJSON_Delete(object);
}
