/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.66) Ancestral sampling: z ~ p(z), then x ~ p(x|z). A million draws from a model of 20 columns have its mean µ and
 * its covariance BBᵀ + σ²I, entry by entry, within 5 standard errors; so have draws of models without noise or scale.
 */

#include "support/checks.h"

#include "support/calls.h"
#include "support/drawn.h"
#include "unit/made_model.h"

enum { D = 20, M = 4, DRAWS = SLOW_BUILD ? 20000 : 1000000 };

static void draws_have_moments(const scree_model *model, int64_t rows, uint64_t seed)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    double covariance[D * D];
    const double *mean = scree_model_get(model)->mean;
    assert_int_equal(scree_model_marginal_dense(model, covariance, NULL), SCREE_OK);
    EXPECT_OK(sample_of(&source, model, rows, seed, 0, &error), error);
    drawn found = drawn_from(source, 0, D, mean);
    assert_int_equal(found.n, rows);
    drawn_expect(&found, mean, covariance);
    drawn_free(&found);
    scree_source_free(source);
}

static void a_million_draws(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 100.0, true, NULL);
    draws_have_moments(model, DRAWS, 66);
    scree_model_free(model);
}

static void other_models_and_seeds(void **state)
{
    (void)state;
    static const int64_t components[] = {1, 7, D - 1, D};
    for (int64_t k = 0; k < COUNT_OF(components); k++) {
        scree_model *model = made_model(D, components[k], 1.0, k % 2, NULL);
        scree_model *silent = NULL;
        assert_int_equal(scree_model_with_noise(&silent, model, 0, NULL), SCREE_OK);
        draws_have_moments(model, DRAWS / 20, (uint64_t)k);
        draws_have_moments(silent, DRAWS / 20, UINT64_MAX - (uint64_t)k);
        scree_model_free(silent);
        scree_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_draws), cmocka_unit_test(other_models_and_seeds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
