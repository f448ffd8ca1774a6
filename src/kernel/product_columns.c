/* SPDX-License-Identifier: BSD-3-Clause */
/* W = Cᵀ(CQ) where there are only a few groups of rows, or W is so large that one must do: all threads work on one
 * group after the other, in three loops: over shares of strips of columns, Y_s = C_s Q_s, centred on the way; over
 * rows, Y = Σ_s Y_s; over strips, W_s += C_sᵀY. Each number has one writer and sums in one order. */

#include "base/threads.h"
#include "kernel/product_parts.h"

#include <string.h>

/* Task: the strips of a share. */
static void forward(void *context, int64_t share, int worker)
{
    const scree__product *p = context;
    double *y = p->y + share * p->y_one;
    (void)worker;
    memset(y, 0, (size_t)(p->group * p->wide) * sizeof *y);
    for (int64_t s = share; s < p->strips; s += p->shares) {
        const scree__panel_tile tile = scree__product_tile(p, p->laid, s);
        scree__tiles_lay(&p->tiles, &p->x, s * SCREE__STRIP, &tile);
        scree__product_forward(p, &tile, s, y);
    }
}

/* Task: a block of numbers of Y, of all shares. */
static void gather(void *context, int64_t block, int worker)
{
    const scree__product *p = context;
    const int64_t count = SCREE__BLOCK * p->wide;
    double *y = p->y + block * count;
    (void)worker;
    for (int64_t share = 1; share < p->shares; share++)
        for (int64_t i = 0; i < count; i++)
            y[i] += y[share * p->y_one + i];
}

/* Task: a strip, transposed, times Y. */
static void backward(void *context, int64_t strip, int worker)
{
    const scree__product *p = context;
    const scree__panel_tile tile = scree__product_tile(p, p->laid, strip);
    (void)worker;
    scree__product_backward(p, &tile, strip, p->thin, p->w);
}

void scree__product_by_columns(scree__product *p)
{
    const scree__rows all = p->x;
    const int threads = scree__threads_for(p->size.threads, (double)(p->group * p->size.cols * p->wide));
    for (int64_t first = 0; first < all.rows; first += p->group) {
        p->x = scree__rows_slice(&all, first, scree__product_least(p->group, all.rows - first));
        scree__parallel(threads, p->shares, forward, p);
        scree__parallel(threads, p->group / SCREE__BLOCK, gather, p);
        scree__product_settle(p, &p->x, p->y, p->thin, p->sums);
        scree__parallel(threads, p->strips, backward, p);
    }
}
