/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to CSV or TSV: a header, then one line a row, texts in front (and behind, where the shape says so), numbers as
 * short as they read back the same.
 * Threads turn parts of some thousand cells into text, each in a buffer of its own; the parts are written in order, so
 * that the file does not depend on the threads. A text is quoted when it could be misread without. */

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/threads.h"
#include "data/formats.h"

#include <string.h>

enum { PART_CELLS = 1 << 14, PARTS_PER_THREAD = 2 };

/* Text that is being made. */
typedef struct part {
    char *text;
    int64_t size;
    int64_t room;
    bool failed; /* out of memory */
} part;

typedef struct csv_sink {
    scree_sink base;
    scree__atomic_file *file;
    char delimiter;
    int64_t cols;
    int64_t text_count;
    int64_t text_front; /* of them, before the numbers */
    part *parts;
    int64_t part_count;
} csv_sink;

/* What one call of write works on. */
typedef struct round {
    csv_sink *sink;
    const double *data;
    const char *const *text;
    int64_t rows;
    int64_t step; /* rows a part */
} round;

/* At a size of at least needed bytes more. */
static bool reserve(part *to, int64_t needed)
{
    if (to->room - to->size >= needed)
        return true;
    int64_t room = 2 * to->size + needed;
    char *text = realloc(to->text, (size_t)room);
    if (!text)
        return false;
    to->text = text;
    to->room = room;
    return true;
}

static bool needs_quotes(const char *text, char delimiter)
{
    size_t length = strlen(text);
    if (length > 0 && (text[0] == ' ' || text[length - 1] == ' '))
        return true;
    return strpbrk(text, "\"\r\n") != NULL || strchr(text, delimiter) != NULL;
}

/* A cell of text and the delimiter after it. */
static bool put_text(part *to, const char *text, char delimiter)
{
    if (!reserve(to, 2 * (int64_t)strlen(text) + 3))
        return false;
    char *p = to->text + to->size;
    bool quotes = needs_quotes(text, delimiter);
    if (quotes)
        *p++ = '"';
    for (; *text; text++) {
        if (*text == '"')
            *p++ = '"';
        *p++ = *text;
    }
    if (quotes)
        *p++ = '"';
    *p++ = delimiter;
    to->size = p - to->text;
    return true;
}

static bool put_numbers(part *to, const double *values, int64_t count, char delimiter)
{
    if (!reserve(to, count * SCREE__NUMBER_SIZE))
        return false;
    char *p = to->text + to->size;
    for (int64_t i = 0; i < count; i++) {
        p += scree__print_double(p, values[i]);
        *p++ = delimiter;
    }
    to->size = p - to->text;
    return true;
}

/* The delimiter after the last cell becomes the end of the line. */
static bool put_row(part *to, const csv_sink *sink, const double *values, const char *const *text)
{
    for (int64_t i = 0; i < sink->text_front; i++)
        if (!put_text(to, text ? text[i] : "", sink->delimiter))
            return false;
    if (!put_numbers(to, values, sink->cols, sink->delimiter))
        return false;
    for (int64_t i = sink->text_front; i < sink->text_count; i++)
        if (!put_text(to, text ? text[i] : "", sink->delimiter))
            return false;
    to->text[to->size - 1] = '\n';
    return true;
}

static void format_task(void *context, int64_t index, int worker)
{
    const round *work = context;
    const csv_sink *sink = work->sink;
    part *to = &sink->parts[index];
    int64_t row = index * work->step;
    int64_t end = row + work->step < work->rows ? row + work->step : work->rows;
    (void)worker;
    to->size = 0;
    to->failed = false;
    for (; row < end && !to->failed; row++)
        to->failed =
            !put_row(to, sink, work->data + row * sink->cols, work->text ? work->text + row * sink->text_count : NULL);
}

static scree_status make_parts(csv_sink *sink, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    part *parts = NULL;
    if (count <= sink->part_count)
        return SCREE_OK;
    SCREE_ALLOC(parts, count, error);
    if (sink->part_count > 0)
        memcpy(parts, sink->parts, (size_t)sink->part_count * sizeof *parts);
    free(sink->parts);
    sink->parts = parts;
    sink->part_count = count;
done:
    return status;
}

static scree_status fail_memory(const csv_sink *sink, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the text of its rows", sink->base.path);
}

static scree_status csv_begin(scree_sink *base, const scree__sink_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    csv_sink *sink = (csv_sink *)base;
    sink->cols = shape->cols;
    sink->text_count = shape->text_count;
    sink->text_front = shape->text_count - shape->text_behind;
    SCREE_TRY(make_parts(sink, 1, error));
    part *header = &sink->parts[0];
    header->size = 0;
    for (int64_t i = 0; i < shape->text_count + shape->cols; i++) {
        char number[24];
        if (!put_text(header, scree__sink_heading(shape, i, number), sink->delimiter))
            SCREE_TRY(fail_memory(sink, error));
    }
    if (header->size > 0) {
        header->text[header->size - 1] = '\n';
        SCREE_TRY(scree__atomic_write(sink->file, header->text, header->size, error));
    }
done:
    return status;
}

/* One round: as many rows as there are parts for. */
static scree_status write_round(round *work, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    csv_sink *sink = work->sink;
    int64_t count = (work->rows + work->step - 1) / work->step;
    scree__parallel(threads, count, format_task, work);
    for (int64_t i = 0; i < count; i++) {
        if (sink->parts[i].failed)
            SCREE_TRY(fail_memory(sink, error));
        SCREE_TRY(scree__atomic_write(sink->file, sink->parts[i].text, sink->parts[i].size, error));
    }
done:
    return status;
}

static scree_status csv_write(scree_sink *base, const double *data, const char *const *text, int64_t rows, int threads,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    csv_sink *sink = (csv_sink *)base;
    int64_t cells = sink->cols + sink->text_count;
    int64_t step = cells > 0 && cells < PART_CELLS ? PART_CELLS / cells : 1;
    int64_t parts = PARTS_PER_THREAD * (int64_t)scree__threads(threads);
    SCREE_TRY(make_parts(sink, parts, error));
    for (int64_t row = 0; row < rows; row += parts * step) {
        round work = {.sink = sink,
                      .data = data + row * sink->cols,
                      .text = text ? text + row * sink->text_count : NULL,
                      .rows = rows - row < parts * step ? rows - row : parts * step,
                      .step = step};
        SCREE_TRY(write_round(&work, scree__threads(threads), error));
    }
done:
    return status;
}

static scree_status csv_finish(scree_sink *base, scree_error *error)
{
    return scree__atomic_commit(((csv_sink *)base)->file, error);
}

static void csv_close(scree_sink *base)
{
    csv_sink *sink = (csv_sink *)base;
    scree__atomic_free(sink->file);
    for (int64_t i = 0; i < sink->part_count; i++)
        free(sink->parts[i].text);
    free(sink->parts);
}

static const scree__sink_table csv_table = {"csv", csv_begin, csv_write, csv_finish, csv_close};
static const scree__sink_table tsv_table = {"tsv", csv_begin, csv_write, csv_finish, csv_close};

static scree_status open_with(scree_sink **out, const char *path, const scree__sink_table *table, char delimiter,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    csv_sink *sink = NULL;
    SCREE_ALLOC(sink, 1, error);
    sink->base.table = table;
    sink->base.type = SCREE_F64;
    sink->base.path = scree__strdup(path);
    sink->delimiter = delimiter;
    if (!sink->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&sink->file, path, error));
    *out = &sink->base;
    sink = NULL;
done:
    scree_sink_free(sink ? &sink->base : NULL);
    return status;
}

static scree_status csv_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    (void)options;
    return open_with(out, path, &csv_table, ',', error);
}

static scree_status tsv_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    (void)options;
    return open_with(out, path, &tsv_table, '\t', error);
}

static const char *const csv_extensions[] = {"csv", "txt", NULL};
static const char *const tsv_extensions[] = {"tsv", "tab", NULL};

const scree__writer scree__writer_csv = {"csv", csv_extensions, csv_open, "comma-separated text"};
const scree__writer scree__writer_tsv = {"tsv", tsv_extensions, tsv_open, "tab-separated text"};
