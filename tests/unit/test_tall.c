/* SPDX-License-Identifier: BSD-3-Clause */
/* Tall matrices: products against plain loops, orthonormal bases of anything, rank-deficient and badly scaled too; the
 * same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/tall.h"
#include "support/rows.h"

#include <string.h>

/* height×cols with leading dimension cols + 2. */
static scree__tall made(int64_t height, int64_t cols, uint64_t seed)
{
    scree__tall t = {scree__alloc(height * (cols + 2), sizeof(double)), height, cols, cols + 2};
    assert_non_null(t.x);
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < cols + 2; j++)
            t.x[i * t.ld + j] = j < cols ? rows_random(seed, i, j) : NAN;
    return t;
}

static double dot(const scree__tall *a, int64_t i, const scree__tall *b, int64_t j)
{
    double sum = 0;
    for (int64_t r = 0; r < a->rows; r++)
        sum += a->x[r * a->ld + i] * b->x[r * b->ld + j];
    return sum;
}

static const struct {
    int64_t rows;
    int64_t a;
    int64_t b;
} shapes[] = {{1, 1, 1}, {7, 3, 2}, {1023, 5, 5}, {1025, 65, 3}, {2100, 130, 8}};

static void test_cross_and_subtract(void **state)
{
    (void)state;
    for (int64_t s = 0; s < COUNT_OF(shapes); s++) {
        scree__tall a = made(shapes[s].rows, shapes[s].a, 1);
        double *h = scree__alloc(a.cols * shapes[s].b, sizeof *h);
        double *one = NULL;
        for (int threads = 1; threads <= 3; threads++) {
            scree__tall b = made(shapes[s].rows, shapes[s].b, 2);
            assert_int_equal(scree__tall_cross(&a, &b, h, threads), 0);
            for (int64_t i = 0; threads == 1 && i < a.cols; i++)
                for (int64_t j = 0; j < b.cols; j++)
                    EXPECT_NEAR(h[i * b.cols + j], dot(&a, i, &b, j), 1e-11);
            scree__tall before = made(shapes[s].rows, shapes[s].b, 2);
            assert_int_equal(scree__tall_subtract(&a, h, &b, threads), 0);
            for (int64_t r = 0; r < b.rows; r += 101)
                for (int64_t j = 0; j < b.cols; j++) {
                    double wanted = before.x[r * b.ld + j];
                    for (int64_t i = 0; i < a.cols; i++)
                        wanted -= a.x[r * a.ld + i] * h[i * b.cols + j];
                    EXPECT_NEAR(b.x[r * b.ld + j], wanted, 1e-9);
                }
            if (one)
                assert_memory_equal(one, b.x, (size_t)(b.rows * b.ld) * sizeof *one);
            free(before.x);
            free(one);
            one = b.x;
        }
        free(one);
        free(h);
        free(a.x);
    }
}

static void test_rotate(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double *one = NULL;
    double y[5 * 3];
    for (int i = 0; i < 15; i++)
        y[i] = rows_random(3, i, 0);
    const scree__tall before = made(1500, 5, 4);
    for (int threads = 1; threads <= 3; threads++) {
        scree__tall a = made(1500, 5, 4);
        assert_int_equal(scree__tall_rotate(&a, y, 3, threads, &error), SCREE_OK);
        for (int64_t r = 0; r < a.rows; r++)
            for (int64_t j = 0; j < 3; j++) {
                double wanted = 0;
                for (int64_t i = 0; i < 5; i++)
                    wanted += before.x[r * a.ld + i] * y[i * 3 + j];
                EXPECT_NEAR(a.x[r * a.ld + j], wanted, 1e-14);
            }
        if (one)
            assert_memory_equal(one, a.x, (size_t)(a.rows * a.ld) * sizeof *one);
        free(one);
        one = a.x;
    }
    free(one);
    free(before.x);
}

/* A = QR, Q orthonormal. */
static void expect_basis(scree__tall *a, double scale)
{
    scree_error error = SCREE_ERROR_INIT;
    const int64_t n = a->cols;
    double *r = scree__alloc(n * n, sizeof *r);
    double *before = scree__alloc(a->rows * a->ld, sizeof *before);
    memcpy(before, a->x, (size_t)(a->rows * a->ld) * sizeof *before);
    EXPECT_OK(scree__tall_orthonormalise(a, r, 2, &error), error);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            EXPECT_NEAR(dot(a, i, a, j), i == j ? 1 : 0, 1e-14);
            assert_true(j >= i || r[i * n + j] == 0);
        }
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += a->x[row * a->ld + i] * r[i * n + j];
            EXPECT_NEAR(sum, before[row * a->ld + j], 1e-13 * scale);
        }
    free(before);
    free(r);
}

static void test_orthonormalise(void **state)
{
    (void)state;
    static const int64_t heights[] = {8, 9, 513, 1025};
    for (int64_t s = 0; s < COUNT_OF(heights); s++) {
        scree__tall a = made(heights[s], 8, 5);
        expect_basis(&a, 1);
        free(a.x);
    }
}

/* Column 3 depends on two others, column 5 nearly so, column 6 is zero, column 7 tiny. */
static void test_orthonormalise_what_is_not_a_basis(void **state)
{
    (void)state;
    scree__tall a = made(700, 8, 6);
    for (int64_t i = 0; i < a.rows; i++) {
        double *row = a.x + i * a.ld;
        row[3] = row[0] + row[1];
        row[5] = row[2] + 1e-9 * row[5];
        row[6] = 0;
        row[7] *= 1e-100;
    }
    expect_basis(&a, 3);
    memset(a.x, 0, (size_t)(a.rows * a.ld) * sizeof *a.x);
    expect_basis(&a, 1);
    free(a.x);
}

static void test_randomise(void **state)
{
    (void)state;
    scree__tall a = made(20, 3, 7);
    scree__tall b = made(20, 3, 8);
    scree__tall_randomise(&a, 1, 2);
    scree__tall_randomise(&b, 1, 2);
    for (int64_t i = 0; i < 20; i++) {
        assert_memory_equal(a.x + i * a.ld, b.x + i * b.ld, 3 * sizeof(double));
        assert_true(isnan(a.x[i * a.ld + 3]));
    }
    scree__tall_randomise(&b, 1, 3);
    assert_true(a.x[0] != b.x[0]);
    free(a.x);
    free(b.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cross_and_subtract), cmocka_unit_test(test_rotate),
        cmocka_unit_test(test_orthonormalise),     cmocka_unit_test(test_orthonormalise_what_is_not_a_basis),
        cmocka_unit_test(test_randomise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
