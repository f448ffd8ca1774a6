/* SPDX-License-Identifier: BSD-3-Clause */
/* W = CᵀCQ against plain loops, C centred and scaled: odd widths and heights, types, tables of operations, blocks
 * narrower than the widest, the same bits for any number of threads, and from rows that are kept. */

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
    double *q;
    double *w;
    int64_t b;
} problem;

static problem made(int64_t n, int64_t d, int64_t b, scree_type type, bool scaled)
{
    problem p = {.b = b};
    double *x = scree__alloc(n * d, sizeof *x);
    p.shift = scree__alloc(d, sizeof *p.shift);
    p.factor = scaled ? scree__alloc(d, sizeof *p.factor) : NULL;
    p.q = scree__alloc(d * b, sizeof *p.q);
    p.w = scree__alloc(d * b, sizeof *p.w);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(31, i, j) + (double)(j % 3);
    for (int64_t j = 0; j < d; j++) {
        p.shift[j] = (double)(j % 3);
        if (scaled)
            p.factor[j] = 1 + 0.25 * (double)(j % 5);
    }
    for (int64_t i = 0; i < d * b; i++)
        p.q[i] = p.w[i] = rows_random(32, i, 0); /* W must be zeroed by the product itself */
    p.x = rows_of(x, n, d, type, 10);
    return p;
}

static void clear(problem *p)
{
    rows_free(p->x);
    free(p->shift);
    free(p->factor);
    free(p->q);
    free(p->w);
}

static void run(problem *p, const scree__ops *ops, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__product *product = NULL;
    const rows *r = p->x;
    const int64_t batch = scree__product_rows(r->d, ops);
    const scree__rows all = {r->data, r->type, r->n, r->d, r->stride, NULL};
    assert_true(scree__product_memory(r->d, WIDEST, ops, threads) > 0);
    EXPECT_OK(scree__product_new(&product, r->d, WIDEST, ops, threads, p->shift, p->factor, &error), error);
    scree__product_start(product, p->q, p->b, p->w);
    for (int64_t first = 0; first < r->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, r->n - first < batch ? r->n - first : batch);
        EXPECT_OK(scree__product_add(product, &part, &error), error);
    }
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
            for (int64_t j = 0; j < d; j++) {
                wanted[j * p->b + l] += cell(p, i, j) * y;
                sizes[j * p->b + l] += fabs(cell(p, i, j)) * size;
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
        run(&p, ops, 1);
        expect_plain(&p, ops->type == SCREE_F32 ? 1e-5 : 1e-13);
        memcpy(one, p.w, (size_t)(d * b) * sizeof *one);
        for (int threads = 2; threads <= 4; threads++) {
            run(&p, ops, threads);
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

/* A sweep that was left off is forgotten; the one after a whole one needs no source, and another Q. */
static void expect_kept(const scree__ops *ops)
{
    scree_error error = SCREE_ERROR_INIT;
    problem p = made(2500, 65, 5, SCREE_F64, true);
    const scree__rows all = {p.x->data, p.x->type, p.x->n, p.x->d, p.x->stride, NULL};
    const int64_t batch = scree__product_rows(p.x->d, ops);
    const int64_t bytes = p.x->d * p.b * 8;
    double *second = scree__alloc(bytes, 1);
    scree__product *product = NULL;
    EXPECT_OK(scree__product_new(&product, p.x->d, WIDEST, ops, 2, p.shift, p.factor, &error), error);
    assert_false(scree__product_has_all(product));
    assert_true(scree__product_keep(product, p.x->n));
    const scree__rows some = scree__rows_slice(&all, 0, batch);
    scree__product_start(product, p.q, p.b, p.w);
    EXPECT_OK(scree__product_add(product, &some, &error), error);
    scree__product_start(product, p.q, p.b, p.w);
    for (int64_t first = 0; first < p.x->n; first += batch) {
        const scree__rows part = scree__rows_slice(&all, first, p.x->n - first < batch ? p.x->n - first : batch);
        assert_false(scree__product_has_all(product));
        EXPECT_OK(scree__product_add(product, &part, &error), error);
    }
    assert_true(scree__product_has_all(product));
    for (int64_t i = 0; i < p.x->d * p.b; i++)
        p.q[i] = p.w[i];
    scree__product_start(product, p.q, p.b, second);
    EXPECT_OK(scree__product_repeat(product, &error), error);
    run(&p, ops, 1);
    assert_memory_equal(second, p.w, (size_t)bytes);
    scree__product_free(product);
    free(second);
    clear(&p);
}

static void test_kept(void **state)
{
    (void)state;
    expect_kept(&scree__ops_f32);
    expect_kept(&scree__ops_f64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
