/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations of one matrix of loadings against what R found of it (rotation.R), to 1e-6, up to the order and the signs
 * of factors; and what R has no answer to: a row of zeros, and one factor. */

#include "support/checks.h"

#include "kernel/rotation.h"
#include "rotation_golden.h"

#include <math.h>
#include <string.h>

enum { D = GOLDEN_D, K = GOLDEN_K };

static const double TOLERANCE = 1e-6;

static void rotate(const scree__rotate *asked, double *b, double *m)
{
    bool converged = false;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__rotate_run(asked, m, &converged, &error), error);
    assert_true(converged);
    scree__small_product(false, asked->d, asked->k, asked->k, asked->a, m, b);
}

static scree__rotate of_golden(scree__simplicity method, bool kaiser)
{
    return (scree__rotate){golden_loadings, D, K, method, kaiser, 4, 0, 5, 1};
}

/* Which column of found is column k of wanted, and on which side: 1 and its number, negative when turned. */
static int64_t find_column(const double *found, const double *wanted, int64_t k)
{
    int64_t best = 0;
    double most = 0;
    for (int64_t l = 0; l < K; l++) {
        double dot = 0;
        double square = 0;
        for (int64_t j = 0; j < D; j++) {
            dot += found[j * K + l] * wanted[j * K + k];
            square += found[j * K + l] * found[j * K + l];
        }
        if (fabs(dot) / sqrt(square) > most) {
            most = fabs(dot) / sqrt(square);
            best = dot < 0 ? -(l + 1) : l + 1;
        }
    }
    return best;
}

static void expect_golden(scree__simplicity method, bool kaiser, const double *wanted, const double *correlations)
{
    double b[D * K];
    double m[K * K];
    double inverse[K * K];
    int64_t at[K];
    const scree__rotate asked = of_golden(method, kaiser);
    rotate(&asked, b, m);
    for (int64_t k = 0; k < K; k++) {
        at[k] = find_column(b, wanted, k);
        const int64_t l = llabs(at[k]) - 1;
        for (int64_t j = 0; j < D; j++)
            EXPECT_NEAR((at[k] < 0 ? -1 : 1) * b[j * K + l], wanted[j * K + k], TOLERANCE);
    }
    assert_int_equal(scree__small_inverse(m, K, inverse, NULL), SCREE_OK);
    for (int64_t i = 0; i < K * K; i++) {
        const int64_t p = llabs(at[i / K]) - 1;
        const int64_t q = llabs(at[i % K]) - 1;
        double sum = 0;
        for (int64_t l = 0; l < K; l++)
            sum += inverse[p * K + l] * inverse[q * K + l];
        sum *= (at[i / K] < 0) == (at[i % K] < 0) ? 1 : -1;
        EXPECT_NEAR(sum, correlations ? correlations[i] : (double)(i % (K + 1) == 0), TOLERANCE);
    }
}

static void they_are_those_of_r(void **state)
{
    (void)state;
    expect_golden(SCREE__VARIMAX, true, golden_varimax, NULL);
    expect_golden(SCREE__VARIMAX, false, golden_varimax_raw, NULL);
    expect_golden(SCREE__QUARTIMAX, true, golden_quartimax, NULL);
    expect_golden(SCREE__PROMAX, true, golden_promax, golden_promax_correlations);
    expect_golden(SCREE__OBLIMIN, true, golden_oblimin, golden_oblimin_correlations);
    double b[D * K];
    double m[K * K];
    const scree__rotate raw = of_golden(SCREE__OBLIMIN, false);
    rotate(&raw, b, m);
    for (int64_t k = 0; k < K; k++) {
        const int64_t at = find_column(b, golden_oblimin_raw, k);
        for (int64_t j = 0; j < D; j++)
            EXPECT_NEAR((at < 0 ? -1 : 1) * b[j * K + llabs(at) - 1], golden_oblimin_raw[j * K + k], TOLERANCE);
    }
}

/* A column that the components say nothing of is in nobody's way: its loadings stay 0, the others do not move, but for
 * varimax, which counts it. */
static void a_row_of_zeros_changes_nothing(void **state)
{
    (void)state;
    static const scree__simplicity methods[] = {SCREE__QUARTIMAX, SCREE__OBLIMIN};
    for (int i = 0; i < 2; i++) {
        double a[(D + 1) * K] = {0};
        double b[(D + 1) * K];
        double before[D * K];
        double m[K * K];
        scree__rotate asked = of_golden(methods[i], true);
        rotate(&asked, before, m);
        memcpy(a + K, golden_loadings, sizeof golden_loadings);
        asked.a = a;
        asked.d = D + 1;
        rotate(&asked, b, m);
        for (int64_t j = 0; j < K; j++)
            assert_true(b[j] == 0);
        for (int64_t j = 0; j < D * K; j++)
            EXPECT_NEAR(b[K + j], before[j], 1e-9);
    }
}

static void one_factor_has_nothing_to_rotate(void **state)
{
    (void)state;
    for (int method = SCREE__VARIMAX; method <= SCREE__OBLIMIN; method++) {
        double b[D];
        double m[1];
        const scree__rotate asked = {golden_varimax, D, 1, (scree__simplicity)method, true, 4, 0, 5, 1};
        rotate(&asked, b, m);
        assert_true(m[0] == 1);
    }
}

/* Loadings in two blocks, turned away from them: every method finds the blocks, from wherever it starts. */
static void it_finds_blocks(void **state)
{
    (void)state;
    static const double blocks[] = {0.9, 0, 0.8, 0, 0.7, 0, 0, 0.6, 0, 0.9, 0, 0.5};
    for (int method = SCREE__VARIMAX; method <= SCREE__OBLIMIN; method++)
        for (int step = 0; step < 8; step++) {
            double a[12];
            double b[12];
            double m[4];
            for (int64_t j = 0; j < 6; j++) {
                a[2 * j] = cos(step) * blocks[2 * j] - sin(step) * blocks[2 * j + 1];
                a[2 * j + 1] = sin(step) * blocks[2 * j] + cos(step) * blocks[2 * j + 1];
            }
            const scree__rotate asked = {a, 6, 2, (scree__simplicity)method, true, 4, 0, 10, 1};
            rotate(&asked, b, m);
            for (int64_t j = 0; j < 6; j++) {
                EXPECT_NEAR(fabs(b[2 * j] * b[2 * j + 1]), 0, 1e-9);
                EXPECT_NEAR(hypot(b[2 * j], b[2 * j + 1]), hypot(a[2 * j], a[2 * j + 1]), 1e-9);
            }
        }
}

/* With γ > 0 the criterion of many columns is far below -1; that must not keep it from having converged. */
static void criteria_below_zero_converge(void **state)
{
    (void)state;
    enum { MANY = 60, FACTORS = 4 };
    for (int64_t d = 40; d <= MANY; d += 20) {
        double a[MANY * FACTORS];
        double b[MANY * FACTORS];
        double m[FACTORS * FACTORS];
        for (int64_t i = 0; i < d * FACTORS; i++) {
            const double own = i % FACTORS == i / FACTORS % FACTORS ? 0.7 : 0.1;
            a[i] = own + 0.2 * sin((double)(7 * i + 3));
        }
        const scree__rotate asked = {a, d, FACTORS, SCREE__OBLIMIN, true, 4, 0.5, 5, 1};
        rotate(&asked, b, m);
    }
}

static void what_has_no_inverse_is_told(void **state)
{
    (void)state;
    static const double singular[] = {1, 2, 2, 4};
    double inverse[4];
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__small_inverse(singular, 2, inverse, &error), SCREE_ERR_NUMERIC);
    assert_non_null(strstr(error.text, "rotate fewer components"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_those_of_r),
        cmocka_unit_test(a_row_of_zeros_changes_nothing),
        cmocka_unit_test(one_factor_has_nothing_to_rotate),
        cmocka_unit_test(it_finds_blocks),
        cmocka_unit_test(criteria_below_zero_converge),
        cmocka_unit_test(what_has_no_inverse_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
