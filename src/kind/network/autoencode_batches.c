/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in batches, as floats x' = (x - offset)/range: in an order of their own for each epoch, or in the order of the
 * source.
 *
 * Rows in memory are shuffled whole (Fisher and Yates). Rows that are read again each time go through a reservoir: each
 * new row takes the place of one drawn from those that wait, which goes to the batch; a row can so come late, and the
 * larger the reservoir the better the shuffle. Either order depends on the seed and the epoch alone. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/threads.h"

#include <string.h>

enum { CELL = 8 }; /* operations worth a cell that is fetched */

int64_t scree__dice_throw(scree__dice *dice, int64_t limit)
{
    uint32_t words[4];
    const uint64_t pair = dice->thrown % 2;
    scree__philox(dice->seed, dice->stream, dice->thrown / 2, words);
    dice->thrown++;
    const uint64_t bits = (uint64_t)words[2 * pair] << 32 | words[2 * pair + 1];
    return (int64_t)((unsigned __int128)bits * (uint64_t)limit >> 64);
}

int64_t scree__feed_batches(const scree__feed *feed, int64_t batch)
{
    const int64_t rows = feed->part_rows[SCREE__TRAINING];
    const int64_t count = (rows + batch / 2) / batch;
    return count > 0 ? count : 1;
}

int64_t scree__feed_largest(const scree__feed *feed, int64_t batch)
{
    const int64_t count = scree__feed_batches(feed, batch);
    return (feed->part_rows[SCREE__TRAINING] + count - 1) / count;
}

/* Where batch b begins, counted in rows of the epoch. */
static int64_t begin_of(const scree__feed *feed, int64_t batch, int64_t b)
{
    const int64_t count = scree__feed_batches(feed, batch);
    const int64_t rows = feed->part_rows[SCREE__TRAINING];
    return rows / count * b + (rows % count < b ? rows % count : b);
}

static void put_row(const scree__feed *feed, const scree__rows *x, int64_t row, double *buffer, float *into)
{
    const double *cells = scree__rows_load(x, row, buffer);
    for (int64_t j = 0; j < feed->cols; j++)
        into[j] = (float)((cells[j] - feed->offset[j]) * feed->factor[j]);
}

static scree_status tell(const scree__feed *feed, const scree__batches *batches, int64_t rows, scree_error *error)
{
    const scree_progress progress = {.stage = "autoencode",
                                     .pass = (int)batches->epoch + 1,
                                     .passes = (int)batches->epochs,
                                     .rows = rows,
                                     .rows_total = feed->part_rows[SCREE__TRAINING],
                                     .bytes = rows * feed->cols * scree__type_size(feed->source->about.type)};
    return scree__progress_tell(feed->run, progress, batches->began, error);
}

/* ---- rows in memory ---- */

typedef struct gathering {
    const scree__feed *feed;
    const int64_t *rows;
    float *into;
    double *buffers; /* cols for each thread */
} gathering;

static void gather(void *context, int64_t i, int worker)
{
    const gathering *g = context;
    const scree__rows x = {g->feed->raw, g->feed->source->about.type, g->feed->rows, g->feed->cols, g->feed->cols,
                           NULL};
    put_row(g->feed, &x, g->rows[i], g->buffers + worker * g->feed->cols, g->into + i * g->feed->cols);
}

static scree_status shuffle_resident(const scree__feed *feed, const scree__batches *batches, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = feed->part_rows[SCREE__TRAINING];
    const int64_t count = scree__feed_batches(feed, batches->batch);
    scree__dice dice = {feed->seed, SCREE__STREAM_EPOCHS + (uint64_t)batches->epoch, 0};
    int64_t *order = NULL;
    double *buffers = NULL;
    SCREE_ALLOC(order, rows, error);
    SCREE_ALLOC(buffers, feed->threads * feed->cols, error);
    memcpy(order, feed->order, (size_t)rows * sizeof *order);
    for (int64_t i = rows - 1; i > 0; i--) {
        const int64_t other = scree__dice_throw(&dice, i + 1);
        const int64_t kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int64_t b = batches->skip; b < count; b++) {
        const int64_t first = begin_of(feed, batches->batch, b);
        const int64_t end = begin_of(feed, batches->batch, b + 1);
        gathering g = {feed, order + first, batches->into, buffers};
        const int threads = scree__threads_for(feed->threads, CELL * (double)((end - first) * feed->cols));
        scree__parallel(threads, end - first, gather, &g);
        SCREE_TRY(batches->visit(batches->context, end - first, error));
        SCREE_TRY(tell(feed, batches, end, error));
    }
done:
    free(order);
    free(buffers);
    return status;
}

/* ---- rows that are read ---- */

typedef struct reservoir {
    const scree__feed *feed;
    const scree__batches *batches;
    scree__dice dice;
    char *waiting; /* capacity rows as they came */
    int64_t capacity;
    int64_t held;
    double *row;
    int64_t filled; /* rows of the batch that is being put together */
    int64_t done;   /* batches */
} reservoir;

/* A row of those that wait goes to the batch, and the batch to its visit when it is whole. */
static scree_status emit(reservoir *r, int64_t slot, scree_error *error)
{
    const scree__feed *feed = r->feed;
    const scree__batches *batches = r->batches;
    const scree__rows x = {r->waiting, feed->source->about.type, r->capacity, feed->cols, feed->cols, NULL};
    const int64_t size = begin_of(feed, batches->batch, r->done + 1) - begin_of(feed, batches->batch, r->done);
    put_row(feed, &x, slot, r->row, batches->into + r->filled * feed->cols);
    if (++r->filled < size)
        return SCREE_OK;
    r->filled = 0;
    r->done++;
    return r->done > batches->skip ? batches->visit(batches->context, size, error) : SCREE_OK;
}

static scree_status take_in(void *context, const scree__batch *batch, scree_error *error)
{
    reservoir *r = context;
    scree_status status = SCREE_OK;
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, NULL};
    const int64_t bytes = batch->cols * scree__type_size(batch->type);
    for (int64_t i = 0; i < batch->rows; i++) {
        int64_t slot = r->held;
        if (r->held < r->capacity)
            r->held++;
        else {
            slot = scree__dice_throw(&r->dice, r->capacity);
            SCREE_TRY(emit(r, slot, error));
        }
        memcpy(r->waiting + slot * bytes, scree__rows_slice(&x, i, 1).data, (size_t)bytes);
    }
done:
    return status;
}

static scree_status let_out(reservoir *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t bytes = r->feed->cols * scree__type_size(r->feed->source->about.type);
    while (r->held > 0) {
        const int64_t slot = scree__dice_throw(&r->dice, r->held);
        SCREE_TRY(emit(r, slot, error));
        r->held--;
        if (slot != r->held)
            memcpy(r->waiting + slot * bytes, r->waiting + r->held * bytes, (size_t)bytes);
    }
done:
    return status;
}

static scree_status shuffle_read(const scree__feed *feed, const scree__batches *batches, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *part = NULL;
    const int64_t bytes = feed->cols * scree__type_size(feed->source->about.type);
    reservoir r = {.feed = feed,
                   .batches = batches,
                   .dice = {feed->seed, SCREE__STREAM_EPOCHS + (uint64_t)batches->epoch, 0},
                   .capacity = feed->room / bytes};
    const scree__pass pass = {.stage = "autoencode",
                              .pass = (int)batches->epoch + 1,
                              .passes = (int)batches->epochs,
                              .batch_rows = batches->batch,
                              .run = feed->run,
                              .visit = take_in,
                              .context = &r};
    if (r.capacity > feed->part_rows[SCREE__TRAINING])
        r.capacity = feed->part_rows[SCREE__TRAINING];
    if (r.capacity < 1)
        r.capacity = 1;
    SCREE_ALLOC(r.waiting, r.capacity * bytes, error);
    SCREE_ALLOC(r.row, feed->cols, error);
    SCREE_TRY(scree__part_open(&part, feed->source, SCREE__TRAINING, feed->seed, feed->validation,
                               feed->part_rows[SCREE__TRAINING], error));
    SCREE_TRY(scree__pass_run(part, &pass, NULL, error));
    SCREE_TRY(let_out(&r, error));
done:
    scree_source_free(part);
    free(r.waiting);
    free(r.row);
    return status;
}

scree_status scree__feed_shuffled(const scree__feed *feed, const scree__batches *batches, scree_error *error)
{
    return (feed->raw ? shuffle_resident : shuffle_read)(feed, batches, error);
}

/* ---- in order ---- */

typedef struct passing {
    const scree__feed *feed;
    const scree__batches *batches;
    double *row;
} passing;

static scree_status pass_on(void *context, const scree__batch *batch, scree_error *error)
{
    const passing *p = context;
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, NULL};
    for (int64_t i = 0; i < batch->rows; i++)
        put_row(p->feed, &x, i, p->row, p->batches->into + i * batch->cols);
    return p->batches->visit(p->batches->context, batch->rows, error);
}

scree_status scree__feed_in_order(const scree__feed *feed, scree__part which, const scree__batches *batches,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *part = NULL;
    passing p = {feed, batches, NULL};
    const scree__pass pass = {.stage = which == SCREE__VALIDATION ? "validate" : "autoencode",
                              .pass = (int)batches->epoch + 1,
                              .passes = (int)batches->epochs,
                              .batch_rows = batches->batch,
                              .run = batches->silent ? NULL : feed->run,
                              .visit = pass_on,
                              .context = &p};
    SCREE_ALLOC(p.row, feed->cols, error);
    SCREE_TRY(
        scree__part_open(&part, feed->source, which, feed->seed, feed->validation, feed->part_rows[which], error));
    SCREE_TRY(scree__pass_run(part, &pass, NULL, error));
done:
    scree_source_free(part);
    free(p.row);
    return status;
}
