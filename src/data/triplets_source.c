/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of which only some cells are kept, as a source. Who knows how takes the cells as they are (source->cells); to
 * all others rows are lent whole, NaN where nothing was given; where that means 0, they are lent as entries. Columns
 * are in the order of their numbers where all their ids are whole numbers, else in that of the file; the options may
 * choose among them. Memory: 12 bytes a cell, and a block. */

#include "data/triplets.h"

#include "base/memory.h"
#include "base/threads.h"
#include "data/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20 };

typedef struct triplet_source {
    scree_source base;
    scree__triplets triplets;
    scree__csr cells; /* of these */
    scree__names rows;
    const char **text; /* N names of rows, or NULL */
    int64_t at;        /* next row */
    scree__buffer own; /* for blocks, where the driver offers none */
} triplet_source;

static scree_status triplet_next(scree_source *source, scree__block *block, scree_error *error)
{
    triplet_source *t = (triplet_source *)source;
    scree_status status = SCREE_OK;
    const scree__csr *cells = &t->cells;
    const int64_t left = source->about.rows - t->at;
    scree__buffer *buffer = source->buffer ? source->buffer : &t->own;
    block->rows = left < source->block_rows ? left : source->block_rows;
    block->first = t->at;
    block->stride = source->about.cols;
    block->text = t->text ? t->text + t->at : NULL;
    if (source->sparse) {
        block->starts = cells->start + t->at;
        block->indices = cells->column;
        block->data = cells->value;
        t->at += block->rows;
        goto done;
    }
    SCREE_TRY(
        scree__budget_check(&t->triplets.budget, 8 * source->about.cols, source->about.path, "whole rows", error));
    SCREE_TRY(scree__buffer_reserve(buffer, block->rows * source->about.cols * 8, source->about.path, error));
    double *values = (double *)(void *)buffer->data;
    for (int64_t i = 0; i < block->rows; i++) {
        double *row = values + i * source->about.cols;
        for (int64_t j = 0; j < source->about.cols; j++)
            row[j] = NAN;
        for (int64_t c = cells->start[t->at + i]; c < cells->start[t->at + i + 1]; c++)
            row[cells->column[c]] = cells->value[c];
    }
    block->data = values;
    t->at += block->rows;
done:
    return status;
}

static scree_status triplet_rewind(scree_source *source, scree_error *error)
{
    (void)error;
    ((triplet_source *)source)->at = 0;
    return SCREE_OK;
}

static void triplet_close(scree_source *source)
{
    triplet_source *t = (triplet_source *)source;
    scree__triplets_clear(&t->triplets);
    scree__names_clear(&t->rows);
    scree__buffer_free(&t->own);
    free(t->text);
}

static const scree__source_table triplet_table = {
    .name = "triplets", .next = triplet_next, .rewind = triplet_rewind, .close = triplet_close};

/* Where the columns go that the options choose, and how many there are; order: the columns by their places. */
static scree_status choose(int32_t *place, int32_t *order, int64_t *count, char **names, const char *file,
                           const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *chosen = NULL;
    int64_t found = 0;
    int32_t *kept = NULL;
    SCREE_TRY(scree__columns_choose(&chosen, &found, options, names, *count, file, error));
    SCREE_ALLOC(kept, found, error);
    for (int64_t j = 0; j < *count; j++)
        place[order[j]] = -1;
    for (int64_t j = 0; j < found; j++) {
        kept[j] = order[chosen[j]];
        place[kept[j]] = (int32_t)j;
    }
    memcpy(order, kept, (size_t)found * sizeof *order);
    *count = found;
done:
    free(chosen);
    free(kept);
    return status;
}

static scree_status name_columns(char ***out, const scree__names *columns, const int32_t *order, int64_t count,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    char **names = NULL;
    if (columns->count == 0)
        return SCREE_OK;
    SCREE_ALLOC(names, count, error);
    for (int64_t j = 0; j < count; j++) {
        names[j] = scree__strdup(scree__names_at(columns, order[j]));
        if (!names[j])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the names of columns");
    }
    *out = names;
    names = NULL;
done:
    scree__strings_free(names, count);
    return status;
}

/* Order, choice and names of the columns. place: col_count. */
static scree_status arrange(scree_source *base, const scree__triplets_whole *whole, int32_t *place,
                            const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *scratch = NULL;
    int32_t *order = NULL;
    char **all = NULL;
    int64_t count = whole->col_count;
    SCREE_ALLOC(scratch, 2 * whole->columns.count, error);
    SCREE_ALLOC(order, count, error);
    if (whole->columns.count == 0 || !scree__names_rank(&whole->columns, place, scratch))
        for (int64_t j = 0; j < count; j++)
            place[j] = (int32_t)j;
    for (int64_t j = 0; j < count; j++)
        order[place[j]] = (int32_t)j;
    if (options->columns || options->exclude || options->weights) {
        SCREE_TRY(name_columns(&all, &whole->columns, order, count, error));
        SCREE_TRY(choose(place, order, &count, all, base->about.path, options, error));
    }
    SCREE_TRY(name_columns(&base->about.columns, &whole->columns, order, count, error));
    base->about.cols = count;
done:
    scree__strings_free(all, whole->col_count);
    free(scratch);
    free(order);
    return status;
}

static scree_status fail_twice(const triplet_source *t, const scree__triplets_order *order, scree_error *error)
{
    char label[256];
    char row[256];
    if (t->rows.count > 0)
        snprintf(row, sizeof row, "'%.200s'", scree__names_at(&t->rows, order->row));
    else
        snprintf(row, sizeof row, "%" PRId64, order->row + 1);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %s has two values in %s; keep one of them", t->base.about.path,
                       row, scree__column_label(&t->base, t->triplets.column[order->twice], label, sizeof label));
}

/* Names of the rows, as a text that is carried along. */
static scree_status carry_names(triplet_source *t, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (t->rows.count == 0)
        return SCREE_OK;
    SCREE_ALLOC(t->text, t->base.about.rows, error);
    for (int64_t i = 0; i < t->base.about.rows; i++)
        t->text[i] = scree__names_at(&t->rows, i);
    SCREE_ALLOC(t->base.about.text_names, 1, error);
    t->base.about.text_count = 1;
    t->base.about.text_names[0] = scree__strdup(name);
    if (!t->base.about.text_names[0])
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", t->base.about.path);
done:
    return status;
}

static scree_status note_shape(triplet_source *t, scree_error *error)
{
    char note[160];
    const double all = (double)t->base.about.rows * (double)t->base.about.cols;
    scree__format(note, sizeof note,
                  "%" PRId64 " cells of %" PRId64 " rows and %" PRId64 " columns, %.3g %% of all; the others are %s",
                  t->triplets.count, t->base.about.rows, t->base.about.cols, 100 * (double)t->triplets.count / all,
                  t->base.sparse ? "0" : "missing");
    t->base.about.note = scree__strdup(note);
    return t->base.about.note ? SCREE_OK
                              : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", t->base.about.path);
}

static int64_t memory_of(const triplet_source *t)
{
    return 12 * t->triplets.capacity + 8 * t->triplets.start_capacity + scree__names_memory(&t->rows) +
           (t->text ? 8 * t->base.about.rows : 0);
}

/* Sorted cells, and everything that describes them. */
static scree_status settle(triplet_source *t, const scree__triplets_whole *whole, const scree_read_options *options,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    int32_t *place = NULL;
    scree__triplets_order order = {.rows = whole->row_count, .threads = scree__threads(options->threads)};
    SCREE_TRY(scree__triplets_expect(&t->triplets, whole->row_count, whole->col_count, error));
    if (!options->columns && !options->exclude)
        SCREE_TRY(scree__triplets_believe(&t->triplets, whole->col_count, error));
    SCREE_ALLOC(place, whole->col_count, error);
    SCREE_TRY(arrange(&t->base, whole, place, options, error));
    SCREE_TRY(scree__triplets_believe(&t->triplets, t->base.about.cols, error));
    order.place = place;
    SCREE_TRY(scree__triplets_sort(&t->triplets, &order, error));
    if (order.twice >= 0)
        SCREE_TRY(fail_twice(t, &order, error));
    t->cells = (scree__csr){
        .rows = whole->row_count,
        .cols = t->base.about.cols,
        .start = t->triplets.start,
        .column = t->triplets.column,
        .value = t->triplets.value,
    };
    t->base.cells = whole->zeros ? NULL : &t->cells;
    t->base.sparse = whole->zeros;
    t->base.entries = t->triplets.count;
    t->base.can |= whole->zeros ? SCREE__IN_STEP : 0;
    t->base.about.rows = t->base.about.rows_estimate = whole->row_count;
    SCREE_TRY(carry_names(t, whole->row_name, error));
    SCREE_TRY(note_shape(t, error));
    t->base.block_rows = scree__source_rows_in(&t->base, BLOCK_BYTES);
    t->base.memory = memory_of(t);
done:
    free(place);
    return status;
}

scree_status scree__triplets_open(scree_source **out, scree__triplets_whole *whole, const scree_read_options *options,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    triplet_source *t = NULL;
    SCREE_ALLOC(t, 1, error);
    t->base.table = &triplet_table;
    t->base.about.type = SCREE_F64;
    t->base.can = SCREE__CAN_REWIND;
    t->base.about.path = scree__strdup(whole->triplets.file);
    t->triplets = whole->triplets;
    t->rows = whole->rows;
    whole->triplets = (scree__triplets){0};
    whole->rows = (scree__names){0};
    if (!t->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory");
    t->triplets.file = t->base.about.path;
    SCREE_TRY(settle(t, whole, options, error));
    *out = &t->base;
    t = NULL;
done:
    scree_source_free(t ? &t->base : NULL);
    return status;
}

void scree__triplets_whole_clear(scree__triplets_whole *whole)
{
    scree__triplets_clear(&whole->triplets);
    scree__names_clear(&whole->rows);
    scree__names_clear(&whole->columns);
}
