/* SPDX-License-Identifier: BSD-3-Clause */
/* The second opinion: right eigenpairs pass, also where nothing is left beside them; a missed one is found, and
 * residuals are those of the vectors given. */

#include "support/checks.h"

#include "support/matrices.h"

enum { N = 60, K = 4 };

typedef struct opinion {
    double beside;
    double residuals[K];
    int64_t applies;
} opinion;

/* Of eigenvectors number[0..K-1] of the matrix with the values. */
static opinion probed(const double *values, int64_t count, const int64_t *number)
{
    scree_error error = SCREE_ERROR_INIT;
    double *a = matrix_with(values, count, N);
    matrix_operator m = {.a = a, .n = N};
    const scree__operator op = {N, matrix_apply, &m};
    const scree__lanczos_options options = {.k = K, .seed = 3, .threads = 2};
    opinion o = {0};
    double vectors[K * N];
    double theta[K];
    for (int64_t j = 0; j < K; j++) {
        theta[j] = number[j] < count ? values[number[j]] : 0;
        for (int64_t i = 0; i < N; i++)
            vectors[j * N + i] = reflection(N, number[j], i);
    }
    scree__lanczos_result result = {.values = theta, .vectors = vectors, .residuals = o.residuals};
    EXPECT_OK(scree__probe(&op, &options, &result, &o.beside, &error), error);
    o.applies = m.applies;
    assert_int_equal(result.applies, 2);
    free(a);
    return o;
}

static void test_nothing_missed(void **state)
{
    (void)state;
    static const double values[] = {9, 8, 7, 6, 3, 2, 1};
    static const int64_t number[] = {0, 1, 2, 3};
    const opinion o = probed(values, 7, number);
    assert_true(o.beside <= 3 * (1 + 1e-14));
    assert_true(o.beside > 2.5); /* the three that are left: the probe sees all of them */
    assert_int_equal(o.applies, 2);
    for (int j = 0; j < K; j++)
        assert_true(o.residuals[j] < 1e-13);
}

static void test_nothing_left(void **state)
{
    (void)state;
    static const double values[] = {9, 8, 7, 6};
    static const int64_t number[] = {0, 1, 2, 3};
    for (int64_t rank = 0; rank <= 4; rank++)
        EXPECT_NEAR(probed(values, rank, number).beside, 0, 1e-12);
}

static void test_missed(void **state)
{
    (void)state;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = pow(0.7, (double)j);
    for (int64_t missed = 0; missed < K; missed++) {
        int64_t number[K];
        for (int64_t j = 0; j < K; j++)
            number[j] = j < missed ? j : j + 1;
        const opinion o = probed(values, N, number);
        assert_true(o.beside > values[K]);
        assert_true(o.beside <= values[missed] * (1 + 1e-14));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_missed),
        cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
