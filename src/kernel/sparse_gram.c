/* SPDX-License-Identifier: BSD-3-Clause */
/* G = CCᵀ/divisor of sparse rows: with A, r and h = fm of sparse_turned.h,
 *
 *     CCᵀ = AAᵀ - (Ah)rᵀ - r(Ah)ᵀ + (hᵀh) rrᵀ,    Σ n²/2 products for columns of n entries.
 *
 * Columns in which a fifth of the rows or more have entries are spread out, some at a time, and multiplied as dense
 * ones, where N² flops take less time than n²/2 additions here and there. Of the others a row of G is made at a time,
 * and stays near: each entry of a row of A adds its column, from that row on (Gustavson 1978). Every number is a sum in
 * the order of the columns: the same bits for any number of threads. What the last three terms take away are a few bits
 * at most, for µ² is at most three variances in light columns, and heavy ones have in h only what their mean has lost
 * by its rounding. */

#include "kernel/sparse_gram.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { STRIP = 8, MIRROR = 64, BLOCK = 512, TILE = 128, DENSE = 5 };

int64_t scree__sparse_gram_memory(int64_t rows)
{
    return 8 * (SCREE__SPARSE_GRAM_PANEL + 1) * rows;
}

typedef struct work {
    const scree__sparse_turned *turned;
    double divisor;
    double *g;
    double *image; /* N: Ah */
    double square; /* hᵀh */
    double *panel; /* columns of A, spread out, N numbers each */
    int64_t columns[SCREE__SPARSE_GRAM_PANEL];
    int64_t width; /* of the panel: so many */
    bool failed;
} work;

static bool is_dense(const scree__sparse_turned *t, int64_t j)
{
    return DENSE * (t->starts[j + 1] - t->starts[j]) >= t->rows;
}

/* Task: some rows of the upper triangle. */
static void add_strip(void *context, int64_t strip, int worker)
{
    const work *w = context;
    const scree__sparse_turned *t = w->turned;
    const int64_t n = t->rows;
    (void)worker;
    for (int64_t i = strip * STRIP; i < (strip + 1) * STRIP && i < n; i++) {
        double *g = w->g + i * n;
        double image = 0;
        for (int64_t e = t->firsts[i]; e < t->firsts[i + 1]; e++) {
            const int64_t end = t->starts[t->column[e] + 1];
            const double value = t->value[t->place[e]];
            image += value * t->mean[t->column[e]];
            for (int64_t p = t->place[e]; p < end && !is_dense(t, t->column[e]); p++)
                g[t->row[p]] += value * t->value[p];
        }
        w->image[i] = image;
    }
}

/* Task: a column of the panel. */
static void spread(void *context, int64_t index, int worker)
{
    const work *w = context;
    const scree__sparse_turned *t = w->turned;
    const int64_t j = w->columns[index];
    double *column = w->panel + index * t->rows;
    (void)worker;
    memset(column, 0, (size_t)t->rows * sizeof *column);
    for (int64_t p = t->starts[j]; p < t->starts[j + 1]; p++)
        column[t->row[p]] = t->value[p];
}

/* Task: some rows of the upper triangle gain the products of the panel. */
static void add_tile(void *context, int64_t tile, int worker)
{
    work *w = context;
    const int64_t n = w->turned->rows;
    const int64_t first = tile * TILE;
    const int64_t rows = first + TILE < n ? TILE : n - first;
    (void)worker;
    if (scree__dgemm(true, false, rows, n - first, w->width, 1, w->panel + first, n, w->panel + first, n, 1,
                     w->g + first * n + first, n) != 0)
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
}

static void add_panel(work *w)
{
    const int64_t n = w->turned->rows;
    scree__parallel(w->turned->threads, w->width, spread, w);
    scree__parallel(w->turned->threads, (n + TILE - 1) / TILE, add_tile, w);
    w->width = 0;
}

/* The columns that are nearly full. */
static scree_status add_dense(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sparse_turned *t = w->turned;
    SCREE_ALLOC(w->panel, SCREE__SPARSE_GRAM_PANEL * t->rows, error);
    scree__blas_enter();
    for (int64_t j = 0; j < t->cols; j++) {
        if (is_dense(t, j))
            w->columns[w->width++] = j;
        if (w->width == SCREE__SPARSE_GRAM_PANEL || (j == t->cols - 1 && w->width > 0))
            add_panel(w);
    }
    scree__blas_leave();
    if (w->failed)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)t->rows);
done:
    return status;
}

/* Task: a band of rows, less what centring takes off, and its mirror image. */
static void centre_band(void *context, int64_t band, int worker)
{
    const work *w = context;
    const double *r = w->turned->root;
    const int64_t n = w->turned->rows;
    const int64_t end = (band + 1) * MIRROR < n ? (band + 1) * MIRROR : n;
    (void)worker;
    for (int64_t i = band * MIRROR; i < end; i++)
        for (int64_t j = i; j < n; j++) {
            const double off = w->image[i] * r[j] + r[i] * w->image[j] - w->square * r[i] * r[j];
            w->g[i * n + j] = (w->g[i * n + j] - off) / w->divisor;
        }
    for (int64_t first = band * MIRROR; first < n; first += MIRROR)
        for (int64_t i = band * MIRROR; i < end; i++)
            for (int64_t j = first > i ? first : i + 1; j < first + MIRROR && j < n; j++)
                w->g[j * n + i] = w->g[i * n + j];
}

/* A block of columns at a time: no sum is long. */
static double square_of(const double *h, int64_t n)
{
    double all = 0;
    for (int64_t first = 0; first < n; first += BLOCK) {
        double sum = 0;
        for (int64_t j = first; j < first + BLOCK && j < n; j++)
            sum += h[j] * h[j];
        all += sum;
    }
    return all;
}

scree_status scree__sparse_gram(const scree__sparse_turned *t, double divisor, double *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.turned = t, .divisor = divisor, .g = g, .square = square_of(t->mean, t->cols)};
    SCREE_ALLOC(w.image, t->rows, error);
    scree__parallel(t->threads, (t->rows + STRIP - 1) / STRIP, add_strip, &w);
    SCREE_TRY(add_dense(&w, error));
    scree__parallel(t->threads, (t->rows + MIRROR - 1) / MIRROR, centre_band, &w);
done:
    free(w.image);
    free(w.panel);
    return status;
}

/* What sums of absolute values have: ‖A‖² of AAᵀ, ‖A‖‖h‖‖r‖ of each of the next two, ‖h‖²‖r‖² of the last. A number of
 * AAᵀ or Ah is a sum of as many products as the longest row has entries, of factors that were rounded three times. */
double scree__sparse_gram_rounding(const scree__sparse_turned *t)
{
    const double h = square_of(t->mean, t->cols) * square_of(t->root, t->rows);
    const double chain = (double)t->longest + 16;
    const double chain_of_h = BLOCK + (double)t->cols / BLOCK + 16;
    return 0x1p-53 * (chain * (t->squares + 2 * sqrt(t->squares * h)) + chain_of_h * h);
}
