/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of the columns that a row has observed: of a complete fit of few columns it is that of these columns
 * themselves, by brute force; columns that never varied, and components that lean on missing ones, are left out; noise
 * by column, and the traces that it leaves beyond known directions. */

#include "support/checks.h"

#include "kernel/blas.h"
#include "model/part.h"
#include "model/unequal.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

enum { N = 60, D = 7, M = 2 };

/* Two components and unequal noise; column 3 may be constant. */
static rows *made(bool constant)
{
    double *x = malloc(N * D * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++) {
            x[i * D + j] = (0.3 + 0.2 * (double)j) * rows_random(1, i, j);
            for (int64_t k = 0; k < M; k++)
                x[i * D + j] += 4 * rows_random(2, i, k) * rows_random(3, k, j);
            if (constant && j == 3)
                x[i * D + j] = 5;
        }
    return rows_of(x, N, D, SCREE_F64, 1);
}

/* S_ij with the divisor of the model. */
static double covariance(const rows *r, const scree_model_view *view, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t n = 0; n < N; n++)
        sum += (r->exact[n * D + i] - view->mean[i]) * (r->exact[n * D + j] - view->mean[j]);
    return sum / scree__model_divisor(view);
}

/* What the axes leave of S, o×o: QSQ in s; its trace, and that of its square. */
static void leave(double *s, const double *axes, int64_t o, int64_t r, double *sum, double *squares)
{
    double q[D * D], both[D * D];
    for (int64_t i = 0; i < o; i++)
        for (int64_t j = 0; j < o; j++) {
            q[i * o + j] = i == j;
            for (int64_t k = 0; k < r; k++)
                q[i * o + j] -= axes[k * o + i] * axes[k * o + j];
        }
    scree__dgemm(false, false, o, o, o, 1, q, o, s, o, 0, both, o);
    scree__dgemm(false, false, o, o, o, 1, both, o, q, o, 0, s, o);
    *sum = *squares = 0;
    for (int64_t i = 0; i < o; i++)
        for (int64_t j = 0; j < o; j++) {
            *sum += i == j ? s[i * o + j] : 0;
            *squares += s[i * o + j] * s[i * o + j];
        }
}

static void check_part(bool constant)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    rows *r = made(constant);
    options.components = M;
    scree_model *model = rows_fit(r, &options);
    const scree_model_view *view = scree_model_get(model);
    scree__parts parts = {0};
    scree__part_row row = {0};
    scree__gaps gaps = {0};
    double x[D], s[D * D], copy[D * D], values[D], sum, squares, q = 0;
    const int64_t columns[] = {0, 1, 3, 4, 6};
    const int64_t seen = COUNT_OF(columns) - constant;
    int64_t own[COUNT_OF(columns)];
    for (int64_t j = 0, at = 0; j < COUNT_OF(columns); j++)
        if (!(constant && columns[j] == 3))
            own[at++] = columns[j];
    for (int64_t j = 0; j < D; j++)
        x[j] = j == 2 || j == 5 ? NAN : r->exact[4 * D + j] - view->mean[j];
    EXPECT_OK(scree__parts_make(&parts, model, M, false, &error), error);
    EXPECT_OK(scree__gaps_once(&gaps, view, x, &error), error);
    EXPECT_OK(scree__part_find(&row, &parts, &gaps, x, &error), error);
    assert_true(parts.reach == 1); /* nothing was missing */
    assert_int_equal(row.part.cols, seen);
    assert_int_equal(row.part.components, M);
    for (int64_t i = 0; i < seen; i++)
        for (int64_t j = 0; j < seen; j++)
            s[i * seen + j] = covariance(r, view, own[i], own[j]);
    memcpy(copy, s, sizeof s);
    assert_int_equal(scree__dsyevd(seen, copy, seen, values), 0);
    for (int64_t k = 0; k < M; k++)
        EXPECT_NEAR(row.part.variances[k], values[seen - 1 - k], 1e-3 * values[seen - 1]);
    leave(s, row.axes, seen, M, &sum, &squares);
    EXPECT_NEAR(row.part.sum, sum, 1e-9 * sum);
    EXPECT_NEAR(row.part.squares, squares, 1e-8 * squares);
    for (int64_t i = 0; i < seen; i++) {
        double left = x[own[i]];
        for (int64_t k = 0; k < M; k++)
            left -= row.codes[k] * row.axes[k * seen + i];
        q += left * left;
    }
    EXPECT_NEAR(row.q, q, 1e-12 * q);
    scree__part_clear(&row);
    scree__parts_clear(&parts);
    scree__gaps_close(&gaps);
    scree_model_free(model);
    rows_free(r);
}

static void covariance_of_observed_columns(void **state)
{
    (void)state;
    check_part(false);
    check_part(true);
}

/* The second component is a loud column: a row that has not observed it has one component. */
static void lost_components(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = malloc(N * D * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = rows_random(1, i, j) * (j == 4 ? 20 : 1) + (j == 4 ? 0 : 9 * rows_random(2, i, 0));
    rows *r = rows_of(x, N, D, SCREE_F64, 1);
    options.components = 2;
    scree_model *model = rows_fit(r, &options);
    const scree_model_view *view = scree_model_get(model);
    scree__parts parts = {0};
    EXPECT_OK(scree__parts_make(&parts, model, 2, false, &error), error);
    for (int64_t gap = 3; gap < 5; gap++) {
        scree__part_row row = {0};
        scree__gaps gaps = {0};
        double y[D];
        for (int64_t j = 0; j < D; j++)
            y[j] = j == gap ? NAN : r->exact[j] - view->mean[j];
        EXPECT_OK(scree__gaps_once(&gaps, view, y, &error), error);
        EXPECT_OK(scree__part_find(&row, &parts, &gaps, y, &error), error);
        assert_int_equal(gaps.rank, 2);
        assert_int_equal(row.part.components, gap == 4 ? 1 : 2);
        scree__part_clear(&row);
        scree__gaps_close(&gaps);
    }
    scree__parts_clear(&parts);
    scree_model_free(model);
    rows_free(r);
}

/* A component of four loud columns, of which a row has seen one: less than half of it, but it stands out, and is none
 * of the noise. */
static void components_hardly_seen(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = malloc(N * D * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = rows_random(1, i, j) + (j < 4 ? 9 * rows_random(2, i, 0) : 0);
    rows *r = rows_of(x, N, D, SCREE_F64, 1);
    options.components = 1;
    scree_model *model = rows_fit(r, &options);
    const scree_model_view *view = scree_model_get(model);
    scree__parts parts = {0};
    scree__part_row row = {0};
    scree__gaps gaps = {0};
    double y[D];
    for (int64_t j = 0; j < D; j++)
        y[j] = j < 3 ? NAN : r->exact[j] - view->mean[j];
    EXPECT_OK(scree__parts_make(&parts, model, 1, false, &error), error);
    EXPECT_OK(scree__gaps_once(&gaps, view, y, &error), error);
    EXPECT_OK(scree__part_find(&row, &parts, &gaps, y, &error), error);
    assert_int_equal(row.part.components, 1);
    assert_true(row.part.variances[0] > 0.5 * view->variances[3]);
    assert_true(row.part.sum < 8);
    scree__part_clear(&row);
    scree__gaps_close(&gaps);
    scree__parts_clear(&parts);
    scree_model_free(model);
    rows_free(r);
}

/* Directions that are columns: noise is what the variance of each has beyond them, of those that say something. */
static void noise_by_column(void **state)
{
    (void)state;
    double variances[] = {9, 1, 2, 4, 1e-3, 0};
    const double directions[] = {1, 0, 0, 0, 0, 0};
    const double value = 9;
    const scree_model_view view = {.n = 100, .d = 6, .m = 1, .observed = 600, .variances = variances, .weight = 100};
    const scree__unequal known = {&view, 1, &value, directions};
    double noise[6], product;
    scree__unequal_noise(&known, noise);
    for (int64_t j = 2; j < 5; j++)
        EXPECT_NEAR(noise[j] / noise[1], variances[j] / variances[1], 1e-12);
    assert_true(noise[5] == 0);
    EXPECT_NEAR(noise[1] + noise[2] + noise[3] + noise[4], 4, 1e-12);
    EXPECT_NEAR(scree__unequal_squares(&known, noise, &product),
                noise[1] * noise[1] + noise[2] * noise[2] + noise[3] * noise[3] + noise[4] * noise[4], 1e-12);
    EXPECT_NEAR(product, noise[0], 1e-12);
    variances[2] = variances[3] = variances[4] = 1;
    scree__unequal_noise(&known, noise);
    for (int64_t j = 0; j < 5; j++)
        EXPECT_NEAR(noise[j], 1, 1e-12);
}

/* The noise that a model keeps by column: that of the first columns, among constants or not. */
static void check_noise(const scree_model *model, double *noise, int64_t columns)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__parts parts = {0};
    EXPECT_OK(scree__parts_make(&parts, model, M, false, &error), error);
    memcpy(noise, parts.noise, (size_t)columns * sizeof *noise);
    for (int64_t j = columns; j < scree_model_get(model)->d; j++)
        assert_true(parts.noise[j] == 0);
    scree__parts_clear(&parts);
}

/* More columns than directions that are known; twice as many that do not vary make no difference. */
static void constants_have_no_noise(void **state)
{
    (void)state;
    enum { ROWS = 250, VARYING = 100, ALL = 300 };
    double noise[2][VARYING];
    for (int i = 0; i < 2; i++) {
        const int64_t d = i == 0 ? VARYING : ALL;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        double *x = malloc((size_t)(ROWS * d) * sizeof *x);
        assert_non_null(x);
        for (int64_t n = 0; n < ROWS; n++)
            for (int64_t j = 0; j < d; j++)
                x[n * d + j] = j < VARYING ? rows_random(1, n, j) + 3 * rows_random(2, n, 0) : 5;
        rows *r = rows_of(x, ROWS, d, SCREE_F64, 1);
        options.components = M;
        scree_model *model = rows_fit(r, &options);
        check_noise(model, noise[i], VARYING);
        scree_model_free(model);
        rows_free(r);
    }
    for (int64_t j = 0; j < VARYING; j++)
        EXPECT_NEAR(noise[0][j], noise[1][j], 1e-9);
}

/* tr (PΨP)² with a direction that leans on all columns. */
static void squares_beyond_a_direction(void **state)
{
    (void)state;
    double variances[] = {1, 2, 3};
    const double u = 1 / sqrt(3);
    const double directions[] = {u, u, u};
    const double value = 1, noise[] = {1, 2, 4};
    const scree_model_view view = {.n = 100, .d = 3, .m = 1, .observed = 300, .variances = variances, .weight = 100};
    const scree__unequal known = {&view, 1, &value, directions};
    double squares = 0, product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double p = 0;
            for (int k = 0; k < 3; k++)
                p += ((i == k) - u * u) * noise[k] * ((j == k) - u * u);
            squares += p * p;
        }
    EXPECT_NEAR(scree__unequal_squares(&known, noise, &product), squares, 1e-12);
    EXPECT_NEAR(product, 7.0 / 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariance_of_observed_columns), cmocka_unit_test(lost_components),
        cmocka_unit_test(components_hardly_seen),         cmocka_unit_test(noise_by_column),
        cmocka_unit_test(constants_have_no_noise),        cmocka_unit_test(squares_beyond_a_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
