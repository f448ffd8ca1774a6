/* SPDX-License-Identifier: BSD-3-Clause */
/* How much each fit counts, and how wide intervals are, from cells that the fits have not seen. Weights p ≥ 0 of sum 1
 * that make Σ (Σ_f p_f e_f)² least, e the errors of the fits: with G = Σ ee', the best p on each set of fits is
 * G⁻¹1/(1'G⁻¹1), and of the seven sets the best one with p ≥ 0 is taken. They are drawn towards equal ones as if by 40
 * more cells. Then, over the m cells, with V as in model/imputer_row.c,
 *
 *     c = (m q + 20 t)/(1.96 (m + 20)),      q the 95 % quantile of |x - f̄|/√V,
 *
 * t that of Student's law with as many degrees of freedom as a column has cells, less one: where few cells are held
 * out, what is not known of the columns' variances decides. O(m log m). */

#include "fit/imputer.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/special.h"

#include <math.h>
#include <stdlib.h>

enum { FITS = SCREE__IMPUTER_FITS, EQUAL_CELLS = 40, STUDENT_CELLS = 20 };
static const double QUANTILE = 0.95;
static const double NORMAL = 1.95996398454005424;
static const double RIDGE = 1e-9; /* fits that agree */

/* G x = 1 over the fits of a set, by elimination; false: it has no solution. */
static bool solve_ones(double g[FITS][FITS], unsigned set, double *x)
{
    double a[FITS][FITS + 1];
    for (int i = 0; i < FITS; i++) {
        const bool in = set >> i & 1;
        for (int j = 0; j < FITS; j++)
            a[i][j] = in && (set >> j & 1) ? g[i][j] : (i == j ? 1 : 0);
        a[i][FITS] = in ? 1 : 0;
    }
    for (int i = 0; i < FITS; i++) {
        if (!(a[i][i] > 0))
            return false;
        for (int r = i + 1; r < FITS; r++)
            for (int c = FITS; c >= i; c--)
                a[r][c] -= a[r][i] / a[i][i] * a[i][c];
    }
    for (int i = FITS - 1; i >= 0; i--) {
        x[i] = a[i][FITS];
        for (int j = i + 1; j < FITS; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
    return true;
}

/* The weights of a set; what they leave, or infinity where they are not weights. */
static double try_set(double g[FITS][FITS], unsigned set, double *p)
{
    double sum = 0;
    if (!solve_ones(g, set, p))
        return HUGE_VAL;
    for (int f = 0; f < FITS; f++)
        sum += p[f];
    for (int f = 0; f < FITS; f++) {
        p[f] /= sum;
        if (!(p[f] >= 0))
            return HUGE_VAL;
    }
    return 1 / sum;
}

void scree__imputer_weigh(const scree__imputer_held *held, int64_t rounds, double *weights)
{
    double g[FITS][FITS] = {{0}};
    double p[FITS];
    double best = HUGE_VAL;
    double count = 0;
    for (int64_t r = 0; r < rounds; r++) {
        count += (double)held[r].count;
        for (int64_t i = 0; i < held[r].count; i++)
            for (int a = 0; a < FITS; a++)
                for (int b = 0; b < FITS; b++)
                    g[a][b] += (held[r].value[i] - held[r].expected[i * FITS + a]) *
                               (held[r].value[i] - held[r].expected[i * FITS + b]);
    }
    for (int f = 0; f < FITS; f++) {
        g[f][f] += RIDGE * g[f][f];
        weights[f] = 1.0 / FITS;
    }
    for (unsigned set = 1; count > 0 && set < 1u << FITS; set++) {
        const double left = try_set(g, set, p);
        for (int f = 0; left < best && f < FITS; f++)
            weights[f] = p[f];
        best = fmin(best, left);
    }
    for (int f = 0; f < FITS; f++)
        weights[f] = (count * weights[f] + (double)EQUAL_CELLS / FITS) / (count + EQUAL_CELLS);
}

/* |x - f̄|/√V of cell i. */
static double distance(const scree__imputer_held *held, int64_t i, const double *weights)
{
    double mean = 0;
    double pooled = 0;
    for (int f = 0; f < FITS; f++)
        mean += weights[f] * held->expected[i * FITS + f];
    for (int f = 0; f < FITS; f++) {
        const double off = held->expected[i * FITS + f] - mean;
        pooled += weights[f] * (held->variance[i * FITS + f] + off * off);
    }
    return fabs(held->value[i] - mean) / sqrt(pooled);
}

scree_status scree__imputer_widen(const scree__imputer_held *held, int64_t rounds, const double *weights, double cells,
                                  double *widening, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *distances = NULL;
    int64_t count = 0;
    *widening = scree__student_widening(cells - 1);
    for (int64_t r = 0; r < rounds; r++)
        count += held[r].count;
    if (count == 0)
        goto done;
    SCREE_ALLOC(distances, count, error);
    count = 0;
    for (int64_t r = 0; r < rounds; r++)
        for (int64_t i = 0; i < held[r].count; i++)
            distances[count++] = distance(&held[r], i, weights);
    scree__sort_doubles(distances, count);
    const double place = QUANTILE * (double)(count - 1);
    const int64_t low = (int64_t)place;
    const int64_t high = low + 1 < count ? low + 1 : low;
    const double q = distances[low] + (place - (double)low) * (distances[high] - distances[low]);
    *widening = ((double)count * q / NORMAL + STUDENT_CELLS * *widening) / (double)(count + STUDENT_CELLS);
done:
    free(distances);
    return status;
}
