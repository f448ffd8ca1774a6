/* SPDX-License-Identifier: BSD-3-Clause */
/* Scores of rows with gaps: ln p(x_o) against dense densities; T² and Q against the residual of the observed loadings,
 * orthogonalised in long double; p-values against the laws of the observed columns; rows of the model are outliers as
 * often as they should be, whatever is missing; contributions add up to Q and blame no gap; calibration refuses gaps.
 */

#include "support/checks.h"

#include "base/memory.h"
#include "made_model.h"
#include "model/gaps.h"
#include "model/score.h"
#include "model/score_law.h"
#include "support/calls.h"
#include "support/dense_given.h"

#include <string.h>

enum { ROWS = 24, D = 9, M = 4 };

static scree_scorer *scorer_of(const scree_model *model)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    return scorer;
}

static double scaled(const scree_model_view *view, const double *x, int64_t j)
{
    return (x[j] - view->mean[j]) / (view->scale ? view->scale[j] : 1);
}

/* ‖x_o‖² less what lies along the observed loadings: Gram-Schmidt, twice; those of no length span nothing. */
static long double plain_q(const scree_model_view *view, const double *x)
{
    long double basis[50][50];
    long double rest[50];
    int64_t rank = 0;
    long double square = 0;
    for (int64_t j = 0; j <= view->m; j++) {
        long double *v = j < view->m ? basis[rank] : rest;
        long double length = 0;
        if (j < view->m && !(view->eigenvalues[j] > view->noise_variance))
            continue;
        for (int64_t i = 0; i < view->d; i++)
            v[i] = isnan(x[i]) ? 0 : j < view->m ? view->components[j * view->d + i] : scaled(view, x, i);
        for (int64_t k = 0; k < 2 * rank; k++) {
            long double along = 0;
            for (int64_t i = 0; i < view->d; i++)
                along += v[i] * basis[k % rank][i];
            for (int64_t i = 0; i < view->d; i++)
                v[i] -= along * basis[k % rank][i];
        }
        for (int64_t i = 0; i < view->d; i++)
            length += v[i] * v[i];
        if (j == view->m)
            square = length;
        else if (length > 1e-24L) {
            for (int64_t i = 0; i < view->d; i++)
                v[i] /= sqrtl(length);
            rank++;
        }
    }
    return square;
}

static void every_kind_of_model(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        if (c->d > 20)
            continue;
        scree_error error = SCREE_ERROR_INIT;
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        const scree_model_view *view = scree_model_get(model);
        dense_gauss *g = dense_gauss_of(model);
        scree_scorer *scorer = scorer_of(model);
        row_score scores[ROWS];
        dense_given_puncture(x, ROWS, c->d, 11);
        EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, c->d), scores, &error), error);
        for (int64_t i = 0; i < ROWS; i++) {
            dense_given *given = dense_given_of(g, x + i * c->d);
            const row_score *s = &scores[i];
            const long double size = fmaxl(1, fabsl(given->log_density));
            EXPECT_NEAR(s->loglik, given->log_density, 1e-9 * size);
            if (given->seen < c->d) /* a whole row counts components without loading to T² */
                EXPECT_NEAR(s->q, plain_q(view, x + i * c->d), 1e-9 * size * view->noise_variance);
            assert_true(s->t2 >= 0 && s->q >= 0 && s->p_value >= 0 && s->p_value <= 1);
            dense_given_free(given);
        }
        assert_true(scores[0].loglik == 0 && scores[0].t2 == 0 && scores[0].q == 0);
        assert_true(scores[0].p_t2 == 1 && scores[0].p_q == 1 && scores[0].p_value == 1);
        scree_scorer_free(scorer);
        dense_gauss_free(g);
        scree_model_free(model);
        free(x);
    }
}

/* A row that there is no memory for is an error, not a p-value: here of a size that nothing has. */
static void no_memory_is_no_answer(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    scree_scorer *scorer = scorer_of(model);
    scree__gaps gaps = {0};
    scree__score score;
    scree__score_out out = {scorer, &score};
    double row[D] = {0};
    assert_int_equal(scree__gaps_once(&gaps, scree_model_get(model), row, NULL), SCREE_OK);
    const int64_t seen = gaps.seen;
    const int64_t rank = gaps.rank;
    gaps.seen = gaps.rank = -100;
    assert_int_equal(scree__score_gap(&gaps, row, 0, &out), SCREE_ERR_MEMORY);
    gaps.seen = seen;
    gaps.rank = rank;
    scree__gaps_close(&gaps);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

/* The way of rows with gaps, taken by a row without, gives what whole rows get. */
static void a_whole_row_is_a_row_with_no_gaps(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    const scree_model_view *view = scree_model_get(model);
    scree_scorer *scorer = scorer_of(model);
    double x[ROWS * D];
    row_score scores[ROWS];
    double least = 1;
    int near = 0;
    scree__normals(21, 0, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++) /* the model's noise, ever more of it */
        x[i] = view->mean[i % D] + view->scale[i % D] * sqrt(view->noise_variance) * x[i] * (1 + 0.1 * (double)(i / D));
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        scree__gaps gaps = {0};
        scree__score score;
        scree__score_out out = {scorer, &score};
        double row[D];
        for (int64_t j = 0; j < D; j++)
            row[j] = scaled(view, x + i * D, j);
        assert_int_equal(scree__gaps_once(&gaps, view, row, NULL), SCREE_OK);
        assert_int_equal(scree__score_gap(&gaps, row, 0, &out), SCREE_OK);
        EXPECT_NEAR(score.loglik, scores[i].loglik, 1e-11 * fabs(scores[i].loglik));
        EXPECT_NEAR(score.t2, scores[i].t2, 1e-11 * scores[i].t2);
        EXPECT_NEAR(score.q, scores[i].q, 1e-11 * scores[i].q);
        /* Both take what is beyond M for white noise, one by its mean and variance, the other by its whole shape: they
         * differ by its skewness, of the order of D/N, and far out by its largest value, √(D/N) of it. */
        const double bound = scores[i].p_value > 1e-4 ? 0.0015 : 0.05;
        EXPECT_NEAR(log(score.p_value), log(scores[i].p_value), bound * (1 - log(scores[i].p_value)));
        near += scores[i].p_value > 1e-4 && scores[i].p_value < 0.1;
        least = fmin(least, scores[i].p_value);
        scree__gaps_close(&gaps);
    }
    assert_true(least < 1e-9 && near > 1);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

/* The model is known exactly when n is large: p-values of its own rows are uniform, pattern by pattern. */
static void p_values_are_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 4000 };
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    model->view.weight = 100000000;
    scree_scorer *scorer = scorer_of(model);
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    double *x = scree__alloc(DRAWS * D, sizeof *x);
    row_score *scores = scree__alloc(DRAWS, sizeof *scores);
    assert_true(x && scores);
    EXPECT_OK(sample_of(&source, model, DRAWS, 31, 0, &error), error);
    for (int64_t seen = 1; seen < D; seen += 3) { /* 1: fewer than M; 4: as many; 7: more */
        EXPECT_OK(scree_sink_to_memory(&sink, x, DRAWS, D, &error), error);
        EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
        scree_sink_free(sink);
        sink = NULL;
        for (int64_t i = 0; i < DRAWS * D; i++)
            if ((i % D + i / D) % D >= seen)
                x[i] = NAN;
        EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, DRAWS, D), scores, &error), error);
        for (int tenth = 1; tenth < 10; tenth += 2) {
            const double level = tenth / 10.0;
            int64_t below = 0;
            for (int64_t i = 0; i < DRAWS; i++)
                below += scores[i].p_value <= level;
            EXPECT_NEAR((double)below / DRAWS, level, 4 * sqrt(level * (1 - level) / DRAWS));
        }
    }
    free(x);
    free(scores);
    scree_source_free(source);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void columns_that_are_there_are_to_blame(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    scree_scorer *scorer = scorer_of(model);
    double x[ROWS * D];
    row_score scores[ROWS];
    scree__normals(22, 0, 0, ROWS * D, x);
    dense_given_puncture(x, ROWS, D, 5);
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        double parts[D];
        double sum = 0;
        assert_int_equal(scree_model_contributions(model, x + i * D, parts, NULL), SCREE_OK);
        for (int64_t j = 0; j < D; j++) {
            assert_true(isnan(x[i * D + j]) ? parts[j] == 0 : parts[j] >= 0);
            sum += parts[j];
        }
        EXPECT_NEAR(sum, scores[i].q, 1e-12 + 1e-12 * sum);
    }
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void calibrated_scores_need_whole_rows(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    scree_scorer *scorer = scorer_of(model);
    scree_source *source = NULL;
    double x[ROWS * D];
    row_score scores[ROWS];
    scree__normals(23, 0, 0, ROWS * D, x);
    x[7 * D + 2] = NAN;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, D), &error), error);
    for (int again = 0; again < 2; again++) { /* rows with gaps are left out, of a second calibration too */
        scree_gaps gaps = SCREE_GAPS_INIT;
        EXPECT_OK(scree_scorer_calibrate(scorer, source, NULL, &error), error);
        assert_int_equal(scorer->calibration_count, ROWS - 1);
        EXPECT_OK(scree_source_gaps(source, &gaps, &error), error);
        assert_int_equal(gaps.rows, 1);
    }
    x[7 * D + 2] = 0;
    EXPECT_OK(scree_scorer_calibrate(scorer, source, NULL, &error), error);
    assert_int_equal(scorer->calibration_count, ROWS);
    x[9 * D + 1] = NAN;
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "memory: row 10, column 2 is missing; calibrated p-values compare whole rows"));
    assert_int_equal(scree_scorer_score(scorer, source, NULL, NULL, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 10, column 2 is missing; calibrated"));
    scree_source_free(source);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_model),
        cmocka_unit_test(a_whole_row_is_a_row_with_no_gaps),
        cmocka_unit_test(no_memory_is_no_answer),
        cmocka_unit_test(p_values_are_uniform),
        cmocka_unit_test(columns_that_are_there_are_to_blame),
        cmocka_unit_test(calibrated_scores_need_whole_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
