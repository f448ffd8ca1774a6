/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables and views of a database, for `scree ls`. Rows of tables are counted, those of views would take a query. */

#include "module/sqlite/sqlite_file.h"

#include <stdio.h>
#include <string.h>

SCREE_API scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                           void *context, scree_error *error);

typedef struct listing {
    sqlite_file file;
    scree_part_fn visit;
    void *context;
    int64_t tables;
} listing;

static scree_status count_tables(void *context, const char *name, const char *type, scree_error *error)
{
    (void)name, (void)error;
    ((listing *)context)->tables += strcmp(type, "table") == 0;
    return SCREE_OK;
}

static scree_status list_table(void *context, const char *name, const char *type, scree_error *error)
{
    listing *l = context;
    scree_part part = SCREE_PART_INIT;
    scree_error why = SCREE_ERROR_INIT;
    sqlite3_stmt *all = NULL;
    sqlite3_stmt *count = NULL;
    const bool table = strcmp(type, "table") == 0;
    part.path = name;
    part.kind = type;
    part.meant = table && l->tables == 1;
    if (sqlite_table_select(&all, &l->file, name, false, &why) == SCREE_OK)
        part.cols = sqlite3_column_count(all);
    else
        part.closed = true;
    l->file.steps = 0;
    if (table && !part.closed && sqlite_table_select(&count, &l->file, name, true, &why) == SCREE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        part.rows = sqlite3_column_int64(count, 0);
    part.note = part.closed ? why.text : NULL;
    sqlite3_finalize(count);
    const scree_status status = l->visit(l->context, &part, error);
    sqlite3_finalize(all);
    return status;
}

scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                 void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    listing l = {.file = {.path = path}, .visit = visit, .context = context};
    DB_TRY(sqlite_file_open(&l.file, options->memory, error));
    DB_TRY(sqlite_tables(&l.file, count_tables, &l, error));
    DB_TRY(sqlite_tables(&l.file, list_table, &l, error));
done:
    sqlite_file_close(&l.file);
    return status;
}
