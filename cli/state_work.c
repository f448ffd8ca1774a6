/* SPDX-License-Identifier: BSD-3-Clause */
/* States on the command line: made of rows, loaded and merged, described. */

#include "state_work.h"

#include "human.h"
#include "json.h"
#include "table.h"
#include "together.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

static const char *const methods[] = {"covariance", "svd", "low-rank", NULL};

const char *cli_read_half_life(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    const double rows = strtod(text, &end);
    (void)option;
    if (end == text || *end || !isfinite(rows) || !(rows >= 1 || rows == 0))
        return "a number of rows, 1 or more, or 0 to forget nothing";
    *(double *)where = rows;
    return NULL;
}

const cli_option cli_state_options[] = {
    {.name = "state",
     .value = "FILE",
     .help = "write what the rows have come to as a state to FILE, which scree merge, update and fit take; with -o the "
             "model, too",
     .read = cli_read_text,
     .offset = offsetof(cli_state, path)},
    {.name = "state-method",
     .value = "METHOD",
     .help = "with --state: covariance; svd, which keeps the digits of small eigenvalues; or low-rank, for wide rows, "
             "with a bound of what it leaves out (default: covariance, beyond 5000 columns low-rank)",
     .read = cli_read_choice,
     .offset = offsetof(cli_state, method),
     .choices = methods},
    {.name = "rank",
     .value = "COUNT",
     .help = "with --state-method low-rank: directions that are always kept (default: 100)",
     .read = cli_read_count,
     .offset = offsetof(cli_state, rank)},
    {.name = "forget",
     .value = "ROWS",
     .help = "with --state: a half-life; a row counts half once so many have come after it (default: all rows count)",
     .read = cli_read_half_life,
     .offset = offsetof(cli_state, forget)},
    CLI_OPTIONS_END,
};

static scree_status look_at(bool *are, const char *path, scree_error *error)
{
    *are = scree_state_is(path);
    if (*are || errno == 0 || errno == EACCES)
        return SCREE_OK; /* what opens it says what is wrong */
    snprintf(error->text, sizeof error->text, "%s: cannot be read (%s): check the disk", path, strerror(errno));
    return error->status = SCREE_ERR_IO;
}

/* Processes of mpirun do what the first of them sees: the others need not have its files. */
scree_status cli_states_are(bool *are, const cli_call *call, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = cli_together_with();
    *are = false;
    if (cli_together_is_first())
        status = look_at(are, call->operands[0], error);
    CLI_TRY(cli_together_agree(status, error));
    if (with)
        CLI_TRY(with->broadcast(with->context, are, sizeof *are, error));
done:
    return status;
}

scree_status cli_states_load(scree_state **out, cli_work *work)
{
    scree_status status = SCREE_OK;
    const cli_call *call = work->call;
    CLI_TRY_SHARED(work, scree_state_load_many(out, (const char *const *)call->operands, call->operand_count,
                                               &work->run, &work->error));
done:
    return status;
}

scree_status cli_state_save(scree_state *state, const char *path, scree_error *error)
{
    return cli_together_is_first() ? scree_state_save(state, path, error) : SCREE_OK;
}

scree_status cli_state_make(scree_state **out, const cli_state *how, cli_work *work)
{
    scree_status status = SCREE_OK;
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_state *state = NULL;
    options.method = how->method;
    options.rank = how->rank;
    options.forget = how->forget;
    options.threads = work->run.threads;
    options.memory = work->run.memory;
    CLI_TRY(scree_state_for(&state, work->source, &options, &work->error));
    CLI_TRY_SHARED(work, scree_state_add_source(state, work->source, &work->run, &work->error));
    *out = state;
    state = NULL;
done:
    scree_state_free(state);
    return status;
}

static void print_columns(FILE *out, const scree_state_view *view)
{
    cli_table *table = cli_table_new("lrr");
    cli_table_cell(table, "column");
    cli_table_cell(table, "mean");
    cli_table_cell(table, "deviation");
    for (int64_t j = 0; j < view->cols && j < SHOWN; j++) {
        if (view->columns)
            cli_table_cell(table, "%s", view->columns[j]);
        else
            cli_table_cell(table, "%" PRId64, j + 1);
        cli_table_cell(table, "%.6g", view->mean[j]);
        cli_table_cell(table, "%.6g", sqrt(view->variances[j]));
    }
    cli_table_print(table, out);
    cli_table_free(table);
    if (view->cols > SHOWN)
        cli_print(out, "and %" PRId64 " more\n", view->cols - SHOWN);
}

scree_status cli_state_print(FILE *out, scree_state *state, const char *path, scree_error *error)
{
    const scree_state_view *view = NULL;
    const scree_status status = scree_state_get(&view, state, error);
    if (status != SCREE_OK)
        return status;
    cli_print(out, "%s: state of %" PRId64 " row%s × %" PRId64 " column%s, kept by %s\n", path, view->rows,
              view->rows == 1 ? "" : "s", view->cols, view->cols == 1 ? "" : "s", view->method);
    if (view->weight != (double)view->rows)
        cli_print(out, "total weight %.10g\n", view->weight);
    if (view->forget > 0)
        cli_print(out, "a row counts half once %.10g have come after it\n", view->forget);
    if (view->rank > 0 && view->bound > 0)
        cli_print(out, "rank %" PRId64 ": the covariance is within %.3g, as a norm, of that of the rows\n", view->rank,
                  view->bound);
    else if (view->rank > 0)
        cli_print(out, "rank %" PRId64 ": nothing was left out so far\n", view->rank);
    fputc('\n', out);
    print_columns(out, view);
    return SCREE_OK;
}

scree_status cli_state_print_json(scree_state *state, const char *path, scree_error *error)
{
    const scree_state_view *view = NULL;
    const scree_status status = scree_state_get(&view, state, error);
    if (status != SCREE_OK)
        return status;
    cJSON *object = cli_json_object();
    cli_json_text(object, "state", path);
    cli_json_text(object, "method", view->method);
    cli_json_integer(object, "rows", view->rows);
    cli_json_integer(object, "d", view->cols);
    cli_json_number(object, "weight", view->weight);
    cli_json_number(object, "forget", view->forget);
    cli_json_integer(object, "rank", view->rank);
    cli_json_number(object, "bound", view->bound);
    cli_json_numbers(object, "mean", view->mean, view->cols);
    cli_json_numbers(object, "variances", view->variances, view->cols);
    cJSON *names = cli_json_add_array(object, "columns");
    for (int64_t j = 0; view->columns && j < view->cols; j++)
        cli_json_append(names, cJSON_CreateString(view->columns[j]));
    cli_json_print(object, stdout);
    return SCREE_OK;
}
