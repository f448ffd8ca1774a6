/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.78) B = U(Λ - σ²I)^½ R: R is free. A model whose components are rotated, by every method, has the same covariance
 * and likelihood, and rows come back the same; the loadings A M of orthogonal rotations have the same products AAᵀ, and
 * so have oblique ones with the correlations of their factors, A M Φ MᵀAᵀ. */

#include "support/checks.h"

#include "book_data.h"

enum { M = 3 };

static double x[BOOK_N * BOOK_D];

static void the_distribution_stays(const scree_model *model, const scree_model *rotated)
{
    double one[BOOK_D * BOOK_D];
    double other[BOOK_D * BOOK_D];
    scree_facts facts = SCREE_FACTS_INIT;
    scree_facts same = SCREE_FACTS_INIT;
    assert_int_equal(scree_model_marginal_dense(model, one, NULL), SCREE_OK);
    assert_int_equal(scree_model_marginal_dense(rotated, other, NULL), SCREE_OK);
    for (int64_t i = 0; i < BOOK_D * BOOK_D; i++)
        EXPECT_NEAR(other[i], one[i], 1e-12);
    assert_int_equal(scree_model_facts(model, &facts, NULL), SCREE_OK);
    assert_int_equal(scree_model_facts(rotated, &same, NULL), SCREE_OK);
    EXPECT_NEAR(same.log_likelihood, facts.log_likelihood, 1e-9 * fabs(facts.log_likelihood));
}

static void products_stay(const scree_model *model, const scree_model *rotated)
{
    double a[BOOK_D * M];
    double b[BOOK_D * M];
    double structure[BOOK_D * M];
    assert_int_equal(scree_model_meaning(model, SCREE_MEANING_LOADINGS, a, NULL), SCREE_OK);
    assert_int_equal(scree_model_meaning(rotated, SCREE_MEANING_LOADINGS, b, NULL), SCREE_OK);
    assert_int_equal(scree_model_meaning(rotated, SCREE_MEANING_STRUCTURE, structure, NULL), SCREE_OK);
    for (int64_t i = 0; i < BOOK_D * BOOK_D; i++) {
        double wanted = 0;
        double found = 0;
        for (int64_t k = 0; k < M; k++) {
            wanted += a[i / BOOK_D * M + k] * a[i % BOOK_D * M + k];
            found += b[i / BOOK_D * M + k] * structure[i % BOOK_D * M + k];
        }
        EXPECT_NEAR(found, wanted, 1e-12);
    }
}

/* Codes have variance 1 and the correlations that the model says. */
static void rows_come_back(const scree_model *model, const scree_model *rotated)
{
    double codes[BOOK_N * M];
    double straight[BOOK_N * M];
    double back[BOOK_N * BOOK_D];
    double wanted[BOOK_N * BOOK_D];
    const scree_block *rows = BLOCK(x, SCREE_F64, BOOK_N, BOOK_D);
    assert_int_equal(scree_model_project_rows(rotated, rows, codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(model, rows, straight, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(rotated, BLOCK(codes, SCREE_F64, BOOK_N, M), back, NULL, NULL),
                     SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(straight, SCREE_F64, BOOK_N, M), wanted, NULL, NULL),
                     SCREE_OK);
    for (int64_t i = 0; i < BOOK_N * BOOK_D; i++)
        EXPECT_NEAR(back[i], wanted[i], 1e-11);
    for (int64_t p = 0; p < M * M; p++) {
        double sum = 0;
        for (int64_t i = 0; i < BOOK_N; i++)
            sum += codes[i * M + p / M] * codes[i * M + p % M] / BOOK_N;
        EXPECT_NEAR(sum, scree_model_rotation(rotated)->correlations[p], 1e-12);
    }
}

static void test_every_rotation(void **state)
{
    (void)state;
    static const char *const methods[] = {"varimax", "quartimax", "promax", "oblimin"};
    book_rows(x);
    for (int scaled = 0; scaled < 2; scaled++) {
        scree_model *model = book_model(x, M, NULL, scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE);
        for (int64_t i = 0; i < COUNT_OF(methods); i++) {
            const scree_rotate_options options = SIZED(scree_rotate_options, .method = methods[i]);
            scree_model *rotated = NULL;
            scree_error error = SCREE_ERROR_INIT;
            EXPECT_OK(scree_model_rotate(&rotated, model, &options, &error), error);
            assert_true(scree_model_rotation(rotated)->oblique == (i >= 2));
            the_distribution_stays(model, rotated);
            products_stay(model, rotated);
            rows_come_back(model, rotated);
            scree_model_free(rotated);
        }
        scree_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_rotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
