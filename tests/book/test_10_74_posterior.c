/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.73) p(z|x) = N(z | m, C), (10.74) m = Bᵀ(BBᵀ + σ²I)⁻¹(x - µ), (10.75) C = I - Bᵀ(BBᵀ + σ²I)⁻¹B: the diagonal
 * forms against the D×D inverse; C is the same for every x, and its logarithmic determinant is that of the matrix. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "support/calls.h"

#define SKEW 0x1p-48 /* of components: 1 - Bᵀ(…)⁻¹B has lost what their lengths are off from 1 */

static void the_means(const ppca_case *c, const scree_model *model, const dense_gauss *g, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    double *means = scree__alloc(c->n * c->m, sizeof *means);
    long double *wanted = scree__alloc(c->m, sizeof *wanted);
    assert_true(means && wanted);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, c->n, c->d), means, NULL, NULL, &error), error);
    for (int64_t i = 0; i < c->n; i++) {
        dense_gauss_posterior_mean(g, x + i * c->d, wanted);
        for (int64_t j = 0; j < c->m; j++)
            EXPECT_NEAR(means[i * c->m + j], wanted[j], 1e-10 * fmaxl(1, fabsl(wanted[j])));
    }
    free(means);
    free(wanted);
}

static void the_covariance(const ppca_case *c, const scree_model *model, const dense_gauss *g)
{
    double logdet;
    double *variances = scree__alloc(c->m, sizeof *variances);
    long double *wanted = scree__alloc(c->m * c->m, sizeof *wanted);
    assert_true(variances && wanted);
    assert_int_equal(scree_model_posterior_covariance(model, variances, &logdet, NULL), SCREE_OK);
    dense_gauss_posterior_covariance(g, wanted);
    for (int64_t p = 0; p < c->m; p++)
        for (int64_t q = 0; q < c->m; q++)
            EXPECT_NEAR(p == q ? variances[p] : 0, wanted[p * c->m + q], 1e-10 * wanted[p * (c->m + 1)] + SKEW);
    EXPECT_NEAR(logdet, dense_invert(wanted, c->m), 1e-10 * (double)c->m);
    free(variances);
    free(wanted);
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        dense_gauss *g = dense_gauss_of(model);
        the_means(c, model, g, x);
        the_covariance(c, model, g);
        dense_gauss_free(g);
        scree_model_free(model);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
