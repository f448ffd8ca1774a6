/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of rows that are kept as cells: the same model as of the same rows with NaN, the same bits for any number of
 * threads, gaps known before anything is read, and complete cells by a closed form. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/agreement.h"
#include "support/gappy.h"
#include "unit/temporary_folder.h"

#include <math.h>

/* The observed cells as triplets, in an order that goes back and forth. */
static const char *written(const gappy *g, const char *name)
{
    const int64_t all = g->n * g->d;
    FILE *file = fopen(folder_path(name), "w");
    assert_non_null(file);
    fputs("row,column,value\n", file);
    for (int64_t i = 0; i < all; i++) {
        const int64_t cell = i % 2 ? all - (all % 2) - i : i;
        if (!isnan(g->x[cell]))
            fprintf(file, "%lld,%lld,%.17g\n", (long long)(cell / g->d + 1), (long long)(cell % g->d + 1), g->x[cell]);
    }
    fclose(file);
    return folder_path(name);
}

static scree_model *fitted(const char *path, const scree_fit_options *options)
{
    scree_read_options read = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    read.format = "triplets";
    if (scree_source_open(&source, path, &read, &error) != SCREE_OK ||
        scree_model_fit(&model, source, options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return model;
}

static void test_same_as_dense(void **state)
{
    (void)state;
    static const double missing[] = {0.3, 0.95};
    static const char *const how[] = {"ml", "vb"};
    for (int i = 0; i < 4; i++) {
        gappy *g = gappy_made(600, 40, 3, missing[i / 2], 31);
        scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
        o.no_imputer = true; /* tested apart */
        o.components = 3;
        o.em = how[i % 2];
        o.tolerance = 1e-9;
        o.scale = i % 2 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        scree_model *a = gappy_fit(g, &o);
        scree_model *b = fitted(written(g, "cells.csv"), &o);
        const scree_model_view *x = scree_model_get(a);
        const scree_model_view *y = scree_model_get(b);
        assert_int_equal(x->observed, y->observed);
        assert_int_equal(x->m, y->m);
        assert_true(models_subspace_sine(a, b) < 1e-6);
        EXPECT_NEAR(y->log_likelihood, x->log_likelihood, 1e-9 * fabs(x->log_likelihood));
        EXPECT_NEAR(y->noise_variance, x->noise_variance, 1e-6 * x->noise_variance);
        scree_model_free(a);
        scree_model_free(b);
        gappy_free(g);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    gappy *g = gappy_made(900, 50, 3, 0.93, 32);
    const char *path = written(g, "bits.csv");
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    scree_model *models[3];
    o.run = &run;
    o.components = 3;
    for (int i = 0; i < 3; i++) {
        run.threads = 1 << i;
        models[i] = fitted(path, &o);
        const scree_model_view *x = scree_model_get(models[0]);
        const scree_model_view *y = scree_model_get(models[i]);
        assert_string_equal(y->solver, "em");
        assert_memory_equal(x->components, y->components, (size_t)(x->m * x->d) * sizeof(double));
        assert_memory_equal(x->mean, y->mean, (size_t)x->d * sizeof(double));
        assert_true(x->noise_variance == y->noise_variance && x->log_likelihood == y->log_likelihood);
    }
    for (int i = 0; i < 3; i++)
        scree_model_free(models[i]);
    gappy_free(g);
}

static void test_complete_cells(void **state)
{
    (void)state;
    gappy *g = gappy_made(100, 10, 2, 0, 33);
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    o.components = 2;
    scree_model *a = gappy_fit(g, &o);
    scree_model *b = fitted(written(g, "whole.csv"), &o);
    assert_string_not_equal(scree_model_get(b)->solver, "em");
    assert_true(models_subspace_sine(a, b) < 1e-12);
    scree_model_free(a);
    scree_model_free(b);
    gappy_free(g);
}

static void test_infinite_cell(void **state)
{
    (void)state;
    static const char text[] = "a,x,1\na,y,2\nb,x,3\nb,y,inf\nc,z,4\nc,y,2\n";
    scree_read_options read = SCREE_READ_OPTIONS_INIT;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    o.no_imputer = true; /* tested apart */
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    read.format = "triplets";
    const char *path = file_write("inf.csv", text, strlen(text));
    assert_int_equal(scree_source_open(&source, path, &read, &error), SCREE_OK);
    o.components = 1;
    assert_int_equal(scree_model_fit(&model, source, &o, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text + strlen(path),
                        ": row 2, column 'y' is infinite; give the cell a number, or leave it out");
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_dense), cmocka_unit_test(test_same_bits),
                                       cmocka_unit_test(test_complete_cells), cmocka_unit_test(test_infinite_cell)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
