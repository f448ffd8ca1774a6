/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales of columns from a file of any format that rows are read from: a column of numbers, one for each column of the
 * data, or a row of them. Names, in a text column beside the numbers or in the header above the row, are those of the
 * columns, in any order, others ignored; without names the numbers are in the order of the columns. A name that stands
 * twice says which is meant only where all names are those of the data, in order. */

#include "prepare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct scales_file {
    const char *path;
    double *values;
    char **names; /* count, or NULL */
    int64_t count;
    int64_t room;
    bool too_wide; /* more than one column, and more than one row */
} scales_file;

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(cli_alloc(size, 1), text, size);
}

static void add(scales_file *file, double value, const char *name)
{
    if (file->count == file->room) {
        const int64_t room = file->room ? 2 * file->room : 64;
        double *values = cli_alloc((size_t)room, sizeof *values);
        char **names = cli_alloc((size_t)room, sizeof *names);
        if (file->count > 0) {
            memcpy(values, file->values, (size_t)file->count * sizeof *values);
            memcpy(names, file->names, (size_t)file->count * sizeof *names);
        }
        free(file->values);
        free(file->names);
        file->values = values;
        file->names = names;
        file->room = room;
    }
    file->names[file->count] = name ? copy_text(name) : NULL;
    file->values[file->count++] = value;
}

/* Columns of a row are told when the row comes: only then is it known that there is no other. */
typedef struct collecting {
    scales_file *file;
    const scree_source *source;
    int64_t rows;
    int64_t text_count;
} collecting;

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    collecting *c = context;
    (void)rows;
    (void)cols;
    (void)columns;
    (void)text_names;
    (void)error;
    c->text_count = text_count;
    return SCREE_OK;
}

static scree_status collect(void *context, const scree_block *rows, scree_error *error)
{
    collecting *c = context;
    const double *data = rows->data;
    (void)error;
    for (int64_t i = 0; i < rows->rows; i++, c->rows++) {
        const char *name = rows->texts && c->text_count > 0 ? rows->texts[i * c->text_count] : NULL;
        c->file->too_wide = c->file->too_wide || (rows->cols > 1 && c->rows > 0);
        if (rows->cols == 1)
            add(c->file, data[i], name);
        for (int64_t j = 0; rows->cols > 1 && c->rows == 0 && j < rows->cols; j++)
            add(c->file, data[i * rows->cols + j], scree_source_column(c->source, j));
    }
    return SCREE_OK;
}

static scree_status read_all(scales_file *file, cli_work *work)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    collecting c = {.file = file};
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    calls.context = &c;
    calls.begin = begin;
    calls.write = collect;
    CLI_TRY(cli_work_beside(work, &source, file->path,
                            "no column holds numbers; a file of scales has a number for each column, in their order "
                            "or beside their names"));
    c.source = source;
    CLI_TRY(scree_sink_to_calls(&sink, &calls, &work->error));
    CLI_TRY(scree_source_copy(source, sink, NULL, &work->error));
    CLI_TRY(scree_sink_finish(sink, &work->error));
done:
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static scree_status refuse(cli_work *work, const char *path, const char *what, const char *name)
{
    work->error.status = SCREE_ERR_SHAPE;
    snprintf(work->error.text, sizeof work->error.text, "%s: %s%s%s%s; give one scale for each column of %s", path,
             what, name ? " '" : "", name ? name : "", name ? "'" : "", scree_source_name(work->source));
    return work->error.status;
}

static bool stand_in_order(const scales_file *file, const scree_source *source)
{
    int64_t j = 0;
    while (j < file->count && j < scree_source_cols(source) && file->names[j] &&
           strcmp(file->names[j], scree_source_column(source, j)) == 0)
        j++;
    return j == file->count && j == scree_source_cols(source);
}

typedef struct named {
    const char *name;
    int64_t at;
    bool used;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static scree_status assign_named(double *scales, const scales_file *file, named *index, cli_work *work)
{
    int64_t count = 0;
    for (int64_t i = 0; i < file->count; i++)
        if (file->names[i])
            index[count++] = (named){.name = file->names[i], .at = i};
    qsort(index, (size_t)count, sizeof *index, by_name);
    for (int64_t j = 0; j < scree_source_cols(work->source); j++) {
        const named wanted = {.name = scree_source_column(work->source, j)};
        named *found = bsearch(&wanted, index, (size_t)count, sizeof *index, by_name);
        if (!found)
            return refuse(work, file->path, "there is no scale for column", wanted.name);
        if ((found > index && by_name(found - 1, found) == 0) ||
            (found + 1 < index + count && by_name(found, found + 1) == 0))
            return refuse(work, file->path, "there are several scales for column", wanted.name);
        if (found->used)
            return refuse(work, file->path, "there is one scale for several columns", wanted.name);
        found->used = true;
        scales[j] = file->values[found->at];
    }
    return SCREE_OK;
}

static scree_status assign(double *scales, const scales_file *file, cli_work *work)
{
    const int64_t cols = scree_source_cols(work->source);
    const bool named_both = file->names[0] && scree_source_column(work->source, 0);
    char text[120];
    if (!named_both && file->count != cols) {
        snprintf(text, sizeof text, "there are %" PRId64 " scales for %" PRId64 " columns", file->count, cols);
        return refuse(work, file->path, text, NULL);
    }
    if (named_both && !stand_in_order(file, work->source)) {
        named *index = cli_alloc((size_t)file->count, sizeof *index);
        const scree_status status = assign_named(scales, file, index, work);
        free(index);
        return status;
    }
    memcpy(scales, file->values, (size_t)cols * sizeof *scales);
    return SCREE_OK;
}

scree_status cli_scales_read(double **scales, cli_work *work, const char *path)
{
    scales_file file = {.path = path};
    scree_status status = read_all(&file, work);
    if (status == SCREE_OK && (file.too_wide || file.count == 0))
        status = refuse(work, path, "this is neither a column nor a row of scales", NULL);
    if (status == SCREE_OK) {
        *scales = cli_alloc((size_t)scree_source_cols(work->source), sizeof **scales);
        status = assign(*scales, &file, work);
    }
    for (int64_t i = 0; i < file.count; i++)
        free(file.names[i]);
    free(file.names);
    free(file.values);
    return status;
}
