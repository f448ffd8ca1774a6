/* SPDX-License-Identifier: BSD-3-Clause */
/* QR by slabs: Q times R is the matrix, column by column relative to the columns' own lengths, Q has orthonormal
 * columns, and threads do not move a bit. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/slabs.h"
#include "support/rows.h"

#include <string.h>

enum { MOST = 16 };

/* A matrix of so many groups of slabs, which differ in height by up to two rows. */
typedef struct shape {
    int64_t cols;
    int64_t count;
    int64_t each;
    int64_t height;
    bool dependent; /* columns that are 0, or equal */
} shape;

typedef struct factors {
    scree__slabs slabs;
    int64_t starts[MOST + 1];
    double *a; /* the matrix */
} factors;

static double entry(const shape *s, int64_t i, int64_t j)
{
    if (s->dependent && j % 3 == 1)
        return 0;
    if (s->dependent && j % 3 == 2)
        j--;
    return pow(10, (double)-(j % 12)) * (rows_random(31, i, j) + 2);
}

static void make(factors *f, const shape *s, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    memset(f, 0, sizeof *f);
    for (int64_t slab = 0; slab < s->count; slab++)
        f->starts[slab + 1] = f->starts[slab] + s->height + slab % 3;
    const int64_t d = f->starts[s->count];
    f->a = scree__alloc(d * s->cols, sizeof *f->a);
    double *x = scree__alloc(d * s->cols, sizeof *x);
    for (int64_t j = 0; j < s->cols; j++)
        for (int64_t i = 0; i < d; i++)
            f->a[j * d + i] = x[j * d + i] = entry(s, i, j);
    f->slabs = (scree__slabs){.x = x, .rows = d, .cols = s->cols, .count = s->count, .each = s->each};
    f->slabs.threads = threads;
    f->slabs.starts = f->starts;
    assert_true(scree__slabs_memory(s->cols, s->count, s->each) > 0);
    EXPECT_OK(scree__slabs_factor(&f->slabs, &error), error);
}

static void clear(factors *f)
{
    scree__slabs_clear(&f->slabs);
    free(f->slabs.x);
    free(f->a);
}

/* Q times what each group has on top, of cols columns: its triangle, or the identity. */
static double *spread(const shape *s, factors *f, bool identity)
{
    scree_error error = SCREE_ERROR_INIT;
    const int64_t n = s->cols;
    const int64_t d = f->slabs.rows;
    double *r = scree__alloc(n * n, sizeof *r);
    double *u = scree__alloc(d * n, sizeof *u);
    for (int64_t i = 0; i < d * n; i++)
        u[i] = (double)NAN; /* what is not on top does not count */
    for (int64_t group = 0; group < s->count / s->each; group++) {
        scree__slabs_triangle(&f->slabs, group, r);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                u[j * d + f->starts[group * s->each] + i] = identity ? i == j : r[j * n + i];
    }
    EXPECT_OK(scree__slabs_spread(&f->slabs, u, d, n, &error), error);
    free(r);
    return u;
}

static double length(const double *a, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum = hypot(sum, a[i]);
    return sum;
}

static void expect_product(const shape *s, factors *f)
{
    const int64_t d = f->slabs.rows;
    double *u = spread(s, f, false);
    for (int64_t j = 0; j < s->cols; j++) {
        const double bound = 1e-14 * length(f->a + j * d, d);
        for (int64_t i = 0; i < d; i++)
            EXPECT_NEAR(u[j * d + i], f->a[j * d + i], bound);
    }
    free(u);
}

static void expect_orthonormal(const shape *s, factors *f)
{
    const int64_t d = f->slabs.rows;
    double *u = spread(s, f, true);
    for (int64_t group = 0; group < s->count / s->each; group++)
        for (int64_t a = 0; a < s->cols; a++)
            for (int64_t b = 0; b <= a; b++) {
                double sum = 0;
                for (int64_t i = f->starts[group * s->each]; i < f->starts[(group + 1) * s->each]; i++)
                    sum += u[a * d + i] * u[b * d + i];
                EXPECT_NEAR(sum, a == b, 1e-14);
            }
    free(u);
}

static void test_factors(void **state)
{
    (void)state;
    static const shape shapes[] = {
        {.cols = 1, .count = 1, .each = 1, .height = 1},
        {.cols = 1, .count = 8, .each = 8, .height = 1},
        {.cols = 7, .count = 1, .each = 1, .height = 30},
        {.cols = 7, .count = 2, .each = 2, .height = 7},
        {.cols = 33, .count = 6, .each = 2, .height = 33},
        {.cols = 40, .count = 16, .each = 4, .height = 90},
        {.cols = 70, .count = 8, .each = 8, .height = 71},
        {.cols = 12, .count = 4, .each = 4, .height = 50, .dependent = true},
    };
    for (int64_t i = 0; i < COUNT_OF(shapes); i++) {
        const shape *s = &shapes[i];
        factors one;
        factors two;
        make(&one, s, 1);
        make(&two, s, 2);
        assert_memory_equal(one.slabs.x, two.slabs.x, (size_t)(one.slabs.rows * s->cols) * sizeof *one.slabs.x);
        expect_product(s, &two);
        expect_orthonormal(s, &two);
        expect_product(s, &one);
        clear(&one);
        clear(&two);
    }
}

/* No process has columns. */
static void test_nothing(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    const int64_t starts[] = {0};
    scree__slabs none = {.cols = 5, .each = 4, .starts = starts, .threads = 2};
    EXPECT_OK(scree__slabs_factor(&none, &error), error);
    EXPECT_OK(scree__slabs_spread(&none, NULL, 0, 3, &error), error);
    scree__slabs_clear(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
