/* SPDX-License-Identifier: BSD-3-Clause */
/* What the noise is like, from the residuals of M components.
 *
 * Variances of columns and of rows: sums of squares over their degrees of freedom ν, which leverages make smaller; then
 * shrunk (Smyth 2004). With y_j = ln s_j² + 1/ν_j + 1/(3ν_j²), free of bias, the excess of var y over the mean of
 * 2/ν + 2/ν² is what the variances differ by. Not above two standard errors: they are taken as equal. Otherwise a prior
 * of ν₀ degrees of freedom matches it, and s² = (ν₀ s₀² + ν_j s_j²)/(ν₀ + ν_j).
 *
 * Correlation of neighbours: that of the whitened residuals, less what removing the components has made of independent
 * ones, -Σ_j Σ_l v_lj v_l,j+1, is added to the one that they were whitened with. Small ones are none.
 *
 * Heavy tails: an excess kurtosis above KURTOSIS. O(nd + M max(n, d)). */

#include "fit/whiten.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { FEW = 10 }; /* neighbours from which a correlation can be told */
static const double KURTOSIS = 0.6;
static const double NEARLY = 0.5; /* a change of units beyond which tails cannot be told */
static const double LEAST_CORRELATION = 0.12;
static const double MOST_CORRELATION = 0.95;
static const double LEAST_SHARE = 0.1;
static const double LEAST_VARIANCE = 1e-6; /* of noise, compared with most columns or rows */
static const double ROUNDING = 1e-14;

/* freedom[i] = 1 - Σ_l v_li², as rows of v have it; v: m×count. */
static void leverage(const double *v, int64_t m, int64_t count, double *freedom)
{
    for (int64_t i = 0; i < count; i++)
        freedom[i] = 1;
    for (int64_t l = 0; l < m; l++)
        for (int64_t i = 0; i < count; i++)
            freedom[i] -= v[l * count + i] * v[l * count + i];
}

static void sum_squares(scree__whitening *w)
{
    memset(w->row_sum, 0, (size_t)w->n * sizeof *w->row_sum);
    memset(w->col_sum, 0, (size_t)w->d * sizeof *w->col_sum);
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            const double square = w->e[i * w->d + j] * w->e[i * w->d + j];
            w->row_sum[i] += square;
            w->col_sum[j] += square;
        }
}

/* Observations that correlated ones are worth, to a variance. */
static double worth(double correlation)
{
    return (1 - correlation * correlation) / (1 + correlation * correlation);
}

/* Sums become variances, freedom the degrees of freedom. each: of a whole row or column; seen: the share of it. */
static void variances(double *sum, double *freedom, const double *seen, int64_t count, double each, double correlation)
{
    for (int64_t i = 0; i < count; i++) {
        const double own = fmax(each * seen[i] * freedom[i], 0.5);
        sum[i] = sum[i] / own;
        freedom[i] = fmax(own * worth(correlation), 2);
    }
}

double scree__whiten_share(const scree__whitening *w, int64_t m)
{
    const double left = (double)(w->n - m) * (double)(w->d - m);
    return fmax(1 - (double)w->gaps / left, LEAST_SHARE);
}

/* Of a row of d cells, m are used up by the components whether or not all are observed: what is left over d-m. */
static void share_freedom(scree__whitening *w, int64_t m)
{
    const double cells = (double)(w->n * w->d - w->gaps);
    const double share = scree__whiten_share(w, m);
    const double row_mean = fmax(cells / (double)w->n - (double)m, 0.5);
    for (int64_t i = 0; i < w->n; i++)
        w->row_share[i] = share * fmax(w->row_seen[i] * (double)w->d - (double)m, 0.5) / row_mean;
    for (int64_t j = 0; j < w->d; j++)
        w->col_share[j] = share * w->col_seen[j] * (double)(w->n * w->d) / cells;
}

static double pooled(const double *variance, const double *freedom, int64_t count)
{
    double sum = 0;
    double all = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += freedom[i] * variance[i];
        all += freedom[i];
    }
    return sum / all;
}

/* Moves variances to where they belong. Returns the largest over the smallest. */
static double shrink(double *variance, const double *freedom, int64_t count)
{
    double mean = 0;
    double spread = 0;
    double expected = 0;
    for (int64_t i = 0; i < count; i++) {
        mean += (log(variance[i]) + (1 + 1 / (3 * freedom[i])) / freedom[i]) / (double)count;
        expected += 2 / freedom[i] * (1 + 1 / freedom[i]) / (double)count;
    }
    for (int64_t i = 0; i < count; i++) {
        const double off = log(variance[i]) + (1 + 1 / (3 * freedom[i])) / freedom[i] - mean;
        spread += off * off / (double)(count - 1);
    }
    const double excess = spread - expected;
    const bool equal = !(excess > 2 * expected * sqrt(2 / (double)(count - 1)));
    const double prior = equal ? 0 : (1 + sqrt(1 + 2 * excess)) / excess;
    const double centre = equal ? pooled(variance, freedom, count) : exp(mean - (1 + 1 / (3 * prior)) / prior);
    double least = INFINITY;
    double largest = 0;
    for (int64_t i = 0; i < count; i++) {
        variance[i] = equal ? centre : (prior * centre + freedom[i] * variance[i]) / (prior + freedom[i]);
        least = fmin(least, variance[i]);
        largest = fmax(largest, variance[i]);
    }
    return sqrt(largest / least);
}

/* The part of a column's variance that is noise, in most columns. z is overwritten. */
static double usual_noise(scree__whitening *w)
{
    for (int64_t j = 0; j < w->d; j++)
        w->z[j] = fmin(w->col_sum[j] * w->col_sd[j] * w->col_sd[j] / w->variance[j], 1);
    scree__sort_doubles(w->z, w->d);
    return w->z[w->d / 2];
}

/* A column cannot be without noise where others have some, or it would be a component by itself. */
static void learn_columns(scree__whitening *w)
{
    const double least = fmax(LEAST_VARIANCE * usual_noise(w), ROUNDING);
    for (int64_t j = 0; j < w->d; j++)
        w->col_sum[j] = fmin(fmax(w->col_sum[j] * w->col_sd[j] * w->col_sd[j], least * w->variance[j]), w->variance[j]);
    w->kind.column_ratio = shrink(w->col_sum, w->col_free, w->d);
    for (int64_t j = 0; j < w->d; j++) {
        const double sd = sqrt(w->col_sum[j]);
        w->changed = fmax(w->changed, fabs(sd - w->col_sd[j]) / w->col_sd[j]);
        w->col_sd[j] = sd;
    }
}

/* Rows have the geometric mean 1: the columns have the level. */
static void learn_rows(scree__whitening *w)
{
    double level = 0;
    for (int64_t i = 0; i < w->n; i++)
        w->row_sum[i] = fmax(w->row_sum[i] * w->row_sd[i] * w->row_sd[i], LEAST_VARIANCE);
    w->kind.row_ratio = shrink(w->row_sum, w->row_free, w->n);
    for (int64_t i = 0; i < w->n; i++)
        level += log(w->row_sum[i]) / (double)w->n;
    for (int64_t i = 0; i < w->n; i++) {
        const double sd = w->kind.row_ratio == 1 ? 1 : exp((log(w->row_sum[i]) - level) / 2);
        w->changed = fmax(w->changed, fabs(sd - w->row_sd[i]) / w->row_sd[i]);
        w->row_sd[i] = sd;
    }
}

/* Excess kurtosis of the residuals, each in the units that its row and column now have. */
static void learn_tails(scree__whitening *w, const double *row_sd, const double *col_sd)
{
    double squares = 0;
    double fourths = 0;
    const double count = (double)(w->n * w->d - w->gaps);
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            const double x = w->e[i * w->d + j] * row_sd[i] * col_sd[j] / (w->row_sd[i] * w->col_sd[j]);
            squares += x * x;
            fourths += x * x * x * x;
        }
    if (count * fourths / (squares * squares) - 3 > fmax(KURTOSIS, 4 * sqrt(24 / count))) {
        w->kind.heavy_tails = true;
        w->changed = INFINITY;
    }
}

/* Σ over neighbours of v: what components with these vectors take from their correlation. */
static double taken(const double *v, int64_t m, int64_t count)
{
    double sum = 0;
    for (int64_t l = 0; l < m; l++)
        for (int64_t i = 1; i < count; i++)
            sum += v[l * count + i] * v[l * count + i - 1];
    return sum;
}

/* Of z, between cells that are step apart in memory, step 1: columns, d: rows. */
static double correlation_of(const scree__whitening *w, int64_t step)
{
    const int64_t all = w->n * w->d;
    double products = 0;
    double squares = 0;
    for (int64_t i = 0; i < all; i++) {
        squares += w->z[i] * w->z[i];
        if (step > 1 ? i >= step : i % w->d > 0)
            products += w->z[i] * w->z[i - step];
    }
    const double side = step > 1 ? (double)w->n : (double)w->d;
    return squares > 0 ? products / squares * side / (side - 1) * (double)all / (double)(all - w->gaps) : 0;
}

static double moved(scree__whitening *w, double before, double step)
{
    const double least = fmax(LEAST_CORRELATION, 4 / sqrt((double)(w->n * w->d)));
    const double next = fmin(fmax(before + step, -MOST_CORRELATION), MOST_CORRELATION);
    const double kept = fabs(next) < least ? 0 : next;
    w->changed = fmax(w->changed, fabs(kept - before));
    return kept;
}

static void learn_correlations(scree__whitening *w, int64_t m, const double *row_vectors, const double *col_vectors)
{
    const double d = (double)w->d;
    const double n = (double)w->n;
    const double k = (double)m;
    memcpy(w->z, w->e, (size_t)(w->n * w->d) * sizeof *w->z);
    scree__whiten_filter(w, w->z);
    const double columns = correlation_of(w, 1) + taken(col_vectors, m, w->d) / (d - k) * d / (d - 1);
    const double rows = correlation_of(w, w->d) + taken(row_vectors, m, w->n) / (n - k) * n / (n - 1);
    if (w->d >= FEW)
        w->kind.along_columns = moved(w, w->kind.along_columns, columns);
    if (w->n >= FEW)
        w->kind.along_rows = moved(w, w->kind.along_rows, rows);
}

void scree__whiten_learn(scree__whitening *w, int64_t m)
{
    const bool tall = w->d <= w->n;
    const double *row_vectors = tall ? w->codes : w->vectors;
    const double *col_vectors = tall ? w->vectors : w->codes;
    const double rows = (double)(w->n - 1 - m);
    double *row_sd = w->row_before;
    double *col_sd = w->col_before;
    w->changed = 0;
    memcpy(row_sd, w->row_sd, (size_t)w->n * sizeof *row_sd);
    memcpy(col_sd, w->col_sd, (size_t)w->d * sizeof *col_sd);
    learn_correlations(w, m, row_vectors, col_vectors);
    leverage(row_vectors, m, w->n, w->row_free);
    leverage(col_vectors, m, w->d, w->col_free);
    sum_squares(w);
    share_freedom(w, m);
    variances(w->col_sum, w->col_free, w->col_share, w->d, rows, w->kind.along_rows);
    variances(w->row_sum, w->row_free, w->row_share, w->n, (double)(w->d - m) * rows / (rows + 1),
              w->kind.along_columns);
    learn_columns(w);
    learn_rows(w);
    if (!w->kind.heavy_tails && w->changed < NEARLY)
        learn_tails(w, row_sd, col_sd);
}
