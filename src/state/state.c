/* SPDX-License-Identifier: BSD-3-Clause */
/* States as callers see them: made, added to, merged, looked at. Rows go to the sums of the method in pieces whose size
 * depends on the columns alone; what is left waits in a buffer, in its own type, so that a row at a time costs a copy
 * and rows of a thousand what one large array would (state_rows.c). */

#include "state/state.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/threads.h"
#include "data/source.h"
#include "kernel/sketch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_SQUARE = 5000, USUAL_RANK = 100, FEWEST_COLS = 4, MOST_COLS = 1 << 27 };

void scree_state_free(scree_state *state)
{
    if (!state)
        return;
    if (state->sums)
        state->method->free(state->sums);
    scree__strings_free(state->columns, state->cols);
    free(state->name);
    free(state->mean);
    free(state->rest);
    free(state->variances);
    free(state->buffer);
    free(state->weights);
    free(state);
}

const char *scree__state_label(const scree_state *state)
{
    return state->name ? state->name : "the state";
}

static scree_status check_forget(double rows, scree_error *error)
{
    if (rows == 0 || (rows >= 1 && isfinite(rows)))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "a half-life of %g rows makes no sense; give 1 or more, or 0 to forget nothing", rows);
}

static scree_status choose_method(scree_state *s, const scree_state_options *options, scree_error *error)
{
    const char *name = options->method ? options->method : s->cols > MOST_SQUARE ? "low-rank" : "covariance";
    const int64_t most = s->cols / 2 < s->cols - 3 ? s->cols / 2 : s->cols - 3;
    s->method = scree__state_method_named(name);
    if (!s->method)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "there is no state '%.40s'; there are covariance, svd and low-rank", name);
    if (!s->method->has_squares && options->rank != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "a rank is for low-rank states; leave it out, or take low-rank instead of %s",
                           s->method->name);
    if (!s->method->has_squares)
        return SCREE_OK;
    const bool is_few = s->cols < FEWEST_COLS; /* a sketch would have no row to cut: the triangle is as small */
    const int64_t limit = is_few ? s->cols : most;
    if (options->rank < 0 || options->rank > limit)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "a low-rank state of %" PRId64 " column%s cannot keep %" PRId64
                           " directions; keep 1 to %" PRId64 ", or take svd",
                           s->cols, s->cols == 1 ? "" : "s", options->rank, limit);
    if (is_few) {
        s->method = scree__state_method_named("svd");
        return SCREE_OK;
    }
    s->rank = options->rank > 0 ? options->rank : most < USUAL_RANK ? most : USUAL_RANK;
    return SCREE_OK;
}

/* Rows that wait until there are enough: a piece for each thread, as many as the method takes at once. */
static int64_t capacity_of(const scree_state *s)
{
    const int64_t step = s->method->step(s);
    const int64_t most = s->method->batch(s) / step;
    return step * (s->threads < most ? s->threads : most > 0 ? most : 1);
}

scree_status scree__state_check_memory(const scree_state *s, int64_t memory, int64_t beside, scree_error *error)
{
    const double mebibyte = 1 << 20;
    const int64_t limit = memory > 0 ? memory : scree__memory_available() / 10 * 8;
    const bool is_possible = s->cols <= MOST_COLS || !s->method->is_square;
    const int64_t needs = is_possible ? s->method->memory(s) + capacity_of(s) * (s->cols + 1) * 8 + beside : INT64_MAX;
    if (needs <= limit)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%.3g MiB is too little memory: a %s state of %" PRId64
                       " columns needs %.3g MiB; allow that much%s",
                       (double)limit / mebibyte, s->method->name, s->cols, (double)needs / mebibyte,
                       s->method->is_square ? ", or take low-rank" : ", or a smaller rank");
}

scree_status scree__state_make(scree_state **out, int64_t cols, const char *const *columns,
                               const scree_state_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *s = NULL;
    if (cols < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a state of %" PRId64 " columns cannot be; give 1 or more", cols);
    SCREE_ALLOC(s, 1, error);
    s->cols = cols;
    s->threads = scree__threads(options->threads);
    s->forget = options->forget;
    SCREE_TRY(check_forget(s->forget, error));
    SCREE_TRY(choose_method(s, options, error));
    SCREE_TRY(scree__state_check_memory(s, options->memory, 0, error));
    s->columns = scree__strings_copy(columns, columns ? cols : 0);
    if (columns && !s->columns)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: the names of %" PRId64 " columns do not fit", cols);
    SCREE_ALLOC(s->mean, cols, error);
    SCREE_ALLOC(s->rest, cols, error);
    SCREE_ALLOC(s->variances, cols, error);
    SCREE_TRY(s->method->create(&s->sums, s, error));
    s->capacity = capacity_of(s);
    s->type = SCREE_F64;
    *out = s;
    s = NULL;
done:
    scree_state_free(s);
    return status;
}

scree_status scree_state_new(scree_state **out, int64_t cols, const scree_state_options *options, scree_error *error)
{
    scree_state_options mine = SCREE_STATE_OPTIONS_INIT;
    const scree_status status = SCREE_ADOPT(&mine, options, error);
    return status == SCREE_OK ? scree__state_make(out, cols, mine.columns, &mine, error) : status;
}

scree_status scree_state_for(scree_state **out, const scree_source *source, const scree_state_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state_options mine = SCREE_STATE_OPTIONS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!mine.columns)
        mine.columns = (const char *const *)source->about.columns;
    SCREE_TRY(scree__state_make(out, source->about.cols, mine.columns, &mine, error));
    (*out)->image_rows = source->about.image_rows;
    (*out)->image_cols = source->about.image_cols;
done:
    return status;
}

scree_status scree_state_forget(scree_state *state, double rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tally tally;
    SCREE_TRY(check_forget(rows, error));
    if (rows != state->forget)
        SCREE_TRY(scree__state_tally(state, &tally, error)); /* rows that wait fade as was said before */
    state->forget = rows;
done:
    return status;
}

/* The sentence for states that do not belong together; SCREE_OK: they do. */
static scree_status check_pair(const scree_state *into, const scree_state *from, scree_error *error)
{
    const char *a = scree__state_label(into);
    const char *b = scree__state_label(from);
    if (into->method != from->method)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s is kept by %s, and %s by %s; merge states that are kept by the same method", b,
                           from->method->name, a, into->method->name);
    if (into->rank != from->rank)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s has the rank %" PRId64 ", and %s has %" PRId64 "; merge states of the same rank", b,
                           from->rank, a, into->rank);
    const scree_status status = scree__state_match(into, b, (const char *const *)from->columns, from->cols,
                                                   "merge states of the same columns in the same order", error);
    if (status != SCREE_OK)
        return status;
    if (into->forget > 0 && from->forget > 0 && into->forget != from->forget)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s has a half-life of %g row%s, and %s one of %g; merge states of the same half-life", b,
                           from->forget, from->forget == 1 ? "" : "s", a, into->forget);
    return SCREE_OK;
}

/* What one of both knows, the sum knows, whichever comes first. */
static scree_status adopt_about(scree_state *into, const scree_state *from, scree_error *error)
{
    if (!into->columns && from->columns) {
        into->columns = scree__strings_copy((const char *const *)from->columns, from->cols);
        if (!into->columns)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: the names of %" PRId64 " columns do not fit",
                               from->cols);
    }
    if (into->image_rows == 0) {
        into->image_rows = from->image_rows;
        into->image_cols = from->image_cols;
    }
    into->forget = fmax(into->forget, from->forget);
    return SCREE_OK;
}

scree_status scree__state_join_about(scree_state *into, const scree_state *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *name = NULL;
    const bool is_named_first = !into->columns && from->columns;
    SCREE_TRY(check_pair(into, from, error));
    SCREE_TRY(adopt_about(into, from, error));
    if (!is_named_first)
        goto done;
    name = scree__strdup(scree__state_label(from));
    if (!name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__state_label(from));
    free(into->name);
    into->name = name;
done:
    return status;
}

scree_status scree__state_check_rows(int64_t rows, int64_t more, scree_error *error)
{
    if (rows <= SCREE__STATE_MOST_ROWS - more)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%" PRId64 " rows and %" PRId64 " more are more than a state can count; merge fewer states",
                       rows, more);
}

scree_status scree_state_merge(scree_state *into, scree_state *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tally mine;
    scree__tally theirs;
    if (into == from)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a state cannot be merged with itself; load or make another");
    SCREE_TRY(check_pair(into, from, error));
    SCREE_TRY(scree__state_check_rows(into->rows, from->rows, error));
    SCREE_TRY(scree__state_tally(into, &mine, error));
    SCREE_TRY(scree__state_tally(from, &theirs, error));
    SCREE_TRY(adopt_about(into, from, error));
    SCREE_TRY(into->method->gain(into->sums, &theirs, error));
    into->rows += from->rows;
done:
    return status;
}

/* Divisor N; from the diagonal of the scatter, the columns of its triangle, or what a sketch counts. */
static void fill_variances(scree_state *s, const scree__tally *t)
{
    const int64_t d = s->cols;
    for (int64_t j = 0; j < d; j++) {
        double sum = t->squares ? t->squares[j] : 0;
        if (!t->squares && strcmp(s->method->matrix, "scatter") == 0)
            sum = t->matrix[j * d + j];
        else if (!t->squares)
            for (int64_t i = 0; i <= j; i++)
                sum += t->matrix[j * d + i] * t->matrix[j * d + i];
        s->variances[j] = t->weight > 0 ? sum / t->weight : 0;
    }
}

scree_status scree_state_get(const scree_state_view **out, scree_state *state, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tally tally;
    SCREE_TRY(scree__state_tally(state, &tally, error));
    fill_variances(state, &tally);
    const double lost = state->method->has_squares
                            ? scree__sketch_lost(tally.matrix, tally.height, state->cols, tally.squares, tally.lost)
                            : 0;
    state->view = (scree_state_view){.size = sizeof state->view,
                                     .method = state->method->name,
                                     .cols = state->cols,
                                     .rows = state->rows,
                                     .weight = tally.weight,
                                     .mean = state->mean,
                                     .variances = state->variances,
                                     .columns = (const char *const *)state->columns,
                                     .forget = state->forget,
                                     .rank = state->rank,
                                     .bound = tally.weight > 0 ? lost / tally.weight : 0,
                                     .bytes = tally.height * state->cols * 8,
                                     .name = state->name};
    *out = &state->view;
done:
    return status;
}
