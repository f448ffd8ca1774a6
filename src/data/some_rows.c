/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: rows first .. last, or those of them that were drawn. The inner source reads as it always
 * does, from the first row that is wanted on where it can begin there; rows that are not wanted are left out of its
 * blocks, and reading ends with the last one that is. Rows that follow each other are lent where they lie, and those of
 * a sample are copied. Messages about a row name the one of the file. Of rows that are drawn where their number is not
 * known, the inner source is read once to count them. */

#include "data/some_rows.h"

#include "base/memory.h"
#include "data/entries.h"

#include <inttypes.h>
#include <string.h>

typedef struct some_rows {
    scree_source base;
    scree_source *whole;
    scree_source *part; /* what is read: the whole, or a slice of it */
    int64_t before;     /* rows of the whole that come before those of the part */
    int64_t first;      /* rows of the whole, from 0 */
    int64_t end;        /* behind the last one; INT64_MAX: all */
    scree__draw draw;   /* sorted; heap NULL: no sample */
    int64_t at;         /* of the rows that are lent, the next */
    int64_t number;     /* of the row of the whole that the part lends next */
    bool ended;
    bool seeks;   /* the whole is read from the first row that is wanted on */
    bool borrows; /* the whole is the caller's */
    scree_read_options asked;
    scree__budget budget;
    scree__csr cells; /* of the rows that are wanted, where the whole keeps cells */
    int64_t *cell_start;
    int32_t *cell_column;
    double *cell_value;
    scree__buffer rows; /* of a sample: what is lent */
    scree__buffer text;
    scree__buffer weights;
    scree__buffer bad;
    scree__buffer totals;
    scree__entries_room entries;
} some_rows;

scree_status scree__some_rows_fail(const scree_source *inner, int64_t rows, const scree_read_options *options,
                                   scree_error *error)
{
    const char *file = inner->about.path;
    const int64_t least = options->first_row > options->last_row ? options->first_row : options->last_row;
    if (rows < least)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: has %" PRId64 " row%s, and --rows asks for row %" PRId64 "; choose among those", file,
                           rows, rows == 1 ? "" : "s", least);
    const int64_t among =
        (options->last_row > 0 ? options->last_row : rows) - (options->first_row > 0 ? options->first_row - 1 : 0);
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: %" PRId64 " rows cannot be drawn from %" PRId64 "; draw at most as many as there are", file,
                       options->sample, among);
}

static const char *locate(const scree_source *base, int64_t *row)
{
    const some_rows *s = (const some_rows *)base;
    *row = s->draw.heap ? s->draw.heap[*row < s->draw.count ? *row : s->draw.count - 1].row : s->first + *row;
    return scree__source_locate(s->whole, row);
}

/* How many rows of the part's block, from number at of the whole on, are wanted; *skip: that come before these. */
static int64_t wanted_in(const some_rows *s, int64_t rows, int64_t *skip)
{
    const int64_t from = s->first > s->number ? s->first - s->number : 0;
    const int64_t to = s->end < s->number + rows ? s->end - s->number : rows;
    *skip = from;
    return to > from ? to - from : 0;
}

/* One row of a block behind those of the sample that were taken from it. */
static scree_status take_row(some_rows *s, const scree__block *from, int64_t i, scree__block *to, scree_error *error)
{
    const scree_source *base = &s->base;
    const int64_t size = base->about.cols * scree__type_size(from->type);
    const int64_t texts = base->about.text_count;
    const int64_t k = to->rows++;
    if (from->starts) {
        const scree_status status = scree__entries_add(&s->entries, from, i, 1, base->about.path, error);
        if (status != SCREE_OK)
            return status;
    } else {
        memcpy(s->rows.data + k * size, (const char *)from->data + i * from->stride * scree__type_size(from->type),
               (size_t)size);
    }
    for (int64_t t = 0; from->text && t < texts; t++)
        ((const char **)(void *)s->text.data)[k * texts + t] = from->text[i * texts + t];
    if (from->weights)
        ((double *)(void *)s->weights.data)[k] = from->weights[i];
    if (from->totals)
        ((double *)(void *)s->totals.data)[k] = from->totals[i];
    if (from->bad)
        s->bad.data[k] = (char)from->bad[i];
    return SCREE_OK;
}

/* Space for so many rows of a sample. */
static scree_status reserve(some_rows *s, const scree__block *from, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &s->base.about;
    scree__entries_empty(&s->entries);
    if (!from->starts)
        SCREE_TRY(
            scree__buffer_reserve(&s->rows, rows * about->cols * scree__type_size(from->type), about->path, error));
    if (from->text)
        SCREE_TRY(
            scree__buffer_reserve(&s->text, rows * about->text_count * (int64_t)sizeof(char *), about->path, error));
    if (from->weights)
        SCREE_TRY(scree__buffer_reserve(&s->weights, rows * 8, about->path, error));
    if (from->totals)
        SCREE_TRY(scree__buffer_reserve(&s->totals, rows * 8, about->path, error));
    if (from->bad)
        SCREE_TRY(scree__buffer_reserve(&s->bad, rows, about->path, error));
done:
    return status;
}

/* The rows of a block that were drawn. */
static scree_status gather(some_rows *s, const scree__block *from, scree__block *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t count = 0;
    while (s->at + count < s->draw.count && s->draw.heap[s->at + count].row < s->number + from->rows)
        count++;
    to->rows = 0;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(reserve(s, from, count, error));
    for (int64_t k = 0; k < count; k++)
        SCREE_TRY(take_row(s, from, s->draw.heap[s->at + k].row - s->number, to, error));
    to->data = from->starts ? s->entries.values : s->rows.data;
    to->stride = s->base.about.cols;
    to->starts = from->starts ? s->entries.starts : NULL;
    to->indices = from->starts ? s->entries.indices : NULL;
    to->text = from->text ? (const char *const *)(const void *)s->text.data : NULL;
    to->weights = from->weights ? (const double *)(const void *)s->weights.data : NULL;
    to->totals = from->totals ? (const double *)(const void *)s->totals.data : NULL;
    to->bad = from->bad ? (const uint8_t *)s->bad.data : NULL;
done:
    return status;
}

/* At the end of the part: were all there that were asked for? */
static scree_status check_end(some_rows *s, scree_error *error)
{
    const bool short_of_rows = s->number < s->first + 1 || (s->end < INT64_MAX && s->number < s->end);
    s->ended = true;
    return short_of_rows ? scree__some_rows_fail(s->whole, s->number, &s->asked, error) : SCREE_OK;
}

static scree_status some_rows_next(scree_source *base, scree__block *block, scree_error *error)
{
    some_rows *s = (some_rows *)base;
    scree_status status = SCREE_OK;
    scree__block inner = {0};
    const int64_t end = s->draw.heap ? s->draw.heap[s->draw.count - 1].row + 1 : s->end;
    scree__source_pass_on(base, s->part);
    s->part->takes_sparse = s->part->sparse; /* every cell, where they are wanted, of the rows that are */
    if (s->draw.heap || s->part->sparse)
        s->part->buffer = NULL;
    for (block->rows = 0; block->rows == 0 && s->number < end && !s->ended; s->number += inner.rows) {
        int64_t skip = 0;
        SCREE_TRY(scree__source_next(s->part, &inner, error));
        if (inner.rows == 0) {
            SCREE_TRY(check_end(s, error));
            break;
        }
        *block = inner;
        if (s->draw.heap) {
            SCREE_TRY(gather(s, &inner, block, error));
            continue;
        }
        const int64_t rows = wanted_in(s, inner.rows, &skip);
        if (rows < inner.rows)
            *block = scree__block_part(s->part, &inner, skip, rows);
        block->bad = inner.bad ? inner.bad + skip : NULL;
    }
    block->first = s->at;
    s->at += block->rows;
done:
    return status;
}

static scree_status some_rows_rewind(scree_source *base, scree_error *error)
{
    some_rows *s = (some_rows *)base;
    const scree_status status =
        s->seeks ? scree__source_seek(s->whole, s->first, error) : scree__source_restart(s->part, error);
    s->at = 0;
    s->number = s->before;
    s->ended = false;
    return status;
}

static void some_rows_close(scree_source *base)
{
    some_rows *s = (some_rows *)base;
    if (s->part != s->whole)
        scree_source_free(s->part);
    if (!s->borrows)
        scree_source_free(s->whole);
    scree__draw_clear(&s->draw);
    free(s->cell_start);
    free(s->cell_column);
    free(s->cell_value);
    scree__buffer_free(&s->rows);
    scree__buffer_free(&s->text);
    scree__buffer_free(&s->weights);
    scree__buffer_free(&s->bad);
    scree__buffer_free(&s->totals);
    scree__entries_clear(&s->entries);
}

static const scree__source_table some_rows_table = {
    .name = "some rows", .next = some_rows_next, .rewind = some_rows_rewind, .close = some_rows_close};

/* Reads all rows to know how many there are. */
static scree_status count_rows(some_rows *s, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block = {0};
    *rows = s->whole->about.rows;
    if (*rows >= 0)
        return SCREE_OK;
    *rows = 0;
    s->whole->takes_sparse = s->whole->sparse;
    do {
        SCREE_TRY(scree__source_next(s->whole, &block, error));
        *rows += block.rows;
    } while (block.rows > 0 && *rows < s->end);
    SCREE_TRY(scree__source_rewind(s->whole, error));
done:
    return status;
}

static scree_status draw_rows(some_rows *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t rows = 0;
    int64_t slot = 0;
    SCREE_TRY(count_rows(s, &rows, error));
    if (s->asked.last_row > rows || s->asked.first_row > rows)
        SCREE_TRY(scree__some_rows_fail(s->whole, rows, &s->asked, error));
    s->draw = (scree__draw){
        .seed = s->asked.sample_seed, .wanted = s->asked.sample, .budget = &s->budget, .file = s->base.about.path};
    const int64_t end = s->end < rows ? s->end : rows;
    if (s->asked.sample > end - s->first)
        SCREE_TRY(scree__some_rows_fail(s->whole, rows, &s->asked, error));
    for (int64_t i = s->first; i < end; i++)
        SCREE_TRY(scree__draw_offer(&s->draw, i, &slot, error));
    scree__draw_sort(&s->draw);
    s->base.memory += s->draw.room * (int64_t)sizeof *s->draw.heap;
    s->base.about.rows = s->base.about.rows_estimate = s->draw.count;
done:
    return status;
}

/* Rows first to last: announced, since there being fewer is an error. */
static scree_status take_range(some_rows *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = s->whole->about.rows;
    scree__about *about = &s->base.about;
    if (rows >= 0 && (s->asked.last_row > rows || s->asked.first_row > rows))
        SCREE_TRY(scree__some_rows_fail(s->whole, rows, &s->asked, error));
    if (s->end < INT64_MAX)
        about->rows = about->rows_estimate = s->end - s->first;
    else if (rows >= 0)
        about->rows = about->rows_estimate = rows - s->first;
    else if (about->rows_estimate >= s->first)
        about->rows_estimate -= s->first;
done:
    return status;
}

/* From the first row that is wanted on, where that can be. */
static scree_status begin(some_rows *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *whole = s->whole;
    const int64_t count = (s->end < whole->about.rows ? s->end : whole->about.rows) - s->first;
    s->part = whole;
    if (whole->about.rows >= 0 && scree__source_can_seek(whole) && !s->draw.heap && !whole->cells) {
        s->seeks = true;
        s->before = s->number = s->first;
        return scree__source_seek(whole, s->first, error);
    }
    if (s->first == 0 || whole->about.rows < 0 || !(whole->can & SCREE__CAN_SLICE) || !whole->table->slice ||
        whole->cells)
        return SCREE_OK;
    SCREE_TRY(whole->table->slice(&s->part, whole, s->first, count, error));
    s->part->faults = whole->faults;
    s->before = s->number = s->first;
    if (whole->weights)
        SCREE_TRY(scree_source_weigh(s->part, whole->weights + s->first, count, error));
done:
    if (status != SCREE_OK)
        s->part = whole;
    return status;
}

/* The cells of the rows that are wanted, where the whole keeps cells. */
static scree_status take_cells(some_rows *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__csr *from = s->whole->cells;
    const int64_t rows = s->base.about.rows;
    int64_t count = 0;
    if (!from)
        return SCREE_OK;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t row = s->draw.heap ? s->draw.heap[i].row : s->first + i;
        count += from->start[row + 1] - from->start[row];
    }
    SCREE_TRY(
        scree__budget_take(&s->budget, 12 * count + 8 * rows, s->base.about.path, "the cells of its rows", error));
    SCREE_ALLOC(s->cell_start, rows + 1, error);
    SCREE_ALLOC(s->cell_column, count + 1, error);
    SCREE_ALLOC(s->cell_value, count + 1, error);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t row = s->draw.heap ? s->draw.heap[i].row : s->first + i;
        const int64_t n = from->start[row + 1] - from->start[row];
        if (n > 0) {
            memcpy(s->cell_column + s->cell_start[i], from->column + from->start[row], (size_t)n * sizeof(int32_t));
            memcpy(s->cell_value + s->cell_start[i], from->value + from->start[row], (size_t)n * sizeof(double));
        }
        s->cell_start[i + 1] = s->cell_start[i] + n;
    }
    s->cells = (scree__csr){rows, from->cols, s->cell_start, s->cell_column, s->cell_value};
    s->base.cells = &s->cells;
    s->base.memory += 12 * count + 8 * rows;
done:
    return status;
}

static scree_status open_some(scree_source **out, scree_source *inner, const scree_read_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    some_rows *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->base.table = &some_rows_table;
    SCREE_TRY(scree__source_around(&s->base, inner, error));
    s->whole = s->part = inner;
    s->asked = *options;
    s->budget = (scree__budget){.given = options->memory, .held = options->held, .seen = INT64_MAX / 32};
    s->first = options->first_row > 0 ? options->first_row - 1 : 0;
    s->end = options->last_row > 0 ? options->last_row : INT64_MAX;
    s->base.locate = locate;
    s->base.noted = inner;
    s->base.can = (inner->can & SCREE__CAN_REWIND) |
                  (inner->can & (SCREE__IN_MEMORY | SCREE__IN_STEP) ? (unsigned)SCREE__IN_STEP : 0);
    SCREE_TRY(options->sample > 0 ? draw_rows(s, error) : take_range(s, error));
    if (inner->entries > 0 && inner->about.rows > 0 && s->base.about.rows >= 0)
        s->base.entries = (int64_t)((double)inner->entries * (double)s->base.about.rows / (double)inner->about.rows);
    SCREE_TRY(take_cells(s, error));
    SCREE_TRY(begin(s, error));
    *out = &s->base;
    s = NULL;
done:
    if (s) {
        s->whole = s->part = NULL; /* it stays the caller's */
        scree_source_free(&s->base);
    }
    return status;
}

scree_status scree__some_rows_open(scree_source **out, scree_source *inner, const scree_read_options *options,
                                   scree_error *error)
{
    const char *file = inner->about.path;
    if (options->first_row < 0 || options->last_row < 0 || options->sample < 0 ||
        (options->last_row > 0 && options->first_row > options->last_row))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: rows %" PRId64 " to %" PRId64 ", and a sample of %" PRId64
                           ", are impossible; give the first row before the last",
                           file, options->first_row, options->last_row, options->sample);
    if (options->first_row <= 1 && options->last_row == 0 && options->sample == 0) {
        *out = inner;
        return SCREE_OK;
    }
    if (options->sample > 0 && inner->about.rows < 0 && !(inner->can & SCREE__CAN_REWIND))
        return scree__rows_kept_open(out, inner, options, error);
    return open_some(out, inner, options, error);
}

scree_status scree__some_rows_borrow(scree_source **out, scree_source *inner, int64_t first, int64_t end,
                                     scree_error *error)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.first_row = first + 1;
    options.last_row = end;
    const scree_status status = open_some(out, inner, &options, error);
    if (status == SCREE_OK)
        ((some_rows *)*out)->borrows = true;
    return status;
}
