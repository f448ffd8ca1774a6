/* SPDX-License-Identifier: BSD-3-Clause */
/* Lags: pixels of a picture have their neighbours at the width of the picture, colours at three or four, rows of a
 * table at the number of columns, and files do not say so. Every lag up to two thousand is tried on some hundred cells
 * that are not like most: its cost is Σ log₂(1 + |u(t) - u(t - lag)|). The two cheapest lags are the
 * neighbours. Then each guess is tried in the same way. Some milliseconds in all. */

#include "archive/lags.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 512, GUESS_PROBES = 8192, LONGEST = 2048 };

static double bits_of(int64_t difference)
{
    const uint64_t size = (uint64_t)llabs(difference);
    return size < 2 ? (double)size : log2((double)size + 1);
}

/* The number that most cells have, if there is one (Boyer and Moore 1991). */
static int32_t majority(const int32_t *cells, int64_t count)
{
    int32_t found = cells[0];
    int64_t lead = 0;
    for (int64_t t = 0; t < count; t++) {
        found = lead == 0 ? cells[t] : found;
        lead += cells[t] == found ? 1 : -1;
    }
    return found;
}

/* Positions from `from` on of cells that are not like most, evenly spaced; how many. */
static int64_t probe(const int32_t *cells, int64_t count, int64_t from, int64_t *probes)
{
    const int32_t usual = majority(cells, count);
    int64_t differ = 0;
    int64_t seen = 0;
    int64_t kept = 0;
    for (int64_t t = from; t < count; t++)
        differ += cells[t] != usual;
    for (int64_t t = from; t < count && kept < PROBES; t++)
        if (cells[t] != usual && seen++ >= kept * differ / PROBES)
            probes[kept++] = t;
    return kept;
}

/* The whole part of log₂(1 + size), and a little of the fraction: what it takes to tell lags apart. */
static int64_t cost_of(const int32_t *cells, const int64_t *probes, int64_t count, int64_t lag)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t off = (int64_t)cells[probes[i]] - cells[probes[i] - lag];
        const uint64_t size = (uint64_t)(off < 0 ? -off : off) + 1;
        const int top = 63 - __builtin_clzll(size);
        sum += 16 * top + (int64_t)(size * 16 >> top) - 16;
    }
    return sum;
}

/* The two cheapest. */
static void find_lags(const int32_t *cells, int64_t count, int64_t cols, int64_t farthest, int32_t lags[2])
{
    int64_t probes[PROBES];
    int64_t costs[2] = {INT64_MAX, INT64_MAX};
    int64_t best[2] = {1, 2};
    int64_t longest = farthest < LONGEST ? farthest : LONGEST;
    longest = longest < count / 4 ? longest : count / 4;
    const int64_t above = cols > longest && cols <= farthest && cols < count / 2 ? cols : 0;
    const int64_t kept = probe(cells, count, above > longest ? above : longest + 1, probes);
    for (int64_t lag = 1; lag <= longest + (above > 0); lag++) {
        const int64_t tried = lag <= longest ? lag : above;
        const int64_t cost = cost_of(cells, probes, kept, tried);
        if (cost < costs[0]) {
            costs[1] = costs[0];
            best[1] = best[0];
            costs[0] = cost;
            best[0] = tried;
        } else if (cost < costs[1]) {
            costs[1] = cost;
            best[1] = tried;
        }
    }
    if (best[0] == best[1])
        best[1] = best[0] + 1;
    lags[0] = (int32_t)(best[0] < best[1] ? best[0] : best[1]);
    lags[1] = (int32_t)(best[0] < best[1] ? best[1] : best[0]);
}

/* Costs of guesses, as differences from the numbers themselves. */
static scree__context_guess find_guess(const int32_t *cells, int64_t rows, int64_t cols, const int32_t lags[2],
                                       scree__context_guess first)
{
    const int64_t count = rows * cols;
    const int64_t start = (int64_t)lags[0] + lags[1];
    const int64_t step = count / GUESS_PROBES | 1; /* odd, or columns would be left out */
    double costs[SCREE__GUESSES] = {0};
    scree__context_guess best = first;
    for (int64_t t = start; t < count; t += step) {
        const scree__guess_from from = {cells[t - lags[0]], cells[t - lags[1]], cells[t - start], 0};
        const int64_t j = t % cols;
        const int64_t other = cells[j + (t / cols + rows / 2) % rows * cols]; /* any cell of the column */
        for (int g = first; g < SCREE__GUESSES; g++)
            costs[g] +=
                bits_of(cells[t] - (g == SCREE__GUESS_CENTRE ? other : scree__guess((scree__context_guess)g, &from)));
    }
    for (int g = first; g < SCREE__GUESSES; g++)
        if (costs[g] < costs[best])
            best = (scree__context_guess)g;
    return best;
}

int scree__lags_find(scree__contexts found[SCREE__LAGS_MOST], const int32_t *cells, int64_t rows, int64_t cols,
                     int64_t farthest)
{
    int count = 0;
    int32_t lags[2] = {1, 2};
    int32_t all = 0;
    for (int64_t t = 0; t < rows * cols; t++)
        all |= cells[t];
    if (rows * cols >= 8)
        find_lags(cells, rows * cols, cols, farthest, lags);
    const scree__contexts values = {.mode = SCREE__CONTEXT_VALUES, .near = lags[0], .far = lags[1]};
    const scree__contexts differences = {.mode = SCREE__CONTEXT_DIFFERENCES, .near = lags[0], .far = lags[1]};
    if (all < SCREE__CONTEXT_LEVELS) {
        found[count++] = values;
        found[count] = values;
        found[count++].by_column = true;
    }
    found[count] = differences;
    found[count++].guess = find_guess(cells, rows, cols, lags, SCREE__GUESS_NEAR);
    if (cols <= SCREE__CONTEXT_COLUMNS) {
        found[count] = differences;
        found[count].by_column = true;
        found[count++].guess = find_guess(cells, rows, cols, lags, SCREE__GUESS_CENTRE);
    }
    return count;
}
