/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows on their way into a state. Where none wait, as many as make whole pieces go to the sums where they lie; others
 * are copied and wait. With a half-life H, all rows that were there count 2^(-m/H) times when m more have come, and row
 * i of those m counts 2^(-(m-1-i)/H) times, which are weights like any others; after 150 half-lives a row is
 * forgotten. */

#include "state/state.h"

#include "base/memory.h"
#include "data/pass.h"
#include "kernel/caller_block.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FORGOTTEN = 150, CHECK_BYTES = 1 << 20 };

static scree_status fail_broken(const scree_state *s, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: values were too large for their sums, and the state is lost; rescale the columns and "
                       "begin anew",
                       scree__state_label(s));
}

static scree_status add(scree_state *s, const scree__rows *x, scree_error *error)
{
    if (s->broken)
        return fail_broken(s, error);
    const scree_status status = s->method->add(s->sums, x, error);
    if (status == SCREE_OK)
        return status;
    s->broken = true;
    return status == SCREE_ERR_VALUE ? fail_broken(s, error) : status;
}

/* Weights of the rows that wait are those that the half-life leaves; the first that counts. */
static int64_t fade_waiting(scree_state *s)
{
    int64_t first = 0;
    if (!(s->forget > 0))
        return 0;
    while ((double)(s->waiting - 1 - first) > FORGOTTEN * s->forget)
        first++;
    for (int64_t i = first; i < s->waiting; i++)
        s->weights[i] *= exp2(-(double)(s->waiting - 1 - i) / s->forget);
    return first;
}

void scree__state_fade(const scree_state *s, void *sums, int64_t rows)
{
    s->method->fade(sums, fmax(exp2(-(double)rows / s->forget), 0x1p-1000));
}

/* The rows that wait join the sums. */
static scree_status flush(scree_state *s, scree_error *error)
{
    const bool weighted = s->weighted || s->forget > 0;
    if (s->waiting == 0)
        return SCREE_OK;
    if (s->forget > 0 && s->rows > s->waiting)
        scree__state_fade(s, s->sums, s->waiting);
    const int64_t first = fade_waiting(s);
    scree__rows x = {s->buffer, s->type, s->waiting, s->cols, s->cols, weighted ? s->weights : NULL};
    x = scree__rows_slice(&x, first, s->waiting - first);
    s->waiting = 0;
    s->weighted = false;
    return add(s, &x, error);
}

static scree_status make_room(scree_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (s->buffer)
        return SCREE_OK;
    s->buffer = scree__alloc_raw(s->capacity * s->cols, sizeof(double));
    SCREE_ALLOC(s->weights, s->capacity, error);
    if (!s->buffer)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %" PRId64 " rows of %" PRId64 " columns",
                   s->capacity, s->cols);
done:
    return status;
}

static int64_t size_of(scree_type type)
{
    return type == SCREE_F64 ? 8 : type == SCREE_F32 ? 4 : 1;
}

/* Rows that fit into the buffer, behind those that are there. */
static void wait(scree_state *s, const scree__rows *x)
{
    const int64_t size = size_of(x->type);
    const int64_t bytes = x->cols * size;
    for (int64_t i = 0; i < x->rows; i++) {
        memcpy(s->buffer + (s->waiting + i) * bytes, (const char *)x->data + i * x->stride * size, (size_t)bytes);
        s->weights[s->waiting + i] = x->weights ? x->weights[i] : 1;
    }
    s->weighted = s->weighted || x->weights;
    s->waiting += x->rows;
    s->rows += x->rows;
}

/* Rows of a whole piece or several that the sums can take where they lie; 0: they must wait. */
static int64_t direct(const scree_state *s, int64_t rows)
{
    const int64_t step = s->method->step(s);
    const int64_t most = s->method->batch(s);
    const int64_t whole = rows / step * step;
    return s->waiting > 0 || s->forget > 0 ? 0 : whole < most ? whole : most;
}

scree_status scree__state_take(scree_state *s, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(make_room(s, error));
    if (s->waiting > 0 && s->type != x->type)
        SCREE_TRY(flush(s, error));
    s->type = x->type;
    for (int64_t at = 0, n = 0; at < x->rows; at += n) {
        n = direct(s, x->rows - at);
        if (n > 0) {
            const scree__rows part = scree__rows_slice(x, at, n);
            SCREE_TRY(add(s, &part, error));
            s->rows += n;
            continue;
        }
        const int64_t room = s->capacity - s->waiting;
        n = x->rows - at < room ? x->rows - at : room;
        const scree__rows part = scree__rows_slice(x, at, n);
        wait(s, &part);
        if (s->waiting == s->capacity)
            SCREE_TRY(flush(s, error));
    }
done:
    return status;
}

/* Sums that overflow do so in their diagonal, or where a triangle has one. */
static bool is_finite(const scree_state *s, const scree__tally *t)
{
    bool finite = isfinite(t->weight) && isfinite(t->lost);
    for (int64_t j = 0; finite && j < s->cols; j++)
        finite = isfinite(t->mean[j]) && (!t->squares || isfinite(t->squares[j])) &&
                 (!s->method->is_square || isfinite(t->matrix[j * s->cols + j]));
    return finite;
}

scree_status scree__state_tally(scree_state *s, scree__tally *tally, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(flush(s, error));
    if (s->broken)
        SCREE_TRY(fail_broken(s, error));
    SCREE_TRY(s->method->tally(s->sums, s->mean, s->rest, tally, error));
    s->broken = !is_finite(s, tally);
    if (s->broken)
        SCREE_TRY(fail_broken(s, error));
    tally->rows = s->rows;
done:
    return status;
}

/* ---- from callers ---- */

typedef struct adding {
    scree_state *state;
    const scree_source *source;
} adding;

static scree_status fail_cell(const scree_source *source, const scree__batch *batch, int64_t i, int64_t j, double value,
                              scree_error *error)
{
    char label[256];
    int64_t row = scree__batch_number(batch, i);
    const char *file = scree__source_locate(source, &row);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: row %" PRId64 ", %s is %s; a state takes complete rows: fill the cell in, or leave the row "
                       "or column out",
                       file, row + 1, scree__column_label(source, j, label, sizeof label),
                       isnan(value) ? "missing" : "infinite");
}

scree_status scree__state_check_batch(const scree_source *source, const scree__batch *batch, scree_error *error)
{
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, batch->weights};
    int64_t row;
    int64_t col;
    double value;
    return scree__rows_find_bad(&x, &row, &col, &value) ? fail_cell(source, batch, row, col, value, error) : SCREE_OK;
}

static scree_status check(void *context, const scree__batch *batch, scree_error *error)
{
    return scree__state_check_batch(((const adding *)context)->source, batch, error);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    const adding *a = context;
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, batch->weights};
    const scree_status status = check(context, batch, error);
    return status == SCREE_OK ? scree__state_take(a->state, &x, error) : status;
}

static scree_status adopt_columns(scree_state *s, const scree_source *source, scree_error *error)
{
    scree_status status =
        scree__state_match(s, source->about.path, (const char *const *)source->about.columns, source->about.cols,
                           "give rows of the same columns in the same order, or choose columns", error);
    if (status != SCREE_OK || s->columns || !source->about.columns || s->rows > 0)
        return status;
    s->columns = scree__strings_copy((const char *const *)source->about.columns, s->cols);
    return s->columns ? SCREE_OK
                      : scree__fail(error, SCREE_ERR_MEMORY,
                                    "out of memory: the names of %" PRId64 " columns do not fit", s->cols);
}

scree_status scree_state_add_source(scree_state *s, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run mine;
    adding a = {s, source};
    bool shared = false;
    SCREE_TRY(scree__run_adopt(&mine, &run, error));
    SCREE_TRY(adopt_columns(s, source, error));
    if (run->communicator) {
        shared = true;
        status = scree__state_add_together(s, source, &mine, error);
        goto done;
    }
    if (run->memory > 0)
        SCREE_TRY(scree__state_check_memory(s, run->memory, scree__pass_memory(source, s->capacity), error));
    const scree__pass pass = {.stage = "fit",
                              .pass = 1,
                              .passes = 1,
                              .batch_rows = s->capacity,
                              .run = run,
                              .takes_several = true,
                              .visit = visit,
                              .context = &a};
    SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
done:
    return scree__team_settle(run, shared, status, error);
}

/* Rows that must be converted on their way: looked at first, so that a bad cell leaves the state as it was. */
static scree_status add_converted(scree_state *s, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    const scree_run *run = NULL;
    scree_run mine;
    SCREE_TRY(scree_source_from_memory(&source, rows, error));
    SCREE_TRY(scree__run_adopt(&mine, &run, error));
    mine.threads = s->threads;
    adding a = {s, source};
    const scree__pass pass = {.stage = "fit",
                              .pass = 1,
                              .batch_rows = scree__source_rows_in(source, CHECK_BYTES),
                              .run = run,
                              .visit = check,
                              .context = &a};
    if (rows->rows > 0)
        SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
    if (rows->rows > 0)
        SCREE_TRY(scree_state_add_source(s, source, run, error));
done:
    scree_source_free(source);
    return status;
}

scree_status scree_state_add(scree_state *s, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_block given;
    int64_t row;
    int64_t col;
    double value;
    SCREE_TRY(scree__caller_block_check(&given, rows, "the rows", s->rows, error));
    SCREE_TRY(scree__state_match(s, "the rows", NULL, given.cols, "give rows of the same columns", error));
    if (s->broken)
        SCREE_TRY(fail_broken(s, error));
    if (!scree__caller_block_is_plain(&given) || given.weights) {
        status = add_converted(s, &given, error);
        goto done;
    }
    const scree__rows x = {given.data, given.type, given.rows, given.cols, given.row_stride, NULL};
    if (scree__rows_find_bad(&x, &row, &col, &value))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "the rows: row %" PRId64 ", column %" PRId64 " is %s; a state takes complete rows: fill the cell "
                   "in, or leave the row or column out",
                   row + 1, col + 1, isnan(value) ? "missing" : "infinite");
    SCREE_TRY(scree__state_take(s, &x, error));
done:
    return status;
}
