/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rows of a training come from. One pass looks at every cell, finds the extremes of each column, and keeps
 * the rows, in their own type, when they fit into half of the memory; a pipe must fit. What is asked for afterwards
 * comes from there, or from the source, which is then read once for each epoch and once for each validation. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BATCH_ROWS = 256, FIRST_ROWS = 4096 };

/* The first pass. */
typedef struct look {
    scree__feed *feed;
    int64_t capacity; /* rows that raw can hold */
    bool keeps;
    double *row;
} look;

static int64_t row_bytes(const scree__feed *feed)
{
    return feed->cols * scree__type_size(feed->source->about.type);
}

static scree_status refuse_cell(const scree_source *source, int64_t row, int64_t col, double value, scree_error *error)
{
    char label[256];
    const char *file = scree__source_locate(source, &row);
    return scree__fail(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ", %s is %s; %s", file, row + 1,
                       scree__column_label(source, col, label, sizeof label), isnan(value) ? "missing" : "infinite",
                       isnan(value) ? "fill the gaps first, with 'scree impute'"
                                    : "give the cell a number or leave the row out");
}

/* Room for so many rows; without it the rows are not kept, which a pipe does not allow. */
static scree_status grow(look *l, int64_t rows, scree_error *error)
{
    scree__feed *feed = l->feed;
    int64_t capacity = l->capacity > 0 ? 2 * l->capacity : FIRST_ROWS;
    char *larger = NULL;
    if (rows <= l->capacity)
        return SCREE_OK;
    if (feed->source->about.rows > 0)
        capacity = feed->source->about.rows;
    else if (feed->source->about.rows_estimate > 0 && l->capacity == 0) /* one piece: growing takes two at a time */
        capacity = feed->source->about.rows_estimate + feed->source->about.rows_estimate / 8;
    capacity = capacity > rows ? capacity : rows;
    if (capacity > feed->room / row_bytes(feed) && rows <= feed->room / row_bytes(feed))
        capacity = feed->room / row_bytes(feed);
    if (capacity <= feed->room / row_bytes(feed)) {
        larger = scree__alloc_raw(capacity, (size_t)row_bytes(feed));
        if (!larger)
            return scree__fail(error, SCREE_ERR_MEMORY,
                               "%s: out of memory for %" PRId64 " rows; give less with --memory",
                               feed->source->about.path, capacity);
    }
    if (larger && feed->raw)
        memcpy(larger, feed->raw, (size_t)(l->capacity * row_bytes(feed)));
    free(feed->raw);
    feed->raw = larger;
    l->capacity = capacity;
    l->keeps = larger != NULL;
    if (!l->keeps && !(feed->source->can & SCREE__CAN_REWIND))
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: can be read only once, and its rows do not fit into half of the memory, %" PRId64
                           " MB; save them to a file, or give more memory",
                           feed->source->about.path, feed->room / 1000000);
    return SCREE_OK;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    look *l = context;
    scree__feed *feed = l->feed;
    scree_status status = SCREE_OK;
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, NULL};
    int64_t row;
    int64_t col;
    double value;
    if (scree__rows_find_bad(&x, &row, &col, &value))
        SCREE_TRY(refuse_cell(feed->source, batch->first + row, col, value, error));
    if (l->keeps)
        SCREE_TRY(grow(l, feed->rows + batch->rows, error));
    for (int64_t i = 0; i < batch->rows; i++) {
        const scree__part part = scree__part_of(feed->seed, feed->validation, feed->rows + i);
        const double *cells = scree__rows_load(&x, i, l->row);
        feed->part_rows[part]++;
        for (int64_t j = 0; part == SCREE__TRAINING && j < feed->cols; j++) {
            feed->lowest[j] = cells[j] < feed->lowest[j] ? cells[j] : feed->lowest[j];
            feed->highest[j] = cells[j] > feed->highest[j] ? cells[j] : feed->highest[j];
        }
        if (l->keeps)
            memcpy(feed->raw + (feed->rows + i) * row_bytes(feed), scree__rows_slice(&x, i, 1).data,
                   (size_t)row_bytes(feed));
    }
    feed->rows += batch->rows;
done:
    return status;
}

/* The numbers of the rows, those for training first. */
static scree_status sort_out(scree__feed *feed, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t at[2] = {0, feed->part_rows[SCREE__TRAINING]};
    feed->held = feed->rows * (row_bytes(feed) + (int64_t)sizeof *feed->order) + feed->source->memory;
    SCREE_TRY(scree__memory_open(&feed->resident, feed->raw, feed->source->about.type, feed->rows, feed->cols,
                                 feed->cols, error));
    free(feed->resident->about.path); /* messages name the file */
    feed->resident->about.path = scree__strdup(feed->source->about.path);
    if (!feed->resident->about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for its name", feed->source->about.path);
    SCREE_ALLOC(feed->order, feed->rows, error);
    for (int64_t i = 0; i < feed->rows; i++)
        feed->order[at[scree__part_of(feed->seed, feed->validation, i)]++] = i;
    feed->source = feed->resident;
done:
    return status;
}

scree_status scree__feed_open(scree__feed *feed, scree_source *source, const scree_autoencode_options *options,
                              int64_t room, scree_error *error)
{
    scree_status status = SCREE_OK;
    look l = {.feed = feed, .keeps = true};
    const scree__pass pass = {.stage = "read",
                              .pass = 1,
                              .passes = source->can & SCREE__CAN_REWIND ? 2 : 1,
                              .batch_rows = BATCH_ROWS,
                              .run = options->run,
                              .visit = visit,
                              .context = &l};
    int64_t row;
    int64_t col;
    if (scree__source_first_gap(source, &row, &col))
        return refuse_cell(source, row, col, NAN, error);
    *feed = (scree__feed){.source = source,
                          .cols = source->about.cols,
                          .room = room,
                          .seed = options->seed,
                          .validation = options->validation,
                          .run = options->run,
                          .threads = scree__threads(options->run->threads)};
    SCREE_ALLOC(feed->lowest, feed->cols, error);
    SCREE_ALLOC(feed->highest, feed->cols, error);
    SCREE_ALLOC(feed->factor, feed->cols, error);
    SCREE_ALLOC(l.row, feed->cols, error);
    for (int64_t j = 0; j < feed->cols; j++) {
        feed->lowest[j] = INFINITY;
        feed->highest[j] = -INFINITY;
    }
    SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
    if (feed->part_rows[SCREE__TRAINING] < 2)
        SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: %" PRId64 " row%s for training; at least 2 are needed",
                   source->about.path, feed->part_rows[SCREE__TRAINING],
                   feed->part_rows[SCREE__TRAINING] == 1 ? " is left" : "s are left");
    if (feed->raw)
        SCREE_TRY(sort_out(feed, error));
done:
    free(l.row);
    return status;
}

void scree__feed_close(scree__feed *feed)
{
    scree_source_free(feed->resident);
    free(feed->raw);
    free(feed->order);
    free(feed->lowest);
    free(feed->highest);
    free(feed->factor);
    *feed = (scree__feed){0};
}
