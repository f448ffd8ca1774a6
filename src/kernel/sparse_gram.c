/* SPDX-License-Identifier: BSD-3-Clause */
/* G = CCᵀ/divisor of sparse rows: with A, r and h = fm of sparse_turned.h,
 *
 *     CCᵀ = AAᵀ - (Ah)rᵀ - r(Ah)ᵀ + (hᵀh) rrᵀ,    Σ n²/2 products for columns of n entries.
 *
 * A row of G is made at a time, and stays near: each entry of a row of A adds its column, from that row on (Gustavson
 * 1978). Every number is a sum in the order of the columns: the same bits for any number of threads. What the last
 * three terms take away are a few bits at most, for µ² is at most three variances in light columns, and heavy ones have
 * in h only what their mean has lost by its rounding. */

#include "kernel/sparse_gram.h"

#include "base/memory.h"
#include "base/threads.h"

enum { STRIP = 8, MIRROR = 64, BLOCK = 512 };

typedef struct work {
    const scree__sparse_turned *turned;
    double divisor;
    double *g;
    double *image; /* N: Ah */
    double square; /* hᵀh */
} work;

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
            for (int64_t p = t->place[e]; p < end; p++)
                g[t->row[p]] += value * t->value[p];
        }
        w->image[i] = image;
    }
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
    scree__parallel(t->threads, (t->rows + MIRROR - 1) / MIRROR, centre_band, &w);
done:
    free(w.image);
    return status;
}

/* ‖A‖² is at most four times the trace, N hᵀh three times, so that sums of absolute values are at most fourteen times
 * the trace. A number of AAᵀ or Ah is a sum of as many products as the longest row has entries, of factors that were
 * rounded three times. */
double scree__sparse_gram_rounding(const scree__sparse_turned *t)
{
    return 14 * ((double)t->longest + BLOCK + (double)t->cols / BLOCK + 10) * 0x1p-53;
}
