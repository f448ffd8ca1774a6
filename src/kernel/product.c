/* SPDX-License-Identifier: BSD-3-Clause */
/* W (D×b) = Cᵀ(CQ) in one read of the rows, C = (X - 1µᵀ) diag(factor): 4NDb flops.
 *
 * A batch of rows is centred explicitly into a buffer that fits the cache, never as XQ - 1(µᵀQ), which would lose the
 * digits of a large mean. It is kept as strips of columns P_s, for three parallel loops: over strips, Y_s = P_s Q_s;
 * over panels of Y, Y = Σ_s Y_s; over strips again, W_s += P_sᵀY. Each output has one writer and sums in
 * one order: the same bits for any number of threads. */

#include "kernel/product.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/skinny.h"

#include <string.h>

enum {
    ROW_UNIT = 48,
    MOST_ROWS = 20 * ROW_UNIT,
    STRIP_UNIT = 48,
    WIDEST_STRIP = 7 * STRIP_UNIT,
    STRIPS = 16,
    PACK_ROWS = 8
};
/* W is read and written once a batch: with too few rows in one, that takes longer than the products. Packed rows that
 * do not fit the cache are the smaller evil. */
enum { LEAST_ROWS = 2 * ROW_UNIT, LEAST_FLOAT_ROWS = 10 * ROW_UNIT };
enum { LINE = 64 }; /* bytes of a cache line: panels begin with one */
static const int64_t BATCH_BYTES = INT64_C(4) << 20;

struct scree__product {
    const scree__ops *ops;
    const scree__skinny *skinny;
    int threads;
    int64_t cols;
    int64_t strip;  /* columns of one */
    int64_t strips; /* how many there are */
    const double *shift;
    const double *factor;
    char *packed;    /* strips of rows×strip elements */
    char *parts;     /* Y_s, for each strip rows×b in panels */
    char *y;         /* rows×b in panels */
    char *q;         /* D×b: for each strip its panels */
    double *buffers; /* strip for each thread */
    double *zeros;   /* strip */
    void *memory[5]; /* what holds packed, parts, y, q and kept */
    char *kept;      /* all batches, packed, or NULL */
    int64_t room;    /* rows that kept has room for */
    int64_t held;    /* rows that it holds */
    int64_t b;
    int64_t panels;
    const double *start; /* Q as it came */
    double *w;
    const scree__rows *batch;
    int64_t rows; /* of it */
    char *at;     /* where it is packed */
    bool failed;
};

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* About as many strips for narrow rows as for wide ones, so that every thread has some. */
static int64_t strip_of(int64_t cols)
{
    const int64_t units = (cols + STRIPS * STRIP_UNIT - 1) / (STRIPS * STRIP_UNIT);
    return at_most(units * STRIP_UNIT, WIDEST_STRIP);
}

static const scree__skinny *skinny_of(const scree__ops *ops)
{
    return ops->type == SCREE_F32 ? scree__skinny_best_f32() : scree__skinny_best_f64();
}

/* b filled up to whole panels. */
static int64_t padded(int64_t b, const scree__ops *ops)
{
    const int64_t lanes = skinny_of(ops)->lanes;
    return (b + lanes - 1) / lanes * lanes;
}

static int64_t strips_of(int64_t cols)
{
    return (cols + strip_of(cols) - 1) / strip_of(cols);
}

int64_t scree__product_rows(int64_t cols, const scree__ops *ops)
{
    const int64_t rows = BATCH_BYTES / (cols * ops->size) / ROW_UNIT * ROW_UNIT;
    const int64_t least = ops->type == SCREE_F32 ? LEAST_FLOAT_ROWS : LEAST_ROWS;
    return rows < least ? least : at_most(rows, MOST_ROWS);
}

double scree__product_chain(int64_t cols, int64_t rows, const scree__ops *ops)
{
    const double batch = (double)scree__product_rows(cols, ops);
    return (double)(strip_of(cols) + strips_of(cols)) + batch + (double)rows / batch + 8;
}

int64_t scree__product_memory(int64_t cols, int64_t b, const scree__ops *ops, int threads)
{
    const int64_t rows = scree__product_rows(cols, ops);
    const int64_t wide = padded(b, ops);
    return (rows * cols + (strips_of(cols) + 1) * rows * wide + cols * wide) * ops->size +
           (threads + 1) * strip_of(cols) * 8 + 4 * LINE;
}

/* count bytes that begin with a cache line; *memory is what is to be freed. */
static char *lines(void **memory, int64_t count)
{
    *memory = scree__alloc_raw(count + LINE, 1);
    return *memory ? (char *)*memory + (LINE - (uintptr_t)*memory % LINE) % LINE : NULL;
}

scree_status scree__product_new(scree__product **out, int64_t cols, int64_t b, const scree__ops *ops, int threads,
                                const double *shift, const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__product *p = NULL;
    const int64_t rows = scree__product_rows(cols, ops);
    const int64_t wide = padded(b, ops);
    SCREE_ALLOC(p, 1, error);
    *p = (scree__product){.ops = ops,
                          .skinny = skinny_of(ops),
                          .threads = threads,
                          .cols = cols,
                          .strip = strip_of(cols),
                          .strips = strips_of(cols),
                          .shift = shift,
                          .factor = factor};
    p->packed = lines(&p->memory[0], rows * cols * ops->size);
    p->parts = lines(&p->memory[1], p->strips * rows * wide * ops->size);
    p->y = lines(&p->memory[2], rows * wide * ops->size);
    p->q = lines(&p->memory[3], cols * wide * ops->size);
    if (!p->packed || !p->parts || !p->y || !p->q)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld rows of %lld columns", (long long)rows,
                   (long long)cols);
    SCREE_ALLOC(p->buffers, threads * p->strip, error);
    SCREE_ALLOC(p->zeros, p->strip, error);
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
    for (int i = 0; i < 5; i++)
        free(p->memory[i]);
    free(p->buffers);
    free(p->zeros);
    free(p);
}

static int64_t strip_cols(const scree__product *p, int64_t index)
{
    return at_most(p->strip, p->cols - index * p->strip);
}

/* Elements of a panel of Y. */
static int64_t panel_of(const scree__product *p)
{
    return p->rows * p->skinny->lanes;
}

/* Task: Q of a strip, in panels. */
static void split(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    const int64_t first = index * p->strip;
    (void)worker;
    p->skinny->split(p->start + first * p->b, strip_cols(p, index), p->b,
                     p->q + first * p->panels * p->skinny->lanes * p->ops->size);
}

void scree__product_start(scree__product *p, const double *q, int64_t b, double *w)
{
    p->b = b;
    p->w = w;
    p->panels = (b + p->skinny->lanes - 1) / p->skinny->lanes;
    p->start = q;
    if (!scree__product_has_all(p))
        p->held = 0; /* what the last sweep left is no beginning of this one */
    scree__parallel(p->threads, p->strips, split, p);
    memset(w, 0, (size_t)(p->cols * b) * sizeof *w);
}

/* The packed rows of a strip. */
static scree__strip strip_at(const scree__product *p, int64_t index)
{
    const int64_t cols = strip_cols(p, index);
    return (scree__strip){
        .p = p->at + index * p->strip * p->rows * p->ops->size, .ld = cols, .rows = p->rows, .cols = cols};
}

/* Task: a few rows, packed; read as they lie, since memory is slow in any other order. */
static void pack(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    const int64_t end = at_most((index + 1) * PACK_ROWS, p->rows);
    for (int64_t i = index * PACK_ROWS; i < end; i++) {
        const scree__rows row = scree__rows_slice(p->batch, i, 1);
        for (int64_t s = 0; s < p->strips; s++) {
            const int64_t first = s * p->strip;
            const scree__rows x = scree__rows_columns(&row, first, strip_cols(p, s));
            char *packed = p->at + (first * p->rows + i * x.cols) * p->ops->size;
            if (p->factor)
                p->ops->pack(&x, p->shift + first, p->factor + first, packed, p->buffers + worker * p->strip);
            else
                p->ops->centre(&x, p->shift + first, p->zeros, packed);
        }
    }
}

/* Task: a strip times its rows of Q. */
static void forward(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    const scree__skinny *k = p->skinny;
    const scree__strip strip = strip_at(p, index);
    const char *q = p->q + index * p->strip * p->panels * k->lanes * p->ops->size;
    char *y = p->parts + index * p->panels * panel_of(p) * p->ops->size;
    (void)worker;
    for (int64_t panel = 0; panel < p->panels; panel++)
        if (k->forward(&strip, q + panel * strip.cols * k->lanes * p->ops->size,
                       y + panel * panel_of(p) * p->ops->size) != 0)
            __atomic_store_n(&p->failed, true, __ATOMIC_RELAXED);
}

/* Task: a panel of Y, from its parts. */
static void gather(void *context, int64_t panel, int worker)
{
    scree__product *p = context;
    const int64_t first = panel * panel_of(p) * p->ops->size;
    (void)worker;
    p->skinny->sum(p->parts + first, p->strips, p->panels * panel_of(p), panel_of(p), p->y + first);
}

/* Task: a strip, transposed, times Y. */
static void backward(void *context, int64_t index, int worker)
{
    scree__product *p = context;
    const scree__skinny *k = p->skinny;
    const scree__strip strip = strip_at(p, index);
    double *w = p->w + index * p->strip * p->b;
    (void)worker;
    for (int64_t panel = 0; panel < p->panels; panel++)
        if (k->backward(&strip, p->y + panel * panel_of(p) * p->ops->size, w + panel * k->lanes, p->b,
                        at_most(k->lanes, p->b - panel * k->lanes)) != 0)
            __atomic_store_n(&p->failed, true, __ATOMIC_RELAXED);
}

/* W += PᵀPQ for the batch that is packed. */
static scree_status multiply(scree__product *p, scree_error *error)
{
    scree__parallel(p->threads, p->strips, forward, p);
    scree__parallel(p->threads, p->panels, gather, p);
    scree__parallel(p->threads, p->strips, backward, p);
    if (p->failed)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                           (long long)p->cols);
    return SCREE_OK;
}

scree_status scree__product_add(scree__product *p, const scree__rows *x, scree_error *error)
{
    p->batch = x;
    p->rows = x->rows;
    p->at = p->packed;
    if (p->kept && p->held + x->rows <= p->room) {
        p->at = p->kept + p->held * p->cols * p->ops->size;
        p->held += x->rows;
    }
    scree__parallel(p->threads, (x->rows + PACK_ROWS - 1) / PACK_ROWS, pack, p);
    p->batch = NULL;
    return multiply(p, error);
}

bool scree__product_keep(scree__product *p, int64_t rows)
{
    p->kept = lines(&p->memory[4], rows * p->cols * p->ops->size);
    p->room = p->kept ? rows : 0;
    return p->kept != NULL;
}

bool scree__product_has_all(const scree__product *p)
{
    return p->kept && p->held == p->room;
}

scree_status scree__product_repeat(scree__product *p, scree_error *error)
{
    const int64_t most = scree__product_rows(p->cols, p->ops);
    scree_status status = SCREE_OK;
    for (int64_t first = 0; status == SCREE_OK && first < p->held; first += most) {
        p->rows = at_most(most, p->held - first);
        p->at = p->kept + first * p->cols * p->ops->size;
        status = multiply(p, error);
    }
    return status;
}
