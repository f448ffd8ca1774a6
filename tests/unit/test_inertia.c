/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies below a shift, for a matrix whose eigenpairs are known: true just above the first value that was left out,
 * with a bound that is not far off; false just below it, and when a larger one is missing among those given. */

#include "support/checks.h"

#include "kernel/inertia.h"
#include "support/matrices.h"

enum { N = 150, KNOWN = 9 };

static double value_of(int64_t j)
{
    return 10 - 0.05 * (double)j;
}

/* Whether all but the eigenpairs first .. first+KNOWN-1 are proven to lie below tau. */
static bool below(int64_t first, double tau, double *bound, int threads)
{
    double values[N];
    double vectors[KNOWN * N];
    for (int64_t j = 0; j < N; j++)
        values[j] = value_of(j);
    double *a = matrix_with(values, N, N);
    double *work = scree__alloc(N * N, sizeof *work);
    assert_non_null(work);
    for (int64_t j = 0; j < KNOWN; j++)
        for (int64_t i = 0; i < N; i++)
            vectors[j * N + i] = reflection(N, first + j, i);
    const scree__proof proof = {a, N, values + first, vectors, KNOWN, work, threads};
    const bool proven = scree__others_below(&proof, tau, bound);
    free(a);
    free(work);
    return proven;
}

static void test_shift_decides(void **state)
{
    (void)state;
    const double next = value_of(KNOWN);
    for (int threads = 1; threads <= 3; threads++) {
        double bound = -1;
        assert_false(below(0, next - 1e-9, &bound, threads));
        assert_true(bound == -1);
        assert_true(below(0, next + 1e-9, &bound, threads));
        assert_true(bound > next && bound < next + 2e-9);
    }
}

static void test_a_missed_one_is_told(void **state)
{
    (void)state;
    double bound = -1;
    assert_false(below(1, value_of(KNOWN) + 1e-9, &bound, 2));
    assert_true(bound == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift_decides),
        cmocka_unit_test(test_a_missed_one_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
