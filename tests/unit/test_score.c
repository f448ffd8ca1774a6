/* SPDX-License-Identifier: BSD-3-Clause */
/* T², Q and ln p of rows against plain sums in long double: rows far off the subspace, near it and in it, of every
 * element type; p-values against the exact tails; contributions that add up to Q; what cannot be scored is refused. */

#include "support/checks.h"

#include "base/special.h"
#include "made_model.h"
#include "model/ppca.h"
#include "model/score.h"
#include "model/score_law.h"
#include "model/secular.h"
#include "model/tail_table.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

enum { ROWS = 150, D = 19, M = 4 };

static scree_scorer *scorer_of(const scree_model *model, bool training)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_scorer *scorer = NULL;
    options.training = training;
    EXPECT_OK(scree_scorer_make(&scorer, model, &options, &error), error);
    return scorer;
}

/* By the definitions, term by term. */
static void plain_score(const scree_model_view *view, const double *x, long double *t2, long double *q)
{
    long double c[D];
    long double off[D];
    for (int64_t i = 0; i < D; i++)
        off[i] = c[i] = ((long double)x[i] - view->mean[i]) / (view->scale ? view->scale[i] : 1);
    *t2 = *q = 0;
    for (int64_t j = 0; j < M; j++) {
        long double t = 0;
        for (int64_t i = 0; i < D; i++)
            t += c[i] * view->components[j * D + i];
        for (int64_t i = 0; i < D; i++)
            off[i] -= t * view->components[j * D + i];
        *t2 += t * t / view->eigenvalues[j];
    }
    for (int64_t i = 0; i < D; i++)
        *q += off[i] * off[i];
}

/* Row i is a point of the subspace, and off it by the i-th of these lengths. */
static double *made_rows(const scree_model_view *view)
{
    static const double lengths[] = {3, 0.3, 1e-3, 1e-6};
    double *x = scree__alloc(ROWS * D, sizeof *x);
    double normals[M + D];
    assert_non_null(x);
    for (int64_t i = 0; i < ROWS; i++) {
        scree__normals(4, (uint64_t)i, 0, M + D, normals);
        for (int64_t k = 0; k < D; k++) {
            double c = lengths[i % COUNT_OF(lengths)] * normals[M + k];
            for (int64_t j = 0; j < M; j++)
                c += normals[j] * view->components[j * D + k];
            x[i * D + k] = view->mean[k] + c * (view->scale ? view->scale[k] : 1);
        }
    }
    return x;
}

static void rows_are_scored(scree_type type, double mean, bool with_scale)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, mean, with_scale, NULL);
    const scree_model_view *view = scree_model_get(model);
    const double volume = scree__ppca_log_volume(view);
    scree_scorer *scorer = scorer_of(model, false);
    rows *given = rows_of(made_rows(view), ROWS, D, type, 20);
    row_score scores[ROWS];
    EXPECT_OK(score_rows(scorer, BLOCK_STRIDED(given->data, type, ROWS, given->d, given->stride), scores, &error),
              error);
    for (int64_t i = 0; i < ROWS; i++) {
        long double t2;
        long double q;
        plain_score(view, given->exact + i * D, &t2, &q);
        EXPECT_NEAR(scores[i].t2, t2, 1e-12 * t2);
        /* What x - µ has lost is lost: an error of 1e-15 of the largest in each column of the residual. */
        EXPECT_NEAR(scores[i].q, q, 1e-12 * q + 1e-14 * sqrtl(q));
        EXPECT_NEAR(scores[i].loglik, -0.5L * (volume + t2 + q / view->noise_variance),
                    1e-11 * (1 + q / view->noise_variance));
    }
    rows_free(given);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void every_type_and_length(void **state)
{
    (void)state;
    rows_are_scored(SCREE_F64, 0.0, false);
    rows_are_scored(SCREE_F64, 1.0, true);
    rows_are_scored(SCREE_F32, 1.0, false);
    rows_are_scored(SCREE_U8, 1.0, true);
}

/* Of fitted rows, by the two independent laws themselves. */
static void expect_fitted(const scree__row_law *law, const row_score *score)
{
    const double n = law->rows - 1;
    const double b = score->t2 * law->rows / (n * law->divisor);
    const double x = score->q * law->rows / n / (1 - b) / law->unit / law->unit;
    if (b >= 1) { /* no fitted row can be so far out */
        assert_true(score->p_t2 == 0);
        return;
    }
    const double log_t2 = scree__log_beta_tail(M / 2.0, (n - M) / 2, b, 1 - b);
    const double log_q = scree__ratio_log_tail(&law->q, x);
    EXPECT_NEAR(log(score->p_t2), log_t2, 1e-8 * (1 - log_t2));
    if (log_q > -60 && log_q < -1e-5) /* where the table ends */
        EXPECT_NEAR(log(score->p_q), log_q, 2e-4 * (1 - log_q));
}

/* Of a new row: all the spectrum with it, and the same laws of one row more. */
static void expect_new(const scree__row_law *law, const row_score *score, const double *codes)
{
    enum { MOST = 100 };
    double w[MOST], roots[MOST], shares[MOST], values[2 * MOST], counts[2 * MOST];
    double inside = 0, left = 0;
    int64_t terms = 0;
    assert_true(law->poles <= MOST);
    for (int64_t j = 0; j < law->poles; j++)
        w[j] = law->rows / (law->rows + 1) / law->unit / law->unit *
               (j < law->known ? codes[j] * codes[j] : score->q * law->shares[j]);
    scree__secular_solve(law->g, w, law->poles, law->poles, roots, shares, NULL);
    for (int64_t k = 0; k < law->poles; k++) {
        inside += k < M ? shares[k] : 0;
        left += k < M ? 0 : roots[k] * shares[k];
        for (int part = 0; k >= M && part < 2; part++) {
            values[terms] = part ? law->g[k] : roots[k];
            counts[terms] = part ? law->counts[k] - 1 : 1;
            terms += counts[terms] != 0; /* bins of about one eigenvalue may be less than one */
        }
    }
    const scree__ratio ratio = {values, counts, terms, law->zeros};
    const double log_t2 = scree__log_beta_tail(M / 2.0, (law->rows - M) / 2, inside, 1 - inside);
    const double log_q = scree__ratio_log_tail(&ratio, left / (1 - inside));
    EXPECT_NEAR(log(score->p_t2), log_t2, 1e-6 * (1 - log_t2));
    if (log_q > -300)
        EXPECT_NEAR(log(score->p_q), log_q, 1e-4 * (1 - log_q));
}

/* Those of the law, joined by Fisher's method; of a noise that was given, those of the laws of a known one. */
static void p_values_are_tails(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    model->view.n = 200; /* few: what is estimated counts */
    model->view.weight = 200;
    const scree_model_view *view = scree_model_get(model);
    double *x = made_rows(view);
    for (int training = 0; training < 2; training++) {
        scree_scorer *scorer = scorer_of(model, training);
        row_score scores[ROWS];
        EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, &error), error);
        assert_true(!scorer->law.is_quick && scorer->law.known == M);
        for (int64_t i = 0; i < ROWS; i++) {
            const double both = scores[i].p_t2 * scores[i].p_q;
            double codes[M] = {0};
            for (int64_t j = 0; j < M * D; j++)
                codes[j / D] += (x[i * D + j % D] - view->mean[j % D]) * view->components[j];
            EXPECT_NEAR(scores[i].p_value, both > 0 ? both * (1 - log(both)) : 0, 1e-9 * scores[i].p_value + 1e-300);
            if (training)
                expect_fitted(&scorer->law, &scores[i]);
            else
                expect_new(&scorer->law, &scores[i], codes);
        }
        scree_scorer_free(scorer);
    }
    free(x);
    scree_model_free(model);
}

static void of_a_given_noise_too(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 1.0, true, NULL);
    scree_model *model = NULL;
    double *x = made_rows(scree_model_get(made));
    EXPECT_OK(scree_model_with_noise(&model, made, 0.3, &error), error);
    for (int training = 0; training < 2; training++) {
        scree_scorer *scorer = scorer_of(model, training);
        row_score scores[ROWS];
        scree__tail t2;
        scree__tail q;
        scree__score_laws(scree_model_get(model), training, &t2, &q);
        EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, &error), error);
        for (int64_t i = 0; i < ROWS; i++) {
            const double a = scree__tail_log(&t2, scores[i].t2);
            const double b = scree__tail_log(&q, scores[i].q);
            EXPECT_NEAR(scores[i].p_t2, exp(a), 1e-9 * exp(a));
            EXPECT_NEAR(scores[i].p_q, exp(b), 1e-9 * exp(b));
            const double both = isinf(a + b) ? 0 : exp(a + b) * (1 - a - b);
            EXPECT_NEAR(scores[i].p_value, both, 1e-8 * both);
        }
        scree_scorer_free(scorer);
    }
    free(x);
    scree_model_free(model);
    scree_model_free(made);
}

/* All components and a floor: there is no residual, and T² says everything. */
static void nothing_left_over(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *full = made_model(M, M, 0.0, false, NULL);
    scree_model *model = NULL;
    row_score score;
    const double x[M] = {1, -2, 0.5, 0.25};
    assert_int_equal(scree_model_with_noise(&model, full, 0.01, NULL), SCREE_OK);
    scree_scorer *scorer = scorer_of(model, false);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, 1, M), &score, &error), error);
    assert_true(score.q == 0 && score.p_q == 1 && score.p_value == score.p_t2);
    assert_true(isfinite(score.loglik) && score.p_t2 > 0 && score.p_t2 < 1);
    scree_scorer_free(scorer);
    scree_model_free(model);
    scree_model_free(full);
}

static void contributions_add_up(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    scree_scorer *scorer = scorer_of(model, false);
    double *x = made_rows(scree_model_get(model));
    for (int64_t i = 0; i < ROWS; i++) {
        double parts[D];
        double sum = 0;
        row_score score;
        EXPECT_OK(scree_model_contributions(model, x + i * D, parts, &error), error);
        EXPECT_OK(score_rows(scorer, BLOCK(x + i * D, SCREE_F64, 1, D), &score, &error), error);
        for (int64_t j = 0; j < D; j++) {
            assert_true(parts[j] >= 0);
            sum += parts[j];
        }
        EXPECT_NEAR(sum, score.q, 1e-12 * score.q + 1e-14 * sqrt(score.q));
    }
    x[7] = INFINITY;
    double parts[D];
    assert_int_equal(scree_model_contributions(model, x, parts, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "column 8 of the row is infinite; give the cell a number");
    free(x);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const double alphas[] = {-0.1, 1, 1.5, NAN, INFINITY};
    scree_error error = SCREE_ERROR_INIT;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree_scorer *scorer = NULL;
    for (int64_t k = 0; k < COUNT_OF(alphas); k++) {
        options.alpha = alphas[k];
        assert_int_equal(scree_scorer_make(&scorer, model, &options, &error), SCREE_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "alpha lies between 0 and 1"));
    }
    options.alpha = 0.05;
    options.blame_columns = -1;
    assert_int_equal(scree_scorer_make(&scorer, model, &options, &error), SCREE_ERR_ARGUMENT);
    assert_null(scorer);
    scree_model_free(model);
}

static void no_noise_no_density(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *full = made_model(M, M, 0.0, false, NULL);
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree_model *silent = NULL;
    scree_scorer *scorer = NULL;
    full->view.n = M; /* rows that span M - 1 directions */
    assert_int_equal(scree_scorer_make(&scorer, full, NULL, &error), SCREE_ERR_NUMERIC);
    assert_non_null(strstr(error.text, "it keeps all components"));
    assert_non_null(strstr(error.text, "noise floor"));
    assert_int_equal(scree_model_with_noise(&silent, model, 0, NULL), SCREE_OK);
    assert_int_equal(scree_scorer_make(&scorer, silent, NULL, &error), SCREE_ERR_NUMERIC);
    assert_null(scorer);
    scree_model_free(silent);
    scree_model_free(model);
    scree_model_free(full);
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    scree_scorer *scorer = scorer_of(model, false);
    double *x = made_rows(scree_model_get(model));
    row_score scores[ROWS];
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D - 1), scores, &error), SCREE_ERR_SHAPE);
    assert_int_equal(score_rows(scorer, BLOCK(NULL, SCREE_F64, 1, D), scores, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(score_rows(scorer, BLOCK(x, (scree_type)99, 1, D), scores, &error), SCREE_ERR_ARGUMENT);
    x[140 * D + 2] = INFINITY;
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, ROWS, D), scores, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 141, column 3 is infinite"));
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, 140, D), scores, &error), error);
    scree_scorer_free(NULL);
    scree_scorer_free(scorer);
    free(x);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_length), cmocka_unit_test(p_values_are_tails),
        cmocka_unit_test(of_a_given_noise_too),  cmocka_unit_test(nothing_left_over),
        cmocka_unit_test(contributions_add_up),  cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(no_noise_no_density),   cmocka_unit_test(bad_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
