/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a database to read it, and finding the SELECT that gives its rows. The file is opened read-only; where it was
 * written ahead and its folder cannot be written to, as unchangeable, which needs no file beside it. A file may mean
 * harm: its schema is not trusted, extensions, other databases and pragmas are refused by an authorizer, memory is
 * limited, and a view that gives no row for very long is ended. */

#include "module/sqlite/sqlite_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_MEMORY = 256 << 20, LEAST_MEMORY = 16 << 20, MOST_TEXT = 64 << 20, VIEW_STEPS = 1000 };

scree_status sqlite_fail(scree_error *error, scree_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (error) {
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, values);
    }
    va_end(values);
    return status;
}

scree_status sqlite_said(sqlite_file *file, int code, scree_error *error)
{
    const char *said = file->db ? sqlite3_errmsg(file->db) : sqlite3_errstr(code);
    if (code == SQLITE_NOMEM)
        return sqlite_fail(error, SCREE_ERR_MEMORY, "%s: reading it needs more memory than is allowed", file->path);
    if (code == SQLITE_INTERRUPT)
        return sqlite_fail(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: no row came after %lld million steps: the view does not end, or takes very long; name a "
            "table, or give a --query",
            file->path, (long long)file->allowed);
    if (code == SQLITE_AUTH)
        return sqlite_fail(error, SCREE_ERR_ARGUMENT, "%s: %s: a query may do nothing but SELECT", file->path, said);
    if (code == SQLITE_READONLY || code == SQLITE_BUSY)
        return sqlite_fail(
            error, SCREE_ERR_IO,
            "%s: cannot be read now (%s): another program writes it, or left it unfinished; open it once "
            "with sqlite3",
            file->path, said);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return sqlite_fail(error, SCREE_ERR_FORMAT, "%s: is damaged: %s", file->path, said);
    return sqlite_fail(error, code == SQLITE_ERROR ? SCREE_ERR_ARGUMENT : SCREE_ERR_IO, "%s: %s", file->path, said);
}

static int authorize(void *context, int action, const char *one, const char *two, const char *three, const char *four)
{
    const sqlite_file *file = context;
    (void)one, (void)three, (void)four;
    if (file->trusted || action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION)
        return two && (sqlite3_stricmp(two, "load_extension") == 0 || sqlite3_stricmp(two, "fts3_tokenizer") == 0)
                   ? SQLITE_DENY
                   : SQLITE_OK;
    return SQLITE_DENY;
}

static int progress(void *context)
{
    sqlite_file *file = context;
    return ++file->steps > file->allowed && file->allowed > 0;
}

/* "file:" and the path, where signs that mean something there are spelled out. */
static char *as_uri(const char *path)
{
    char *uri = malloc(3 * strlen(path) + 40);
    char *to = uri;
    if (!uri)
        return NULL;
    to += sprintf(to, path[0] == '/' ? "file://" : "file:./");
    for (; *path; path++)
        to += sprintf(to, strchr("?#%", *path) || (unsigned char)*path < ' ' ? "%%%02X" : "%c", (unsigned char)*path);
    sprintf(to, "?immutable=1");
    return uri;
}

/* Whether there is something in the file beside it that ends so: what was written and is not in it yet. */
static bool has_beside(const char *path, const char *ending)
{
    char beside[PATH_MAX];
    struct stat about;
    const int length = snprintf(beside, sizeof beside, "%s%s", path, ending);
    return length > 0 && (size_t)length < sizeof beside && stat(beside, &about) == 0 && about.st_size > 0;
}

static void restrain(sqlite_file *file, int64_t memory)
{
    static const struct {
        int limit;
        int most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, MOST_TEXT},        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                  {SQLITE_LIMIT_EXPR_DEPTH, 200},          {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 0},       {SQLITE_LIMIT_WORKER_THREADS, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}};
    const int64_t heap = memory <= 0 || memory > MOST_MEMORY ? MOST_MEMORY
                         : memory < LEAST_MEMORY             ? LEAST_MEMORY
                                                             : memory;
    sqlite3_hard_heap_limit64(heap);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(file->db, limits[i].limit, limits[i].most);
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_set_authorizer(file->db, authorize, file);
    sqlite3_progress_handler(file->db, SQLITE_STEPS, progress, file);
}

static int open_as(sqlite_file *file, const char *name, int flags, int64_t memory)
{
    sqlite3_close(file->db);
    file->db = NULL;
    int code = sqlite3_open_v2(name, &file->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX | flags, NULL);
    if (code != SQLITE_OK)
        return code;
    restrain(file, memory);
    file->trusted = true; /* a look at the file, which opening alone does not take; it stays as it is from here on */
    code = sqlite3_exec(file->db,
                        "PRAGMA mmap_size=0; PRAGMA cell_size_check=1; BEGIN; SELECT count(*) FROM sqlite_schema", NULL,
                        NULL, NULL);
    file->trusted = false;
    return code;
}

scree_status sqlite_file_open(sqlite_file *file, int64_t memory, scree_error *error)
{
    char *name = malloc(strlen(file->path) + 3);
    if (!name)
        return sqlite_fail(error, SCREE_ERR_MEMORY, "%s: out of memory", file->path);
    sprintf(name, "%s%s", file->path[0] == '/' ? "" : "./", file->path); /* :memory: is the name of a file, too */
    int code = open_as(file, name, 0, memory);
    free(name);
    if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !has_beside(file->path, "-wal") &&
        !has_beside(file->path, "-journal")) {
        name = as_uri(file->path);
        code = name ? open_as(file, name, SQLITE_OPEN_URI, memory) : SQLITE_NOMEM;
        free(name);
    }
    return code == SQLITE_OK ? SCREE_OK : sqlite_said(file, code, error);
}

void sqlite_file_close(sqlite_file *file)
{
    sqlite3_close(file->db);
    file->db = NULL;
}

scree_status sqlite_tables(sqlite_file *file, scree_status (*visit)(void *, const char *, const char *, scree_error *),
                           void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    sqlite3_stmt *names = NULL;
    int code = sqlite3_prepare_v2(file->db,
                                  "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT "
                                  "LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                                  -1, &names, NULL);
    if (code != SQLITE_OK)
        DB_FAIL(error, SCREE_ERR_FORMAT, "%s: is damaged: %s", file->path, sqlite3_errmsg(file->db));
    while ((code = sqlite3_step(names)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        const char *type = (const char *)sqlite3_column_text(names, 1);
        if (name && type)
            DB_TRY(visit(context, name, type, error));
    }
    if (code != SQLITE_DONE)
        DB_TRY(sqlite_said(file, code, error));
done:
    sqlite3_finalize(names);
    return status;
}

/* ---- which SELECT ---- */

typedef struct search {
    const char *wanted; /* NULL: the only table */
    bool found;
    bool view;
    int64_t tables;
    char name[512]; /* of the only one */
    char all[600];  /* of all, for messages */
} search;

static scree_status look(void *context, const char *name, const char *type, scree_error *error)
{
    search *s = context;
    const size_t used = strlen(s->all);
    const bool view = strcmp(type, "view") == 0;
    (void)error;
    if (used + strlen(name) + 20 < sizeof s->all)
        sprintf(s->all + used, "%s%s", used ? ", " : "", name);
    else if (used > 3 && strcmp(s->all + used - 3, "...") != 0)
        snprintf(s->all + used, sizeof s->all - used, ", ...");
    if (s->wanted && sqlite3_stricmp(s->wanted, name) == 0) {
        s->found = true;
        s->view = view;
    }
    if (!view && s->tables++ == 0 && strlen(name) < sizeof s->name)
        snprintf(s->name, sizeof s->name, "%s", name);
    return SCREE_OK;
}

/* One statement that is a SELECT, and nothing behind it. Of a table none that is made up by code: what a file says
 * there would be read by that. */
static scree_status prepare(sqlite3_stmt **out, sqlite_file *file, const char *query, unsigned flags,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *rest = NULL;
    sqlite3_stmt *statement = NULL;
    const int code = sqlite3_prepare_v3(file->db, query, -1, flags, &statement, &rest);
    if (code != SQLITE_OK)
        DB_TRY(sqlite_said(file, code, error));
    while (rest && *rest && strchr(" \t\r\n;", *rest))
        rest++;
    if (!statement || sqlite3_column_count(statement) == 0 || !sqlite3_stmt_readonly(statement))
        DB_FAIL(error, SCREE_ERR_ARGUMENT, "%s: '%.200s' gives no rows; give a SELECT", file->path, query);
    if (rest && *rest)
        DB_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is more than one statement: '%.200s' follows; give one SELECT",
                file->path, rest);
    *out = statement;
    statement = NULL;
done:
    sqlite3_finalize(statement);
    return status;
}

scree_status sqlite_table_select(sqlite3_stmt **out, sqlite_file *file, const char *table, bool count,
                                 scree_error *error)
{
    char *query = sqlite3_mprintf(count ? "SELECT count(*) FROM \"%w\"" : "SELECT * FROM \"%w\"", table);
    const scree_status status = query ? prepare(out, file, query, SQLITE_PREPARE_NO_VTAB, error)
                                      : sqlite_fail(error, SCREE_ERR_MEMORY, "%s: out of memory", file->path);
    sqlite3_free(query);
    return status;
}

scree_status sqlite_select(sqlite3_stmt **out, sqlite_file *file, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    search s = {.wanted = options->dataset};
    if (options->query && options->dataset)
        DB_FAIL(error, SCREE_ERR_ARGUMENT,
                "%s: --query says which rows there are, and so does the table '%.200s'; "
                "leave one of them out",
                file->path, options->dataset);
    if (options->query)
        return prepare(out, file, options->query, 0, error);
    DB_TRY(sqlite_tables(file, look, &s, error));
    if (options->dataset && !s.found)
        DB_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no table '%.200s'; there are: %s", file->path,
                options->dataset, s.all[0] ? s.all : "none");
    if (!options->dataset && s.tables == 0)
        DB_FAIL(error, SCREE_ERR_VALUE, "%s: there is no table in it%s%s", file->path,
                s.all[0] ? "; name a view as FILE:VIEW: " : "", s.all);
    if (!options->dataset && s.tables > 1)
        DB_FAIL(error, SCREE_ERR_ARGUMENT,
                "%s: there are several tables; give a --query, or name one as FILE:TABLE: %s", file->path, s.all);
    file->allowed = s.view ? VIEW_STEPS : 0;
    DB_TRY(sqlite_table_select(out, file, options->dataset ? options->dataset : s.name, false, error));
done:
    return status;
}
