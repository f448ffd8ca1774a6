/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as the table `data` of a new database: texts are TEXT, numbers REAL, NaN NULL. The file is the library's
 * temporary one, so there is no journal beside it, and all rows are one transaction. */

#include "module/sqlite/sqlite_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SCREE_API scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                            const scree_write_options *options, scree_error *error);

typedef struct sqlite_out {
    sqlite3 *db;
    sqlite3_stmt *insert;
    char *name; /* for messages */
    int64_t cols;
    int64_t texts;
} sqlite_out;

static scree_status fail_out(const sqlite_out *out, scree_error *error)
{
    const int code = sqlite3_errcode(out->db);
    return sqlite_fail(error, code == SQLITE_NOMEM ? SCREE_ERR_MEMORY : SCREE_ERR_IO, "%s: cannot be written: %s",
                       out->name, sqlite3_errmsg(out->db));
}

static scree_status run(sqlite_out *out, const char *words, scree_error *error)
{
    return sqlite3_exec(out->db, words, NULL, NULL, NULL) == SQLITE_OK ? SCREE_OK : fail_out(out, error);
}

/* The name of the i-th column: texts stand in front. */
static const char *name_of(const sqlite_out *out, int64_t i, const char *const *columns, const char *const *text_names,
                           char number[24])
{
    if (i < out->texts)
        return text_names[i];
    snprintf(number, 24, "c%lld", (long long)(i - out->texts + 1));
    return columns ? columns[i - out->texts] : number;
}

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    sqlite_out *out = context;
    scree_status status = SCREE_OK;
    sqlite3_str *create = sqlite3_str_new(out->db);
    sqlite3_str *insert = sqlite3_str_new(out->db);
    char *words[2] = {NULL, NULL};
    (void)rows;
    out->cols = cols;
    out->texts = text_count;
    const int most = sqlite3_limit(out->db, SQLITE_LIMIT_COLUMN, -1);
    sqlite3_str_appendall(create, "CREATE TABLE data (");
    sqlite3_str_appendall(insert, "INSERT INTO data VALUES (");
    for (int64_t i = 0; i < cols + text_count && i < most; i++) {
        char number[24];
        sqlite3_str_appendf(create, "%s\"%w\" %s", i ? ", " : "", name_of(out, i, columns, text_names, number),
                            i < text_count ? "TEXT" : "REAL");
        sqlite3_str_appendall(insert, i ? ", ?" : "?");
    }
    sqlite3_str_appendall(create, ")");
    sqlite3_str_appendall(insert, ")");
    words[0] = sqlite3_str_finish(create);
    words[1] = sqlite3_str_finish(insert);
    if (cols + text_count > most)
        DB_FAIL(error, SCREE_ERR_UNSUPPORTED,
                "%s: a table of a database has at most %d columns, and there are %lld: write another format", out->name,
                most, (long long)(cols + text_count));
    if (!words[0] || !words[1])
        DB_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", out->name);
    DB_TRY(run(out, words[0], error));
    if (sqlite3_prepare_v2(out->db, words[1], -1, &out->insert, NULL) != SQLITE_OK)
        DB_TRY(fail_out(out, error));
done:
    sqlite3_free(words[0]);
    sqlite3_free(words[1]);
    return status;
}

static scree_status put(void *context, const scree_block *rows, scree_error *error)
{
    sqlite_out *out = context;
    const double *data = rows->data;
    for (int64_t r = 0; r < rows->rows; r++) {
        bool bound = true;
        for (int64_t i = 0; i < out->texts; i++) {
            const char *text = rows->texts ? rows->texts[r * out->texts + i] : NULL;
            bound =
                bound && sqlite3_bind_text(out->insert, (int)i + 1, text ? text : "", -1, SQLITE_STATIC) == SQLITE_OK;
        }
        for (int64_t j = 0; j < out->cols; j++) /* NaN becomes NULL there */
            bound = bound &&
                    sqlite3_bind_double(out->insert, (int)(out->texts + j) + 1,
                                        data[r * (rows->row_stride ? rows->row_stride : out->cols) + j]) == SQLITE_OK;
        if (!bound || sqlite3_step(out->insert) != SQLITE_DONE)
            return fail_out(out, error);
        sqlite3_reset(out->insert);
    }
    return SCREE_OK;
}

static scree_status finish(void *context, scree_error *error)
{
    sqlite_out *out = context;
    sqlite3_finalize(out->insert);
    out->insert = NULL;
    if (sqlite3_exec(out->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK || sqlite3_close(out->db) != SQLITE_OK)
        return fail_out(out, error);
    out->db = NULL;
    return SCREE_OK;
}

static void release(void *context)
{
    sqlite_out *out = context;
    sqlite3_finalize(out->insert);
    sqlite3_close(out->db);
    free(out->name);
    free(out);
}

scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                  const scree_write_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    sqlite_out *out = calloc(1, sizeof *out);
    char *file = malloc(strlen(path) + 3);
    (void)options;
    if (!out || !file || !(out->name = strdup(name)))
        DB_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    sprintf(file, "%s%s", path[0] == '/' ? "" : "./", path);
    if (sqlite3_open_v2(file, &out->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK)
        DB_TRY(fail_out(out, error));
    DB_TRY(run(out,
               "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
               "PRAGMA temp_store=MEMORY; BEGIN",
               error));
    calls->context = out;
    calls->begin = begin;
    calls->write = put;
    calls->finish = finish;
    calls->release = release;
    out = NULL;
done:
    if (out)
        release(out);
    free(file);
    return status;
}
