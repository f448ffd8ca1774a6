/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and scatter against plain loops in long double: odd widths (one column, one less and one more than a tile or
 * two), odd heights around the chunk, each type and table of operations, the same bits for any number of threads. Wide
 * scatters are compared at a sample of their entries. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/moments.h"
#include "support/rows.h"

#include <string.h>

enum { SAMPLE = 13 };

typedef struct moments {
    int64_t rows;
    double rounding;
    double *mean;
    double *scatter;
} moments;

static rows *made(int64_t n, int64_t d, scree_type type)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(11, i, j) + 0.5 * rows_random(12, i, 0) + 40 + (double)(i / 300);
    return rows_of(x, n, d, type, 3);
}

static moments moments_of(const rows *r, const scree__ops *ops, bool diagonal, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__moments *work = NULL;
    moments m = {0};
    double *mean;
    double *scatter;
    const int64_t batch = scree__moments_rows(r->d, diagonal, ops);
    const int64_t size = diagonal ? r->d : r->d * r->d;
    const scree__rows all = {r->data, r->type, r->n, r->d, r->stride, NULL};
    assert_true(scree__moments_memory(r->d, diagonal, ops, threads) > 0);
    EXPECT_OK(scree__moments_new(&work, r->d, diagonal, ops, threads, &error), error);
    for (int64_t first = 0; first < r->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, r->n - first < batch ? r->n - first : batch);
        EXPECT_OK(scree__moments_add(work, &part, &error), error);
    }
    scree__moments_finish(work, &m.rows, &mean, &scatter);
    m.rounding = scree__moments_rounding(work);
    m.mean = scree__alloc(r->d, sizeof *mean);
    m.scatter = scree__alloc(size, sizeof *scatter);
    memcpy(m.mean, mean, (size_t)r->d * sizeof *mean);
    memcpy(m.scatter, scatter, (size_t)size * sizeof *scatter);
    scree__moments_free(work);
    return m;
}

static void moments_clear(moments *m)
{
    free(m->mean);
    free(m->scatter);
}

static long double mean_of(const rows *r, int64_t j)
{
    long double sum = 0;
    for (int64_t i = 0; i < r->n; i++)
        sum += r->exact[i * r->d + j];
    return sum / (long double)r->n;
}

static double scatter_of(const rows *r, int64_t a, int64_t b)
{
    const long double mean_a = mean_of(r, a);
    const long double mean_b = mean_of(r, b);
    long double sum = 0;
    for (int64_t i = 0; i < r->n; i++)
        sum += (r->exact[i * r->d + a] - mean_a) * (r->exact[i * r->d + b] - mean_b);
    return (double)sum;
}

/* Column numbers spread over the width, the first and the last among them. */
static int64_t sampled(int64_t d, int64_t i)
{
    return d <= SAMPLE ? i : i * (d - 1) / (SAMPLE - 1);
}

static void expect_plain(const rows *r, const moments *m, bool diagonal)
{
    const int64_t count = r->d < SAMPLE ? r->d : SAMPLE;
    double trace = 0;
    for (int64_t j = 0; j < r->d; j++)
        trace += m->scatter[diagonal ? j : j * r->d + j];
    assert_int_equal(m->rows, r->n);
    for (int64_t i = 0; i < count; i++) {
        const int64_t a = sampled(r->d, i);
        EXPECT_NEAR(m->mean[a], mean_of(r, a), 1e-14 * fabsl(mean_of(r, a)));
        for (int64_t l = 0; l < count; l++) {
            const int64_t b = sampled(r->d, l);
            if (diagonal && a != b)
                continue;
            const double found = m->scatter[diagonal ? a : a * r->d + b];
            EXPECT_NEAR(found, scatter_of(r, a, b), m->rounding * trace);
            if (!diagonal)
                assert_true(found == m->scatter[b * r->d + a]);
        }
    }
}

static void run_shape(int64_t n, int64_t d, scree_type type, const scree__ops *ops)
{
    rows *r = made(n, d, type);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        moments one = moments_of(r, ops, diagonal, 1);
        expect_plain(r, &one, diagonal);
        for (int threads = SLOW_BUILD ? 4 : 2; threads <= 4; threads++) {
            moments more = moments_of(r, ops, diagonal, threads);
            assert_memory_equal(one.mean, more.mean, (size_t)d * sizeof(double));
            assert_memory_equal(one.scatter, more.scatter, (size_t)(diagonal ? d : d * d) * sizeof(double));
            moments_clear(&more);
        }
        moments_clear(&one);
    }
    rows_free(r);
}

static void test_shapes(void **state)
{
    (void)state;
    static const int64_t heights[] = {1, 2, 447, 448, 449, 10000};
    for (int64_t i = 0; i < COUNT_OF(heights); i++) {
        run_shape(heights[i], 1, SCREE_F64, &scree__ops_f64);
        run_shape(heights[i], 7, SCREE_F64, &scree__ops_f64);
    }
    run_shape(513, 513, SCREE_F64, &scree__ops_f64);
    if (!SLOW_BUILD) {
        run_shape(530, 1025, SCREE_F64, &scree__ops_f64);
        run_shape(1400, 1025, SCREE_F32, &scree__ops_f32);
    }
}

static void test_types(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++)
        for (int table = 0; table < 2; table++) {
            run_shape(1300, 7, (scree_type)type, table ? &scree__ops_f32 : &scree__ops_f64);
            run_shape(600, SLOW_BUILD ? 65 : 513, (scree_type)type, table ? &scree__ops_f32 : &scree__ops_f64);
        }
    run_shape(10000, 65, SCREE_F32, &scree__ops_f32);
}

/* Groups of several chunks, some for each lane, and then a part of one; each thread takes whole groups, or, where so
 * many threads would need too much memory for that, all take tiles. */
static void test_groups_and_tiles(void **state)
{
    (void)state;
    const int64_t d = SLOW_BUILD ? 300 : 1000;
    const int many = 80;
    rows *r = made(SLOW_BUILD ? 3000 : 8 * 4 * 448 + 450, d, SCREE_F32);
    moments one = moments_of(r, &scree__ops_f32, false, 1);
    expect_plain(r, &one, false);
    for (int threads = 3; threads <= many; threads += many - 3) {
        moments more = moments_of(r, &scree__ops_f32, false, threads);
        assert_memory_equal(one.mean, more.mean, (size_t)d * sizeof(double));
        assert_memory_equal(one.scatter, more.scatter, (size_t)(d * d) * sizeof(double));
        moments_clear(&more);
    }
    moments_clear(&one);
    rows_free(r);
}

/* Rows may come in any multiple of what is asked for. */
static void test_several_batches_at_once(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    const int64_t d = 40;
    const int64_t batch = scree__moments_rows(d, false, &scree__ops_f64);
    rows *r = made(3 * batch + 7, d, SCREE_F32);
    const scree__rows all = {r->data, r->type, r->n, d, r->stride, NULL};
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        moments one = moments_of(r, &scree__ops_f64, diagonal, 2);
        scree__moments *work = NULL;
        int64_t count = 0;
        double *mean = NULL;
        double *scatter = NULL;
        EXPECT_OK(scree__moments_new(&work, d, diagonal, &scree__ops_f64, 2, &error), error);
        EXPECT_OK(scree__moments_add(work, &all, &error), error);
        scree__moments_finish(work, &count, &mean, &scatter);
        assert_int_equal(count, r->n);
        assert_true(scree__moments_weight(work) == (double)r->n);
        assert_memory_equal(one.mean, mean, (size_t)d * sizeof(double));
        assert_memory_equal(one.scatter, scatter, (size_t)(diagonal ? d : d * d) * sizeof(double));
        scree__moments_free(work);
        moments_clear(&one);
    }
    rows_free(r);
}

static void test_bad_cells(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 700; at += 233) {
        scree_error error = SCREE_ERROR_INIT;
        scree__moments *work = NULL;
        rows *r = made(700, 5, SCREE_F64);
        const scree__rows x = {r->data, r->type, r->n, r->d, r->stride, NULL};
        ((double *)r->data)[at * r->stride + at % 5] = at == 233 ? INFINITY : NAN;
        assert_int_equal(scree__moments_new(&work, 5, false, &scree__ops_f64, 2, NULL), SCREE_OK);
        assert_int_equal(scree__moments_add(work, &x, &error), SCREE_ERR_VALUE);
        scree__moments_free(work);
        rows_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),           cmocka_unit_test(test_types),
        cmocka_unit_test(test_groups_and_tiles), cmocka_unit_test(test_several_batches_at_once),
        cmocka_unit_test(test_bad_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
