/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor by tiles against its definition, A = RᵀR, at sizes around those of the tiles; a matrix that is not
 * positive definite is told, wherever the bad direction hides; the same bits for any number of threads. */

#include "kernel/cholesky.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RANK = 12 };

/* shift·I + GGᵀ with G n×RANK. */
static double *matrix(int64_t n, double shift)
{
    double *a = scree__alloc(n * n, sizeof *a);
    double *g = scree__alloc(n * RANK, sizeof *g);
    assert_true(a && g);
    scree__normals(1, 1, 0, n * RANK, g);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < RANK; k++)
                a[i * n + j] += g[i * RANK + k] * g[j * RANK + k];
        a[i * n + i] += shift;
    }
    free(g);
    return a;
}

static void check_size(int64_t n)
{
    double *a = matrix(n, 1);
    double *r = scree__alloc(n * n, sizeof *r);
    double *again = scree__alloc(n * n, sizeof *again);
    double worst = 0;
    assert_true(r && again);
    memcpy(r, a, (size_t)(n * n) * sizeof *a);
    memcpy(again, a, (size_t)(n * n) * sizeof *a);
    assert_true(scree__cholesky(r, n, 1));
    assert_true(scree__cholesky(again, n, 4));
    assert_memory_equal(r, again, (size_t)(n * n) * sizeof *r);
    for (int64_t i = 0; i < n; i += 7) {
        for (int64_t j = i; j < n; j += 3) {
            double sum = 0;
            for (int64_t k = 0; k <= i; k++)
                sum += r[k * n + i] * r[k * n + j];
            worst = fmax(worst, fabs(sum - a[i * n + j]));
        }
    }
    assert_true(worst < 1e-11);
    free(a);
    free(r);
    free(again);
}

static void test_factor(void **state)
{
    static const int64_t sizes[] = {1, 2, 255, 256, 257, 600};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_size(sizes[i]);
}

static void test_not_positive(void **state)
{
    static const int64_t places[] = {0, 255, 256, 511, 599};
    const int64_t n = 600;
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double *a = matrix(n, 1);
        a[places[i] * (n + 1)] = -0.5;
        assert_false(scree__cholesky(a, n, 2));
        free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_factor), cmocka_unit_test(test_not_positive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
