/* SPDX-License-Identifier: BSD-3-Clause */
/* Bi-cross-validation from Grams against the same from data: X_JK (X_IK)⁺_M X_IL by an SVD, cell by cell. */

#include "base/random.h"
#include "fit/selection.h"
#include "kernel/blas.h"
#include "support/checks.h"

#include <string.h>

enum { IN = 15, OUT = 7, P = 9, MOST = 4 };

/* p×p Gram of the columns of x. */
static void gram(const double *x, int64_t rows, double *g)
{
    for (int64_t i = 0; i < P; i++)
        for (int64_t j = 0; j < P; j++) {
            g[i * P + j] = 0;
            for (int64_t r = 0; r < rows; r++)
                g[i * P + j] += x[r * P + i] * x[r * P + j];
        }
}

/* Takes the mean of the part from each row: what centring does when the index is a row of the data. */
static void centre_part(double *x, int64_t rows, const int64_t *part, int64_t count)
{
    for (int64_t r = 0; r < rows; r++) {
        double mean = 0;
        for (int64_t j = 0; j < count; j++)
            mean += x[r * P + part[j]] / (double)count;
        for (int64_t j = 0; j < count; j++)
            x[r * P + part[j]] -= mean;
    }
}

/* Squared error of the cells of out × left, predicted by m components. */
static double plain(const double *in, const double *out, const int64_t *kept, int64_t k, const int64_t *left, int64_t l,
                    int64_t m)
{
    double x[IN * P];
    double sigma[P];
    double u[IN * P];
    double vt[P * P];
    double error = 0;
    for (int64_t j = 0; j < k; j++) /* columns first, as the SVD wants them */
        for (int64_t r = 0; r < IN; r++)
            x[j * IN + r] = in[r * P + kept[j]];
    assert_int_equal(scree__dgesdd('S', IN, k, x, IN, sigma, u, IN, vt, k), 0);
    for (int64_t o = 0; o < OUT; o++)
        for (int64_t c = 0; c < l; c++) {
            double prediction = 0;
            for (int64_t i = 0; i < m; i++) {
                double along = 0;
                double code = 0;
                for (int64_t j = 0; j < k; j++)
                    along += out[o * P + kept[j]] * vt[j * k + i];
                for (int64_t r = 0; r < IN; r++)
                    code += u[i * IN + r] * in[r * P + left[c]];
                prediction += along / sigma[i] * code;
            }
            error += pow(out[o * P + left[c]] - prediction, 2);
        }
    return error;
}

static void check(bool centre)
{
    static const int64_t order[P] = {4, 0, 7, 2, 8, 1, 6, 3, 5};
    double in[IN * P];
    double out[OUT * P];
    double g_in[P * P];
    double g_out[P * P];
    double work[4 * (P + 1) * (P + 1) + 8 * (P + 1)];
    double errors[MOST + 1];
    scree__normals(3, 1, 0, IN * P, in);
    scree__normals(3, 2, 0, OUT * P, out);
    gram(in, IN, g_in);
    gram(out, OUT, g_out);
    const scree__bicross b = {.p = P,
                              .live = P,
                              .max_components = MOST,
                              .in = g_in,
                              .out = g_out,
                              .order = order,
                              .splits = 1,
                              .centre = centre,
                              .work = work};
    assert_int_equal(scree__bicross_score(&b, errors), 0);
    for (int part = 0; part < 2 && centre; part++) {
        centre_part(part ? in : out, part ? IN : OUT, order, P / 2);
        centre_part(part ? in : out, part ? IN : OUT, order + P / 2, P - P / 2);
    }
    for (int64_t m = 0; m <= (centre ? 3 : MOST); m++) {
        const double wanted = plain(in, out, order, P / 2, order + P / 2, P - P / 2, m) +
                              plain(in, out, order + P / 2, P - P / 2, order, P / 2, m);
        EXPECT_NEAR(errors[m], wanted, 1e-10 * wanted);
    }
    assert_true(isnan(errors[MOST]) == centre); /* four rows, centred, have rank three */
}

static void test_errors_are_those_of_the_data(void **state)
{
    (void)state;
    check(false);
}

static void test_parts_of_rows_are_centred(void **state)
{
    (void)state;
    check(true);
}

static void test_nothing_to_learn_from(void **state)
{
    (void)state;
    static const int64_t order[2] = {1, 0};
    const double zeros[4] = {0};
    const double ones[4] = {1, 1, 1, 1};
    double work[64];
    double errors[2];
    const scree__bicross b = {
        .p = 2, .live = 2, .max_components = 1, .in = zeros, .out = ones, .order = order, .splits = 1, .work = work};
    assert_int_equal(scree__bicross_score(&b, errors), 0);
    EXPECT_NEAR(errors[0], 2, 0);
    assert_true(isnan(errors[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_are_those_of_the_data),
        cmocka_unit_test(test_parts_of_rows_are_centred),
        cmocka_unit_test(test_nothing_to_learn_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
