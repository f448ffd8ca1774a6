/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_source_explore: what else a row could have been (10.7.3). For each row x*, again and again:
 *
 *     z* ~ p(z|x*) = N(m, C),   x̃* ~ p(x|z*) = N(Bz* + µ, σ²I);   together x̃* ~ N(Bm + µ, BCBᵀ + σ²I).
 *
 * A row with gaps has its own m and C, given what is there of it (gap_solver.h).
 *
 * A source around a source: rows in, draws of each out, in O(block) memory however many draws there are. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/wide.h"
#include "kernel/blas.h"
#include "model/draw.h"
#include "model/kind.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, MOST_ROWS = 16384, PLACE = 2 /* columns row and draw */ };

typedef struct explorer {
    scree_source base;
    scree_source *rows;
    const scree_model *model;
    const scree_model *kept; /* the same with all components that were kept */
    scree_explore_options options;
    int threads;
    scree__row_query posterior;
    scree__draw draw;
    const scree__gap_solver *solver; /* NULL: rows with gaps are refused */
    void *gaps;                      /* of the solver, solved for the row at work when it has any */
    bool has_gaps;
    double *given;            /* a row as it comes */
    uint8_t *missing;         /* D */
    double *normals;          /* M */
    scree__block given_block; /* of rows, as the source has lent it */
    int64_t given_at;         /* rows of it that were taken */
    int64_t at_once;          /* rows to try, after one was refused; 0: as many as there are */
    scree__block block;       /* the part of it that is at work */
    bool bad;                 /* that is a row that cannot be used, and is answered with NaN */
    double *means;            /* of its rows, M each */
    int64_t means_count;      /* rows that means can hold */
    int64_t seen;             /* rows read so far */
    int64_t row;              /* in the block, next */
    int64_t drawn;            /* of that row */
    int64_t at;               /* draws made in all: the number of the next */
    int64_t capacity;
    double *z;
    double *x;
    double *out;
    const char **text;
} explorer;

/* The next block of the source; skips to the one row that is wanted. */
static scree_status read_rows(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block *given = &e->given_block;
    e->rows->takes_origin = true;
    do {
        SCREE_TRY(scree__source_next(e->rows, given, error));
        e->seen += given->rows;
    } while (given->rows > 0 && e->options.row >= given->first + given->rows);
    if (given->rows > 0 && e->options.row >= 0) {
        const int64_t before = e->options.row - given->first;
        const uint8_t *bad = given->bad ? given->bad + before : NULL;
        *given = scree__block_part(e->rows, given, before, 1);
        given->bad = bad;
    }
    e->given_at = 0;
done:
    return status;
}

/* The posteriors of the part at work. */
static scree_status solve(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(e->model);
    SCREE_TRY(scree__wide_check(e->rows, &e->block, e->posterior.columns, view->d, error));
    if (e->block.rows > e->means_count) {
        free(e->means);
        e->means_count = 0;
        SCREE_ALLOC(e->means, e->block.rows * view->m, error);
        e->means_count = e->block.rows;
    }
    scree__posterior_out out = {.means = e->means};
    SCREE_TRY(scree__row_query_block(&e->posterior, &e->block, &out, e->draw.threads, error));
    e->base.gaps = e->rows->gaps;
done:
    return status;
}

/* The rows up to the next that is bad, or that one. Where the model refuses one of them, the first half of them, and so
 * on: those before it are answered. After that parts grow by doubling, so that each row is tried a few times, however
 * many are refused. */
static scree_status take_part(explorer *e, scree_error *error)
{
    const scree__block *given = &e->given_block;
    const int64_t from = e->given_at;
    int64_t end = from + 1;
    scree_status status = SCREE_OK;
    e->bad = given->bad && given->bad[from];
    while (given->bad && !e->bad && end < given->rows && !given->bad[end])
        end++;
    end = given->bad ? end : given->rows;
    if (e->at_once > 0 && end - from > e->at_once)
        end = from + e->at_once;
    for (;; end = from + (end - from) / 2) {
        scree_error why = SCREE_ERROR_INIT;
        e->block = scree__block_part(e->rows, given, from, end - from);
        if (e->bad)
            break;
        status = solve(e, &why);
        if (status == SCREE_OK && e->at_once > 0)
            e->at_once = e->at_once < given->rows ? 2 * e->at_once : 0;
        if (status == SCREE_OK)
            break;
        e->at_once = (end - from + 1) / 2;
        e->bad = status == SCREE_ERR_VALUE && end - from == 1 && e->rows->faults;
        if (e->bad) {
            scree__faults_add(e->rows->faults, why.text);
            break;
        }
        if (end - from == 1 || (status != SCREE_ERR_VALUE && status != SCREE_ERR_UNSUPPORTED))
            return scree__fail(error, status, "%s", why.text);
    }
    e->given_at = end;
    return SCREE_OK;
}

/* The next rows with their posteriors. */
static scree_status more_rows(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    do {
        if (e->given_at == e->given_block.rows)
            SCREE_TRY(read_rows(e, error));
        e->block = e->given_block;
        if (e->given_block.rows > 0)
            SCREE_TRY(take_part(e, error));
    } while (e->block.rows > 0 && e->bad && !scree__faults_want_nan(e->rows->faults) && e->options.row < 0);
    e->row = 0;
    e->drawn = 0;
done:
    return status;
}

/* Whether rows of the block are still to be explored. */
static bool has_rows(const explorer *e)
{
    if (e->options.row >= 0 && e->at >= e->options.draws)
        return false;
    return e->row < e->block.rows;
}

/* Before the first draw of a row: a row with gaps has a covariance of its own. */
static scree_status meet_row(explorer *e, scree_error *error)
{
    const scree__row_block rows = scree__row_query_rows(&e->posterior, &e->block);
    const int64_t d = scree_model_get(e->model)->d;
    const double *x = scree__rows_load(&rows.x, e->row, e->given);
    e->has_gaps = false;
    for (int64_t j = 0; j < d && !e->bad; j++) {
        e->missing[j] = (bool)isnan(x[rows.columns ? rows.columns[j] : j]);
        e->has_gaps = e->has_gaps || e->missing[j];
    }
    if (!e->has_gaps)
        return SCREE_OK;
    if (!e->solver)
        return scree__kind_needs_entry(e->model, false, "a row with gaps", error);
    scree__blas_enter();
    const scree_status status = e->solver->solve(e->gaps, e->missing, true, error);
    scree__blas_leave();
    return status;
}

/* z* for one draw, from the standard normal that is in its place. */
static void shift_latent(explorer *e, double *z)
{
    const int64_t m = scree_model_get(e->model)->m;
    memcpy(e->normals, z, (size_t)m * sizeof *z);
    e->model->kind->density->spread(e->model, e->has_gaps ? e->gaps : NULL, e->normals, z);
    for (int64_t j = 0; j < m; j++)
        z[j] = e->bad ? 0.0 : e->means[e->row * m + j] + z[j];
}

/* Fills rows of the output with row and draw numbers and z*; how many. */
static scree_status plan_draws(explorer *e, int64_t most, int64_t *planned, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(e->model);
    const int64_t cols = e->base.about.cols;
    const int64_t texts = e->base.about.text_count;
    int64_t count = 0;
    for (; count < most && e->row < e->block.rows; count++) {
        double *out = e->out + count * cols;
        if (e->drawn == 0)
            SCREE_TRY(meet_row(e, error));
        out[0] = (double)(e->block.first + e->row + 1);
        out[1] = (double)(e->drawn + 1);
        shift_latent(e, e->z + count * view->m);
        if (e->options.latent)
            memcpy(out + PLACE, e->z + count * view->m, (size_t)view->m * sizeof *out);
        for (int64_t t = 0; e->block.text && t < texts; t++)
            e->text[count * texts + t] = e->block.text[e->row * texts + t];
        if (++e->drawn == e->options.draws) {
            e->drawn = 0;
            e->row = e->options.row >= 0 ? e->block.rows : e->row + 1;
        }
    }
    *planned = count;
done:
    return status;
}

static scree_status next(scree_source *source, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    explorer *e = (explorer *)source;
    const scree_model_view *view = scree_model_get(e->model);
    int64_t most = source->block_rows < e->capacity ? source->block_rows : e->capacity;
    const int64_t offset = PLACE + (e->options.latent ? view->m : 0);
    *block = (scree__block){.type = SCREE_F64, .stride = source->about.cols, .first = e->at};
    if (!has_rows(e) && !(e->options.row >= 0 && e->at > 0))
        SCREE_TRY(more_rows(e, error));
    if (e->block.rows == 0 && e->options.row >= 0 && e->at == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no row %" PRId64 ", the last is row %" PRId64,
                   e->rows->about.path, e->options.row + 1, e->seen);
    if (!has_rows(e))
        goto done;
    int64_t left = 0; /* of a row that came alone, no more than its own draws */
    if (!__builtin_mul_overflow(e->options.row >= 0 ? 1 : e->block.rows - e->row, e->options.draws, &left) &&
        left - e->drawn < most)
        most = left - e->drawn;
    scree__draw_latent(&e->draw, e->at, most, e->z);
    SCREE_TRY(plan_draws(e, most, &block->rows, error));
    SCREE_TRY(scree__draw_visible(&e->draw, e->at, block->rows, e->z, e->x, error));
    for (int64_t i = 0; i < block->rows; i++)
        memcpy(e->out + i * source->about.cols + offset, e->x + i * view->d, (size_t)view->d * sizeof *e->x);
    for (int64_t i = 0; e->bad && i < block->rows * source->about.cols; i++)
        if (i % source->about.cols >= PLACE)
            e->out[i] = (double)NAN;
    block->data = e->out;
    block->text = e->block.text ? e->text : NULL;
    e->at += block->rows;
done:
    return status;
}

static scree_status rewind_rows(scree_source *source, scree_error *error)
{
    explorer *e = (explorer *)source;
    e->block = (scree__block){0};
    e->given_block = (scree__block){0};
    e->given_at = 0;
    e->at_once = 0;
    e->row = 0;
    e->drawn = 0;
    e->seen = 0;
    e->at = 0;
    return scree__source_restart(e->rows, error);
}

static void close_explorer(scree_source *source)
{
    explorer *e = (explorer *)source;
    scree__row_query_close(&e->posterior);
    scree__draw_close(&e->draw);
    if (e->solver)
        e->solver->close(e->gaps);
    scree_source_free(e->rows);
    free(e->given);
    free(e->missing);
    free(e->normals);
    free(e->means);
    free(e->z);
    free(e->x);
    free(e->out);
    free(e->text);
}

static const scree__source_table table = {
    .name = "explore", .next = next, .rewind = rewind_rows, .close = close_explorer};

/* row, draw, z1..zM where wanted, then the model's columns. */
static scree_status name_columns(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(e->model);
    const int64_t latent = e->options.latent ? view->m : 0;
    SCREE_ALLOC(e->base.about.columns, e->base.about.cols, error);
    for (int64_t j = 0; j < e->base.about.cols; j++) {
        char number[32];
        const int64_t at = j - PLACE - latent;
        const char *name = number;
        if (j < PLACE)
            name = j == 0 ? "row" : "draw";
        else if (at < 0)
            snprintf(number, sizeof number, "z%" PRId64, j - PLACE + 1);
        else if (view->columns)
            name = view->columns[at];
        else
            snprintf(number, sizeof number, "c%" PRId64, at + 1);
        e->base.about.columns[j] = scree__strdup(name);
        if (!e->base.about.columns[j])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory");
    }
done:
    return status;
}

static scree_status describe(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(e->model);
    const scree_source *rows = e->rows;
    const int64_t draws = e->options.draws;
    int64_t count = -1;
    if (e->options.row >= 0)
        count = draws;
    else if (rows->about.rows >= 0 && __builtin_mul_overflow(rows->about.rows, draws, &count))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " draws of each row are too many", draws);
    e->base = (scree_source){
        .table = &table,
        .about.path = scree__strdup(rows->about.path),
        .about.type = SCREE_F64,
        .about.rows = count,
        .about.rows_estimate = count,
        .about.cols = PLACE + (e->options.latent ? view->m : 0) + view->d,
        .can = rows->can & SCREE__CAN_REWIND,
        .live = rows->live,
        .faults = rows->faults,
        .about.text_names = scree__strings_copy((const char *const *)rows->about.text_names, rows->about.text_count),
        .about.text_count = rows->about.text_count};
    if (!e->base.about.path || (rows->about.text_names && !e->base.about.text_names))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory");
    const int64_t fit = scree__source_rows_in(&e->base, BLOCK_BYTES);
    e->capacity = fit < MOST_ROWS ? fit : MOST_ROWS;
    e->base.block_rows = e->capacity;
    e->base.memory = rows->memory + rows->block_rows * rows->about.cols * scree__type_size(rows->about.type) +
                     8 * e->capacity * (view->m + 2 * view->d + e->base.about.cols);
    SCREE_TRY(name_columns(e, error));
done:
    return status;
}

static scree_status allocate(explorer *e, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(e->model);
    e->solver = e->model->kind->density->gaps;
    if (e->solver)
        SCREE_TRY(e->solver->open(&e->gaps, e->model, error));
    SCREE_ALLOC(e->given, e->rows->about.cols, error);
    SCREE_ALLOC(e->missing, view->d, error);
    SCREE_ALLOC(e->normals, view->m, error);
    SCREE_ALLOC(e->z, e->capacity * view->m, error);
    SCREE_ALLOC(e->x, e->capacity * view->d, error);
    SCREE_ALLOC(e->out, e->capacity * e->base.about.cols, error);
    SCREE_ALLOC(e->text, e->capacity * e->base.about.text_count, error);
    SCREE_TRY(scree__draw_open(&e->draw, e->kept, e->options.seed, e->threads, e->capacity, error));
    SCREE_TRY(scree__posterior_open(&e->posterior.chunks, e->model, e->rows->about.cols, e->threads, error));
done:
    return status;
}

scree_status scree_source_explore(scree_source **out, const scree_model *model, scree_source *rows,
                                  const scree_explore_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_explore_options mine = SCREE_EXPLORE_OPTIONS_INIT;
    scree_run run;
    explorer *e = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    if (mine.draws < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " draws cannot be made; ask for at least 1", mine.draws);
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, spread, "explore", error));
    SCREE_ALLOC(e, 1, error);
    e->kept = model;
    e->model = scree_model_distribution(model);
    e->rows = rows;
    e->options = mine;
    e->options.run = NULL; /* the caller's, for the time of this call */
    e->threads = run.threads;
    e->posterior.source = rows;
    SCREE_TRY(scree__match_columns(&e->posterior.columns, model, rows, error));
    SCREE_TRY(describe(e, error));
    SCREE_TRY(allocate(e, error));
    SCREE_TRY(scree__source_restart(rows, error));
    *out = &e->base;
    e = NULL;
done:
    if (e) {
        e->rows = NULL; /* still the caller's */
        e->base.table = &table;
        scree_source_free(&e->base);
    }
    return status;
}
