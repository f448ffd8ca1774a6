/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.7.3) Exploring: z* ~ p(z|x*) = N(m, C), then x̃* ~ p(x|z*). Together (z*, x̃*) are normal, with means m and Bm + µ,
 * covariances C and BCBᵀ + σ²I, and CBᵀ between them: draws have these moments within 5 standard errors. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "support/calls.h"
#include "support/drawn.h"
#include "unit/made_model.h"

enum { D = 20, M = 4, BOTH = M + D, DRAWS = SLOW_BUILD ? 20000 : 400000, ROW = 2, ROWS = 5 };

/* By the dense formulas of the book. */
static void analytic(const scree_model *model, const double *x, double *mean, double *covariance)
{
    dense_gauss *g = dense_gauss_of(model);
    long double m[M];
    long double c[M * M];
    dense_gauss_posterior_mean(g, x, m);
    dense_gauss_posterior_covariance(g, c);
    /* (z*, x̃* - µ - ε) = A z* with A = [I; B]. */
    for (int64_t i = 0; i < BOTH; i++) {
        mean[i] = (double)(i < M ? 0 : g->mean[i - M]);
        for (int64_t p = 0; p < M; p++)
            mean[i] += (double)((i < M ? (long double)(i == p) : g->b[(i - M) * M + p]) * m[p]);
        for (int64_t j = 0; j < BOTH; j++) {
            long double sum = i == j && i >= M ? g->noise[i - M] : 0;
            for (int64_t p = 0; p < M; p++)
                for (int64_t q = 0; q < M; q++)
                    sum += (i < M ? (long double)(i == p) : g->b[(i - M) * M + p]) * c[p * M + q] *
                           (j < M ? (long double)(j == q) : g->b[(j - M) * M + q]);
            covariance[i * BOTH + j] = (double)sum;
        }
    }
    dense_gauss_free(g);
}

static void draws_match(bool with_scale, double noise)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_explore_options options = SCREE_EXPLORE_OPTIONS_INIT;
    scree_model *made = made_model(D, M, 10.0, with_scale, NULL);
    scree_model *model = NULL;
    scree_source *rows = NULL;
    scree_source *draws = NULL;
    double x[ROWS * D];
    double mean[BOTH];
    double covariance[BOTH * BOTH];
    assert_int_equal(scree_model_with_noise(&model, made, noise, NULL), SCREE_OK);
    scree__normals(73, 0, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = scree_model_get(model)->mean[i % D] + 2 * x[i];
    analytic(model, x + ROW * D, mean, covariance);
    options.row = ROW;
    options.draws = DRAWS;
    options.latent = true;
    options.seed = 1073;
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, ROWS, D), &error), error);
    EXPECT_OK(scree_source_explore(&draws, model, rows, &options, &error), error);
    drawn found = drawn_from(draws, 2, BOTH, mean);
    assert_int_equal(found.n, DRAWS);
    drawn_expect(&found, mean, covariance);
    drawn_free(&found);
    scree_source_free(draws);
    scree_model_free(model);
    scree_model_free(made);
}

static void draws_follow_the_posterior(void **state)
{
    (void)state;
    draws_match(false, 0.3);
    draws_match(true, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_follow_the_posterior)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
