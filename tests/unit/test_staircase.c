/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values of rows of very different lengths, against Jacobi's one-sided method: each to its own digits. */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/blas.h"
#include "kernel/staircase.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

typedef double (*length)(int64_t i, int64_t m, double spread);

static double even_steps(int64_t i, int64_t m, double spread)
{
    return pow(spread, -(double)i / (double)(m - 1));
}

static double two_levels(int64_t i, int64_t m, double spread)
{
    return 2 * i < m ? 1 : 1 / spread;
}

static double one_large(int64_t i, int64_t m, double spread)
{
    (void)m;
    return i == 0 ? 1 : 1 / spread;
}

static double three_levels(int64_t i, int64_t m, double spread)
{
    return pow(spread, -floor(3 * (double)i / (double)m) / 2);
}

/* The upper triangle of m rows of n normal numbers, with 1 on the diagonal, columns times the lengths. */
static void fill(double *rows, int64_t m, int64_t n, length of, double spread)
{
    for (int64_t i = 0; i < m; i++) {
        double *row = rows + i * n;
        scree__normals(7, (uint64_t)i, 0, n, row);
        for (int64_t j = 0; j < n; j++)
            row[j] = j < i ? 0 : (i == j ? 1 : row[j] / sqrt((double)n)) * of(j < m ? j : m - 1, m, spread);
    }
}

static int descending(const void *x, const void *y)
{
    const double a = *(const double *)x;
    const double b = *(const double *)y;
    return (a < b) - (a > b);
}

/* Rows over their lengths are orthonormal, and these are the singular values. */
static void check(int64_t m, int64_t n, length of, double spread)
{
    scree_error error = SCREE_ERROR_INIT;
    double *rows = malloc((size_t)(m * n) * sizeof *rows);
    double *other = malloc((size_t)(m * n) * sizeof *other);
    double *left = malloc((size_t)(3 * m * n) * sizeof *left);
    double sigma[MOST], expected[MOST];
    assert_true(rows && other && left && m <= MOST);
    fill(rows, m, n, of, spread);
    memcpy(other, rows, (size_t)(m * n) * sizeof *other);
    scree__staircase s = {
        .rows = rows, .m = m, .n = n, .threads = 2, .sigma = sigma, .upper = spread > 1e7, .room = left};
    EXPECT_OK(scree__staircase_climb(&s, &error), error);
    assert_true(s.found && s.skew < 4 * (double)m * DBL_EPSILON);
    scree__blas_enter();
    assert_int_equal(scree__dgejsv(n, m, other, n, expected, left, n, NULL, m), 0);
    scree__blas_leave();
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j <= i; j++) {
            double dot = 0;
            for (int64_t k = 0; k < n; k++)
                dot += rows[i * n + k] / sigma[i] * (rows[j * n + k] / sigma[j]);
            EXPECT_NEAR(dot, i == j, 1e-12);
        }
    qsort(sigma, (size_t)m, sizeof *sigma, descending);
    for (int64_t i = 0; i < m; i++)
        EXPECT_NEAR(sigma[i] / expected[i], 1, 1e-11);
    free(rows);
    free(other);
    free(left);
}

static void values_are_jacobis(void **state)
{
    (void)state;
    static const length lengths[] = {even_steps, two_levels, one_large, three_levels};
    static const double spreads[] = {1e4, 1e6, 1e8, 1e12, 1e20};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            check(30, 30, lengths[i], spreads[j]);
            check(130, 140, lengths[i], spreads[j]);
        }
}

/* Equal values, and rows that are orthogonal already. */
static void ties_are_no_matter(void **state)
{
    (void)state;
    enum { M = 24 };
    double rows[M * M] = {0};
    double room[3 * M * M];
    double sigma[M];
    scree_error error = SCREE_ERROR_INIT;
    for (int i = 0; i < M; i++) /* blocks of 2 by rotations, of the same length in fours, each 10⁻³ of those before */
        for (int j = 0; j < 2; j++)
            rows[i * M + i / 2 * 2 + j] = pow(1e-3, i / 4) * (j == i % 2 ? 0.8 : i % 2 ? -0.6 : 0.6);
    scree__staircase s = {.rows = rows, .m = M, .n = M, .threads = 1, .sigma = sigma, .room = room};
    EXPECT_OK(scree__staircase_climb(&s, &error), error);
    assert_true(s.found);
    for (int i = 0; i < M; i++)
        EXPECT_NEAR(sigma[i] / pow(1e-3, i / 4), 1, 1e-14);
}

/* Two rows that differ by the last digits alone. */
static void parallel_rows_are_told_of(void **state)
{
    (void)state;
    double rows[6] = {1, 1, 1, 1, 1, 1};
    double room[18];
    double sigma[2];
    scree_error error = SCREE_ERROR_INIT;
    scree__staircase s = {.rows = rows, .m = 2, .n = 3, .threads = 1, .sigma = sigma, .room = room};
    EXPECT_OK(scree__staircase_climb(&s, &error), error);
    assert_true(!s.found || fmin(sigma[0], sigma[1]) < 1e-12);
    EXPECT_NEAR(fmax(sigma[0], sigma[1]), sqrt(6), 1e-14);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    enum { M = 150 };
    double *rows[2];
    double *room = malloc(3 * M * M * sizeof *room);
    double sigma[2][M];
    scree_error error = SCREE_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        rows[i] = malloc(M * M * sizeof **rows);
        assert_true(rows[i] && room);
        fill(rows[i], M, M, even_steps, 1e10);
        scree__staircase s = {
            .rows = rows[i], .m = M, .n = M, .threads = i == 0 ? 1 : 5, .sigma = sigma[i], .room = room};
        EXPECT_OK(scree__staircase_climb(&s, &error), error);
    }
    assert_memory_equal(rows[0], rows[1], M * M * sizeof **rows);
    assert_memory_equal(sigma[0], sigma[1], sizeof sigma[0]);
    free(rows[0]);
    free(rows[1]);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_jacobis), cmocka_unit_test(ties_are_no_matter),
                                       cmocka_unit_test(parallel_rows_are_told_of),
                                       cmocka_unit_test(threads_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
