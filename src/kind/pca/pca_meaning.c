/* SPDX-License-Identifier: BSD-3-Clause */
/* What principal components mean: weights are the entries of eigenvectors, u, loadings u √λ, and a code has the
 * variance λ. Components are uncorrelated, so that loadings are covariances, too (10.71 without noise). */

#include "kind/pca/pca.h"

#include <math.h>

static double weight(const scree_model *model, int64_t column, int64_t code)
{
    return model->components[code * model->view.d + column];
}

static double loading(const scree_model *model, int64_t column, int64_t code)
{
    return sqrt(model->eigenvalues[code]) * model->components[code * model->view.d + column];
}

static double variance(const scree_model *model, int64_t code)
{
    return model->eigenvalues[code];
}

const scree__meaning scree__pca_meaning = {weight, loading, loading, variance};
