/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram matrices and linear combinations of rows, cut into bands for threads. BAND is what keeps a call of GEMM near its
 * rate; fewer rows than FEW are one band, as waking a thread takes longer than the work. */

#include "kernel/row_products.h"

#include "base/cpu.h"
#include "base/threads.h"
#include "kernel/blas.h"

enum { BAND = 64, FEW = 128, LANES = 8 };

typedef struct banding {
    const scree__mixture *mixture; /* either */
    const scree__gram_of *of;      /* or */
    double *gram;
    int64_t size; /* of what is cut: rows, or columns */
    int64_t band;
    int info;
} banding;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void note(banding *b, int info)
{
    if (info != 0)
        __atomic_store_n(&b->info, info, __ATOMIC_RELAXED);
}

static void mix_band(void *context, int64_t index, int worker)
{
    banding *b = context;
    const scree__mixture *x = b->mixture;
    const int64_t first = index * b->band;
    const int64_t count = smaller(b->band, b->size - first);
    (void)worker;
    note(b, scree__dgemm(false, false, count, x->n, x->k, x->alpha, x->weights + first * x->k, x->k, x->rows, x->n, 0,
                         x->out + first * x->n, x->n));
}

/* Columns, to which only so many rows contribute. */
static void mix_columns(void *context, int64_t index, int worker)
{
    banding *b = context;
    const scree__mixture *x = b->mixture;
    const int64_t first = index * b->band;
    const int64_t count = smaller(b->band, b->size - first);
    (void)worker;
    note(b, scree__dgemm(false, false, x->m, count, smaller(first + count, x->k), x->alpha, x->weights, x->k,
                         x->rows + first, x->n, 0, x->out + first, x->n));
}

/* The upper triangle, of a band of rows. */
static void gram_band(void *context, int64_t index, int worker)
{
    banding *b = context;
    const int64_t m = b->of->m;
    const int64_t n = b->of->n;
    const int64_t first = index * b->band;
    const int64_t count = smaller(b->band, m - first);
    const int64_t beyond = first + count;
    const int64_t zeros = b->of->upper ? first : 0;
    const double *rows = b->of->a + first * n + zeros;
    double *out = b->gram + first * m;
    (void)worker;
    note(b, scree__dsyrk(false, count, n - zeros, 1, rows, n, 0, out + first, m));
    if (beyond < m)
        note(b, scree__dgemm(false, true, count, m - beyond, n - zeros, 1, rows, n, b->of->a + beyond * n + zeros, n, 0,
                             out + beyond, m));
}

static int run(banding *b, double flops, scree__task task, int threads)
{
    b->band = b->size <= FEW ? FEW : BAND;
    scree__blas_enter();
    scree__parallel(scree__threads_for(threads, flops), (b->size + b->band - 1) / b->band, task, b);
    scree__blas_leave();
    return b->info;
}

int scree__rows_mix(const scree__mixture *x, int threads)
{
    banding b = {.mixture = x, .size = x->upper ? x->n : x->m};
    const double flops = 2 * (double)x->m * (double)x->k * (double)x->n;
    return run(&b, flops, x->upper ? mix_columns : mix_band, threads);
}

int scree__rows_gram(const scree__gram_of *of, double *gram, int threads)
{
    banding b = {.of = of, .gram = gram, .size = of->m};
    return run(&b, (double)of->m * (double)of->m * (double)of->n, gram_band, threads);
}

SCREE_CLONES double scree__row_dot(const double *x, const double *y, int64_t n)
{
    double sums[LANES] = {0};
    for (int64_t i = 0; i + LANES <= n; i += LANES)
        for (int64_t l = 0; l < LANES; l++)
            sums[l] += x[i + l] * y[i + l];
    for (int64_t i = n / LANES * LANES; i < n; i++)
        sums[0] += x[i] * y[i];
    for (int64_t l = 1; l < LANES; l++)
        sums[0] += sums[l];
    return sums[0];
}
