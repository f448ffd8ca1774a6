/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_drift_make where models and rows are not the usual ones. Its p-values: tests/golden/test_drift_golden.c and
 * tests/conformance/test_drift_rates.c. */

#include "support/calls.h"
#include "support/checks.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

enum { N = 300, D = 7, TALL = 40 };

/* Two directions, noise, and a mean far away. */
static double *table(int64_t n, int64_t d, uint64_t seed)
{
    double *x = malloc((size_t)(n * d) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = 1e4 + 3 * rows_random(seed, i, 1000) + (j % 2 ? 2 : -2) * rows_random(seed, i, 1001) +
                           rows_random(seed, i, j);
    return x;
}

static scree_source *source_of(const double *x, int64_t n, int64_t d, const double *weights)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    block.data = x;
    block.rows = n;
    block.cols = d;
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    if (weights)
        EXPECT_OK(scree_source_weigh(source, weights, n, &error), error);
    return source;
}

static scree_model *fit(const double *x, int64_t n, int64_t d, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = source_of(x, n, d, NULL);
    scree_model *model = NULL;
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

static scree_drift *drift_of(const scree_model *model, const double *x, int64_t n, const scree_drift_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = source_of(x, n, scree_model_get(model)->d, NULL);
    scree_drift *drift = NULL;
    EXPECT_OK(scree_drift_make(&drift, model, source, options, &error), error);
    scree_source_free(source);
    return drift;
}

static scree_fit_options components(int64_t m)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = options.latent = m;
    return options;
}

/* Neither blocks nor threads move a bit. */
static void the_same_bits(void **state)
{
    (void)state;
    const scree_fit_options two = components(2);
    double *fitted = table(N, TALL, 1);
    double *new = table(N, TALL, 2);
    scree_model *model = fit(fitted, N, TALL, &two);
    scree_run run = SCREE_RUN_INIT;
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    options.run = &run;
    run.threads = 1;
    scree_drift *one = drift_of(model, new, N, &options);
    static const struct {
        int threads;
        int64_t rows;
    } ways[] = {{1, 1}, {3, 0}, {4, 37}, {2, 128}};
    for (int64_t k = 0; k < COUNT_OF(ways); k++) {
        run.threads = ways[k].threads;
        run.block_rows = ways[k].rows;
        scree_drift *other = drift_of(model, new, N, &options);
        for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++) {
            const scree_drift_check *a = scree_drift_check_at(one, i);
            const scree_drift_check *b = scree_drift_check_at(other, i);
            assert_memory_equal(&a->p_value, &b->p_value, sizeof a->p_value);
            assert_memory_equal(&a->found, &b->found, sizeof a->found);
        }
        scree_drift_free(other);
    }
    assert_false(scree_drift_get(one)->drifted);
    scree_drift_free(one);
    scree_model_free(model);
    free(fitted);
    free(new);
}

/* More columns than rows, all components, none, a scale, an origin that is no mean: quiet on rows that are alike, and
 * not on a column that moves. */
static void all_sorts_of_models(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        int64_t d;
        int64_t m;
        scree_scale scale;
        bool uncentred;
        double level;
    } sorts[] = {
        {N, D, 2, SCREE_SCALE_NONE, false, 0.001},     {N, D, D, SCREE_SCALE_NONE, false, 0.001},
        {N, D, 0, SCREE_SCALE_NONE, false, 0.001},     {N, D, 3, SCREE_SCALE_UNIT, false, 0.001},
        {N, D, 2, SCREE_SCALE_NONE, true, 0.001},      {30, TALL, 2, SCREE_SCALE_NONE, false, 0.001},
        {30, TALL, 4, SCREE_SCALE_UNIT, false, 0.001}, {N, D, 1, SCREE_SCALE_PARETO, false, 0.001},
    };
    for (int64_t k = 0; k < COUNT_OF(sorts); k++) {
        scree_fit_options options = components(sorts[k].m);
        scree_drift_options how = SCREE_DRIFT_OPTIONS_INIT;
        how.level = sorts[k].level;
        options.scale = sorts[k].scale;
        options.uncentred = sorts[k].uncentred;
        if (sorts[k].m == 0) {
            options.components = 1;
            options.latent = SCREE_NONE;
        }
        double *fitted = table(sorts[k].n, sorts[k].d, 3);
        double *new = table(N, sorts[k].d, 4);
        scree_model *model = fit(fitted, sorts[k].n, sorts[k].d, &options);
        scree_drift *drift = drift_of(model, new, N, &how);
        if (scree_drift_get(drift)->drifted || isnan(scree_drift_get(drift)->p_value))
            fail_msg("sort %lld: p = %g", (long long)k, scree_drift_get(drift)->p_value);
        scree_drift_free(drift);
        for (int64_t i = 0; i < N; i++)
            new[i * sorts[k].d + 4] = 1e4 + 2 * (new[i * sorts[k].d + 4] - 1e4) + 3;
        drift = drift_of(model, new, N, &how);
        if (!scree_drift_get(drift)->drifted)
            fail_msg("sort %lld: p = %g of another column", (long long)k, scree_drift_get(drift)->p_value);
        scree_drift_free(drift);
        scree_model_free(model);
        free(fitted);
        free(new);
    }
}

/* A column that never varied: 3 of 300 rows, none of the 100 that were fitted. */
static void constant_columns(void **state)
{
    (void)state;
    const scree_fit_options two = components(2);
    double *x = table(100, D, 5);
    double *y = table(N, D, 6);
    for (int64_t i = 0; i < N; i++)
        y[i * D + 6] = i < 3 ? 8 : 7;
    for (int64_t i = 0; i < 100; i++)
        x[i * D + 6] = 7;
    scree_model *model = fit(x, 100, D, &two);
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    scree_drift *drift = drift_of(model, y, N, &options);
    assert_int_equal(scree_drift_get(drift)->moved, 1);
    assert_false(scree_drift_get(drift)->drifted);
    scree_drift_free(drift);
    options.exact = true;
    drift = drift_of(model, y, N, &options);
    assert_true(scree_drift_get(drift)->p_value == 0);
    const scree_drift_blame *blame = scree_drift_blame_at(drift, 0);
    assert_true(blame && blame->part == SCREE_DRIFT_SPREAD && blame->column == 6 && isinf(blame->change));
    scree_drift_free(drift);
    scree_model_free(model);
    free(x);
    free(y);
}

/* What cannot be said has a reason, and no p-value. */
static void says_what_it_cannot(void **state)
{
    (void)state;
    const scree_fit_options two = components(2);
    double *x = table(N, D, 7);
    scree_model *model = fit(x, N, D, &two);
    scree_drift *drift = drift_of(model, x, 3, NULL);
    assert_true(isnan(scree_drift_get(drift)->p_value) && !scree_drift_get(drift)->drifted);
    for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++)
        assert_true(isnan(scree_drift_check_at(drift, i)->p_value) && scree_drift_check_at(drift, i)->reason);
    assert_null(scree_drift_check_at(drift, SCREE_DRIFT_CHECKS));
    assert_null(scree_drift_blame_at(drift, 0));
    scree_drift_free(drift);
    double *wild = table(N, D, 8);
    for (int64_t j = 0; j < D; j++)
        wild[j] += 1e6 * (double)(j + 1); /* one row is far out in all columns */
    drift = drift_of(model, wild, N, NULL);
    assert_true(isnan(scree_drift_check_at(drift, SCREE_DRIFT_SPREAD)->p_value));
    assert_non_null(strstr(scree_drift_check_at(drift, SCREE_DRIFT_SPREAD)->reason, "far out"));
    assert_true(scree_drift_check_at(drift, SCREE_DRIFT_MEAN)->p_value >= 0);
    scree_drift_free(drift);
    for (int64_t i = 0; i < 9; i++)
        wild[i * D] = (double)NAN;
    drift = drift_of(model, wild, N, NULL);
    assert_int_equal(scree_drift_get(drift)->gaps, 9);
    assert_int_equal(scree_drift_get(drift)->rows, N - 9);
    assert_false(scree_drift_get(drift)->drifted);
    scree_drift_free(drift);
    scree_model_free(model);
    free(x);
    free(wild);
}

/* By shuffles: neither blocks nor threads move a bit, in units of several rows either; what moves is found, and a row
 * that is far out among the fitted ones alone is no drift. */
static void shuffles(void **state)
{
    (void)state;
    enum { MANY = 2300 };
    const scree_fit_options two = components(2);
    scree_error error = SCREE_ERROR_INIT;
    double *fitted = table(MANY, D, 11);
    double *new = table(MANY, D, 12);
    for (int64_t j = 0; j < D; j++)
        fitted[5 * D + j] += 300 * (double)(j % 3);
    scree_model *model = fit(fitted, MANY, D, &two);
    scree_run run = SCREE_RUN_INIT;
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    scree_drift *by_law = drift_of(model, new, MANY, &options);
    assert_true(scree_drift_get(by_law)->drifted);
    assert_int_equal(scree_drift_get(by_law)->shuffles, 0);
    options.run = &run;
    options.fitted = source_of(fitted, MANY, D, NULL);
    run.threads = 1;
    scree_drift *one = drift_of(model, new, MANY, &options);
    run.threads = 3;
    run.block_rows = 101;
    scree_drift *other = drift_of(model, new, MANY, &options);
    assert_false(scree_drift_get(one)->drifted);
    assert_int_equal(scree_drift_get(one)->shuffles, 2000);
    assert_true(scree_drift_get(one)->fitted == MANY);
    for (int64_t i = 0; i < SCREE_DRIFT_CHECKS; i++) {
        const double p = scree_drift_check_at(one, i)->p_value;
        assert_true(p >= 0.0005 && p == scree_drift_check_at(other, i)->p_value);
    }
    scree_drift_free(other);
    for (int64_t i = 0; i < MANY; i++)
        new[i * D + 4] += 0.3;
    other = drift_of(model, new, MANY, &options);
    assert_true(scree_drift_get(other)->drifted && scree_drift_check_at(other, SCREE_DRIFT_MEAN)->drifted);
    scree_drift *none = NULL;
    scree_source *source = source_of(new, MANY, D, NULL);
    options.exact = true;
    assert_int_equal(scree_drift_make(&none, model, source, &options, &error), SCREE_ERR_ARGUMENT);
    options.exact = false;
    options.level = 1e-5;
    assert_int_equal(scree_drift_make(&none, model, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "shuffles"));
    scree_source_free(source);
    scree_source_free(options.fitted);
    scree_drift_free(by_law);
    scree_drift_free(one);
    scree_drift_free(other);
    scree_model_free(model);
    free(fitted);
    free(new);
}

/* Nothing but a column that varied in no fitted row; a model of second moments; components that leave nothing. */
static void shuffles_all_sorts(void **state)
{
    (void)state;
    for (int sort = 0; sort < 3; sort++) {
        scree_fit_options how = components(sort == 2 ? D : 2);
        scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
        how.uncentred = sort == 1;
        double *fitted = table(60, D, 13);
        double *new = table(60, D, 14);
        for (int64_t i = 0; sort == 0 && i < 60; i++) {
            fitted[i * D + 6] = 7;
            new[i * D + 6] = i % 2 ? 7 : 9;
        }
        scree_model *model = fit(fitted, 60, D, &how);
        options.fitted = source_of(fitted, 60, D, NULL);
        scree_drift *drift = drift_of(model, new, 60, &options);
        assert_true(scree_drift_get(drift)->drifted == (sort == 0));
        const scree_drift_check *mean = scree_drift_check_at(drift, SCREE_DRIFT_MEAN);
        assert_true(isnan(mean->p_value) == (sort == 1) && !mean->reason == (sort != 1));
        scree_drift_free(drift);
        scree_source_free(options.fitted);
        scree_model_free(model);
        free(fitted);
        free(new);
    }
}

/* Few rows of either side leave laws without p-values, and shuffles with theirs. */
static void withholds(void **state)
{
    (void)state;
    static const struct {
        int64_t fitted;
        int64_t fresh;
        const char *reason; /* NULL: there are p-values */
    } cases[] = {{30, 12, NULL}, {29, 12, "fewer than 30"}, {30, 11, "fewer than 12"}};
    double *x = table(N, D, 9);
    double *y = table(N, D, 10);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scree_fit_options two = components(2);
        scree_model *model = fit(x, cases[i].fitted, D, &two);
        for (int beside = 0; beside < 2; beside++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
            scree_drift *drift = NULL;
            scree_source *source = source_of(y, cases[i].fresh, D, NULL);
            options.fitted = beside ? source_of(x, cases[i].fitted, D, NULL) : NULL;
            EXPECT_OK(scree_drift_make(&drift, model, source, &options, &error), error);
            const scree_drift_check *check = scree_drift_check_at(drift, SCREE_DRIFT_SPREAD);
            const bool is_withheld = cases[i].reason && !beside;
            assert_int_equal(isnan(check->p_value), is_withheld);
            assert_int_equal(isnan(scree_drift_get(drift)->p_value), is_withheld);
            if (is_withheld)
                assert_non_null(strstr(check->reason, cases[i].reason));
            scree_drift_free(drift);
            scree_source_free(source);
            scree_source_free(options.fitted);
        }
        scree_model_free(model);
    }
    free(x);
    free(y);
}

static int end_shuffles(void *context, const scree_progress *progress)
{
    (void)context;
    return progress->part && strcmp(progress->part, "shuffles") == 0;
}

/* Each of the fitted rows is shuffled by itself beside so few new ones, and is 230 sums. */
static void shuffles_end(void **state)
{
    enum { WIDE = 20, FEW = 12, OLD = 4000 };
    (void)state;
    const scree_fit_options all = components(WIDE);
    double *fitted = table(OLD, WIDE, 15);
    double *new = table(FEW, WIDE, 16);
    scree_model *model = fit(fitted, OLD, WIDE, &all);
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    scree_drift *drift = NULL;
    scree_source *source = source_of(new, FEW, WIDE, NULL);
    options.fitted = source_of(fitted, OLD, WIDE, NULL);
    options.run = &run;
    run.progress = end_shuffles;
    assert_int_equal(scree_drift_make(&drift, model, source, &options, &error), SCREE_ERR_CANCELLED);
    run.progress = NULL;
    run.memory = 8 << 20;
    assert_int_equal(scree_drift_make(&drift, model, source, &options, &error), SCREE_ERR_MEMORY);
    assert_non_null(strstr(error.text, "give a sample of the rows"));
    assert_null(drift);
    scree_source_free(source);
    scree_source_free(options.fitted);
    scree_model_free(model);
    free(fitted);
    free(new);
}

static void refuses(void **state)
{
    (void)state;
    const scree_fit_options two = components(2);
    double weights[N];
    double *x = table(N, D, 9);
    scree_model *model = fit(x, N, D, &two);
    scree_model *few = fit(x, 4, D, &two);
    scree_model *rotated = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_drift *drift = NULL;
    for (int64_t i = 0; i < N; i++)
        weights[i] = 2;
    scree_source *source = source_of(x, N, D, weights);
    assert_int_equal(scree_drift_make(&drift, model, source, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "count alike"));
    scree_source_free(source);
    source = source_of(x, N, D, NULL);
    assert_int_equal(scree_drift_make(&drift, few, source, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "too few"));
    EXPECT_OK(scree_model_rotate(&rotated, model, NULL, &error), error);
    assert_int_equal(scree_drift_make(&drift, rotated, source, NULL, &error), SCREE_ERR_UNSUPPORTED);
    scree_drift_options options = SCREE_DRIFT_OPTIONS_INIT;
    options.level = 1.5;
    assert_int_equal(scree_drift_make(&drift, model, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_null(drift);
    scree_drift_free(NULL);
    scree_source_free(source);
    scree_model_free(rotated);
    scree_model_free(few);
    scree_model_free(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_bits),    cmocka_unit_test(all_sorts_of_models),
                                       cmocka_unit_test(constant_columns), cmocka_unit_test(says_what_it_cannot),
                                       cmocka_unit_test(shuffles),         cmocka_unit_test(shuffles_all_sorts),
                                       cmocka_unit_test(withholds),        cmocka_unit_test(refuses),
                                       cmocka_unit_test(shuffles_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
