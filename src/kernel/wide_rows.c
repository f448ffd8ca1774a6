/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean, variance and centring of panels of columns: sums over the rows in their order, so that the same bits come out
 * for any number of threads.
 *
 * A mean that dwarfs the deviations is a double too coarse for them: with µ as computed and ε = Σ(x-µ)/N, what its
 * rounding has left, C = (X - 1µᵀ) - 1εᵀ, and the variance is the corrected one of two passes (Chan, Golub and LeVeque
 * 1983), Σ(x-µ)² - Nε². Weights w count in N, in the sums, and as a factor √w of the rows. The second read of a panel
 * finds it in the cache. */

#include "kernel/wide_rows.h"

#include "base/cpu.h"
#include "base/threads.h"

#include <string.h>

enum { GROUP = 256 }; /* columns that are measured at a time */
static const double zeros[SCREE__WIDE_PANEL];

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

SCREE_CLONES static void add_row(const double *x, const double *mean, double weight, int64_t n, double *restrict rest,
                                 double *restrict squares)
{
    for (int64_t j = 0; j < n; j++) {
        const double off = x[j] - mean[j];
        rest[j] += weight * off;
        squares[j] += weight * (off * off);
    }
}

static void measure_group(const scree__wide_rows *w, int64_t first, int64_t count)
{
    double buffer[GROUP];
    double origin[GROUP];
    const scree__rows x = scree__rows_columns(&w->x, first, count);
    double *mean = w->mean + first;
    double *rest = w->rest + first;
    double *variance = w->variance + first;
    memset(mean, 0, (size_t)count * sizeof *mean);
    memset(rest, 0, (size_t)count * sizeof *rest);
    memset(variance, 0, (size_t)count * sizeof *variance);
    memcpy(origin, scree__rows_load(&x, 0, buffer), (size_t)count * sizeof *origin);
    scree__rows_sum_from(&x, origin, mean);
    for (int64_t j = 0; j < count; j++)
        mean[j] = origin[j] + mean[j] / w->weight;
    for (int64_t i = 0; i < x.rows; i++)
        add_row(scree__rows_load(&x, i, buffer), mean, x.weights ? x.weights[i] : 1, count, rest, variance);
    for (int64_t j = 0; j < count; j++) {
        rest[j] /= w->weight;
        const double squares = variance[j] - w->weight * rest[j] * rest[j];
        variance[j] = squares < 0 ? 0 : squares / w->divisor; /* a NaN stays one, and is told */
    }
}

void scree__wide_measure(const scree__wide_rows *w, int64_t first, int64_t count)
{
    for (int64_t at = 0; at < count; at += GROUP)
        measure_group(w, first + at, least(GROUP, count - at));
}

/* Task: a group of columns. */
static void measure_task(void *context, int64_t index, int worker)
{
    const scree__wide_rows *w = context;
    (void)worker;
    measure_group(w, index * GROUP, least(GROUP, w->x.cols - index * GROUP));
}

void scree__wide_measure_all(scree__wide_rows *w)
{
    const int threads = scree__threads_for(w->threads, (double)w->x.rows * (double)w->x.cols);
    scree__parallel(threads, (w->x.cols + GROUP - 1) / GROUP, measure_task, w);
    w->measured = true;
}

void scree__wide_lay(const scree__wide_rows *w, const scree__wide_part *part, void *out)
{
    double line[SCREE__WIDE_PANEL];
    const scree__rows band = scree__rows_slice(&w->x, part->row, part->rows);
    const scree__rows x = scree__rows_columns(&band, part->col, part->cols);
    const double *mean = w->mean + part->col;
    const double *rest = w->rest + part->col;
    if (!w->factor) {
        w->ops->centre(&x, mean, rest, out);
        return;
    }
    for (int64_t i = 0; i < x.rows; i++) { /* in double until it is scaled */
        scree__rows row = scree__rows_slice(&x, i, 1);
        const scree__rows centred = {line, SCREE_F64, 1, x.cols, x.cols, row.weights};
        row.weights = NULL;
        scree__ops_f64.centre(&row, mean, rest, line);
        w->ops->pack(&centred, zeros, w->factor + part->col, (char *)out + i * x.cols * w->ops->size, line);
    }
}
