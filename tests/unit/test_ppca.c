/* SPDX-License-Identifier: BSD-3-Clause */
/* What the spectrum alone says, and what follows when σ² is set by hand: above some eigenvalues, above all, zero. */

#include "support/checks.h"

#include "made_model.h"
#include "model/ppca.h"
#include "support/calls.h"

#include <string.h>

enum { D = 8, M = 3 };

static scree_model *with_noise(const scree_model *model, double noise)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *other = NULL;
    EXPECT_OK(scree_model_with_noise(&other, model, noise, &error), error);
    return other;
}

/* λ = 1, ½, ¼ and σ² = 0.05. */
static void facts_of_a_spectrum(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 5.0, true, NULL);
    const scree_facts facts = facts_of(model);
    const double total = 1.75 + 5 * 0.05;
    const double shares[] = {1 / total, 0.5 / total, 0.25 / total, 0.05 / total};
    double entropy = 0;
    for (int j = 0; j < 4; j++)
        entropy -= (j == 3 ? 5 : 1) * shares[j] * log(shares[j]);
    EXPECT_NEAR(scree_model_get(model)->noise_variance, 0.05, 1e-15);
    EXPECT_NEAR(facts.mutual_information, 0.5 * (log(20) + log(10) + log(5)), 1e-14);
    EXPECT_NEAR(facts.effective_rank, exp(entropy), 1e-13);
    double volume = 8 * log(2 * M_PI) + log(0.125) + 5 * log(0.05);
    for (int j = 0; j < D; j++)
        volume += 2 * log(0.5 + j % 7);
    EXPECT_NEAR(scree__ppca_log_volume(scree_model_get(model)), volume, 1e-13);
    EXPECT_NEAR(facts.log_likelihood, -500 * (volume + 8), 1e-10);
    scree_model_free(model);
}

/* Equal variances in all directions: as many as there are; one direction: one. */
static void effective_rank_at_its_ends(void **state)
{
    (void)state;
    scree_model *made = made_model(D, M, 0.0, false, NULL);
    scree_model *flat = with_noise(made, 1);
    scree_model *one = NULL;
    assert_int_equal(scree_model_truncate(&one, made, 1, NULL), SCREE_OK);
    scree_model *line = with_noise(one, 0);
    EXPECT_NEAR(facts_of(flat).effective_rank, D, 1e-13);
    EXPECT_NEAR(facts_of(flat).mutual_information, 0, 0);
    EXPECT_NEAR(facts_of(line).effective_rank, 1, 0);
    scree_model_free(line);
    scree_model_free(one);
    scree_model_free(flat);
    scree_model_free(made);
}

/* Where σ² is above an eigenvalue, the component has no loading, its variance is σ², and z says nothing of it. */
static void components_under_the_noise(void **state)
{
    (void)state;
    scree_model *made = made_model(D, M, 0.0, false, NULL);
    scree_model *model = with_noise(made, 0.375);
    const scree_model_view *view = scree_model_get(model);
    double variances[M];
    assert_true(scree__ppca_variance(view, 1) == 0.5 && scree__ppca_variance(view, 2) == 0.375);
    EXPECT_NEAR(scree__ppca_loading(view, 1), sqrt(0.125), 1e-16);
    assert_true(scree__ppca_loading(view, 2) == 0 && scree__ppca_shrink(view, 2) == 0);
    assert_int_equal(scree_model_posterior_covariance(model, variances, NULL, NULL), SCREE_OK);
    assert_true(variances[2] == 1 && variances[1] == 0.75);
    assert_false(scree__ppca_is_estimated(view));
    assert_true(scree__ppca_is_estimated(scree_model_get(made)));
    scree_model_free(model);
    scree_model_free(made);
}

static void no_noise_no_density(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 0.0, false, NULL);
    scree_model *silent = with_noise(made, 0);
    const scree_facts facts = facts_of(silent);
    assert_true(isnan(facts.log_likelihood) && isnan(facts.mutual_information));
    assert_true(facts.effective_rank > 1 && facts.effective_rank < M);
    assert_int_equal(scree__ppca_needs_noise(scree_model_get(silent), &error), SCREE_ERR_NUMERIC);
    assert_non_null(strstr(error.text, "σ² = 0"));
    assert_int_equal(scree__ppca_needs_noise(scree_model_get(made), &error), SCREE_OK);
    scree_model_free(silent);
    scree_model_free(made);
}

/* Everything but σ² stays, and the model that was given is not touched. */
static void noise_is_all_that_changes(void **state)
{
    (void)state;
    static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    scree_model *made = made_model(D, M, 5.0, true, names);
    const scree_model_view *was = scree_model_get(made);
    const double before = was->noise_variance;
    scree_model *model = with_noise(made, 7);
    const scree_model_view *is = scree_model_get(model);
    assert_true(is->noise_variance == 7 && was->noise_variance == before);
    assert_true(is->n == was->n && is->d == D && is->m == M && is->ddof == was->ddof);
    assert_true(is->total_variance == was->total_variance && is->reconstruction_error == was->reconstruction_error);
    assert_memory_equal(is->components, was->components, D * M * sizeof(double));
    assert_memory_equal(is->eigenvalues, was->eigenvalues, M * sizeof(double));
    assert_memory_equal(is->mean, was->mean, D * sizeof(double));
    assert_memory_equal(is->scale, was->scale, D * sizeof(double));
    assert_string_equal(is->columns[D - 1], "h");
    scree_model_free(model);
    scree_model_free(made);
}

static void impossible_noise_is_refused(void **state)
{
    (void)state;
    static const double bad[] = {-1e-300, -1, NAN, INFINITY};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *made = made_model(D, M, 0.0, false, NULL);
    scree_model *model = NULL;
    for (int64_t k = 0; k < COUNT_OF(bad); k++) {
        assert_int_equal(scree_model_with_noise(&model, made, bad[k], &error), SCREE_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "a noise variance is 0 or more"));
        assert_null(model);
    }
    scree_model_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_a_spectrum),        cmocka_unit_test(effective_rank_at_its_ends),
        cmocka_unit_test(components_under_the_noise), cmocka_unit_test(no_noise_no_density),
        cmocka_unit_test(noise_is_all_that_changes),  cmocka_unit_test(impossible_noise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
