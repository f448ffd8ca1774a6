/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_MADE_MODEL_H
#define SCREE_TESTS_MADE_MODEL_H

/* A model without a fit, for tests of what models can do: random orthonormal components (Gram–Schmidt, twice), λ_j =
 * 2^-j, mean and scale of chosen size. Include after cmocka.h. */

#include "base/memory.h"
#include "base/random.h"
#include "model/model.h"

#include <math.h>

static inline double made_dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

static inline void made_orthonormalise(double *u, int64_t m, int64_t d)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t k = 0; k < 2 * i; k++) {
            const double *other = u + (k % i) * d;
            double along = made_dot(u + i * d, other, d);
            for (int64_t j = 0; j < d; j++)
                u[i * d + j] -= along * other[j];
        }
        double norm = sqrt(made_dot(u + i * d, u + i * d, d));
        for (int64_t j = 0; j < d; j++)
            u[i * d + j] /= norm;
    }
}

static inline scree_model *made_model(int64_t d, int64_t m, double mean, bool with_scale, const char *const *names)
{
    scree_model *model = NULL;
    assert_int_equal(scree__model_new(&model, d, m, "covariance", with_scale, names, NULL), SCREE_OK);
    scree__normals(7, 1, 0, m * d, model->components);
    made_orthonormalise(model->components, m, d);
    model->view.total_variance = 0.25;
    for (int64_t i = 0; i < m; i++) {
        model->eigenvalues[i] = ldexp(1.0, (int)-i);
        model->view.total_variance += model->eigenvalues[i];
        model->bounds.residuals[i] = 1e-15;
        model->bounds.gaps[i] = ldexp(1.0, (int)-i - 1);
        model->bounds.eigenvalue_bounds[i] = 1e-30;
        model->bounds.angle_bounds[i] = 1e-14;
        model->bounds.cluster_first[i] = model->bounds.cluster_last[i] = i;
    }
    for (int64_t j = 0; j < d; j++) {
        model->mean[j] = mean * (double)(j % 5 + 1);
        if (with_scale)
            model->scale[j] = 0.5 + (double)(j % 7);
    }
    model->view.n = 1000;
    model->view.weight = 1000;
    model->view.passes = 1;
    model->view.converged = true;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    return model;
}

#endif
