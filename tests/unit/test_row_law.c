/* SPDX-License-Identifier: BSD-3-Clause */
/* The law of rows. A new row has the p-values that it has as one of the fitted rows when all are fitted again: exactly
 * where every direction is kept, for any shape, also of scaled columns to first order. Where N is large the quick law
 * agrees with the exact one. Where there are too few rows there is no p-value. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "model/model_law.h"
#include "model/ppca.h"
#include "model/score.h"
#include "support/calls.h"

#include <stdlib.h>

typedef struct shape {
    int64_t n;
    int64_t d;
    int64_t latent;
    bool scaled;
    int ddof;
} shape;

/* Three strong directions, and means that are not 0. */
static double *rows_of(const shape *s, uint64_t seed)
{
    double *x = scree__alloc((s->n + 1) * s->d, sizeof *x);
    assert_non_null(x);
    scree__normals(seed, 0, 0, (s->n + 1) * s->d, x);
    for (int64_t i = 0; i <= s->n; i++)
        for (int64_t j = 0; j < s->d; j++)
            x[i * s->d + j] = x[i * s->d + j] * (j < 3 ? 6 - (double)j : 1) + (double)j;
    return x;
}

static scree_model *fit_of(const shape *s, const double *x, int64_t n, int64_t components)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    options.latent = s->latent ? s->latent : SCREE_NONE;
    options.scale = s->scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    options.ddof = s->ddof;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, s->d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_int_equal(scree_model_get(model)->latent, s->latent);
    scree_source_free(source);
    return model;
}

static row_score score_of(const scree_model *model, const double *row, bool training)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_scorer *scorer = NULL;
    row_score score;
    options.training = training;
    EXPECT_OK(scree_scorer_make(&scorer, model, &options, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(row, SCREE_F64, 1, scree_model_get(model)->d), &score, &error), error);
    scree_scorer_free(scorer);
    return score;
}

static int64_t rank_of(const shape *s, int64_t n)
{
    return n - 1 < s->d ? n - 1 : s->d;
}

static void expect_the_same(const shape *s, double bound)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double *x = rows_of(s, seed);
        scree_model *before = fit_of(s, x, s->n, rank_of(s, s->n));
        scree_model *after = fit_of(s, x, s->n + 1, rank_of(s, s->n + 1));
        const row_score one = score_of(before, x + s->n * s->d, false);
        const row_score other = score_of(after, x + s->n * s->d, true);
        if (!s->scaled) { /* or components of nearly the same variance trade places */
            EXPECT_NEAR(log(one.p_t2), log(other.p_t2), bound);
            EXPECT_NEAR(log(one.p_q), log(other.p_q), bound);
        }
        EXPECT_NEAR(log(one.p_value), log(other.p_value), bound);
        scree_model_free(before);
        scree_model_free(after);
        free(x);
    }
}

static void a_new_row_is_a_fitted_one(void **state)
{
    (void)state;
    static const shape shapes[] = {{20, 35, 3, false, 0}, {20, 35, 0, false, 0}, {40, 12, 3, false, 1},
                                   {40, 12, 9, false, 0}, {30, 30, 2, false, 0}, {31, 30, 2, false, 0},
                                   {16, 60, 7, false, 0}};
    for (int64_t k = 0; k < COUNT_OF(shapes); k++)
        expect_the_same(&shapes[k], 2e-3);
}

static void of_scaled_columns_nearly(void **state)
{
    (void)state;
    static const shape shapes[] = {{60, 12, 3, true, 0}, {60, 12, 3, true, 1}, {50, 45, 2, true, 0}};
    for (int64_t k = 0; k < COUNT_OF(shapes); k++)
        expect_the_same(&shapes[k], 0.25);
}

/* Directions that are not kept are known on average only. */
static void kept_ones_alone_nearly(void **state)
{
    (void)state;
    const shape s = {80, 40, 3, false, 0};
    for (uint64_t seed = 0; seed < 5; seed++) {
        double *x = rows_of(&s, seed);
        scree_model *all = fit_of(&s, x, s.n, 40);
        scree_model *few = fit_of(&s, x, s.n, 3);
        const row_score one = score_of(all, x + s.n * s.d, false);
        const row_score other = score_of(few, x + s.n * s.d, false);
        EXPECT_NEAR(one.loglik, other.loglik, 1e-9);
        EXPECT_NEAR(log(one.p_value), log(other.p_value), 0.2);
        scree_model_free(all);
        scree_model_free(few);
        free(x);
    }
}

/* Asked of the same law with and without its short way. */
static void quick_is_near_exact(void **state)
{
    (void)state;
    const shape s = {5000, 8, 3, false, 0};
    scree_error error = SCREE_ERROR_INIT;
    double *x = rows_of(&s, 1);
    scree_model *model = fit_of(&s, x, s.n, 8);
    scree__row_law law;
    double codes[8], work[9 * 80];
    EXPECT_OK(scree__model_law(&law, model, 3, false, &error), error);
    assert_true(law.is_quick);
    assert_true(scree__row_law_room(law.known) <= COUNT_OF(work));
    for (int size = 1; size < 25; size++) {
        scree__law_row row = {.codes = codes};
        for (int j = 0; j < 8; j++) {
            const double g = law.g[j] * law.unit * law.unit;
            codes[j] = 0.2 * size * sqrt(g / 5000) * ((j + size) % 3 ? 1 : 0.5);
            row.t2 += j < 3 ? codes[j] * codes[j] / g * law.divisor : 0;
            row.q += j < 3 ? 0 : codes[j] * codes[j];
        }
        law.is_quick = true;
        const scree__chances quick = scree__row_law_ask(&law, &row, work);
        law.is_quick = false;
        const scree__chances exact = scree__row_law_ask(&law, &row, work);
        EXPECT_NEAR(quick.log_t2, exact.log_t2, 0.01 - 0.03 * exact.log_t2);
        EXPECT_NEAR(quick.log_q, exact.log_q, 0.01 - 0.03 * exact.log_q);
    }
    scree__row_law_clear(&law);
    scree_model_free(model);
    free(x);
}

/* So far out that differences of squares have no digits left: p falls on and on, by the way of all roots in the end. */
static void far_rows_too(void **state)
{
    (void)state;
    const shape s = {40, 12, 3, false, 0};
    scree_error error = SCREE_ERROR_INIT;
    double *x = rows_of(&s, 4);
    scree_model *model = fit_of(&s, x, s.n, 12);
    scree__row_law law;
    double codes[12], work[9 * 80];
    double before = 0;
    EXPECT_OK(scree__model_law(&law, model, 3, false, &error), error);
    assert_true(!law.is_quick && scree__row_law_room(law.known) <= COUNT_OF(work));
    for (int size = 0; size < 60; size++) {
        scree__law_row row = {.codes = codes};
        for (int j = 0; j < 12; j++) {
            codes[j] = sqrt(law.g[j] / 40) * law.unit * (j == 0 ? ldexp(4, size) : 1);
            row.q += j < 3 ? 0 : codes[j] * codes[j];
        }
        const scree__chances found = scree__row_law_ask(&law, &row, work);
        assert_true(found.log_t2 < before && isfinite(found.log_t2));
        assert_true(found.log_q <= 0 && isfinite(found.log_q));
        if (size > 30 && size < 50) /* B is 1 - (1 - B₀)/size², to the power of (N - M)/2 */
            EXPECT_NEAR(before - found.log_t2, 37 * log(2), 1e-3);
        before = found.log_t2;
    }
    scree__row_law_clear(&law);
    scree_model_free(model);
    free(x);
}

/* Where a row more may lower M, the largest p-value of all these M is given. */
static void fewer_dimensions_may_do(void **state)
{
    (void)state;
    const shape s = {20, 5, 3, false, 0};
    scree_error error = SCREE_ERROR_INIT;
    double *x = rows_of(&s, 6);
    scree_model *model = fit_of(&s, x, s.n, 5);
    double largest = 0;
    for (int64_t latent = 3; latent >= 0; latent--) {
        scree_model *other = NULL;
        EXPECT_OK(scree_model_with_latent(&other, model, latent, &error), error);
        largest = fmax(largest, score_of(other, x + s.n * s.d, false).p_value);
        model->view.latent_less = 3 - latent;
        EXPECT_NEAR(score_of(model, x + s.n * s.d, false).p_value, largest, 1e-8);
        scree_model_free(other);
        model->view.latent_less = 0;
    }
    assert_true(largest > score_of(model, x + s.n * s.d, false).p_value);
    scree_model_free(model);
    free(x);
}

/* A new row that is the mean, or as near to it as squares can tell. */
static void nothing_is_more_likely_than_the_mean(void **state)
{
    (void)state;
    const double away[] = {0, 1e-170, 1e-150, 1e-90};
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t latent = 0; latent < 3; latent++) {
        const shape s = {20, 5, latent, false, 0};
        double *x = rows_of(&s, 4);
        scree_model *model = fit_of(&s, x, s.n, 4);
        scree_model *centred = NULL;
        scree_model_view view = *scree_model_get(model);
        view.mean = NULL;
        EXPECT_OK(scree_model_from_arrays(&centred, &view, &error), error);
        for (int i = 0; i < 4; i++) {
            const double row[5] = {away[i], 0, 0, -away[i], 0};
            EXPECT_NEAR(score_of(centred, row, false).p_value, 1, 1e-6);
        }
        scree_model_free(centred);
        scree_model_free(model);
        free(x);
    }
}

/* Rows with gaps are fewer to the law, which then uses more codes: there is room for them. */
static void gaps_leave_room_for_codes(void **state)
{
    (void)state;
    const shape s = {600, 40, 3, false, 0};
    scree_error error = SCREE_ERROR_INIT;
    double *x = rows_of(&s, 8);
    scree_model *model = fit_of(&s, x, s.n, 40);
    scree_model *gappy = NULL;
    scree_scorer *scorer = NULL;
    scree_model_view view = *scree_model_get(model);
    view.observed = s.n * s.d / 2;
    EXPECT_OK(scree_model_from_arrays(&gappy, &view, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, gappy, NULL, &error), error);
    scree__question question = {.model = scorer->model};
    scree__ppca_score(&question);
    assert_int_equal(scorer->law.known, 40);
    assert_true(question.work >= scorer->codes + s.d + scree__row_law_room(scorer->law.known));
    assert_true(score_of(gappy, x, false).p_value > 0);
    scree_scorer_free(scorer);
    scree_model_free(gappy);
    scree_model_free(model);
    free(x);
}

static void too_few_rows_have_none(void **state)
{
    (void)state;
    const shape s = {6, 30, 5, false, 0};
    double *x = rows_of(&s, 2);
    scree_model *model = fit_of(&s, x, s.n, 5);
    scree_model *less = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    assert_int_equal(scree_scorer_make(&scorer, model, NULL, &error),
                     SCREE_ERR_NUMERIC); /* nothing is left for noise */
    EXPECT_OK(scree_model_with_latent(&less, model, 4, &error), error);
    assert_true(score_of(less, x, true).p_value > 0);
    assert_true(isfinite(score_of(less, x + 6 * 30, false).p_value));
    scree_model_free(model);
    scree_model_free(less);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_new_row_is_a_fitted_one),
                                       cmocka_unit_test(of_scaled_columns_nearly),
                                       cmocka_unit_test(kept_ones_alone_nearly),
                                       cmocka_unit_test(quick_is_near_exact),
                                       cmocka_unit_test(far_rows_too),
                                       cmocka_unit_test(fewer_dimensions_may_do),
                                       cmocka_unit_test(nothing_is_more_likely_than_the_mean),
                                       cmocka_unit_test(gaps_leave_room_for_codes),
                                       cmocka_unit_test(too_few_rows_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
