/* SPDX-License-Identifier: BSD-3-Clause */
/* scree ls: what files hold that can be fitted, part by part. */

#include "table.h"
#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-")};

static const cli_option options[] = {
    {.name = "input-format",
     .value = "FORMAT",
     .help = "read FILE as {readers} (default: detected from content and extension)",
     .read = cli_read_choice,
     .offset = offsetof(arguments, work.read.format),
     .names = cli_reader_name},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree ls cells.h5ad",
    "lists X, the layers, and all else in the file that is rows of numbers",
    "scree fit cells.h5ad:layers/counts -o counts.scree",
    "fits one of them",
    NULL,
};

/* Parts as they are listed: the table is printed file by file. */
typedef struct listing {
    cli_table *table;
    int64_t parts;
} listing;

static void count_cell(cli_table *table, int64_t count)
{
    if (count < 0)
        cli_table_cell(table, "?");
    else
        cli_table_cell(table, "%" PRId64, count);
}

/* Names in a file are somebody else's text. */
static void text_cell(cli_table *table, const char *text, const char *without)
{
    char *visible = NULL;
    const size_t size = text ? scree_text_visible(NULL, 0, text) + 1 : 0;
    if (text) {
        visible = cli_alloc(size, 1);
        scree_text_visible(visible, size, text);
    }
    cli_table_cell(table, "%s", visible ? visible : without);
    free(visible);
}

static scree_status visit(void *context, const scree_part *part, scree_error *error)
{
    listing *list = context;
    (void)error;
    text_cell(list->table, part->path, "-");
    count_cell(list->table, part->rows);
    count_cell(list->table, part->cols);
    text_cell(list->table, part->type, "-");
    text_cell(list->table, part->kind, "-");
    cli_table_cell(list->table, "%s", part->closed ? "no" : part->meant && part->path ? "yes (default)" : "yes");
    text_cell(list->table, part->note, "");
    list->parts++;
    return SCREE_OK;
}

static scree_status list_file(cli_work *work, const char *path, bool named)
{
    static const char *const heads[] = {"PART", "ROWS", "COLS", "TYPE", "STORED", "OPENS", "NOTE"};
    listing list = {.table = cli_table_new("lrrllll")};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        cli_table_cell(list.table, "%s", heads[i]);
    const scree_status status = scree_file_parts(path, &work->read, visit, &list, &work->error);
    if (status == SCREE_OK) {
        if (named)
            cli_print(stdout, "%s:\n", path);
        if (list.parts > 0)
            cli_table_print(list.table, stdout);
        else
            cli_print(stdout, "nothing in it is rows of numbers\n");
    }
    cli_table_free(list.table);
    return status;
}

static int run(const cli_call *call)
{
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    for (int i = 0; i < call->operand_count && status == SCREE_OK; i++)
        status = list_file(work, call->operands[i], call->operand_count > 1);
    return cli_work_finish(work, status);
}

const cli_command cli_ls = {
    .name = "ls",
    .synopsis = "FILE... [OPTIONS]",
    .operands = "FILE...",
    .summary = "list what files hold that can be fitted",
    .description =
        "Prints a line for each part of FILE that is rows of numbers, or looks like it: its name, which FILE:PART or "
        "--dataset takes, rows and columns, the type of the numbers, how they are stored, whether it can be opened, "
        "and why not where it cannot. A file of one table has one line, and so "
        "has a folder of 10x counts.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
