/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner products of centred rows of bytes, bit for bit against plain loops in 128-bit integers, and means and variances
 * of their columns: every kernel that this machine runs, one and more threads, with sums of their own and shared; odd
 * widths and heights; the largest sums there are; more columns than 32 bits would hold; and the model of it. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/integer_gram.h"
#include "kernel/integer_kernel.h"
#include "kernel/integer_quotient.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

static const char *const kernels[] = {"portable", "avx2", "avx512vnni", NULL};

static scree__rows made(int64_t n, int64_t d, rows_pattern p)
{
    const int64_t stride = d + 3;
    uint8_t *x = scree__alloc_raw(n * stride, 1);
    assert_non_null(x);
    memset(x, 77, (size_t)(n * stride)); /* what stands between the rows must not matter */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * stride + j] = rows_byte(p, i, j);
    return (scree__rows){x, SCREE_U8, n, d, stride, NULL};
}

static uint8_t at(const scree__rows *x, int64_t i, int64_t j)
{
    return ((const uint8_t *)x->data)[i * x->stride + j];
}

/* s_j over the rows. */
static int64_t *column_sums(const scree__rows *x)
{
    int64_t *s = scree__alloc(x->cols, sizeof *s);
    assert_non_null(s);
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->cols; j++)
            s[j] += at(x, i, j);
    return s;
}

/* Σ_j (N x_ij - s_j)(N x_lj - s_j) / (N² divisor): other sums than those of the kernel. */
static double *expected_of(const scree__rows *x, int64_t divisor)
{
    const int64_t n = x->rows;
    int64_t *s = column_sums(x);
    double *g = scree__alloc(n * n, sizeof *g);
    assert_non_null(g);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = i; l < n; l++) {
            scree__wide sum = 0;
            for (int64_t j = 0; j < x->cols; j++)
                sum += (scree__wide)(n * at(x, i, j) - s[j]) * (n * at(x, l, j) - s[j]);
            g[i * n + l] = g[l * n + i] = scree__wide_quotient(sum, (scree__wide)n * n * divisor);
        }
    free(s);
    return g;
}

static void expect_exact(const scree__rows *x, const double *expected, const char *kernel, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    double *gram = NULL;
    EXPECT_OK(scree__integer_gram(&gram, x, x->rows, threads, kernel, &error), error);
    if (memcmp(gram, expected, (size_t)(x->rows * x->rows) * sizeof *gram) != 0)
        fail_msg("%lld×%lld, kernel %s, %d threads: not exact", (long long)x->rows, (long long)x->cols,
                 kernel ? kernel : "of choice", threads);
    free(gram);
}

static void run_shape(int64_t n, int64_t d, rows_pattern p)
{
    const scree__rows x = made(n, d, p);
    double *expected = expected_of(&x, n);
    for (int64_t k = 0; k < COUNT_OF(kernels); k++)
        for (int threads = 1; threads <= 3 && scree__integer_kernel_find(kernels[k]); threads++)
            expect_exact(&x, expected, kernels[k], threads);
    free(expected);
    free((void *)x.data);
}

static void test_shapes(void **state)
{
    (void)state;
    static const int64_t heights[] = {1, 2, 15, 16, 17, 33, 50};
    static const int64_t widths[] = {1, 3, 64, 65, 127, 1024, 2051};
    for (int64_t i = 0; i < COUNT_OF(heights); i++)
        for (int64_t j = 0; j < COUNT_OF(widths); j++)
            run_shape(heights[i], widths[j], ROWS_RANDOM);
}

/* Also more columns than 32 bits hold products of 255 and 255. */
static void test_extremes(void **state)
{
    (void)state;
    for (rows_pattern p = ROWS_RANDOM; p < ROWS_PATTERNS; p++)
        run_shape(9, SLOW_BUILD ? 34000 : 140001, p);
}

/* So many rows, for so many threads, that they share one sum. */
static void test_shared_sums(void **state)
{
    (void)state;
    enum { ROWS = 700, COLS = 70, MANY = 200 };
    const scree__rows x = made(ROWS, COLS, ROWS_RANDOM);
    double *expected = expected_of(&x, ROWS);
    assert_true(scree__integer_gram_memory(ROWS, MANY) < 2 * scree__integer_gram_memory(ROWS, 1));
    expect_exact(&x, expected, NULL, MANY);
    expect_exact(&x, expected, "portable", MANY);
    free(expected);
    free((void *)x.data);
}

/* 33025 squares of 255 are more than 31 bits, and 66052 more than 32. */
static void test_columns(void **state)
{
    (void)state;
    enum { COLS = 515 };
    static const int64_t heights[] = {1, 2, 77, SLOW_BUILD ? 500 : 70000};
    static double mean[COLS];
    static double variance[COLS];
    for (int64_t h = 0; h < COUNT_OF(heights); h++) {
        const int64_t n = heights[h];
        const int64_t divisor = n > 1 ? n - 1 : 1;
        const scree__rows x = made(n, COLS, h == 3 ? ROWS_HIGHEST : ROWS_RANDOM);
        ((uint8_t *)x.data)[1] = 1; /* one that varies */
        int64_t *s = column_sums(&x);
        scree__integer_columns(&x, divisor, 2, mean, variance);
        for (int64_t j = 0; j < COLS; j++) {
            scree__wide squares = 0;
            for (int64_t i = 0; i < n; i++)
                squares += (scree__wide)(n * at(&x, i, j) - s[j]) * (n * at(&x, i, j) - s[j]);
            assert_true(mean[j] == scree__wide_quotient(s[j], n));
            assert_true(variance[j] == scree__wide_quotient(squares, (scree__wide)n * n * divisor));
        }
        free(s);
        free((void *)x.data);
    }
}

/* A model knows the means and variances as they are, its eigenvalues to a few digits less than all. */
static void test_model(void **state)
{
    (void)state;
    scree__rows x = made(40, 3000, ROWS_RANDOM);
    int64_t *s = column_sums(&x);
    for (int ddof = 0; ddof < 2; ddof++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree_model *model = NULL;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 5;
        options.solver = "gram";
        options.ddof = ddof;
        EXPECT_OK(scree_source_from_memory(&source, BLOCK_STRIDED(x.data, SCREE_U8, x.rows, x.cols, x.stride), &error),
                  error);
        EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
        const scree_model_view *view = scree_model_get(model);
        for (int64_t j = 0; j < x.cols; j++)
            assert_true(view->mean[j] == scree__wide_quotient(s[j], x.rows));
        assert_true(view->eigenvalue_bounds[0] < 4000 * 0x1p-53 * view->total_variance);
        scree_model_free(model);
        scree_source_free(source);
    }
    free(s);
    free((void *)x.data);
}

static void test_no_such_kernel(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    const scree__rows x = made(2, 3, ROWS_RANDOM);
    double *gram = NULL;
    assert_int_equal(scree__integer_gram(&gram, &x, 2, 1, "abacus", &error), SCREE_ERR_UNSUPPORTED);
    assert_null(gram);
    assert_non_null(strstr(error.text, "abacus"));
    free((void *)x.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_extremes), cmocka_unit_test(test_shared_sums),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_model),    cmocka_unit_test(test_no_such_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
