/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_impute: rows in, the same rows out with their gaps filled (src/model/impute.c), once with what is
 * expected or several times with draws; and, to a sink of its own, how uncertain each filled cell is. Rows are copied
 * as they are, columns that the model does not know among them, and then the model's missing cells are written over. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/threads.h"
#include "data/team.h"
#include "model/kind.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PLACE = 2 /* columns row and draw, in front of draws */ };

typedef struct imputing {
    scree__row_query query;
    scree__impute_out out;
    const scree__block *block; /* at work */
    scree_sink *sink;          /* of standard deviations, or NULL */
    bool *known;               /* columns of the source: the model has them */
    int64_t room;              /* rows of out.sd */
} imputing;

/* Task: one row as it came, as often as it is wanted, and its spread before gaps are filled. */
static void copy_row(void *context, int64_t i, int worker)
{
    const imputing *all = context;
    const scree__impute_out *out = &all->out;
    const scree__row_block rows = scree__row_query_rows(&all->query, all->block);
    const int64_t copies = out->draws > 0 ? out->draws : 1;
    double *first = out->data + i * copies * out->stride;
    const double *from = scree__rows_load(&rows.x, i, first + out->offset);
    (void)worker;
    if (from != first + out->offset)
        memcpy(first + out->offset, from, (size_t)out->cols * sizeof *from);
    for (int64_t k = 0; k < copies; k++) {
        double *row = first + k * out->stride;
        if (k > 0)
            memcpy(row + out->offset, first + out->offset, (size_t)out->cols * sizeof *row);
        if (out->offset > 0) {
            row[0] = (double)(all->block->first + i + 1);
            row[1] = (double)(k + 1);
        }
    }
    for (int64_t j = 0; out->sd && j < out->cols; j++)
        out->sd[i * out->cols + j] = isnan(first[out->offset + j]) && !all->known[j] ? NAN : 0;
}

static scree_status impute_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    imputing *all = context;
    if (all->sink && block->rows > all->room) {
        free(all->out.sd);
        all->room = 0;
        SCREE_ALLOC(all->out.sd, block->rows * all->out.cols, error);
        all->room = block->rows;
    }
    all->block = block;
    all->out.data = out;
    all->out.first = block->first;
    scree__parallel(threads, block->rows, copy_row, all);
    SCREE_TRY(scree__row_query_block(&all->query, block, &all->out, threads, error));
    if (all->sink)
        SCREE_TRY(scree__sink_write(all->sink, all->out.sd, block->text, block->rows, threads, error));
    if (all->sink && all->query.source->live)
        SCREE_TRY(scree__sink_flush(all->sink, error));
done:
    return status;
}

/* The standard deviations of a row that cannot be used. */
static scree_status impute_bad(void *context, const scree__block *row, scree_error *error)
{
    scree_status status = SCREE_OK;
    const imputing *all = context;
    double *sd = NULL;
    if (!all->sink)
        return SCREE_OK;
    SCREE_ALLOC(sd, all->out.cols, error);
    for (int64_t j = 0; j < all->out.cols; j++)
        sd[j] = (double)NAN;
    SCREE_TRY(scree__sink_write(all->sink, sd, row->text, 1, 1, error));
done:
    free(sd);
    return status;
}

/* row and draw, then the source's columns; NULL when they have no names and none is needed. */
static scree_status name_columns(char ***out, const scree_source *source, int64_t offset, scree_error *error)
{
    scree_status status = SCREE_OK;
    char **names = NULL;
    const scree__sink_shape unnamed = {.cols = source->about.cols,
                                       .columns = (const char *const *)source->about.columns};
    if (offset == 0 && !source->about.columns)
        return SCREE_OK;
    SCREE_ALLOC(names, offset + source->about.cols, error);
    for (int64_t j = 0; j < offset + source->about.cols; j++) {
        char number[24];
        const char *name = j < offset ? (j == 0 ? "row" : "draw") : scree__sink_heading(&unnamed, j - offset, number);
        names[j] = scree__strdup(name);
        if (!names[j])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory");
    }
    *out = names;
    names = NULL;
done:
    scree__strings_free(names, offset + source->about.cols);
    return status;
}

static scree_status begin(imputing *all, const scree_model *model, const scree_impute_options *options,
                          scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *source = all->query.source;
    const int64_t d = scree_model_get(model)->d;
    int64_t bytes = 0; /* of all that would be written */
    if (options->draws < 0 ||
        __builtin_mul_overflow(options->draws, source->about.rows > 0 ? source->about.rows : 1, &bytes) ||
        __builtin_mul_overflow(bytes, (PLACE + source->about.cols) * (int64_t)sizeof(double), &bytes))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " draws of each row cannot be made; ask for fewer",
                   options->draws);
    SCREE_TRY(scree__match_columns(&all->query.columns, model, source, error));
    SCREE_TRY(scree__impute_open(&all->query.chunks, model, source->about.cols, options->run->threads, error));
    SCREE_ALLOC(all->known, source->about.cols, error);
    for (int64_t j = 0; j < d; j++)
        all->known[all->query.columns ? all->query.columns[j] : j] = true;
    all->out.columns = all->query.columns;
    all->out.cols = source->about.cols;
    all->out.offset = options->draws > 0 ? PLACE : 0;
    all->out.stride = all->out.offset + source->about.cols;
    all->out.draws = options->draws;
    all->out.seed = options->seed;
    const bool may_skip = source->faults && !scree__faults_want_nan(source->faults);
    const scree__sink_shape shape = {.rows = may_skip ? -1 : source->about.rows,
                                     .cols = source->about.cols,
                                     .columns = (const char *const *)source->about.columns,
                                     .text_count = source->about.text_count,
                                     .text_names = (const char *const *)source->about.text_names};
    if (all->sink)
        SCREE_TRY(scree__sink_begin(all->sink, &shape, error));
done:
    return status;
}

scree_status scree_model_impute(const scree_model *model, scree_source *source, scree_sink *sink, scree_sink *sd,
                                const scree_impute_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_impute_options mine = SCREE_IMPUTE_OPTIONS_INIT;
    scree_run run;
    imputing all = {.query = {.source = source}, .sink = sd};
    char **names = NULL;
    bool shared = false;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, impute, "impute", error));
    SCREE_TRY(scree__sink_distinct(sink, sd, error));
    if (sd && run.communicator)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "standard deviations are written by one process; leave them out, or run one process");
    SCREE_TRY(begin(&all, model, &mine, error));
    SCREE_TRY(name_columns(&names, source, all.out.offset, error));
    const scree__map map = {.stage = "impute",
                            .cols = all.out.stride,
                            .columns = (const char *const *)names,
                            .rows = impute_rows,
                            .normal = scree__row_query_normal(model),
                            .context = &all,
                            .bad = impute_bad,
                            .numbered = mine.draws > 0,
                            .shares = true,
                            .repeat = mine.draws};
    shared = true;
    SCREE_TRY(scree__stream_run(source, &map, sink, &run, error));
done:
    scree__row_query_close(&all.query);
    scree__strings_free(names, all.out.stride);
    free(all.out.sd);
    free(all.known);
    return scree__team_settle(mine.run, shared, status, error);
}
