/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances between models. The sine of an angle is computed from what lies outside, never from the cosine, which is 1
 * long before the angle is 0. */

#include "support/agreement.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "support/checks.h"

double models_eigenvalue_distance(const scree_model *a, const scree_model *b)
{
    const scree_model_view *va = scree_model_get(a);
    const scree_model_view *vb = scree_model_get(b);
    double largest = 0;
    assert_int_equal(va->m, vb->m);
    for (int64_t j = 0; j < va->m; j++)
        largest = fmax(largest, fabs(va->eigenvalues[j] - vb->eigenvalues[j]) / vb->eigenvalues[j]);
    return largest;
}

double models_subspace_sine(const scree_model *a, const scree_model *b)
{
    const scree_model_view *va = scree_model_get(a);
    const scree_model_view *vb = scree_model_get(b);
    const int64_t m = va->m;
    const int64_t d = va->d;
    double *along = scree__alloc(m * m, sizeof *along);
    double *outside = scree__alloc(m * d, sizeof *outside);
    double *sigma = scree__alloc(m, sizeof *sigma);
    double unused[1];
    assert_true(along && outside && sigma);
    assert_int_equal(vb->m, m);
    assert_int_equal(vb->d, d);
    for (int64_t i = 0; i < m * d; i++)
        outside[i] = va->components[i];
    assert_int_equal(scree__dgemm(false, true, m, m, d, 1, va->components, d, vb->components, d, 0, along, m), 0);
    assert_int_equal(scree__dgemm(false, false, m, d, m, -1, along, m, vb->components, d, 1, outside, d), 0);
    assert_int_equal(scree__dgesdd('N', d, m, outside, d, sigma, unused, 1, unused, 1), 0);
    const double largest = sigma[0];
    free(along);
    free(outside);
    free(sigma);
    return largest;
}
