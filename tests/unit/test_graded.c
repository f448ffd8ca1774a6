/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns in very different units: eigenvalues beside one 1e20 times as large, collinear columns, and constant ones. */

#include "support/checks.h"

#include "kernel/graded.h"

#include <string.h>

enum { N = 5 };

/* D H D, H with 1 and ½, where columns 1 and 2 may be the same but for their units. */
static void fill(double *a, const double *deviations, bool collinear)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const bool same = i == j || (collinear && i + j == 3 && i * j == 2);
            a[i * N + j] = deviations[i] * deviations[j] * (same ? 1 : 0.5);
        }
}

static void orthonormal(const double *v)
{
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            double dot = 0;
            for (int k = 0; k < N; k++)
                dot += v[i * N + k] * v[j * N + k];
            EXPECT_NEAR(dot, i == j, 1e-13);
        }
}

/* With the loud column, the others are what they leave of it: H less ¼ 11ᵀ, that is ½I + ¼ 11ᵀ. */
static void small_ones_keep_their_digits(void **state)
{
    (void)state;
    static const double deviations[N] = {1, 1, 1e10, 1, 1};
    double a[N * N], values[N], vectors[N * N];
    scree__graded_result found = {.values = values, .vectors = vectors};
    scree_error error = SCREE_ERROR_INIT;
    fill(a, deviations, false);
    assert_true(scree__graded_is_worth(a, N));
    EXPECT_OK(scree__graded_eigen(a, N, 1, &found, &error), error);
    EXPECT_NEAR(values[0], 1e20, 1e7);
    EXPECT_NEAR(values[1], 1.5, 1e-12);
    for (int i = 2; i < N; i++)
        EXPECT_NEAR(values[i], 0.5, 1e-12);
    assert_true(found.least < 0.5 && found.least > 0.4 && found.skew < 1e-14);
    orthonormal(vectors);
    EXPECT_NEAR(fabs(vectors[2]), 1, 1e-15);
}

static void collinear_and_constant_columns_are_nothing(void **state)
{
    (void)state;
    static const double deviations[N] = {1e8, 1, 1e-2, 0, 10};
    double a[N * N], values[N], vectors[N * N];
    scree__graded_result found = {.values = values, .vectors = vectors};
    scree_error error = SCREE_ERROR_INIT;
    fill(a, deviations, true);
    EXPECT_OK(scree__graded_eigen(a, N, 1, &found, &error), error);
    assert_true(values[2] > 0.1 && values[3] < 1e-20 && values[4] < 1e-20);
    orthonormal(vectors);
}

/* x, x + εz, 0.9z and a small one, x and z independent: what the first leaves of the second is rounding, but not its
 * product with the third. */
static void nearly_collinear_columns_keep_their_products(void **state)
{
    (void)state;
    enum { D = 4 };
    static const double e = 1e-7;
    const double s[D * D] = {1, 1, 0, 0, 1, 1 + e * e, 0.9 * e, 0, 0, 0.9 * e, 0.81, 0, 0, 0, 0, 1e-10};
    double values[D], vectors[D * D];
    scree__graded_result found = {.values = values, .vectors = vectors};
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__graded_eigen(s, D, 1, &found, &error), error);
    assert_true(found.left < 1e-14);
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            double entry = 0;
            for (int k = 0; k < D; k++)
                entry += values[k] * vectors[k * D + i] * vectors[k * D + j];
            EXPECT_NEAR(entry, s[i * D + j], 1e-14);
        }
}

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    enum { D = 3 };
    static const double e = 6e-15; /* a pivot less than rounding may be */
    const double s[D * D] = {4, 4, 0, 4, 4 * (1 + e), 0, 0, 0, 1e-9};
    double values[D], vectors[D * D];
    scree__graded_result found = {.values = values, .vectors = vectors};
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__graded_eigen(s, D, 1, &found, &error), error);
    assert_true(values[2] == 0 && found.least == 0);
    EXPECT_NEAR(found.left, 4 * e, 4e-15);
    assert_true(found.left > 2 * e); /* the eigenvalue */
}

static void equal_columns_need_nothing(void **state)
{
    (void)state;
    static const double deviations[N] = {1, 2, 3, 0, 1000};
    double a[N * N];
    fill(a, deviations, false);
    assert_false(scree__graded_is_worth(a, N));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ones_keep_their_digits), cmocka_unit_test(collinear_and_constant_columns_are_nothing),
        cmocka_unit_test(nearly_collinear_columns_keep_their_products), cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(equal_columns_need_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
