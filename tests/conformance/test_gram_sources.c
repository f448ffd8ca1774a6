/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram reads rows where they lie, copies those of files, and converts those of another order: the same bits in
 * all, for any number of threads and any block size, with so many columns that several lanes have sums of their own, in
 * float, double and integers. Products in float are within their bounds of those in double. */

#include "support/checks.h"

#include "base/memory.h"
#include "data/npy_header.h"
#include "support/reference.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

#include <string.h>

enum { N = 180, D = 32800, K = 6 };

typedef enum origin { PLAIN, COLUMNS, NPY, ORIGINS } origin;

static const char *const names[] = {"memory", "memory, column by column", "x.npy"};
static const int64_t sizes[] = {[SCREE_F32] = 4, [SCREE_F64] = 8, [SCREE_U8] = 1};

static rows *made(scree_type type)
{
    double *x = scree__alloc((int64_t)N * D, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++) {
            double sum = rows_random(1, i, j) + (double)(j % 5);
            for (int64_t r = 0; r < K; r++)
                sum += 0.3 * (double)(K - r) * rows_random(2, i, r) * rows_random(3, r, j);
            x[i * D + j] = sum;
        }
    return rows_of(x, N, D, type, 10);
}

/* The elements, row by row or column by column; to be freed. */
static char *elements(const rows *x, bool by_columns)
{
    const int64_t size = sizes[x->type];
    char *bytes = malloc((size_t)(N * D * size));
    assert_non_null(bytes);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            memcpy(bytes + (by_columns ? j * N + i : i * D + j) * size,
                   (const char *)x->data + (i * x->stride + j) * size, (size_t)size);
    return bytes;
}

static void write_npy(const rows *x)
{
    const size_t size = (size_t)(N * D * sizes[x->type]);
    char *bytes = malloc(SCREE__NPY_HEADER_BYTES + size);
    char *data = elements(x, false);
    assert_non_null(bytes);
    scree__npy_format(bytes, x->type, N, D);
    memcpy(bytes + SCREE__NPY_HEADER_BYTES, data, size);
    file_write(names[NPY], bytes, SCREE__NPY_HEADER_BYTES + size);
    free(bytes);
    free(data);
}

static scree_source *opened(const rows *x, origin from, const char *by_columns)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    if (from == PLAIN)
        return rows_source(x);
    block.data = by_columns;
    block.type = x->type;
    block.rows = N;
    block.cols = D;
    block.row_stride = 1;
    block.col_stride = N;
    if (from == COLUMNS)
        EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    else
        EXPECT_OK(scree_source_open(&source, folder_path(names[NPY]), NULL, &error), error);
    return source;
}

static scree_model *fitted(scree_source *source, int threads, int64_t block_rows, double tolerance)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    run.threads = threads;
    run.block_rows = block_rows;
    options.run = &run;
    options.components = K;
    options.solver = "gram";
    options.tolerance = tolerance;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* Eigenvalues within the bounds of both. */
static void expect_near(const scree_model *a, const scree_model *b)
{
    const scree_model_view *v = scree_model_get(a);
    const scree_model_view *w = scree_model_get(b);
    for (int64_t k = 0; k < K; k++)
        EXPECT_NEAR(v->eigenvalues[k], w->eigenvalues[k], v->eigenvalue_bounds[k] + w->eigenvalue_bounds[k]);
}

static void run_type(scree_type type)
{
    static const int threads[] = {4, 1, 2};
    static const int64_t block_rows[] = {0, 29, 64};
    rows *x = made(type);
    char *by_columns = elements(x, true);
    write_npy(x);
    scree_model *first = fitted(opened(x, PLAIN, NULL), 1, 0, 0);
    scree_model *strict = fitted(opened(x, PLAIN, NULL), 2, 0, 1e-9);
    expect_near(first, strict);
    for (origin from = PLAIN; from < ORIGINS; from++)
        for (int64_t i = 0; i < (SLOW_BUILD ? 1 : COUNT_OF(threads)); i++) {
            scree_model *model = fitted(opened(x, from, by_columns), threads[i], block_rows[i], 0);
            models_expect_same(first, model, names[from]);
            scree_model_free(model);
        }
    scree_model_free(first);
    scree_model_free(strict);
    free(by_columns);
    rows_free(x);
}

static void test_floats(void **state)
{
    (void)state;
    run_type(SCREE_F32);
}

static void test_doubles(void **state)
{
    (void)state;
    run_type(SCREE_F64);
}

static void test_bytes(void **state)
{
    (void)state;
    run_type(SCREE_U8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
