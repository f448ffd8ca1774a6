/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of missing cells, and draws of them, as related.c asks for them.
 *
 * Of the components (gaps.c), with C = cov(z|x_o) and s the widening of each cell (gap_widening.c):
 * g_j = s_j C^½W_j, and beyond it s_j² σ².
 *
 * Of an imputer (imputer_row.c), with fits of weight p: g_j has √p S^½w_j of each fit and √p (f_j - f̄_j), times the
 * widening and the deviation of the column. */

#include "model/related.h"

#include "kernel/packed.h"
#include "model/gaps.h"
#include "model/imputer.h"
#include "model/ppca.h"

#include <math.h>
#include <string.h>

static int64_t ppca_width(const void *gaps)
{
    return ((const scree__gaps *)gaps)->model->m;
}

static void ppca_prepare(void *gaps)
{
    scree__gaps_widening(gaps);
}

static void ppca_factor(void *gaps, int64_t column, double *g)
{
    scree__gaps *cells = gaps;
    scree__gaps_factor_cell(cells, column, g);
    for (int64_t k = 0; k < cells->model->m; k++)
        g[k] *= cells->wide[column];
}

static double ppca_variance(void *gaps, int64_t column)
{
    const scree__gaps *cells = gaps;
    const double sd = cells->sd[column] * cells->wide[column];
    return sd * sd;
}

static const double *ppca_draw(void *gaps, const double *x, uint64_t seed, int64_t n, int64_t k, int64_t draws)
{
    scree__gaps *cells = gaps;
    scree__gaps_draw(cells, seed, (uint64_t)(n * draws + k));
    for (int64_t i = cells->seen; i < cells->model->d; i++) {
        const int64_t j = cells->columns[i];
        cells->drawn[j] = x[j] + (cells->drawn[j] - x[j]) * cells->wide[j];
    }
    return cells->drawn;
}

const scree__related_cells scree__related_ppca = {&scree__ppca_gaps, ppca_width,    ppca_prepare,
                                                  ppca_factor,       ppca_variance, ppca_draw};

static int64_t imputer_width(const void *gaps)
{
    const scree__imputer *imputer = ((const scree__imputer_row *)gaps)->imputer;
    int64_t width = 0;
    for (int64_t f = 0; f < imputer->fits; f++)
        width += imputer->fit[f].k + 1;
    return width;
}

static void imputer_prepare(void *gaps)
{
    (void)gaps;
}

static void imputer_factor(void *gaps, int64_t column, double *g)
{
    const scree__imputer_row *row = gaps;
    const scree__imputer *imputer = row->imputer;
    const double unit = imputer->widening * imputer->deviation[column];
    for (int64_t f = 0; f < imputer->fits; f++) {
        const scree__imputer_fit *fit = &imputer->fit[f];
        const int64_t k = fit->k;
        const double weight = unit * sqrt(fit->weight);
        memcpy(g, fit->loadings + column * (k + 1), (size_t)k * sizeof *g);
        scree__packed_solve_lower(row->code[f].factor, k, g);
        g[k] = row->code[f].expected[column] - row->expected[column];
        for (int64_t i = 0; i <= k; i++)
            g[i] *= weight;
        g += k + 1;
    }
}

static double imputer_variance(void *gaps, int64_t column)
{
    const double sd = scree__imputer_row_deviation(gaps, column);
    return sd * sd;
}

static const double *imputer_draw(void *gaps, const double *x, uint64_t seed, int64_t n, int64_t k, int64_t draws)
{
    (void)x;
    return scree__imputer_row_draw(gaps, seed, n, k, draws);
}

const scree__related_cells scree__related_imputer = {&scree__imputer_gaps, imputer_width,    imputer_prepare,
                                                     imputer_factor,       imputer_variance, imputer_draw};
