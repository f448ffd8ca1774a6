/* SPDX-License-Identifier: BSD-3-Clause */
/* W (D×b) = Cᵀ(CQ) of sparse rows, C = diag(√w)(V - 1mᵀ) diag(f) (sparse_rows.h): with y = V fQ - 1 mᵀfQ, weighted,
 *
 *     W = f (Vᵀy - m 1ᵀy),        4b flops an entry, and one read of the entries.
 *
 * Rows are cut into groups at fixed places and dealt to lanes with a W each, in the type of the arithmetic, which are
 * added up in order, in double: the same bits for any number of threads. Q, copied into that type, and the lanes take
 * memory during a sweep only. */

#include "kernel/sparse_product.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/sparse_step.h"

#include <string.h>

enum { GROUP = 32, MOST_LANES = 16, LEAST_LANES = 2, PIECE_GROUPS = 16, SHARE = 512 };
static const int64_t LANES_BYTES = INT64_C(32) << 20;

struct scree__sparse_product {
    scree__sparse_size size;
    const scree__sparse_centring *centring;
    int64_t element; /* bytes */
    int64_t lanes;
    int64_t b; /* of this sweep */
    int64_t wide;
    int64_t groups; /* before this piece */
    char *q;        /* D×wide */
    char *w;        /* lanes×D×wide */
    char *rest;     /* wide */
    double *rests;  /* wide */
    double *sums;   /* lanes×wide */
    int32_t *index; /* threads×(D+1) */
    char *value;    /* the same */
    char *y;        /* threads×wide */
    const double *from;
    double *to;
    const scree__entries *x;
};

static int64_t padded(int64_t b)
{
    return (b + SCREE__SPARSE_LANE - 1) / SCREE__SPARSE_LANE * SCREE__SPARSE_LANE;
}

static int64_t element_of(const scree__sparse_size *size)
{
    return size->type == SCREE_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

static int64_t lanes_of(const scree__sparse_size *size)
{
    int64_t lanes = MOST_LANES;
    while (lanes > LEAST_LANES && lanes * size->cols * padded(size->b) * element_of(size) > LANES_BYTES)
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
    const int64_t sweep = (lanes_of(size) + 1) * size->cols * padded(size->b) * element_of(size);
    return sweep + size->threads * ((size->cols + 1) * (element_of(size) + 4) + padded(size->b) * 8) +
           (lanes_of(size) + 2) * padded(size->b) * 8;
}

scree_status scree__sparse_product_new(scree__sparse_product **out, const scree__sparse_size *size,
                                       const scree__sparse_centring *centring, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sparse_product *p = NULL;
    const int64_t wide = padded(size->b);
    SCREE_ALLOC(p, 1, error);
    p->size = *size;
    p->centring = centring;
    p->element = element_of(size);
    p->lanes = lanes_of(size);
    SCREE_ALLOC(p->rests, wide, error);
    SCREE_ALLOC(p->sums, p->lanes * wide, error);
    SCREE_ALLOC(p->index, size->threads * (size->cols + 1), error);
    p->rest = scree__alloc(wide, (size_t)p->element);
    p->value = scree__alloc(size->threads * (size->cols + 1), (size_t)p->element);
    p->y = scree__alloc(size->threads * wide, (size_t)p->element);
    if (!p->rest || !p->value || !p->y)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "cannot allocate rows of %lld entries", (long long)size->cols);
    *out = p;
    p = NULL;
done:
    scree__sparse_product_free(p);
    return status;
}

static void free_sweep(scree__sparse_product *p)
{
    free(p->q);
    free(p->w);
    p->q = p->w = NULL;
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
    free(p->y);
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
    const int64_t end = (index + 1) * SHARE < p->size.cols ? (index + 1) * SHARE : p->size.cols;
    double row[SCREE__SPARSE_LANE];
    (void)worker;
    for (int64_t j = index * SHARE; j < end; j++)
        for (int64_t col = 0; col < p->wide; col += SCREE__SPARSE_LANE) {
            for (int64_t l = 0; l < SCREE__SPARSE_LANE; l++)
                row[l] = col + l < p->b
                             ? p->from[j * p->b + col + l] * (p->centring->factor ? p->centring->factor[j] : 1)
                             : 0;
            narrow(p, row, SCREE__SPARSE_LANE, p->q + (j * p->wide + col) * p->element);
        }
}

scree_status scree__sparse_product_start(scree__sparse_product *p, const double *q, int64_t b, double *w,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sparse_centring *c = p->centring;
    p->b = b;
    p->wide = padded(b);
    p->from = q;
    p->to = w;
    p->groups = 0;
    free_sweep(p);
    p->q = scree__alloc_raw(p->size.cols * p->wide, (size_t)p->element);
    p->w = scree__alloc(p->lanes * p->size.cols * p->wide, (size_t)p->element);
    if (!p->q || !p->w)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "cannot allocate %lld sums of %lld×%lld numbers", (long long)p->lanes,
                   (long long)p->size.cols, (long long)b);
    memset(p->sums, 0, (size_t)(p->lanes * p->wide) * sizeof *p->sums);
    memset(p->rests, 0, (size_t)p->wide * sizeof *p->rests);
    for (int64_t j = 0; j < p->size.cols; j++)
        for (int64_t l = 0; c->later[j] != 0 && l < b; l++)
            p->rests[l] += c->later[j] * (c->factor ? c->factor[j] : 1) * q[j * b + l];
    narrow(p, p->rests, p->wide, p->rest);
    scree__parallel(p->size.threads, (p->size.cols + SHARE - 1) / SHARE, copy_q, p);
done:
    return status;
}

/* Task: the groups of this piece that are one lane's. */
static void add_lane(void *context, int64_t index, int worker)
{
    const scree__sparse_product *p = context;
    const int64_t lane = (p->groups + index) % p->lanes;
    scree__sparse_step step = {.centring = p->centring,
                               .x = p->x,
                               .wide = p->wide,
                               .q = p->q,
                               .rest = p->rest,
                               .w = p->w + lane * p->size.cols * p->wide * p->element,
                               .sums = p->sums + lane * p->wide,
                               .index = p->index + worker * (p->size.cols + 1),
                               .value = p->value + worker * (p->size.cols + 1) * p->element,
                               .y = p->y + worker * p->wide * p->element};
    for (int64_t g = index; g * GROUP < p->x->rows; g += p->lanes) {
        step.first = g * GROUP;
        step.end = (g + 1) * GROUP < p->x->rows ? (g + 1) * GROUP : p->x->rows;
        (p->size.type == SCREE_F32 ? scree__sparse_step_f32 : scree__sparse_step_f64)(&step);
    }
}

void scree__sparse_product_add(scree__sparse_product *p, const scree__entries *x)
{
    const int64_t groups = (x->rows + GROUP - 1) / GROUP;
    p->x = x;
    scree__parallel(p->size.threads, groups < p->lanes ? groups : p->lanes, add_lane, p);
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
    const int64_t end = (index + 1) * SHARE < p->size.cols ? (index + 1) * SHARE : p->size.cols;
    const int64_t lane_size = p->size.cols * p->wide;
    (void)worker;
    for (int64_t j = index * SHARE; j < end; j++) {
        const double factor = p->centring->factor ? p->centring->factor[j] : 1;
        for (int64_t l = 0; l < p->b; l++) {
            double sum = 0;
            for (int64_t lane = 0; lane < p->lanes; lane++)
                sum += number(p, lane * lane_size + j * p->wide + l);
            p->to[j * p->b + l] = factor * (sum - p->centring->later[j] * p->sums[l]);
        }
    }
}

void scree__sparse_product_finish(scree__sparse_product *p)
{
    for (int64_t lane = 1; lane < p->lanes; lane++)
        for (int64_t l = 0; l < p->wide; l++)
            p->sums[l] += p->sums[lane * p->wide + l];
    scree__parallel(p->size.threads, (p->size.cols + SHARE - 1) / SHARE, join, p);
    free_sweep(p);
}
