/* SPDX-License-Identifier: BSD-3-Clause */
/* SQLite databases: how such a file is known. What reads and writes it is the module scree-sqlite.so. */

#include "data/formats.h"
#include "data/module.h"
#include "data/module_arrow.h"

#include <string.h>

static bool sqlite_matches(const unsigned char *head, int64_t size)
{
    return size >= 16 && memcmp(head, "SQLite format 3", 16) == 0;
}

static scree_status sqlite_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                                scree_error *error)
{
    static const char advice[] = "where texts are numbers, as .import --csv leaves them, make numbers of them: --query "
                                 "\"SELECT CAST(NULLIF(a, '') AS REAL) AS a, ... FROM ...\"";
    return scree__module_arrow_open(out, "sqlite", advice, bytes, options, error);
}

static scree_status sqlite_list(scree__bytes *bytes, const scree_read_options *options, scree_part_fn visit,
                                void *context, scree_error *error)
{
    return scree__module_parts("sqlite", bytes, options, visit, context, error);
}

static scree_status sqlite_write(scree_sink **out, const char *path, const scree_write_options *options,
                                 scree_error *error)
{
    return scree__module_write(out, "sqlite", path, options, error);
}

static const char *const sqlite_extensions[] = {"db", "sqlite", "sqlite3", "db3", NULL};

const scree__reader scree__reader_sqlite = {.name = "sqlite",
                                            .extensions = sqlite_extensions,
                                            .matches = sqlite_matches,
                                            .open = sqlite_open,
                                            .text = "SQLite databases: a table, or a query",
                                            .parts = true,
                                            .list = sqlite_list};
const scree__writer scree__writer_sqlite = {"sqlite", sqlite_extensions, sqlite_write,
                                            "SQLite database, the table data"};
