/* SPDX-License-Identifier: BSD-3-Clause */
/* Streaming QR: R is upper triangular with RᵀR = Σ(x-µ)(x-µ)ᵀ as plain loops give it, column by column relative to the
 * columns' own sizes; the same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/tsqr.h"
#include "support/rows.h"

#include <string.h>

/* Column j has size 10^-(j mod 8). */
static rows *made(int64_t n, int64_t d, scree_type type)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = pow(10, (double)-(j % 8)) * (rows_random(21, i, j) + rows_random(22, i, 0) + 3);
    return rows_of(x, n, d, type, 20);
}

/* R, to be freed. */
static double *triangle(const rows *r, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__tsqr *work = NULL;
    int64_t count;
    double *mean;
    double *lent;
    const int64_t batch = scree__tsqr_rows(r->d);
    const scree__rows all = {r->data, r->type, r->n, r->d, r->stride, NULL};
    assert_true(scree__tsqr_memory(r->d, threads) > 0);
    EXPECT_OK(scree__tsqr_new(&work, r->d, threads, &error), error);
    for (int64_t first = 0; first < r->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, r->n - first < batch ? r->n - first : batch);
        EXPECT_OK(scree__tsqr_add(work, &part, &error), error);
    }
    EXPECT_OK(scree__tsqr_finish(work, &count, &mean, &lent, &error), error);
    assert_int_equal(count, r->n);
    for (int64_t j = 0; j < r->d; j++) {
        long double sum = 0;
        for (int64_t i = 0; i < r->n; i++)
            sum += r->exact[i * r->d + j];
        EXPECT_NEAR(mean[j], sum / (long double)r->n, 1e-14 * fabsl(sum / (long double)r->n));
    }
    double *copy = scree__alloc(r->d * r->d, sizeof *copy);
    memcpy(copy, lent, (size_t)(r->d * r->d) * sizeof *copy);
    scree__tsqr_free(work);
    return copy;
}

static double scatter_of(const rows *r, int64_t a, int64_t b)
{
    long double mean_a = 0;
    long double mean_b = 0;
    long double sum = 0;
    for (int64_t i = 0; i < r->n; i++) {
        mean_a += r->exact[i * r->d + a];
        mean_b += r->exact[i * r->d + b];
    }
    mean_a /= (long double)r->n;
    mean_b /= (long double)r->n;
    for (int64_t i = 0; i < r->n; i++)
        sum += (r->exact[i * r->d + a] - mean_a) * (r->exact[i * r->d + b] - mean_b);
    return (double)sum;
}

static void expect_plain(const rows *x, const double *r)
{
    const int64_t d = x->d;
    const int64_t step = d > 40 ? 29 : 1;
    for (int64_t a = 0; a < d; a++)
        for (int64_t i = a + 1; i < d; i++)
            assert_true(r[a * d + i] == 0);
    for (int64_t a = 0; a < d; a += step)
        for (int64_t b = 0; b < d; b += step) {
            double sum = 0;
            for (int64_t i = 0; i < d; i++)
                sum += r[a * d + i] * r[b * d + i];
            EXPECT_NEAR(sum, scatter_of(x, a, b), 1e-13 * sqrt(scatter_of(x, a, a) * scatter_of(x, b, b)) + 1e-28);
        }
}

static void run_shape(int64_t n, int64_t d, scree_type type)
{
    rows *x = made(n, d, type);
    double *one = triangle(x, 1);
    expect_plain(x, one);
    for (int threads = 2; threads <= 4; threads += 2) {
        double *more = triangle(x, threads);
        assert_memory_equal(one, more, (size_t)(d * d) * sizeof *one);
        free(more);
    }
    free(one);
    rows_free(x);
}

static void test_shapes(void **state)
{
    (void)state;
    static const int64_t heights[] = {1, 2, 447, 448, 449, 10000};
    for (int64_t i = 0; i < COUNT_OF(heights); i++) {
        run_shape(heights[i], 1, SCREE_F64);
        run_shape(heights[i], 7, SCREE_F64);
    }
    run_shape(1100, 33, SCREE_F64);
    run_shape(SLOW_BUILD ? 520 : 1100, 257, SCREE_F64);
}

static void test_types(void **state)
{
    (void)state;
    run_shape(700, 7, SCREE_F32);
    run_shape(700, 7, SCREE_U8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
