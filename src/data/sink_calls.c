/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink into the caller's own code. Rows are lent as they come, in order, one call for each block; what a callback
 * says when it fails is passed on word for word. */

#include "data/sink.h"

#include "base/memory.h"
#include "base/sized.h"

typedef struct calls_sink {
    scree_sink base;
    scree_sink_calls calls;
    int64_t cols;
} calls_sink;

static scree_status pass_on(const calls_sink *to, scree_status status, const scree_error *said, const char *call,
                            scree_error *error)
{
    return status == SCREE_OK ? SCREE_OK : scree__fail_as_said(status, said, to->base.path, call, error);
}

static scree_status calls_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    calls_sink *to = (calls_sink *)sink;
    scree_error said = SCREE_ERROR_INIT;
    to->cols = shape->cols;
    if (!to->calls.begin)
        return SCREE_OK;
    const scree_status status = to->calls.begin(to->calls.context, shape->rows, shape->cols, shape->columns,
                                                shape->text_names, shape->text_count, &said);
    return pass_on(to, status, &said, "begin", error);
}

static scree_status calls_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                int threads, scree_error *error)
{
    const calls_sink *to = (const calls_sink *)sink;
    scree_error said = SCREE_ERROR_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    (void)threads;
    block.data = data;
    block.rows = rows;
    block.cols = to->cols;
    block.row_stride = to->cols;
    block.col_stride = 1;
    block.texts = text;
    return pass_on(to, to->calls.write(to->calls.context, &block, &said), &said, "write", error);
}

static scree_status calls_finish(scree_sink *sink, scree_error *error)
{
    const calls_sink *to = (const calls_sink *)sink;
    scree_error said = SCREE_ERROR_INIT;
    return to->calls.finish ? pass_on(to, to->calls.finish(to->calls.context, &said), &said, "finish", error)
                            : SCREE_OK;
}

static void calls_close(scree_sink *sink)
{
    const calls_sink *to = (const calls_sink *)sink;
    if (to->calls.release)
        to->calls.release(to->calls.context);
}

static const scree__sink_table calls_table = {
    .name = "calls", .begin = calls_begin, .write = calls_write, .finish = calls_finish, .close = calls_close};

scree_status scree_sink_to_calls(scree_sink **out, const scree_sink_calls *calls, scree_error *error)
{
    scree_status status = SCREE_OK;
    calls_sink *to = NULL;
    scree_sink_calls mine = SCREE_SINK_CALLS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, calls, error));
    if (!mine.write)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no callback 'write' to take rows",
                   mine.name ? mine.name : "rows");
    SCREE_ALLOC(to, 1, error);
    to->base =
        (scree_sink){.table = &calls_table, .path = scree__strdup(mine.name ? mine.name : "rows"), .type = SCREE_F64};
    if (!to->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "rows: out of memory");
    to->calls = mine;
    *out = &to->base;
    to = NULL;
done:
    free(to);
    return status;
}
