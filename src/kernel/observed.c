/* SPDX-License-Identifier: BSD-3-Clause */
/* The posterior of codes given what was observed of their rows (10.73-10.75 with rows of B left out), exactly:
 *
 *     A_p = Σ_{d observed} ⟨w_d w_d'⟩ + σ²I      one for each pattern p of gaps
 *     z   = A_p⁻¹ Σ_d w_d (x_d - µ_d)            posterior mean; its covariance is Σ = σ²A_p⁻¹
 *     ln p(x_o) = -½ [o ln 2π + (o-M) ln σ² + ln|A_p| + ‖x_o - µ_o - W_o z‖²/σ² + ‖z‖²]
 *
 * All A_p of a chunk are one product of masks and packed outer products, 2 u D M²/2 flops for u patterns; then they are
 * factored and inverted four at a time (strip.c), M³ flops each. A pivot cannot be less than σ² but by rounding, and is
 * not let to. The residual is formed, never a difference of norms. For uncertain loadings (a posterior over w and µ)
 * products become their expectations: z loses Σ cov(w, µ), the residual gains z̃'(Σ cov)z̃, z̃ = [z; 1], and the density
 * is what the row contributes to the variational lower bound. */

#include "kernel/observed.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/strip.h"

#include <math.h>
#include <string.h>

enum { SUMS = 8, RESIDUAL_ROWS = 32 };
static const double LN_2PI = 1.83787706640934548356;

void scree__loadings_outer(double *outer, const double *w, int64_t cols, int64_t m)
{
    for (int64_t d = 0; d < cols; d++, w += m)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j <= i; j++)
                *outer++ = w[i] * w[j];
}

static int64_t width_of(const scree__loadings *l)
{
    return scree__pairs(l->uncertain ? l->m + 1 : l->m);
}

SCREE_CLONES static void add_line(double *restrict sum, const double *restrict line, int64_t n)
{
    for (int64_t e = 0; e < n; e++)
        sum[e] += line[e];
}

/* inverse = Σ over the observed columns of outer, for each pattern. */
static int sum_outer(scree__observed *o, const scree__loadings *l)
{
    const int64_t width = width_of(l);
    const int64_t padded = (o->patterns + SCREE__STRIP - 1) / SCREE__STRIP * SCREE__STRIP;
    int info = 0;
    if (!o->sparse)
        info = scree__dgemm(true, true, width, o->patterns, o->cols, 1, l->outer, width, o->mask, o->cols, 0,
                            o->inverse, o->height);
    for (int64_t p = 0; o->sparse && p < o->patterns; p++) {
        memset(o->work, 0, (size_t)width * sizeof *o->work);
        for (int64_t c = o->start[p]; c < o->start[p + 1]; c++)
            add_line(o->work, l->outer + o->column[c] * width, width);
        for (int64_t e = 0; e < width; e++)
            o->inverse[e * o->height + p] = o->work[e];
    }
    for (int64_t e = 0; e < width; e++) /* the last strip is filled up with patterns of nothing */
        for (int64_t p = o->patterns; p < padded; p++)
            o->inverse[e * o->height + p] = 0;
    return info;
}

/* Patterns p .. p+3: A becomes its inverse. */
static void invert_strip(scree__observed *o, int64_t p, double noise)
{
    const int64_t pairs = scree__pairs(o->m);
    double *strip = o->work;
    double *more = strip + pairs * SCREE__STRIP;
    double logdet[SCREE__STRIP];
    for (int64_t i = 0; i < o->m * SCREE__STRIP; i++)
        more[i] = noise;
    for (int64_t e = 0; e < pairs; e++)
        memcpy(strip + e * SCREE__STRIP, o->inverse + e * o->height + p, SCREE__STRIP * sizeof *strip);
    scree__strip_factor(strip, more, 0, o->m, logdet);
    scree__strip_invert(strip, o->m);
    for (int64_t e = 0; e < pairs; e++)
        memcpy(o->inverse + e * o->height + p, strip + e * SCREE__STRIP, SCREE__STRIP * sizeof *strip);
    memcpy(o->logdet + p, logdet, sizeof logdet);
}

/* Entry (i, j) of all patterns. */
static const double *entry(const scree__observed *o, int64_t i, int64_t j)
{
    return o->inverse + (j <= i ? scree__pair(i, j) : scree__pair(j, i)) * o->height;
}

/* r (M×height) = W'x of each row. */
static int project(const scree__observed *o, const scree__loadings *l, double *r)
{
    const int64_t m = o->m;
    if (!o->sparse)
        return scree__dgemm(true, true, m, o->rows, o->cols, 1, l->w, m, o->x, o->cols, 0, r, o->height);
    memset(r, 0, (size_t)(m * o->height) * sizeof *r);
    for (int64_t n = 0; n < o->rows; n++)
        for (int64_t c = o->start[n]; c < o->start[n + 1]; c++)
            for (int64_t i = 0; i < m; i++)
                r[i * o->height + n] += o->x[c] * l->w[o->column[c] * m + i];
    return 0;
}

/* The last line of z. */
static void set_ones(scree__observed *o)
{
    for (int64_t n = 0; n < o->height; n++)
        o->z[o->m * o->height + n] = n < o->rows ? 1 : 0;
}

static void weigh_codes(scree__observed *o)
{
    for (int64_t i = 0; o->weights && i <= o->m; i++)
        for (int64_t n = 0; n < o->rows; n++)
            o->heavy[i * o->height + n] = o->weights[n] * o->z[i * o->height + n];
}

/* sum += a[pattern] r over the rows; NULL: every row is the pattern of its own number. */
SCREE_CLONES static void add_products(double *restrict sum, const double *restrict a, const double *restrict r,
                                      const int32_t *pattern, int64_t rows)
{
    if (!pattern) {
        for (int64_t n = 0; n < rows; n++)
            sum[n] += a[n] * r[n];
        return;
    }
    for (int64_t n = 0; n < rows; n++)
        sum[n] += a[pattern[n]] * r[n];
}

static int posterior_means(scree__observed *o, const scree__loadings *l)
{
    const int64_t m = o->m;
    const int64_t h = o->height;
    const double *covariances = o->inverse + scree__pairs(m) * h; /* Σ cov(w, µ) of each pattern */
    const int32_t *pattern = o->patterns < o->rows ? o->pattern : NULL;
    double *r = o->work;
    const int info = project(o, l, r);
    for (int64_t i = 0; l->uncertain && i < m; i++)
        for (int64_t n = 0; n < o->rows; n++)
            r[i * h + n] -= covariances[i * h + o->pattern[n]];
    memset(o->z, 0, (size_t)(m * h) * sizeof *o->z);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            add_products(o->z + i * h, entry(o, i, j), r + j * h, pattern, o->rows);
    set_ones(o);
    weigh_codes(o);
    return info;
}

int scree__observed_project(scree__observed *o, const scree__loadings *l)
{
    set_ones(o);
    const int info = project(o, l, o->z);
    weigh_codes(o);
    return info;
}

/* Σ (x - y)² and Σ y² over the observed columns of a row, in eight sums. */
SCREE_CLONES static void squares(const double *restrict x, const double *restrict y, const double *restrict mask,
                                 int64_t n, double *restrict out)
{
    double off[SUMS] = {0};
    double size[SUMS] = {0};
    int64_t j = 0;
    for (; j + SUMS <= n; j += SUMS)
        for (int s = 0; s < SUMS; s++) {
            const double seen = mask[j + s] * y[j + s];
            off[s] += (x[j + s] - seen) * (x[j + s] - seen);
            size[s] += seen * seen;
        }
    for (; j < n; j++) {
        const double seen = mask[j] * y[j];
        off[0] += (x[j] - seen) * (x[j] - seen);
        size[0] += seen * seen;
    }
    for (int s = 1; s < SUMS; s++) {
        off[0] += off[s];
        size[0] += size[s];
    }
    out[0] = off[0];
    out[1] = size[0];
}

static void squares_of_cells(const scree__observed *o, const scree__loadings *l, int64_t n, double *out)
{
    out[0] = 0;
    out[1] = 0;
    for (int64_t c = o->start[n]; c < o->start[n + 1]; c++) {
        double y = 0;
        for (int64_t i = 0; i < o->m; i++)
            y += l->w[o->column[c] * o->m + i] * o->z[i * o->height + n];
        out[0] += (o->x[c] - y) * (o->x[c] - y);
        out[1] += y * y;
    }
}

/* z̃'(Σ⟨w̃w̃'⟩)z̃ of row n; A before it was inverted is not kept: A z = r, so that z'(A - σ²I)z = z'r - σ²z'z. */
static double expected_square(const scree__observed *o, const scree__loadings *l, const double *r, int64_t n)
{
    const int64_t h = o->height;
    const int64_t p = o->pattern[n];
    const double *covariances = o->inverse + scree__pairs(o->m) * h;
    double sum = covariances[o->m * h + p]; /* Σ var µ */
    for (int64_t i = 0; i < o->m; i++) {
        const double z = o->z[i * h + n];
        sum += z * (r[i * h + n] - l->noise * z + 2 * covariances[i * h + p]);
    }
    return sum;
}

static void settle_row(scree__observed *o, const scree__loadings *l, int64_t n, const double *found)
{
    const int64_t p = o->pattern[n];
    const double cells = (double)o->seen[p];
    const double m = (double)o->m;
    double length = 0;
    o->square[n] = found[0];
    if (l->uncertain) /* what the uncertainty of w adds: expected less squared mean */
        o->square[n] += fmax(expected_square(o, l, o->work, n) - found[1], 0);
    for (int64_t i = 0; i < o->m; i++)
        length += o->z[i * o->height + n] * o->z[i * o->height + n];
    o->density[n] =
        o->seen[p] == 0
            ? 0
            : -0.5 * (cells * LN_2PI + (cells - m) * log(l->noise) + o->logdet[p] + o->square[n] / l->noise + length);
}

static int residuals(scree__observed *o, const scree__loadings *l)
{
    double *y = o->work + (o->m + 1) * o->height;
    double found[2];
    int info = 0;
    for (int64_t first = 0; info == 0 && first < o->rows; first += RESIDUAL_ROWS) {
        const int64_t rows = o->rows - first < RESIDUAL_ROWS ? o->rows - first : RESIDUAL_ROWS;
        if (!o->sparse)
            info = scree__dgemm(true, true, rows, o->cols, o->m, 1, o->z + first, o->height, l->w, o->m, 0, y, o->cols);
        for (int64_t n = first; n < first + rows; n++) {
            if (o->sparse)
                squares_of_cells(o, l, n, found);
            else
                squares(o->x + n * o->cols, y + (n - first) * o->cols, o->mask + o->pattern[n] * o->cols, o->cols,
                        found);
            settle_row(o, l, n, found);
        }
    }
    return info;
}

int scree__observed_solve(scree__observed *o, const scree__loadings *l)
{
    int info = sum_outer(o, l);
    for (int64_t p = 0; info == 0 && p < o->patterns; p += SCREE__STRIP)
        invert_strip(o, p, l->noise);
    if (info == 0)
        info = posterior_means(o, l);
    return info == 0 ? residuals(o, l) : info;
}
