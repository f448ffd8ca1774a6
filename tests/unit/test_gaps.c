/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows with gaps against dense conditional distributions in long double: codes, posteriors with their own covariances,
 * what is filled in and how sure that is, for every kind of model and random patterns, with nothing, one cell and
 * everything observed; the noise-free limit; the same pattern solved once or again. */

#include "support/checks.h"

#include "base/memory.h"
#include "made_model.h"
#include "model/gaps.h"
#include "support/calls.h"
#include "support/dense_given.h"
#include "support/rows.h"

#include <string.h>

enum { ROWS = 24, D = 9, M = 4 };

typedef struct found {
    double *codes;
    double *means;
    double *variances;
    double *filled;
    double *sd;
} found;

static double *take(int64_t count)
{
    double *memory = scree__alloc(count, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static found ask(const scree_model *model, const double *x, int64_t n)
{
    const scree_model_view *view = scree_model_get(model);
    scree_error error = SCREE_ERROR_INIT;
    const int64_t d = view->d;
    const int64_t m = view->m;
    found f = {take(n * m), take(n * m), take(n * m), take(n * d), take(n * d)};
    const scree_imputed imputed = SIZED(scree_imputed, .filled = f.filled, .sd = f.sd);
    EXPECT_OK(scree_model_project_rows(model, BLOCK(x, SCREE_F64, n, d), f.codes, NULL, &error), error);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, n, d), f.means, NULL, NULL, &error), error);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK(x, SCREE_F64, n, d), NULL, f.variances, NULL, &error), error);
    EXPECT_OK(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, n, d), &imputed, NULL, &error), error);
    return f;
}

static void found_free(found *f)
{
    free(f->codes);
    free(f->means);
    free(f->variances);
    free(f->filled);
    free(f->sd);
}

/* The projection of the row that is expected. */
static long double wanted_code(const scree_model_view *view, const dense_given *given, int64_t j)
{
    long double sum = 0;
    for (int64_t i = 0; i < view->d; i++)
        sum +=
            view->components[j * view->d + i] * (given->mean[i] - view->mean[i]) / (view->scale ? view->scale[i] : 1);
    return sum;
}

static void row_agrees(const scree_model *model, const dense_given *given, const double *x, const found *f, int64_t i,
                       double tolerance)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const int64_t m = view->m;
    scree__gaps gaps = {0};
    double *scaled = take(d);
    for (int64_t j = 0; j < d; j++)
        scaled[j] = (x[j] - view->mean[j]) / (view->scale ? view->scale[j] : 1);
    assert_int_equal(scree__gaps_once(&gaps, view, scaled, NULL), SCREE_OK);
    const double *wide = scree__gaps_widening(&gaps);
    for (int64_t j = 0; j < m; j++) {
        const long double code = wanted_code(view, given, j);
        EXPECT_NEAR(f->codes[i * m + j], code, tolerance * fmaxl(1, fabsl(code)));
        EXPECT_NEAR(f->means[i * m + j], given->z[j], tolerance * fmaxl(1, fabsl(given->z[j])));
        EXPECT_NEAR(f->variances[i * m + j], given->z_cov[j * (m + 1)], tolerance);
    }
    for (int64_t j = 0; j < d; j++) {
        const double size = 1 + fabs(view->mean[j]) + (double)fabsl(given->mean[j] - view->mean[j]);
        if (isnan(x[j])) {
            EXPECT_NEAR(f->filled[i * d + j], given->mean[j], tolerance * size);
            const double sd = f->sd[i * d + j] / wide[j];
            EXPECT_NEAR(sd * sd, given->covariance[j * (d + 1)], tolerance * size * size);
            assert_true(view->noise_given ? wide[j] == 1 : wide[j] > 0);
        } else {
            assert_memory_equal(&f->filled[i * d + j], &x[j], sizeof *x);
            assert_true(f->sd[i * d + j] == 0);
        }
    }
    scree__gaps_close(&gaps);
    free(scaled);
}

static void posterior_agrees(const scree_model *model, const dense_given *given, const double *x, double tolerance)
{
    const int64_t m = given->m;
    scree_error error = SCREE_ERROR_INIT;
    double *mean = take(m);
    double *covariance = take(m * m);
    double logdet;
    EXPECT_OK(scree_model_posterior_row(model, x, mean, covariance, &logdet, &error), error);
    for (int64_t j = 0; j < m; j++)
        EXPECT_NEAR(mean[j], given->z[j], tolerance * fmaxl(1, fabsl(given->z[j])));
    for (int64_t j = 0; j < m * m; j++)
        EXPECT_NEAR(covariance[j], given->z_cov[j], tolerance);
    if (scree_model_get(model)->noise_variance > 0)
        EXPECT_NEAR(logdet, dense_invert(given->z_cov, m), 1e-8 * (double)m);
    free(mean);
    free(covariance);
}

static void rows_agree(const scree_model *model, const dense_gauss *g, const double *x, int64_t n, double tolerance)
{
    found f = ask(model, x, n);
    for (int64_t i = 0; i < n; i++) {
        dense_given *given = dense_given_of(g, x + i * g->d);
        row_agrees(model, given, x + i * g->d, &f, i, tolerance);
        posterior_agrees(model, given, x + i * g->d, tolerance);
        dense_given_free(given);
    }
    found_free(&f);
}

static void every_kind_of_model(void **state)
{
    int related = 0;
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        if (c->d > 20)
            continue;
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        if (scree_model_relations(model)) { /* gaps are filled so that these hold: test_related.c */
            related++;
            scree_model_free(model);
            free(x);
            continue;
        }
        dense_gauss *g = dense_gauss_of(model);
        dense_given_puncture(x, ROWS, c->d, (uint64_t)c->d);
        rows_agree(model, g, x, ROWS, 1e-9);
        dense_gauss_free(g);
        scree_model_free(model);
        free(x);
    }
    assert_int_equal(related, 2); /* the Walsh functions */
}

/* σ² → 0: against a noise that is small beside everything, but not beside long double's last digit. */
static void the_noise_free_limit(void **state)
{
    (void)state;
    for (int64_t m = 1; m <= D; m += 4) {
        scree_model *made = made_model(D, m, 1.0, m > 1, NULL);
        scree_model *none = NULL;
        scree_model *little = NULL;
        double *x = take(ROWS * D);
        assert_int_equal(scree_model_with_noise(&none, made, 0, NULL), SCREE_OK);
        assert_int_equal(scree_model_with_noise(&little, made, 1e-10, NULL), SCREE_OK);
        dense_gauss *g = dense_gauss_of(little);
        scree__normals(5, (uint64_t)m, 0, ROWS * D, x);
        dense_given_puncture(x, ROWS, D, 77);
        rows_agree(none, g, x, ROWS, 2e-4); /* least squares of few cells may be ill-conditioned: off by σ²/g */
        dense_gauss_free(g);
        free(x);
        scree_model_free(none);
        scree_model_free(little);
        scree_model_free(made);
    }
}

/* Rows of the subspace come back, as long as the cells that are left determine them. */
static void a_row_of_the_subspace_is_restored(void **state)
{
    (void)state;
    scree_model *made = made_model(D, M, 1.0, true, NULL);
    scree_model *model = NULL;
    const double codes[M] = {1, -2, 0.5, 3};
    double row[D];
    double x[D];
    double filled[D];
    const scree_imputed out = SIZED(scree_imputed, .filled = filled, .sd = NULL);
    assert_int_equal(scree_model_with_noise(&model, made, 0, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, 1, M), row, NULL, NULL), SCREE_OK);
    for (int64_t first = 0; first + M < D; first++) {
        memcpy(x, row, sizeof x);
        for (int64_t j = 0; j < D; j++)
            x[j] = j >= first && j < first + M ? x[j] : NAN; /* M cells for M unknowns */
        assert_int_equal(scree_model_impute_rows(model, BLOCK(x, SCREE_F64, 1, D), &out, NULL, NULL), SCREE_OK);
        for (int64_t j = 0; j < D; j++)
            EXPECT_NEAR(filled[j], row[j], 1e-10);
    }
    scree_model_free(model);
    scree_model_free(made);
}

/* What a solver remembers of earlier patterns changes nothing. */
static void patterns_do_not_disturb_each_other(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    const scree_model_view *view = scree_model_get(model);
    scree__gaps gaps;
    double alone[ROWS][D];
    double x[ROWS * D];
    scree__normals(6, 0, 0, ROWS * D, x);
    dense_given_puncture(x, ROWS, D, 3);
    scree__gaps_open(&gaps, view);
    for (int64_t i = 0; i < ROWS; i++) {
        scree__gaps once = {0};
        memcpy(alone[i], x + i * D, sizeof alone[i]);
        assert_int_equal(scree__gaps_once(&once, view, alone[i], NULL), SCREE_OK);
        scree__gaps_close(&once);
    }
    for (int64_t k = 0; k < 4 * ROWS; k++) {
        const int64_t i = k * 7 % ROWS;
        double row[D];
        uint8_t missing[D];
        memcpy(row, x + i * D, sizeof row);
        for (int64_t j = 0; j < D; j++)
            missing[j] = (bool)isnan(row[j]);
        assert_int_equal(scree__gaps_solve(&gaps, missing, NULL), SCREE_OK);
        scree__gaps_fill(&gaps, row);
        assert_memory_equal(row, alone[i], sizeof row);
    }
    scree__gaps_close(&gaps);
    scree_model_free(model);
}

/* z by the factor is as good as z by the SVD up to where the latter takes over, and the same bits whoever asks. */
static void codes_by_either_way(void **state)
{
    (void)state;
    static const double spreads[] = {1e2, 1e5, 9e5, 1.1e6};
    for (int s = 0; s < 4; s++) {
        scree_model *made = made_model(D, M, 0.0, false, NULL);
        scree_model *model = NULL;
        const double noise = scree_model_get(made)->eigenvalues[0] / spreads[s];
        assert_int_equal(scree_model_with_noise(&model, made, noise, NULL), SCREE_OK);
        dense_gauss *g = dense_gauss_of(model);
        double x[ROWS * D];
        scree__normals(8, (uint64_t)s, 0, ROWS * D, x);
        dense_given_puncture(x, ROWS, D, 31);
        for (int64_t i = 0; i < ROWS; i++) {
            const scree_model_view *view = scree_model_get(model);
            dense_given *given = dense_given_of(g, x + i * D);
            scree__gaps gaps = {0};
            uint8_t missing[D];
            double codes[M];
            double row[2][D];
            for (int64_t j = 0; j < D; j++) {
                missing[j] = (bool)isnan(x[i * D + j]);
                row[0][j] = row[1][j] = x[i * D + j] - view->mean[j];
            }
            scree__gaps_open(&gaps, view);
            assert_int_equal(scree__gaps_solve_codes(&gaps, missing, NULL), SCREE_OK);
            assert_true(gaps.has_spectrum == (spreads[s] > 1e6));
            scree__gaps_fill(&gaps, row[0]);
            memcpy(codes, gaps.z, sizeof codes);
            assert_int_equal(scree__gaps_solve(&gaps, missing, NULL), SCREE_OK);
            assert_true(gaps.has_spectrum);
            scree__gaps_fill(&gaps, row[1]);
            assert_memory_equal(codes, gaps.z, sizeof codes);
            assert_memory_equal(row[0], row[1], sizeof row[0]);
            for (int64_t k = 0; k < M; k++)
                EXPECT_NEAR(codes[k], given->z[k], 1e-11 * fmaxl(1, fabsl(given->z[k])));
            scree__gaps_close(&gaps);
            dense_given_free(given);
        }
        dense_gauss_free(g);
        scree_model_free(model);
        scree_model_free(made);
    }
}

static void infinite_cells_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    double x[2 * D] = {0};
    double codes[2 * M];
    x[3] = NAN;
    x[D + 1] = NAN;
    x[D + 4] = -INFINITY;
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, 2, D), codes, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "memory: row 2, column 5 is infinite; give the cell a number or leave the row out");
    assert_int_equal(scree_model_posterior_row(model, x + D, codes, NULL, NULL, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "column 5 of the row is infinite; give the cell a number");
    scree_model_free(model);
}

/* A model that keeps both components of two columns fills the second as a regression on the first does: 1.96 of its
 * deviations are the interval that Student's law gives, t(10) = 2.228138852 at 97.5 %. */
static void deviations_are_those_of_a_regression(void **state)
{
    (void)state;
    enum { N = 12 };
    double *x = take(N * 2);
    double mean[2] = {0, 0}, xx = 0, xy = 0, left = 0;
    for (int64_t i = 0; i < N; i++) {
        x[2 * i] = rows_random(1, i, 0);
        x[2 * i + 1] = 2 * x[2 * i] + rows_random(1, i, 1);
        mean[0] += x[2 * i] / N;
        mean[1] += x[2 * i + 1] / N;
    }
    rows *r = rows_of(x, N, 2, SCREE_F64, 1);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;
    scree_model *model = rows_fit(r, &options);
    for (int64_t i = 0; i < N; i++) {
        xx += (r->exact[2 * i] - mean[0]) * (r->exact[2 * i] - mean[0]);
        xy += (r->exact[2 * i] - mean[0]) * (r->exact[2 * i + 1] - mean[1]);
    }
    for (int64_t i = 0; i < N; i++) {
        const double rest = r->exact[2 * i + 1] - mean[1] - xy / xx * (r->exact[2 * i] - mean[0]);
        left += rest * rest / (N - 2);
    }
    for (int step = -3; step < 4; step++) {
        const double at = mean[0] + step;
        const double row[] = {at, NAN};
        found f = ask(model, row, 1);
        EXPECT_NEAR(f.filled[1], mean[1] + xy / xx * step, 1e-9);
        const double wanted = 2.228138852 * sqrt(left * (1 + 1.0 / N + step * step / xx));
        EXPECT_NEAR(1.959963985 * f.sd[1], wanted, 2e-4 * wanted);
        found_free(&f);
    }
    scree_model_free(model);
    rows_free(r);
}

/* A column in a unit 1e6 times as large has deviations 1e6 times as small, though the components hardly see it, and
 * those of the others stay. */
static void deviations_follow_the_unit(void **state)
{
    (void)state;
    enum { N = 60, COLS = 5 };
    const double row[] = {1, NAN, 0.5, -1, NAN};
    double sd[2][COLS];
    for (int small = 0; small < 2; small++) {
        double *x = take(N * COLS);
        for (int64_t i = 0; i < N * COLS; i++)
            x[i] = rows_random(1, i / COLS, i % COLS);
        for (int64_t i = 0; i < N; i++) {
            x[i * COLS + 1] += 3 * x[i * COLS];
            x[i * COLS + 4] *= small ? 1e-9 : 1e-3;
        }
        rows *r = rows_of(x, N, COLS, SCREE_F64, 1);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 2;
        scree_model *model = rows_fit(r, &options);
        found f = ask(model, row, 1);
        memcpy(sd[small], f.sd, sizeof sd[small]);
        found_free(&f);
        scree_model_free(model);
        rows_free(r);
    }
    EXPECT_NEAR(sd[1][4], 1e-6 * sd[0][4], 1e-3 * sd[1][4]);
    assert_true(sd[0][4] > 0.5e-3 && sd[0][4] < 2e-3);
    EXPECT_NEAR(sd[1][1], sd[0][1], 1e-3 * sd[0][1]);
}

/* A component that was not kept is in the noise of several columns, and what they say together is worth less than the
 * model thinks: deviations are those of the errors that it makes, column by column, in rows that it has not seen. */
static void deviations_are_those_of_errors(void **state)
{
    (void)state;
    enum { N = 2000, COLS = 12 };
    double *x = take(2 * N * COLS);
    for (int64_t i = 0; i < 2 * N; i++) {
        const double common = rows_random(3, i, 100);
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = rows_random(3, i, j) + common * (double)(1 + j % 3) / 2;
        x[i * COLS] *= 100;
    }
    double *fitted = take(N * COLS);
    memcpy(fitted, x, N * COLS * sizeof *x);
    rows *r = rows_of(fitted, N, COLS, SCREE_F64, 1);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 1;
    scree_model *model = rows_fit(r, &options);
    for (int64_t j = 0; j < COLS; j++) {
        double squares = 0, said = 0;
        for (int64_t i = N; i < 2 * N; i++) {
            double row[COLS];
            memcpy(row, x + i * COLS, sizeof row);
            row[j] = NAN;
            found f = ask(model, row, 1);
            squares += (f.filled[j] - x[i * COLS + j]) * (f.filled[j] - x[i * COLS + j]);
            said += f.sd[j] * f.sd[j];
            found_free(&f);
        }
        EXPECT_NEAR(sqrt(said / squares), 1, 0.1);
    }
    free(x);
    scree_model_free(model);
    rows_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_model),
        cmocka_unit_test(the_noise_free_limit),
        cmocka_unit_test(a_row_of_the_subspace_is_restored),
        cmocka_unit_test(patterns_do_not_disturb_each_other),
        cmocka_unit_test(codes_by_either_way),
        cmocka_unit_test(infinite_cells_are_refused),
        cmocka_unit_test(deviations_are_those_of_a_regression),
        cmocka_unit_test(deviations_follow_the_unit),
        cmocka_unit_test(deviations_are_those_of_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
