/* SPDX-License-Identifier: BSD-3-Clause */
/* W (D×b) = Cᵀ(CQ) of sparse rows, C = diag(√w)(V - 1mᵀ) diag(f) (sparse_rows.h): with y = V fQ - 1 mᵀfQ, weighted,
 *
 *     W = f (Vᵀy - m 1ᵀy),        4b flops an entry, and one read of the entries.
 *
 * Rows are cut into groups at fixed places and dealt to lanes with a W each, in the type of the arithmetic, which are
 * added up in order, in double; Q and W are cut into panels of columns. A task is what one lane does to one panel: the
 * same bits for any number of threads. Q, copied into that type, and the lanes of wide blocks, which come seldom, take
 * memory during a sweep only. */

#include "kernel/sparse_product.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/sparse_step.h"

#include <string.h>

enum { GROUP = 32, MOST_TASKS = 16, LEAST_LANES = 2, PIECE_GROUPS = 16, SHARE = 512, KEPT_PANELS = 2 };
static const int64_t LANES_BYTES = INT64_C(32) << 20;

struct scree__sparse_product {
    scree__sparse_size size;
    const scree__sparse_centring *centring;
    int64_t element; /* bytes */
    int64_t lanes;
    int64_t width; /* of a panel */
    int64_t b;     /* of this sweep */
    int64_t panels;
    int64_t groups; /* before this piece */
    int64_t kept;   /* panels that there is room for; 0: none */
    char *room_q;   /* that q and w lie in */
    char *room_w;
    char *q;        /* panels×D×width */
    char *w;        /* lanes×panels×D×width */
    char *rest;     /* panels×width */
    double *rests;  /* the same */
    double *sums;   /* lanes×panels×width */
    int32_t *index; /* threads×(D+1) */
    char *value;    /* the same */
    const double *from;
    double *to;
    const scree__entries *x;
};

static int64_t element_of(const scree__sparse_size *size)
{
    return size->type == SCREE_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

static int64_t panels_of(const scree__sparse_size *size, int64_t b)
{
    const int64_t width = SCREE__SPARSE_PANEL / element_of(size);
    return (b + width - 1) / width;
}

/* Enough for as many tasks as there may be threads, as far as memory goes. */
static int64_t lanes_of(const scree__sparse_size *size)
{
    const int64_t panels = panels_of(size, size->b);
    int64_t lanes = MOST_TASKS;
    while (lanes > LEAST_LANES &&
           (lanes * panels > MOST_TASKS || lanes * panels * size->cols * SCREE__SPARSE_PANEL > LANES_BYTES))
        lanes /= 2;
    return lanes;
}

int64_t scree__sparse_product_rows(const scree__sparse_size *size)
{
    return GROUP * PIECE_GROUPS * lanes_of(size);
}

double scree__sparse_product_chain(const scree__sparse_size *size, int64_t rows)
{
    const int64_t lanes = lanes_of(size);
    return (double)(size->cols + rows / lanes + GROUP + lanes + 8);
}

int64_t scree__sparse_product_memory(const scree__sparse_size *size)
{
    const int64_t panels = panels_of(size, size->b);
    return (lanes_of(size) + 1) * (panels * size->cols + 1) * SCREE__SPARSE_PANEL +
           size->threads * (size->cols + 1) * (element_of(size) + (int64_t)sizeof(int32_t)) +
           (lanes_of(size) + 2) * panels * 2 * SCREE__SPARSE_PANEL;
}

scree_status scree__sparse_product_new(scree__sparse_product **out, const scree__sparse_size *size,
                                       const scree__sparse_centring *centring, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sparse_product *p = NULL;
    SCREE_ALLOC(p, 1, error);
    p->size = *size;
    p->centring = centring;
    p->element = element_of(size);
    p->lanes = lanes_of(size);
    p->width = SCREE__SPARSE_PANEL / p->element;
    const int64_t wide = panels_of(size, size->b) * p->width;
    SCREE_ALLOC(p->rests, wide, error);
    SCREE_ALLOC(p->sums, p->lanes * wide, error);
    SCREE_ALLOC(p->index, size->threads * (size->cols + 1), error);
    p->rest = scree__alloc(wide, (size_t)p->element);
    p->value = scree__alloc(size->threads * (size->cols + 1), (size_t)p->element);
    if (!p->rest || !p->value)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "cannot allocate rows of %lld entries", (long long)size->cols);
    *out = p;
    p = NULL;
done:
    scree__sparse_product_free(p);
    return status;
}

/* Narrow blocks come again and again: what they used is used again. */
static bool is_kept(const scree__sparse_product *p)
{
    return p->panels <= KEPT_PANELS && p->kept >= p->panels;
}

static void free_sweep(scree__sparse_product *p)
{
    free(p->room_q);
    free(p->room_w);
    p->room_q = p->room_w = p->q = p->w = NULL;
    p->kept = 0;
}

void scree__sparse_product_free(scree__sparse_product *p)
{
    if (!p)
        return;
    free_sweep(p);
    free(p->rest);
    free(p->rests);
    free(p->sums);
    free(p->index);
    free(p->value);
    free(p);
}

static void narrow(const scree__sparse_product *p, const double *from, int64_t count, char *to)
{
    if (p->size.type == SCREE_F32)
        for (int64_t i = 0; i < count; i++)
            ((float *)(void *)to)[i] = (float)from[i];
    else
        memcpy(to, from, (size_t)count * sizeof *from);
}

/* Task: some rows of fQ. */
static void copy_q(void *context, int64_t index, int worker)
{
    const scree__sparse_product *p = context;
    const int64_t d = p->size.cols;
    const int64_t end = (index + 1) * SHARE < d ? (index + 1) * SHARE : d;
    double row[SCREE__SPARSE_PANEL];
    (void)worker;
    for (int64_t panel = 0; panel < p->panels; panel++)
        for (int64_t j = index * SHARE; j < end; j++) {
            const double factor = p->centring->factor ? p->centring->factor[j] : 1;
            for (int64_t l = 0, col = panel * p->width; l < p->width; l++, col++)
                row[l] = col < p->b ? p->from[j * p->b + col] * factor : 0;
            narrow(p, row, p->width, p->q + (panel * d + j) * SCREE__SPARSE_PANEL);
        }
}

/* The first place in the room that panels may begin at. */
static char *aligned(char *room)
{
    const uintptr_t past = (uintptr_t)room % SCREE__SPARSE_PANEL;
    return room + (past > 0 ? SCREE__SPARSE_PANEL - past : 0);
}

static scree_status make_rooms(scree__sparse_product *p, scree_error *error)
{
    if (is_kept(p))
        return SCREE_OK;
    free_sweep(p);
    p->room_q = scree__alloc_raw(p->panels * p->size.cols + 1, SCREE__SPARSE_PANEL);
    p->room_w = scree__alloc_raw(p->lanes * p->panels * p->size.cols + 1, SCREE__SPARSE_PANEL);
    if (!p->room_q || !p->room_w)
        return scree__fail(error, SCREE_ERR_MEMORY, "cannot allocate %lld sums of %lld×%lld numbers",
                           (long long)p->lanes, (long long)p->size.cols, (long long)p->b);
    p->q = aligned(p->room_q);
    p->w = aligned(p->room_w);
    p->kept = p->panels;
    return SCREE_OK;
}

/* Task: a panel of a lane. */
static void clear_lane(void *context, int64_t index, int worker)
{
    const scree__sparse_product *p = context;
    (void)worker;
    memset(p->w + index * p->size.cols * SCREE__SPARSE_PANEL, 0, (size_t)(p->size.cols * SCREE__SPARSE_PANEL));
}

scree_status scree__sparse_product_start(scree__sparse_product *p, const double *q, int64_t b, double *w,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sparse_centring *c = p->centring;
    p->b = b;
    p->panels = panels_of(&p->size, b);
    const int64_t wide = p->panels * p->width;
    p->from = q;
    p->to = w;
    p->groups = 0;
    SCREE_TRY(make_rooms(p, error));
    scree__parallel(p->size.threads, p->lanes * p->panels, clear_lane, p);
    memset(p->sums, 0, (size_t)(p->lanes * wide) * sizeof *p->sums);
    memset(p->rests, 0, (size_t)wide * sizeof *p->rests);
    for (int64_t j = 0; j < p->size.cols; j++)
        for (int64_t l = 0; c->later[j] != 0 && l < b; l++)
            p->rests[l] += c->later[j] * (c->factor ? c->factor[j] : 1) * q[j * b + l];
    narrow(p, p->rests, wide, p->rest);
    scree__parallel(p->size.threads, (p->size.cols + SHARE - 1) / SHARE, copy_q, p);
done:
    return status;
}

/* Task: the groups of this piece that are one lane's, and a panel. */
static void add_groups(void *context, int64_t index, int worker)
{
    const scree__sparse_product *p = context;
    const int64_t at = index / p->panels;
    const int64_t panel = index % p->panels;
    const int64_t lane = ((p->groups + at) % p->lanes) * p->panels + panel;
    scree__sparse_step step = {.centring = p->centring,
                               .x = p->x,
                               .q = p->q + panel * p->size.cols * SCREE__SPARSE_PANEL,
                               .rest = p->rest + panel * SCREE__SPARSE_PANEL,
                               .w = p->w + lane * p->size.cols * SCREE__SPARSE_PANEL,
                               .sums = p->sums + lane * p->width,
                               .index = p->index + worker * (p->size.cols + 1),
                               .value = p->value + worker * (p->size.cols + 1) * p->element};
    for (int64_t g = at; g * GROUP < p->x->rows; g += p->lanes) {
        step.first = g * GROUP;
        step.end = (g + 1) * GROUP < p->x->rows ? (g + 1) * GROUP : p->x->rows;
        (p->size.type == SCREE_F32 ? scree__sparse_step_f32 : scree__sparse_step_f64)(&step);
    }
}

void scree__sparse_product_add(scree__sparse_product *p, const scree__entries *x)
{
    const int64_t groups = (x->rows + GROUP - 1) / GROUP;
    p->x = x;
    scree__parallel(p->size.threads, (groups < p->lanes ? groups : p->lanes) * p->panels, add_groups, p);
    p->groups += groups;
}

static double number(const scree__sparse_product *p, int64_t at)
{
    return p->size.type == SCREE_F32 ? (double)((const float *)(const void *)p->w)[at]
                                     : ((const double *)(const void *)p->w)[at];
}

/* Task: some rows of W, of all lanes. */
static void join(void *context, int64_t index, int worker)
{
    const scree__sparse_product *p = context;
    const int64_t d = p->size.cols;
    const int64_t end = (index + 1) * SHARE < d ? (index + 1) * SHARE : d;
    (void)worker;
    for (int64_t j = index * SHARE; j < end; j++) {
        const double factor = p->centring->factor ? p->centring->factor[j] : 1;
        for (int64_t l = 0; l < p->b; l++) {
            const int64_t panel = l / p->width;
            double sum = 0;
            for (int64_t lane = 0; lane < p->lanes; lane++)
                sum += number(p, ((lane * p->panels + panel) * d + j) * p->width + l % p->width);
            p->to[j * p->b + l] = factor * (sum - p->centring->later[j] * p->sums[l]);
        }
    }
}

void scree__sparse_product_finish(scree__sparse_product *p)
{
    const int64_t wide = p->panels * p->width;
    for (int64_t lane = 1; lane < p->lanes; lane++)
        for (int64_t l = 0; l < wide; l++)
            p->sums[l] += p->sums[lane * wide + l];
    scree__parallel(p->size.threads, (p->size.cols + SHARE - 1) / SHARE, join, p);
    if (!is_kept(p))
        free_sweep(p);
}

void scree__sparse_product_move(scree__sparse_product *p, scree__snapshot *s)
{
    scree__snapshot_same(s, p->size.cols);
    scree__snapshot_same(s, p->size.type);
    scree__snapshot_same(s, p->lanes);
    scree__snapshot_same(s, p->panels);
    scree__snapshot_count(s, &p->groups, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_bytes(s, p->w, p->lanes * p->panels * p->size.cols * SCREE__SPARSE_PANEL);
    scree__snapshot_doubles(s, p->sums, p->lanes * p->panels * p->width);
}
