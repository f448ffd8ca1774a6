/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes of 2 bits: counts of their codes, what follows from these, tiles, and products with a few vectors, against
 * plain loops over one call after the other. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixed_draws.h"
#include "kernel/calls_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1009, D = 211, STRIDE = (N + 3) / 4, B = 13 };

static uint8_t packed[D * STRIDE];
static double tables[D * SCREE__CALLS];
static double q[N * B];

static int code(int64_t sample, int64_t variant)
{
    return packed[variant * STRIDE + sample / 4] >> sample % 4 * 2 & 3;
}

static void fill(void)
{
    fixed_state = 7;
    for (int i = 0; i < D * STRIDE; i++)
        packed[i] = (uint8_t)(fixed_draw() >> 5);
    for (int i = 0; i < D * SCREE__CALLS; i++)
        tables[i] = (double)(fixed_draw() % 2001 - 1000) / 512;
    for (int i = 0; i < N * B; i++)
        q[i] = (double)(fixed_draw() % 2001 - 1000) / 1024;
}

static void test_counts(void **state)
{
    (void)state;
    fill();
    for (int64_t n = 1; n <= 200; n++)
        for (int64_t v = 0; v < 5; v++) {
            int64_t of[SCREE__CALLS] = {0};
            for (int64_t i = 0; i < n; i++)
                of[code(i, v)]++;
            const scree__call_counts counts = scree__calls_count(packed + v * STRIDE, n);
            assert_memory_equal(counts.of, of, sizeof of);
        }
}

static void test_means_and_squares(void **state)
{
    (void)state;
    static const double copies[] = {[SCREE__CALL_TWO] = 2, [SCREE__CALL_ONE] = 1, [SCREE__CALL_NONE] = 0};
    for (int64_t v = 0; v < D; v++) {
        const scree__call_counts counts = scree__calls_count(packed + v * STRIDE, N);
        double sum = 0;
        double squares = 0;
        int64_t present = 0;
        for (int64_t i = 0; i < N; i++)
            if (code(i, v) != SCREE__CALL_MISSING) {
                sum += copies[code(i, v)];
                present++;
            }
        for (int64_t i = 0; i < N; i++)
            if (code(i, v) != SCREE__CALL_MISSING)
                squares += pow(copies[code(i, v)] - sum / (double)present, 2);
        assert_int_equal(scree__calls_present(&counts), present);
        assert_true(scree__calls_mean(&counts) == sum / (double)present);
        assert_true(fabs(scree__calls_squares(&counts) - squares) < 1e-12 * squares);
    }
    const scree__call_counts nothing = {{[SCREE__CALL_MISSING] = 5}};
    assert_true(scree__calls_mean(&nothing) == 0 && scree__calls_squares(&nothing) == 0);
    const scree__call_counts alike = {{[SCREE__CALL_ONE] = 5}};
    assert_true(scree__calls_mean(&alike) == 1 && scree__calls_squares(&alike) == 0);
    assert_true(scree__calls_scale(1) == sqrt(0.5) && scree__calls_scale(0) == 1 && scree__calls_scale(2) == 1);
}

/* The tiles of this machine are those of any machine. */
static void test_tiles(void **state)
{
    (void)state;
    float narrow[D * SCREE__CALLS];
    static float one[2][30 * SCREE__BLOCK * SCREE__BLOCK];
    static double two[2][30 * SCREE__BLOCK * SCREE__BLOCK];
    for (int i = 0; i < D * SCREE__CALLS; i++)
        narrow[i] = (float)tables[i];
    for (int64_t block = 0; block < 43; block++) { /* the last one reaches past the end */
        const scree__calls_part part = {.packed = packed,
                                        .stride = STRIDE,
                                        .variants = 17,
                                        .block = block,
                                        .blocks = block < 40 ? 3 : 43 - block,
                                        .rows = SCREE__BLOCK,
                                        .apart = 2 * SCREE__BLOCK * SCREE__BLOCK};
        memset(one, 1, sizeof one);
        memset(two, 1, sizeof two);
        scree__calls_lay_f32(&part, narrow, one[0]);
        scree__calls_lay_portable_f32(&part, narrow, one[1]);
        scree__calls_lay_f64(&part, tables, two[0]);
        scree__calls_lay_portable_f64(&part, tables, two[1]);
        assert_memory_equal(one[0], one[1], sizeof one[0]);
        assert_memory_equal(two[0], two[1], sizeof two[0]);
        for (int64_t b = 0; b < part.blocks; b++)
            for (int64_t v = 0; v < SCREE__BLOCK; v++)
                for (int64_t i = 0; i < SCREE__BLOCK; i++) {
                    const int64_t sample = (block + b) * SCREE__BLOCK + i;
                    const double found = two[0][b * part.apart + v * SCREE__BLOCK + i];
                    if (v >= part.variants)
                        assert_true(found == 0);
                    else if (sample < N)
                        assert_true(found == tables[v * SCREE__CALLS + code(sample, v)]);
                }
    }
}

/* T and W with the vectors' first b columns, blocks of so many variants. */
static void multiply(scree_type type, int64_t b, int64_t at_once, int threads, double *t, double *w)
{
    const scree__calls_size size = {N, B, type, threads};
    scree__calls_product *product = NULL;
    double *columns = malloc(N * (size_t)b * sizeof *columns);
    for (int64_t i = 0; i < N * b; i++)
        columns[i] = q[i / b * B + i % b];
    assert_int_equal(scree__calls_product_new(&product, &size, NULL), SCREE_OK);
    for (int round = 0; round < 2; round++) { /* the second finds nothing of the first */
        scree__calls_product_start(product, columns, b);
        for (int64_t first = 0; first < D; first += at_once) {
            const scree__calls_block block = {.packed = packed + first * STRIDE,
                                              .stride = STRIDE,
                                              .variants = D - first < at_once ? D - first : at_once,
                                              .tables = tables + first * SCREE__CALLS};
            scree__calls_product_forward(product, &block, t + first * b);
            scree__calls_product_backward(product, &block, t + first * b);
        }
        scree__calls_product_finish(product, w);
    }
    scree__calls_product_free(product);
    free(columns);
}

static double value(int64_t sample, int64_t variant)
{
    return tables[variant * SCREE__CALLS + code(sample, variant)];
}

static void test_products(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 4, 8, 13};
    static double t[D * B];
    static double w[N * B];
    static double t_plain[D * B];
    static double w_plain[N * B];
    for (int c = 0; c < 8; c++) {
        const scree_type type = c < 4 ? SCREE_F64 : SCREE_F32;
        const double bound = type == SCREE_F64 ? 1e-10 : 0.05;
        const int64_t b = widths[c % 4];
        memset(t_plain, 0, sizeof t_plain);
        memset(w_plain, 0, sizeof w_plain);
        for (int64_t v = 0; v < D; v++)
            for (int64_t i = 0; i < N; i++)
                for (int64_t l = 0; l < b; l++)
                    t_plain[v * b + l] += value(i, v) * q[i * B + l];
        for (int64_t i = 0; i < N; i++)
            for (int64_t v = 0; v < D; v++)
                for (int64_t l = 0; l < b; l++)
                    w_plain[i * b + l] += value(i, v) * t_plain[v * b + l];
        multiply(type, b, 96, 1, t, w);
        for (int64_t i = 0; i < D * b; i++)
            assert_true(fabs(t[i] - t_plain[i]) < bound);
        for (int64_t i = 0; i < N * b; i++)
            assert_true(fabs(w[i] - w_plain[i]) < bound);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    static double t[2][D * B];
    static double w[2][N * B];
    for (int type = SCREE_F32; type <= SCREE_F64; type++) {
        multiply((scree_type)type, B, 96, 1, t[0], w[0]);
        multiply((scree_type)type, B, 96, 3, t[1], w[1]);
        assert_memory_equal(t[0], t[1], sizeof t[0]);
        assert_memory_equal(w[0], w[1], sizeof w[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_means_and_squares), cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_products), cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
