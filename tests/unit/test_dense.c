/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of matrices that have known ones, by the whole spectrum and by the iterative solver: values, vectors,
 * by a part of the spectrum; residuals, a bound on the next eigenvalue that holds, ties, shares, the same bits for any
 * number of threads. */

#include "support/checks.h"

#include "kernel/dense.h"
#include "support/matrices.h"

#include <string.h>

enum { MOST = 320 };

typedef struct found {
    scree__dense_result result;
    int64_t k;
} found;

static found eigen(const double *a, int64_t n, int64_t k, double share, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    found f = {.k = k};
    f.result.values = scree__alloc(k, sizeof(double));
    f.result.vectors = scree__alloc(k * n, sizeof(double));
    f.result.residuals = scree__alloc(k, sizeof(double));
    assert_true(scree__dense_memory(n, k) > 0);
    const scree__dense_options options = {.share = share, .threads = threads};
    EXPECT_OK(scree__dense_eigen(a, n, &f.k, &options, &f.result, &error), error);
    return f;
}

static void clear(found *f)
{
    free(f->result.values);
    free(f->result.vectors);
    free(f->result.residuals);
}

/* values: all n of them, descending. */
static void expect_pairs(const found *f, const double *values, int64_t n)
{
    for (int64_t j = 0; j < f->k; j++) {
        int64_t first = j;
        int64_t last = j;
        while (first > 0 && values[first - 1] == values[j])
            first--;
        while (last + 1 < n && values[last + 1] == values[j])
            last++;
        EXPECT_NEAR(f->result.values[j], values[j], 1e-13 * values[0]);
        EXPECT_NEAR(outside(f->result.vectors + j * n, n, first, last), 0, 1e-10);
        assert_true(f->result.residuals[j] <= 1e-12 * values[0]);
    }
    const double next = f->k < n ? values[f->k] : 0;
    if (!(f->result.next >= next && f->result.next <= next + 1e-6 * values[0]))
        fail_msg("the next eigenvalue is %.17g, its bound %.17g", next, f->result.next);
}

static void run(const double *values, int64_t n, int64_t k, bool full)
{
    double *a = matrix_with(values, n, n);
    found one = eigen(a, n, k, 0, 1);
    assert_int_equal(one.result.full, full);
    expect_pairs(&one, values, n);
    for (int threads = 2; threads <= 4; threads += 2) {
        found more = eigen(a, n, k, 0, threads);
        assert_memory_equal(one.result.values, more.result.values, (size_t)k * sizeof(double));
        assert_memory_equal(one.result.vectors, more.result.vectors, (size_t)(k * n) * sizeof(double));
        clear(&more);
    }
    clear(&one);
    free(a);
}

static void test_whole_spectrum(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 7, 60};
    double values[MOST];
    for (int64_t i = 0; i < COUNT_OF(sizes); i++) {
        for (int64_t j = 0; j < sizes[i]; j++)
            values[j] = 3 * pow(0.8, (double)j);
        run(values, sizes[i], sizes[i], true);
        run(values, sizes[i], 1, true);
    }
}

static void test_few(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = 5 * pow(0.9, (double)j);
    assert_true(scree__dense_is_few(MOST, 10));
    run(values, MOST, 10, false);
    run(values, MOST, 1, false);
}

/* Too many for the iterative solver, too few to ask for all. */
static void test_part(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < 100; j++)
        values[j] = 5 * pow(0.9, (double)j);
    assert_false(scree__dense_is_few(100, 25));
    run(values, 100, 25, false);
    run(values, 100, 1, false);
    run(values, 100, 26, true);
}

/* Evenly spaced: the iterative solver gives up, and what follows must not need the whole spectrum. */
static void test_few_of_flat(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = 2 - (double)j / MOST;
    assert_true(scree__dense_is_few(MOST, 30));
    run(values, MOST, 30, false);
}

/* More copies than the block is wide, and a cut through them. */
static void test_few_of_alike(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = j < 3 ? 9 : j < 60 ? 4 : 1;
    double *a = matrix_with(values, MOST, MOST);
    found f = eigen(a, MOST, 10, 0, 2);
    expect_pairs(&f, values, MOST);
    clear(&f);
    free(a);
}

static void test_share(void **state)
{
    (void)state;
    const double values[] = {4, 3, 2, 1};
    double *a = matrix_with(values, 4, 4);
    static const struct {
        double share;
        int64_t k;
    } cases[] = {{0.1, 1}, {0.39, 1}, {0.41, 2}, {0.69, 2}, {0.71, 3}, {0.89, 3}, {0.99, 4}};
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        found f = eigen(a, 4, 4, cases[i].share, 1);
        assert_int_equal(f.k, cases[i].k);
        expect_pairs(&f, values, 4);
        clear(&f);
    }
    free(a);
}

static void test_spectrum_is_told(void **state)
{
    (void)state;
    const double values[] = {4, 3, 2, 0, 0};
    double *a = matrix_with(values, 5, 5);
    double spectrum[5];
    double first;
    double vector[5];
    double residual;
    int64_t k = 1;
    scree__dense_result result = {.values = &first, .vectors = vector, .residuals = &residual, .spectrum = spectrum};
    assert_int_equal(scree__dense_eigen(a, 5, &k, &(scree__dense_options){.threads = 1}, &result, NULL), SCREE_OK);
    for (int j = 0; j < 5; j++) {
        EXPECT_NEAR(spectrum[j], values[j], 1e-14);
        assert_true(spectrum[j] >= 0);
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_spectrum),   cmocka_unit_test(test_few),
        cmocka_unit_test(test_few_of_alike),     cmocka_unit_test(test_share),
        cmocka_unit_test(test_spectrum_is_told), cmocka_unit_test(test_part),
        cmocka_unit_test(test_few_of_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
