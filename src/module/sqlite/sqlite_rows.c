/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a SELECT as an Arrow stream: batches of some thousand rows, columns of doubles or of texts. A cell of a
 * database has its own type, so a column is what its first cell is that is not NULL, among the first LOOK rows; where
 * there is none, what the table was declared with. A cell of the other kind is an error that names it, in columns that
 * are wanted alone. NULL is null. */

#include "module/sqlite/sqlite_arrow.h"
#include "module/sqlite/sqlite_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 1000, BATCH_ROWS = 2048, BATCH_CELLS = 1 << 20, BATCH_TEXT = 8 << 20 };

typedef struct sqlite_column {
    bool is_text;
    bool is_blob; /* as far as was seen: of no use */
    bool wanted;
    double *numbers;
    uint8_t *valid;
    int64_t *offsets; /* of texts */
    char *chars;
    int64_t room; /* bytes of chars */
    const void *buffers[3];
    struct ArrowArray array;
} sqlite_column;

typedef struct sqlite_rows {
    sqlite_file file;
    char *path;
    sqlite3_stmt *select;
    sqlite_column *columns;
    int64_t count;
    int64_t batch; /* rows that one has at most */
    int64_t row;   /* rows given out */
    bool ended;
    struct ArrowArray **places;
    struct ArrowSchema *fields;
    struct ArrowSchema **field_places;
    scree_error said;
} sqlite_rows;

SCREE_API scree_status scree_module_arrow_1(struct ArrowArrayStream *out, const char *path,
                                            const scree_read_options *options, scree_error *error);
SCREE_API void scree_module_choose_1(struct ArrowArrayStream *stream, const bool *wanted);
SCREE_API scree_status scree_module_again_1(struct ArrowArrayStream *stream, scree_error *error);

/* ---- what columns hold ---- */

static bool declared_text(const char *type)
{
    static const char *const texts[] = {"CHAR", "CLOB", "TEXT", "DATE", "TIME"};
    for (size_t i = 0; type && i < sizeof texts / sizeof *texts; i++)
        for (const char *at = type; *at; at++)
            if (sqlite3_strnicmp(at, texts[i], (int)strlen(texts[i])) == 0)
                return true;
    return false;
}

static scree_status look_at_columns(sqlite_rows *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    int code = SQLITE_ROW;
    int64_t unknown = rows->count;
    bool *known = calloc((size_t)rows->count + 1, sizeof *known);
    if (!known)
        DB_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", rows->path);
    for (int64_t r = 0; r < LOOK && unknown > 0; r++) {
        rows->file.steps = 0;
        code = sqlite3_step(rows->select);
        if (code != SQLITE_ROW)
            break;
        for (int64_t i = 0; i < rows->count; i++) {
            const int type = sqlite3_column_type(rows->select, (int)i);
            if (known[i] || type == SQLITE_NULL)
                continue;
            known[i] = true;
            unknown--;
            rows->columns[i].is_text = type == SQLITE_TEXT;
            rows->columns[i].is_blob = type == SQLITE_BLOB;
        }
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        DB_TRY(sqlite_said(&rows->file, code, error));
    for (int64_t i = 0; i < rows->count; i++)
        if (!known[i])
            rows->columns[i].is_text = declared_text(sqlite3_column_decltype(rows->select, (int)i));
    sqlite3_reset(rows->select);
done:
    free(known);
    return status;
}

/* ---- the cells of a batch ---- */

static scree_status fail_cell(const sqlite_rows *rows, int64_t i, int64_t row, const char *what, scree_error *error)
{
    return sqlite_fail(error, SCREE_ERR_VALUE,
                       "%s: row %lld, column '%.100s': %s; leave the column out, or give a "
                       "--query that makes one kind of it, by CAST or WHERE",
                       rows->path, (long long)row + 1, sqlite3_column_name(rows->select, (int)i), what);
}

static scree_status take_number(sqlite_rows *rows, int64_t i, int64_t at, int type, scree_error *error)
{
    sqlite_column *column = &rows->columns[i];
    const double value = sqlite3_column_double(rows->select, (int)i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
        char what[200];
        if (type == SQLITE_BLOB)
            return fail_cell(rows, i, rows->row + at, "there are bytes (a blob) among numbers", error);
        snprintf(what, sizeof what, "'%.80s' is a text among numbers",
                 (const char *)sqlite3_column_text(rows->select, (int)i));
        return fail_cell(rows, i, rows->row + at, what, error);
    }
    if (type == SQLITE_INTEGER) {
        const int64_t whole = sqlite3_column_int64(rows->select, (int)i);
        char what[120];
        if (value >= 0x1p63 || (int64_t)value != whole) {
            snprintf(what, sizeof what, "%lld is a whole number that no double is", (long long)whole);
            return fail_cell(rows, i, rows->row + at, what, error);
        }
    }
    column->numbers[at] = value;
    return SCREE_OK;
}

static scree_status take_text(sqlite_rows *rows, int64_t i, int64_t at, int type, scree_error *error)
{
    sqlite_column *column = &rows->columns[i];
    const int64_t used = column->offsets[at];
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        return fail_cell(rows, i, rows->row + at, "there is a number among texts", error);
    if (type == SQLITE_BLOB)
        return fail_cell(rows, i, rows->row + at, "there are bytes (a blob) among texts", error);
    const char *text = (const char *)sqlite3_column_text(rows->select, (int)i);
    const int64_t size = text ? (int64_t)strlen(text) : 0;
    if (!column->chars || used + size > column->room) {
        char *more = realloc(column->chars, (size_t)(2 * column->room + used + size + 1));
        if (!more)
            return sqlite_fail(error, SCREE_ERR_MEMORY, "%s: out of memory for its texts", rows->path);
        column->chars = more;
        column->room = 2 * column->room + used + size;
    }
    memcpy(column->chars + used, text ? text : "", (size_t)size);
    column->offsets[at + 1] = used + size;
    return SCREE_OK;
}

static scree_status take_row(sqlite_rows *rows, int64_t at, int64_t *text, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < rows->count && status == SCREE_OK; i++) {
        sqlite_column *column = &rows->columns[i];
        if (!column->wanted)
            continue;
        const int type = sqlite3_column_type(rows->select, (int)i);
        column->valid[at / 8] = (uint8_t)(at % 8 ? column->valid[at / 8] : 0);
        column->valid[at / 8] |= (uint8_t)((type != SQLITE_NULL) << (at % 8));
        if (column->is_text)
            column->offsets[at + 1] = column->offsets[at];
        else
            column->numbers[at] = 0;
        if (type != SQLITE_NULL)
            status = column->is_text ? take_text(rows, i, at, type, error) : take_number(rows, i, at, type, error);
        *text += column->is_text ? column->offsets[at + 1] - column->offsets[at] : 0;
    }
    return status;
}

/* Space for a batch of the columns that are wanted. */
static scree_status make_room(sqlite_rows *rows, scree_error *error)
{
    rows->batch = BATCH_CELLS / (rows->count + 1) + 1;
    rows->batch = rows->batch < BATCH_ROWS ? rows->batch : BATCH_ROWS;
    for (int64_t i = 0; i < rows->count; i++) {
        sqlite_column *column = &rows->columns[i];
        if (!column->wanted || column->valid)
            continue;
        column->valid = calloc((size_t)rows->batch / 8 + 1, 1);
        if (column->is_text)
            column->offsets = calloc((size_t)rows->batch + 1, sizeof *column->offsets);
        else
            column->numbers = calloc((size_t)rows->batch, sizeof *column->numbers);
        if (!column->valid || (!column->offsets && !column->numbers))
            return sqlite_fail(error, SCREE_ERR_MEMORY, "%s: out of memory for its columns", rows->path);
    }
    return SCREE_OK;
}

static scree_status take_batch(sqlite_rows *rows, int64_t *taken, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t text = 0;
    int code = SQLITE_ROW;
    DB_TRY(make_room(rows, error));
    for (*taken = 0; *taken < rows->batch && text < BATCH_TEXT; ++*taken) {
        rows->file.steps = 0;
        code = sqlite3_step(rows->select);
        if (code != SQLITE_ROW)
            break;
        DB_TRY(take_row(rows, *taken, &text, error));
    }
    rows->ended = code != SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        DB_TRY(sqlite_said(&rows->file, code, error));
done:
    return status;
}

/* ---- the stream ---- */

static void nothing_to_release(struct ArrowArray *array)
{
    array->release = NULL;
}

static void schema_is_kept(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    sqlite_rows *rows = stream->private_data;
    for (int64_t i = 0; i < rows->count; i++) {
        const sqlite_column *column = &rows->columns[i];
        rows->field_places[i] = &rows->fields[i];
        rows->fields[i] = (struct ArrowSchema){.format = column->is_blob   ? "blob"
                                                         : column->is_text ? "U"
                                                                           : "g",
                                               .name = sqlite3_column_name(rows->select, (int)i),
                                               .flags = ARROW_FLAG_NULLABLE};
    }
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = rows->count, .children = rows->field_places, .release = schema_is_kept};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    sqlite_rows *rows = stream->private_data;
    int64_t taken = 0;
    *out = (struct ArrowArray){0};
    if (rows->ended)
        return 0;
    if (take_batch(rows, &taken, &rows->said) != SCREE_OK)
        return EIO;
    for (int64_t i = 0; i < rows->count; i++) {
        sqlite_column *column = &rows->columns[i];
        column->buffers[0] = column->valid;
        column->buffers[1] = column->is_text ? (const void *)column->offsets : column->numbers;
        column->buffers[2] = column->chars;
        column->array = (struct ArrowArray){
            .length = taken, .null_count = -1, .n_buffers = column->is_text ? 3 : 2, .buffers = column->buffers};
        rows->places[i] = &column->array;
    }
    rows->row += taken;
    if (taken > 0)
        *out = (struct ArrowArray){
            .length = taken, .n_children = rows->count, .children = rows->places, .release = nothing_to_release};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((sqlite_rows *)stream->private_data)->said.text;
}

static void rows_free(sqlite_rows *rows)
{
    for (int64_t i = 0; rows->columns && i < rows->count; i++) {
        free(rows->columns[i].numbers);
        free(rows->columns[i].valid);
        free(rows->columns[i].offsets);
        free(rows->columns[i].chars);
    }
    sqlite3_finalize(rows->select);
    sqlite_file_close(&rows->file);
    free(rows->columns);
    free(rows->places);
    free(rows->fields);
    free(rows->field_places);
    free(rows->path);
    free(rows);
}

static void release(struct ArrowArrayStream *stream)
{
    rows_free(stream->private_data);
    stream->release = NULL;
}

void scree_module_choose_1(struct ArrowArrayStream *stream, const bool *wanted)
{
    sqlite_rows *rows = stream->private_data;
    for (int64_t i = 0; i < rows->count; i++)
        rows->columns[i].wanted = wanted[i];
}

scree_status scree_module_again_1(struct ArrowArrayStream *stream, scree_error *error)
{
    sqlite_rows *rows = stream->private_data;
    (void)error;
    sqlite3_reset(rows->select); /* says again how the last step ended */
    rows->row = 0;
    rows->ended = false;
    return SCREE_OK;
}

scree_status scree_module_arrow_1(struct ArrowArrayStream *out, const char *path, const scree_read_options *options,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    sqlite_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return sqlite_fail(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    rows->path = strdup(path);
    rows->file.path = rows->path;
    if (!rows->path)
        DB_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    DB_TRY(sqlite_file_open(&rows->file, options->memory, error));
    DB_TRY(sqlite_select(&rows->select, &rows->file, options, error));
    rows->count = sqlite3_column_count(rows->select);
    rows->columns = calloc((size_t)rows->count, sizeof *rows->columns);
    rows->places = calloc((size_t)rows->count, sizeof *rows->places);
    rows->fields = calloc((size_t)rows->count, sizeof *rows->fields);
    rows->field_places = calloc((size_t)rows->count, sizeof *rows->field_places);
    if (!rows->columns || !rows->places || !rows->fields || !rows->field_places)
        DB_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its columns", path);
    DB_TRY(look_at_columns(rows, error));
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release, rows};
    rows = NULL;
done:
    if (rows)
        rows_free(rows);
    return status;
}
