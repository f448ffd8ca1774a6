/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of rows that are divided by their sums, and of the columns that vary most: models are those of rows prepared by
 * hand, take rows as they come, and stay so through a file. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/prepare.h"
#include "support/calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 90, D = 12, K = 3, TOP = 5 };

typedef struct rows {
    double x[N][D];
    double by_hand[N][D];
    int64_t kept[TOP];
} rows;

/* Counts of three kinds of rows; row 4 is empty. by_hand: log(1 + x t/Σx). */
static rows make_rows(double target)
{
    rows r;
    uint32_t draw = 1;
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < D; j++) {
            draw = draw * 1664525 + 1013904223;
            const int most = j % 3 == i % 3 ? 3 + 7 * j : 2 + j / 4;
            r.x[i][j] = i == 4 ? 0 : floor((double)(draw >> 16) / 65536 * most);
            sum += r.x[i][j];
        }
        for (int j = 0; j < D; j++)
            r.by_hand[i][j] = log1p(sum > 0 ? r.x[i][j] * target / sum : 0);
    }
    return r;
}

/* The columns that vary most, by the plain formula. */
static void rank(rows *r)
{
    double variance[D];
    bool taken[D] = {false};
    for (int j = 0; j < D; j++) {
        double mean = 0;
        variance[j] = 0;
        for (int i = 0; i < N; i++)
            mean += r->by_hand[i][j] / N;
        for (int i = 0; i < N; i++)
            variance[j] += (r->by_hand[i][j] - mean) * (r->by_hand[i][j] - mean) / N;
    }
    for (int k = 0; k < TOP; k++) {
        int best = -1;
        for (int j = 0; j < D; j++)
            if (!taken[j] && (best < 0 || variance[j] > variance[best]))
                best = j;
        taken[best] = true;
    }
    for (int j = 0, k = 0; j < D; j++)
        if (taken[j])
            r->kept[k++] = j;
}

static scree_source *source_of(const double *x, bool sparse)
{
    static double values[N * D];
    static int32_t indices[N * D];
    static int64_t starts[N + 1];
    scree_source *source = NULL;
    int64_t count = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            if (x[i * D + j] != 0) {
                values[count] = x[i * D + j];
                indices[count++] = j;
            }
        starts[i + 1] = count;
    }
    const scree_block entries = SIZED(scree_block, .data = values, .type = SCREE_F64, .rows = N, .cols = D,
                                      .starts = starts, .indices = indices);
    assert_int_equal(scree_source_from_memory(&source, sparse ? &entries : BLOCK(x, SCREE_F64, N, D), NULL), SCREE_OK);
    return source;
}

static scree_model *fit(const double *x, bool sparse, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = source_of(x, sparse);
    if (scree_model_fit(&model, source, options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return model;
}

static void expect_codes(const double *a, const double *b)
{
    for (int i = 0; i < N * K; i++)
        assert_true(fabs(a[i] - b[i]) <= 1e-10 * (1 + fabs(b[i])));
}

/* The codes of a model, of a source of raw counts. */
static void codes_of(double *codes, const scree_model *model, const double *x, bool sparse)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    scree_source *source = source_of(x, sparse);
    assert_int_equal(scree_sink_to_memory(&sink, codes, N, K, NULL), SCREE_OK);
    if (scree_model_project(model, source, sink, NULL, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    scree_source_free(source);
}

static scree_model *through_a_file(scree_model *model, int version)
{
    void *bytes = NULL;
    size_t size = 0;
    char text[40];
    scree_model *read = NULL;
    assert_int_equal(scree_model_save_buffer(&bytes, &size, model, NULL), SCREE_OK);
    snprintf(text, sizeof text, "\"format_version\":\"%d\"", version);
    assert_non_null(strstr((const char *)bytes + 8, text));
    assert_int_equal(scree_model_load_buffer(&read, bytes, size, NULL), SCREE_OK);
    scree_buffer_free(bytes);
    scree_model_free(model);
    return read;
}

static void test_normalised_models(void **state)
{
    (void)state;
    static const double targets[] = {1e4, SCREE_NORMALIZE_MEDIAN};
    for (int t = 0; t < 2; t++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            double codes[4][N * K];
            scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
            rows r = make_rows(1e4);
            options.components = K;
            options.log1p = true;
            options.normalize = targets[t];
            scree_model *model = through_a_file(fit(r.x[0], sparse, &options), 3);
            const scree_model_view *view = scree_model_get(model);
            assert_int_equal(view->normalize_columns, D);
            assert_int_equal(view->normalize_empty, 1);
            assert_int_equal(view->passes, 1 + t);
            r = make_rows(view->normalize);
            scree_fit_options plain = SCREE_FIT_OPTIONS_INIT;
            plain.components = K;
            scree_model *other = fit(r.by_hand[0], false, &plain);
            codes_of(codes[0], other, r.by_hand[0], false);
            codes_of(codes[1], model, r.x[0], false);
            codes_of(codes[2], model, r.x[0], true);
            assert_int_equal(scree_model_project_rows(model, BLOCK(r.x, SCREE_F64, N, D), codes[3], NULL, NULL),
                             SCREE_OK);
            for (int i = 1; i < 4; i++)
                expect_codes(codes[i], codes[0]);
            scree_model_free(other);
            scree_model_free(model);
        }
    }
}

static void test_top_variance(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        double codes[2][N * K];
        double some[N][TOP];
        rows r = make_rows(1e4);
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        scree_error error = SCREE_ERROR_INIT;
        rank(&r);
        options.components = K;
        options.log1p = true;
        options.normalize = 1e4;
        options.top_variance = TOP;
        scree_model *model = through_a_file(fit(r.x[0], sparse, &options), 3);
        const scree_model_view *view = scree_model_get(model);
        assert_int_equal(view->d, TOP);
        assert_int_equal(view->normalize_columns, D);
        assert_memory_equal(view->kept_columns, r.kept, sizeof r.kept);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < TOP; j++)
                some[i][j] = r.by_hand[i][r.kept[j]];
        scree_source *hand = NULL;
        scree_model *other = NULL;
        scree_fit_options plain = SCREE_FIT_OPTIONS_INIT;
        plain.components = K;
        assert_int_equal(scree_source_from_memory(&hand, BLOCK(some, SCREE_F64, N, TOP), NULL), SCREE_OK);
        assert_int_equal(scree_model_fit(&other, hand, &plain, NULL), SCREE_OK);
        assert_int_equal(scree_model_project_rows(other, BLOCK(some, SCREE_F64, N, TOP), codes[0], NULL, NULL),
                         SCREE_OK);
        codes_of(codes[1], model, r.x[0], sparse);
        expect_codes(codes[1], codes[0]);
        /* In memory there are no other columns that the sums could be taken over. */
        assert_int_equal(scree_model_project_rows(model, BLOCK(some, SCREE_F64, N, TOP), codes[1], NULL, &error),
                         SCREE_ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "sums over 12 columns, of which it uses 5"));
        scree_source_free(hand);
        scree_model_free(other);
        scree_model_free(model);
    }
}

/* All columns, none left out, and the plan of a fit that asks for a part. */
static void test_counts_of_columns(void **state)
{
    (void)state;
    rows r = make_rows(1);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_plan *plan = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *none = NULL;
    options.components = 2;
    options.top_variance = D + 1;
    scree_model *model = fit(r.x[0], false, &options);
    assert_int_equal(scree_model_get(model)->d, D);
    assert_int_equal(scree_model_get(model)->passes, 1);
    scree_model_free(model);
    scree_source *source = source_of(r.x[0], false);
    options.top_variance = 3;
    assert_int_equal(scree_plan_make(&plan, source, &options, NULL), SCREE_OK);
    assert_int_equal(scree_plan_at(plan, 0)->passes, 2);
    options.top_variance = -4;
    assert_int_equal(scree_model_fit(&none, source, &options, &error), SCREE_ERR_ARGUMENT);
    options.top_variance = 3;
    options.kind = "network";
    assert_int_equal(scree_model_fit(&none, source, &options, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "top_variance is for models of the kind pca"));
    scree_plan_free(plan);
    scree_source_free(source);
}

/* Scales are one for each column of the source, and those of the chosen ones are used. */
static void test_scales_of_chosen_columns(void **state)
{
    (void)state;
    rows r = make_rows(1e4);
    double scales[D];
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    rank(&r);
    for (int j = 0; j < D; j++)
        scales[j] = 1 + j;
    options.components = 2;
    options.normalize = 1e4;
    options.log1p = true;
    options.top_variance = TOP;
    options.scale = SCREE_SCALE_GIVEN;
    options.scales = scales;
    scree_model *model = fit(r.x[0], true, &options);
    for (int j = 0; j < TOP; j++)
        assert_true(scree_model_get(model)->scale[j] == (double)(1 + r.kept[j]));
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normalised_models),
        cmocka_unit_test(test_top_variance),
        cmocka_unit_test(test_counts_of_columns),
        cmocka_unit_test(test_scales_of_chosen_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
