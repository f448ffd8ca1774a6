/* SPDX-License-Identifier: BSD-3-Clause */
/* The goals of an archive on rows of one column, which no model shortens: a mean error that is asked for costs no more
 * than a largest error that happens to have the same mean, and a larger one never costs more; a ratio is met, and not
 * by far; a rate-distortion curve is there. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <math.h>

enum { ROWS = 6000 };

static double walk[ROWS];
static double sine[ROWS];

static int make(void **state)
{
    uint64_t seed = 7;
    double at = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 12; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            at += (double)(seed >> 11) * 0x1p-53 - 0.5;
        }
        walk[i] = at;
        sine[i] = sin(i / 50.0);
    }
    return folder_make(state);
}

static scree_archive compress(const double *data, const scree_compress_options *options)
{
    scree_source *source = NULL;
    scree_archive about = SCREE_ARCHIVE_INIT;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, SCREE_F64, ROWS, 1), &error), SCREE_OK);
    assert_int_equal(scree_source_compress(source, folder_path("a.screez"), &about, options, &error), SCREE_OK);
    scree_source_free(source);
    return about;
}

static void test_mean_error(void **state)
{
    static const double errors[] = {0.03, 0.05, 0.07, 0.1, 0.2, 0.4, 0.8};
    double before = HUGE_VAL;
    (void)state;
    for (int i = 0; i < 7; i++) {
        scree_compress_options mean = SCREE_COMPRESS_OPTIONS_INIT;
        scree_compress_options most = SCREE_COMPRESS_OPTIONS_INIT;
        mean.rmse = errors[i];
        most.max_error = errors[i] * 1.7;
        const scree_archive a = compress(walk, &mean);
        const scree_archive b = compress(walk, &most);
        assert_true(a.rmse <= errors[i]);
        assert_true(b.rmse <= errors[i]);
        assert_true((double)a.bytes <= 1.01 * (double)b.bytes);
        assert_true((double)a.bytes <= 1.01 * before);
        before = (double)a.bytes;
    }
}

static void test_coarse_error(void **state)
{
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    (void)state;
    options.rmse = 0.5; /* of 0.7 that there are */
    const scree_archive a = compress(sine, &options);
    assert_true(a.rmse <= 0.5 && a.ratio > 100);
    options.rmse = 0;
    options.psnr = 40;
    const scree_archive b = compress(sine, &options);
    assert_true(b.rmse <= 0.0201 && b.ratio > 30);
}

static void test_ratio(void **state)
{
    static const double ratios[] = {5, 12, 25};
    static double far_out[ROWS];
    (void)state;
    for (int i = 0; i < ROWS; i++)
        far_out[i] = i == 1234 ? 1e6 : walk[i];
    for (int i = 0; i < 3; i++) {
        scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
        options.ratio = ratios[i];
        const scree_archive a = compress(walk, &options);
        assert_true(a.ratio >= ratios[i] && a.ratio < 1.05 * ratios[i]);
        const scree_archive b = compress(far_out, &options);
        assert_true(b.ratio >= ratios[i] && b.ratio < 1.05 * ratios[i]);
        assert_true(b.rmse < 1);
    }
}

static void test_curve_of_one_column(void **state)
{
    scree_source *source = NULL;
    scree_curve *curve = NULL;
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(walk, SCREE_F64, ROWS, 1), &error), SCREE_OK);
    assert_int_equal(scree_curve_make(&curve, source, &SIZED(scree_curve_options, .points = 5), &error), SCREE_OK);
    const scree_curve_view *view = scree_curve_get(curve);
    assert_int_equal(view->points, 5);
    for (int i = 0; i < 5; i++)
        assert_true(view->kept[i] == 1 && view->bound[i] > 0 && (i == 0 || view->bound[i] < view->bound[i - 1]));
    scree_curve_free(curve);
    scree_source_free(source);
}

/* What would do is said, and does. */
static void test_memory(void **state)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    (void)state;
    options.max_error = 0.1;
    options.run = &run;
    run.threads = 2;
    run.memory = 1 << 20;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(walk, SCREE_F64, ROWS, 1), &error), SCREE_OK);
    assert_int_equal(scree_source_compress(source, folder_path("b.screez"), NULL, &options, &error), SCREE_ERR_LIMIT);
    const char *amount = strstr(error.text, "needs ");
    assert_non_null(amount);
    run.memory = strtoll(amount + 6, NULL, 10) << 20;
    assert_int_equal(scree_source_compress(source, folder_path("b.screez"), NULL, &options, &error), SCREE_OK);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_error), cmocka_unit_test(test_coarse_error),        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_curve_of_one_column),
    };
    return cmocka_run_group_tests(tests, make, folder_remove);
}
