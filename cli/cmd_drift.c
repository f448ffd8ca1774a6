/* SPDX-License-Identifier: BSD-3-Clause */
/* scree drift: whether new rows, all together, are still like those that a model was fitted to: four checks with their
 * p-values, the verdict, and the columns and components that have changed. */

#include "json.h"
#include "table.h"
#include "work.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    double level;
    const char *against;
    const char *fitted;
    int64_t blame_columns;
    int json;
    int alarm;
} arguments;

static const arguments defaults = {
    .work = CLI_WORK_INIT(NULL), .level = 0.05, .against = "population", .blame_columns = 5};

static const char *const sides[] = {"population", "model", NULL};
static const char *const part_names[] = {"mean", "spread", "angle"};

static const cli_option options[] = {
    {.name = "level",
     .value = "P",
     .help = "rows that are like the fitted ones are said to have drifted with probability P, all checks together "
             "(default: 0.05)",
     .read = cli_read_chance,
     .offset = offsetof(arguments, level)},
    {.name = "against",
     .value = "WHAT",
     .help = "'population': the rows that were fitted and the new ones are two samples, and the fewer were fitted, the "
             "more the new ones may differ; 'model': the numbers of the model are taken to be exact, so that what "
             "'scree sample' draws has not drifted (default: population)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, against),
     .choices = sides},
    {.name = "fitted",
     .value = "FILE",
     .help =
         "the rows that were fitted, or some of them: p-values then come from shuffling them with those of DATA, and "
         "hold for rows of any distribution",
     .read = cli_read_text,
     .offset = offsetof(arguments, fitted)},
    {.name = "why",
     .value = "COUNT",
     .help = "name at most COUNT columns and components that have changed (default: 5)",
     .read = cli_read_count,
     .offset = offsetof(arguments, blame_columns)},
    {.name = "alarm", .help = "exit with 3 if the rows have drifted", .offset = offsetof(arguments, alarm), .set = 1},
    {.name = "json",
     .help = "print a JSON object, with all that have changed",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree drift plant.scree today.csv",
    "says whether today's rows are still like those that were fitted, and what has changed",
    "scree drift plant.scree today.csv --alarm --json -q >drift.json || mail -s drift you <drift.json",
    "for a script: exit code 3 is a drift",
    "scree drift plant.scree today.csv --fitted plant.csv",
    "compared with the fitted rows: right for rows of any distribution",
    "scree sample plant.scree -n 1000 | scree drift plant.scree - --against model",
    "what the model draws is quiet, but once in twenty times",
    NULL,
};

static void print_found(cli_table *table, const scree_drift_check *check)
{
    if (isnan(check->found)) {
        cli_table_cell(table, "-");
        cli_table_cell(table, "-");
        return;
    }
    cli_table_cell(table, "%.4g", check->found);
    cli_table_cell(table, "%.4g", check->expected);
}

static void print_checks(const scree_drift *drift)
{
    const scree_drift_check *check = NULL;
    cli_table *table = cli_table_new("lrrlrl");
    static const char *const heading[] = {"check", "found", "expected", "", "p-value", ""};
    for (size_t i = 0; i < sizeof heading / sizeof *heading; i++)
        cli_table_cell(table, "%s", heading[i]);
    for (int64_t i = 0; (check = scree_drift_check_at(drift, i)); i++) {
        cli_table_cell(table, "%s", check->title);
        print_found(table, check);
        cli_table_cell(table, "%s", isnan(check->found) ? "" : check->unit);
        if (isnan(check->p_value))
            cli_table_cell(table, "-");
        else
            cli_table_cell(table, "%.3g", check->p_value);
        cli_table_cell(table, "%s", check->drifted ? "drift" : "");
    }
    cli_table_print(table, stdout);
    cli_table_free(table);
    for (int64_t i = 0; (check = scree_drift_check_at(drift, i)); i++)
        if (check->reason)
            cli_print(stdout, "no p-value for the %s: %s\n", check->name, check->reason);
}

static void name_what(cli_table *table, const scree_model *model, const scree_drift_blame *blame)
{
    const scree_model_view *view = scree_model_get(model);
    if (blame->column < 0)
        cli_table_cell(table, "component %" PRId64, blame->component + 1);
    else if (view->columns)
        cli_table_cell(table, "%s", view->columns[blame->column]);
    else
        cli_table_cell(table, "column %" PRId64, blame->column + 1);
}

static void name_change(cli_table *table, const scree_drift_blame *blame)
{
    if (blame->part == SCREE_DRIFT_MEAN)
        cli_table_cell(table, "mean moved by %+.3g standard deviations", blame->change);
    else if (blame->part == SCREE_DRIFT_ANGLE)
        cli_table_cell(table, "leans on the codes, %.3g times what chance does", blame->change);
    else if (isinf(blame->change))
        cli_table_cell(table, "was constant, and varies");
    else
        cli_table_cell(table, "variance %.3g times as large", blame->change);
}

/* What has changed, the surest first. */
static void print_blames(const arguments *args, const scree_drift *drift)
{
    const scree_drift_view *view = scree_drift_get(drift);
    const int64_t most = view->blames < args->blame_columns ? view->blames : args->blame_columns;
    if (most == 0)
        return;
    cli_table *table = cli_table_new("llr");
    cli_table_cell(table, "what");
    cli_table_cell(table, "change");
    cli_table_cell(table, "p-value");
    for (int64_t i = 0; i < most; i++) {
        const scree_drift_blame *blame = scree_drift_blame_at(drift, i);
        name_what(table, args->work.model, blame);
        name_change(table, blame);
        cli_table_cell(table, "%.3g", blame->p_value);
    }
    cli_print(stdout, "\n");
    cli_table_print(table, stdout);
    cli_table_free(table);
    if (most < view->blames)
        cli_print(stdout, "and %" PRId64 " more; --why shows more\n", view->blames - most);
}

static void print_text(const arguments *args, const scree_drift *drift)
{
    const scree_drift_view *view = scree_drift_get(drift);
    if (isfinite(view->fitted))
        cli_print(stdout, "%" PRId64 " new row%s beside %.6g that were fitted\n\n", view->rows,
                  view->rows == 1 ? "" : "s", view->fitted);
    else
        cli_print(stdout, "%" PRId64 " new row%s against the model itself\n\n", view->rows, view->rows == 1 ? "" : "s");
    print_checks(drift);
    if (isnan(view->p_value))
        cli_print(stdout, "\nno verdict\n");
    else
        cli_print(stdout, "\n%s: p = %.3g of all checks together (level %g%s)\n",
                  view->drifted ? "these rows have drifted" : "no drift", view->p_value, view->level,
                  view->shuffles > 0 ? ", by shuffles" : "");
    print_blames(args, drift);
}

static void json_check(cJSON *array, const scree_drift_check *check)
{
    cJSON *object = cli_json_object();
    cli_json_text(object, "name", check->name);
    cli_json_number(object, "found", check->found);
    cli_json_number(object, "expected", check->expected);
    cli_json_text(object, "unit", check->unit);
    cli_json_number(object, "p_value", check->p_value);
    cli_json_bool(object, "drifted", check->drifted);
    cli_json_text(object, "reason", check->reason);
    cli_json_append(array, object);
}

static void json_blame(cJSON *array, const scree_model *model, const scree_drift_blame *blame)
{
    const scree_model_view *view = scree_model_get(model);
    cJSON *object = cli_json_object();
    cli_json_text(object, "check", part_names[blame->part]);
    if (blame->column < 0)
        cli_json_integer(object, "component", blame->component + 1);
    else if (view->columns)
        cli_json_text(object, "column", view->columns[blame->column]);
    else
        cli_json_integer(object, "column", blame->column + 1);
    cli_json_number(object, "change", blame->change);
    cli_json_number(object, "p_value", blame->p_value);
    cli_json_append(array, object);
}

static void print_json(const arguments *args, const scree_drift *drift)
{
    const scree_drift_view *view = scree_drift_get(drift);
    const scree_drift_check *check = NULL;
    const scree_drift_blame *blame = NULL;
    cJSON *object = cli_json_object();
    cli_json_integer(object, "rows", view->rows);
    cli_json_integer(object, "rows_left_out", view->gaps);
    cli_json_text(object, "against", args->against);
    cli_json_number(object, "fitted_rows", view->fitted);
    cli_json_integer(object, "shuffles", view->shuffles);
    cli_json_bool(object, "normal", view->normal);
    cli_json_number(object, "level", view->level);
    cli_json_number(object, "p_value", view->p_value);
    if (isnan(view->p_value))
        cli_json_number(object, "drifted", view->p_value);
    else
        cli_json_bool(object, "drifted", view->drifted);
    cJSON *checks = cli_json_add_array(object, "checks");
    for (int64_t i = 0; (check = scree_drift_check_at(drift, i)); i++)
        json_check(checks, check);
    cJSON *changed = cli_json_add_array(object, "changed");
    for (int64_t i = 0; (blame = scree_drift_blame_at(drift, i)); i++)
        json_blame(changed, args->work.model, blame);
    cli_json_integer(object, "constant_columns_that_vary", view->moved);
    cli_json_print(object, stdout);
}

/* Rows that were not judged, and what the p-values rest on. */
static void note_limits(const cli_work *work, const scree_drift_view *view)
{
    if (work->quiet)
        return;
    if (view->gaps > 0)
        cli_print(stderr,
                  "%" PRId64 " row%s with missing cells %s left out: their variances are not those of whole rows\n",
                  view->gaps, view->gaps == 1 ? "" : "s", view->gaps == 1 ? "was" : "were");
    if (view->shuffles == 0 && isfinite(view->fitted) && !isnan(view->p_value))
        cli_print(stderr, "%s; --fitted FILE, with the rows that were fitted, gives exact ones\n",
                  view->normal ? "p-values assume that rows, new and fitted, are nearly normal"
                               : "the new rows are not normal: p-values are approximate");
}

/* Opens the rows that were fitted, read as DATA is. */
static scree_status open_fitted(scree_source **out, arguments *args)
{
    cli_work *work = &args->work;
    scree_read_options read = work->read;
    read.first_row = read.last_row = read.sample = 0; /* they are about DATA */
    return args->fitted ? scree_source_open_many(out, &args->fitted, 1, &read, &work->error) : SCREE_OK;
}

/* Why there is no verdict. */
static const char *first_reason(const scree_drift *drift, const scree_drift_view *view)
{
    const char *reason = view->rows > 0 ? NULL : "there are no rows without missing cells";
    const scree_drift_check *check = NULL;
    for (int64_t i = 0; !reason && (check = scree_drift_check_at(drift, i)); i++)
        reason = check->reason;
    return reason ? reason : "no check has a p-value";
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_drift_options how = SCREE_DRIFT_OPTIONS_INIT;
    scree_drift *drift = NULL;
    bool drifted = false;
    if (args->fitted && cli_given(call, "against"))
        return cli_usage(call->command, NULL,
                         "--fitted and --against each say what to compare DATA with; give one, not both");
    if (args->json && cli_given(call, "why"))
        return cli_usage(call->command, NULL, "--json names all that has changed; give --why without it");
    CLI_TRY(cli_work_model(work));
    CLI_TRY(cli_density_check(work->model, call->operands[0], &work->error));
    CLI_TRY(cli_work_rows(work, 1));
    CLI_TRY(open_fitted(&how.fitted, args));
    how.level = args->level;
    how.exact = strcmp(args->against, "model") == 0;
    how.run = &work->run;
    CLI_TRY_LONG(work, scree_drift_make(&drift, work->model, work->source, &how, &work->error));
    if (args->json)
        print_json(args, drift);
    else
        print_text(args, drift);
    note_limits(work, scree_drift_get(drift));
    cli_work_note(work);
    drifted = scree_drift_get(drift)->drifted;
    if (args->alarm && isnan(scree_drift_get(drift)->p_value)) {
        snprintf(work->error.text, sizeof work->error.text, "no verdict, and so no alarm: %.300s",
                 first_reason(drift, scree_drift_get(drift)));
        status = work->error.status = SCREE_ERR_UNSUPPORTED;
    }
done:
    scree_drift_free(drift);
    scree_source_free(how.fitted);
    const int exit_code = cli_work_finish(work, status);
    return exit_code == CLI_SUCCESS && args->alarm && drifted ? CLI_ALARM : exit_code;
}

const cli_command cli_drift = {
    .name = "drift",
    .synopsis = "MODEL DATA... [--fitted FILE] [--level P] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "tell whether new rows, together, are still like those that were fitted",
    .description =
        "Four checks of all rows of DATA together, each with a p-value: whether the mean has moved; whether "
        "codes, what the components leave, or single columns are more or less spread out; whether the "
        "components point elsewhere; and whether the mean log-likelihood is what it was. The verdict counts "
        "that there are four. Then the columns and components that have changed, if any has. A column is "
        "judged by what the components leave of it. The p-values count how many rows were fitted. They "
        "assume rows that are independent and not too far from normal: where the rows have other fourth "
        "moments than normal ones, these are taken into account. With --fitted they are shares of shuffles of "
        "all rows, and hold for rows of any distribution. Rows with missing cells are left out, and "
        "so must be rows that were fitted: with them, nothing drifts.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
