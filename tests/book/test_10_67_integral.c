/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.67), (10.68) p(x) = ∫ p(x|z) p(z) dz = ∫ N(x | Bz + µ, σ²I) N(z | 0, I) dz: the density without z is the integral
 * over z. The trapezoidal rule over equal steps is exact to rounding for a Gaussian when steps are short beside its
 * width, √C around the posterior mean; M = 1 and M = 2 are integrated. */

#include "support/checks.h"
#include "support/dense_gauss.h"

#include "base/memory.h"
#include "support/calls.h"

enum { STEPS = 40 };
static const long double WIDTH = 10; /* standard deviations to either side */
static const long double LN_2PI = 1.83787706640934548356065947281123528L;

/* ln p(x|z) + ln p(z), noise the same for every column or not. */
static long double log_joint(const dense_gauss *g, const double *x, const long double *z)
{
    long double sum = (long double)(g->d + g->m) * LN_2PI;
    for (int64_t j = 0; j < g->m; j++)
        sum += z[j] * z[j];
    for (int64_t i = 0; i < g->d; i++) {
        long double off = x[i] - g->mean[i];
        for (int64_t j = 0; j < g->m; j++)
            off -= g->b[i * g->m + j] * z[j];
        sum += off * off / g->noise[i] + logl(g->noise[i]);
    }
    return -0.5L * sum;
}

/* ln of the integral; the largest value is taken out before exponentials are. */
static long double log_integral(const dense_gauss *g, const double *x, const double *mean, const double *variance)
{
    const long double step = WIDTH / STEPS;
    const long double centre[2] = {mean[0], g->m > 1 ? mean[1] : 0};
    const long double sd[2] = {sqrtl(variance[0]), g->m > 1 ? sqrtl(variance[1]) : 1};
    const long double top = log_joint(g, x, centre);
    const int reach = g->m > 1 ? STEPS : 0;
    long double sum = 0;
    for (int a = -STEPS; a <= STEPS; a++)
        for (int b = -reach; b <= reach; b++) {
            const long double z[2] = {centre[0] + sd[0] * step * a, centre[1] + sd[1] * step * b};
            sum += expl(log_joint(g, x, z) - top);
        }
    return top + logl(sum * step * sd[0] * (g->m > 1 ? step * sd[1] : 1));
}

static void the_integral_of(const ppca_case *c)
{
    scree_error error = SCREE_ERROR_INIT;
    double *x = ppca_case_rows(c);
    scree_model *model = ppca_case_model(c, x);
    dense_gauss *g = dense_gauss_of(model);
    scree_scorer *scorer = NULL;
    double variance[2];
    assert_int_equal(scree_model_posterior_covariance(model, variance, NULL, NULL), SCREE_OK);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    for (int64_t i = 0; i < 5; i++) {
        double mean[2];
        row_score score;
        EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x + i * c->d, SCREE_F64, 1, c->d), mean, NULL, NULL, &error),
                  error);
        EXPECT_OK(score_rows(scorer, BLOCK(x + i * c->d, SCREE_F64, 1, c->d), &score, &error), error);
        const long double wanted = log_integral(g, x + i * c->d, mean, variance);
        EXPECT_NEAR(score.loglik, wanted, 1e-10 * fabsl(wanted));
    }
    scree_scorer_free(scorer);
    dense_gauss_free(g);
    scree_model_free(model);
    free(x);
}

static void z_is_integrated_out(void **state)
{
    (void)state;
    static const ppca_case cases[] = {
        {"one component", 90, 20, 1, false, false, 0, 0}, {"two components", 100, 9, 2, false, false, 0, 0},
        {"standardised", 60, 7, 2, false, true, 1, 0},    {"wide", 12, 30, 1, false, false, 0, 0},
        {"ties", 64, 16, 2, true, false, 0, 0},           {"noise above all", 100, 6, 2, false, false, 0, 3},
    };
    for (int64_t k = 0; k < COUNT_OF(cases); k++)
        the_integral_of(&cases[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(z_is_integrated_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
