/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.69) E[x] = µ, (10.70) V[x] = BBᵀ + σ²I: the covariance, its inverse, both as operators, and the density
 * p(x) = N(x | µ, BBᵀ + σ²I) are those of the D×D matrix, formed and inverted. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "support/calls.h"

static long double largest(const long double *a, int64_t n)
{
    long double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmaxl(most, fabsl(a[i]));
    return most;
}

static void expect_matrix(const double *found, const long double *wanted, int64_t d, const char *label)
{
    const long double bound = 1e-10L * largest(wanted, d * d);
    for (int64_t i = 0; i < d * d; i++)
        if (!(fabsl(found[i] - wanted[i]) <= bound))
            fail_msg("%s: entry %lld, %lld is %.17g, not %.17Lg", label, (long long)(i / d), (long long)(i % d),
                     found[i], wanted[i]);
}

/* found = A x, for the matrix A. */
static void expect_product(const double *found, const long double *a, const double *x, int64_t d, const char *label)
{
    for (int64_t i = 0; i < d; i++) {
        long double sum = 0;
        long double size = 0;
        for (int64_t j = 0; j < d; j++) {
            sum += a[i * d + j] * x[j];
            size += fabsl(a[i * d + j] * x[j]);
        }
        if (!(fabsl(found[i] - sum) <= 1e-10L * size))
            fail_msg("%s: entry %lld is %.17g, not %.17Lg", label, (long long)i, found[i], sum);
    }
}

static void the_matrices(const ppca_case *c, const scree_model *model, const dense_gauss *g, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    double *matrix = scree__alloc(c->d * c->d, sizeof *matrix);
    double *product = scree__alloc(c->d, sizeof *product);
    assert_non_null(matrix);
    assert_non_null(product);
    assert_int_equal(scree_model_marginal_dense(model, matrix, NULL), SCREE_OK);
    expect_matrix(matrix, g->covariance, c->d, c->label);
    EXPECT_OK(scree_model_precision_dense(model, matrix, &error), error);
    expect_matrix(matrix, g->inverse, c->d, c->label);
    assert_int_equal(scree_model_marginal_multiply(model, x, product, NULL), SCREE_OK);
    expect_product(product, g->covariance, x, c->d, c->label);
    EXPECT_OK(scree_model_precision_multiply(model, x, product, &error), error);
    expect_product(product, g->inverse, x, c->d, c->label);
    free(matrix);
    free(product);
}

/* Rows as they were fitted, and rows three times as far from the mean. */
static void the_density(const ppca_case *c, const scree_model *model, const dense_gauss *g, double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score *scores = scree__alloc(c->n, sizeof *scores);
    assert_non_null(scores);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    for (int far = 0; far < 2; far++) {
        EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, c->n, c->d), scores, &error), error);
        for (int64_t i = 0; i < c->n; i++) {
            const double wanted = (double)dense_gauss_log_density(g, x + i * c->d);
            if (!(fabs(scores[i].loglik - wanted) <= 1e-10 * fmax(1, fabs(wanted))))
                fail_msg("%s: row %lld has ln p %.17g, not %.17g", c->label, (long long)i, scores[i].loglik, wanted);
        }
        for (int64_t i = 0; i < c->n * c->d; i++)
            x[i] += 2 * (x[i] - (double)g->mean[i % c->d]);
    }
    scree_scorer_free(scorer);
    free(scores);
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        dense_gauss *g = dense_gauss_of(model);
        the_matrices(c, model, g, x);
        the_density(c, model, g, x);
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
