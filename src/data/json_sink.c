/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to JSON, one row a line: an array of objects that name every cell, {"species": "setosa", "pc1": 0.5}, texts
 * where CSV has them; or, as json-arrays, an array of arrays with the numbers alone, for programs that print the rest
 * themselves. Numbers are as short as they read back the same; what is not finite is null, for JSON has no word for it.
 * A row is written as soon as it is made, so that the array may be of any length, and be part of what a program prints
 * around it. Names are escaped once; a row costs the printing of its numbers. */

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Text that grows. */
typedef struct buffer {
    char *text;
    int64_t size;
    int64_t room;
} buffer;

typedef struct json_sink {
    scree_sink base;
    scree__atomic_file *file;
    bool bare; /* arrays of numbers, without names and texts */
    bool any;  /* a row was written */
    int64_t cols;
    int64_t text_count;
    int64_t text_front; /* of them, before the numbers */
    buffer keys;        /* "name": , of each cell of a row, and what stands before it */
    int64_t *key_ends;
    buffer line;
} json_sink;

static bool reserve(buffer *to, int64_t needed)
{
    if (to->room - to->size >= needed)
        return true;
    const int64_t room = 2 * to->size + needed;
    char *text = realloc(to->text, (size_t)room);
    if (!text)
        return false;
    to->text = text;
    to->room = room;
    return true;
}

static bool put_bytes(buffer *to, const char *bytes, int64_t size)
{
    if (!reserve(to, size))
        return false;
    memcpy(to->text + to->size, bytes, (size_t)size);
    to->size += size;
    return true;
}

/* Bytes of the UTF-8 character at p; 0: it is none. Overlong forms and surrogates are let through. */
static int character_size(const unsigned char *p)
{
    const int size = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return size;
}

/* A JSON string. A byte that is not UTF-8 is taken for a Latin-1 character: the file stays valid. */
static bool put_string(buffer *to, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    if (!reserve(to, 6 * (int64_t)strlen(text) + 3))
        return false;
    char *out = to->text + to->size;
    *out++ = '"';
    for (int size; *p; p += size ? size : 1) {
        size = character_size(p);
        if (size == 0 || *p < 0x20) {
            out += snprintf(out, 7, "\\u%04x", *p);
            continue;
        }
        if (*p == '"' || *p == '\\')
            *out++ = '\\';
        memcpy(out, p, (size_t)size);
        out += size;
    }
    *out++ = '"';
    to->size = out - to->text;
    return true;
}

static bool put_number(buffer *to, double value)
{
    if (!isfinite(value))
        return put_bytes(to, "null", 4);
    if (!reserve(to, SCREE__NUMBER_SIZE))
        return false;
    to->size += scree__print_double(to->text + to->size, value);
    return true;
}

/* What stands before the i-th cell of a row. */
static bool put_key(json_sink *sink, int64_t i)
{
    const int64_t begin = i > 0 ? sink->key_ends[i - 1] : 0;
    if (sink->bare)
        return i == 0 || put_bytes(&sink->line, ",", 1);
    return put_bytes(&sink->line, sink->keys.text + begin, sink->key_ends[i] - begin);
}

static bool put_texts(json_sink *sink, const char *const *text, int64_t first, int64_t end, int64_t cell)
{
    for (int64_t i = first; i < end; i++)
        if (!put_key(sink, cell++) || !put_string(&sink->line, text ? text[i] : ""))
            return false;
    return true;
}

static bool put_row(json_sink *sink, const double *values, const char *const *text)
{
    const int64_t front = sink->bare ? 0 : sink->text_front;
    const int64_t texts = sink->bare ? 0 : sink->text_count;
    bool fine = put_bytes(&sink->line, sink->any ? ",\n" : "\n", sink->any ? 2 : 1) &&
                put_bytes(&sink->line, sink->bare ? "[" : "{", 1) && put_texts(sink, text, 0, front, 0);
    for (int64_t j = 0; fine && j < sink->cols; j++)
        fine = put_key(sink, front + j) && put_number(&sink->line, values[j]);
    sink->any = true;
    return fine && put_texts(sink, text, front, texts, front + sink->cols) &&
           put_bytes(&sink->line, sink->bare ? "]" : "}", 1);
}

static bool make_keys(json_sink *sink, const scree__sink_shape *shape)
{
    char number[24];
    bool fine = true;
    for (int64_t i = 0; fine && i < shape->text_count + shape->cols; i++) {
        fine = (i == 0 || put_bytes(&sink->keys, ", ", 2)) &&
               put_string(&sink->keys, scree__sink_heading(shape, i, number)) && put_bytes(&sink->keys, ": ", 2);
        sink->key_ends[i] = sink->keys.size;
    }
    return fine;
}

static scree_status fail_memory(const json_sink *sink, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the text of its rows", sink->base.path);
}

static scree_status json_begin(scree_sink *base, const scree__sink_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = (json_sink *)base;
    sink->cols = shape->cols;
    sink->text_count = shape->text_count;
    sink->text_front = shape->text_count - shape->text_behind;
    SCREE_ALLOC(sink->key_ends, shape->text_count + shape->cols, error);
    if (!sink->bare && !make_keys(sink, shape))
        SCREE_TRY(fail_memory(sink, error));
    SCREE_TRY(scree__atomic_write(sink->file, "[", 1, error));
done:
    return status;
}

static scree_status json_write(scree_sink *base, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = (json_sink *)base;
    (void)threads;
    for (int64_t i = 0; i < rows; i++) {
        sink->line.size = 0;
        if (!put_row(sink, data + i * sink->cols, text ? text + i * sink->text_count : NULL))
            SCREE_TRY(fail_memory(sink, error));
        SCREE_TRY(scree__atomic_write(sink->file, sink->line.text, sink->line.size, error));
    }
done:
    return status;
}

static scree_status json_finish(scree_sink *base, scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = (json_sink *)base;
    SCREE_TRY(scree__atomic_write(sink->file, "\n]\n", 3, error));
    SCREE_TRY(scree__atomic_commit(sink->file, error));
done:
    return status;
}

static void json_close(scree_sink *base)
{
    json_sink *sink = (json_sink *)base;
    scree__atomic_free(sink->file);
    free(sink->keys.text);
    free(sink->key_ends);
    free(sink->line.text);
}

static const scree__sink_table json_table = {"json", json_begin, json_write, json_finish, json_close};

static scree_status open_with(scree_sink **out, const char *path, bool bare, scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = NULL;
    SCREE_ALLOC(sink, 1, error);
    sink->base = (scree_sink){.table = &json_table, .path = scree__strdup(path), .type = SCREE_F64};
    sink->bare = bare;
    if (!sink->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&sink->file, path, error));
    *out = &sink->base;
    sink = NULL;
done:
    scree_sink_free(sink ? &sink->base : NULL);
    return status;
}

static scree_status json_open(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    (void)options;
    return open_with(out, path, false, error);
}

static scree_status arrays_open(scree_sink **out, const char *path, const scree_write_options *options,
                                scree_error *error)
{
    (void)options;
    return open_with(out, path, true, error);
}

static const char *const json_extensions[] = {"json", NULL};

const scree__writer scree__writer_json = {"json", json_extensions, json_open, "a JSON object for each row"};
const scree__writer scree__writer_json_arrays = {"json-arrays", NULL, arrays_open, "a JSON array for each row"};
