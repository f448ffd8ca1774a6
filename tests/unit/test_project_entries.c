/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of sparse rows from their entries: those of the same rows, every cell given; also where columns are divided,
 * become logarithms, or are matched by name, where means are far from 0, and where an entry is missing or infinite. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answer/project_entries.h"
#include "support/calls.h"

#include <math.h>
#include <string.h>

enum { N = 70, D = 9, K = 3 };

typedef struct rows {
    double x[N * D];
    double values[N * D];
    int32_t indices[N * D];
    int64_t starts[N + 1];
} rows;

/* A third of the cells, and level in one column of every row. */
static rows make_rows(double level)
{
    rows r = {0};
    uint32_t draw = 7;
    int64_t count = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) {
            draw = draw * 1664525 + 1013904223;
            const double x = (double)(draw >> 16) / 65536;
            r.x[i * D + j] = j == 4 ? level + x : x < 0.35 ? (1 + j % 3) * x * (i % 4) : 0;
            if (r.x[i * D + j] != 0) {
                r.values[count] = r.x[i * D + j];
                r.indices[count++] = j;
            }
        }
        r.starts[i + 1] = count;
    }
    return r;
}

static scree_source *dense(const rows *r)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(r->x, SCREE_F64, N, D), NULL), SCREE_OK);
    return source;
}

static scree_source *sparse(const rows *r)
{
    scree_source *source = NULL;
    const scree_block block = SIZED(scree_block, .data = r->values, .type = SCREE_F64, .rows = N, .cols = D,
                                    .starts = r->starts, .indices = r->indices);
    assert_int_equal(scree_source_from_memory(&source, &block, NULL), SCREE_OK);
    return source;
}

static scree_model *fit(const rows *r, scree_scale scale, bool log1p)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_source *source = dense(r);
    options.components = K;
    options.scale = scale;
    options.log1p = log1p;
    assert_int_equal(scree_model_fit(&model, source, &options, NULL), SCREE_OK);
    scree_source_free(source);
    return model;
}

static scree_status project(double *codes, const scree_model *model, scree_source *source, const scree_run *run,
                            scree_error *error)
{
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, codes, N, K, NULL), SCREE_OK);
    const scree_status status = scree_model_project(model, source, sink, run, error);
    if (status == SCREE_OK)
        assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static bool uses_entries(const scree_model *model, const rows *r)
{
    scree__entry_query query = {0};
    const scree_run run = run_with_threads(1);
    bool fits = false;
    scree_source *source = sparse(r);
    assert_int_equal(scree__entry_query_open(&query, &fits, model, source, NULL, &run, NULL), SCREE_OK);
    scree__entry_query_close(&query);
    scree_source_free(source);
    return fits;
}

static void expect_same(const double *a, const double *b, double bound)
{
    for (int i = 0; i < N * K; i++)
        assert_true(fabs(a[i] - b[i]) <= bound);
}

static void test_same_codes(void **state)
{
    (void)state;
    const rows r = make_rows(2);
    for (int scale = SCREE_SCALE_NONE; scale <= SCREE_SCALE_UNIT; scale++)
        for (int log = 0; log < 2; log++) {
            double codes[3][N * K];
            scree_model *model = fit(&r, (scree_scale)scale, log);
            const scree_run run = run_with_blocks(2, 7);
            assert_true(uses_entries(model, &r));
            assert_int_equal(project(codes[0], model, dense(&r), NULL, NULL), SCREE_OK);
            assert_int_equal(project(codes[1], model, sparse(&r), NULL, NULL), SCREE_OK);
            assert_int_equal(project(codes[2], model, sparse(&r), &run, NULL), SCREE_OK);
            expect_same(codes[1], codes[0], 1e-13);
            assert_memory_equal(codes[1], codes[2], sizeof codes[1]);
            scree_model_free(model);
        }
}

/* The difference would lose six digits: rows are centred cell by cell. */
static void test_far_means(void **state)
{
    (void)state;
    double codes[2][N * K];
    const rows r = make_rows(1e6);
    scree_model *model = fit(&r, SCREE_SCALE_NONE, false);
    assert_false(uses_entries(model, &r));
    assert_int_equal(project(codes[0], model, dense(&r), NULL, NULL), SCREE_OK);
    assert_int_equal(project(codes[1], model, sparse(&r), NULL, NULL), SCREE_OK);
    assert_memory_equal(codes[0], codes[1], sizeof codes[0]);
    scree_model_free(model);
}

/* A missing entry is filled as in any row, an infinite one is an error that names it; other rows are as they were. */
static void test_bad_entries(void **state)
{
    (void)state;
    double codes[2][N * K];
    scree_error error = SCREE_ERROR_INIT;
    rows r = make_rows(2);
    scree_model *model = fit(&r, SCREE_SCALE_NONE, false);
    const int64_t at = r.starts[20];
    const int32_t column = r.indices[at];
    r.values[at] = r.x[20 * D + column] = NAN;
    assert_int_equal(project(codes[0], model, dense(&r), NULL, NULL), SCREE_OK);
    assert_int_equal(project(codes[1], model, sparse(&r), NULL, NULL), SCREE_OK);
    expect_same(codes[0], codes[1], 1e-13);
    assert_true(isfinite(codes[1][20 * K]));
    r.values[at] = INFINITY;
    assert_int_equal(project(codes[1], model, sparse(&r), NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 21, column"));
    assert_non_null(strstr(error.text, "is infinite"));
    scree_model_free(model);
}

/* Columns in another order than the model's, and one more between them. */
static void test_matched_columns(void **state)
{
    (void)state;
    static const int64_t order[] = {3, 0, 7};
    const rows r = make_rows(2);
    double some[N * 3];
    double codes[2][N * 2];
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree__entry_query query = {0};
    scree__block block;
    bool fits = false;
    const scree_run run = run_with_threads(1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 3; j++)
            some[i * 3 + j] = r.x[i * D + order[j]];
    options.components = 2;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(some, SCREE_F64, N, 3), NULL), SCREE_OK);
    assert_int_equal(scree_model_fit(&model, source, &options, NULL), SCREE_OK);
    scree_source_free(source);
    assert_int_equal(scree_model_project_rows(model, BLOCK(some, SCREE_F64, N, 3), codes[0], NULL, NULL), SCREE_OK);
    source = sparse(&r);
    assert_int_equal(scree__entry_query_open(&query, &fits, model, source, order, &run, NULL), SCREE_OK);
    assert_true(fits);
    source->takes_sparse = true;
    source->block_rows = N;
    assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
    assert_int_equal(block.rows, N);
    assert_int_equal(scree__entry_query_map(&query, &block, codes[1], 1, NULL), SCREE_OK);
    for (int i = 0; i < N * 2; i++)
        assert_true(fabs(codes[0][i] - codes[1][i]) <= 1e-13);
    scree__entry_query_close(&query);
    scree_source_free(source);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_codes),
        cmocka_unit_test(test_far_means),
        cmocka_unit_test(test_bad_entries),
        cmocka_unit_test(test_matched_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
