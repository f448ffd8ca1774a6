/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_EVERY_KIND_DENSITY_H
#define SCREE_TESTS_EVERY_KIND_DENSITY_H

/* What models are asked as distributions, against dense matrices in long double. Each function asks one, checks what it
 * answers, and returns its status. */

#include "every_kind.h"
#include "support/dense_given.h"
#include "support/drawn.h"

static scree_status ask_with_noise(fixture *f, scree_error *error)
{
    scree_model *other = NULL;
    const scree_status status = scree_model_with_noise(&other, f->model, 0.25, error);
    if (status == SCREE_OK)
        assert_true(scree_model_get(other)->noise_variance == 0.25);
    scree_model_free(other);
    return status;
}

static scree_status ask_facts(fixture *f, scree_error *error)
{
    scree_facts facts = SCREE_FACTS_INIT;
    long double sum = 0;
    const scree_status status = scree_model_facts(f->model, &facts, error);
    if (status != SCREE_OK)
        return status;
    assert_true(facts.effective_rank > 1 && facts.effective_rank < D);
    if (!f->density->inverse) {
        assert_true(isnan(facts.log_likelihood) && isnan(facts.mutual_information));
        return status;
    }
    for (int64_t i = 0; i < N; i++)
        sum += dense_gauss_log_density(f->density, f->x + i * D);
    EXPECT_NEAR(facts.log_likelihood, sum, 1e-9 * fabs((double)sum));
    return status;
}

/* At the distortion Dσ² the rate is the mutual information. */
static scree_status ask_rate(fixture *f, scree_error *error)
{
    const scree_model_view *view = scree_model_get(f->model);
    const double all = D * view->noise_variance;
    scree_rate rate = SCREE_RATE_INIT;
    double bits = 0;
    const scree_status status = scree_model_rate(f->model, all > 0 ? all : 1e-3, &rate, error);
    if (status != SCREE_OK)
        return status;
    for (int64_t j = 0; j < M; j++)
        bits += 0.5 * log2(view->eigenvalues[j] / (all > 0 ? view->noise_variance : 1e-3 / M));
    EXPECT_NEAR(rate.bits, bits, 1e-9 * bits);
    return status;
}

static scree_status ask_loadings(fixture *f, scree_error *error)
{
    double b[D * M];
    const scree_status status = scree_model_loadings(f->model, b, error);
    for (int64_t i = 0; status == SCREE_OK && i < D * M; i++)
        EXPECT_NEAR(b[i], f->density->b[i], 1e-12);
    return status;
}

/* matrix × the first row, by the operator. */
static void expect_product(const double *y, const long double *matrix, const double *x)
{
    for (int64_t i = 0; i < D; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < D; j++)
            sum += matrix[i * D + j] * (long double)x[j];
        EXPECT_NEAR(y[i], sum, 1e-11 * (1 + fabs((double)sum)));
    }
}

static scree_status ask_marginal_multiply(fixture *f, scree_error *error)
{
    double y[D];
    const scree_status status = scree_model_marginal_multiply(f->model, f->x, y, error);
    if (status == SCREE_OK)
        expect_product(y, f->density->covariance, f->x);
    return status;
}

static scree_status ask_precision_multiply(fixture *f, scree_error *error)
{
    double y[D];
    const scree_status status = scree_model_precision_multiply(f->model, f->x, y, error);
    if (status == SCREE_OK)
        expect_product(y, f->density->inverse, f->x);
    return status;
}

static scree_status ask_marginal_dense(fixture *f, scree_error *error)
{
    double c[D * D];
    const scree_status status = scree_model_marginal_dense(f->model, c, error);
    for (int64_t i = 0; status == SCREE_OK && i < D * D; i++)
        EXPECT_NEAR(c[i], f->density->covariance[i], 1e-11);
    return status;
}

static scree_status ask_precision_dense(fixture *f, scree_error *error)
{
    double c[D * D];
    const scree_status status = scree_model_precision_dense(f->model, c, error);
    for (int64_t i = 0; status == SCREE_OK && i < D * D; i++)
        EXPECT_NEAR(c[i], f->density->inverse[i], 1e-11);
    return status;
}

static scree_status ask_joint_dense(fixture *f, scree_error *error)
{
    double c[(D + M) * (D + M)];
    const scree_status status = scree_model_joint_dense(f->model, c, error);
    for (int64_t i = 0; status == SCREE_OK && i < D + M; i++)
        for (int64_t j = 0; j < D + M; j++) {
            const long double wanted = i < D && j < D ? f->density->covariance[i * D + j]
                                       : i < D        ? f->density->b[i * M + j - D]
                                       : j < D        ? f->density->b[j * M + i - D]
                                                      : (long double)(i == j);
            EXPECT_NEAR(c[i * (D + M) + j], wanted, 1e-11);
        }
    return status;
}

static scree_status ask_posterior_covariance(fixture *f, scree_error *error)
{
    double variances[M];
    double logdet = NAN;
    long double wanted[M * M] = {0};
    const scree_status status = scree_model_posterior_covariance(f->model, variances, &logdet, error);
    if (status == SCREE_OK && f->density->inverse)
        dense_gauss_posterior_covariance(f->density, wanted);
    for (int64_t j = 0; status == SCREE_OK && j < M; j++)
        EXPECT_NEAR(variances[j], wanted[j * (M + 1)], 1e-13);
    if (status == SCREE_OK)
        assert_true(f->density->inverse ? isfinite(logdet) : isinf(logdet) && logdet < 0);
    return status;
}

/* m of row i; without noise it is the code in units of its standard deviation. */
static void mean_of(const fixture *f, int64_t i, long double *mean)
{
    if (f->density->inverse)
        dense_gauss_posterior_mean(f->density, f->x + i * D, mean);
    for (int64_t j = 0; !f->density->inverse && j < M; j++)
        mean[j] = (long double)(f->codes[i * M + j] / sqrt(scree_model_get(f->model)->eigenvalues[j]));
}

static void expect_means(const fixture *f, const double *means, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        long double wanted[M];
        mean_of(f, i, wanted);
        for (int64_t j = 0; j < M; j++)
            EXPECT_NEAR(means[i * M + j], wanted[j], 1e-12);
    }
}

static scree_status ask_posterior_rows(fixture *f, scree_error *error)
{
    double means[N * M];
    const scree_status status =
        scree_model_posterior_rows(f->model, BLOCK(f->x, SCREE_F64, N, D), means, NULL, NULL, error);
    if (status == SCREE_OK)
        expect_means(f, means, N);
    return status;
}

static scree_status ask_posterior_row(fixture *f, scree_error *error)
{
    double mean[M];
    const scree_status status = scree_model_posterior_row(f->model, f->x, mean, NULL, NULL, error);
    if (status == SCREE_OK)
        expect_means(f, mean, 1);
    return status;
}

static scree_status ask_posterior(fixture *f, scree_error *error)
{
    double means[N * M];
    scree_source *source = rows_of_fixture(f);
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, means, N, M, NULL), SCREE_OK);
    const scree_status status = scree_model_posterior(f->model, source, sink, NULL, error);
    if (status == SCREE_OK)
        expect_means(f, means, N);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* Every function of scorers begins with one: where there is none, its failure is theirs. */
static scree_status ask_scorer_make(fixture *f, scree_error *error)
{
    scree_scorer *scorer = NULL;
    const scree_status status = scree_scorer_make(&scorer, f->model, NULL, error);
    assert_true((scorer != NULL) == (status == SCREE_OK));
    scree_scorer_free(scorer);
    return status;
}

static scree_status ask_scorer_score_rows(fixture *f, scree_error *error)
{
    row_score scores[N];
    scree_scorer *scorer = NULL;
    scree_status status = scree_scorer_make(&scorer, f->model, NULL, error);
    if (status == SCREE_OK)
        status = score_rows(scorer, BLOCK(f->x, SCREE_F64, N, D), scores, error);
    for (int64_t i = 0; status == SCREE_OK && i < N; i++) {
        const long double wanted = dense_gauss_log_density(f->density, f->x + i * D);
        EXPECT_NEAR(scores[i].loglik, wanted, 1e-11 * fabs((double)wanted));
    }
    scree_scorer_free(scorer);
    return status;
}

static scree_status ask_scorer_score(fixture *f, scree_error *error)
{
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    scree_source *source = rows_of_fixture(f);
    scree_scorer *scorer = NULL;
    long double wanted = 0;
    scree_status status = scree_scorer_make(&scorer, f->model, NULL, error);
    if (status == SCREE_OK)
        status = scree_scorer_score(scorer, source, NULL, &summary, NULL, error);
    for (int64_t i = 0; status == SCREE_OK && i < N; i++)
        wanted += dense_gauss_log_density(f->density, f->x + i * D);
    if (status == SCREE_OK)
        EXPECT_NEAR(summary.loglik, wanted, 1e-11 * fabs((double)wanted));
    scree_scorer_free(scorer);
    scree_source_free(source);
    return status;
}

/* Calibrated by the rows themselves, the least likely of them has p = 2/(N+1). */
static scree_status ask_scorer_calibrate(fixture *f, scree_error *error)
{
    row_score scores[N];
    double least = 1;
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(f->x, SCREE_F64, N - 1, D), NULL), SCREE_OK);
    scree_scorer *scorer = NULL;
    scree_status status = scree_scorer_make(&scorer, f->model, NULL, error);
    if (status == SCREE_OK)
        status = scree_scorer_calibrate(scorer, source, NULL, error);
    if (status == SCREE_OK)
        status = score_rows(scorer, BLOCK(f->x, SCREE_F64, N, D), scores, error);
    for (int64_t i = 0; status == SCREE_OK && i < N; i++)
        least = fmin(least, scores[i].p_value);
    if (status == SCREE_OK)
        EXPECT_NEAR(fmax(least, 2.0 / N), 2.0 / N, 1e-15); /* 1/N if it is the last row, which was left out */
    scree_scorer_free(scorer);
    scree_source_free(source);
    return status;
}

static scree_status ask_contributions(fixture *f, scree_error *error)
{
    double parts[D];
    const scree_status status = scree_model_contributions(f->model, f->x, parts, error);
    for (int64_t j = 0; status == SCREE_OK && j < D; j++)
        EXPECT_NEAR(parts[j], (f->x[j] - f->back[j]) * (f->x[j] - f->back[j]), 1e-11);
    return status;
}

static void expect_drawn(scree_source *source, int64_t first, const double *mean, const long double *covariance)
{
    double wanted[D * D];
    for (int64_t i = 0; i < D * D; i++)
        wanted[i] = (double)covariance[i];
    drawn x = drawn_from(source, first, D, mean);
    drawn_expect(&x, mean, wanted);
    drawn_free(&x);
}

/* Every draw is the mean. */
static void expect_constant(scree_source *source, int64_t first, const double *mean)
{
    drawn x = drawn_from(source, first, D, mean);
    for (int64_t i = 0; i < D; i++) {
        EXPECT_NEAR(x.mean[i], mean[i], 1e-12);
        EXPECT_NEAR(x.covariance[i * (D + 1)], 0, 1e-24);
    }
    drawn_free(&x);
}

static scree_status ask_sample(fixture *f, scree_error *error)
{
    scree_source *source = NULL;
    const scree_status status = sample_of(&source, f->model, 20000, 7, 2, error);
    if (status == SCREE_OK)
        expect_drawn(source, 0, scree_model_get(f->model)->mean, f->density->covariance);
    scree_source_free(source);
    return status;
}

/* Draws around the first row: N(Bm + µ, BCBᵀ + σ²I). */
static scree_status ask_explore(fixture *f, scree_error *error)
{
    const scree_explore_options options = SIZED(scree_explore_options, .row = 0, .draws = 20000, .seed = 3);
    scree_source *source = NULL;
    scree_source *given = rows_of_fixture(f);
    const scree_status status = scree_source_explore(&source, f->model, given, &options, error);
    if (status != SCREE_OK) {
        scree_source_free(given);
        return status;
    }
    double mean[D];
    long double m[M];
    long double c[M * M] = {0};
    long double covariance[D * D] = {0};
    const dense_gauss *g = f->density;
    mean_of(f, 0, m);
    if (g->inverse)
        dense_gauss_posterior_covariance(g, c);
    for (int64_t i = 0; i < D; i++) {
        long double sum = g->mean[i];
        for (int64_t k = 0; k < M; k++)
            sum += g->b[i * M + k] * m[k];
        mean[i] = (double)sum;
        covariance[i * (D + 1)] = g->noise[i];
        for (int64_t j = 0; j < D; j++)
            for (int64_t k = 0; k < M * M; k++)
                covariance[i * D + j] += g->b[i * M + k / M] * c[k] * g->b[j * M + k % M];
    }
    if (g->inverse)
        expect_drawn(source, 2, mean, covariance);
    else
        expect_constant(source, 2, mean);
    scree_source_free(source);
    return status;
}

/* The row of a code with two cells missing: they come back where there is no noise, else as expected. */
static void punctured(const fixture *f, double *row, double *wanted)
{
    memcpy(row, f->back, D * sizeof *row);
    memcpy(wanted, f->back, D * sizeof *row);
    row[1] = row[4] = NAN;
    if (!f->density || !f->density->inverse)
        return;
    dense_given *given = dense_given_of(f->density, row);
    wanted[1] = (double)given->mean[1];
    wanted[4] = (double)given->mean[4];
    dense_given_free(given);
}

static scree_status ask_impute_rows(fixture *f, scree_error *error)
{
    double row[D];
    double wanted[D];
    double filled[D];
    punctured(f, row, wanted);
    const scree_status status = scree_model_impute_rows(f->model, BLOCK(row, SCREE_F64, 1, D),
                                                        &SIZED(scree_imputed, .filled = filled), NULL, error);
    if (status == SCREE_OK)
        expect_near_all(filled, wanted, D, 1e-10);
    return status;
}

static scree_status ask_impute(fixture *f, scree_error *error)
{
    double row[D];
    double wanted[D];
    double filled[D];
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    punctured(f, row, wanted);
    assert_int_equal(scree_source_from_memory(&source, BLOCK(row, SCREE_F64, 1, D), NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, filled, 1, D, NULL), SCREE_OK);
    const scree_status status = scree_model_impute(f->model, source, sink, NULL, NULL, error);
    if (status == SCREE_OK)
        expect_near_all(filled, wanted, D, 1e-10);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

#endif
