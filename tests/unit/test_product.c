/* SPDX-License-Identifier: BSD-3-Clause */
/* W = CᵀCQ against plain loops, C centred and scaled: odd widths and heights, by groups and by columns, types, tables
 * of operations, weights, means that float cannot hold, blocks narrower than the widest, and the same bits for any
 * number of threads and size of pieces. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/product.h"
#include "support/rows.h"

#include <string.h>

enum { WIDEST = 40 };

typedef struct problem {
    rows *x;
    double *shift;
    double *factor;
    double *weights; /* n, or NULL */
    double *q;
    double *w;
    int64_t b;
} problem;

static problem made_from(int64_t n, int64_t d, int64_t b, scree_type type, bool scaled, double mean)
{
    problem p = {.b = b};
    double *x = scree__alloc(n * d, sizeof *x);
    p.shift = scree__alloc(d, sizeof *p.shift);
    p.factor = scaled ? scree__alloc(d, sizeof *p.factor) : NULL;
    p.q = scree__alloc(d * b, sizeof *p.q);
    p.w = scree__alloc(d * b, sizeof *p.w);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(31, i, j) + mean * (double)(j % 3);
    for (int64_t j = 0; j < d; j++) {
        p.shift[j] = mean * (double)(j % 3) + 1.0 / 3;
        if (scaled)
            p.factor[j] = 1 + 0.25 * (double)(j % 5);
    }
    for (int64_t i = 0; i < d * b; i++)
        p.q[i] = p.w[i] = rows_random(32, i, 0); /* W must be zeroed by the product itself */
    p.x = rows_of(x, n, d, type, 10);
    return p;
}

static problem made(int64_t n, int64_t d, int64_t b, scree_type type, bool scaled)
{
    return made_from(n, d, b, type, scaled, 1);
}

static problem made_around(int64_t n, int64_t d, int64_t b, scree_type type, double mean)
{
    return made_from(n, d, b, type, false, mean);
}

static void clear(problem *p)
{
    rows_free(p->x);
    free(p->shift);
    free(p->factor);
    free(p->weights);
    free(p->q);
    free(p->w);
}

/* In pieces of so many times what it asks for. */
static void run(problem *p, const scree__ops *ops, int threads, int64_t times)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__product *product = NULL;
    const rows *r = p->x;
    const scree__product_size size = {r->n, r->d, WIDEST, r->type, ops, threads, 1};
    const int64_t batch = times * scree__product_rows(&size);
    const scree__rows all = {r->data, r->type, r->n, r->d, r->stride, p->weights};
    assert_true(scree__product_memory(&size) > 0);
    EXPECT_OK(scree__product_new(&product, &size, p->shift, p->factor, &error), error);
    scree__product_start(product, p->q, p->b, p->w);
    for (int64_t first = 0; first < r->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, r->n - first < batch ? r->n - first : batch);
        scree__product_add(product, &part);
    }
    scree__product_finish(product);
    scree__product_free(product);
}

static double cell(const problem *p, int64_t i, int64_t j)
{
    return (p->x->exact[i * p->x->d + j] - p->shift[j]) * (p->factor ? p->factor[j] : 1);
}

static void expect_plain(const problem *p, double relative)
{
    const int64_t d = p->x->d;
    double *wanted = scree__alloc(d * p->b, sizeof *wanted);
    double *sizes = scree__alloc(d * p->b, sizeof *sizes);
    for (int64_t i = 0; i < p->x->n; i++)
        for (int64_t l = 0; l < p->b; l++) {
            double y = 0;
            double size = 0;
            for (int64_t j = 0; j < d; j++) {
                y += cell(p, i, j) * p->q[j * p->b + l];
                size += fabs(cell(p, i, j) * p->q[j * p->b + l]);
            }
            const double weight = p->weights ? p->weights[i] : 1;
            for (int64_t j = 0; j < d; j++) {
                wanted[j * p->b + l] += weight * cell(p, i, j) * y;
                sizes[j * p->b + l] += weight * fabs(cell(p, i, j)) * size;
            }
        }
    for (int64_t i = 0; i < d * p->b; i++)
        EXPECT_NEAR(p->w[i], wanted[i], relative * sizes[i]);
    free(wanted);
    free(sizes);
}

static void run_shape(int64_t n, int64_t d, int64_t b, scree_type type, const scree__ops *ops)
{
    for (int scaled = 0; scaled < 2; scaled++) {
        problem p = made(n, d, b, type, scaled);
        double *one = scree__alloc(d * b, sizeof *one);
        run(&p, ops, 1, 1);
        expect_plain(&p, ops->type == SCREE_F32 ? 1e-5 : 1e-13);
        memcpy(one, p.w, (size_t)(d * b) * sizeof *one);
        for (int threads = 2; threads <= 4; threads++) {
            run(&p, ops, threads, threads);
            assert_memory_equal(one, p.w, (size_t)(d * b) * sizeof *one);
        }
        free(one);
        clear(&p);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    static const int64_t heights[] = {1, 63, 64, 65, 513, 10000};
    for (int64_t i = 0; i < COUNT_OF(heights); i++) {
        run_shape(heights[i], 1, 1, SCREE_F64, &scree__ops_f64);
        run_shape(heights[i], 7, 5, SCREE_F64, &scree__ops_f64);
    }
    run_shape(130, 513, WIDEST, SCREE_F64, &scree__ops_f64);
    run_shape(131, 773, 33, SCREE_F32, &scree__ops_f32);
    run_shape(131, 773, 17, SCREE_F64, &scree__ops_f32);
    run_shape(130, 1025, 2, SCREE_F64, &scree__ops_f64);
}

static void test_types(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++) {
        run_shape(300, 65, 3, (scree_type)type, &scree__ops_f64);
        run_shape(300, 65, 3, (scree_type)type, &scree__ops_f32);
    }
}

/* Rows of weight w count like w equal rows. */
static void test_weights(void **state)
{
    (void)state;
    for (int64_t n = 100; n <= 4000; n += 3900) {
        problem p = made(n, 50, 3, SCREE_F32, true);
        p.weights = scree__alloc(n, sizeof *p.weights);
        for (int64_t i = 0; i < n; i++)
            p.weights[i] = 0.5 + (double)(i % 4);
        run(&p, &scree__ops_f64, 2, 1);
        expect_plain(&p, 1e-13);
        run(&p, &scree__ops_f32, 2, 1);
        expect_plain(&p, 1e-5);
        clear(&p);
    }
}

/* float(µ) is off by as much as the deviations themselves, and costs nothing. */
static void test_large_means(void **state)
{
    (void)state;
    static const scree_type types[] = {SCREE_F32, SCREE_F64};
    static const double means[] = {3e6, 3e12};
    for (int i = 0; i < 2; i++) {
        problem p = made_around(4000, 70, 5, types[i], means[i]);
        run(&p, &scree__ops_f32, 2, 1);
        expect_plain(&p, 1e-5);
        run(&p, &scree__ops_f64, 2, 1);
        expect_plain(&p, 1e-12);
        clear(&p);
    }
}

/* A sweep that was left off leaves nothing behind. */
static void test_again(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    problem p = made(15000, 65, 5, SCREE_F64, true);
    const scree__rows all = {p.x->data, p.x->type, p.x->n, p.x->d, p.x->stride, NULL};
    const scree__product_size size = {p.x->n, p.x->d, WIDEST, SCREE_F64, &scree__ops_f64, 2, 1};
    scree__product *product = NULL;
    EXPECT_OK(scree__product_new(&product, &size, p.shift, p.factor, &error), error);
    const scree__rows some = scree__rows_slice(&all, 0, scree__product_rows(&size));
    scree__product_start(product, p.q, p.b, p.w);
    scree__product_add(product, &some);
    scree__product_start(product, p.q, p.b, p.w);
    scree__product_add(product, &all);
    scree__product_finish(product);
    expect_plain(&p, 1e-13);
    scree__product_free(product);
    clear(&p);
}

/* Ranges at once have the bits that each has alone, one without rows zeros. */
static void run_ranges(int64_t d, scree_type type, const scree__ops *ops, int threads)
{
    static const int64_t starts[] = {0, 4000, 7300, 7300, 7301, 11301};
    enum { RANGES = COUNT_OF(starts) - 1, B = 5 };
    scree_error error = SCREE_ERROR_INIT;
    problem p = made(11301, d, B, type, true);
    const scree__rows all = {p.x->data, p.x->type, p.x->n, d, p.x->stride, NULL};
    const scree__product_size size = {4000, d, WIDEST, type, ops, threads, RANGES};
    scree__product_range ranges[RANGES];
    scree__product *product = NULL;
    double *w = scree__alloc(RANGES * d * B, sizeof *w);
    const int64_t at_once = scree__product_at_once(&size);
    EXPECT_OK(scree__product_new(&product, &size, p.shift, p.factor, &error), error);
    for (int64_t i = 0; i < RANGES; i++) {
        ranges[i] =
            (scree__product_range){scree__rows_slice(&all, starts[i], starts[i + 1] - starts[i]), w + i * d * B};
        for (int64_t j = 0; j < d * B; j++)
            ranges[i].w[j] = 7;
    }
    for (int64_t i = 0; i < RANGES; i += at_once)
        scree__product_ranges(product, p.q, B, ranges + i, RANGES - i < at_once ? RANGES - i : at_once);
    for (int64_t i = 0; i < RANGES; i++) {
        scree__product_start(product, p.q, B, p.w);
        scree__product_add(product, &ranges[i].x);
        scree__product_finish(product);
        assert_memory_equal(ranges[i].w, p.w, (size_t)(d * B) * sizeof *w);
    }
    scree__product_free(product);
    free(w);
    clear(&p);
}

static void test_ranges(void **state)
{
    (void)state;
    const scree__product_size narrow = {4000, 7, WIDEST, SCREE_F64, &scree__ops_f64, 2, 5};
    const scree__product_size wide = {4000, 1 << 20, WIDEST, SCREE_F64, &scree__ops_f64, 2, 5};
    const scree__product_size alone = {4000, 7, WIDEST, SCREE_F64, &scree__ops_f64, 2, 1};
    assert_int_equal(scree__product_at_once(&narrow), 5);
    assert_int_equal(scree__product_at_once(&wide), 1);
    assert_true(scree__product_memory(&narrow) > scree__product_memory(&alone));
    for (int threads = 1; threads <= 3; threads++) {
        run_ranges(7, SCREE_F64, &scree__ops_f64, threads);
        run_ranges(7, SCREE_F32, &scree__ops_f32, threads);
        run_ranges(301, SCREE_F32, &scree__ops_f32, threads);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    const scree__product_size size = {100000, 500, 8, SCREE_F32, &scree__ops_f32, 2, 1};
    scree__product_size other = size;
    const int64_t least = scree__product_memory(&size);
    assert_true(least >= 500 * 8 * (8 + 4));
    other.b = 16;
    assert_true(scree__product_memory(&other) > least);
    other = size;
    other.threads = 4;
    assert_true(scree__product_memory(&other) > least);
    other.cols = 1 << 20; /* one W is large, and there is no room for many */
    assert_true(scree__product_memory(&other) < INT64_C(1) << 30);
    assert_true(scree__product_chain(&size) < 500); /* in float */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_types), cmocka_unit_test(test_weights),
        cmocka_unit_test(test_large_means), cmocka_unit_test(test_again), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
