/* SPDX-License-Identifier: BSD-3-Clause */
/* What components mean, as tables and as JSON: a line for each column, or group of rows, and a number for each
 * component. A dash is a number that does not exist, such as the correlation of a column that is constant. */

#include "loadings_text.h"
#include "cli.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* components of a table */

const cli_meaning cli_meanings[] = {
    {"weights", "weight", "weights of the columns in the codes", SCREE_MEANING_WEIGHTS},
    {"loadings", "loading", "loadings", SCREE_MEANING_LOADINGS},
    {"structure", "structure", "covariances of the columns with the components", SCREE_MEANING_STRUCTURE},
    {"correlations", "correlation", "correlations of the columns with the components", SCREE_MEANING_CORRELATIONS},
    {"cos2", "cos2", "squared correlations, cos²", SCREE_MEANING_COS2},
    {"contributions", "contribution", "contributions of the columns in percent", SCREE_MEANING_CONTRIBUTIONS},
    {NULL, NULL, NULL, SCREE_MEANING_WEIGHTS},
};

const cli_meaning *cli_meaning_find(const char *name)
{
    for (const cli_meaning *meaning = cli_meanings; name && meaning->name; meaning++)
        if (strcmp(meaning->name, name) == 0)
            return meaning;
    return NULL;
}

static void put_number(cli_table *table, double value)
{
    if (isnan(value))
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, "%.4f", fabs(value) < 5e-5 ? 0.0 : value);
}

static void put_name(cli_table *table, const char *const *names, int64_t j)
{
    char text[256];
    if (names) {
        scree_text_visible(text, sizeof text, names[j]);
        cli_table_cell(table, "%s", text);
    } else {
        cli_table_cell(table, "%" PRId64, j + 1);
    }
}

/* before: how the columns before those of the components are aligned. */
static cli_table *begin(const char *before, int64_t shown)
{
    char align[MOST + 8];
    const int used = snprintf(align, sizeof align, "%s", before);
    memset(align + used, 'r', (size_t)shown);
    align[used + shown] = '\0';
    return cli_table_new(align);
}

static void head(cli_table *table, const scree_model_view *view, int64_t shown)
{
    for (int64_t k = 0; k < shown; k++)
        cli_table_cell(table, "%s%" PRId64, view->code_prefix, k + 1);
}

static void end(cli_table *table, FILE *out, const char *title)
{
    cli_print(out, "%s\n\n", title);
    cli_table_print(table, out);
    cli_table_free(table);
}

static int64_t at_most(int64_t shown, int64_t m)
{
    const int64_t least = shown < m ? shown : m;
    return least < MOST ? least : MOST;
}

static double *meaning_of(const scree_model *model, scree_meaning what)
{
    const scree_model_view *view = scree_model_get(model);
    double *values = cli_alloc((size_t)(view->d * view->m), sizeof *values);
    cli_known(scree_model_meaning(model, what, values, NULL));
    return values;
}

void cli_meaning_print(FILE *out, const scree_model *model, const cli_meaning *meaning, int64_t shown)
{
    const scree_model_view *view = scree_model_get(model);
    double *values = meaning_of(model, meaning->what);
    shown = at_most(shown, view->m);
    cli_table *table = begin("l", shown);
    cli_table_cell(table, "column");
    head(table, view, shown);
    for (int64_t j = 0; j < view->d; j++) {
        put_name(table, view->columns, j);
        for (int64_t k = 0; k < shown; k++)
            put_number(table, values[j * view->m + k]);
    }
    end(table, out, meaning->title);
    free(values);
}

/* rows × m numbers as an array of arrays. */
static void add_matrix(cJSON *object, const char *name, const double *values, int64_t rows, int64_t m)
{
    cJSON *all = cli_json_add_array(object, name);
    for (int64_t i = 0; i < rows; i++)
        cli_json_append(all, cli_json_list(values + i * m, m));
}

static void add_texts(cJSON *object, const char *name, const char *const *texts, int64_t count)
{
    cJSON *array = cli_json_add_array(object, name);
    for (int64_t i = 0; i < count; i++)
        cli_json_append(array, cJSON_CreateString(texts[i]));
}

void cli_meaning_names_json(cJSON *object, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    if (view->columns)
        add_texts(object, "columns", view->columns, view->d);
    else
        cli_json_null(object, "columns");
    cJSON *names = cli_json_add_array(object, "components");
    for (int64_t k = 0; k < view->m; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s%" PRId64, view->code_prefix, k + 1);
        cli_json_append(names, cJSON_CreateString(name));
    }
}

void cli_meaning_json(cJSON *object, const scree_model *model, const cli_meaning *meaning)
{
    const scree_model_view *view = scree_model_get(model);
    double *values = meaning_of(model, meaning->what);
    add_matrix(object, meaning->name, values, view->d, view->m);
    free(values);
}

/* A line for each supplementary column of numbers, or of text. */
static void print_columns(FILE *out, const scree_model *model, const char *const *names, const double *values,
                          int64_t count, int64_t shown, const char *title)
{
    const scree_model_view *view = scree_model_get(model);
    cli_table *table = begin("l", shown);
    cli_table_cell(table, "column");
    head(table, view, shown);
    for (int64_t i = 0; i < count; i++) {
        put_name(table, names, i);
        for (int64_t k = 0; k < shown; k++)
            put_number(table, values[i * view->m + k]);
    }
    end(table, out, title);
}

static void print_groups(FILE *out, const scree_model *model, const scree_supplement_view *all, const double *values,
                         int64_t shown, const char *title)
{
    const scree_model_view *view = scree_model_get(model);
    cli_table *table = begin("llrr", shown);
    cli_table_cell(table, "column");
    cli_table_cell(table, "group");
    cli_table_cell(table, "rows");
    cli_table_cell(table, "distance");
    head(table, view, shown);
    for (int64_t g = 0; g < all->groups; g++) {
        put_name(table, all->text_names, all->group_text[g]);
        put_name(table, all->group_names, g);
        cli_table_cell(table, "%.10g", all->group_weights[g]);
        put_number(table, all->distances[g]);
        for (int64_t k = 0; k < shown; k++)
            put_number(table, values[g * view->m + k]);
    }
    end(table, out, title);
}

void cli_supplement_print(FILE *out, const scree_model *model, const scree_supplement *supplement, int64_t shown)
{
    const scree_supplement_view *all = scree_supplement_get(supplement);
    shown = at_most(shown, all->m);
    if (all->columns > 0) {
        print_columns(out, model, all->names, all->correlations, all->columns, shown,
                      "correlations of supplementary columns with the components");
        fputc('\n', out);
        print_columns(out, model, all->names, all->cos2, all->columns, shown, "squared correlations, cos²");
    }
    if (all->columns > 0 && all->texts > 0)
        fputc('\n', out);
    if (all->texts == 0)
        return;
    print_groups(out, model, all, all->coordinates, shown, "coordinates: the mean of the rows of each group");
    fputc('\n', out);
    print_groups(out, model, all, all->group_cos2, shown, "cos² of these means");
    fputc('\n', out);
    print_groups(out, model, all, all->v_tests, shown,
                 "v-tests: how far they are from the mean of all rows, in standard deviations");
    fputc('\n', out);
    print_columns(out, model, all->text_names, all->eta2, all->texts, shown,
                  "η²: the share of the variance that lies between the groups");
}

void cli_supplement_note(FILE *out, const scree_supplement *supplement)
{
    enum { SHOWN = 5 };
    const scree_supplement_view *all = scree_supplement_get(supplement);
    int64_t found = 0;
    for (int64_t i = 0; i < all->columns + all->texts; i++) {
        if (all->missing[i] == 0 || found++ >= SHOWN)
            continue;
        const char *name = i < all->columns ? all->names[i] : all->text_names[i - all->columns];
        cli_print(out, "%s%" PRId64 " of '%.100s'", found == 1 ? "rows left out because they have no value: " : ", ",
                  all->missing[i], name);
    }
    if (found > SHOWN)
        cli_print(out, " and some of %" PRId64 " more", found - SHOWN);
    if (found > 0)
        fputc('\n', out);
}

static void add_integers(cJSON *object, const char *name, const int64_t *values, int64_t count)
{
    cJSON *array = cli_json_add_array(object, name);
    for (int64_t i = 0; i < count; i++)
        cli_json_append(array, cJSON_CreateNumber((double)values[i]));
}

void cli_supplement_json(cJSON *object, const scree_model *model, const scree_supplement *supplement)
{
    const scree_supplement_view *all = scree_supplement_get(supplement);
    cli_meaning_names_json(object, model);
    cli_json_integer(object, "rows", all->rows);
    cJSON *numbers = cli_json_add_object(object, "numbers");
    add_texts(numbers, "columns", all->names, all->columns);
    add_integers(numbers, "missing", all->missing, all->columns);
    add_matrix(numbers, "structure", all->structure, all->columns, all->m);
    add_matrix(numbers, "correlations", all->correlations, all->columns, all->m);
    add_matrix(numbers, "cos2", all->cos2, all->columns, all->m);
    cJSON *texts = cli_json_add_object(object, "texts");
    add_texts(texts, "columns", all->text_names, all->texts);
    add_integers(texts, "missing", all->missing + all->columns, all->texts);
    add_matrix(texts, "eta2", all->eta2, all->texts, all->m);
    cJSON *groups = cli_json_add_object(object, "groups");
    cJSON *columns = cli_json_add_array(groups, "columns");
    for (int64_t g = 0; g < all->groups; g++)
        cli_json_append(columns, cJSON_CreateString(all->text_names[all->group_text[g]]));
    add_texts(groups, "names", all->group_names, all->groups);
    cli_json_numbers(groups, "weights", all->group_weights, all->groups);
    cli_json_numbers(groups, "distances", all->distances, all->groups);
    add_matrix(groups, "coordinates", all->coordinates, all->groups, all->m);
    add_matrix(groups, "cos2", all->group_cos2, all->groups, all->m);
    add_matrix(groups, "v_tests", all->v_tests, all->groups, all->m);
}
