/* SPDX-License-Identifier: BSD-3-Clause */
/* The posterior in the plane of the codes, by probabilistic PCA. A code is Uᵀ(x - µ), and what it estimates is UᵀBz =
 * (Λ - σ²I)^½ z. Given a whole row (10.74) that is normal with, along component j, the mean (1 - σ²/λ)(code) and the
 * variance σ²(1 - σ²/λ), and nothing between components. Given a row with gaps it is L E[z|x_o] and L C L, with L = (Λ
 * - σ²I)^½ and C = cov(z|x_o) of gaps.c: an ellipse that may be tilted. An empty row leaves the prior, Λ - σ²I. O(D M²)
 * with gaps.
 */

#include "model/ppca.h"

#include "base/memory.h"
#include "model/frame.h"

#include <math.h>

static double length_of(const scree_model_view *view, int64_t component)
{
    return sqrt(fmax(view->eigenvalues[component] - view->noise_variance, 0.0));
}

static void of_whole(scree__ellipse *ellipse, const scree_model_view *view, const double *x, const int64_t component[2])
{
    for (int k = 0; k < 2 && component[k] >= 0; k++) {
        const double lambda = view->eigenvalues[component[k]], noise = view->noise_variance;
        const double kept = lambda > noise ? 1.0 - noise / lambda : 0.0;
        double code = 0.0;
        for (int64_t j = 0; j < view->d; j++)
            code += view->components[component[k] * view->d + j] * x[j];
        ellipse->mean[k] = kept * code;
        ellipse->covariance[2 * k] = noise * kept;
    }
}

/* C's entries from its symmetric root: C_ab = (C^½ e_a)ᵀ(C^½ e_b). */
static scree_status of_gaps(scree__ellipse *ellipse, const scree_model_view *view, double *x,
                            const int64_t component[2], scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gaps gaps = {0};
    double *unit = NULL, *root = NULL;
    const int64_t m = view->m;
    SCREE_ALLOC(unit, m, error);
    SCREE_ALLOC(root, 2 * m, error);
    SCREE_TRY(scree__gaps_once(&gaps, view, x, error));
    for (int k = 0; k < 2 && component[k] >= 0; k++) {
        unit[component[k]] = length_of(view, component[k]);
        scree__gaps_root(&gaps, unit, root + k * m);
        ellipse->mean[k] = unit[component[k]] * gaps.z[component[k]];
        unit[component[k]] = 0.0;
    }
    for (int64_t j = 0; j < m; j++) {
        ellipse->covariance[0] += root[j] * root[j];
        ellipse->covariance[1] += root[j] * root[m + j];
        ellipse->covariance[2] += root[m + j] * root[m + j];
    }
done:
    scree__gaps_close(&gaps);
    free(unit);
    free(root);
    return status;
}

scree_status scree__ppca_ellipse(scree__ellipse *ellipse, const scree_model *model, const double *row,
                                 const int64_t component[2], scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    double *x = NULL;
    int64_t seen = 0;
    SCREE_ALLOC(x, view->d, error);
    for (int64_t j = 0; j < view->d; j++) {
        x[j] = scree__frame_enter(view, j, row[j]);
        seen += !isnan(row[j]);
    }
    if (seen == view->d) {
        of_whole(ellipse, view, x, component);
    } else {
        ellipse->seen = seen > 0 ? SCREE__SEEN_SOME : SCREE__SEEN_NONE;
        SCREE_TRY(of_gaps(ellipse, view, x, component, error));
    }
done:
    free(x);
    return status;
}
