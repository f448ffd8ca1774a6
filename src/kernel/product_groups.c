/* SPDX-License-Identifier: BSD-3-Clause */
/* W = Cᵀ(CQ) by groups of rows (product.h): a thread takes a group, centres it strip by strip into a buffer that stays
 * in the cache, multiplies it by Q, and then its transpose by what came out: 4·rows·Db flops, and one read of the rows.
 *
 * Group g adds to lane g mod lanes, each lane in order, whichever thread works on it: the same bits for any number of
 * threads. While a strip is multiplied, the next one is on its way from memory. */

#include "base/threads.h"
#include "kernel/product_parts.h"

#include <string.h>

/* Rows of group g of this piece; none past the end. */
static scree__rows rows_of(const scree__product *p, int64_t g)
{
    const int64_t first = scree__product_least(g * p->group, p->x.rows);
    return scree__rows_slice(&p->x, first, scree__product_least(p->group, p->x.rows - first));
}

/* What comes after a strip: the next one of these rows, or the first one of the next rows; whole strips only. */
static scree__panel_ahead ahead_of(const scree__product *p, const scree__rows *x, const scree__rows *next,
                                   int64_t strip)
{
    const bool turns = strip + 1 == p->strips;
    const scree__rows *from = turns ? next : x;
    const int64_t first = turns ? 0 : (strip + 1) * SCREE__STRIP;
    const int64_t size = scree__tiles_element(from->type);
    if (from->rows < p->group || first + SCREE__STRIP > p->size.cols)
        return (scree__panel_ahead){NULL, 0, 0};
    return (scree__panel_ahead){(const char *)from->data + first * size, from->stride * size, size};
}

/* Some rows, of a group, whose W and sums of Y are added to w and sums. */
static void multiply(const scree__product *p, const scree__rows *x, const scree__rows *next, double *w, double *sums,
                     int worker)
{
    char *laid = p->laid + worker * p->laid_one;
    double *y = p->y + worker * p->y_one;
    char *thin = p->thin + worker * p->y_one * p->size.ops->size;
    memset(y, 0, (size_t)(p->group * p->wide) * sizeof *y);
    for (int64_t s = 0; s < p->strips; s++) {
        scree__panel_tile tile = scree__product_tile(p, laid, s);
        tile.ahead = ahead_of(p, x, next, s);
        scree__tiles_lay(&p->tiles, x, s * SCREE__STRIP, &tile);
        scree__product_forward(p, &tile, s, y);
    }
    scree__product_settle(p, x, y, thin, sums);
    for (int64_t s = p->strips - 1; s >= 0; s--) {
        const scree__panel_tile tile = scree__product_tile(p, laid, s);
        scree__product_backward(p, &tile, s, thin, w);
    }
}

void scree__product_add_lane(const scree__product *p, int64_t index, double *w, double *sums, int worker)
{
    for (int64_t g = index; g * p->group < p->x.rows; g += p->lanes) {
        const scree__rows x = rows_of(p, g);
        const scree__rows next = rows_of(p, g + p->lanes);
        multiply(p, &x, &next, w, sums, worker);
    }
}

/* Task: a lane of this piece. */
static void add_lane(void *context, int64_t index, int worker)
{
    const scree__product *p = context;
    const int64_t lane = (p->next + index) % p->lanes;
    const int64_t size = p->tiles.padded * p->wide;
    double *w = p->w + lane * size;
    if (p->next + index < p->lanes) /* its first group */
        memset(w, 0, (size_t)size * sizeof *w);
    scree__product_add_lane(p, index, w, p->sums + lane * p->wide, worker);
}

void scree__product_by_groups(scree__product *p)
{
    const int64_t groups = (p->x.rows + p->group - 1) / p->group;
    scree__parallel(p->size.threads, scree__product_least(groups, p->lanes), add_lane, p);
    p->next += groups;
}
