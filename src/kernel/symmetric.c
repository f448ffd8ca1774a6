/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over an explicit symmetric matrix A (n×n), cut into tiles of rows: its largest entry and its norm, a scaled
 * copy, and the residuals of eigenpairs.
 *
 * Residuals are products with A itself, not with a form that it was reduced to: what they say holds whatever has gone
 * wrong on the way. For all n vectors that is 2n³ flops beside the 14n³/3 of the solver, and runs at the rate of GEMM;
 * a bound from the solver's own theory would be free, and larger by the factor n. */

#include "kernel/symmetric.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>

enum { ROW_TILE = 64, VECTOR_TILE = 128, LANES = 8, MOST_EXPONENT = 1000 };

typedef struct sweep {
    const scree__symmetric *s;
    double *tiles; /* a number each */
    double *out;
    /* Residuals. */
    int64_t k;
    const double *values;
    const double *vectors;
    double *residuals;
    double *products; /* VECTOR_TILE×n for each worker */
    int info;
} sweep;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t tiles(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* The largest of |a|; infinite when one of them is or is no number. */
SCREE_CLONES static double largest(const double *a, int64_t n)
{
    double most[LANES] = {0};
    int64_t odd = 0;
    for (int64_t i = 0; i < n; i++)
        odd += !(fabs(a[i]) <= 0x1.fffffffffffffp1023);
    for (int64_t i = 0; i + LANES <= n; i += LANES)
        for (int64_t l = 0; l < LANES; l++)
            most[l] = fabs(a[i + l]) > most[l] ? fabs(a[i + l]) : most[l];
    for (int64_t i = n / LANES * LANES; i < n; i++)
        most[0] = fmax(most[0], fabs(a[i]));
    for (int64_t l = 1; l < LANES; l++)
        most[0] = fmax(most[0], most[l]);
    return odd > 0 ? HUGE_VAL : most[0];
}

SCREE_CLONES static double squares(const double *a, int64_t n, double scale)
{
    double sums[LANES] = {0};
    for (int64_t i = 0; i + LANES <= n; i += LANES)
        for (int64_t l = 0; l < LANES; l++)
            sums[l] += (scale * a[i + l]) * (scale * a[i + l]);
    for (int64_t i = n / LANES * LANES; i < n; i++)
        sums[0] += (scale * a[i]) * (scale * a[i]);
    for (int64_t l = 1; l < LANES; l++)
        sums[0] += sums[l];
    return sums[0];
}

static void largest_tile(void *context, int64_t index, int worker)
{
    const sweep *w = context;
    const int64_t n = w->s->n;
    (void)worker;
    w->tiles[index] = 0;
    for (int64_t i = index * ROW_TILE; i < smaller((index + 1) * ROW_TILE, n); i++)
        w->tiles[index] = fmax(w->tiles[index], largest(w->s->a + i * n + i, n - i));
}

static void squares_tile(void *context, int64_t index, int worker)
{
    const sweep *w = context;
    const int64_t n = w->s->n;
    (void)worker;
    w->tiles[index] = 0;
    for (int64_t i = index * ROW_TILE; i < smaller((index + 1) * ROW_TILE, n); i++)
        w->tiles[index] +=
            squares(w->s->a + i * n + i, 1, w->s->scale) + 2 * squares(w->s->a + i * n + i + 1, n - i - 1, w->s->scale);
}

static void copy_tile(void *context, int64_t index, int worker)
{
    const sweep *w = context;
    const int64_t n = w->s->n;
    const double scale = w->s->scale;
    (void)worker;
    for (int64_t i = index * ROW_TILE; i < smaller((index + 1) * ROW_TILE, n); i++)
        for (int64_t j = i; j < n; j++)
            w->out[i * n + j] = scale * w->s->a[i * n + j];
}

scree_status scree__symmetric_survey(scree__symmetric *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = tiles(s->n, ROW_TILE);
    const int threads = scree__threads_for(s->threads, (double)s->n * (double)s->n);
    sweep w = {.s = s};
    double most = 0;
    int exponent;
    SCREE_ALLOC(w.tiles, count, error);
    scree__parallel(threads, count, largest_tile, &w);
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, w.tiles[i]);
    if (isinf(most))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "a matrix of order %lld has entries that are infinite or no number",
                   (long long)s->n);
    frexp(most, &exponent);
    exponent = exponent < -MOST_EXPONENT ? -MOST_EXPONENT : exponent;
    s->scale = most > 0 ? ldexp(1, exponent > MOST_EXPONENT ? -MOST_EXPONENT : -exponent) : 1;
    scree__parallel(threads, count, squares_tile, &w);
    s->norm = 0;
    for (int64_t i = 0; i < count; i++)
        s->norm += w.tiles[i];
    s->norm = sqrt(s->norm);
done:
    free(w.tiles);
    return status;
}

void scree__symmetric_copy(const scree__symmetric *s, double *out)
{
    sweep w = {.s = s, .out = out};
    scree__parallel(s->threads, tiles(s->n, ROW_TILE), copy_tile, &w);
}

/* ‖w - θu‖, in units in which squares exist. */
SCREE_CLONES static double residual(const double *w, const double *u, int64_t n, double value, double scale)
{
    double sums[LANES] = {0};
    for (int64_t i = 0; i + LANES <= n; i += LANES)
        for (int64_t l = 0; l < LANES; l++) {
            const double r = (w[i + l] - value * u[i + l]) * scale;
            sums[l] += r * r;
        }
    for (int64_t i = n / LANES * LANES; i < n; i++) {
        const double r = (w[i] - value * u[i]) * scale;
        sums[0] += r * r;
    }
    for (int64_t l = 1; l < LANES; l++)
        sums[0] += sums[l];
    return sqrt(sums[0]) / scale;
}

static void residual_tile(void *context, int64_t index, int worker)
{
    sweep *w = context;
    const int64_t n = w->s->n;
    const int64_t first = index * VECTOR_TILE;
    const int64_t count = smaller(VECTOR_TILE, w->k - first);
    const double *vectors = w->vectors + first * n;
    double *products = w->products + (int64_t)worker * VECTOR_TILE * n;
    if (scree__dgemm(false, false, count, n, n, 1, vectors, n, w->s->a, n, 0, products, n) != 0)
        __atomic_store_n(&w->info, 1, __ATOMIC_RELAXED);
    for (int64_t j = 0; j < count; j++)
        w->residuals[first + j] = residual(products + j * n, vectors + j * n, n, w->values[first + j], w->s->scale);
}

scree_status scree__symmetric_residuals(const scree__symmetric *s, int64_t k, const double *values,
                                        const double *vectors, double *residuals, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = tiles(k, VECTOR_TILE);
    const int64_t workers = smaller(s->threads, count);
    sweep w = {.s = s, .k = k, .values = values, .vectors = vectors, .residuals = residuals};
    w.products = scree__alloc_raw(workers * smaller(VECTOR_TILE, k) * s->n, sizeof *w.products);
    if (!w.products)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld eigenvectors of order %lld cannot be checked",
                   (long long)k, (long long)s->n);
    SCREE_TRY(scree__watch_parallel(&s->watch, (int)workers, count, residual_tile, &w, error));
    if (w.info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)s->n);
done:
    free(w.products);
    return status;
}
