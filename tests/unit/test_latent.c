/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept and what the distribution is made of are two numbers: the default is what selection recommends, the
 * distribution is that of the model with so many components, files remember it, none is a model of one variance, and
 * all components of enough rows are the Gaussian with their covariance. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"

#include <math.h>
#include <stdlib.h>

enum { N = 150, D = 6 };

/* Two components in noise. */
static double *made_rows(void)
{
    double *x = scree__alloc(N * (D + 2), sizeof *x);
    assert_non_null(x);
    scree__normals(5, 0, 0, N * (D + 2), x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = 0.3 * x[i * D + j] + x[N * D + i] * (j % 2 ? 2 : -1) + x[N * D + N + i] * (j < 3) + 10;
    return x;
}

static scree_model *fit_of(const double *x, int64_t components, int64_t latent, scree_status expected)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = components;
    options.latent = latent;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    assert_int_equal(scree_model_fit(&model, source, &options, &error), expected);
    scree_source_free(source);
    return model;
}

static row_score score_of(const scree_model *model, const double *row)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score score;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(row, SCREE_F64, 1, D), &score, &error), error);
    scree_scorer_free(scorer);
    return score;
}

static void chosen_by_the_data_unless_by_you(void **state)
{
    (void)state;
    double *x = made_rows();
    const struct {
        int64_t components, latent, kept, found;
    } cases[] = {{0, 0, D, 2},          {3, 0, 3, 3},          {SCREE_ALL, 0, D, D}, {0, 4, D, 4},
                 {5, SCREE_AUTO, 5, 2}, {0, SCREE_NONE, D, 0}, {2, 1, 2, 1}};
    for (int64_t k = 0; k < COUNT_OF(cases); k++) {
        scree_model *model = fit_of(x, cases[k].components, cases[k].latent, SCREE_OK);
        assert_int_equal(scree_model_get(model)->m, cases[k].kept);
        assert_int_equal(scree_model_get(model)->latent, cases[k].found);
        assert_int_equal(scree_model_get(scree_model_distribution(model))->m, cases[k].found);
        scree_model_free(model);
    }
    assert_null(fit_of(x, 2, 3, SCREE_ERR_ARGUMENT));
    free(x);
}

/* ln p, T² and Q are those of the model with as many components; codes are those of all that are kept. */
static void the_distribution_is_the_shorter_model(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *all = fit_of(x, 0, 2, SCREE_OK);
    scree_model *two = fit_of(x, 2, 0, SCREE_OK);
    for (int64_t i = 0; i < 10; i++) {
        double means[2], others[2];
        const row_score a = score_of(all, x + i * D), b = score_of(two, x + i * D);
        EXPECT_NEAR(a.loglik, b.loglik, 1e-10);
        EXPECT_NEAR(a.t2, b.t2, 1e-10);
        EXPECT_NEAR(a.q, b.q, 1e-10);
        EXPECT_NEAR(log(a.p_value), log(b.p_value), 0.05);
        assert_int_equal(scree_model_posterior_rows(all, BLOCK(x + i * D, SCREE_F64, 1, D), means, NULL, NULL, NULL),
                         SCREE_OK);
        assert_int_equal(scree_model_posterior_rows(two, BLOCK(x + i * D, SCREE_F64, 1, D), others, NULL, NULL, NULL),
                         SCREE_OK);
        EXPECT_NEAR(means[0], others[0], 1e-10);
        EXPECT_NEAR(means[1], others[1], 1e-10);
    }
    EXPECT_NEAR(facts_of(all).log_likelihood, facts_of(two).log_likelihood, 1e-8);
    scree_model_free(all);
    scree_model_free(two);
    free(x);
}

static void files_and_arrays_remember(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, 3, 1, SCREE_OK);
    scree_model *copies[2] = {NULL, NULL};
    scree_error error = SCREE_ERROR_INIT;
    void *data = NULL;
    size_t bytes = 0;
    EXPECT_OK(scree_model_save_buffer(&data, &bytes, model, &error), error);
    EXPECT_OK(scree_model_load_buffer(&copies[0], data, bytes, &error), error);
    EXPECT_OK(scree_model_from_arrays(&copies[1], scree_model_get(model), &error), error);
    assert_int_equal(scree_model_get(model)->rest_count, D - 3);
    for (int k = 0; k < 2; k++) {
        const scree_model_view *view = scree_model_get(copies[k]);
        assert_int_equal(view->latent, 1);
        assert_int_equal(view->rest_count, D - 3);
        for (int64_t i = 0; i < D - 3; i++) {
            EXPECT_NEAR(view->rest_values[i], scree_model_get(model)->rest_values[i], 0);
            EXPECT_NEAR(view->rest_counts[i], 1, 0);
        }
        EXPECT_NEAR(score_of(copies[k], x).p_value, score_of(model, x).p_value, 0);
        scree_model_free(copies[k]);
    }
    scree_buffer_free(data);
    scree_model_free(model);
    free(x);
}

static void none_is_one_variance(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, 0, SCREE_NONE, SCREE_OK);
    const scree_model_view *view = scree_model_get(model);
    const double variance = view->total_variance / D;
    double filled[D], row[D];
    double square = 0;
    for (int64_t j = 0; j < D; j++) {
        square += pow(x[j] - view->mean[j], 2);
        row[j] = j == 1 ? NAN : x[j];
    }
    const row_score score = score_of(model, x);
    EXPECT_NEAR(score.loglik, -0.5 * (D * log(2 * acos(-1) * variance) + square / variance), 1e-10);
    EXPECT_NEAR(score.t2, 0, 0);
    assert_true(score.p_value > 0.001 && score.p_value <= 1 && score.p_value == score.p_q);
    scree_imputed out = SCREE_IMPUTED_INIT;
    out.filled = filled;
    assert_int_equal(scree_model_impute_rows(model, BLOCK(row, SCREE_F64, 1, D), &out, NULL, NULL), SCREE_OK);
    EXPECT_NEAR(filled[1], view->mean[1], 1e-12);
    EXPECT_NEAR(filled[0], x[0], 0);
    assert_true(score_of(model, row).p_value > 0.001);
    scree_model_free(model);
    free(x);
}

/* ln p by Gauss elimination of the covariance. */
static long double dense_log_density(const double *x, const double *row)
{
    long double mean[D] = {0}, a[D][D + 1] = {{0}}, log_det = 0, form = 0;
    for (int64_t i = 0; i < N * D; i++)
        mean[i % D] += (long double)x[i] / N;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            for (int64_t k = 0; k < D; k++)
                a[j][k] += (x[i * D + j] - mean[j]) * (x[i * D + k] - mean[k]) / N;
    for (int64_t j = 0; j < D; j++)
        a[j][D] = row[j] - mean[j];
    for (int64_t j = 0; j < D; j++) {
        log_det += logl(a[j][j]);
        form += a[j][D] * a[j][D] / a[j][j];
        for (int64_t k = j + 1; k < D; k++) {
            const long double factor = a[k][j] / a[j][j];
            for (int64_t l = j; l <= D; l++)
                a[k][l] -= factor * a[j][l];
        }
    }
    return -0.5L * (D * logl(2 * acosl(-1)) + log_det + form);
}

static void all_of_them_are_the_gaussian(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, SCREE_ALL, 0, SCREE_OK);
    double u[D] = {1, 2, 3, 4, 5, 6}, y[D], back[D];
    for (int64_t i = 0; i < 20; i++) {
        const row_score score = score_of(model, x + i * D);
        EXPECT_NEAR(score.loglik, dense_log_density(x, x + i * D), 1e-10);
        assert_true(score.p_value > 0 && score.p_value <= 1 && score.p_value == score.p_t2);
    }
    assert_int_equal(scree_model_precision_multiply(model, u, y, NULL), SCREE_OK);
    assert_int_equal(scree_model_marginal_multiply(model, y, back, NULL), SCREE_OK);
    for (int64_t j = 0; j < D; j++)
        EXPECT_NEAR(back[j], u[j], 1e-10);
    assert_true(isfinite(facts_of(model).log_likelihood));
    scree_model_free(model);
    free(x);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    double *x = made_rows();
    scree_model *model = fit_of(x, 3, 0, SCREE_OK);
    scree_model *other = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_with_latent(&other, model, 4, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_with_latent(&other, model, -1, &error), SCREE_ERR_ARGUMENT);
    EXPECT_OK(scree_model_with_latent(&other, model, 0, &error), error);
    assert_int_equal(scree_model_get(other)->latent, 0);
    assert_int_equal(scree_model_get(other)->m, 3);
    scree_model_free(other);
    scree_model_free(model);
    free(x);
}

/* Noise of a third to three, a cell in seven missing: components are kept for loud columns, two are latent dimensions.
 */
static void with_gaps_and_unequal_noise(void **state)
{
    (void)state;
    enum { WIDE = 20 };
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = scree__alloc(N * WIDE, sizeof *x);
    double z[2 * N], w[2 * WIDE];
    assert_non_null(x);
    scree__normals(5, 0, 0, N * WIDE, x);
    scree__normals(5, 1, 0, 2 * N, z);
    scree__normals(5, 2, 0, 2 * WIDE, w);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < WIDE; j++) {
            const double noise = pow(3, (double)j / 9.5 - 1) * x[i * WIDE + j];
            x[i * WIDE + j] = (i * 5 + j * 3) % 7 == 0 ? NAN : noise + 2 * (z[i] * w[j] + z[N + i] * w[WIDE + j]);
        }
    options.no_imputer = true;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, WIDE), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    assert_true(scree_model_get(model)->m > 2);
    assert_int_equal(scree_model_get(model)->latent, 2);
    scree_source_free(source);
    scree_model_free(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_by_the_data_unless_by_you), cmocka_unit_test(the_distribution_is_the_shorter_model),
        cmocka_unit_test(files_and_arrays_remember),        cmocka_unit_test(none_is_one_variance),
        cmocka_unit_test(all_of_them_are_the_gaussian),     cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(with_gaps_and_unequal_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
