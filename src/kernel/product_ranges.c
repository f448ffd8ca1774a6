/* SPDX-License-Identifier: BSD-3-Clause */
/* W = Cᵀ(CQ) of several ranges of rows at once, each by itself. A loop for each would have all threads wait for the
 * last one at its end; here the lanes of all ranges are tasks of one loop: the first lanes of all, then the second
 * ones, and so on. A thread finds W of a lane in a buffer that stays in its cache and adds it to that of the range,
 * after the lane before, which began long ago. Lanes are added in order, and so are the groups of each: the same bits
 * as those of a range alone, whichever ranges come together. */

#include "base/threads.h"
#include "kernel/product_parts.h"

#include <string.h>

/* Ranges at work, each a product of its own, with the vectors and the threads' buffers of all. */
typedef struct several {
    scree__product range[SCREE__PRODUCT_RANGES]; /* w: of the whole range */
    scree__turn turn[SCREE__PRODUCT_RANGES];     /* of lanes */
    double *lane;                                /* W of one for each thread */
    int64_t count;
    int64_t blocks; /* of W */
} several;

/* Task: a lane of a range. One without rows comes to zeros. */
static void add_lane(void *context, int64_t index, int worker)
{
    several *s = context;
    const int64_t range = index % s->count;
    const int64_t lane = index / s->count;
    const scree__product *p = &s->range[range];
    const int64_t size = p->tiles.padded * p->wide;
    double *w = lane == 0 ? p->w : s->lane + worker * size;
    const bool has_rows = lane * p->group < p->x.rows;
    if (has_rows || lane == 0)
        memset(w, 0, (size_t)size * sizeof *w);
    scree__product_add_lane(p, lane, w, p->sums + lane * p->wide, worker);
    scree__turn_wait(&s->turn[range], lane);
    for (int64_t i = 0; has_rows && lane > 0 && i < size; i++)
        p->w[i] += w[i];
    scree__turn_done(&s->turn[range]);
}

/* Task: some rows of W of a range. */
static void join_block(void *context, int64_t index, int worker)
{
    const several *s = context;
    (void)worker;
    scree__product_join_block(&s->range[index / s->blocks], index % s->blocks);
}

/* By lanes, of which there are several. */
static void multiply_together(const scree__product *p, const scree__product_range *ranges, int64_t count)
{
    const int64_t size = p->tiles.padded * p->wide;
    several s = {.count = count, .blocks = (p->size.cols + SCREE__BLOCK - 1) / SCREE__BLOCK};
    s.lane = p->w + count * size;
    for (int64_t i = 0; i < count; i++) {
        s.range[i] = *p;
        s.range[i].x = ranges[i].x;
        s.range[i].to = ranges[i].w;
        s.range[i].w += i * size;
        s.range[i].sums += i * p->lanes * p->wide;
    }
    scree__parallel(p->size.threads, count * p->lanes, add_lane, &s);
    for (int64_t i = 0; i < count; i++) {
        scree__product_join_sums(&s.range[i]);
        s.range[i].next = 1; /* all lanes are in one */
    }
    scree__parallel(p->size.threads, count * s.blocks, join_block, &s);
}

void scree__product_ranges(scree__product *p, const double *q, int64_t b, const scree__product_range *ranges,
                           int64_t count)
{
    if (p->lanes > 1 && count > 1) {
        scree__product_start(p, q, b, NULL);
        memset(p->sums, 0, (size_t)(count * p->lanes * p->wide) * sizeof *p->sums);
        multiply_together(p, ranges, count);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        scree__product_start(p, q, b, ranges[i].w);
        scree__product_add(p, &ranges[i].x);
        scree__product_finish(p);
    }
}
