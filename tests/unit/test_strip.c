/* SPDX-License-Identifier: BSD-3-Clause */
/* Four matrices at a time against one at a time: factors, determinants, solutions, inverses, of every order up to 13.
 */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/packed.h"
#include "kernel/strip.h"

#include <math.h>
#include <string.h>

enum { MOST = 13, V = SCREE__STRIP };

/* A positive matrix for each lane, and what is added to its diagonal. */
static void make(int64_t n, double *lane, double *more)
{
    double x[MOST * MOST];
    for (int64_t s = 0; s < V; s++) {
        scree__normals(7, (uint64_t)(n * V + s), 0, n * n, x);
        for (int64_t i = 0; i < n; i++) {
            more[s * n + i] = 0.1 * (double)(i + s);
            for (int64_t j = 0; j <= i; j++)
                lane[s * scree__pairs(n) + scree__pair(i, j)] =
                    scree__packed_dot(x + i * n, x + j * n, n) + (i == j ? 1 : 0);
        }
    }
}

static void check_order(int64_t n)
{
    double lane[V * (MOST * (MOST + 1) / 2)];
    double strip[V * (MOST * (MOST + 1) / 2)];
    double more[V * MOST];
    double diagonal[V * MOST];
    double x[V * MOST];
    double logdet[V];
    const int64_t pairs = scree__pairs(n);
    make(n, lane, more);
    for (int64_t s = 0; s < V; s++) {
        for (int64_t e = 0; e < pairs; e++)
            strip[e * V + s] = lane[s * pairs + e];
        for (int64_t i = 0; i < n; i++) {
            diagonal[i * V + s] = more[s * n + i];
            x[i * V + s] = (double)(i - s);
        }
    }
    scree__strip_factor(strip, diagonal, 0, n, logdet);
    scree__strip_solve(strip, n, x);
    scree__strip_invert(strip, n);
    for (int64_t s = 0; s < V; s++) {
        double factor[MOST * MOST];
        double work[MOST * MOST];
        double inverse[MOST * (MOST + 1) / 2];
        double y[MOST];
        EXPECT_NEAR(logdet[s], scree__packed_factor(lane + s * pairs, more + s * n, n, factor), 1e-12);
        scree__packed_invert(factor, n, 1, work, inverse);
        for (int64_t i = 0; i < n; i++)
            y[i] = (double)(i - s);
        scree__packed_solve(factor, n, y);
        for (int64_t i = 0; i < n; i++)
            EXPECT_NEAR(x[i * V + s], y[i], 1e-11 * (1 + fabs(y[i])));
        for (int64_t e = 0; e < pairs; e++)
            EXPECT_NEAR(strip[e * V + s], inverse[e], 1e-12);
    }
}

static void test_orders(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= MOST; n++)
        check_order(n);
}

/* Pivots that vanish are what is added, or the least share of the diagonal that is asked for. */
static void test_pivots(void **state)
{
    double a[3 * V];
    const double more[2 * V] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    const double none[2 * V] = {0};
    double logdet[V];
    (void)state;
    for (int i = 0; i < 3 * V; i++)
        a[i] = 0;
    scree__strip_factor(a, more, 0, 2, logdet);
    for (int s = 0; s < V; s++)
        EXPECT_NEAR(logdet[s], 2 * log(0.25), 1e-15);
    for (int i = 0; i < 3 * V; i++)
        a[i] = 4; /* of rank 1 */
    scree__strip_factor(a, none, 0.5, 2, logdet);
    for (int s = 0; s < V; s++)
        EXPECT_NEAR(logdet[s], log(4) + log(2), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_pivots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
