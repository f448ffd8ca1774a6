/* SPDX-License-Identifier: BSD-3-Clause */
/* scree plan: what each fitting method would cost on the data, which one scree fit would use, and why. */

#include "human.h"
#include "json.h"
#include "prepare.h"
#include "table.h"
#include "work.h"

#include <inttypes.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    cli_prepare prepare;
    scree_fit_options fit;
    int bayes;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT(NULL), .fit = SCREE_FIT_OPTIONS_INIT};

static const cli_option options[] = {
    {.group = cli_fit_options, .offset = offsetof(arguments, fit)},
    {.group = cli_center_options, .offset = offsetof(arguments, fit)},
    {.group = cli_prepare_options, .offset = offsetof(arguments, prepare)},
    {.group = cli_genotype_options},
    {.group = cli_bayes_options, .offset = offsetof(arguments, bayes)},
    {.name = "json", .help = "print a JSON object", .offset = offsetof(arguments, json), .set = 1},
    {.group = cli_weight_options},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree plan digits.npy -k 50",
    "compares the methods for 50 components",
    "scree plan digits.npy -k 50 --memory 64M",
    "the same with little memory",
    "scree plan digits.npy -k 50 --json | jq '.methods[] | select(.chosen)'",
    "extracts the method that would be used",
    NULL,
};

static void print_row(cli_table *table, const scree_plan_entry *entry)
{
    char text[3][32];
    cli_table_cell(table, "%s", entry->chosen ? "*" : "");
    cli_table_cell(table, "%s", entry->solver);
    if (!entry->applicable) {
        for (int i = 0; i < 5; i++)
            cli_table_cell(table, "–");
        return;
    }
    cli_table_cell(table, "%d", entry->passes);
    cli_table_cell(table, "%.2g", entry->flops);
    cli_table_cell(table, "%s", cli_human_bytes(text[0], sizeof text[0], entry->bytes));
    cli_table_cell(table, "%s", cli_human_memory(text[1], sizeof text[1], (double)entry->memory));
    cli_table_cell(table, "%s", cli_human_time(text[2], sizeof text[2], entry->seconds));
    if (entry->chosen)
        cli_table_mark(table);
}

static void print_reason(const scree_plan_entry *entry)
{
    char text[2][32];
    if (!entry->if_missing)
        cli_print(stdout, "%s: %s\n", entry->solver, entry->reason);
    else
        cli_print(stdout, "if values are missing: %s, about %s and %s\n", entry->solver,
                  cli_human_time(text[0], sizeof text[0], entry->seconds),
                  cli_human_memory(text[1], sizeof text[1], (double)entry->memory));
}

static void print_plan(const scree_plan *plan)
{
    static const char *const headings[] = {"", "method", "passes", "flops", "read", "memory", "time"};
    cli_table *table = cli_table_new("llrrrrr");
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        cli_table_cell(table, "%s", headings[i]);
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        print_row(table, scree_plan_at(plan, i));
    cli_table_print(table, stdout);
    cli_table_free(table);
    putchar('\n');
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        print_reason(scree_plan_at(plan, i));
    cli_print(stdout, "\ntimes based on %s\n", scree_plan_basis(plan));
}

static void print_json(const scree_source *source, const scree_plan *plan)
{
    cJSON *object = cli_json_object();
    const int64_t rows = scree_source_rows(source);
    if (rows >= 0)
        cli_json_integer(object, "n", rows);
    else
        cli_json_null(object, "n");
    cli_json_integer(object, "d", scree_source_cols(source));
    cJSON *methods = cli_json_add_array(object, "methods");
    for (int64_t i = 0; i < scree_plan_count(plan); i++) {
        const scree_plan_entry *entry = scree_plan_at(plan, i);
        cJSON *method = cli_json_object();
        cli_json_text(method, "solver", entry->solver);
        cli_json_bool(method, "applicable", entry->applicable);
        cli_json_bool(method, "chosen", entry->chosen);
        cli_json_integer(method, "passes", entry->passes);
        cli_json_number(method, "flops", entry->flops);
        cli_json_number(method, "bytes", entry->bytes);
        cli_json_integer(method, "memory", entry->memory);
        cli_json_number(method, "seconds", entry->seconds);
        cli_json_text(method, "reason", entry->reason);
        cli_json_append(methods, method);
    }
    cli_json_text(object, "basis", scree_plan_basis(plan));
    cli_json_print(object, stdout);
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_plan *plan = NULL;
    args->fit.run = &work->run;
    args->fit.bayes = args->bayes != 0;
    work->read.totals = cli_prepare_sums(&args->prepare);
    work->read.varying = true;
    CLI_TRY(cli_work_rows(work, 0));
    CLI_TRY(cli_prepare_open(&args->prepare, work));
    args->fit.scale = args->prepare.scale;
    args->fit.scales = args->prepare.scales;
    args->fit.log1p = args->prepare.log1p != 0;
    args->fit.normalize = args->prepare.normalize;
    args->fit.top_variance = args->prepare.top_variance;
    CLI_TRY(scree_plan_make(&plan, work->source, &args->fit, &work->error));
    if (args->json)
        print_json(work->source, plan);
    else
        print_plan(plan);
    cli_prepare_unused(work, args->prepare.top_variance);
    cli_work_note(work);
done:
    cli_prepare_close(&args->prepare);
    scree_plan_free(plan);
    return cli_work_finish(work, status);
}

const cli_command cli_plan = {
    .name = "plan",
    .synopsis = "DATA... [-k COUNT|SHARE|all|auto] [OPTIONS]",
    .operands = "DATA...",
    .summary = "compare the cost of the fitting methods in advance",
    .description = "Prints what each method would cost on DATA: passes over the data, floating-point operations, bytes "
                   "read, peak memory and predicted time, and why it would be used or not. The method marked * is the "
                   "one that scree fit uses with the same options, unless cells turn out to be missing: then it uses "
                   "em, and a line gives the cost of that. Predicted times rely on the speed of this machine, which is "
                   "measured once and stored in $XDG_CACHE_HOME/scree or ~/.cache/scree; set SCREE_CACHE in the "
                   "environment to the absolute path of another folder, or to off to use built-in rates.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
