/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling error of components, beside the error of arithmetic: a 95 % interval of the population's eigenvalue, and
 * the angle within which its component lies. */

#include "sampling_text.h"
#include "cli.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const double DEGREES = 57.29577951308232; /* in a radian */
enum { ROWS_A_COLUMN = 10 };                     /* that a bootstrap needs */
static const double ANYWHERE = 80;               /* degrees from which on a limit says nothing */

static scree_sampling sampling_of(const scree_model *model, int64_t j)
{
    scree_sampling s = SCREE_SAMPLING_INIT;
    if (scree_model_sampling(model, j, &s, NULL) != SCREE_OK)
        s.noise = true;
    return s;
}

void cli_sampling_headings(cli_table *table)
{
    cli_table_cell(table, "95%% interval");
    cli_table_cell(table, "direction");
}

void cli_sampling_cells(cli_table *table, const scree_model *model, int64_t j)
{
    const scree_sampling s = sampling_of(model, j);
    const double limit = s.angle_limit * DEGREES;
    if (s.noise && isnan(s.low))
        cli_table_cell(table, "noise");
    else
        cli_table_cell(table, "%.3g–%.3g", s.low, s.high);
    if (s.noise || limit >= ANYWHERE)
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, limit < 9.95 ? "±%.1f°" : "±%.0f°", limit);
}

static int64_t count_noise(const scree_model *model)
{
    int64_t count = 0;
    for (int64_t j = 0; j < scree_model_get(model)->m; j++)
        count += sampling_of(model, j).noise;
    return count;
}

void cli_sampling_remark(FILE *out, const scree_model *model)
{
    const scree_bootstrap_view *bootstrap = scree_model_bootstrap(model);
    const scree_model_view *view = scree_model_get(model);
    const int64_t noise = count_noise(model);
    fputs(
        "95% interval, direction: where the population's eigenvalue lies, and within which angle\nits component, with "
        "95 % confidence; ",
        out);
    if (bootstrap)
        fprintf(out, "by %" PRId64 " bootstrap replicates\n", bootstrap->replicates);
    else
        fprintf(out, "for normal rows%s\n", view->scale ? "; wider than need be, as columns are scaled" : "");
    if (bootstrap && view->weight < ROWS_A_COLUMN * (double)view->d)
        fprintf(out, "fewer than %d rows for each column: do not rely on a bootstrap, fit without it\n", ROWS_A_COLUMN);
    if (noise > 0)
        fprintf(out, "noise: %" PRId64 " component%s cannot be told from noise, given so many rows\n", noise,
                noise == 1 ? "" : "s");
    if (!bootstrap)
        return;
    fprintf(out, "%" PRId64, bootstrap->signals_low);
    if (bootstrap->signals_high > bootstrap->signals_low)
        fprintf(out, " to %" PRId64, bootstrap->signals_high);
    fprintf(out, " component%s can be told from noise in 95 %% of the replicates\n",
            bootstrap->signals_high == 1 ? "" : "s");
}

/* What only replicates say. */
static void bootstrap_json(cJSON *sampling, const scree_model *model)
{
    const scree_bootstrap_view *bootstrap = scree_model_bootstrap(model);
    const scree_model_view *view = scree_model_get(model);
    if (!bootstrap)
        return;
    cJSON *object = cJSON_AddObjectToObject(sampling, "bootstrap");
    cli_json_integer(object, "replicates", bootstrap->replicates);
    cli_json_integer(object, "signals_low", bootstrap->signals_low);
    cli_json_integer(object, "signals_high", bootstrap->signals_high);
    cJSON *errors = cJSON_AddArrayToObject(object, "loading_errors");
    for (int64_t j = 0; j < view->m; j++) {
        cJSON *row = cJSON_CreateObject();
        cli_json_numbers(row, "row", bootstrap->loading_errors + j * view->d, view->d);
        cJSON_AddItemToArray(errors, cJSON_DetachItemFromObject(row, "row"));
        cJSON_Delete(row);
    }
}

void cli_sampling_json(cJSON *object, const scree_model *model)
{
    const int64_t m = scree_model_get(model)->m;
    static const char *const names[] = {
        "estimates", "errors", "low", "high", "angles_degrees", "angle_limits_degrees", "share_low", "share_high"};
    enum { FIELDS = sizeof names / sizeof *names };
    double *values = cli_alloc((size_t)m * FIELDS, sizeof *values);
    cJSON *sampling = cJSON_AddObjectToObject(object, "sampling");
    cJSON *noise = cJSON_CreateArray();
    for (int64_t j = 0; j < m; j++) {
        const scree_sampling s = sampling_of(model, j);
        const double fields[FIELDS] = {s.eigenvalue, s.error,           s.low,
                                       s.high,       s.angle * DEGREES, s.angle_limit * DEGREES,
                                       s.share_low,  s.share_high};
        for (int64_t f = 0; f < FIELDS; f++)
            values[f * m + j] = fields[f];
        cJSON_AddItemToArray(noise, cJSON_CreateBool(s.noise));
    }
    const int64_t fields = scree_model_bootstrap(model) ? FIELDS : FIELDS - 2; /* theory has no shares */
    for (int64_t f = 0; f < fields; f++)
        cli_json_numbers(sampling, names[f], values + f * m, m);
    cJSON_AddItemToObject(sampling, "noise", noise);
    bootstrap_json(sampling, model);
    free(values);
}
