/* SPDX-License-Identifier: BSD-3-Clause */
/* How much two parts of all rows differ, shuffle by shuffle. Of a part of n rows, each number below is made of sums
 * over its rows alone, and another part's are what is left of the sums of all: x a column, t_k a code, v their
 * variances in the part, ρ correlations there; z² has the size 1 by chance, with fourth moments of all rows:
 *
 *     mean        z² = (x̄ - x̄')²/(v/n + v'/n')                  Welch 1947: also where v ≠ v' (Chung, Romano 2013)
 *     spread      z² = (v - v')²/(κ v₀² (1/n + 1/n'))             v₀ and κ = E x⁴/v₀² - 1 of all rows
 *     angle       z² = (ρ - ρ')²/(s (1/n + 1/n'))                 s = E x²t²/(E x² E t²) of all rows
 *     likelihood  z² of the mean of t²/λ + ‖r‖²/σ²
 *
 * and then sums of z² and the largest. O(DM) a unit that is drawn, from a table of sums of units that holds some
 * columns at a time. */

#include "answer/drift_shuffle.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/size_text.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { TABLE = 4 << 20 }; /* numbers in it, unless one column needs more */
static const uint64_t SEED = 0x6472696674;
static const double LEAST = 0.2;      /* κ and s: of two values fourth moments say nothing */
static const double ROUNDING = 1e-12; /* of a variance */

/* Means and variances of the codes in both parts, of a shuffle: rows, rows', t̄, t̄', v, v'. */
enum { ROWS = 0, OTHERS = 1, CODES = 2 };

typedef struct comparison {
    scree__drift_pool *pool;
    int64_t first;  /* column of the table; -1: it is of codes */
    int64_t cols;   /* columns in it */
    int64_t width;  /* numbers of each */
    double *table;  /* units×cols×width */
    double *whole;  /* cols×width: its sums */
    double *moment; /* D or M: v₀, then κ, of columns; M×M or D×M: s */
    double *codes;  /* count×(2 + 4M) */
    double *spread; /* M: variances of the codes of all rows */
    double *drawn;  /* of a worker: cols×width */
    int32_t *order; /* of a worker: units, and what was drawn of them */
    int64_t stride; /* of drawn */
} comparison;

static double code_variance(const scree__drift_pool *pool, int64_t k)
{
    double sum = 0;
    for (int64_t i = 0; i < pool->rows; i++)
        sum += pool->t[i * pool->m + k] * pool->t[i * pool->m + k];
    return sum / (double)pool->rows;
}

/* The sums over the units of a part that the shuffle b draws. */
static const double *draw(const comparison *at, int64_t b, int worker)
{
    const scree__drift_pool *pool = at->pool;
    const int64_t size = at->cols * at->width;
    double *sums = at->drawn + worker * at->stride;
    int32_t *order = at->order + worker * (pool->units + pool->part);
    int32_t *drawn = order + pool->units;
    uint32_t words[4] = {0};
    memset(sums, 0, (size_t)size * sizeof *sums);
    for (int64_t i = 0; i < pool->part; i++) {
        if (i % 4 == 0)
            scree__philox(SEED, (uint64_t)b, (uint64_t)i / 4, words);
        const uint64_t beyond = ((uint64_t)words[i % 4] * (uint64_t)(pool->units - i)) >> 32;
        const int64_t other = b == 0 ? i : i + (int64_t)beyond;
        const int32_t unit = order[other];
        const double *from = at->table + unit * size;
        order[other] = order[i];
        order[i] = unit;
        drawn[i] = (int32_t)other;
        for (int64_t c = 0; c < size; c++)
            sums[c] += from[c];
    }
    for (int64_t i = pool->part - 1; i >= 0; i--) {
        const int32_t unit = order[i];
        order[i] = order[drawn[i]];
        order[drawn[i]] = unit;
    }
    return sums;
}

static double *statistic(const comparison *at, scree__drift_statistic which, int64_t b)
{
    return at->pool->statistics + which * at->pool->count + b;
}

static void keep_largest(double *most, double x)
{
    *most = fmax(*most, x);
}

/* of two means, by the variances in each part. */
static double mean_change(double change, double variance, double rows, double variance_there, double others,
                          double common)
{
    const double square = fmax(variance / rows + variance_there / others, ROUNDING * common / (rows + others));
    return square > 0 ? change * change / square : 0;
}

/* ---- codes ---- */

/* Sums of the codes of all rows; width: t, t_k t_l of k ≥ l, 1, far and its square. */
static void gather_codes(const comparison *at)
{
    const scree__drift_pool *pool = at->pool;
    const int64_t m = pool->m;
    double *fourth = at->moment + 2 * m;
    for (int64_t i = 0; i < pool->rows; i++) {
        const double *t = pool->t + i * m;
        double *to = at->table + pool->unit[i] * at->width;
        for (int64_t k = 0; k < m; k++)
            *to++ += t[k];
        for (int64_t k = 0; k < m; k++)
            for (int64_t l = 0; l <= k; l++) {
                *to++ += t[k] * t[l];
                fourth[k * m + l] += t[k] * t[k] * t[l] * t[l] / (double)pool->rows;
            }
        to[0] += 1;
        to[1] += pool->far[i];
        to[2] += pool->far[i] * pool->far[i];
    }
    for (int64_t k = 0; k < m; k++)
        at->moment[k] = at->spread[k] = code_variance(pool, k);
    for (int64_t k = 0; k < m; k++)
        at->moment[m + k] = at->moment[k] > 0 ? fmax(fourth[k * m + k] / at->moment[k] / at->moment[k] - 1, LEAST) : 0;
}

/* Correlations of the codes k and l ≤ k; both: where Σ t_k t_l stands. */
static double pair_change(const comparison *at, const double *own, int64_t k, int64_t l, double both, double all)
{
    const int64_t m = at->pool->m;
    const double *mean = own + CODES;
    const double *variance = mean + 2 * m;
    const double here = variance[k] * variance[l];
    const double there = variance[m + k] * variance[m + l];
    const double common = at->moment[k] * at->moment[l];
    const double a = here > 0 ? (both / own[ROWS] - mean[k] * mean[l]) / sqrt(here) : 0;
    const double b = there > 0 ? ((all - both) / own[OTHERS] - mean[m + k] * mean[m + l]) / sqrt(there) : 0;
    const double s = common > 0 ? fmax(at->moment[2 * m + k * m + l] / common, LEAST) : 1;
    return (a - b) * (a - b) / (s * (1 / own[ROWS] + 1 / own[OTHERS]));
}

static void compare_far(const comparison *at, const double *own, const double *sums, const double *all, int64_t b)
{
    const double mean = sums[1] / own[ROWS];
    const double mean_there = (all[1] - sums[1]) / own[OTHERS];
    const double variance = sums[2] / own[ROWS] - mean * mean;
    const double there = (all[2] - sums[2]) / own[OTHERS] - mean_there * mean_there;
    *statistic(at, SCREE__DRIFT_LIKELIHOOD_ROWS, b) =
        mean_change(mean - mean_there, variance, own[ROWS], there, own[OTHERS], all[2] / (double)at->pool->rows);
}

/* Task: a shuffle. */
static void compare_codes(void *context, int64_t b, int worker)
{
    const comparison *at = context;
    const scree__drift_pool *pool = at->pool;
    const int64_t m = pool->m;
    const double *sums = draw(at, b, worker);
    const double *pairs = sums + m;
    const double *all_pairs = at->whole + m;
    double *own = at->codes + b * (CODES + 4 * m);
    double *mean = own + CODES;
    double *variance = mean + 2 * m;
    own[ROWS] = sums[at->width - 3];
    own[OTHERS] = (double)pool->rows - own[ROWS];
    const double chance = 1 / own[ROWS] + 1 / own[OTHERS];
    compare_far(at, own, sums + at->width - 3, at->whole + at->width - 3, b);
    for (int64_t k = 0; k < m; k++) {
        const int64_t square = k * (k + 1) / 2 + k;
        mean[k] = pool->uncentred ? 0 : sums[k] / own[ROWS];
        mean[m + k] = pool->uncentred ? 0 : (at->whole[k] - sums[k]) / own[OTHERS];
        variance[k] = fmax(pairs[square] / own[ROWS] - mean[k] * mean[k], 0);
        variance[m + k] = fmax((all_pairs[square] - pairs[square]) / own[OTHERS] - mean[m + k] * mean[m + k], 0);
        if (!(at->moment[k] > 0))
            continue;
        const double wider = (variance[k] - variance[m + k]) / at->moment[k];
        *statistic(at, SCREE__DRIFT_MEAN_CODES, b) +=
            mean_change(mean[k] - mean[m + k], variance[k], own[ROWS], variance[m + k], own[OTHERS], at->moment[k]);
        keep_largest(statistic(at, SCREE__DRIFT_SPREAD_CODE, b), wider * wider / (at->moment[m + k] * chance));
        for (int64_t l = 0; l < k; l++)
            *statistic(at, SCREE__DRIFT_ANGLE_CODES, b) +=
                pair_change(at, own, k, l, pairs[k * (k + 1) / 2 + l], all_pairs[k * (k + 1) / 2 + l]);
    }
}

/* ---- columns ---- */

/* Task: a column of the table; width: x, x², x t_k. */
static void gather_column(void *context, int64_t c, int worker)
{
    const comparison *at = context;
    const scree__drift_pool *pool = at->pool;
    const int64_t m = pool->m;
    const int64_t j = at->first + c;
    double *moment = at->moment + c * (2 + m); /* v₀, κ, s of each code */
    (void)worker;
    memset(moment, 0, (size_t)(2 + m) * sizeof *moment);
    for (int64_t i = 0; i < pool->rows; i++) {
        const double x = pool->x[i * pool->d + j];
        double *to = at->table + (pool->unit[i] * at->cols + c) * at->width;
        to[0] += x;
        to[1] += x * x;
        moment[0] += x * x / (double)pool->rows;
        moment[1] += x * x * x * x / (double)pool->rows;
        for (int64_t k = 0; k < m; k++) {
            const double product = x * pool->t[i * m + k];
            to[2 + k] += product;
            moment[2 + k] += product * product / (double)pool->rows;
        }
    }
    moment[1] = moment[0] > 0 ? fmax(moment[1] / moment[0] / moment[0] - 1, LEAST) : 0;
    for (int64_t k = 0; k < m; k++) {
        const double both = moment[0] * at->spread[k];
        moment[2 + k] = both > 0 ? fmax(moment[2 + k] / both, LEAST) : 0;
    }
}

/* What slopes on the codes change; mean, variance: of x in both parts. */
static double slopes_change(const comparison *at, const double *own, int64_t c, const double *sums,
                            const double mean[2], const double variance[2])
{
    const int64_t m = at->pool->m;
    const double *means = own + CODES;
    const double *variances = means + 2 * m;
    const double *s = at->moment + c * (2 + m) + 2;
    const double *all = at->whole + c * at->width;
    double sum = 0;
    for (int64_t k = 0; k < m; k++) {
        const double here = variance[0] * variances[k];
        const double there = variance[1] * variances[m + k];
        const double a = here > 0 ? (sums[2 + k] / own[ROWS] - mean[0] * means[k]) / sqrt(here) : 0;
        const double b =
            there > 0 ? ((all[2 + k] - sums[2 + k]) / own[OTHERS] - mean[1] * means[m + k]) / sqrt(there) : 0;
        sum += s[k] > 0 ? (a - b) * (a - b) / s[k] : 0;
    }
    return sum / (1 / own[ROWS] + 1 / own[OTHERS]);
}

static void compare_column(const comparison *at, const double *own, int64_t c, const double *sums, int64_t b,
                           double *wider)
{
    const scree__drift_pool *pool = at->pool;
    const double *moment = at->moment + c * (2 + pool->m);
    const double *all = at->whole + c * at->width;
    const bool residual = pool->tested[at->first + c] == SCREE__DRIFT_RESIDUAL;
    const double mean[2] = {pool->uncentred ? 0 : sums[0] / own[ROWS],
                            pool->uncentred ? 0 : (all[0] - sums[0]) / own[OTHERS]};
    const double variance[2] = {fmax(sums[1] / own[ROWS] - mean[0] * mean[0], 0),
                                fmax((all[1] - sums[1]) / own[OTHERS] - mean[1] * mean[1], 0)};
    const double change = variance[0] - variance[1];
    const double moved = mean_change(mean[0] - mean[1], variance[0], own[ROWS], variance[1], own[OTHERS], moment[0]);
    const double spread = change * change / (moment[0] * moment[0] * moment[1] * (1 / own[ROWS] + 1 / own[OTHERS]));
    keep_largest(statistic(at, SCREE__DRIFT_MEAN_COLUMN, b), moved);
    keep_largest(statistic(at, SCREE__DRIFT_SPREAD_COLUMN, b), spread);
    if (!residual)
        return;
    const double turned = slopes_change(at, own, c, sums, mean, variance);
    *wider += change;
    *statistic(at, SCREE__DRIFT_MEAN_REST, b) += moved;
    *statistic(at, SCREE__DRIFT_SPREAD_COLUMNS, b) += spread;
    *statistic(at, SCREE__DRIFT_ANGLE_REST, b) += turned;
    keep_largest(statistic(at, SCREE__DRIFT_ANGLE_COLUMN, b), turned);
}

/* Task: a shuffle. SPREAD_REST is a sum, with its sign, until all columns are in it. */
static void compare_columns(void *context, int64_t b, int worker)
{
    const comparison *at = context;
    const double *sums = draw(at, b, worker);
    const double *own = at->codes + b * (CODES + 4 * at->pool->m);
    for (int64_t c = 0; c < at->cols; c++)
        if (at->pool->tested[at->first + c] != SCREE__DRIFT_CONSTANT)
            compare_column(at, own, c, sums + c * at->width, b, statistic(at, SCREE__DRIFT_SPREAD_REST, b));
}

/* ---- both ---- */

/* Of a unit, of all its codes. */
static int64_t code_numbers(int64_t m)
{
    return m + m * (m + 1) / 2 + 3;
}

/* Where one side has many more rows than the other, each of these is a unit. */
static scree_status check_memory(const comparison *at, int threads, scree_error *error)
{
    const scree__drift_pool *pool = at->pool;
    const double sums = ((double)pool->units + threads) * (double)at->stride;
    const double codes = (double)pool->count * (double)(CODES + 4 * pool->m);
    const double bytes = 8 * (sums + codes) + 4.0 * threads * (double)(pool->units + pool->part);
    char need[SCREE__SIZE_TEXT];
    if (bytes <= (double)pool->memory)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_MEMORY,
                       "shuffling %lld rows with %lld components takes %s of memory, which is too much; give a sample "
                       "of the rows",
                       (long long)pool->rows, (long long)pool->m, scree__size_text(need, (int64_t)fmin(bytes, 0x1p62)));
}

static scree_status comparison_open(comparison *at, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__drift_pool *pool = at->pool;
    const int64_t m = pool->m;
    const int64_t codes = code_numbers(m);
    const int64_t fit = TABLE / (pool->units * (2 + m));
    at->cols = fit < 1 ? 1 : fit < pool->d ? fit : pool->d;
    at->stride = codes > at->cols * (2 + m) ? codes : at->cols * (2 + m);
    SCREE_TRY(check_memory(at, threads, error));
    SCREE_ALLOC(at->table, pool->units * at->stride, error);
    SCREE_ALLOC(at->whole, at->stride, error);
    SCREE_ALLOC(at->moment, at->stride + m * m + 2 * m, error);
    SCREE_ALLOC(at->codes, pool->count * (CODES + 4 * m), error);
    SCREE_ALLOC(at->spread, m, error);
    SCREE_ALLOC(at->drawn, threads * at->stride, error);
    SCREE_ALLOC(at->order, threads * (pool->units + pool->part), error);
    for (int64_t i = 0; i < threads * (pool->units + pool->part); i++)
        at->order[i] = (int32_t)(i % (pool->units + pool->part));
done:
    return status;
}

static void sum_units(const comparison *at)
{
    const int64_t size = at->cols * at->width;
    memset(at->whole, 0, (size_t)size * sizeof *at->whole);
    for (int64_t u = 0; u < at->pool->units; u++)
        for (int64_t c = 0; c < size; c++)
            at->whole[c] += at->table[u * size + c];
}

static scree_status compare_all_codes(comparison *at, int threads, double end, scree_error *error)
{
    const scree__watch watch = scree__watch_part(&at->pool->watch, 0, end);
    at->width = code_numbers(at->pool->m);
    gather_codes(at);
    sum_units(at);
    return scree__watch_parallel(&watch, threads, at->pool->count, compare_codes, at, error);
}

/* Some columns after the other. */
static scree_status compare_all_columns(comparison *at, int threads, double first, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__drift_pool *pool = at->pool;
    const int64_t most = at->cols;
    const double each = (1 - first) / (double)pool->d;
    at->width = 2 + pool->m;
    for (at->first = 0; at->first < pool->d; at->first += at->cols) {
        at->cols = pool->d - at->first < most ? pool->d - at->first : most;
        const double from = first + each * (double)at->first;
        const scree__watch watch = scree__watch_part(&pool->watch, from, from + each * (double)at->cols);
        memset(at->table, 0, (size_t)(pool->units * at->cols * at->width) * sizeof *at->table);
        scree__parallel(threads, at->cols, gather_column, at);
        sum_units(at);
        SCREE_TRY(scree__watch_parallel(&watch, threads, pool->count, compare_columns, at, error));
    }
done:
    return status;
}

scree_status scree__drift_parts_compare(scree__drift_pool *pool, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    comparison at = {.pool = pool, .first = -1};
    SCREE_TRY(comparison_open(&at, threads, error));
    const int64_t most = at.cols;
    const double codes = (double)code_numbers(pool->m);
    const double share = codes / (codes + (double)pool->d * (double)(2 + pool->m));
    at.cols = 1;
    SCREE_TRY(compare_all_codes(&at, threads, share, error));
    at.cols = most;
    SCREE_TRY(compare_all_columns(&at, threads, share, error));
    for (int64_t b = 0; b < pool->count; b++)
        *statistic(&at, SCREE__DRIFT_SPREAD_REST, b) *= *statistic(&at, SCREE__DRIFT_SPREAD_REST, b);
    for (int64_t b = 0; pool->uncentred && b < pool->count; b++)
        *statistic(&at, SCREE__DRIFT_MEAN_CODES, b) = *statistic(&at, SCREE__DRIFT_MEAN_REST, b) =
            *statistic(&at, SCREE__DRIFT_MEAN_COLUMN, b) = 0;
done:
    free(at.table);
    free(at.whole);
    free(at.moment);
    free(at.codes);
    free(at.spread);
    free(at.drawn);
    free(at.order);
    return status;
}
