/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.71) Cov[x, z] = B, (10.72) x and z together are N([µ; 0], [BBᵀ + σ²I, B; Bᵀ, I]): the loadings and the four
 * blocks; and conditioning that Gaussian on x, by eliminating its first D rows, leaves the posterior covariance. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"

/* What (10.72) has at row a, column b. */
static long double joint_entry(const dense_gauss *g, int64_t a, int64_t b)
{
    if (a >= g->d && b >= g->d)
        return a == b;
    if (a >= g->d)
        return g->b[b * g->m + a - g->d];
    if (b >= g->d)
        return g->b[a * g->m + b - g->d];
    return g->covariance[a * g->d + b];
}

static void the_blocks(const scree_model *model, const dense_gauss *g, const double *joint)
{
    const int64_t size = g->d + g->m;
    long double most = 1;
    double *loadings = scree__alloc(g->d * g->m, sizeof *loadings);
    assert_non_null(loadings);
    assert_int_equal(scree_model_loadings(model, loadings, NULL), SCREE_OK);
    for (int64_t i = 0; i < g->d; i++)
        most = fmaxl(most, g->covariance[i * (g->d + 1)]);
    for (int64_t i = 0; i < g->d * g->m; i++)
        EXPECT_NEAR(loadings[i], g->b[i], 1e-10 * sqrtl(most));
    for (int64_t a = 0; a < size; a++)
        for (int64_t b = 0; b < size; b++)
            EXPECT_NEAR(joint[a * size + b], joint_entry(g, a, b), 1e-10 * most);
    free(loadings);
}

/* Gaussian elimination of x from the joint covariance leaves what is known of z when x is. */
static void conditioned_on_x(const scree_model *model, const dense_gauss *g, const double *joint)
{
    const int64_t size = g->d + g->m;
    long double *a = scree__alloc(size * size, sizeof *a);
    double *variances = scree__alloc(g->m, sizeof *variances);
    assert_true(a && variances);
    for (int64_t i = 0; i < size * size; i++)
        a[i] = joint[i];
    for (int64_t k = 0; k < g->d; k++)
        for (int64_t i = k + 1; i < size; i++) {
            const long double factor = a[i * size + k] / a[k * size + k];
            for (int64_t j = k; j < size; j++)
                a[i * size + j] -= factor * a[k * size + j];
        }
    assert_int_equal(scree_model_posterior_covariance(model, variances, NULL, NULL), SCREE_OK);
    for (int64_t p = 0; p < g->m; p++)
        for (int64_t q = 0; q < g->m; q++)
            EXPECT_NEAR(a[(g->d + p) * size + g->d + q], p == q ? variances[p] : 0, 1e-10);
    free(a);
    free(variances);
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        const int64_t size = c->d + c->m;
        double *x = ppca_case_rows(c);
        double *joint = scree__alloc(size * size, sizeof *joint);
        scree_model *model = ppca_case_model(c, x);
        dense_gauss *g = dense_gauss_of(model);
        assert_non_null(joint);
        assert_int_equal(scree_model_joint_dense(model, joint, NULL), SCREE_OK);
        the_blocks(model, g, joint);
        conditioned_on_x(model, g, joint);
        dense_gauss_free(g);
        scree_model_free(model);
        free(joint);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
