/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a matrix as doubles, centred by a mean of two passes, a piece of rows at a time; and products of vectors with
 * their covariance, S = (1/N) Σ(x-µ)(x-µ)ᵀ, as (VCᵀ)C/N without S (4NDk flops). The matrix may be a mapped file that is
 * larger than memory. Nothing of the library under test but its threads and its wrappers of BLAS is used. */

#include "bench.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <string.h>

enum { MOST_ROWS = 1000, MOST_CELLS = 1 << 24, PARTS = 32 };

static double element(const bench_matrix *x, int64_t i)
{
    return x->type == SCREE_F32 ? (double)((const float *)x->data)[i] : ((const double *)x->data)[i];
}

typedef struct summing {
    const bench_matrix *x;
    const double *mean;
    double *sums; /* PARTS×D */
} summing;

static void sum_part(void *context, int64_t part, int worker)
{
    const summing *s = context;
    const int64_t d = s->x->cols;
    double *sums = s->sums + part * d;
    (void)worker;
    memset(sums, 0, (size_t)d * sizeof *sums);
    for (int64_t i = part * s->x->rows / PARTS; i < (part + 1) * s->x->rows / PARTS; i++)
        for (int64_t j = 0; j < d; j++)
            sums[j] += element(s->x, i * d + j) - s->mean[j];
}

/* mean += Σ(x - mean)/N: the second time this removes the rounding of the first. */
static void improve_mean(const bench_matrix *x, double *mean, double *sums)
{
    summing s = {x, mean, sums};
    scree__parallel(scree__threads(0), PARTS, sum_part, &s);
    for (int64_t j = 0; j < x->cols; j++) {
        double sum = 0;
        for (int64_t part = 0; part < PARTS; part++)
            sum += sums[part * x->cols + j];
        mean[j] += sum / (double)x->rows;
    }
}

scree_status bench_doubles_new(bench_doubles *c, const bench_matrix *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *sums = NULL;
    const int64_t rows = MOST_CELLS / x->cols < MOST_ROWS ? MOST_CELLS / x->cols : MOST_ROWS;
    *c = (bench_doubles){.x = x, .piece_rows = rows > 1 ? rows : 1};
    SCREE_ALLOC(c->mean, x->cols, error);
    SCREE_ALLOC(c->piece, c->piece_rows * x->cols, error);
    SCREE_ALLOC(sums, PARTS * x->cols, error);
    improve_mean(x, c->mean, sums);
    improve_mean(x, c->mean, sums);
done:
    free(sums);
    return status;
}

void bench_doubles_clear(bench_doubles *c)
{
    free(c->mean);
    free(c->piece);
}

typedef struct loading {
    bench_doubles *c;
    int64_t first;
} loading;

static void load_row(void *context, int64_t i, int worker)
{
    const loading *l = context;
    const int64_t d = l->c->x->cols;
    (void)worker;
    for (int64_t j = 0; j < d; j++)
        l->c->piece[i * d + j] = element(l->c->x, (l->first + i) * d + j) - l->c->mean[j];
}

int64_t bench_doubles_load(bench_doubles *c, int64_t first)
{
    loading l = {c, first};
    const int64_t count = c->x->rows - first < c->piece_rows ? c->x->rows - first : c->piece_rows;
    scree__parallel(scree__threads(0), count, load_row, &l);
    return count;
}

scree_status bench_covariance_times(const bench_matrix *x, const double *vectors, int64_t k, double *images,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = x->cols;
    bench_doubles c = {0};
    double *y = NULL;
    SCREE_TRY(bench_doubles_new(&c, x, error));
    SCREE_ALLOC(y, c.piece_rows * k, error);
    memset(images, 0, (size_t)(k * d) * sizeof *images);
    for (int64_t first = 0; first < x->rows; first += c.piece_rows) {
        const int64_t count = bench_doubles_load(&c, first);
        if (scree__dgemm(false, true, count, k, d, 1, c.piece, d, vectors, d, 0, y, k) != 0 ||
            scree__dgemm(true, false, k, d, count, 1.0 / (double)x->rows, y, k, c.piece, d, 1, images, d) != 0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: GEMM failed for the reference", x->path);
    }
done:
    bench_doubles_clear(&c);
    free(y);
    return status;
}
