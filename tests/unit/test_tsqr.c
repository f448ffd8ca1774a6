/* SPDX-License-Identifier: BSD-3-Clause */
/* Streaming QR: R is upper triangular with RᵀR = Σ(x-µ)(x-µ)ᵀ as plain loops give it, column by column relative to the
 * columns' own sizes; the same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/tsqr_ranges.h"
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

/* The triangle of a range by itself, its mean and the rest of it after it. */
static double *alone(const scree__rows *x, int64_t lanes)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__tsqr *work = NULL;
    scree__tally tally;
    const int64_t d = x->cols;
    const int64_t batch = scree__tsqr_rows(d);
    double *found = scree__alloc(d * (d + 2), sizeof *found);
    EXPECT_OK(scree__tsqr_new_few(&work, d, lanes, 1, &error), error);
    for (int64_t first = 0; first < x->rows; first += batch) {
        const scree__rows part = scree__rows_slice(x, first, x->rows - first < batch ? x->rows - first : batch);
        EXPECT_OK(scree__tsqr_add(work, &part, &error), error);
    }
    EXPECT_OK(scree__tsqr_tally(work, found + d * d, found + d * d + d, &tally, &error), error);
    memcpy(found, tally.matrix, (size_t)(d * d) * sizeof *found);
    assert_true(tally.rows == x->rows && tally.weight == (double)x->rows);
    scree__tsqr_free(work);
    return found;
}

/* Ranges at once, again and again, have the bits that each has alone. */
static void test_ranges(void **state)
{
    (void)state;
    enum { D = 7, RANGES = 4 };
    static const int64_t starts[] = {0, 9000, 9000, 9001, 12000};
    rows *r = made(12000, D, SCREE_F32);
    scree_error error = SCREE_ERROR_INIT;
    const scree__rows all = {r->data, r->type, r->n, D, r->stride, NULL};
    for (int threads = 1; threads <= 3; threads++) {
        const scree__tsqr_size size = {D, threads + 1, RANGES, threads};
        scree__tsqr_ranges *work = NULL;
        assert_int_equal(scree__tsqr_at_once(&size), RANGES);
        assert_true(scree__tsqr_ranges_memory(&size) > 8 * RANGES * D * D);
        EXPECT_OK(scree__tsqr_ranges_new(&work, &size, &error), error);
        for (int64_t round = 0; round < 3; round++) {
            EXPECT_OK(scree__tsqr_ranges_add(work, &all, starts + round / 2, RANGES - round, &error), error);
            for (int64_t i = 0; i < RANGES - round; i++) {
                const int64_t *start = starts + round / 2 + i;
                const scree__rows x = scree__rows_slice(&all, start[0], start[1] - start[0]);
                double own[2 * D];
                const scree__tally tally = scree__tsqr_ranges_tally(work, i, own, own + D);
                assert_true(tally.rows == x.rows && tally.weight == (double)x.rows);
                if (x.rows == 0)
                    continue;
                double *wanted = alone(&x, size.lanes);
                assert_memory_equal(tally.matrix, wanted, D * D * sizeof *wanted);
                assert_memory_equal(own, wanted + D * D, sizeof own);
                free(wanted);
            }
        }
        scree__tsqr_ranges_free(work);
    }
    rows_free(r);
}

static void test_ranges_with_gaps(void **state)
{
    (void)state;
    static const int64_t starts[] = {0, 1000, 3000};
    static double x[3000];
    scree_error error = SCREE_ERROR_INIT;
    const scree__rows all = {x, SCREE_F64, 3000, 1, 1, NULL};
    const scree__tsqr_size size = {1, 2, 2, 2};
    scree__tsqr_ranges *work = NULL;
    EXPECT_OK(scree__tsqr_ranges_new(&work, &size, &error), error);
    EXPECT_OK(scree__tsqr_ranges_add(work, &all, starts, 2, &error), error);
    x[2999] = NAN;
    assert_int_equal(scree__tsqr_ranges_add(work, &all, starts, 2, &error), SCREE_ERR_VALUE);
    scree__tsqr_ranges_free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_ranges_with_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
