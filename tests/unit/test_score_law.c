/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of T² and Q: the textbook's where it has them, those of known parameters for many rows, of sound
 * shapes for every number of rows, however few. (tests/conformance/test_p_values.c shows that they are right.) */

#include "support/checks.h"

#include "made_model.h"
#include "model/ppca.h"
#include "model/score_law.h"

enum { D = 10, M = 3 };

static void expect_tail(const scree__tail *found, const scree__tail *wanted)
{
    assert_int_equal(found->kind, wanted->kind);
    EXPECT_NEAR(found->a, wanted->a, 1e-12 * wanted->a);
    EXPECT_NEAR(found->b, wanted->b, 1e-12 * wanted->b);
    EXPECT_NEAR(found->scale, wanted->scale, 1e-12 * wanted->scale);
}

/* (N-1)²/N beta(M/2, (N-M-1)/2), with either divisor. */
static void fitted_rows_follow_betas(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree__tail t2;
    scree__tail q;
    model->view.weight = 50;
    for (model->view.ddof = 0; model->view.ddof < 2; model->view.ddof++) {
        const double divisor = 50 - model->view.ddof;
        scree__score_laws(scree_model_get(model), true, &t2, &q);
        expect_tail(&t2, &(scree__tail){SCREE__TAIL_BETA, 1.5, 23, 49 * divisor / 50});
        expect_tail(&q, &(scree__tail){SCREE__TAIL_BETA, 3.5, 45 * 3.5, 0.25 * divisor * 46 / 50});
    }
    scree_model_free(model);
}

/* Many rows: U is known, and Q/σ² is χ², T² too. */
static void many_rows_know_everything(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    const double noise = scree_model_get(model)->noise_variance;
    scree__tail t2;
    scree__tail q;
    model->view.weight = 1000000000;
    scree__score_laws(scree_model_get(model), false, &t2, &q);
    for (int i = 1; i < 60; i += 4) {
        const double x = 0.5 * i;
        EXPECT_NEAR(scree__tail_log(&t2, x), scree__tail_log(&(scree__tail){SCREE__TAIL_GAMMA, 1.5, 0, 2}, x), 1e-6);
        EXPECT_NEAR(scree__tail_log(&q, x * noise),
                    scree__tail_log(&(scree__tail){SCREE__TAIL_GAMMA, 3.5, 0, 2 * noise}, x * noise), 1e-6);
    }
    scree_model_free(model);
}

/* All columns kept: T² of a new row is exactly M(N²-1)/(N(N-M)) F(M, N-M) with the covariance of divisor N-1. */
static void nothing_left_over_is_hotelling(void **state)
{
    (void)state;
    scree_model *full = made_model(M, M, 0.0, false, NULL);
    scree_model *model = NULL;
    scree__tail t2;
    scree__tail q;
    full->view.weight = 20;
    full->view.ddof = 1;
    assert_int_equal(scree_model_with_noise(&model, full, 0.1, NULL), SCREE_OK);
    scree__score_laws(scree_model_get(model), false, &t2, &q);
    expect_tail(&t2, &(scree__tail){SCREE__TAIL_F, 1.5, 8.5, 21 * 19 / 20.0});
    assert_int_equal(q.kind, SCREE__TAIL_NONE);
    scree_model_free(model);
    scree_model_free(full);
}

/* σ² that was set by hand is known: χ². */
static void known_noise_is_chi_square(void **state)
{
    (void)state;
    scree_model *made = made_model(D, M, 0.0, false, NULL);
    scree_model *model = NULL;
    scree__tail t2;
    scree__tail q;
    assert_int_equal(scree_model_with_noise(&model, made, 0.125, NULL), SCREE_OK);
    for (int training = 0; training < 2; training++) {
        scree__score_laws(scree_model_get(model), training, &t2, &q);
        expect_tail(&q, &(scree__tail){SCREE__TAIL_GAMMA, 3.5, 0, 0.25});
    }
    scree_model_free(model);
    scree_model_free(made);
}

/* The fewer rows, the larger the Q that is still no surprise in a new row; shapes stay sound down to two rows. */
static void fewer_rows_excuse_more(void **state)
{
    (void)state;
    static const int64_t counts[] = {1000000, 10000, 1000, 100, 30, 12};
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree__tail t2;
    scree__tail q;
    double last = -HUGE_VAL;
    for (int64_t k = 0; k < COUNT_OF(counts); k++) {
        model->view.weight = (double)counts[k];
        scree__score_laws(scree_model_get(model), false, &t2, &q);
        const double chance = scree__tail_log(&q, 0.7);
        assert_true(chance > last);
        last = chance;
    }
    for (int weight = 2; weight < 60; weight++) {
        model->view.weight = weight;
        for (int training = 0; training < 2; training++) {
            scree__score_laws(scree_model_get(model), training, &t2, &q);
            assert_true(t2.a >= 0.5 && t2.scale > 0 && isfinite(t2.scale) && scree__tail_log(&t2, 0.01) < 0);
            assert_true(q.a >= 0.5 && q.scale > 0 && isfinite(q.scale) && scree__tail_log(&q, 0.01) < 0);
            assert_true(2 * t2.a == round(2 * t2.a) && 2 * q.a == round(2 * q.a));
        }
    }
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitted_rows_follow_betas),       cmocka_unit_test(many_rows_know_everything),
        cmocka_unit_test(nothing_left_over_is_hotelling), cmocka_unit_test(known_noise_is_chi_square),
        cmocka_unit_test(fewer_rows_excuse_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
