/* SPDX-License-Identifier: BSD-3-Clause */
/* Promises at the ends of what numbers can say: errors whose squares are no doubles, ranges that overflow, NaNs that
 * signal; rows and columns that are alone. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <float.h>
#include <math.h>

enum { ROWS = 60, COLS = 8, CELLS = ROWS * COLS };

static scree_archive compress(const void *data, scree_type type, int64_t rows, int64_t cols,
                              const scree_compress_options *options)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_archive about = SCREE_ARCHIVE_INIT;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, type, rows, cols), NULL), SCREE_OK);
    if (scree_source_compress(source, folder_path("a.screez"), &about, options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return about;
}

static void decompress(void *data)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    if (scree_source_open(&source, folder_path("a.screez"), NULL, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    const int64_t size = scree_source_cols(source) * scree__type_size(scree_source_type(source));
    char *to = data;
    do {
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        if (block.rows > 0)
            memcpy(to, block.data, (size_t)(block.rows * size));
        to += block.rows * size;
    } while (block.rows > 0);
    scree_source_free(source);
}

static void make(double *data, double scale)
{
    uint64_t seed = 5;
    for (int64_t i = 0; i < CELLS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double noise = (double)(seed >> 11) * 0x1p-53 - 0.5;
        data[i] = scale * (sin((double)(i / COLS)) * cos((double)(i % COLS)) + 0.2 * noise);
    }
}

/* The root of the mean squared error, in units of which squares are doubles. */
static double rmse_of(const double *x, const double *y, double unit)
{
    double sum = 0;
    for (int64_t i = 0; i < CELLS; i++) {
        const double off = x[i] / unit - y[i] / unit;
        sum += off * off;
    }
    return sqrt(sum / CELLS);
}

static void test_mean_errors_of_any_size(void **state)
{
    static const double scales[] = {1e-300, 1e-200, 1e-130, 1, 1e130, 1e200, 1e300};
    static double data[CELLS];
    static double back[CELLS];
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        options.rmse = scales[i] / 1000;
        make(data, scales[i]);
        compress(data, SCREE_F64, ROWS, COLS, &options);
        decompress(back);
        const double rmse = rmse_of(data, back, scales[i]);
        if (!(rmse <= 1e-3 && rmse > 1e-4))
            fail_msg("scale %g: rmse %g of it", scales[i], rmse);
    }
}

static void test_psnr_of_a_range_that_overflows(void **state)
{
    static double data[CELLS];
    static double back[CELLS];
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    (void)state;
    options.psnr = 60;
    make(data, 0.7 * DBL_MAX);
    compress(data, SCREE_F64, ROWS, COLS, &options);
    decompress(back);
    const double rmse = rmse_of(data, back, DBL_MAX);
    assert_true(rmse <= 2e-3 && rmse > 0);
}

/* Errors that are larger than all there is; with nothing but gaps no cell says that the width is too large. */
static void test_errors_as_large_as_numbers(void **state)
{
    static double data[CELLS];
    static double back[CELLS];
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        options.max_error = DBL_MAX;
        make(data, 1);
        for (int64_t i = 0; gaps && i < CELLS; i++)
            data[i] = (double)NAN;
        const scree_archive about = compress(data, SCREE_F64, ROWS, COLS, &options);
        decompress(back);
        for (int64_t i = 0; i < CELLS; i++)
            assert_true(gaps ? isnan(back[i]) : isfinite(back[i]));
        assert_true(about.bytes < 500);
    }
}

/* Without an error that is allowed, the payload of a NaN comes back, and whether it signals. */
static void test_payloads(void **state)
{
    static const uint32_t odd[] = {0x7f800001, 0xffc00000, 0x7fc00000, 0x7fc01234, 0xff812345, 0x80000000, 1};
    static uint32_t data[CELLS];
    static uint32_t back[CELLS];
    (void)state;
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
        for (int64_t i = 0; i < CELLS; i++) {
            const float whole = (float)(i % 7);
            memcpy(&data[i], &whole, sizeof whole);
        }
        data[77] = odd[k];
        compress(data, SCREE_F32, ROWS, COLS, NULL);
        decompress(back);
        assert_memory_equal(back, data, sizeof data);
    }
}

static void test_alone(void **state)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 300}, {300, 1}, {2, 200}, {3, 160}};
    static double data[CELLS];
    static double back[CELLS];
    (void)state;
    make(data, 1);
    for (int i = 0; i < 5; i++) {
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        options.max_error = 0.01;
        compress(data, SCREE_F64, shapes[i][0], shapes[i][1], &options);
        decompress(back);
        for (int64_t k = 0; k < shapes[i][0] * shapes[i][1]; k++)
            assert_true(fabs(back[k] - data[k]) <= 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_errors_of_any_size),
        cmocka_unit_test(test_psnr_of_a_range_that_overflows),
        cmocka_unit_test(test_errors_as_large_as_numbers),
        cmocka_unit_test(test_payloads),
        cmocka_unit_test(test_alone),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
