/* SPDX-License-Identifier: BSD-3-Clause */
/* A module as others would write it: files that begin with SQUARES and a number n are n rows i, i², 1, and a line more
 * for each row that was written into one. It knows scree.h and is linked with nothing. */

#include "scree.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct squares {
    int64_t rows;
    int64_t at;
    double row[3];
} squares;

static scree_status next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    squares *s = context;
    (void)error;
    if (max_rows < 1 || s->at == s->rows)
        return SCREE_OK;
    s->at++;
    s->row[0] = (double)s->at;
    s->row[1] = (double)(s->at * s->at);
    s->row[2] = 1;
    block->data = s->row;
    block->type = SCREE_F64;
    block->rows = 1;
    block->cols = 3;
    return SCREE_OK;
}

static scree_status again(void *context, scree_error *error)
{
    (void)error;
    ((squares *)context)->at = 0;
    return SCREE_OK;
}

SCREE_API scree_status scree_module_open_1(scree_source_calls *calls, const char *path,
                                           const scree_read_options *options, scree_error *error);

scree_status scree_module_open_1(scree_source_calls *calls, const char *path, const scree_read_options *options,
                                 scree_error *error)
{
    static const char *const names[] = {"root", "square", "one"};
    long long rows = 0;
    FILE *file = fopen(path, "r");
    squares *s = file && fscanf(file, "SQUARES %lld", &rows) == 1 && rows > 0 ? calloc(1, sizeof *s) : NULL;
    if (file)
        fclose(file);
    if (!s || options->columns || options->weights) {
        error->status = SCREE_ERR_FORMAT;
        snprintf(error->text, sizeof error->text, "%.200s: these are no squares", path);
        free(s);
        return SCREE_ERR_FORMAT;
    }
    s->rows = rows;
    calls->context = s;
    calls->next = next;
    calls->rewind = again;
    calls->release = free;
    calls->rows = rows;
    calls->cols = 3;
    calls->columns = names;
    return SCREE_OK;
}

/* ---- writing: SQUARES and the number of rows, or, into another file, a line behind it for each row ---- */

typedef struct writing {
    FILE *file;
    int64_t rows;
    bool into;
} writing;

static scree_status put(void *context, const scree_block *rows, scree_error *error)
{
    writing *w = context;
    const double *data = rows->data;
    for (int64_t i = 0; i < rows->rows; i++, w->rows++)
        if (data[i * rows->row_stride] < 0) {
            snprintf(error->text, sizeof error->text, "a negative root");
            return error->status = SCREE_ERR_VALUE;
        } else if (w->into) {
            fprintf(w->file, "%g\n", data[i * rows->row_stride]);
        }
    return SCREE_OK;
}

static scree_status end(void *context, scree_error *error)
{
    writing *w = context;
    (void)error;
    if (!w->into)
        fprintf(w->file, "SQUARES %lld\n", (long long)w->rows);
    return fflush(w->file) == 0 ? SCREE_OK : SCREE_ERR_IO;
}

static void leave(void *context)
{
    fclose(((writing *)context)->file);
    free(context);
}

SCREE_API scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                            const scree_write_options *options, scree_error *error);

scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                  const scree_write_options *options, scree_error *error)
{
    writing *w = calloc(1, sizeof *w);
    if (w)
        w->file = fopen(path, options->into ? "a" : "w");
    if (!w || !w->file) {
        snprintf(error->text, sizeof error->text, "%.200s: cannot be written", name);
        free(w);
        return error->status = SCREE_ERR_IO;
    }
    w->into = options->into != NULL;
    calls->context = w;
    calls->write = put;
    calls->finish = end;
    calls->release = leave;
    return SCREE_OK;
}

SCREE_API scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                           void *context, scree_error *error);

scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                 void *context, scree_error *error)
{
    scree_part part = SCREE_PART_INIT;
    (void)path, (void)options;
    part.path = "squares";
    part.cols = 3;
    part.kind = "counted";
    return visit(context, &part, error);
}
