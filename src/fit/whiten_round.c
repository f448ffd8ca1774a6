/* SPDX-License-Identifier: BSD-3-Clause */
/* One round under M components: the cells in units of their noise, neighbours made independent; the eigenvectors of the
 * shorter side from the Gram matrix, q²max(n,d) + O(q³) flops; what the components leave. A gap has no residual: it is
 * filled with what the components expect, within bounds (whiten_gaps.c). An outlier among heavy tails is moved to CLIP
 * robust standard deviations. */

#include "fit/whiten.h"

#include "base/sort.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { CELLS = 4096 };
static const double CLIP = 2;
static const double MEDIAN_OF_NORMAL = 0.6745; /* of its absolute value */

/* Means of the columns, rows weighted by how little noise they have; then z. */
static void standardise(scree__whitening *w)
{
    double weights = 0;
    memset(w->mean, 0, (size_t)w->d * sizeof *w->mean);
    for (int64_t i = 0; i < w->n; i++) {
        const double weight = 1 / (w->row_sd[i] * w->row_sd[i]);
        weights += weight;
        for (int64_t j = 0; j < w->d; j++)
            w->mean[j] += weight * w->clean[i * w->d + j];
    }
    for (int64_t j = 0; j < w->d; j++)
        w->mean[j] /= weights;
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++)
            w->z[i * w->d + j] = (w->clean[i * w->d + j] - w->mean[j]) / (w->row_sd[i] * w->col_sd[j]);
    scree__whiten_filter(w, w->z);
}

void scree__whiten_reset(scree__whitening *w)
{
    w->kind = (scree__noise_kind){.column_ratio = 1, .row_ratio = 1};
    for (int64_t i = 0; i < w->n * w->d; i++)
        w->clean[i] = isnan(w->x[i]) ? w->clean[i] : w->x[i];
    for (int64_t i = 0; i < w->n; i++)
        w->row_sd[i] = 1;
    for (int64_t j = 0; j < w->d; j++)
        w->col_sd[j] = 1;
}

/* The vectors come ascending: turned round. */
static void reverse(scree__whitening *w, int64_t count)
{
    for (int64_t a = 0, b = count - 1; a < b; a++, b--) {
        const double value = w->values[a];
        w->values[a] = w->values[b];
        w->values[b] = value;
        for (int64_t j = 0; j < w->q; j++) {
            const double held = w->vectors[a * w->q + j];
            w->vectors[a * w->q + j] = w->vectors[b * w->q + j];
            w->vectors[b * w->q + j] = held;
        }
    }
}

static int make_gram(const scree__whitening *w)
{
    const bool tall = w->d <= w->n;
    return scree__dsyrk(tall, w->q, tall ? w->n : w->d, 1, w->z, w->d, 0, w->gram, w->q);
}

/* Where eigenvalues are all alike LAPACK may not find the largest few: then all of them. */
static int solve_all(scree__whitening *w, int64_t count)
{
    int info = make_gram(w);
    if (info == 0)
        info = scree__dsyevd(w->q, w->gram, w->q, w->values);
    const int64_t first = w->q - count;
    memmove(w->values, w->values + first, (size_t)count * sizeof *w->values);
    memcpy(w->vectors, w->gram + first * w->q, (size_t)(count * w->q) * sizeof *w->vectors);
    return info;
}

int scree__whiten_decompose(scree__whitening *w, int64_t m)
{
    standardise(w);
    w->trace = 0;
    for (int64_t i = 0; i < w->n * w->d; i++)
        w->trace += w->z[i] * w->z[i];
    int info = make_gram(w);
    if (info == 0)
        info = scree__dsyevr(w->q, w->gram, w->q, m + 1, w->values, w->vectors, w->q);
    if (info != 0 && info != SCREE__BLAS_NO_MEMORY)
        info = solve_all(w, m + 1);
    reverse(w, m + 1);
    return info;
}

/* e = the part of z in the span of m vectors; codes: of the longer side, of length 1. */
static int fit_components(scree__whitening *w, int64_t m)
{
    const bool tall = w->d <= w->n;
    const int64_t other = tall ? w->n : w->d;
    int info = 0;
    memset(w->e, 0, (size_t)(w->n * w->d) * sizeof *w->e);
    if (m == 0)
        return 0;
    if (tall) {
        info |= scree__dgemm(false, true, m, w->n, w->d, 1, w->vectors, w->d, w->z, w->d, 0, w->codes, w->n);
        info |= scree__dgemm(true, false, w->n, w->d, m, 1, w->codes, w->n, w->vectors, w->d, 0, w->e, w->d);
    } else {
        info |= scree__dgemm(false, false, m, w->d, w->n, 1, w->vectors, w->n, w->z, w->d, 0, w->codes, w->d);
        info |= scree__dgemm(true, false, w->n, w->d, m, 1, w->vectors, w->n, w->codes, w->d, 0, w->e, w->d);
    }
    for (int64_t l = 0; l < m; l++)
        for (int64_t i = 0; i < other; i++)
            w->codes[l * other + i] /= sqrt(fmax(w->values[l], 1e-300));
    return info;
}

/* Where cells are clipped: from the median of |e|, over evenly spaced cells. */
static double clip_at(const scree__whitening *w)
{
    double sizes[CELLS];
    const int64_t all = w->n * w->d;
    const int64_t step = all / CELLS | 1; /* odd: does not stay in the same columns */
    int64_t count = 0;
    for (int64_t i = 0; i < all && count < CELLS; i += step)
        if (!isnan(w->x[i]))
            sizes[count++] = fabs(w->e[i]);
    scree__sort_doubles(sizes, count);
    return count > 0 ? CLIP / MEDIAN_OF_NORMAL * sizes[count / 2] : INFINITY;
}

int scree__whiten_residual(scree__whitening *w, int64_t m)
{
    const int info = fit_components(w, m);
    double squares = 0;
    scree__whiten_unfilter(w, w->e);
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            const int64_t at = i * w->d + j;
            const double sd = w->row_sd[i] * w->col_sd[j];
            double expected = w->mean[j] + sd * w->e[at];
            if (isnan(w->x[at])) {
                expected = fmin(fmax(expected, w->col_low[j]), w->col_high[j]);
                squares += (expected - w->clean[at]) * (expected - w->clean[at]) / (sd * sd);
            }
            w->clean[at] = expected;
            w->e[at] = isnan(w->x[at]) ? 0 : (w->x[at] - expected) / sd;
        }
    w->moved = w->gaps > 0 ? sqrt(squares / (double)w->gaps) : 0;
    const double limit = w->kind.heavy_tails ? clip_at(w) : INFINITY;
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            const int64_t at = i * w->d + j;
            w->e[at] = fmin(fmax(w->e[at], -limit), limit);
            w->clean[at] += w->row_sd[i] * w->col_sd[j] * w->e[at];
        }
    return info;
}
