/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to JSON, one row a line: an array of objects that name every cell, {"species": "setosa", "pc1": 0.5}, texts
 * where CSV has them; or, as json-arrays, an array of arrays with the numbers alone, for programs that print the rest
 * themselves. Numbers are as short as they read back the same; what is not finite is null, for JSON has no word for it.
 * The array may be of any length, and be part of what a program prints around it. Names are escaped once; a row costs
 * the printing of its numbers. */

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "data/text_sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A JSON string. A byte that is not UTF-8 is taken for a Latin-1 letter: the file stays valid. What would steer a
 * terminal is spelled out, which reads the same. */
static bool put_string(scree__text *to, const char *text)
{
    size_t left = strlen(text);
    if (!scree__text_reserve(to, 6 * (int64_t)left + 3))
        return false;
    char *out = to->bytes + to->size;
    *out++ = '"';
    while (left > 0) {
        uint32_t code = 0;
        const int letter = scree__utf8_letter(text, left, &code);
        const size_t size = letter > 0 ? (size_t)letter : 1;
        if (letter == 0 || scree__utf8_steers(code)) {
            out += snprintf(out, 7, "\\u%04x", letter > 0 ? (unsigned)code : (unsigned)(unsigned char)*text);
        } else {
            if (*text == '"' || *text == '\\')
                *out++ = '\\';
            memcpy(out, text, size);
            out += size;
        }
        text += size;
        left -= size;
    }
    *out++ = '"';
    to->size = out - to->bytes;
    return true;
}

static bool put_number(scree__text *to, double value)
{
    if (!isfinite(value))
        return scree__text_put(to, "null", 4);
    if (!scree__text_reserve(to, SCREE__NUMBER_SIZE))
        return false;
    to->size += scree__print_double(to->bytes + to->size, value);
    return true;
}

/* What stands before the i-th cell of a row. */
static bool put_key(const scree__text_sink *sink, int64_t i, scree__text *to)
{
    if (sink->format->bare)
        return i == 0 || scree__text_put(to, ",", 1);
    const int64_t begin = i > 0 ? sink->key_ends[i - 1] : 0;
    return scree__text_put(to, sink->keys.bytes + begin, sink->key_ends[i] - begin);
}

/* Texts first .. end-1 of a row, from its cell-th cell on. */
static bool put_texts(const scree__text_sink *sink, const char *const *texts, int64_t first, int64_t end, int64_t cell,
                      scree__text *to)
{
    for (int64_t i = first; i < end; i++)
        if (!put_key(sink, cell++, to) || !put_string(to, texts ? texts[i] : ""))
            return false;
    return true;
}

static bool put_row(const scree__text_sink *sink, int64_t row, const double *values, const char *const *texts,
                    scree__text *to)
{
    const bool bare = sink->format->bare;
    const int64_t front = bare ? 0 : sink->text_front;
    const int64_t count = bare ? 0 : sink->text_count;
    bool fine = scree__text_put(to, row > 0 ? ",\n" : "\n", row > 0 ? 2 : 1) &&
                scree__text_put(to, bare ? "[" : "{", 1) && put_texts(sink, texts, 0, front, 0, to);
    for (int64_t j = 0; fine && j < sink->cols; j++)
        fine = put_key(sink, front + j, to) && put_number(to, values[j]);
    return fine && put_texts(sink, texts, front, count, front + sink->cols, to) &&
           scree__text_put(to, bare ? "]" : "}", 1);
}

static bool make_keys(scree__text_sink *sink, const scree__sink_shape *shape)
{
    char number[24];
    const int64_t count = shape->text_count + shape->cols;
    sink->key_ends = scree__alloc(count, sizeof *sink->key_ends);
    bool fine = sink->key_ends != NULL;
    for (int64_t i = 0; fine && i < count; i++) {
        fine = (i == 0 || scree__text_put(&sink->keys, ", ", 2)) &&
               put_string(&sink->keys, scree__sink_heading(shape, i, number)) && scree__text_put(&sink->keys, ": ", 2);
        sink->key_ends[i] = sink->keys.size;
    }
    return fine;
}

static bool put_head(scree__text_sink *sink, const scree__sink_shape *shape, scree__text *to)
{
    return (sink->format->bare || make_keys(sink, shape)) && scree__text_put(to, "[", 1);
}

static const scree__text_format json_format = {
    .table = SCREE__TEXT_TABLE("json"), .head = put_head, .row = put_row, .tail = "\n]\n"};
static const scree__text_format arrays_format = {
    .table = SCREE__TEXT_TABLE("json"), .bare = true, .head = put_head, .row = put_row, .tail = "\n]\n"};

static scree_status json_open(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    (void)options;
    return scree__text_open(out, path, &json_format, false, error);
}

static scree_status arrays_open(scree_sink **out, const char *path, const scree_write_options *options,
                                scree_error *error)
{
    (void)options;
    return scree__text_open(out, path, &arrays_format, false, error);
}

static const char *const json_extensions[] = {"json", NULL};

const scree__writer scree__writer_json = {"json", json_extensions, json_open, "a JSON object for each row"};
const scree__writer scree__writer_json_arrays = {"json-arrays", NULL, arrays_open, "a JSON array for each row"};
