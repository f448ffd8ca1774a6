/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and covariance of bytes, bit for bit against plain loops in 128-bit integers: every kernel that this machine
 * runs, one and more threads, with sums of their own and shared; odd widths and heights; the largest sums there are;
 * more rows than 32 bits would hold; the digits of the demo; and the model that comes of it. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/source.h"
#include "kernel/integer.h"
#include "kernel/integer_kernel.h"
#include "kernel/integer_quotient.h"
#include "support/calls.h"
#include "support/rows.h"

#include <stdio.h>
#include <string.h>

static const char *const kernels[] = {"portable", "avx2", "avx512vnni", NULL};

typedef struct bytes {
    int64_t n;
    int64_t d;
    int64_t stride;
    uint8_t *data;
} bytes;

static bytes made(int64_t n, int64_t d, rows_pattern p)
{
    bytes b = {n, d, d + 3, scree__alloc_raw(n * (d + 3), 1)};
    assert_non_null(b.data);
    memset(b.data, 77, (size_t)(n * b.stride)); /* what stands between the rows must not matter */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            b.data[i * b.stride + j] = rows_byte(p, i, j);
    return b;
}

/* s (D) and G (D×D). */
static void sums_of(const bytes *b, int64_t *s, int64_t *g)
{
    for (int64_t i = 0; i < b->n; i++) {
        const uint8_t *x = b->data + i * b->stride;
        for (int64_t j = 0; j < b->d; j++) {
            s[j] += x[j];
            for (int64_t l = 0; l < b->d; l++)
                g[j * b->d + l] += (int64_t)x[j] * x[l];
        }
    }
}

typedef struct expected {
    double *mean;
    double *covariance;
} expected;

static expected expected_of(const bytes *b, int64_t divisor)
{
    int64_t *s = scree__alloc(b->d, sizeof *s);
    int64_t *g = scree__alloc(b->d * b->d, sizeof *g);
    expected e = {scree__alloc(b->d, sizeof(double)), scree__alloc(b->d * b->d, sizeof(double))};
    assert_true(s && g && e.mean && e.covariance);
    sums_of(b, s, g);
    for (int64_t j = 0; j < b->d; j++) {
        e.mean[j] = scree__wide_quotient(s[j], b->n);
        for (int64_t l = 0; l < b->d; l++)
            e.covariance[j * b->d + l] = scree__wide_quotient(
                (scree__wide)b->n * g[j * b->d + l] - (scree__wide)s[j] * s[l], (scree__wide)b->n * divisor);
    }
    free(s);
    free(g);
    return e;
}

static void expected_clear(expected *e)
{
    free(e->mean);
    free(e->covariance);
}

/* Rows arrive in pieces of step. */
static void expect_exact(const bytes *b, const expected *e, int64_t divisor, const char *kernel, int threads,
                         int64_t step)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__integer *work = NULL;
    double *mean;
    double *covariance;
    EXPECT_OK(scree__integer_new(&work, b->d, threads, kernel, &error), error);
    for (int64_t first = 0; first < b->n; first += step) {
        const scree__rows all = {b->data, SCREE_U8, b->n, b->d, b->stride, NULL};
        const scree__rows part = scree__rows_slice(&all, first, b->n - first < step ? b->n - first : step);
        scree__integer_add(work, &part);
    }
    scree__integer_finish(work, divisor, &mean, &covariance);
    if (memcmp(mean, e->mean, (size_t)b->d * sizeof *mean) != 0 ||
        memcmp(covariance, e->covariance, (size_t)(b->d * b->d) * sizeof *mean) != 0)
        fail_msg("%lld×%lld, kernel %s, %d threads, %lld rows at a time: not exact", (long long)b->n, (long long)b->d,
                 kernel ? kernel : "of choice", threads, (long long)step);
    scree__integer_free(work);
}

static void run_shape(int64_t n, int64_t d, rows_pattern p)
{
    bytes b = made(n, d, p);
    const int64_t divisor = n > 1 ? n - 1 : 1;
    expected e = expected_of(&b, divisor);
    for (int64_t k = 0; k < COUNT_OF(kernels); k++)
        for (int threads = 1; threads <= 3 && scree__integer_kernel_find(kernels[k]); threads++)
            expect_exact(&b, &e, divisor, kernels[k], threads, threads == 2 ? 333 : n);
    expected_clear(&e);
    free(b.data);
}

static void test_shapes(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 3, 16, 17, 33, 50, 64};
    static const int64_t heights[] = {1, 2, 3, 5, 64, 1023, 1025, 3001};
    for (int64_t i = 0; i < COUNT_OF(widths); i++)
        for (int64_t j = 0; j < COUNT_OF(heights); j++)
            run_shape(heights[j], widths[i], ROWS_RANDOM);
    run_shape(SLOW_BUILD ? 70 : 1030, 785, ROWS_RANDOM);
}

static void test_extremes(void **state)
{
    (void)state;
    for (rows_pattern p = ROWS_RANDOM; p < ROWS_PATTERNS; p++)
        run_shape(2050, 19, p);
}

/* 32 bits hold 33025 products of 255 and 255, 64 bits of N G those of many more. */
static void test_many_rows(void **state)
{
    (void)state;
    for (rows_pattern p = ROWS_RANDOM; p < ROWS_PATTERNS; p++)
        run_shape(SLOW_BUILD ? 34000 : 140001, 5, p);
    run_shape(SLOW_BUILD ? 34000 : 1100000, 2, ROWS_ALTERNATING);
}

/* So wide that threads share one sum. */
static void test_shared_sums(void **state)
{
    (void)state;
    enum { ROWS = 70, COLS = 700, MANY = 200 };
    bytes b = made(ROWS, COLS, ROWS_RANDOM);
    expected e = expected_of(&b, ROWS);
    assert_true(scree__integer_memory(COLS, MANY) < 2 * scree__integer_memory(COLS, 1));
    expect_exact(&b, &e, ROWS, NULL, MANY, 33);
    expect_exact(&b, &e, ROWS, "portable", MANY, ROWS);
    expected_clear(&e);
    free(b.data);
}

static bytes digits(void)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    char path[4096];
    const char *repository = getenv("SRC");
    if (!repository)
        skip();
    snprintf(path, sizeof path, "%s/data/mnist01/mnist01-1000-images-idx3-ubyte.gz", repository);
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    bytes b = {0, source->about.cols, source->about.cols, scree__alloc(1000 * source->about.cols, 1)};
    scree__block block = {0};
    do {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        for (int64_t i = 0; i < block.rows; i++)
            memcpy(b.data + (b.n + i) * b.d, (const uint8_t *)block.data + i * block.stride, (size_t)b.d);
        b.n += block.rows;
    } while (block.rows > 0);
    assert_int_equal(b.n, 1000);
    scree_source_free(source);
    return b;
}

/* Columns at the edge of an image never vary: exactly so. */
static void test_digits(void **state)
{
    (void)state;
    bytes b = digits();
    expected e = expected_of(&b, b.n);
    int64_t constant = 0;
    for (int64_t k = 0; k < COUNT_OF(kernels); k++)
        if (scree__integer_kernel_find(kernels[k]))
            expect_exact(&b, &e, b.n, kernels[k], 2, 300);
    for (int64_t j = 0; j < b.d; j++)
        constant += e.covariance[j * (b.d + 1)] == 0;
    assert_true(constant > 100);
    expected_clear(&e);
    free(b.data);
}

/* A model knows the means and variances as they are. */
static void test_model(void **state)
{
    (void)state;
    bytes b = made(3000, 50, ROWS_RANDOM);
    for (int64_t i = 0; i < b.n; i++)
        b.data[i * b.stride + 7] = 200;
    for (int ddof = 0; ddof < 2; ddof++)
        for (int scale = 0; scale < 2; scale++) {
            expected e = expected_of(&b, b.n - ddof);
            scree_error error = SCREE_ERROR_INIT;
            scree_source *source = NULL;
            scree_model *model = NULL;
            scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
            options.components = 5;
            options.solver = "covariance";
            options.ddof = ddof;
            options.scale = scale ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
            EXPECT_OK(scree_source_from_memory(&source, BLOCK_STRIDED(b.data, SCREE_U8, b.n, b.d, b.stride), &error),
                      error);
            EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
            const scree_model_view *view = scree_model_get(model);
            assert_memory_equal(view->mean, e.mean, (size_t)b.d * sizeof *e.mean);
            for (int64_t j = 0; j < b.d; j++)
                assert_true(view->variances[j] == e.covariance[j * (b.d + 1)]);
            assert_true(view->variances[7] == 0);
            assert_true(view->eigenvalue_bounds[0] < 100 * 0x1p-53 * view->total_variance);
            scree_model_free(model);
            scree_source_free(source);
            expected_clear(&e);
        }
    free(b.data);
}

static void test_no_such_kernel(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__integer *work = NULL;
    assert_int_equal(scree__integer_new(&work, 3, 1, "abacus", &error), SCREE_ERR_UNSUPPORTED);
    assert_null(work);
    assert_non_null(strstr(error.text, "abacus"));
    assert_non_null(scree__integer_kernel_find("portable"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),         cmocka_unit_test(test_extremes), cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_shared_sums),    cmocka_unit_test(test_digits),   cmocka_unit_test(test_model),
        cmocka_unit_test(test_no_such_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
