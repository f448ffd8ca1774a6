/* SPDX-License-Identifier: BSD-3-Clause */
/* W (D×b) = Cᵀ(CQ) in one read of the rows, C = diag(√w)(X - 1µᵀ) diag(f): 4NDb flops.
 *
 * Rows are cut into groups at fixed places, counted from the first one, wherever they come from. Each is centred
 * (tiles.c), multiplied by fQ, and its transpose by w times that, before the next one is looked at; f comes into W at
 * the end. With rows enough, groups are dealt to lanes with a W each (product_groups.c), which are added up in order;
 * otherwise threads share the columns of a group (product_columns.c). Sums over a tile are in the operations' type, all
 * others in double. */

#include "kernel/product.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/product_parts.h"

#include <string.h>

enum {
    MOST_GROUP = 8 * SCREE__BLOCK,
    LEAST_GROUP = 2 * SCREE__BLOCK,
    MOST_LANES = 64,
    LEAST_LANES = 16,
    LANE_GROUPS = 3,
    SHARES = 32
};
enum { SPLIT_ROWS = 20 * SCREE__BLOCK };
static const int64_t LAID_BYTES = INT64_C(1) << 20;   /* of a group: more rows of it mean fewer visits to W */
static const int64_t LANE_BYTES = INT64_C(1) << 27;   /* of all lanes */
static const int64_t RANGES_BYTES = INT64_C(1) << 25; /* of ranges at work, if there is more than one */
static const int64_t PIECE_BYTES = INT64_C(1) << 24;

static int64_t parts_of(int64_t n, int64_t part)
{
    return (n + part - 1) / part;
}

static const scree__panels *panels_of(const scree__ops *ops)
{
    return ops->type == SCREE_F32 ? scree__panels_best_f32() : scree__panels_best_f64();
}

static int64_t group_of(const scree__product_size *size)
{
    const int64_t rows = LAID_BYTES / (size->cols * size->ops->size) / SCREE__BLOCK * SCREE__BLOCK;
    return rows < LEAST_GROUP ? LEAST_GROUP : scree__product_least(rows, MOST_GROUP);
}

/* Bytes of a W. */
static int64_t lane_bytes(const scree__product_size *size)
{
    return scree__tiles_filled(size->cols) * scree__panels_padded(panels_of(size->ops), size->b) * 8;
}

static int64_t lanes_of(const scree__product_size *size)
{
    const int64_t groups = parts_of(size->rows, group_of(size));
    int64_t lanes = MOST_LANES;
    while (lanes > LEAST_LANES && (lanes * LANE_GROUPS > groups || lanes * lane_bytes(size) > LANE_BYTES))
        lanes /= 2;
    return lanes > groups || lanes * lane_bytes(size) > LANE_BYTES ? 1 : lanes;
}

int64_t scree__product_at_once(const scree__product_size *size)
{
    const int64_t most = lanes_of(size) > 1 ? RANGES_BYTES / lane_bytes(size) : 1;
    return most < 1 ? 1 : scree__product_least(scree__product_least(most, SCREE__PRODUCT_RANGES), size->ranges);
}

/* How many W there are. */
static int64_t copies_of(const scree__product_size *size)
{
    const int64_t lanes = lanes_of(size);
    const int64_t at_once = scree__product_at_once(size);
    const int64_t together = at_once > 1 ? at_once + size->threads : 0;
    return together > lanes ? together : lanes;
}

int64_t scree__product_rows(const scree__product_size *size)
{
    const int64_t group = group_of(size);
    const int64_t groups = PIECE_BYTES / (group * size->cols * size->ops->size);
    return group * (groups < size->threads ? size->threads : scree__product_least(groups, MOST_LANES));
}

double scree__product_chain(const scree__product_size *size)
{
    const int64_t groups = parts_of(size->rows, group_of(size));
    const int64_t across =
        size->ops->type == SCREE_F32 ? 2 : parts_of(size->cols, SCREE__STRIP) + SHARES + groups + MOST_LANES;
    return (double)(SCREE__STRIP + group_of(size) + across + 8);
}

static int64_t laid_bytes(const scree__product_size *size)
{
    return scree__tiles_filled(size->cols) / SCREE__BLOCK * scree__tiles_apart(group_of(size), size->ops) *
           size->ops->size;
}

int64_t scree__product_memory(const scree__product_size *size)
{
    const int64_t lanes = lanes_of(size);
    const int64_t wide = scree__panels_padded(panels_of(size->ops), size->b);
    const int64_t laid = lanes > 1 ? size->threads : 1;
    const int64_t y = lanes > 1 ? size->threads : SHARES;
    return copies_of(size) * lane_bytes(size) + 8 * scree__product_at_once(size) * lanes * wide + lane_bytes(size) +
           laid * laid_bytes(size) + y * group_of(size) * wide * (8 + size->ops->size) + 8 * wide +
           scree__tiles_memory(size->cols);
}

static scree_status allocate(scree__product *p, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__product_size *size = &p->size;
    const int64_t wide = scree__panels_padded(p->tiles.panels, size->b);
    const int64_t copies = copies_of(size);
    const int64_t laid = p->lanes > 1 ? size->threads : 1;
    const int64_t y = p->lanes > 1 ? size->threads : p->shares;
    p->laid_one = laid_bytes(size);
    p->y_one = p->group * wide;
    p->q = scree__alloc_raw(p->tiles.padded * wide, (size_t)size->ops->size);
    p->w = scree__alloc_raw(copies * p->tiles.padded * wide, sizeof *p->w);
    p->laid = scree__alloc_raw(laid * p->laid_one, 1);
    p->y = scree__alloc_raw(y * p->y_one, sizeof *p->y);
    p->thin = scree__alloc_raw(y * p->y_one, (size_t)size->ops->size);
    if (!p->q || !p->w || !p->laid || !p->y || !p->thin)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld sums of %lld×%lld numbers",
                   (long long)copies, (long long)size->cols, (long long)size->b);
    SCREE_ALLOC(p->sums, scree__product_at_once(size) * p->lanes * wide, error);
    SCREE_ALLOC(p->rest, wide, error);
done:
    return status;
}

scree_status scree__product_new(scree__product **out, const scree__product_size *size, const double *shift,
                                const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__product *p = NULL;
    SCREE_ALLOC(p, 1, error);
    *p = (scree__product){
        .size = *size, .group = group_of(size), .lanes = lanes_of(size), .strips = parts_of(size->cols, SCREE__STRIP)};
    p->shares = scree__product_least(p->strips, SHARES);
    SCREE_TRY(scree__tiles_init(&p->tiles, size->cols, size->type, size->ops, shift, factor, error));
    SCREE_TRY(allocate(p, error));
    *out = p;
    p = NULL;
done:
    scree__product_free(p);
    return status;
}

void scree__product_free(scree__product *p)
{
    if (!p)
        return;
    scree__tiles_clear(&p->tiles);
    free(p->q);
    free(p->w);
    free(p->sums);
    free(p->rest);
    free(p->laid);
    free(p->y);
    free(p->thin);
    free(p);
}

/* Task: some rows of fQ, in panels, and as many numbers of the first W, which become 0. */
static void split(void *context, int64_t index, int worker)
{
    const scree__product *p = context;
    const scree__thin q = {p->from, p->tiles.factor, p->size.cols, p->b};
    const scree__paneled to = {p->q, p->tiles.padded, p->b, p->wide};
    const int64_t first = index * SPLIT_ROWS;
    const int64_t count = scree__product_least(SPLIT_ROWS, p->tiles.padded - first);
    (void)worker;
    scree__tiles_split(&p->tiles, &q, first, count, &to);
    memset(p->w + first * p->wide, 0, (size_t)(count * p->wide) * sizeof *p->w);
}

void scree__product_start(scree__product *p, const double *q, int64_t b, double *w)
{
    p->b = b;
    p->wide = scree__panels_padded(p->tiles.panels, b);
    p->from = q;
    p->to = w;
    p->next = 0;
    memset(p->sums, 0, (size_t)(p->lanes * p->wide) * sizeof *p->sums);
    memset(p->rest, 0, (size_t)p->wide * sizeof *p->rest);
    scree__tiles_rest(&p->tiles, q, b, p->rest);
    scree__parallel(p->size.threads, parts_of(p->tiles.padded, SPLIT_ROWS), split, p);
}

void scree__product_forward(const scree__product *p, const scree__panel_tile *tile, int64_t strip, double *y)
{
    scree__panel_tile t = *tile;
    for (int64_t col = 0; col < p->wide;) {
        const scree__panel_kind *kind = scree__panels_at(p->tiles.panels, col, p->wide);
        const int64_t first = col * p->tiles.padded + strip * SCREE__STRIP * kind->width;
        kind->forward(&t, p->q + first * p->size.ops->size, y + col * p->group);
        t.ahead.rows = NULL; /* once is enough */
        col += kind->width;
    }
}

void scree__product_backward(const scree__product *p, const scree__panel_tile *tile, int64_t strip, const char *thin,
                             double *w)
{
    for (int64_t at = 0; at < tile->cols; at += SCREE__BLOCK) {
        scree__panel_tile block = *tile;
        block.c = (char *)tile->c + at / SCREE__BLOCK * tile->apart * p->size.ops->size;
        block.cols = SCREE__BLOCK;
        for (int64_t col = 0; col < p->wide;) {
            const scree__panel_kind *kind = scree__panels_at(p->tiles.panels, col, p->wide);
            kind->backward(&block, thin + col * p->group * p->size.ops->size,
                           w + col * p->tiles.padded + (strip * SCREE__STRIP + at) * kind->width);
            col += kind->width;
        }
    }
}

void scree__product_settle(const scree__product *p, const scree__rows *x, double *y, char *thin, double *sums)
{
    for (int64_t col = 0; col < p->wide;) {
        const int64_t width = scree__panels_at(p->tiles.panels, col, p->wide)->width;
        double *panel = y + col * p->group;
        for (int64_t i = 0; i < x->rows; i++) {
            const double weight = x->weights ? x->weights[i] : 1;
            for (int64_t l = 0; l < width; l++) {
                panel[i * width + l] = (panel[i * width + l] - p->rest[col + l]) * weight;
                sums[col + l] += panel[i * width + l];
            }
        }
        col += width;
    }
    p->size.ops->narrow(y, p->group * p->wide, thin);
}

void scree__product_add(scree__product *p, const scree__rows *x)
{
    p->x = *x;
    if (p->lanes > 1)
        scree__product_by_groups(p);
    else
        scree__product_by_columns(p);
}

/* Of all lanes that have a group: there may be fewer rows than were announced. */
void scree__product_join_block(const scree__product *p, int64_t index)
{
    const int64_t lanes = scree__product_least(p->next, p->lanes);
    const int64_t first = index * SCREE__BLOCK;
    const int64_t rows = scree__product_least(SCREE__BLOCK, p->size.cols - first);
    const int64_t lane_size = p->tiles.padded * p->wide;
    for (int64_t col = 0; col < p->wide;) {
        const int64_t width = scree__panels_at(p->tiles.panels, col, p->wide)->width;
        double *panel = p->w + col * p->tiles.padded + first * width;
        for (int64_t lane = 1; lane < lanes; lane++)
            for (int64_t i = 0; i < rows * width; i++)
                panel[i] += panel[lane * lane_size + i];
        for (int64_t i = 0; i < rows; i++)
            for (int64_t l = 0; l < width && col + l < p->b; l++) {
                const int64_t j = first + i;
                const double rest = p->tiles.rest ? p->tiles.rest[j] * p->sums[col + l] : 0;
                p->to[j * p->b + col + l] = (panel[i * width + l] - rest) * (p->tiles.factor ? p->tiles.factor[j] : 1);
            }
        col += width;
    }
}

/* Task: some rows of W. */
static void join(void *context, int64_t index, int worker)
{
    (void)worker;
    scree__product_join_block(context, index);
}

void scree__product_join_sums(const scree__product *p)
{
    for (int64_t lane = 1; lane < p->lanes; lane++)
        for (int64_t l = 0; l < p->wide; l++)
            p->sums[l] += p->sums[lane * p->wide + l];
}

void scree__product_finish(scree__product *p)
{
    scree__product_join_sums(p);
    scree__parallel(p->size.threads, parts_of(p->size.cols, SCREE__BLOCK), join, p);
}

void scree__product_move(scree__product *p, scree__snapshot *s)
{
    scree__snapshot_same(s, p->size.cols);
    scree__snapshot_same(s, p->lanes);
    scree__snapshot_same(s, p->wide);
    scree__snapshot_count(s, &p->next, 0, SCREE__SNAPSHOT_MOST);
    const int64_t begun = p->lanes == 1 ? 1 : scree__product_least(p->next, p->lanes);
    scree__snapshot_doubles(s, p->w, begun * p->tiles.padded * p->wide);
    scree__snapshot_doubles(s, p->sums, p->lanes * p->wide);
}
