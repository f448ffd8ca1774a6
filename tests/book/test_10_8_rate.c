/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.8) The code as compression, beside the other views of the same model. The mutual information of row and code is
 * ½ ln det(BBᵀ + σ²I)/det(σ²I), from dense matrices; the rate at the distortion Dσ² is that information; at any
 * distortion it is what bisection finds, and no other way to share out the distortion costs less; and the likelihood is
 * that of the rows, one by one. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"
#include "support/dense_gauss.h"

#include <stdlib.h>

static const long double LN_2 = 0.693147180559945309417232121458176568L;

/* Variances of the model along all D directions, in the scaled columns. */
static double *variances_of(const scree_model_view *view)
{
    double *v = scree__alloc(view->d, sizeof *v);
    assert_non_null(v);
    for (int64_t j = 0; j < view->d; j++)
        v[j] = j < view->m && view->eigenvalues[j] > view->noise_variance ? view->eigenvalues[j] : view->noise_variance;
    return v;
}

static long double spent_at(const double *v, int64_t d, long double level)
{
    long double sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += v[j] < level ? (long double)v[j] : level;
    return sum;
}

static long double bits_of(long double variance, long double allowed)
{
    return variance > allowed ? 0.5L * log2l(variance / allowed) : 0;
}

/* The level whose distortion is the one given, by halving. */
static long double level_by_bisection(const double *v, int64_t d, long double distortion)
{
    long double low = 0;
    long double high = v[0];
    for (int i = 0; i < 200; i++) {
        const long double middle = (low + high) / 2;
        if (spent_at(v, d, middle) < distortion)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void rates_are_those_of_bisection(const char *label, const scree_model *model)
{
    static const double shares[] = {1e-6, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999};
    const scree_model_view *view = scree_model_get(model);
    double *v = variances_of(view);
    const long double total = spent_at(v, view->d, INFINITY);
    for (int64_t s = 0; s < COUNT_OF(shares); s++) {
        const scree_rate rate = rate_of(model, (double)(shares[s] * total));
        const long double level = level_by_bisection(v, view->d, rate.distortion);
        long double bits = 0;
        for (int64_t j = 0; j < view->d; j++)
            bits += bits_of(v[j], level);
        if (!(fabsl(rate.bits - bits) <= 1e-9L * (1 + bits) && fabsl(rate.level - level) <= 1e-9L * level))
            fail_msg("%s: at %g of the variance %g bits, level %g, not %Lg bits, level %Lg", label, shares[s],
                     rate.bits, rate.level, bits, level);
        assert_true(rate.coded == view->d || rate.coded <= view->m);
        assert_true(rate.coded == view->d || (double)level >= v[rate.coded] * (1 - 1e-9));
    }
    assert_true(rate_of(model, (double)(2 * total)).bits == 0);
    assert_int_equal(rate_of(model, (double)(2 * total)).coded, 0);
    free(v);
}

/* The same sum of errors, spread over the directions in another way, costs at least as much. */
static void no_other_split_costs_less(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    double *v = variances_of(view);
    double *normals = scree__alloc(view->d, sizeof *normals);
    assert_non_null(normals);
    const double distortion = (double)(0.2L * spent_at(v, view->d, INFINITY));
    const scree_rate rate = rate_of(model, distortion);
    for (uint64_t attempt = 0; attempt < 200; attempt++) {
        long double sum = 0;
        long double bits = 0;
        scree__normals(8, attempt, 0, view->d, normals);
        for (int64_t j = 0; j < view->d; j++)
            sum += (v[j] < rate.level ? v[j] : rate.level) * expl(0.1L * normals[j]);
        for (int64_t j = 0; j < view->d; j++)
            bits += bits_of(v[j], (v[j] < rate.level ? v[j] : rate.level) * expl(0.1L * normals[j]) / sum * distortion);
        assert_true(bits >= rate.bits * (1 - 1e-12));
    }
    free(normals);
    free(v);
}

static void views_agree(const char *label, const scree_model *model, const double *x)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_facts facts = facts_of(model);
    dense_gauss *g = dense_gauss_of(model);
    long double information = 0.5L * g->logdet;
    long double likelihood = 0;
    for (int64_t j = 0; j < view->d; j++)
        information -= 0.5L * logl(g->noise[j]);
    for (int64_t i = 0; i < view->n; i++)
        likelihood += dense_gauss_log_density(g, x + i * view->d);
    const double there = (double)view->d * view->noise_variance;
    const scree_rate rate = rate_of(model, there * (1 + 1e-15));
    if (!(fabsl(facts.mutual_information - information) <= 1e-10L * (1 + information)))
        fail_msg("%s: I(x; z) is %g, not %Lg", label, facts.mutual_information, information);
    if (!(fabsl(rate.bits * LN_2 - information) <= 1e-10L * (1 + information)))
        fail_msg("%s: the rate is %Lg nats, the information %Lg", label, rate.bits * LN_2, information);
    if (!(fabsl(facts.log_likelihood - likelihood) <= 1e-10L * fabsl(likelihood)))
        fail_msg("%s: ln L is %g, not %Lg", label, facts.log_likelihood, likelihood);
    dense_gauss_free(g);
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        views_agree(c->label, model, x);
        rates_are_those_of_bisection(c->label, model);
        no_other_split_costs_less(model);
        scree_model_free(model);
        free(x);
    }
}

/* Without noise the rest costs nothing: only the components are coded. */
static void without_noise(void **state)
{
    (void)state;
    const ppca_case *c = &ppca_cases[0];
    double *x = ppca_case_rows(c);
    scree_model *model = ppca_case_model(c, x);
    scree_model *silent = NULL;
    assert_int_equal(scree_model_with_noise(&silent, model, 0, NULL), SCREE_OK);
    const double *values = scree_model_get(silent)->eigenvalues;
    const scree_rate rate = rate_of(silent, 3 * values[2] / 2);
    EXPECT_NEAR(rate.level, values[2] / 2, 1e-15 * values[2]);
    EXPECT_NEAR(rate.bits, 0.5 * log2(8 * values[0] * values[1] / values[2] / values[2]), 1e-12);
    assert_int_equal(rate.coded, 3);
    scree_model_free(silent);
    scree_model_free(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(without_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
