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
    if (cli_known(scree_model_sampling(model, j, &s, NULL)) != SCREE_OK)
        s.noise = true;
    return s;
}

static void interval(cli_table *table, double factor, double low, double high)
{
    if (isnan(low))
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, "%.3g–%.3g", factor * low, factor * high);
}

static void angle(cli_table *table, double degrees, const char *sign)
{
    if (!(degrees < ANYWHERE))
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, degrees < 9.95 ? "%s%.1f°" : "%s%.0f°", sign, degrees);
}

void cli_sampling_headings(cli_table *table)
{
    cli_table_cell(table, "95%% interval");
    cli_table_cell(table, "direction");
}

void cli_sampling_cells(cli_table *table, const scree_model *model, int64_t j)
{
    const scree_sampling s = sampling_of(model, j);
    if (s.noise)
        cli_table_cell(table, "noise");
    else
        interval(table, 1, s.low, s.high);
    angle(table, s.noise ? ANYWHERE : s.angle_limit * DEGREES, "±");
}

static void row(cli_table *table, int64_t j, const scree_sampling *s)
{
    cli_table_cell(table, "%" PRId64, j + 1);
    cli_table_cell(table, "%.6g", s->eigenvalue);
    if (isnan(s->error))
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, "%.2g", s->error);
    interval(table, 1, s->low, s->high);
    if (s->replicates > 0)
        interval(table, 100, s->share_low, s->share_high);
    angle(table, s->angle * DEGREES, "");
    angle(table, s->angle_limit * DEGREES, "±");
}

void cli_sampling_table(FILE *out, const scree_model *model)
{
    const bool shares = scree_model_bootstrap(model) != NULL;
    const int64_t m = scree_model_get(model)->m;
    cli_table *table = cli_table_new(shares ? "rrrrrrr" : "rrrrrr");
    int64_t rows = 0;
    cli_table_cell(table, "M");
    cli_table_cell(table, "population");
    cli_table_cell(table, "std. error");
    cli_table_cell(table, "95%% interval");
    if (shares)
        cli_table_cell(table, "share%%");
    cli_table_cell(table, "angle");
    cli_table_cell(table, "direction");
    for (int64_t j = 0; j < m; j++) {
        const scree_sampling s = sampling_of(model, j);
        if (s.noise)
            continue;
        row(table, j, &s);
        rows++;
    }
    if (rows > 0) {
        cli_table_print(table, out);
        fputc('\n', out);
    }
    cli_table_free(table);
}

static int64_t count_noise(const scree_model *model)
{
    int64_t count = 0;
    for (int64_t j = 0; j < scree_model_get(model)->m; j++)
        count += sampling_of(model, j).noise;
    return count;
}

static bool has_intervals(const scree_model *model)
{
    for (int64_t j = 0; j < scree_model_get(model)->m; j++)
        if (!isnan(sampling_of(model, j).low))
            return true;
    return false;
}

/* A bootstrap takes no gaps. */
static bool is_whole(const scree_model_view *view)
{
    return view->observed == view->n * view->d;
}

void cli_sampling_remark(FILE *out, const scree_model *model)
{
    const scree_bootstrap_view *bootstrap = scree_model_bootstrap(model);
    const scree_model_view *view = scree_model_get(model);
    const int64_t noise = count_noise(model);
    if (has_intervals(model)) {
        fputs("95% interval, direction: where the population's eigenvalue and component lie,\nwith 95 % confidence, ",
              out);
        if (bootstrap)
            cli_print(out, "by %" PRId64 " bootstrap replicates\n", bootstrap->replicates);
        else
            cli_print(out, "if rows are about normal%s\n", is_whole(view) ? "; if not, use fit --bootstrap" : "");
    } else if (noise < view->m && view->scaling != SCREE_SCALE_UNIT)
        fputs("no intervals: they need more rows\n", out);
    else if (noise < view->m)
        fputs("no intervals: for so many components of scaled columns they need fit --bootstrap\n", out);
    if (bootstrap && view->weight < ROWS_A_COLUMN * (double)view->d)
        cli_print(out, "fewer than %d rows for each column: do not rely on a bootstrap, fit without it\n",
                  ROWS_A_COLUMN);
    if (noise > 0)
        cli_print(out, "noise: %" PRId64 " component%s cannot be told from noise with this number of rows\n", noise,
                  noise == 1 ? "" : "s");
    if (!bootstrap)
        return;
    cli_print(out, "%" PRId64, bootstrap->signals_low);
    if (bootstrap->signals_high > bootstrap->signals_low)
        cli_print(out, " to %" PRId64, bootstrap->signals_high);
    cli_print(out, " component%s can be told from noise in 95 %% of the replicates\n",
              bootstrap->signals_high == 1 ? "" : "s");
}

/* What only replicates say. */
static void bootstrap_json(cJSON *sampling, const scree_model *model)
{
    const scree_bootstrap_view *bootstrap = scree_model_bootstrap(model);
    const scree_model_view *view = scree_model_get(model);
    if (!bootstrap)
        return;
    cJSON *object = cli_json_add_object(sampling, "bootstrap");
    cli_json_integer(object, "replicates", bootstrap->replicates);
    cli_json_integer(object, "signals_low", bootstrap->signals_low);
    cli_json_integer(object, "signals_high", bootstrap->signals_high);
    cJSON *errors = cli_json_add_array(object, "loading_errors");
    for (int64_t j = 0; j < view->m; j++) {
        cJSON *row = cli_json_object();
        cli_json_numbers(row, "row", bootstrap->loading_errors + j * view->d, view->d);
        cli_json_append(errors, cJSON_DetachItemFromObject(row, "row"));
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
    cJSON *sampling = cli_json_add_object(object, "sampling");
    cJSON *noise = cJSON_CreateArray();
    for (int64_t j = 0; j < m; j++) {
        const scree_sampling s = sampling_of(model, j);
        const double fields[FIELDS] = {s.eigenvalue, s.error,           s.low,
                                       s.high,       s.angle * DEGREES, s.angle_limit * DEGREES,
                                       s.share_low,  s.share_high};
        for (int64_t f = 0; f < FIELDS; f++)
            values[f * m + j] = fields[f];
        cli_json_append(noise, cJSON_CreateBool(s.noise));
    }
    const int64_t fields = scree_model_bootstrap(model) ? FIELDS : FIELDS - 2; /* theory has no shares */
    for (int64_t f = 0; f < fields; f++)
        cli_json_numbers(sampling, names[f], values + f * m, m);
    cli_json_add(sampling, "noise", noise);
    bootstrap_json(sampling, model);
    free(values);
}
