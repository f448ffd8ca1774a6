/* SPDX-License-Identifier: BSD-3-Clause */
/* CCᵀY and CᵀY of rows that lie in memory against plain loops: every element type in both arithmetics, rows with
 * padding, shapes that end within a block, a group and a strip, scaled columns, means that float cannot hold, and the
 * same bits for any number of threads, kept or not. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/inplace.h"
#include "support/rows.h"

#include <string.h>

enum { WIDEST = 40 };

typedef struct problem {
    rows *x;
    scree__inplace_rows c;
    double *shift;
    double *factor;
    double *y; /* n×b */
    int64_t b;
} problem;

static double *numbers(int64_t count, uint64_t seed)
{
    double *x = scree__alloc(count, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++)
        x[i] = rows_random(seed, i, 0);
    return x;
}

static problem made(int64_t n, int64_t d, int64_t b, scree_type type, double mean)
{
    problem p = {.b = b, .y = numbers(n * b, 43)};
    double *x = scree__alloc(n * d, sizeof *x);
    p.shift = scree__alloc(d, sizeof *p.shift);
    p.factor = scree__alloc(d, sizeof *p.factor);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(41, i, j) + mean * (double)(1 + j % 3);
    p.x = rows_of(x, n, d, type, 10);
    for (int64_t j = 0; j < d; j++) {
        p.factor[j] = 1 + 0.25 * (double)(j % 5);
        for (int64_t i = 0; i < n; i++)
            p.shift[j] += p.x->exact[i * d + j] / (double)n;
    }
    p.c = (scree__inplace_rows){{p.x->data, type, n, d, p.x->stride, NULL}, p.shift, p.factor, false};
    return p;
}

static void clear(problem *p)
{
    rows_free(p->x);
    free(p->shift);
    free(p->factor);
    free(p->y);
}

static double cell(const problem *p, int64_t i, int64_t j)
{
    return (p->x->exact[i * p->x->d + j] - p->shift[j]) * (p->c.factor ? p->c.factor[j] : 1);
}

/* w (d×b) = Cᵀy, and how large its terms are. */
static void transposed(const problem *p, double *w, double *sizes)
{
    const int64_t d = p->x->d;
    memset(w, 0, (size_t)(d * p->b) * sizeof *w);
    memset(sizes, 0, (size_t)(d * p->b) * sizeof *sizes);
    for (int64_t i = 0; i < p->x->n; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t l = 0; l < p->b; l++) {
                w[j * p->b + l] += cell(p, i, j) * p->y[i * p->b + l];
                sizes[j * p->b + l] += fabs(cell(p, i, j) * p->y[i * p->b + l]);
            }
}

static void expect_plain(const problem *p, const double *v, const double *w, double relative)
{
    const int64_t d = p->x->d;
    double *wanted = scree__alloc(d * p->b, sizeof *wanted);
    double *sizes = scree__alloc(d * p->b, sizeof *sizes);
    transposed(p, wanted, sizes);
    for (int64_t i = 0; i < d * p->b; i++)
        EXPECT_NEAR(w[i], wanted[i], relative * sizes[i] + 1e-300);
    for (int64_t i = 0; i < p->x->n; i++)
        for (int64_t l = 0; l < p->b; l++) {
            double sum = 0;
            double size = 1e-300;
            for (int64_t j = 0; j < d; j++) {
                sum += cell(p, i, j) * wanted[j * p->b + l];
                size += fabs(cell(p, i, j)) * sizes[j * p->b + l];
            }
            EXPECT_NEAR(v[i * p->b + l], sum, relative * size);
        }
    free(wanted);
    free(sizes);
}

static void run(const problem *p, const scree__ops *ops, int threads, double *v, double *w)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__inplace *product = NULL;
    EXPECT_OK(scree__inplace_new(&product, &p->c, WIDEST, ops, threads, &error), error);
    scree__inplace_columns(product, p->y, p->b, w);
    scree__inplace_apply(product, p->y, p->b, v);
    scree__inplace_free(product);
}

static void run_problem(problem *p, const scree__ops *ops, double relative)
{
    const int64_t n = p->x->n * p->b;
    const int64_t d = p->x->d * p->b;
    for (int scaled = 0; scaled < 2; scaled++) {
        double *first = numbers(n + d, 44); /* what was there before must not matter */
        double *other = numbers(n + d, 45);
        p->c.factor = scaled ? p->factor : NULL;
        p->c.keep = false;
        run(p, ops, 1, first, first + n);
        expect_plain(p, first, first + n, relative);
        for (int threads = 2; threads <= 4; threads++) {
            p->c.keep = threads % 2 == 0; /* what columns centres, apply finds */
            run(p, ops, threads, other, other + n);
            assert_memory_equal(first, other, (size_t)(n + d) * sizeof *first);
        }
        free(first);
        free(other);
    }
    clear(p);
}

static void run_shape(int64_t n, int64_t d, int64_t b, scree_type type)
{
    problem p = made(n, d, b, type, 1);
    run_problem(&p, &scree__ops_f64, 1e-13);
    p = made(n, d, b, type, 1);
    run_problem(&p, &scree__ops_f32, 3e-6);
}

static void test_shapes(void **state)
{
    (void)state;
    run_shape(1, 1, 1, SCREE_F64);
    run_shape(12, 288, 16, SCREE_F32);
    run_shape(11, 289, 17, SCREE_F32);
    run_shape(193, 145, 8, SCREE_F64);
    run_shape(400, 7, WIDEST, SCREE_F32);
    run_shape(5, 900, 3, SCREE_F64);
    run_shape(20, 5000, 2, SCREE_U8);
}

static void test_types(void **state)
{
    (void)state;
    for (int type = SCREE_F32; type <= SCREE_U8; type++)
        run_shape(205, 301, 5, (scree_type)type);
}

/* float(µ) is off by as much as the deviations themselves, and costs nothing. */
static void test_large_means(void **state)
{
    (void)state;
    problem p = made(205, 301, 5, SCREE_F32, 3e6);
    run_problem(&p, &scree__ops_f32, 3e-6);
    p = made(205, 301, 5, SCREE_F64, 3e12);
    run_problem(&p, &scree__ops_f32, 3e-6);
    p = made(205, 301, 5, SCREE_F64, 3e12);
    run_problem(&p, &scree__ops_f64, 1e-13);
}

static void test_memory(void **state)
{
    (void)state;
    const int64_t narrow = scree__inplace_memory(1000, 500, 8, &scree__ops_f64, 2);
    assert_true(scree__inplace_suits(1000) && !scree__inplace_suits(1000000));
    assert_true(narrow >= 1000 * 8 * 8);
    assert_true(scree__inplace_memory(1000, 500, 16, &scree__ops_f64, 2) > narrow);
    assert_true(scree__inplace_memory(1000, 500, 8, &scree__ops_f64, 4) > narrow);
    assert_true(scree__inplace_chain(1000, 500, &scree__ops_f32) < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_large_means),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
