/* SPDX-License-Identifier: BSD-3-Clause */
/* New rows of a model with scaled columns are judged as the last of the fitted ones, whose columns they would have
 * helped to scale: their p-values are near those that they get as fitted rows of a table with one row more, also where
 * components are so strong that scaling anew moves rows by more than the noise. */

#include "support/checks.h"

#include "support/calls.h"
#include "support/rows.h"

#include <stdlib.h>

enum { N = 100, D = 30, TRUE_M = 3, NEW_ROWS = 30 };

/* Noise that falls as 1/j. */
static double *made(double strength)
{
    double *x = malloc((N + NEW_ROWS) * D * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N + NEW_ROWS; i++)
        for (int64_t j = 0; j < D; j++) {
            x[i * D + j] = rows_random(1, i, j) / (double)(j + 1);
            for (int64_t k = 0; k < TRUE_M; k++)
                x[i * D + j] += strength * rows_random(2, i, k) * rows_random(3, k, j);
        }
    return x;
}

static scree_model *fitted(const double *x, int64_t n, int64_t k)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    options.components = k;
    options.scale = SCREE_SCALE_UNIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static double p_of(const scree_model *model, const double *x, bool training)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_scores scores = SCREE_SCORES_INIT;
    double p;
    options.training = training;
    scores.p_value = &p;
    EXPECT_OK(scree_scorer_make(&scorer, model, &options, &error), error);
    EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK(x, SCREE_F64, 1, D), &scores, &run_plain, &error), error);
    scree_scorer_free(scorer);
    return p;
}

/* How far ln p of new rows is from that of the same rows as fitted ones, on average. */
static double distance(double strength, int64_t k)
{
    double *x = made(strength);
    scree_model *model = fitted(x, N, k);
    double sum = 0;
    for (int64_t i = 0; i < NEW_ROWS; i++) {
        double *last = x + N * D;
        for (int64_t j = 0; j < D; j++)
            last[j] = x[(N + i) * D + j];
        scree_model *with = fitted(x, N + 1, k);
        sum += fabs(log(p_of(model, last, false) / p_of(with, last, true))) / NEW_ROWS;
        scree_model_free(with);
    }
    scree_model_free(model);
    free(x);
    return sum;
}

static void new_rows_are_the_last_fitted(void **state)
{
    (void)state;
    const double strengths[] = {0.3, 3, 30};
    const int64_t components[] = {3, 8, 15};
    for (int s = 0; s < COUNT_OF(strengths); s++)
        for (int k = 0; k < COUNT_OF(components); k++) {
            const double off = distance(strengths[s], components[k]);
            if (!(off < 0.01))
                fail_msg("strength %g, %d components: ln p is off by %g", strengths[s], (int)components[k], off);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_rows_are_the_last_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
