/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that do not vary, beside gaps: a fit finds the components that it finds without these columns, to the last
 * bit, for any number of threads, of rows in memory and of lists of cells; rows are as likely, whole or with gaps; and
 * rows that observe nothing else say nothing. Columns that others determine, beside gaps: rows are outliers as often as
 * they should be, and draws keep to what holds. */

#include "support/checks.h"

#include "data/source.h"
#include "model/model.h"
#include "support/calls.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

#include <string.h>

enum { N = 150, V = 12, C = 9, D = V + C, TRUE_M = 2, NEW_ROWS = 60, DRAWS = 2000 };

static double uniform(uint64_t seed, int64_t i, int64_t j)
{
    return erfc(-rows_random(seed, i, j) / sqrt(2)) / 2;
}

/* Columns 1, 2, 4, 5, 7, 8 … vary. */
static int64_t place_of(int64_t j)
{
    return j + (j + 2) / 2;
}

/* Two components and noise, some cells missing. */
static double *made(int64_t n, double missing, uint64_t seed)
{
    double *x = malloc((size_t)(n * V) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < V; j++) {
            double sum = 4 + rows_random(seed, i, j);
            for (int64_t k = 0; k < TRUE_M; k++)
                sum += 2 * rows_random(seed + 1, i, k) * rows_random(9, k, j);
            x[i * V + j] = uniform(seed + 2, i, j) < missing ? NAN : sum;
        }
    return x;
}

/* The same among constants, of which some cells are missing, too. */
static double *widened(const double *x, int64_t n, double missing)
{
    double *wide = malloc((size_t)(n * D) * sizeof *wide);
    assert_non_null(wide);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < D; j++)
            wide[i * D + j] = uniform(77, i, j) < missing ? NAN : j % 2 ? 0.1 : 7;
        for (int64_t j = 0; j < V; j++)
            wide[i * D + place_of(j)] = x[i * V + j];
    }
    return wide;
}

static scree_model *fitted(scree_source *source, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

static scree_source *in_memory(const double *x, int64_t n, int64_t d)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    return source;
}

/* As lines of row, column, value. */
static scree_source *as_cells(const double *x, int64_t n, int64_t d)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options read = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    FILE *file = fopen(folder_path("cells.csv"), "w");
    assert_non_null(file);
    fputs("row,column,value\n", file);
    for (int64_t i = 0; i < n * d; i++)
        if (!isnan(x[i]))
            fprintf(file, "%lld,%lld,%.17g\n", (long long)(i / d + 1), (long long)(i % d + 1), x[i]);
    fclose(file);
    read.format = "triplets";
    EXPECT_OK(scree_source_open(&source, folder_path("cells.csv"), &read, &error), error);
    return source;
}

static void check_same(const scree_model *narrow, const scree_model *wide)
{
    const scree_model_view *a = scree_model_get(narrow);
    const scree_model_view *b = scree_model_get(wide);
    assert_int_equal(a->m, b->m);
    assert_int_equal(a->latent, b->latent);
    assert_memory_equal(a->eigenvalues, b->eigenvalues, (size_t)a->m * sizeof(double));
    EXPECT_NEAR(a->reconstruction_error, b->reconstruction_error, 1e-12 * a->reconstruction_error);
    assert_true(a->log_likelihood == b->log_likelihood);
    for (int64_t k = 0; k < a->m; k++) {
        double length = 0;
        for (int64_t j = 0; j < V; j++)
            assert_true(a->components[k * V + j] == b->components[k * D + place_of(j)]);
        for (int64_t j = 0; j < D; j++)
            length += b->components[k * D + j] * b->components[k * D + j];
        EXPECT_NEAR(length, 1, 1e-12);
    }
    for (int64_t j = 0; j < V; j++)
        assert_true(a->mean[j] == b->mean[place_of(j)]);
    assert_true(b->mean[0] == 7 && b->variances[0] == 0);
}

static void components_are_those_without_constants(void **state)
{
    (void)state;
    double *x = made(N, 0.1, 11);
    double *wide = widened(x, N, 0.2);
    for (int i = 0; i < 6; i++) {
        const scree_run run = run_with_threads(i % 3 == 2 ? 4 : i % 3 + 1);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.no_imputer = true;
        options.run = &run;
        options.components = i % 2 ? TRUE_M : 0;
        options.scale = i < 3 ? SCREE_SCALE_NONE : SCREE_SCALE_UNIT;
        scree_model *narrow = fitted(in_memory(x, N, V), &options);
        scree_model *dense = fitted(in_memory(wide, N, D), &options);
        assert_true(i >= 3 || scree_model_get(narrow)->latent == TRUE_M);
        check_same(narrow, dense);
        scree_model *few = fitted(as_cells(x, N, V), &options);
        scree_model *listed = fitted(as_cells(wide, N, D), &options);
        check_same(few, listed);
        scree_model_free(narrow);
        scree_model_free(dense);
        scree_model_free(few);
        scree_model_free(listed);
    }
    free(x);
    free(wide);
}

/* p of n rows. */
static void p_values_of(const scree_model *model, const double *x, int64_t n, int64_t d, double *p)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    scree_scores scores = SCREE_SCORES_INIT;
    scores.p_value = p;
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(scree_scorer_score_rows(scorer, BLOCK(x, SCREE_F64, n, d), &scores, &run_plain, &error), error);
    scree_scorer_free(scorer);
}

/* Of fits with gaps, where that share is missing, or without. */
static void check_p_values(int64_t n, int64_t components, double missing, scree_scale scale)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = made(n, missing, 21);
    double *wide = widened(x, n, missing);
    options.no_imputer = true;
    options.components = components;
    options.scale = scale;
    scree_model *narrow = fitted(in_memory(x, n, V), &options);
    scree_model *with_constants = fitted(in_memory(wide, n, D), &options);
    for (int gaps = 0; gaps < (n < N ? 1 : 2); gaps++) {
        double p[NEW_ROWS], q[NEW_ROWS];
        double *fresh = made(NEW_ROWS, gaps ? 0.1 : 0, 31);
        double *wide_rows = widened(fresh, NEW_ROWS, gaps ? 0.1 : 0);
        p_values_of(narrow, fresh, NEW_ROWS, V, p);
        p_values_of(with_constants, wide_rows, NEW_ROWS, D, q);
        for (int64_t i = 0; i < NEW_ROWS; i++)
            EXPECT_NEAR(p[i], q[i], gaps ? 0.01 : missing > 0 ? 1e-5 : 1e-6); /* part.c and em leave a little */
        free(fresh);
        free(wide_rows);
    }
    scree_model_free(narrow);
    scree_model_free(with_constants);
    free(x);
    free(wide);
}

static void rows_are_as_likely_without_constants(void **state)
{
    (void)state;
    check_p_values(N, TRUE_M, 0, SCREE_SCALE_NONE);
    check_p_values(N, TRUE_M, 0, SCREE_SCALE_UNIT);
    check_p_values(N, TRUE_M, 0.1, SCREE_SCALE_NONE);
    check_p_values(N, TRUE_M, 0.1, SCREE_SCALE_UNIT);
    check_p_values(3 * V, 0, 0, SCREE_SCALE_NONE); /* few rows, and constants have components of their own */
    check_p_values(3 * V, 0, 0, SCREE_SCALE_UNIT);
}

/* As they should be: as likely as any; and impossible where they differ. */
static void rows_of_nothing_but_constants(void **state)
{
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        double *x = made(N, 0.1 * gaps, 41);
        double *wide = widened(x, N, 0.1 * gaps);
        double cells[3 * D], p[3];
        options.no_imputer = true;
        scree_model *model = fitted(in_memory(wide, N, D), &options);
        for (int64_t i = 0; i < 3 * D; i++)
            cells[i] = NAN;
        cells[0] = 7;
        cells[D] = 7.5;
        for (int64_t j = 0; j < V; j++) /* and what varies, at its mean */
            cells[2 * D + place_of(j)] = 4;
        cells[2 * D] = 7.5;
        p_values_of(model, cells, 3, D, p);
        assert_true(p[0] == 1 && p[1] == 0 && p[2] == 0);
        scree_model_free(model);
        free(x);
        free(wide);
    }
}

/* Components that are asked for are found, though fewer columns vary: the rest have no variance. */
static void more_components_than_columns_that_vary(void **state)
{
    (void)state;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    double *x = made(N, 0.1, 51);
    double *wide = widened(x, N, 0.1);
    options.no_imputer = true;
    options.components = V + 2;
    scree_model *model = fitted(in_memory(wide, N, D), &options);
    const scree_model_view *view = scree_model_get(model);
    assert_int_equal(view->m, V + 2);
    assert_true(view->eigenvalues[V - 1] > 0.1 && view->eigenvalues[V] < 1e-6);
    scree_model_free(model);
    free(x);
    free(wide);
}

enum { FREE = 8, RELATED = FREE + 3 };

/* Eight columns, the sum of two, a copy, and the sum of all. */
static double *related(int64_t n, double missing, uint64_t seed)
{
    double *x = malloc((size_t)(n * RELATED) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        double *row = x + i * RELATED;
        double sum = 0;
        for (int64_t j = 0; j < FREE; j++) {
            row[j] = rows_random(seed, i, j) + 3 * rows_random(seed + 1, i, 0) * rows_random(9, 0, j);
            sum += row[j];
        }
        row[FREE] = row[0] + row[1];
        row[FREE + 1] = row[2];
        row[FREE + 2] = sum;
        for (int64_t j = 0; j < RELATED; j++)
            row[j] = uniform(seed + 2, i, j) < missing ? NAN : row[j];
    }
    return x;
}

static void check_draws_keep_relations(const scree_model *model)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block = {0};
    double *p = malloc(DRAWS * sizeof *p);
    int64_t low = 0;
    assert_non_null(p);
    EXPECT_OK(sample_of(&source, model, DRAWS, 3, 2, &error), error);
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_int_equal(block.rows, DRAWS);
    for (int64_t i = 0; i < DRAWS; i++) {
        const double *row = (const double *)block.data + i * RELATED;
        EXPECT_NEAR(row[0] + row[1], row[FREE], 1e-9);
        EXPECT_NEAR(row[2], row[FREE + 1], 1e-9);
    }
    p_values_of(model, block.data, DRAWS, RELATED, p);
    for (int64_t i = 0; i < DRAWS; i++)
        low += p[i] <= 0.05;
    assert_in_range(low, DRAWS * 0.03, DRAWS * 0.07);
    scree_source_free(source);
    free(p);
}

/* With the defaults M and the relations are all directions: T² alone decides. */
static void relations_beside_gaps(void **state)
{
    (void)state;
    double *x = related(400, 0.03, 61);
    for (int i = 0; i < 4; i++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = i % 2 ? 2 : 0;
        options.scale = i < 2 ? SCREE_SCALE_NONE : SCREE_SCALE_UNIT;
        scree_model *model = fitted(in_memory(x, 400, RELATED), &options);
        assert_non_null(scree_model_relations(model));
        assert_int_equal(scree_model_relations(model)->count, 3);
        check_draws_keep_relations(model);
        for (int gaps = 0; gaps < 2; gaps++) {
            double *fresh = related(DRAWS, 0.15 * gaps, 71);
            double *p = malloc(DRAWS * sizeof *p);
            int64_t low = 0;
            assert_non_null(p);
            p_values_of(model, fresh, DRAWS, RELATED, p);
            for (int64_t j = 0; j < DRAWS; j++)
                low += p[j] <= 0.05;
            assert_in_range(low, DRAWS * 0.03, DRAWS * 0.075);
            free(fresh);
            free(p);
        }
        scree_model_free(model);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_without_constants),
        cmocka_unit_test(rows_are_as_likely_without_constants),
        cmocka_unit_test(rows_of_nothing_but_constants),
        cmocka_unit_test(more_components_than_columns_that_vary),
        cmocka_unit_test(relations_beside_gaps),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
