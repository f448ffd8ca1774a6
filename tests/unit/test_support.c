/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables with a constant column and a copied one: draws keep to them, and are outliers as often as rows should be; a
 * row that changes the constant, or contradicts its copy, is an outlier for any k, with gaps or without; a gap in the
 * constant is filled without doubt; and intervals are those of the columns that vary. */

#include "support/checks.h"

#include "data/source.h"
#include "model/support.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

enum { D = 8, SIGNALS = 3, DRAWS = 2000 };

/* Of columns that vary, then a constant one, then a copy of the first. */
static double *made(int64_t n, int64_t constant, int64_t copies, uint64_t seed)
{
    const int64_t d = D + constant + copies;
    double *x = malloc((size_t)(n * d) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double sum = rows_random(seed, i, j);
            for (int64_t k = 0; k < SIGNALS; k++)
                sum += 3 * rows_random(seed + 1, i, k) * rows_random(7, k, j);
            x[i * d + j] = j < D ? sum : j < D + constant ? 7.3 : x[i * d];
        }
    return x;
}

static scree_model *fitted(double *x, int64_t n, int64_t d, int64_t k, scree_scale scale)
{
    rows *r = rows_of(x, n, d, SCREE_F64, 1);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = k;
    options.scale = scale;
    scree_model *model = rows_fit(r, &options);
    rows_free(r);
    return model;
}

static scree_scorer *scorer_of(const scree_model *model)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    return scorer;
}

/* Shares of p ≤ 0.05 among draws, all of which keep the constant and, where it is known, the copy. */
static double check_draws(const scree_model *model, int64_t d, bool has_copy)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block = {0};
    scree_scorer *scorer = scorer_of(model);
    static row_score scores[DRAWS];
    int64_t low = 0;
    EXPECT_OK(sample_of(&source, model, DRAWS, 3, 2, &error), error);
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_int_equal(block.rows, DRAWS);
    const double *x = block.data;
    for (int64_t i = 0; i < DRAWS; i++) {
        assert_true(x[i * d + D] == 7.3);
        if (has_copy)
            assert_true(fabs(x[i * d + d - 1] - x[i * d]) < 1e-9);
    }
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, DRAWS, d), scores, &error), error);
    for (int64_t i = 0; i < DRAWS; i++) {
        assert_true(scores[i].p_value > 0);
        low += scores[i].p_value <= 0.05;
    }
    scree_source_free(source);
    scree_scorer_free(scorer);
    return (double)low / DRAWS;
}

static void draws_come_from_what_scores_use(void **state)
{
    (void)state;
    static const int64_t heights[] = {400, 3000};
    for (int64_t h = 0; h < COUNT_OF(heights); h++)
        for (int64_t copies = 0; copies < 2; copies++)
            for (int64_t k = 0; k <= SIGNALS; k += SIGNALS) { /* 0: all */
                const int64_t d = D + 1 + copies;
                double *x = made(heights[h], 1, copies, 11);
                scree_model *model = fitted(x, heights[h], d, k, SCREE_SCALE_NONE);
                const bool known = copies && (k == 0 || heights[h] < 1000);
                const double share = check_draws(model, d, known);
                assert_true(share > 0.03 && share < 0.065);
                scree_model_free(model);
            }
}

/* A model that keeps all components of a singular covariance: the last variance is rounding, and no draw moves by it.
 */
static void draws_of_all_components_keep_to_copies(void **state)
{
    (void)state;
    const int64_t d = D + 1;
    for (uint64_t seed = 20; seed < 30; seed++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree__block block = {0};
        scree_model *model = fitted(made(400, 0, 1, seed), 400, d, d, SCREE_SCALE_NONE);
        assert_int_equal(scree_model_get(model)->m, d);
        EXPECT_OK(sample_of(&source, model, DRAWS, 3, 2, &error), error);
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        const double *x = block.data;
        for (int64_t i = 0; i < DRAWS; i++)
            assert_true(fabs(x[i * d + d - 1] - x[i * d]) < 1e-11);
        scree_source_free(source);
        scree_model_free(model);
    }
}

/* The same noise as without the constant column: sums over draws along the components and outside. */
static void noise_keeps_its_sum(void **state)
{
    (void)state;
    scree__support support;
    const int64_t d = D + 1;
    double *x = made(400, 1, 0, 5);
    scree_model *model = fitted(x, 400, d, SIGNALS, SCREE_SCALE_NONE);
    double normals[D + 1], work[D + 1], square = 0;
    assert_int_equal(scree__ppca_support(&support, model, NULL), SCREE_OK);
    for (int64_t i = 0; i < 20000; i++) {
        for (int64_t j = 0; j < d; j++)
            normals[j] = rows_random(91, i, j);
        scree__support_confine(&support, normals, work);
        for (int64_t j = 0; j < d; j++)
            square += normals[j] * normals[j] / 20000;
    }
    EXPECT_NEAR(square, d, 0.15);
    scree__support_close(&support);
    scree_model_free(model);
}

static void changed_constants_are_outliers(void **state)
{
    (void)state;
    static const int64_t heights[] = {400, 3000};
    const int64_t d = D + 1;
    for (int64_t h = 0; h < COUNT_OF(heights); h++)
        for (int64_t k = 0; k <= SIGNALS; k++)
            for (int scale = 0; scale < 2; scale++) {
                scree_error error = SCREE_ERROR_INIT;
                scree_model *model =
                    fitted(made(heights[h], 1, 0, 11), heights[h], d, k, scale ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE);
                scree_scorer *scorer = scorer_of(model);
                row_score scores[4];
                double *x = made(4, 1, 0, 77);
                x[D] = 7.31;
                x[d + D] = 7.31;
                x[d + 2] = NAN;
                x[2 * d + 2] = NAN;
                x[3 * d + D] *= 1 + 1e-7; /* as a float would be */
                EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, 4, d), scores, &error), error);
                assert_true(scores[0].p_value == 0 && scores[1].p_value == 0);
                assert_true(scores[2].p_value > 0.001 && scores[3].p_value > 0.001);
                scree_scorer_free(scorer);
                scree_model_free(model);
                free(x);
            }
}

/* Scores of rows with so many copied columns. */
static void score_copies(double *x, int64_t height, int64_t copies, row_score *scores)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = fitted(made(400, 0, copies, 11), 400, D + copies, SIGNALS, SCREE_SCALE_NONE);
    scree_scorer *scorer = scorer_of(model);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, height, D + copies), scores, &error), error);
    scree_scorer_free(scorer);
    scree_model_free(model);
    free(x);
}

static void contradicted_copies_are_outliers(void **state)
{
    (void)state;
    const int64_t d = D + 1;
    row_score scores[4];
    double *x = made(4, 0, 1, 77);
    x[d - 1] += 0.01;
    x[d + d - 1] += 0.01;
    x[2 * d + 0] = NAN;
    score_copies(x, 4, 1, scores);
    assert_true(scores[0].p_value == 0 && scores[1].p_value == 0);
    assert_true(scores[2].p_value > 0.001 && scores[3].p_value > 0.001);
}

/* One gap leaves as many cells as directions, so two copies are needed for a contradiction to show. */
static void contradictions_show_beside_a_gap(void **state)
{
    (void)state;
    const int64_t d = D + 2;
    row_score scores[2];
    double *x = made(2, 0, 2, 77);
    x[3] = x[d + 3] = NAN;
    x[d - 1] += 0.01;
    score_copies(x, 2, 2, scores);
    assert_true(scores[0].p_value == 0 && scores[1].p_value > 0.001);
}

static void constants_are_filled_without_doubt(void **state)
{
    (void)state;
    const int64_t d = D + 1;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = fitted(made(400, 1, 0, 11), 400, d, SIGNALS, SCREE_SCALE_NONE);
    double *x = made(1, 1, 0, 5);
    double filled[D + 1], sd[D + 1];
    x[D] = x[0] = NAN;
    const scree_imputed out = SIZED(scree_imputed, .filled = filled, .sd = sd);
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, 1, d), &out, NULL, &error), error);
    assert_true(filled[D] == 7.3 && sd[D] == 0 && sd[0] > 0.5);
    scree_model_free(model);
    free(x);
}

static void intervals_are_those_of_columns_that_vary(void **state)
{
    (void)state;
    for (int scale = 0; scale < 2; scale++) {
        const scree_scale by = scale ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        scree_model *plain = fitted(made(60, 0, 0, 11), 60, D, SIGNALS, by);
        scree_model *more = fitted(made(60, 2, 0, 11), 60, D + 2, by ? D + 1 : SIGNALS, by);
        assert_int_equal(scree__varying_directions(more), D);
        for (int64_t j = 0; j < SIGNALS; j++) {
            scree_sampling a = SIZED(scree_sampling, 0);
            scree_sampling b = SIZED(scree_sampling, 0);
            assert_int_equal(scree_model_sampling(plain, j, &a, NULL), SCREE_OK);
            assert_int_equal(scree_model_sampling(more, j, &b, NULL), SCREE_OK);
            assert_true(a.noise == b.noise);
            EXPECT_NEAR(b.low, a.low, 1e-9 * a.low);
            EXPECT_NEAR(b.high, a.high, 1e-9 * a.high);
            EXPECT_NEAR(b.angle_limit, a.angle_limit, 1e-9);
        }
        scree_model_free(plain);
        scree_model_free(more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_come_from_what_scores_use),
        cmocka_unit_test(draws_of_all_components_keep_to_copies),
        cmocka_unit_test(noise_keeps_its_sum),
        cmocka_unit_test(changed_constants_are_outliers),
        cmocka_unit_test(contradicted_copies_are_outliers),
        cmocka_unit_test(contradictions_show_beside_a_gap),
        cmocka_unit_test(constants_are_filled_without_doubt),
        cmocka_unit_test(intervals_are_those_of_columns_that_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
