/* SPDX-License-Identifier: BSD-3-Clause */
/* One sweep W = Cᵀ(CQ) of the block Lanczos method, rows in memory, against a pair of GEMMs of the same shape, XQ and
 * XᵀY, which centre nothing: three element types, blocks of 8 to 96 columns. Few rows are swept as the
 * method sweeps them, V = C(CᵀY). The products are checked against plain ones in double first. Bytes become floats for
 * GEMM before the clock starts. Floor: 4NDb flops, or one read of the rows. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"
#include "kernel/inplace.h"
#include "kernel/product.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WIDTHS = 5, WIDEST = 96 };
static const int64_t widths[WIDTHS] = {8, 16, 32, 64, WIDEST};

typedef struct work {
    bench *b;
    scree__rows x;
    bool by_rows;
    const scree__ops *ops;
    int64_t width;
    double *mean;
    double *q; /* short side × width */
    double *w;
    scree__product *product;
    scree__inplace *inplace;
    void *plain; /* the rows as GEMM takes them */
    void *thin;  /* Q and Y of the same type, longer side × WIDEST each */
    void *y;
} work;

static int64_t height_of(const work *w)
{
    return w->by_rows ? w->x.rows : w->x.cols;
}

static double cell(const work *w, int64_t i, int64_t j)
{
    const int64_t at = i * w->x.cols + j;
    return (w->x.type == SCREE_F32   ? (double)((const float *)w->x.data)[at]
            : w->x.type == SCREE_F64 ? ((const double *)w->x.data)[at]
                                     : (double)((const uint8_t *)w->x.data)[at]) -
           w->mean[j];
}

static scree_status ours(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    (void)error;
    const double start = bench_now();
    if (w->by_rows) {
        scree__inplace_apply(w->inplace, w->q, w->width, w->w);
    } else {
        scree__product_start(w->product, w->q, w->width, w->w);
        scree__product_add(w->product, &w->x);
        scree__product_finish(w->product);
    }
    *seconds = bench_now() - start;
    return SCREE_OK;
}

static int multiply(const work *w, bool transposed, const void *from, void *to)
{
    const int64_t m = transposed ? w->x.cols : w->x.rows;
    const int64_t k = transposed ? w->x.rows : w->x.cols;
    if (w->ops->type == SCREE_F32)
        return scree__sgemm(transposed, false, m, w->width, k, 1, w->plain, w->x.cols, from, w->width, 0, to, w->width);
    return scree__dgemm(transposed, false, m, w->width, k, 1, w->plain, w->x.cols, from, w->width, 0, to, w->width);
}

static scree_status theirs(void *context, double *seconds, scree_error *error)
{
    work *w = context;
    const double start = bench_now();
    const int first = multiply(w, w->by_rows, w->thin, w->y);
    const int second = multiply(w, !w->by_rows, w->y, w->thin);
    *seconds = bench_now() - start;
    return first == 0 && second == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "GEMM failed");
}

/* The first and the last column of the product, by plain sums. */
static scree_status check(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->x.rows;
    const int64_t d = w->x.cols;
    double *between = NULL;
    double *wanted = NULL;
    SCREE_ALLOC(between, w->by_rows ? d : n, error);
    SCREE_ALLOC(wanted, height_of(w), error);
    for (int64_t l = 0; l < w->width; l += w->width - 1) {
        double off = 0;
        double size = 0;
        memset(between, 0, (size_t)(w->by_rows ? d : n) * sizeof *between);
        memset(wanted, 0, (size_t)height_of(w) * sizeof *wanted);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < d; j++)
                between[w->by_rows ? j : i] += cell(w, i, j) * w->q[(w->by_rows ? i : j) * w->width + l];
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < d; j++)
                wanted[w->by_rows ? i : j] += cell(w, i, j) * between[w->by_rows ? j : i];
        for (int64_t i = 0; i < height_of(w); i++) {
            off += pow(w->w[i * w->width + l] - wanted[i], 2);
            size += pow(wanted[i], 2);
        }
        if (!(sqrt(off) <= (w->ops->type == SCREE_F32 ? 1e-5 : 1e-12) * sqrt(size)))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a sweep of %lld columns is off by %g of %g", (long long)w->width,
                       sqrt(off), sqrt(size));
    }
done:
    free(between);
    free(wanted);
    return status;
}

static scree_status run_width(work *w, const bench_case *c, bool checked, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench *b = w->b;
    const double cells = (double)w->x.rows * (double)w->x.cols;
    bench_side sides[] = {{.once = ours, .context = w}, {.once = theirs, .context = w}};
    bench_line line = {.name = c->name, .most = c->most};
    double unused;
    scree__normals(7, 1, 0, height_of(w) * w->width, w->q);
    SCREE_TRY(ours(w, &unused, error));
    if (checked)
        SCREE_TRY(check(w, error));
    SCREE_TRY(theirs(w, &unused, error));
    SCREE_TRY(bench_interleave(sides, 2, b->repeats, error));
    bench_line_times(&line, &sides[0], &sides[1]);
    bench_line_floor(&line, 4 * cells * (double)w->width / b->machine.flops[w->ops->type],
                     cells * (double)bench_type_size(w->x.type) / b->machine.bytes);
    snprintf(line.what, sizeof line.what, "sweep of %" PRId64 "×%" PRId64 " %s, %" PRId64 " columns", w->x.rows,
             w->x.cols, bench_type_name(w->x.type), w->width);
    snprintf(line.against, sizeof line.against, "two %s", w->ops->type == SCREE_F32 ? "sgemm" : "dgemm");
    snprintf(line.note, sizeof line.note, "%.3f ns a cell, %.0f Gflop/s", 1e9 * sides[0].best / cells,
             4e-9 * cells * (double)w->width / sides[0].best);
    bench_add(b, &line);
done:
    return status;
}

/* Rows of two directions and noise, around means that differ. */
static scree_status make(work *w, void *data, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->x.rows;
    const int64_t d = w->x.cols;
    double *wave = NULL;
    SCREE_ALLOC(w->mean, d, error);
    SCREE_ALLOC(wave, d, error);
    for (int64_t j = 0; j < d; j++)
        wave[j] = cos((double)j);
    for (int64_t i = 0; i < n; i++) {
        const double score = sin((double)i);
        for (int64_t j = 0; j < d; j++) {
            const int64_t at = i * d + j;
            const double x = (double)(j % 3) + score * wave[j] + (double)(at * 7919 % 1009) / 1009;
            const uint8_t byte = (uint8_t)(40 + 40 * x);
            if (w->x.type == SCREE_U8)
                ((uint8_t *)data)[at] = byte;
            else if (w->x.type == SCREE_F32)
                ((float *)data)[at] = (float)x;
            else
                ((double *)data)[at] = x;
            if (w->x.type == SCREE_U8)
                ((float *)w->plain)[at] = (float)byte;
            w->mean[j] += (w->x.type == SCREE_U8 ? (double)byte : x) / (double)n;
        }
    }
done:
    free(wave);
    return status;
}

static void clear(work *w, void *data)
{
    scree__product_free(w->product);
    scree__inplace_free(w->inplace);
    if (w->plain != data)
        free(w->plain);
    free(w->mean);
    free(w->q);
    free(w->w);
    free(w->thin);
    free(w->y);
    free(data);
}

static scree_status run_type(const bench_case *c, bench *b, scree_type type, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = bench_rows(b, c);
    const int64_t d = c->cols;
    const int64_t longer = n > d ? n : d;
    work w = {.b = b, .by_rows = 2 * n <= d, .ops = type == SCREE_F64 ? &scree__ops_f64 : &scree__ops_f32};
    char *data = NULL;
    char *plain = NULL;
    SCREE_ALLOC(data, n * d * bench_type_size(type), error);
    if (type == SCREE_U8)
        SCREE_ALLOC(plain, n * d * (int64_t)sizeof(float), error);
    w.x = (scree__rows){data, type, n, d, d, NULL};
    w.plain = plain ? plain : data;
    SCREE_TRY(make(&w, data, error));
    SCREE_ALLOC(w.q, longer * WIDEST, error);
    SCREE_ALLOC(w.w, longer * WIDEST, error);
    w.thin = scree__alloc(longer * WIDEST, sizeof(double));
    w.y = scree__alloc(longer * WIDEST, sizeof(double));
    if (!w.thin || !w.y)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %d columns", WIDEST);
    for (int i = 0; i < WIDTHS; i++) {
        const scree__product_size size = {n, d, widths[i], type, w.ops, b->threads, 1};
        const scree__inplace_rows rows = {w.x, w.mean, NULL, false};
        w.width = widths[i];
        SCREE_TRY(w.by_rows ? scree__inplace_new(&w.inplace, &rows, w.width, w.ops, b->threads, error)
                            : scree__product_new(&w.product, &size, w.mean, NULL, error));
        SCREE_TRY(run_width(&w, c, i == 0 || i + 1 == WIDTHS, error));
        scree__product_free(w.product);
        scree__inplace_free(w.inplace);
        w.product = NULL;
        w.inplace = NULL;
    }
done:
    clear(&w, data);
    return status;
}

scree_status bench_sweeps(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int type = SCREE_F32; type <= SCREE_U8; type++)
        SCREE_TRY(run_type(c, b, (scree_type)type, error));
done:
    return status;
}
