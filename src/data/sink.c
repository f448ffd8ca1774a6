/* SPDX-License-Identifier: BSD-3-Clause */
/* What all sinks share: opening by format, and calls through the table of functions that keep their order: begin, then
 * write, then finish. */

#include "data/sink.h"

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/formats.h"
#include "kernel/strided.h"

#include <stdio.h>
#include <string.h>

scree_status scree_sink_open(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error)
{
    scree_write_options mine = SCREE_WRITE_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    const scree__writer *writer = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the output has no name: give a file, or - for standard output");
    if (scree__element_size(mine.type) == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no element type %d; use one of scree_type", path,
                   (int)mine.type);
    SCREE_TRY(scree__writer_find(&writer, mine.format, path, error));
    if (mine.spreadsheet && strcmp(writer->name, "csv") != 0 && strcmp(writer->name, "tsv") != 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: is written as %s, and only csv and tsv can be made for spreadsheets",
                   path, writer->name);
    if (mine.append &&
        (strcmp(path, "-") == 0 || (strcmp(writer->name, "csv") != 0 && strcmp(writer->name, "tsv") != 0)))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: rows can be added to a file of csv or tsv only; give one",
                   strcmp(path, "-") == 0 ? "standard output" : path);
    SCREE_TRY(writer->open(out, path, &mine, error));
done:
    return status;
}

const char *scree__sink_heading(const scree__sink_shape *shape, int64_t i, char number[24])
{
    const int64_t column = i - (shape->text_count - shape->text_behind);
    if (column < 0)
        return shape->text_names[i];
    if (column >= shape->cols)
        return shape->text_names[i - shape->cols];
    snprintf(number, 24, "c%lld", (long long)(column + 1));
    return shape->columns ? shape->columns[column] : number;
}

scree_status scree__sink_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    if (sink->begun)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: rows were already written to it: open it again", sink->path);
    scree_status status = sink->table->begin(sink, shape, error);
    sink->begun = status == SCREE_OK;
    return status;
}

double *scree__sink_place(scree_sink *sink, int64_t rows)
{
    return sink->table->place ? sink->table->place(sink, rows) : NULL;
}

scree_status scree__sink_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error)
{
    if (!sink->begun || sink->finished)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: is not open for rows", sink->path);
    return rows > 0 ? sink->table->write(sink, data, text, rows, threads, error) : SCREE_OK;
}

scree_status scree__sink_flush(scree_sink *sink, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!sink->file || !sink->begun || scree__atomic_seekable(sink->file))
        return SCREE_OK;
    if (sink->table->flush)
        SCREE_TRY(sink->table->flush(sink, error));
    SCREE_TRY(scree__atomic_flush(sink->file, error));
done:
    return status;
}

static scree_status finish_rows(scree_sink *sink, scree_error *error)
{
    if (!sink->begun)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: nothing was written to it", sink->path);
    if (sink->failed)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: the call that wrote to it failed, so that rows are missing; nothing is kept",
                           sink->path);
    return sink->table->finish(sink, error);
}

/* A file that waits for its name is no longer the sink's. */
static void leave(scree_sink *sink)
{
    sink->finished = true;
    if (sink->file && scree__atomic_waits(sink->file))
        sink->file = NULL;
}

scree_status scree_sink_finish_all(scree_sink *const *sinks, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file **files = NULL;
    int64_t held = 0;
    SCREE_ALLOC(files, count > 0 ? count : 1, error);
    for (int64_t i = 0; i < count; i++) {
        if (!sinks[i] || sinks[i]->finished)
            continue;
        SCREE_TRY(finish_rows(sinks[i], error));
        if (sinks[i]->file)
            files[held++] = sinks[i]->file;
    }
    if (held > 0)
        SCREE_TRY(scree__atomic_commit_all(files, held, error));
done:
    for (int64_t i = 0; i < count; i++) {
        scree_sink *sink = sinks[i];
        if (sink && status == SCREE_OK)
            leave(sink);
        else if (sink && sink->begun && !sink->finished)
            sink->failed = true; /* its last bytes are written, and cannot be again */
    }
    free(files);
    return status;
}

scree_status scree_sink_finish(scree_sink *sink, scree_error *error)
{
    return scree_sink_finish_all(&sink, 1, error);
}

scree_status scree__sink_distinct(const scree_sink *sink, const scree_sink *other, scree_error *error)
{
    if (!sink || !sink->file || !other || !other->file)
        return SCREE_OK;
    return scree__atomic_distinct(sink->file, other->file, error);
}

void scree_sink_free(scree_sink *sink)
{
    if (!sink)
        return;
    sink->table->close(sink);
    scree__atomic_free(sink->file);
    free(sink->path);
    free(sink);
}
