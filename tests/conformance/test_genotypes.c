/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes: every method that takes their rows, and lanczos on the packed calls, find what svd finds of the same
 * matrix in memory, within their bounds, with calls missing or not; lanczos the same bits for any threads and blocks.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/temporary_folder.h"

#include "../unit/cohort_file.h"
#include "../unit/fixed_draws.h"
#include "scree.h"

#include <math.h>

enum { MOST = 700, K = 3 };

static signed char copies[MOST * MOST];
static double rows[MOST * MOST];
static double scales[MOST];
static double tolerance = 1e-9;

/* Two populations; what a reader makes of it, and the scales of its columns. */
static void fill(int n, int d, bool with_missing)
{
    fixed_state = 5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            const int likely = 20 + j % 50 + (i % 2 == j % 2 ? 25 : 0);
            copies[i * d + j] = (signed char)((fixed_draw() / 7 % 100 < likely) + (fixed_draw() / 7 % 100 < likely));
            if (with_missing && fixed_draw() / 7 % 50 == 0)
                copies[i * d + j] = -1;
        }
    for (int j = 0; j < d; j++) {
        double sum = 0;
        int seen = 0;
        for (int i = 0; i < n; i++)
            if (copies[i * d + j] >= 0) {
                sum += copies[i * d + j];
                seen++;
            }
        const double mean = sum / seen;
        scales[j] = sqrt(mean * (1 - mean / 2));
        for (int i = 0; i < n; i++)
            rows[i * d + j] = copies[i * d + j] < 0 ? mean : copies[i * d + j];
    }
}

static scree_model *fit(scree_source *source, const char *solver, scree_scale scale, int threads, int64_t block_rows)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    run.threads = threads;
    run.block_rows = block_rows;
    options.components = K;
    options.solver = solver;
    options.scale = scale;
    options.scales = scale == SCREE_SCALE_GIVEN ? scales : NULL;
    options.tolerance = tolerance;
    options.run = &run;
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        print_message("%s: %s\n", solver, error.text);
    assert_non_null(model);
    return model;
}

/* Eigenvalues within their bounds, and components up to the angle of theirs. */
static void agree(const scree_model *found, const scree_model *reference)
{
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(reference);
    assert_int_equal(a->d, b->d);
    assert_true(a->converged);
    assert_true(fabs(a->total_variance - b->total_variance) < 1e-11 * b->total_variance);
    for (int64_t i = 0; i < K; i++) {
        double dot = 0;
        const double bound = a->eigenvalue_bounds[i] + b->eigenvalue_bounds[i] + 1e-13 * b->eigenvalues[0];
        assert_true(fabs(a->eigenvalues[i] - b->eigenvalues[i]) <= bound);
        for (int64_t j = 0; j < a->d; j++)
            dot += a->components[i * a->d + j] * b->components[i * a->d + j];
        const double sine = sqrt(fmax(0, 1 - dot * dot));
        assert_true(a->cluster_first[i] != a->cluster_last[i] ||
                    sine <= a->angle_bounds[i] + b->angle_bounds[i] + 1e-7);
    }
    for (int64_t j = 0; j < a->d; j++) {
        assert_true(fabs(a->mean[j] - b->mean[j]) < 1e-12);
        assert_true(fabs(a->scale[j] - b->scale[j]) < 1e-12);
    }
}

/* Bounds of the second order are about uᵀSu: so it must be the eigenvalue. */
static void expect_quotients(const scree_model_view *m, int n)
{
    for (int64_t k = 0; k < K; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double code = 0;
            for (int64_t j = 0; j < m->d; j++)
                code += m->components[k * m->d + j] * (rows[i * m->d + j] - m->mean[j]) / m->scale[j];
            sum += code * code;
        }
        assert_true(fabs(sum / n - m->eigenvalues[k]) < 1e-13 * m->eigenvalues[k]);
    }
}

static void compare(int n, int d, bool with_missing)
{
    static const char *const solvers[] = {"lanczos", "covariance", "gram", "svd"};
    static const int runs[][2] = {{3, 7}, {2, 29}, {5, 0}}; /* threads, rows of a block */
    scree_source *genotypes = NULL;
    scree_source *memory = NULL;
    fill(n, d, with_missing);
    cohort_write_tables("c", n, d);
    const char *path = cohort_write_bed("c", copies, n, d);
    scree_block block = SCREE_BLOCK_INIT;
    block.data = rows;
    block.type = SCREE_F64;
    block.rows = n;
    block.cols = d;
    assert_int_equal(scree_source_open(&genotypes, path, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_from_memory(&memory, &block, NULL), SCREE_OK);
    scree_model *reference = fit(memory, "svd", SCREE_SCALE_GIVEN, 1, 0);
    for (int s = 0; s < 4; s++) {
        if (strcmp(solvers[s], "gram") == 0 && n >= d)
            continue;
        scree_model *first = fit(genotypes, solvers[s], SCREE_SCALE_BINOMIAL, 1, 0);
        agree(first, reference);
        expect_quotients(scree_model_get(first), n);
        for (int run = 0; run < 3; run++) {
            scree_model *again = fit(genotypes, solvers[s], SCREE_SCALE_BINOMIAL, runs[run][0], runs[run][1]);
            assert_memory_equal(scree_model_get(first)->components, scree_model_get(again)->components,
                                sizeof(double) * (size_t)(K * d));
            assert_memory_equal(scree_model_get(first)->eigenvalues, scree_model_get(again)->eigenvalues,
                                sizeof(double) * K);
            scree_model_free(again);
        }
        scree_model_free(first);
    }
    scree_model_free(reference);
    scree_source_free(memory);
    scree_source_free(genotypes);
}

static void test_fewer_samples_than_variants(void **state)
{
    (void)state;
    compare(151, 420, false);
    compare(151, 420, true);
}

static void test_more_samples_than_variants(void **state)
{
    (void)state;
    compare(601, 190, false);
    compare(601, 190, true);
}

/* By the rule that stops when the sampling error is larger. */
static void test_default_tolerance(void **state)
{
    enum { N = 402, D = 500 };
    scree_source *genotypes = NULL;
    (void)state;
    fill(N, D, false);
    cohort_write_tables("c", N, D);
    assert_int_equal(scree_source_open(&genotypes, cohort_write_bed("c", copies, N, D), NULL, NULL), SCREE_OK);
    scree_model *exact = fit(genotypes, "covariance", SCREE_SCALE_BINOMIAL, 1, 0);
    tolerance = 0;
    scree_model *found = fit(genotypes, "lanczos", SCREE_SCALE_BINOMIAL, 2, 0);
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(exact);
    for (int k = 0; k < K; k++)
        assert_true(fabs(a->eigenvalues[k] - b->eigenvalues[k]) <= a->eigenvalue_bounds[k] + b->eigenvalue_bounds[k]);
    expect_quotients(a, N);
    scree_model_free(found);
    scree_model_free(exact);
    scree_source_free(genotypes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewer_samples_than_variants),
        cmocka_unit_test(test_more_samples_than_variants),
        cmocka_unit_test(test_default_tolerance),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
