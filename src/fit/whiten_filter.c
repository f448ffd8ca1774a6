/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise whose neighbours have correlation φ, made independent and back, along columns and along rows:
 *
 *     y_0 = x_0,   y_j = (x_j - φ x_{j-1})/√(1-φ²).
 *
 * Invertible, so that the rank of what is not noise stays. O(nd). */

#include "fit/whiten.h"

#include <math.h>

/* count items, step apart, from the last on. */
static void filter(double *x, int64_t count, int64_t step, double correlation)
{
    const double scale = 1 / sqrt(1 - correlation * correlation);
    for (int64_t i = count - 1; i > 0; i--)
        x[i * step] = (x[i * step] - correlation * x[(i - 1) * step]) * scale;
}

static void unfilter(double *x, int64_t count, int64_t step, double correlation)
{
    const double scale = sqrt(1 - correlation * correlation);
    for (int64_t i = 1; i < count; i++)
        x[i * step] = x[i * step] * scale + correlation * x[(i - 1) * step];
}

void scree__whiten_filter(const scree__whitening *w, double *x)
{
    for (int64_t i = 0; i < w->n && w->kind.along_columns != 0; i++)
        filter(x + i * w->d, w->d, 1, w->kind.along_columns);
    for (int64_t j = 0; j < w->d && w->kind.along_rows != 0; j++)
        filter(x + j, w->n, w->d, w->kind.along_rows);
}

void scree__whiten_unfilter(const scree__whitening *w, double *x)
{
    for (int64_t j = 0; j < w->d && w->kind.along_rows != 0; j++)
        unfilter(x + j, w->n, w->d, w->kind.along_rows);
    for (int64_t i = 0; i < w->n && w->kind.along_columns != 0; i++)
        unfilter(x + i * w->d, w->d, 1, w->kind.along_columns);
}
