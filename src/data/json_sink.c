/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to JSON: one array with an array of numbers for each row, one row a line, numbers as short as they read back the
 * same. What is not finite is null, for JSON has no word for it; columns of text are dropped, as in NPY. A row is
 * written as soon as it is made, so that the array may be of any length, and be part of what a program prints around
 * it. */

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/formats.h"

#include <math.h>
#include <string.h>

typedef struct json_sink {
    scree_sink base;
    scree__atomic_file *file;
    int64_t cols;
    bool any;   /* a row was written */
    char *line; /* room for one */
} json_sink;

static scree_status json_begin(scree_sink *base, const scree__sink_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = (json_sink *)base;
    sink->cols = shape->cols;
    SCREE_ALLOC(sink->line, (shape->cols + 1) * SCREE__NUMBER_SIZE, error);
    SCREE_TRY(scree__atomic_write(sink->file, "[", 1, error));
done:
    return status;
}

static char *put_number(char *p, double value)
{
    static const char null[] = "null";
    if (isfinite(value))
        return p + scree__print_double(p, value);
    memcpy(p, null, sizeof null - 1);
    return p + sizeof null - 1;
}

static scree_status json_write(scree_sink *base, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = (json_sink *)base;
    (void)text;
    (void)threads;
    for (int64_t i = 0; i < rows; i++) {
        char *p = sink->line;
        if (sink->any)
            *p++ = ',';
        *p++ = '\n';
        *p++ = '[';
        for (int64_t j = 0; j < sink->cols; j++) {
            if (j > 0)
                *p++ = ',';
            p = put_number(p, data[i * sink->cols + j]);
        }
        *p++ = ']';
        sink->any = true;
        SCREE_TRY(scree__atomic_write(sink->file, sink->line, p - sink->line, error));
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
    free(sink->line);
}

static const scree__sink_table json_table = {"json", json_begin, json_write, json_finish, json_close};

static scree_status json_open(scree_sink **out, const char *path, const scree_write_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    json_sink *sink = NULL;
    (void)options;
    SCREE_ALLOC(sink, 1, error);
    sink->base = (scree_sink){.table = &json_table, .path = scree__strdup(path), .type = SCREE_F64};
    if (!sink->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&sink->file, path, error));
    *out = &sink->base;
    sink = NULL;
done:
    scree_sink_free(sink ? &sink->base : NULL);
    return status;
}

static const char *const json_extensions[] = {"json", NULL};

const scree__writer scree__writer_json = {"json", json_extensions, json_open};
