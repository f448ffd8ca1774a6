/* SPDX-License-Identifier: BSD-3-Clause */
/* A distribution whose noise differs by column enters by a line of the table of kinds (support/diagonal.c): what it
 * brings answers as dense formulas do, of whole rows and of rows with gaps, in whatever question; what it does not
 * bring is refused with a sentence, and never answered with the one noise variance that the view has. */

#include "support/checks.h"

#include "kind/pca/pca.h"
#include "made_model.h"
#include "support/calls.h"
#include "support/dense_given.h"
#include "support/diagonal.h"

#include <string.h>

enum { D = 6, M = 2, N = 40 };

/* The lines of the table. */
const scree__kind *const scree__kinds[] = {&scree__kind_pca, &support_diagonal, &support_gapless, NULL};

static double x[N * D];

/* Its view has a noise variance, which is that of no column. */
static scree_model *make(const scree__kind *kind)
{
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    assert_true(model->view.noise_variance > 0);
    scree__model_become(model, kind, NULL);
    scree__normals(3, 4, 0, N * D, x);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = x[i] * model->scale[i % D] + model->mean[i % D];
    return model;
}

/* BBᵀ + Ψ, as it stands. */
static dense_gauss *dense_of(const scree_model *model)
{
    dense_gauss *g = dense_gauss_of(model);
    const scree_model_view *view = scree_model_get(model);
    for (int64_t i = 0; i < D; i++)
        for (int64_t j = 0; j < M; j++)
            g->b[i * M + j] = (long double)view->scale[i] * view->components[j * D + i] * sqrtl(view->eigenvalues[j]);
    for (int64_t a = 0; a < D; a++)
        for (int64_t b = 0; b < D; b++) {
            g->covariance[a * D + b] = a == b ? (long double)view->scale[a] * view->scale[a] * diagonal_noise(a) : 0;
            for (int64_t j = 0; j < M; j++)
                g->covariance[a * D + b] += g->b[a * M + j] * g->b[b * M + j];
        }
    return g;
}

static void posteriors_and_scores(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = make(&support_diagonal);
    dense_gauss *g = dense_of(model);
    scree_scorer *scorer = NULL;
    double means[N * M], variances[N * M], loglik[N];
    dense_given_puncture(x, N, D, 3);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, N, D), means, variances, NULL, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK(x, SCREE_F64, N, D), &SIZED(scree_scores, .loglik = loglik), NULL,
                                      &error),
              error);
    for (int64_t i = 0; i < N; i++) {
        dense_given *given = dense_given_of(g, x + i * D);
        EXPECT_NEAR(loglik[i], (double)given->log_density, 1e-12);
        for (int64_t j = 0; j < M; j++) {
            EXPECT_NEAR(means[i * M + j], (double)given->z[j], 1e-12);
            EXPECT_NEAR(variances[i * M + j], (double)given->z_cov[j * (M + 1)], 1e-12);
        }
        dense_given_free(given);
    }
    scree_scorer_free(scorer);
    dense_gauss_free(g);
    scree_model_free(model);
}

/* A question that knows nothing of the noise meets rows that its kind has filled. */
static void codes_of_rows_that_it_fills(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = make(&support_diagonal);
    const scree_model_view *view = scree_model_get(model);
    dense_gauss *g = dense_of(model);
    double codes[N * M];
    dense_given_puncture(x, N, D, 5);
    EXPECT_OK(scree_model_project_rows(model, BLOCK(x, SCREE_F64, N, D), codes, NULL, &error), error);
    for (int64_t i = 0; i < N; i++) {
        dense_given *given = dense_given_of(g, x + i * D);
        for (int64_t j = 0; j < M; j++) {
            long double code = 0;
            for (int64_t k = 0; k < D; k++)
                code += view->components[j * D + k] * (given->mean[k] - view->mean[k]) / view->scale[k];
            EXPECT_NEAR(codes[i * M + j], (double)code, 1e-12);
        }
        dense_given_free(given);
    }
    dense_gauss_free(g);
    scree_model_free(model);
}

#define EXPECT_REFUSED(call, what)                                                                                     \
    do {                                                                                                               \
        error = (scree_error)SCREE_ERROR_INIT;                                                                         \
        assert_int_equal(call, SCREE_ERR_UNSUPPORTED);                                                                 \
        assert_string_equal(error.text, "the model is a factor model; " what                                           \
                                        " needs one noise for all columns, make such a model with 'scree fit'");       \
    } while (0)

static void what_it_lacks_is_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = make(&support_diagonal);
    scree_model *other = NULL;
    scree_source *source = NULL;
    scree_source *draws = NULL;
    scree_facts facts = SCREE_FACTS_INIT;
    scree_rate rate = SCREE_RATE_INIT;
    scree__ellipse ellipse;
    double to[(D + M) * (D + M)], t2 = 0, q = 0;
    EXPECT_REFUSED(scree_model_facts(model, &facts, &error), "the likelihood");
    EXPECT_REFUSED(scree_model_rate(model, 1.0, &rate, &error), "a rate");
    EXPECT_REFUSED(scree_model_with_noise(&other, model, 1.0, &error), "a noise variance");
    EXPECT_REFUSED(scree_model_loadings(model, to, &error), "loadings");
    EXPECT_REFUSED(scree_model_marginal_multiply(model, x, to, &error), "the covariance");
    EXPECT_REFUSED(scree_model_precision_multiply(model, x, to, &error), "the covariance");
    EXPECT_REFUSED(scree_model_marginal_dense(model, to, &error), "the covariance");
    EXPECT_REFUSED(scree_model_precision_dense(model, to, &error), "the covariance");
    EXPECT_REFUSED(scree_model_joint_dense(model, to, &error), "the covariance");
    EXPECT_REFUSED(scree_model_posterior_covariance(model, to, NULL, &error), "posterior");
    EXPECT_REFUSED(scree_model_posterior_row(model, x, to, NULL, NULL, &error), "posterior");
    EXPECT_REFUSED(scree_model_contributions(model, x, to, &error), "what a column contributes to Q");
    EXPECT_REFUSED(
        scree_model_impute_rows(model, BLOCK(x, SCREE_F64, 1, D), &SIZED(scree_imputed, .filled = to), NULL, &error),
        "impute");
    EXPECT_REFUSED(scree__ellipse_of(&ellipse, model, x, (const int64_t[]){0, 1}, &error),
                   "the ellipse of a posterior");
    EXPECT_REFUSED(sample_of(&draws, model, 3, 1, 1, &error), "sample");
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    EXPECT_REFUSED(scree_source_explore(&draws, model, source, NULL, &error), "explore");
    scree__score_limits(model, false, 0.01, &t2, &q);
    assert_true(isnan(t2) && isnan(q));
    assert_null(other);
    assert_null(draws);
    scree_source_free(source);
    scree_model_free(model);
}

/* Whole rows are answered; the first gap is named. */
static void gaps_need_a_solver(void **state)
{
    (void)state;
    static const char sentence[] =
        "memory: row 3, column 2 is missing; the model is a factor model of whole rows; a row "
        "with gaps needs a model that fills gaps";
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = make(&support_gapless);
    scree_scorer *scorer = NULL;
    double to[N * M], loglik[N];
    const scree_scores scores = SIZED(scree_scores, .loglik = loglik);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, N, D), to, NULL, NULL, &error), error);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    x[2 * D + 1] = NAN;
    assert_int_equal(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, N, D), to, NULL, NULL, &error),
                     SCREE_ERR_UNSUPPORTED);
    assert_string_equal(error.text, sentence);
    error = (scree_error)SCREE_ERROR_INIT;
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, N, D), to, NULL, &error),
                     SCREE_ERR_UNSUPPORTED);
    assert_string_equal(error.text, sentence);
    error = (scree_error)SCREE_ERROR_INIT;
    assert_int_equal(scree_scorer_score_rows(scorer, BLOCK(x, SCREE_F64, N, D), &scores, NULL, &error),
                     SCREE_ERR_UNSUPPORTED);
    assert_string_equal(error.text, sentence);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posteriors_and_scores),
        cmocka_unit_test(codes_of_rows_that_it_fills),
        cmocka_unit_test(what_it_lacks_is_refused),
        cmocka_unit_test(gaps_need_a_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
