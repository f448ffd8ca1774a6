/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow out (IPC): rows gather as they come and are written as record batches, column by column, each of so many rows
 * that memory is bounded. A file (.arrow, .feather) has its footer at the end, which says where the batches are; a
 * stream (.arrows) has none, so that a program at the other end of a pipe may read it as it is written. Columns have
 * the element type of the sink, texts are UTF-8, and NaN is null. Nothing that is written has to be known before the
 * rows are. The descriptions are in arrow_describe.c. */

#include "data/arrow_write.h"

#include "base/atomic_file.h"
#include "base/memory.h"
#include "data/elements.h"
#include "data/formats.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH_BYTES = 4 << 20, MOST_ROWS = 1 << 16, STRIP = 1 << 12, ALIGN = 8, MOST_CHARS = 1 << 30 };

static const char magic[ALIGN] = "ARROW1";

typedef struct arrow_sink {
    scree_sink base;
    bool is_file;
    scree__arrow_plan plan;
    int64_t written;    /* bytes */
    int64_t rows;       /* written in batches before */
    int64_t batch_rows; /* that a batch has at most */
    int64_t held;       /* rows that wait */
    double *values;     /* batch_rows × cols, row by row */
    scree__text *texts; /* of each text column, each text with its length in front of the next */
    int32_t *offsets;   /* text columns × (batch_rows + 1) */
} arrow_sink;

static scree_status put(arrow_sink *to, const void *data, int64_t size, scree_error *error)
{
    to->written += size;
    return scree__atomic_write(to->base.file, data, size, error);
}

/* Zeros up to a multiple of eight. */
static scree_status put_padding(arrow_sink *to, scree_error *error)
{
    static const char zeros[ALIGN];
    return put(to, zeros, (ALIGN - to->written % ALIGN) % ALIGN, error);
}

/* A description, with its mark and length in front. */
static scree_status put_message(arrow_sink *to, const unsigned char *flat, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char lead[ALIGN] = {0xFF, 0xFF, 0xFF, 0xFF};
    if (!flat)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", to->base.path);
    for (int i = 0; i < 4; i++)
        lead[4 + i] = (unsigned char)(size >> (8 * i));
    SCREE_TRY(put(to, lead, sizeof lead, error));
    SCREE_TRY(put(to, flat, size, error));
done:
    return status;
}

static scree_status arrow_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    arrow_sink *to = (arrow_sink *)sink;
    scree_status status = SCREE_OK;
    int64_t size = 0;
    const int64_t by_bytes = BATCH_BYTES / 8 / (shape->cols > 0 ? shape->cols : 1);
    SCREE_TRY(scree__arrow_plan_make(&to->plan, shape, sink->type, sink->path, error));
    to->batch_rows = by_bytes < 1 ? 1 : by_bytes < MOST_ROWS ? by_bytes : MOST_ROWS;
    SCREE_ALLOC(to->values, to->batch_rows * shape->cols, error);
    SCREE_ALLOC(to->texts, shape->text_count, error);
    SCREE_ALLOC(to->offsets, shape->text_count * (to->batch_rows + 1), error);
    if (to->is_file)
        SCREE_TRY(put(to, magic, sizeof magic, error));
    const unsigned char *flat = scree__arrow_describe_schema(&to->plan, &size);
    SCREE_TRY(put_message(to, flat, size, error));
done:
    return status;
}

/* ---- the buffers of a batch ---- */

static double cell(const arrow_sink *to, int64_t row, int64_t column)
{
    return to->values[row * to->plan.cols + column];
}

static scree_status put_bits(arrow_sink *to, int64_t column, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint8_t bits[STRIP / 8];
    for (int64_t r = 0; r < to->held; r += STRIP) {
        const int64_t count = to->held - r < STRIP ? to->held - r : STRIP;
        memset(bits, 0, sizeof bits);
        for (int64_t k = 0; k < count; k++)
            bits[k / 8] |= (uint8_t)(!isnan(cell(to, r + k, column)) << (k % 8));
        SCREE_TRY(put(to, bits, (count + 7) / 8, error));
    }
    SCREE_TRY(put_padding(to, error));
done:
    return status;
}

static scree_status fail_value(const arrow_sink *to, int64_t row, int64_t column, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: row %" PRId64 ", column '%s': %.17g is not a %s: write another element type", to->base.path,
                       to->rows + row + 1, scree__arrow_plan_name(&to->plan, column), cell(to, row, column),
                       scree__element_holds(to->base.type));
}

/* Booleans are bits in the file. */
static int64_t pack_bits(const uint8_t *bytes, int64_t count, uint8_t *bits)
{
    memset(bits, 0, (size_t)(count + 7) / 8);
    for (int64_t k = 0; k < count; k++)
        bits[k / 8] |= (uint8_t)(bytes[k] << (k % 8));
    return (count + 7) / 8;
}

static scree_status put_numbers(arrow_sink *to, int64_t column, scree_error *error)
{
    scree_status status = SCREE_OK;
    double strip[STRIP];
    double stored[STRIP]; /* elements of any size */
    uint8_t bits[STRIP / 8];
    const bool is_float = to->base.type == SCREE_F64 || to->base.type == SCREE_F32 || to->base.type == SCREE_F16;
    for (int64_t r = 0; r < to->held; r += STRIP) {
        const int64_t count = to->held - r < STRIP ? to->held - r : STRIP;
        for (int64_t k = 0; k < count; k++) {
            const double value = cell(to, r + k, column);
            strip[k] = is_float || !isnan(value) ? value : 0; /* null */
        }
        const int64_t fit = scree__elements_store(to->base.type, strip, stored, count);
        if (fit < count)
            SCREE_TRY(fail_value(to, r + fit, column, error));
        if (to->base.type == SCREE_BOOL)
            SCREE_TRY(put(to, bits, pack_bits((const uint8_t *)stored, count, bits), error));
        else
            SCREE_TRY(put(to, stored, count * scree__element_size(to->base.type), error));
    }
    SCREE_TRY(put_padding(to, error));
done:
    return status;
}

static scree_status put_texts(arrow_sink *to, int64_t text, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int32_t *offsets = to->offsets + text * (to->batch_rows + 1);
    SCREE_TRY(put(to, offsets, (to->held + 1) * (int64_t)sizeof *offsets, error));
    SCREE_TRY(put_padding(to, error));
    SCREE_TRY(put(to, to->texts[text].bytes, to->texts[text].size, error));
    SCREE_TRY(put_padding(to, error));
done:
    return status;
}

/* Nulls and bytes of every column, for the description. */
static void measure(arrow_sink *to)
{
    for (int64_t i = 0; i < to->plan.count; i++) {
        scree__arrow_planned *column = &to->plan.columns[i];
        column->nulls = 0;
        column->chars = column->text >= 0 ? to->texts[column->text].size : 0;
        for (int64_t r = 0; column->text < 0 && r < to->held; r++)
            column->nulls += isnan(cell(to, r, column->value));
    }
}

static scree_status put_batch(arrow_sink *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t size = 0;
    if (to->held == 0)
        return SCREE_OK;
    measure(to);
    const int64_t at = to->written;
    const unsigned char *flat = scree__arrow_describe_batch(&to->plan, to->held, &size);
    SCREE_TRY(put_message(to, flat, size, error));
    const int64_t body = to->written;
    for (int64_t i = 0; i < to->plan.count; i++) {
        const scree__arrow_planned *column = &to->plan.columns[i];
        if (column->nulls > 0)
            SCREE_TRY(put_bits(to, column->value, error));
        SCREE_TRY(column->text >= 0 ? put_texts(to, column->text, error) : put_numbers(to, column->value, error));
    }
    if (to->is_file)
        SCREE_TRY(scree__arrow_plan_add(&to->plan, at, body - at, to->written - body, to->base.path, error));
    to->rows += to->held;
    to->held = 0;
    for (int64_t k = 0; k < to->plan.text_count; k++)
        to->texts[k].size = 0;
done:
    return status;
}

/* ---- rows ---- */

static bool take_texts(arrow_sink *to, const char *const *text)
{
    bool taken = true;
    for (int64_t k = 0; taken && k < to->plan.text_count; k++) {
        const char *bytes = text && text[k] ? text[k] : "";
        taken = scree__text_put(&to->texts[k], bytes, (int64_t)strlen(bytes));
        to->offsets[k * (to->batch_rows + 1) + to->held + 1] = (int32_t)to->texts[k].size;
    }
    return taken;
}

/* Whether the texts of a row fit into the batch beside those that wait. */
static bool texts_fit(const arrow_sink *to, const char *const *text)
{
    int64_t bytes = 0;
    for (int64_t k = 0; text && k < to->plan.text_count; k++)
        bytes += to->texts[k].size + (text[k] ? (int64_t)strlen(text[k]) : 0);
    return bytes <= (to->held > 0 ? BATCH_BYTES : MOST_CHARS);
}

static scree_status arrow_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                int threads, scree_error *error)
{
    arrow_sink *to = (arrow_sink *)sink;
    scree_status status = SCREE_OK;
    (void)threads;
    for (int64_t r = 0; r < rows; r++) {
        const char *const *own = text ? text + r * to->plan.text_count : NULL;
        if (to->held == to->batch_rows || !texts_fit(to, own))
            SCREE_TRY(put_batch(to, error));
        if (!texts_fit(to, own))
            SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                       "%s: row %" PRId64 " has more than 1 GiB of text; leave such columns out", sink->path,
                       to->rows + 1);
        memcpy(to->values + to->held * to->plan.cols, data + r * to->plan.cols, (size_t)to->plan.cols * sizeof *data);
        if (!take_texts(to, own))
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->path);
        to->held++;
    }
done:
    return status;
}

static scree_status arrow_flush(scree_sink *sink, scree_error *error)
{
    return put_batch((arrow_sink *)sink, error);
}

static scree_status arrow_finish(scree_sink *sink, scree_error *error)
{
    arrow_sink *to = (arrow_sink *)sink;
    scree_status status = SCREE_OK;
    static const unsigned char end[ALIGN] = {0xFF, 0xFF, 0xFF, 0xFF};
    unsigned char length[4];
    int64_t size = 0;
    SCREE_TRY(put_batch(to, error));
    SCREE_TRY(put(to, end, sizeof end, error));
    if (!to->is_file)
        return SCREE_OK;
    const unsigned char *flat = scree__arrow_describe_footer(&to->plan, &size);
    if (!flat || size > INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its footer", sink->path);
    for (int i = 0; i < 4; i++)
        length[i] = (unsigned char)(size >> (8 * i));
    SCREE_TRY(put(to, flat, size, error));
    SCREE_TRY(put(to, length, sizeof length, error));
    SCREE_TRY(put(to, magic, 6, error));
done:
    return status;
}

static void arrow_close(scree_sink *sink)
{
    arrow_sink *to = (arrow_sink *)sink;
    for (int64_t k = 0; to->texts && k < to->plan.text_count; k++)
        free(to->texts[k].bytes);
    free(to->texts);
    free(to->values);
    free(to->offsets);
    scree__arrow_plan_clear(&to->plan);
}

static const scree__sink_table arrow_table = {.name = "arrow",
                                              .begin = arrow_begin,
                                              .write = arrow_write,
                                              .finish = arrow_finish,
                                              .close = arrow_close,
                                              .flush = arrow_flush};

static scree_status open_as(scree_sink **out, const char *path, const scree_write_options *options, bool is_file,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    arrow_sink *to = NULL;
    SCREE_ALLOC(to, 1, error);
    to->is_file = is_file;
    to->base = (scree_sink){.table = &arrow_table,
                            .path = scree__strdup(strcmp(path, "-") == 0 ? "standard output" : path),
                            .type = options->type};
    if (!to->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&to->base.file, path, error));
    *out = &to->base;
    to = NULL;
done:
    scree_sink_free(to ? &to->base : NULL);
    return status;
}

static scree_status open_file(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    return open_as(out, path, options, true, error);
}

static scree_status open_stream(scree_sink **out, const char *path, const scree_write_options *options,
                                scree_error *error)
{
    return open_as(out, path, options, false, error);
}

static const char *const file_extensions[] = {"arrow", "feather", NULL};
static const char *const stream_extensions[] = {"arrows", NULL};

const scree__writer scree__writer_arrow = {"arrow", file_extensions, open_file, "Arrow IPC file, Feather version 2"};
const scree__writer scree__writer_arrows = {"arrows", stream_extensions, open_stream, "Arrow IPC stream"};
