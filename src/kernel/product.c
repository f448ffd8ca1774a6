/* SPDX-License-Identifier: BSD-3-Clause */
/* W (D×b) = Cᵀ(CQ) in one read of the rows, C = (X - 1µᵀ) diag(factor): 4NDb flops.
 *
 * A batch of rows is centred explicitly into a buffer that fits the cache, never as XQ - 1(µᵀQ), which would lose the
 * digits of a large mean. Then two parallel loops: over groups of rows, Y = PQ; over groups of columns, W += PᵀY. Each
 * output has one writer and sums in one order: the same bits for any number of threads. */

#include "kernel/product.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { ROW_GROUP = 48, COL_GROUP = 512, MOST_ROWS = 21 * 4 * 48 };
static const int64_t BATCH_BYTES = INT64_C(8) << 20;

struct scree__product {
    const scree__ops *ops;
    int threads;
    int64_t cols;
    const double *shift;
    const double *factor;
    char *packed;    /* rows×D */
    char *y;         /* rows×b */
    char *q;         /* D×b, in the type of the operations */
    char *scratch;   /* COL_GROUP×b for each thread */
    double *buffers; /* D for each thread */
    double *zeros;   /* D */
    int64_t b;
    double *w;
    const scree__rows *batch;
    bool failed;
};

int64_t scree__product_rows(int64_t cols, const scree__ops *ops)
{
    const int64_t rows = BATCH_BYTES / (cols * ops->size);
    const int64_t unit = rows < 4 * ROW_GROUP ? ROW_GROUP : 4 * ROW_GROUP; /* for 2 and 4 threads alike */
    return rows < unit ? unit : rows > MOST_ROWS ? MOST_ROWS : rows / unit * unit;
}

int64_t scree__product_memory(int64_t cols, int64_t b, const scree__ops *ops, int threads)
{
    int64_t rows = scree__product_rows(cols, ops);
    return (rows * (cols + b) + cols * b + threads * COL_GROUP * b) * ops->size + (threads + 1) * cols * 8;
}

scree_status scree__product_new(scree__product **out, int64_t cols, int64_t b, const scree__ops *ops, int threads,
                                const double *shift, const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__product *p = NULL;
    const int64_t rows = scree__product_rows(cols, ops);
    SCREE_ALLOC(p, 1, error);
    *p = (scree__product){.ops = ops, .threads = threads, .cols = cols, .shift = shift, .factor = factor};
    SCREE_ALLOC(p->packed, rows * cols * ops->size, error);
    SCREE_ALLOC(p->y, rows * b * ops->size, error);
    SCREE_ALLOC(p->q, cols * b * ops->size, error);
    SCREE_ALLOC(p->scratch, threads * COL_GROUP * b * ops->size, error);
    SCREE_ALLOC(p->buffers, threads * cols, error);
    SCREE_ALLOC(p->zeros, cols, error);
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
    free(p->packed);
    free(p->y);
    free(p->q);
    free(p->scratch);
    free(p->buffers);
    free(p->zeros);
    free(p);
}

void scree__product_start(scree__product *p, const double *q, int64_t b, double *w)
{
    p->b = b;
    p->w = w;
    p->ops->narrow(q, p->cols * b, p->q);
    memset(w, 0, (size_t)(p->cols * b) * sizeof *w);
}

/* Task: a group of rows, packed and times Q. */
static void forward(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    int64_t first = index * ROW_GROUP;
    int64_t left = p->batch->rows - first;
    scree__rows x = scree__rows_slice(p->batch, first, left < ROW_GROUP ? left : ROW_GROUP);
    char *packed = p->packed + first * p->cols * p->ops->size;
    if (p->factor)
        p->ops->pack(&x, p->shift, p->factor, packed, p->buffers + worker * p->cols);
    else
        p->ops->centre(&x, p->shift, p->zeros, packed);
    if (p->ops->multiply(packed, x.rows, p->cols, p->q, p->b, p->y + first * p->b * p->ops->size) != 0)
        __atomic_store_n(&p->failed, true, __ATOMIC_RELAXED);
}

/* Task: a group of columns of Pᵀ, times Y. */
static void backward(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    int64_t first = index * COL_GROUP;
    int64_t left = p->cols - first;
    scree__tile tile = {
        .a = p->packed + first * p->ops->size,
        .b = p->y,
        .lda = p->cols,
        .ldb = p->b,
        .m = left < COL_GROUP ? left : COL_GROUP,
        .n = p->b,
        .k = p->batch->rows,
        .acc = p->w + first * p->b,
        .ldacc = p->b,
        .scratch = p->scratch + worker * COL_GROUP * p->b * p->ops->size,
    };
    if (p->ops->inner(&tile) != 0)
        __atomic_store_n(&p->failed, true, __ATOMIC_RELAXED);
}

scree_status scree__product_add(scree__product *p, const scree__rows *x, scree_error *error)
{
    p->batch = x;
    scree__parallel(p->threads, (x->rows + ROW_GROUP - 1) / ROW_GROUP, forward, p);
    scree__parallel(p->threads, (p->cols + COL_GROUP - 1) / COL_GROUP, backward, p);
    p->batch = NULL;
    if (p->failed)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                           (long long)p->cols);
    return SCREE_OK;
}
