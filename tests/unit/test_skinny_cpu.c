/* SPDX-License-Identifier: BSD-3-Clause */
/* Skinny products against plain loops, by BLAS and by what this machine has: strips whose rows and columns are no
 * multiple of a group, panels that are not full, and sums of parts. */

#include "support/checks.h"

#include "kernel/skinny.h"
#include "support/rows.h"

enum { MOST = 80, LD = 83, MOST_LANES = 16, APART = 40 };

static void expect_forward(const scree__skinny *k, int64_t height, int64_t cols)
{
    static double p[MOST * LD];
    static double q[MOST * MOST_LANES];
    static double y[MOST * MOST_LANES];
    for (int64_t i = 0; i < MOST * LD; i++)
        p[i] = rows_random(1, i, 0);
    for (int64_t i = 0; i < MOST * MOST_LANES; i++)
        q[i] = rows_random(2, i, 0);
    const scree__strip strip = {.p = p, .ld = LD, .rows = height, .cols = cols};
    assert_int_equal(k->forward(&strip, q, y), 0);
    for (int64_t i = 0; i < height; i++)
        for (int64_t l = 0; l < k->lanes; l++) {
            double wanted = 0;
            for (int64_t j = 0; j < cols; j++)
                wanted += p[i * LD + j] * q[j * k->lanes + l];
            EXPECT_NEAR(y[i * k->lanes + l], wanted, 1e-12);
        }
}

static void expect_backward(const scree__skinny *k, int64_t height, int64_t cols, int64_t width)
{
    static float p[MOST * LD];
    static float y[MOST * MOST_LANES];
    static double w[MOST * APART];
    for (int64_t i = 0; i < MOST * LD; i++)
        p[i] = (float)rows_random(1, i, 0);
    for (int64_t i = 0; i < MOST * MOST_LANES; i++)
        y[i] = (float)rows_random(2, i, 0);
    for (int64_t i = 0; i < MOST * APART; i++)
        w[i] = (double)i;
    const scree__strip strip = {.p = p, .ld = LD, .rows = height, .cols = cols};
    assert_int_equal(k->backward(&strip, y, w, APART, width), 0);
    for (int64_t j = 0; j < MOST; j++)
        for (int64_t l = 0; l < APART; l++) {
            double wanted = 0;
            for (int64_t i = 0; i < height && j < cols && l < width; i++)
                wanted += (double)p[i * LD + j] * (double)y[i * k->lanes + l];
            EXPECT_NEAR(w[j * APART + l] - (double)(j * APART + l), wanted, 1e-3);
        }
}

static void test_products(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 5, 6, 7, 64, 65, 80};
    for (int64_t i = 0; i < COUNT_OF(sizes); i++)
        for (int64_t j = 0; j < COUNT_OF(sizes); j++) {
            expect_forward(&scree__skinny_blas_f64, sizes[i], sizes[j]);
            expect_forward(scree__skinny_best_f64(), sizes[i], sizes[j]);
            expect_backward(&scree__skinny_blas_f32, sizes[i], sizes[j], 1 + j % 16);
            expect_backward(scree__skinny_best_f32(), sizes[i], sizes[j], 16 - j % 16);
        }
}

static void test_panels(void **state)
{
    (void)state;
    enum { N = 3, B = 11 };
    double q[N * B];
    double out[N * 16];
    const scree__skinny *k = &scree__skinny_blas_f64;
    assert_int_equal(k->lanes, 8);
    for (int i = 0; i < N * B; i++)
        q[i] = i + 1;
    k->split(q, N, B, out);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 16; j++)
            EXPECT_NEAR(out[(j / 8) * N * 8 + i * 8 + j % 8], j < B ? q[i * B + j] : 0, 0);
}

static void test_sums(void **state)
{
    (void)state;
    const double parts[] = {1, 2, 9, 10, 20, 9, 100, 200, 9};
    double out[2];
    scree__skinny_best_f64()->sum(parts, 3, 3, 2, out);
    EXPECT_NEAR(out[0], 111, 0);
    EXPECT_NEAR(out[1], 222, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
