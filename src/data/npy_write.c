/* SPDX-License-Identifier: BSD-3-Clause */
/* NPY out: rows of any element type in C order. The header has a fixed size and is written again at the end
 * when the number of rows was not known, or was another. Values that the element type cannot hold are errors: nothing
 * is rounded to an integer or lost to infinity unseen. Text columns (labels, ids) have no place in an NPY file and are
 * dropped. */

#include "base/atomic_file.h"
#include "base/memory.h"
#include "data/formats.h"
#include "data/live.h"
#include "data/npy_header.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 14 };

typedef struct npy_sink {
    scree_sink base;
    char **columns; /* for messages; may be NULL */
    int64_t cols;
    bool is_vector;    /* cols is 1, and the array has one dimension */
    int64_t announced; /* rows in the header; -1: not known */
    int64_t rows;      /* written */
} npy_sink;

static scree_status npy_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    npy_sink *npy = (npy_sink *)sink;
    scree_status status = SCREE_OK;
    char header[SCREE__NPY_HEADER_BYTES];
    if (shape->rows < 0 && !scree__atomic_seekable(npy->base.file))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: NPY begins with the number of rows, which is not known before the end here: write to a file "
                   "with -o, or as CSV",
                   sink->path);
    npy->columns = scree__strings_copy(shape->columns, shape->cols);
    if (shape->columns && !npy->columns)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->path);
    npy->cols = shape->cols;
    npy->is_vector = shape->is_vector;
    npy->announced = shape->rows;
    scree__npy_format(header, sink->type, shape->rows > 0 ? shape->rows : 0, shape->is_vector ? 0 : shape->cols);
    SCREE_TRY(scree__atomic_write(npy->base.file, header, sizeof header, error));
done:
    return status;
}

static scree_status fail_value(const npy_sink *npy, int64_t index, double value, scree_error *error)
{
    char column[128];
    int64_t j = index % npy->cols;
    if (npy->columns)
        snprintf(column, sizeof column, "column '%s'", npy->columns[j]);
    else
        snprintf(column, sizeof column, "column %" PRId64, j + 1);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ", %s: %.17g is not a %s: write another element type",
                       npy->base.path, npy->rows + index / npy->cols + 1, column, value,
                       scree__element_holds(npy->base.type));
}

static scree_status npy_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                              scree_error *error)
{
    (void)text;
    (void)threads;
    npy_sink *npy = (npy_sink *)sink;
    scree_status status = SCREE_OK;
    const int64_t count = rows * npy->cols;
    double chunk[CHUNK]; /* of elements of any size */
    if (sink->type == SCREE_F64)
        SCREE_TRY(scree__atomic_write(npy->base.file, data, count * (int64_t)sizeof *data, error));
    for (int64_t at = 0; sink->type != SCREE_F64 && at < count; at += CHUNK) {
        const int64_t size = count - at < CHUNK ? count - at : CHUNK;
        const int64_t stored = scree__elements_store(sink->type, data + at, chunk, size);
        if (stored < size)
            SCREE_TRY(fail_value(npy, at + stored, data[at + stored], error));
        SCREE_TRY(scree__atomic_write(npy->base.file, chunk, size * scree__element_size(sink->type), error));
    }
    npy->rows += rows;
done:
    return status;
}

static scree_status npy_finish(scree_sink *sink, scree_error *error)
{
    npy_sink *npy = (npy_sink *)sink;
    scree_status status = SCREE_OK;
    char header[SCREE__NPY_HEADER_BYTES];
    if (npy->rows < npy->announced && !scree__atomic_seekable(sink->file) && scree__input_stopped())
        return SCREE_OK; /* the header stays as it was read by others: the rows are those before the stop */
    if (npy->rows != npy->announced) {
        scree__npy_format(header, sink->type, npy->rows, npy->is_vector ? 0 : npy->cols);
        SCREE_TRY(scree__atomic_patch(npy->base.file, 0, header, sizeof header, error));
    }
done:
    return status;
}

static void npy_close(scree_sink *sink)
{
    npy_sink *npy = (npy_sink *)sink;
    scree__strings_free(npy->columns, npy->cols);
}

static const scree__sink_table npy_table = {
    .name = "npy", .begin = npy_begin, .write = npy_write, .finish = npy_finish, .close = npy_close};

static scree_status npy_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    npy_sink *npy = NULL;
    SCREE_ALLOC(npy, 1, error);
    npy->base = (scree_sink){.table = &npy_table,
                             .path = scree__strdup(strcmp(path, "-") == 0 ? "standard output" : path),
                             .type = options->type};
    if (!npy->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(scree__atomic_open(&npy->base.file, path, error));
    *out = &npy->base;
    npy = NULL;
done:
    scree_sink_free(npy ? &npy->base : NULL);
    return status;
}

static const char *const npy_extensions[] = {"npy", NULL};

const scree__writer scree__writer_npy = {"npy", npy_extensions, npy_open, "NumPy array"};
