/* SPDX-License-Identifier: BSD-3-Clause */
/* Ritz pairs of a small matrix: values in order, and the residual ‖SVy - θVy‖ as the last entries of y tell it. */

#include "support/checks.h"

#include "kernel/ritz.h"

enum { M = 4, B = 2, MAX = 6 };

/* S = [H, ER'; RE', 0] of order M + B, V its first M unit vectors, the next block the last B. */
static const double h[M][M] = {{5, 1, 0.5, 0}, {1, 4, 0.25, 0.125}, {0.5, 0.25, 3, 1}, {0, 0.125, 1, 2}};
static const double r[B][B] = {{0.5, 0.25}, {0, 0.125}};

static void fill(scree__ritz *ritz)
{
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__ritz_new(ritz, MAX, B, &error), error);
    ritz->m = M;
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = i; j < M; j++)
            ritz->h[i * MAX + j] = h[i][j];
    for (int64_t i = 0; i < B; i++)
        for (int64_t j = 0; j < B; j++)
            ritz->r[i * B + j] = r[i][j];
    EXPECT_OK(scree__ritz_solve(ritz, &error), error);
}

static void test_pairs(void **state)
{
    (void)state;
    scree__ritz ritz;
    fill(&ritz);
    for (int64_t j = 0; j < M; j++) {
        const double *y = scree__ritz_vector(&ritz, j);
        if (j > 0)
            assert_true(scree__ritz_value(&ritz, j) < scree__ritz_value(&ritz, j - 1));
        for (int64_t i = 0; i < M; i++) {
            double image = 0;
            for (int64_t c = 0; c < M; c++)
                image += h[i][c] * y[c];
            EXPECT_NEAR(image, scree__ritz_value(&ritz, j) * y[i], 1e-14);
        }
    }
    scree__ritz_clear(&ritz);
}

static void test_rest(void **state)
{
    (void)state;
    scree__ritz ritz;
    double rest[B];
    fill(&ritz);
    for (int64_t j = 0; j < M; j++) {
        const double *y = scree__ritz_vector(&ritz, j);
        scree__ritz_rest(&ritz, j, rest);
        EXPECT_NEAR(rest[0], 0.5 * y[2] + 0.25 * y[3], 1e-16);
        EXPECT_NEAR(rest[1], 0.125 * y[3], 1e-16);
    }
    scree__ritz_clear(&ritz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
