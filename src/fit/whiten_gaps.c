/* SPDX-License-Identifier: BSD-3-Clause */
/* What may fill a gap. Components that are many can be single columns, and where such a column is missing the rest of
 * the row, divided by next to nothing, says what is expected of it: any number, however large. So what is expected lies
 * within the range that the column is seen to have, give or take its standard deviation; nor is the standard deviation
 * of the noise that is added more than half of that. Of a column that varies by only a few of its cells (few_cells.h)
 * the others say nothing: its mean is expected, and what is drawn for a gap is one of its observed cells. Fourth powers
 * are those of cells in units of a power of two near the largest. O(nd). */

#include "fit/whiten.h"

#include "base/random.h"
#include "fit/few_cells.h"

#include <math.h>

enum { FILL = 104, ROWS = 105 }; /* streams */

/* Whether few cells make the variance of a column with no cell larger than this. */
static bool has_few(const scree__whitening *w, int64_t j, double largest)
{
    const int unit = largest > 0 ? ilogb(largest) : 0;
    double count = 0, squares = 0, fourths = 0;
    for (int64_t i = 0; i < w->n; i++) {
        const double x = ldexp(w->x[i * w->d + j], -unit);
        if (isnan(x))
            continue;
        count++;
        squares += x * x;
        fourths += x * x * x * x;
    }
    return scree__few_cells(count, squares, fourths);
}

static void bound_column(scree__whitening *w, int64_t j)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (int64_t i = 0; i < w->n; i++) { /* fmin and fmax pass over NaN */
        low = fmin(low, w->x[i * w->d + j]);
        high = fmax(high, w->x[i * w->d + j]);
    }
    const bool few = has_few(w, j, fmax(fabs(low), fabs(high)));
    const double beyond = sqrt(w->variance[j]);
    w->col_low[j] = few ? 0 : low - beyond;
    w->col_high[j] = few ? 0 : high + beyond;
}

void scree__whiten_bound(scree__whitening *w)
{
    for (int64_t j = 0; j < w->d; j++)
        bound_column(w, j);
}

/* An observed cell of the column that at is in: the first one from a row drawn at random on. */
static double any_cell(const scree__whitening *w, const bool *seen, int64_t at, uint64_t seed)
{
    uint32_t word[4];
    scree__philox(seed, ROWS, (uint64_t)at, word);
    int64_t i = (int64_t)((double)word[0] * 0x1p-32 * (double)w->n);
    while (!seen[i])
        i = (i + 1) % w->n;
    return w->x[i * w->d + at % w->d];
}

/* seen: of column j. */
static void fill_column(scree__whitening *w, int64_t j, const bool *seen, uint64_t seed)
{
    for (int64_t i = 0; i < w->n; i++) {
        const int64_t at = i * w->d + j;
        const double sd = fmin(w->row_sd[i] * w->col_sd[j], (w->col_high[j] - w->col_low[j]) / 2);
        double normal;
        if (seen[i])
            continue;
        scree__normals(seed, FILL, at, 1, &normal);
        w->x[at] = w->col_low[j] < w->col_high[j] ? w->clean[at] + sd * normal : any_cell(w, seen, at, seed);
    }
}

void scree__whiten_fill(scree__whitening *w, bool *seen, uint64_t seed)
{
    for (int64_t j = 0; j < w->d; j++) {
        for (int64_t i = 0; i < w->n; i++)
            seen[i] = !isnan(w->x[i * w->d + j]);
        fill_column(w, j, seen, seed);
    }
}
