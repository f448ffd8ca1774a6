/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: its rows as doubles, log(1 + x) of every cell. A gap stays a gap, and 0 stays 0; what is -1
 * or less has no logarithm, and is an error that names the cell. Those of small counts are known beforehand. Cost: one
 * logarithm, one read and one write a cell. */

#include "data/source.h"

#include "base/memory.h"
#include "kernel/rows.h"

#include <inttypes.h>
#include <math.h>

enum { KNOWN = 256 };

typedef struct logged_source {
    scree_source base;
    scree_source *inner; /* borrowed */
    double *row;         /* D */
    scree__buffer own;   /* where the driver offers none */
    double known[KNOWN]; /* log(1 + 0), log(1 + 1), ... */
} logged_source;

static inline double logarithm(const logged_source *logged, double x)
{
    return x >= 0 && x < KNOWN && x == (double)(int)x ? logged->known[(int)x] : log1p(x);
}

static scree_status refuse(const scree_source *source, int64_t row, int64_t column, double x, scree_error *error)
{
    char label[256];
    const char *file = scree__source_locate(source, &row);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: row %" PRId64 ", %s is %g, and log(1 + x) needs more than -1; correct the cell, or leave "
                       "log1p out",
                       file, row + 1, scree__column_label(source, column, label, sizeof label), x);
}

/* The same of sparse rows: log(1 + 0) is 0. */
static scree_status log_entries(logged_source *logged, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t first = block->rows > 0 ? block->starts[0] : 0;
    const int64_t end = block->rows > 0 ? block->starts[block->rows] : 0;
    const scree__rows x = {block->data, block->type, 1, end, end, NULL};
    SCREE_TRY(scree__buffer_reserve(&logged->own, end * (int64_t)sizeof(double), logged->base.about.path, error));
    double *to = (double *)(void *)logged->own.data;
    for (int64_t i = 0, p = first; p < end; p++) {
        const double value = scree__rows_at(&x, p);
        while (p >= block->starts[i + 1])
            i++;
        if (value <= -1)
            SCREE_TRY(refuse(&logged->base, block->first + i, block->indices[p], value, error));
        to[p] = logarithm(logged, value);
    }
    block->data = to;
    block->type = SCREE_F64;
done:
    return status;
}

static scree_status logged_next(scree_source *source, scree__block *block, scree_error *error)
{
    logged_source *logged = (logged_source *)source;
    scree_status status = SCREE_OK;
    const int64_t cols = source->about.cols;
    scree__buffer *buffer = source->buffer ? source->buffer : &logged->own;
    scree__source_pass_on(source, logged->inner);
    logged->inner->buffer = NULL;
    logged->inner->takes_origin = false;
    SCREE_TRY(scree__source_next(logged->inner, block, error));
    if (block->starts) {
        SCREE_TRY(log_entries(logged, block, error));
        goto done;
    }
    const scree__rows x = {block->data, block->type, block->rows, cols, block->stride, NULL};
    SCREE_TRY(scree__buffer_reserve(buffer, block->rows * cols * (int64_t)sizeof(double), source->about.path, error));
    double *to = (double *)(void *)buffer->data;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, logged->row);
        for (int64_t j = 0; j < cols; j++) {
            if (row[j] <= -1)
                SCREE_TRY(refuse(source, block->first + i, j, row[j], error));
            to[i * cols + j] = block->marked && isnan(row[j]) ? row[j] : logarithm(logged, row[j]);
        }
    }
    block->data = to;
    block->type = SCREE_F64;
    block->stride = cols;
done:
    return status;
}

static scree_status logged_rewind(scree_source *source, scree_error *error)
{
    return scree__source_rewind(((logged_source *)source)->inner, error);
}

static void logged_close(scree_source *source)
{
    logged_source *logged = (logged_source *)source;
    free(logged->row);
    scree__buffer_free(&logged->own);
}

static const char *locate(const scree_source *source, int64_t *row)
{
    return scree__source_locate(((const logged_source *)source)->inner, row);
}

static const scree__source_table logged_table = {
    .name = "logged", .next = logged_next, .rewind = logged_rewind, .close = logged_close};

scree_status scree__logged_open(scree_source **out, scree_source *inner, scree_error *error)
{
    scree_status status = SCREE_OK;
    logged_source *logged = NULL;
    SCREE_ALLOC(logged, 1, error);
    logged->base.table = &logged_table;
    SCREE_TRY(scree__source_around(&logged->base, inner, error));
    logged->base.about.type = SCREE_F64;
    logged->base.about.element = 0;
    logged->base.about.wide_integers = false;
    logged->base.can = inner->can & SCREE__CAN_REWIND;
    logged->base.locate = locate;
    logged->base.started = inner->started;
    SCREE_ALLOC(logged->row, inner->about.cols, error);
    for (int i = 0; i < KNOWN; i++)
        logged->known[i] = log1p(i);
    logged->inner = inner;
    *out = &logged->base;
    logged = NULL;
done:
    scree_source_free(logged ? &logged->base : NULL);
    return status;
}
