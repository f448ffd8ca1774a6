/* SPDX-License-Identifier: BSD-3-Clause */
/* The posterior in the plane of the codes: of whole rows what the library says of p(z|x), of rows with gaps what the
 * normal equations give, of empty rows the prior; its edge holds 95 % of the plane. */

#include "support/checks.h"

#include "made_model.h"
#include "support/calls.h"
#include "view/ellipse.h"

enum { D = 7, M = 3 };

static double length_of(const scree_model_view *view, int64_t j)
{
    return sqrt(view->eigenvalues[j] - view->noise_variance);
}

static void whole_rows(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    const scree_model_view *view = scree_model_get(model);
    const int64_t component[] = {2, 0};
    scree__ellipse ellipse;
    double row[D], z[M], variances[M], logdet;
    (void)state;
    scree__normals(1, 2, 0, D, row);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(row, SCREE_F64, 1, D), z, NULL, NULL, &error), error);
    assert_int_equal(scree_model_posterior_covariance(model, variances, &logdet, NULL), SCREE_OK);
    EXPECT_OK(scree__ellipse_of(&ellipse, model, row, component, &error), error);
    assert_int_equal(ellipse.seen, SCREE__SEEN_ALL);
    for (int k = 0; k < 2; k++) {
        const int64_t j = component[k];
        const double length = length_of(view, j);
        EXPECT_NEAR(ellipse.mean[k], length * z[j], 1e-12 * fabs(length * z[j]));
        EXPECT_NEAR(ellipse.covariance[2 * k], length * length * variances[j], 1e-12 * view->eigenvalues[0]);
        EXPECT_NEAR(scree__ellipse_reach(&ellipse, k, true), sqrt(-2.0 * log(0.05) * ellipse.covariance[2 * k]), 1e-12);
        EXPECT_NEAR(scree__ellipse_reach(&ellipse, k, false), 1.959963984540054 * sqrt(ellipse.covariance[2 * k]),
                    1e-12);
    }
    EXPECT_NEAR(ellipse.covariance[1], 0.0, 0.0);
    scree_model_free(model);
}

/* A⁻¹ of a symmetric 3×3 matrix, by its cofactors. */
static void invert(const double a[M][M], double out[M][M])
{
    double det = 0.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            const int r = (j + 1) % M, s = (j + 2) % M, c = (i + 1) % M, t = (i + 2) % M;
            out[i][j] = a[r][c] * a[s][t] - a[r][t] * a[s][c];
        }
    for (int j = 0; j < M; j++)
        det += a[0][j] * out[j][0];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            out[i][j] /= det;
}

/* cov(z|x_o) = σ²(B_oᵀB_o + σ²I)⁻¹ and E[z|x_o] = (B_oᵀB_o + σ²I)⁻¹B_oᵀ(x_o - µ_o), written out. */
static void rows_with_gaps(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    const scree_model_view *view = scree_model_get(model);
    const int64_t component[] = {0, 2};
    scree__ellipse ellipse;
    double row[D], sum[M][M] = {{0}}, right[M] = {0}, inverse[M][M], mean[M] = {0};
    (void)state;
    scree__normals(1, 2, 0, D, row);
    row[1] = row[4] = row[5] = NAN;
    for (int64_t d = 0; d < D; d++)
        for (int i = 0; i < M && !isnan(row[d]); i++) {
            const double b = view->components[i * D + d] * length_of(view, i);
            right[i] += b * (row[d] - view->mean[d]) / view->scale[d];
            for (int j = 0; j < M; j++)
                sum[i][j] += b * view->components[j * D + d] * length_of(view, j);
        }
    for (int i = 0; i < M; i++)
        sum[i][i] += view->noise_variance;
    invert((const double(*)[M])sum, inverse);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            mean[i] += inverse[i][j] * right[j];
    EXPECT_OK(scree__ellipse_of(&ellipse, model, row, component, &error), error);
    assert_int_equal(ellipse.seen, SCREE__SEEN_SOME);
    const double a = length_of(view, 0), b = length_of(view, 2), noise = view->noise_variance;
    EXPECT_NEAR(ellipse.mean[0], a * mean[0], 1e-10);
    EXPECT_NEAR(ellipse.mean[1], b * mean[2], 1e-10);
    EXPECT_NEAR(ellipse.covariance[0], a * a * noise * inverse[0][0], 1e-10);
    EXPECT_NEAR(ellipse.covariance[1], a * b * noise * inverse[0][2], 1e-10);
    EXPECT_NEAR(ellipse.covariance[2], b * b * noise * inverse[2][2], 1e-10);
    assert_true(fabs(ellipse.covariance[1]) > 1e-3); /* tilted, or the test would not see it */
    scree_model_free(model);
}

static void empty_rows_leave_the_prior(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, false, NULL);
    const scree_model_view *view = scree_model_get(model);
    const int64_t component[] = {1, -1};
    scree__ellipse ellipse;
    double row[D];
    (void)state;
    for (int64_t d = 0; d < D; d++)
        row[d] = NAN;
    EXPECT_OK(scree__ellipse_of(&ellipse, model, row, component, &error), error);
    assert_int_equal(ellipse.seen, SCREE__SEEN_NONE);
    EXPECT_NEAR(ellipse.mean[0], 0.0, 0.0);
    EXPECT_NEAR(ellipse.covariance[0], view->eigenvalues[1] - view->noise_variance, 1e-12);
    scree_model_free(model);
}

static void the_edge_holds_95_per_cent(void **state)
{
    const scree__ellipse ellipse = {.mean = {1.0, -2.0}, .covariance = {4.0, 1.5, 1.0}};
    const double det = 4.0 * 1.0 - 1.5 * 1.5;
    double right = 0.0, top = 0.0;
    (void)state;
    for (int k = 0; k < 3600; k++) {
        double p[2];
        scree__ellipse_point(&ellipse, k * acos(-1.0) / 1800.0, p);
        const double x = p[0] - 1.0, y = p[1] + 2.0;
        EXPECT_NEAR((1.0 * x * x - 3.0 * x * y + 4.0 * y * y) / det, -2.0 * log(0.05), 1e-12);
        right = fmax(right, x);
        top = fmax(top, y);
    }
    EXPECT_NEAR(right, scree__ellipse_reach(&ellipse, 0, true), 1e-5);
    EXPECT_NEAR(top, scree__ellipse_reach(&ellipse, 1, true), 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_rows),
        cmocka_unit_test(rows_with_gaps),
        cmocka_unit_test(empty_rows_leave_the_prior),
        cmocka_unit_test(the_edge_holds_95_per_cent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
