/* SPDX-License-Identifier: BSD-3-Clause */
/* A missing cell is predicted from the observed ones by a regression whose coefficients were estimated from N rows. Of
 * the r directions that the observed columns span (gaps.c), with t and T² = Σ t_j²/(g_j + σ²) of the row, and δ the
 * divisor of the eigenvalues, the variance a + b of the cell becomes
 *
 *     (1 + 1/N + T²/δ)(a δ/(N-1-r) + b δ/(N-1-M))
 *
 * where a is due to components that nothing observed says anything of, and b is noise, and what noise makes of the
 * others. b has N-1-M degrees of freedom, since each column has its own noise, and a has N-1-r; both together by
 * Satterthwaite's rule (1946). The deviation is widened to the quantile of Student's law, too, so that 1.96 deviations
 * hold a cell in 95 %. Where M = D this is the classical interval of a regression on r columns: b = 0. A noise that was
 * given counts as known, and so does the rest. O(M) a row and O(1) a cell. */

#include "base/special.h"
#include "model/gap_law.h"
#include "model/gaps.h"

#include <math.h>

/* The variance of a cell, given those two parts, with all that is not known; over the plain one, and its root. */
static double widen(double open, double seen, double few, double many)
{
    const double a = open / few;
    const double b = seen / many;
    const double share = a / (a + b);
    const double freedom = 1 / (share * share / few + (1 - share) * (1 - share) / many);
    return sqrt((a + b) / (open + seen)) * scree__student_widening(freedom);
}

const double *scree__gaps_widening(scree__gaps *g)
{
    const scree_model_view *model = g->model;
    const double *sd = scree__gaps_deviations(g);
    const double share = scree__gap_law_share(model);
    const double rows = share * scree__model_rows(model);
    const double divisor = share * scree__model_divisor(model);
    const double few = fmax(rows - 1 - (double)g->rank, 1);
    const double many = fmax(rows - 1 - (double)model->m, 1);
    const bool is_known = model->noise_given || !(rows > 1) || !(divisor > 0);
    double t2 = 0;
    for (int64_t j = 0; j < g->rank; j++)
        t2 += g->t[j] * g->t[j] / (g->singular[j] * g->singular[j] + model->noise_variance);
    const double leverage = is_known ? 0 : sqrt((1 + 1 / rows + t2 / divisor) * divisor);
    for (int64_t i = g->seen; i < model->d; i++) {
        const int64_t d = g->columns[i];
        const double seen = fmax(sd[d] * sd[d] - g->open[d], 0);
        g->wide[d] = is_known || !(sd[d] > 0) ? 1 : leverage * widen(g->open[d], seen, few, many);
    }
    return g->wide;
}
