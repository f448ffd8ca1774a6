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
 * given counts as known, and so does the rest. O(M) a row and a cell.
 *
 * The model has one noise for all columns, and none that is common to some of them, which need not be so: a column has
 * its own unit, and components that were not kept are in the noise. How far off that is can be told of each cell when
 * all others of its row are there. With the precision P = C⁻¹ of the model, its error is (Px)_j/P_jj; the model says
 * that this has the variance 1/P_jj, and in the fitted rows, of covariance S = UΛUᵀ + R, RU = 0, it had
 *
 *     (PSP)_jj/P_jj²,   (PSP)_jj = Σ u_jk²/λ_k + R_jj/σ⁴,   P_jj = Σ u_jk²/λ_k + (1 - h_j)/σ²
 *
 * with R_jj = v_j - Σ λ_k u_jk², v_j the variance of the column, and h_j = Σ u_jk². That may be more than v_j. If all
 * others are missing, too, the model says C_jj, and it is v_j. Between the two, variances are multiplied in proportion
 * to where the one that the model says lies between 1/P_jj and C_jj. */

#include "base/special.h"
#include "model/gap_law.h"
#include "model/gaps.h"
#include "model/ppca.h"

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

/* What the variance of a missing cell is multiplied by: plain is the one that the model says. */
static double misfit(const scree_model_view *model, int64_t column, double plain)
{
    const double scale = model->scale ? model->scale[column] : 1;
    const double variance = model->variances[column] / scale / scale;
    const double noise = model->noise_variance;
    double held = 0, inside = 0, along = 0;
    if (!(variance > 0) || !(noise > 0))
        return 1;
    for (int64_t k = 0; k < model->m; k++) {
        const double lambda = scree__ppca_variance(model, k);
        const double u2 = model->components[k * model->d + column] * model->components[k * model->d + column];
        held += lambda * u2;
        inside += u2;
        along += u2 / lambda;
    }
    const double outside = fmax(1 - inside, 0);
    const double precision = along + outside / noise;
    const double ratio = (along + fmax(variance - held, 0) / noise / noise) / precision;
    const double least = 1 / precision;         /* all others are there */
    const double most = held + outside * noise; /* none is */
    const double open = most > least ? fmin(fmax((plain - least) / (most - least), 0), 1) : 0;
    return (1 - open) * ratio + open * variance / plain;
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
        g->wide[d] = is_known || !(sd[d] > 0)
                         ? 1
                         : leverage * widen(g->open[d], seen, few, many) * sqrt(misfit(model, d, sd[d] * sd[d]));
    }
    return g->wide;
}
