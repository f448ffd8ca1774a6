/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational Bayes with the number of components left open: it comes to an end, with the components that there are,
 * and the law of rows that follows is honest. Taking a component out leaves a posterior whose bound is right. */

#include "support/checks.h"

#include "fit/em.h"
#include "model/gap_law.h"
#include "support/calls.h"
#include "support/gappy.h"

#include <math.h>
#include <string.h>

enum { TRUE_M = 3, FITS = SLOW_BUILD ? 2 : 8, NEW_ROWS = 200 };

/* More columns than rows, where components that are noise die slowly; the first table took more than 100 steps. */
static void test_ends_with_what_there_is(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FITS; seed++) {
        gappy *g = gappy_made(60, 200, TRUE_M, 0.1, 188 - seed);
        scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
        o.no_imputer = true;
        scree_model *model = gappy_fit(g, &o);
        assert_int_equal(scree_model_get(model)->m, TRUE_M);
        assert_string_equal(scree_model_get(model)->stopped, "tolerance");
        assert_true(scree_model_get(model)->iterations <= 40);
        scree_model_free(model);
        gappy_free(g);
    }
}

/* Rows that were not fitted, of the same distribution: those of a larger table that it begins with. */
static double share_of_alarms(uint64_t seed, int64_t rows, int64_t cols, double missing, double level)
{
    scree_error error = SCREE_ERROR_INIT;
    gappy *g = gappy_made(rows + NEW_ROWS, cols, TRUE_M, missing, seed);
    gappy first = *g;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    scree_scorer *scorer = NULL;
    double p[NEW_ROWS];
    scree_scores scores = SCREE_SCORES_INIT;
    double alarms = 0;
    o.no_imputer = true;
    first.n = rows;
    scree_model *model = gappy_fit(&first, &o);
    scores.p_value = p;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK(g->whole + rows * cols, SCREE_F64, NEW_ROWS, cols), &scores,
                                      &run_plain, &error),
              error);
    for (int i = 0; i < NEW_ROWS; i++)
        alarms += p[i] <= level;
    scree_scorer_free(scorer);
    scree_model_free(model);
    gappy_free(g);
    return alarms / NEW_ROWS;
}

static void expect_rate(int64_t rows, int64_t cols, double missing)
{
    double rate = 0;
    for (uint64_t seed = 0; seed < FITS; seed++)
        rate += share_of_alarms(200 + seed, rows, cols, missing, 0.05) / FITS;
    if (!(rate > (SLOW_BUILD ? 0.01 : 0.025) && rate < (SLOW_BUILD ? 0.1 : 0.075)))
        fail_msg("%lld×%lld, %g missing: p ≤ 0.05 in %g of the new rows", (long long)rows, (long long)cols, missing,
                 rate);
}

static void test_alarms(void **state)
{
    (void)state;
    expect_rate(60, 200, 0.1);
    expect_rate(60, 20, 0.3);
    expect_rate(120, 12, 0.1);
}

/* Of whole rows Bayes says what the rows' own eigenvalues are. */
static void test_spectrum_of_the_rows(void **state)
{
    (void)state;
    gappy *g = gappy_made(80, 40, TRUE_M, 0, 7);
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    double values[TRUE_M];
    o.components = TRUE_M;
    scree_model *plain = gappy_fit(g, &o);
    o.bayes = true;
    scree_model *shrunk = gappy_fit(g, &o);
    const scree_model_view *a = scree_model_get(plain);
    const scree_model_view *b = scree_model_get(shrunk);
    assert_int_equal(b->m, TRUE_M);
    memcpy(values, b->eigenvalues, sizeof values);
    const double rest = scree__gap_law_spectrum(b, b->d, TRUE_M, values, b->reconstruction_error);
    for (int k = 0; k < TRUE_M; k++) {
        assert_true(b->eigenvalues[k] < 0.995 * a->eigenvalues[k]);
        EXPECT_NEAR(values[k], a->eigenvalues[k], 2e-3 * a->eigenvalues[k]);
    }
    EXPECT_NEAR(rest, a->reconstruction_error, 2e-2 * a->reconstruction_error);
    scree_model_free(plain);
    scree_model_free(shrunk);
    gappy_free(g);
}

static void put(scree__em_state *s, int64_t d, int64_t i, int64_t j, double value)
{
    s->cover[d * scree__pairs(s->m + 1) + scree__pair(i, j)] = value;
}

/* Two columns, two components and µ: what stays is the marginal posterior, with its own volume. */
static void test_leave_out(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__em_state s;
    EXPECT_OK(scree__em_state_new(&s, 2, 2, true, &error), error);
    s.noise = 1;
    s.broad = 1;
    for (int64_t d = 0; d < 2; d++) {
        s.w[d * 2] = 3;
        s.w[d * 2 + 1] = 1;
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j <= i; j++)
                put(&s, d, i, j, i == j ? 2 + (double)i : 0.5);
    }
    s.width[0] = 9;
    s.width[1] = 4;
    assert_int_equal(scree__em_weakest(&s), 1);
    EXPECT_NEAR(scree__em_strength(&s, 0), 18, 1e-15);
    EXPECT_OK(scree__em_leave_out(&s, 0, &error), error); /* nothing is below 0, and yet the weakest goes */
    assert_int_equal(s.m, 1);
    EXPECT_NEAR(s.w[1], 3, 0);
    EXPECT_NEAR(s.width[0], 9, 0);
    EXPECT_NEAR(s.logdet[1], log(2 * 4 - 0.5 * 0.5), 1e-14);
    EXPECT_OK(scree__em_leave_out(&s, 0, &error), error);
    assert_int_equal(s.m, 1);
    assert_int_equal(scree__em_alive(&s), 0);
    EXPECT_NEAR(scree__em_state_divergence(&s), 4 - 1 - log(4.0), 1e-9); /* that of µ alone, twice ½(4 - 1 - ln 4) */
    scree__em_state_clear(&s);
}

/* Four components of strengths 4, 1, 16 and 9: those below 5 go at once; of those that are all below 99 the strongest
 * stays. */
static void leave_out_below(double below, const double *left, int64_t count)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__em_state s;
    const double w[] = {2, 1, 4, 3};
    EXPECT_OK(scree__em_state_new(&s, 1, 4, true, &error), error);
    for (int64_t k = 0; k < 5; k++)
        put(&s, 0, k, k, 2);
    for (int64_t k = 0; k < 4; k++)
        s.w[k] = s.width[k] = w[k];
    EXPECT_OK(scree__em_leave_out(&s, below, &error), error);
    assert_int_equal(s.m, count);
    for (int64_t k = 0; k < count; k++) {
        EXPECT_NEAR(s.w[k], left[k], 0);
        EXPECT_NEAR(s.width[k], left[k], 0);
    }
    EXPECT_NEAR(s.logdet[0], (double)(count + 1) * log(2), 1e-14);
    scree__em_state_clear(&s);
}

static void test_leave_out_several(void **state)
{
    (void)state;
    leave_out_below(5, (const double[]){4, 3}, 2);
    leave_out_below(99, (const double[]){4}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_with_what_there_is), cmocka_unit_test(test_alarms),
        cmocka_unit_test(test_spectrum_of_the_rows),    cmocka_unit_test(test_leave_out),
        cmocka_unit_test(test_leave_out_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
