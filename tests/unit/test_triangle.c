/* SPDX-License-Identifier: BSD-3-Clause */
/* A triangle times a vector against plain loops over the whole matrix: orders around the shapes of tiles, of both
 * shapes; any first row; tiles in any order. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/triangle.h"

static double entry(const double *a, int64_t n, int64_t i, int64_t j)
{
    return i < j ? a[i * n + j] : a[j * n + i];
}

static void compute(const scree__triangle *t, bool backwards, double *y)
{
    const int64_t tiles = scree__triangle_tiles(t);
    for (int64_t i = 0; i < tiles; i++)
        scree__triangle_tile(t, backwards ? tiles - 1 - i : i);
    for (int64_t from = t->first; from < t->n;) {
        int64_t to = (from / SCREE__STRETCH + 1) * SCREE__STRETCH;
        to = to < t->n ? to : t->n;
        scree__triangle_sum(t, from, to, y);
        from = to;
    }
}

static void run(int64_t n, int64_t first)
{
    double *a = scree__alloc(n * n, sizeof *a);
    double *x = scree__alloc(3 * n, sizeof *x);
    double *y = x + n;
    double *again = x + 2 * n;
    assert_true(a && x);
    scree__normals(3, 0, 0, n * n, a);
    scree__normals(3, 1, 0, n, x);
    scree__triangle t = {.a = a, .n = n, .first = first, .x = x};
    scree__triangle_shape(&t);
    t.down = scree__alloc(scree__triangle_bands(&t) * n, sizeof(double));
    t.across = scree__alloc(scree__triangle_stretches(&t) * n, sizeof(double));
    assert_true(t.down && t.across);
    compute(&t, false, y);
    compute(&t, true, again);
    for (int64_t i = first; i < n; i++) {
        assert_true(y[i] == again[i]);
        if (n > 1000 && i % 97 != 0)
            continue;
        double wanted = 0;
        for (int64_t j = first; j < n; j++)
            wanted += entry(a, n, i, j) * x[j];
        EXPECT_NEAR(y[i], wanted, 1e-15 * (double)n);
    }
    free(a);
    free(x);
    free(t.down);
    free(t.across);
}

static void test_orders(void **state)
{
    (void)state;
    static const int64_t orders[] = {1, 2, 3, 4, 5, 127, 128, 129, 511, 513, 700};
    for (int64_t i = 0; i < COUNT_OF(orders); i++)
        run(orders[i], 0);
}

static void test_first_rows(void **state)
{
    (void)state;
    static const int64_t firsts[] = {1, 2, 3, 126, 127, 128, 130, 511, 512, 598, 599};
    for (int64_t i = 0; i < COUNT_OF(firsts); i++)
        run(600, firsts[i]);
}

static void test_large(void **state)
{
    (void)state;
    run(2501, 0);
    run(2501, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_first_rows),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
