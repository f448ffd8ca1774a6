/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram matrices and linear combinations of rows, cut into bands of rows for threads. BAND is what keeps a call of GEMM
 * near its rate; fewer rows than FEW are one band, as waking a thread takes longer than the work. */

#include "kernel/row_products.h"

#include "base/cpu.h"
#include "base/threads.h"
#include "kernel/blas.h"

enum { BAND = 64, FEW = 128, LANES = 8 };

typedef struct banding {
    const scree__mixture *mixture; /* or NULL: the Gram matrix of */
    const double *a;
    double *gram;
    int64_t m;
    int64_t n;
    int64_t band;
    int info;
} banding;

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
    const int64_t count = b->m - first < b->band ? b->m - first : b->band;
    (void)worker;
    note(b, scree__dgemm(false, false, count, x->n, x->k, x->alpha, x->weights + first * x->k, x->k, x->rows, x->n,
                         x->beta, x->out + first * x->n, x->n));
}

/* The upper triangle, of a band of rows, and its mirror image. */
static void gram_band(void *context, int64_t index, int worker)
{
    banding *b = context;
    const int64_t first = index * b->band;
    const int64_t count = b->m - first < b->band ? b->m - first : b->band;
    const int64_t beyond = first + count;
    const double *rows = b->a + first * b->n;
    double *out = b->gram + first * b->m;
    (void)worker;
    note(b, scree__dsyrk(false, count, b->n, 1, rows, b->n, 0, out + first, b->m));
    if (beyond < b->m)
        note(b, scree__dgemm(false, true, count, b->m - beyond, b->n, 1, rows, b->n, b->a + beyond * b->n, b->n, 0,
                             out + beyond, b->m));
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = first + i + 1; j < b->m; j++)
            b->gram[j * b->m + first + i] = out[i * b->m + j];
}

static int run(banding *b, double flops, scree__task task, int threads)
{
    b->band = b->m <= FEW ? FEW : BAND;
    scree__blas_enter();
    scree__parallel(scree__threads_for(threads, flops), (b->m + b->band - 1) / b->band, task, b);
    scree__blas_leave();
    return b->info;
}

int scree__rows_mix(const scree__mixture *mixture, int threads)
{
    banding b = {.mixture = mixture, .m = mixture->m};
    return run(&b, 2 * (double)mixture->m * (double)mixture->k * (double)mixture->n, mix_band, threads);
}

int scree__rows_gram(const double *a, int64_t m, int64_t n, double *gram, int threads)
{
    banding b = {.a = a, .gram = gram, .m = m, .n = n};
    return run(&b, (double)m * (double)m * (double)n, gram_band, threads);
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
