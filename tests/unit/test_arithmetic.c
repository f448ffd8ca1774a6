/* SPDX-License-Identifier: BSD-3-Clause */
/* What is predicted has the bits of the plain sum in order, each product and each sum rounded by itself, whatever the
 * processor can fuse; and a correction brings every cell within its bound. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/arithmetic.h"
#include "archive/values.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 7, COLS = 37, MOST = 19 };

static double drawn(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)*seed * 0x1p-63;
}

static void test_plain_sums(void **state)
{
    double mean[COLS];
    double scales[MOST];
    double codes[ROWS * MOST];
    double predicted[ROWS * COLS];
    int32_t basis[MOST * COLS];
    uint64_t seed = 1;
    (void)state;
    for (int64_t m = 0; m <= MOST; m += 1 + m / 2) {
        double *tiles = calloc((size_t)scree__tiles_size(COLS, m), sizeof *tiles);
        assert_non_null(tiles);
        for (int j = 0; j < COLS; j++)
            mean[j] = 3 * drawn(&seed);
        for (int64_t i = 0; i < m * COLS; i++)
            basis[i] = (int32_t)(1e5 * drawn(&seed));
        for (int64_t i = 0; i < m; i++)
            scales[i] = fabs(1e-5 * drawn(&seed));
        for (int64_t i = 0; i < ROWS * m; i++)
            codes[i] = rint(1000 * drawn(&seed));
        scree__tiles_make(tiles, mean, basis, scales, COLS, m);
        scree__predict(tiles, codes, predicted, ROWS, COLS, m);
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < COLS; j++) {
                volatile double sum = mean[j];
                for (int64_t k = 0; k < m; k++) {
                    volatile double entry = scales[k] * basis[k * COLS + j];
                    volatile double product = codes[i * m + k] * entry;
                    sum = sum + product;
                }
                assert_true(predicted[i * COLS + j] == sum);
            }
        free(tiles);
    }
}

/* Corrections, and the decoder's view of them. */
static void check(const scree__lattice *lattice, const double *x, const double *predicted)
{
    int32_t k[COLS];
    double back[COLS];
    double again[COLS];
    scree__correct(lattice, x, predicted, k, back, COLS);
    scree__restore(lattice, predicted, k, again, COLS);
    for (int j = 0; j < COLS; j++) {
        if (k[j] >= SCREE__VALUE_RAW)
            continue;
        assert_true(back[j] == again[j]);
        assert_true(fabs(back[j] - x[j]) <= lattice->bound);
    }
    assert_int_equal(k[0], SCREE__VALUE_NAN);
    assert_int_equal(k[1], SCREE__VALUE_RAW);
    assert_true(k[2] < SCREE__VALUE_RAW);
}

static void test_corrections(void **state)
{
    const scree__lattice any = {.type = SCREE_F64, .width = 0.02, .bound = 0.01};
    const scree__lattice floats = {.type = SCREE_F32, .width = 0.0199, .bound = 0.01};
    const scree__lattice whole = {.type = SCREE_F64, .grid = 1, .low = -1000, .high = 1000, .width = 5, .bound = 2};
    double x[COLS];
    double predicted[COLS];
    uint64_t seed = 7;
    (void)state;
    for (int round = 0; round < 200; round++) {
        for (int j = 0; j < COLS; j++) {
            x[j] = (double)(float)(100 * drawn(&seed));
            predicted[j] = x[j] + drawn(&seed) * (round % 3);
        }
        x[0] = (double)NAN;
        x[1] = (double)INFINITY;
        check(&any, x, predicted);
        check(&floats, x, predicted);
        for (int j = 2; j < COLS; j++)
            x[j] = rint(x[j]);
        check(&whole, x, predicted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_sums),
        cmocka_unit_test(test_corrections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
