/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits with gaps whose noise is not the same in all columns: the spread that they find, the same bits for any number of
 * threads, kept in the model file; how many rows they count for, against all patterns of gaps; and false alarms among
 * new rows, whole and with gaps. */

#include "support/checks.h"

#include "model/gap_law.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

enum { TRUE_M = 2, NEW_ROWS = 50, FITS = SLOW_BUILD ? 3 : 60 };

/* A table, column j of its noise having the deviation sd(j). */
typedef struct noisy {
    int64_t n;
    int64_t d;
    double strength; /* of the components: their variance over that of noise of variance 1 */
    double quiet;    /* deviation of the noise of every other column */
    double missing;
    uint64_t seed;
} noisy;

static double uniform(uint64_t seed, int64_t i, int64_t j)
{
    return erfc(-rows_random(seed, i, j) / sqrt(2)) / 2;
}

static double *made(const noisy *t)
{
    double *x = malloc((size_t)(t->n * t->d) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++) {
            double sum = (j % 2 ? t->quiet : 1) * rows_random(t->seed, i, j);
            for (int64_t k = 0; k < TRUE_M; k++)
                sum +=
                    sqrt(t->strength / (double)t->d) * rows_random(t->seed + 1, i, k) * rows_random(t->seed + 2, k, j);
            x[i * t->d + j] = uniform(t->seed + 3, i, j) < t->missing ? NAN : sum;
        }
    return x;
}

static scree_model *fitted(const double *x, int64_t n, int64_t d, int64_t k, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    run.threads = threads;
    options.run = &run;
    options.components = k;
    options.no_imputer = true;
    options.solver = "em";
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static double spread_of(const noisy *t)
{
    double *x = made(t);
    scree_model *model = fitted(x, t->n, t->d, TRUE_M, 1);
    const double spread = scree_model_get(model)->noise_spread;
    scree_model_free(model);
    free(x);
    return spread;
}

/* Variances 1 and ¼ have the spread 0.36, whether components are strong or weak, cells missing or not. */
static void spread_of_noise(void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; strong++)
        for (int gaps = 0; gaps < 4; gaps++) {
            const noisy white = {400, 20, strong ? 40 : 6, 1, 0.1 * gaps, 10 * (uint64_t)gaps};
            noisy unequal = white;
            unequal.quiet = 0.5;
            EXPECT_NEAR(spread_of(&white), 0, 0.04);
            EXPECT_NEAR(spread_of(&unequal), 0.36, 0.08);
        }
}

static void same_for_any_threads(void **state)
{
    (void)state;
    const noisy t = {700, 40, 10, 0.4, 0.2, 5};
    double *x = made(&t);
    double first = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        scree_model *model = fitted(x, t.n, t.d, TRUE_M, threads);
        const double spread = scree_model_get(model)->noise_spread;
        assert_true(spread > 0.1);
        if (threads == 1)
            first = spread;
        assert_memory_equal(&spread, &first, sizeof first);
        scree_model_free(model);
    }
    free(x);
}

static void kept_in_the_file(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    const noisy t = {100, 8, 10, 0.4, 0.2, 6};
    double *x = made(&t);
    scree_model *model = fitted(x, t.n, t.d, TRUE_M, 1);
    scree_model *again = NULL;
    void *buffer = NULL;
    size_t size = 0;
    scree_model_view view = *scree_model_get(model);
    assert_true(view.noise_spread > 0);
    EXPECT_OK(scree_model_save_buffer(&buffer, &size, model, &error), error);
    EXPECT_OK(scree_model_load_buffer(&again, buffer, size, &error), error);
    assert_memory_equal(&scree_model_get(again)->noise_spread, &view.noise_spread, sizeof(double));
    scree_model_free(again);
    scree_buffer_free(buffer);
    view.noise_spread = -1;
    assert_int_equal(scree_model_from_arrays(&again, &view, NULL), SCREE_ERR_VALUE);
    scree_model_free(model);
    free(x);
}

/* Of components with variances a and 1 + a over the noise. */
static double reach_of(double *components, int64_t m, double a, double share)
{
    enum { D = 20 };
    double values[D], variances[D], reach;
    const scree_model_view view = {.n = 100,
                                   .d = D,
                                   .m = m,
                                   .observed = (int64_t)(share * 100 * D),
                                   .weight = 100,
                                   .noise_variance = 1,
                                   .components = components,
                                   .variances = variances,
                                   .eigenvalues = values};
    for (int64_t j = 0; j < D; j++)
        variances[j] = 1;
    for (int64_t k = 0; k < m; k++)
        values[k] = (1 + a) * 1.5; /* of noise of variance 1 that spreads by ½ */
    assert_int_equal(scree__gap_law_reach(&reach, &view, 0.5, NULL), SCREE_OK);
    return reach;
}

/* A component that leans on one column has that column's share of the rows, and so have those that hold as many columns
 * as they are, however they lean; a strong one of many columns has them all, a weak one loses. */
static void rows_that_count(void **state)
{
    (void)state;
    enum { D = 20 };
    const double a[] = {2, 50, 1e6};
    double single[D] = {[3] = 1}, even[D], turned[2 * D] = {0};
    for (int j = 0; j < D; j++)
        even[j] = 1 / sqrt(D);
    turned[0] = turned[1] = turned[D] = sqrt(0.5);
    turned[D + 1] = -sqrt(0.5);
    for (int i = 0; i < COUNT_OF(a); i++) {
        const double effect = (1 + a[i]) / a[i];
        EXPECT_NEAR(reach_of(single, 1, a[i], 0.75), (1 + effect) / (1 + effect / 0.75), 1e-12);
        const double seen = 0.75 * a[i];
        EXPECT_NEAR(reach_of(even, 1, a[i], 0.75), (1 + effect) / (1 + (1 + seen) / seen), 1e-12);
        EXPECT_NEAR(reach_of(turned, 2, a[i], 0.75), (1 + 2 * effect) / (1 + 2 * effect / 0.75), 1e-9);
        EXPECT_NEAR(reach_of(even, 1, a[i], 1), 1, 0);
    }
}

/* Shares of p ≤ 0.05 among new rows; taken for white noise, this would be 0.14 and 0.13. */
static void false_alarms(void **state)
{
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        double alarms = 0;
        for (uint64_t f = 0; f < FITS; f++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_scorer *scorer = NULL;
            scree_scores scores = SCREE_SCORES_INIT;
            double p[NEW_ROWS];
            const noisy t = {60 + NEW_ROWS, 20, 8, 0.25, 0.15, 100 + 10 * f};
            noisy whole = t;
            whole.missing = 0;
            double *x = made(&t);
            double *all = made(&whole);
            scree_model *model = fitted(x, 60, t.d, 0, 1);
            scores.p_value = p;
            EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
            EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK((gaps ? x : all) + 60 * t.d, SCREE_F64, NEW_ROWS, t.d),
                                              &scores, &run_plain, &error),
                      error);
            for (int i = 0; i < NEW_ROWS; i++)
                alarms += p[i] <= 0.05;
            scree_scorer_free(scorer);
            scree_model_free(model);
            free(x);
            free(all);
        }
        const double rate = alarms / (FITS * NEW_ROWS);
        if (!SLOW_BUILD && !(rate > 0.03 && rate < 0.085))
            fail_msg("%s: p ≤ 0.05 in %g of the new rows", gaps ? "gaps" : "whole", rate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_of_noise), cmocka_unit_test(same_for_any_threads), cmocka_unit_test(kept_in_the_file),
        cmocka_unit_test(rows_that_count), cmocka_unit_test(false_alarms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
