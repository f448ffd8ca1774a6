/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes against plain sums in long double; the same bits however the rows are cut; bad cells are named. */

#include "base/threads.h"
#include "model/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"

enum { ROWS = 301, D = 37, M = 6 };

/* Rows around the model's mean, in the type asked for; each row ends with a gap of stride - D elements. */
static void *made_rows(const scree_model_view *model, scree_type type, int64_t stride)
{
    static const size_t sizes[] = {[SCREE_F32] = sizeof(float), [SCREE_F64] = sizeof(double), [SCREE_U8] = 1};
    double *noise = scree__alloc(ROWS * D, sizeof *noise);
    void *data = scree__alloc(ROWS * stride, sizes[type]);
    assert_non_null(noise);
    assert_non_null(data);
    scree__normals(3, 2, 0, ROWS * D, noise);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < D; j++) {
            double value = model->mean[j] + noise[i * D + j];
            if (type == SCREE_F64)
                ((double *)data)[i * stride + j] = value;
            else if (type == SCREE_F32)
                ((float *)data)[i * stride + j] = (float)value;
            else
                ((uint8_t *)data)[i * stride + j] = (uint8_t)fabs(20.0 * value);
        }
    }
    free(noise);
    return data;
}

static double cell(const void *data, scree_type type, int64_t at)
{
    return type == SCREE_F64   ? ((const double *)data)[at]
           : type == SCREE_F32 ? (double)((const float *)data)[at]
                               : (double)((const uint8_t *)data)[at];
}

static void codes_are_right(scree_type type, double mean, bool with_scale)
{
    const int64_t stride = D + 3;
    scree_model *model = made_model(D, M, mean, with_scale, NULL);
    const scree_model_view *view = scree_model_get(model);
    void *data = made_rows(view, type, stride);
    double codes[ROWS * M];
    assert_int_equal(scree_model_project_rows(model, BLOCK_STRIDED(data, type, ROWS, D, stride), codes, NULL, NULL),
                     SCREE_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t k = 0; k < M; k++) {
            long double sum = 0.0L;
            long double size = 0.0L;
            for (int64_t j = 0; j < D; j++) {
                long double x = (long double)cell(data, type, i * stride + j) - (long double)view->mean[j];
                long double term = x / (with_scale ? view->scale[j] : 1.0) * view->components[k * D + j];
                sum += term;
                size += fabsl(term);
            }
            if (fabsl(sum - codes[i * M + k]) > D * 1.2e-16L * size)
                fail_msg("row %d, code %d: %.17g is not %.17Lg", (int)i, (int)k, codes[i * M + k], sum);
        }
    }
    free(data);
    scree_model_free(model);
}

static void codes_of_every_type_are_right(void **state)
{
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        codes_are_right(SCREE_F64, 1.0, scaled);
        codes_are_right(SCREE_F32, 1.0, scaled);
        codes_are_right(SCREE_U8, 2.0, scaled);
    }
}

static void large_means_cost_no_digits(void **state)
{
    (void)state;
    codes_are_right(SCREE_F64, 1e8, false);
    codes_are_right(SCREE_F32, 1e5, false);
}

/* All rows in blocks of the sizes given, over and over. */
static void project_in_blocks(const scree_model *model, const double *data, const int *sizes, int threads,
                              double *codes)
{
    scree__chunks chunks = {0};
    assert_int_equal(scree__project_open(&chunks, model, D, threads, NULL), SCREE_OK);
    for (int64_t first = 0, turn = 0; first < ROWS; turn++) {
        int64_t rows = sizes[turn % 3] < ROWS - first ? sizes[turn % 3] : ROWS - first;
        const scree__row_block given = {
            {data + first * D, SCREE_F64, rows, D, D, NULL}, first, "memory", 0, NULL, NULL, NULL, NULL};
        assert_int_equal(scree__chunks_run(&chunks, &given, threads, codes + first * M, NULL), SCREE_OK);
        first += rows;
    }
    scree__chunks_close(&chunks);
}

static void cuts_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const int cuts[][3] = {{1, 1, 1}, {7, 1, 13}, {128, 128, 128}, {100, 29, 127}, {64, 200, 3}};
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    double *data = made_rows(scree_model_get(model), SCREE_F64, D);
    double whole[ROWS * M];
    double pieces[ROWS * M];
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, ROWS, D), whole, NULL, NULL), SCREE_OK);
    for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
        for (int threads = 1; threads <= 4; threads *= 2) {
            memset(pieces, 0xff, sizeof pieces);
            project_in_blocks(model, data, cuts[c], threads, pieces);
            assert_memory_equal(pieces, whole, sizeof whole);
        }
    }
    free(data);
    scree_model_free(model);
}

static void columns_are_picked(void **state)
{
    (void)state;
    enum { WIDE = D + 5 };
    scree_model *model = made_model(D, M, 1.0, true, NULL);
    double *data = made_rows(scree_model_get(model), SCREE_F64, D);
    double *mixed = scree__alloc(ROWS * WIDE, sizeof *mixed);
    double codes[ROWS * M];
    double expected[ROWS * M];
    int64_t columns[D];
    scree__chunks chunks = {0};
    for (int64_t j = 0; j < D; j++)
        columns[j] = (j * 5 + 2) % WIDE; /* 5 and 42 have no common factor: all different */
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < WIDE; j++)
            mixed[i * WIDE + j] = NAN; /* what is not picked is not looked at */
        for (int64_t j = 0; j < D; j++)
            mixed[i * WIDE + columns[j]] = data[i * D + j];
    }
    const scree__row_block given = {
        {mixed, SCREE_F64, ROWS, WIDE, WIDE, NULL}, 0, "memory", 0, columns, NULL, NULL, NULL};
    assert_int_equal(scree__project_open(&chunks, model, WIDE, 2, NULL), SCREE_OK);
    assert_int_equal(scree__chunks_run(&chunks, &given, 2, codes, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, ROWS, D), expected, NULL, NULL), SCREE_OK);
    assert_memory_equal(codes, expected, sizeof codes);
    scree__chunks_close(&chunks);
    free(mixed);
    free(data);
    scree_model_free(model);
}

static void bad_cells_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"width", "height", "depth"};
    scree_model *model = made_model(3, 1, 0.0, false, names);
    scree_error error = SCREE_ERROR_INIT;
    double data[3 * 200] = {0};
    double codes[200];
    data[3 * 16 + 1] = INFINITY;
    data[3 * 150 + 2] = INFINITY;
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, 200, 3), codes, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_string_equal(error.text, "memory: row 17, column 'height' is infinite; "
                                    "give the cell a number or leave the row out");
    data[3 * 16 + 1] = 0.0;
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, 200, 3), codes, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 151, column 'depth' is infinite"));
    scree_model_free(model);
    float single[2] = {0.0F, INFINITY};
    model = made_model(2, 1, 0.0, false, NULL);
    assert_int_equal(scree_model_project_rows(model, BLOCK(single, SCREE_F32, 1, 2), codes, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 1, column 2 is infinite"));
    scree_model_free(model);
}

static void impossible_rows_are_refused(void **state)
{
    (void)state;
    scree_model *model = made_model(3, 2, 0.0, false, NULL);
    double data[3] = {0};
    double codes[2] = {0};
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, 1, 2), codes, NULL, NULL), SCREE_ERR_SHAPE);
    assert_int_equal(scree_model_project_rows(model, BLOCK(NULL, SCREE_F64, 1, 3), codes, NULL, NULL),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, -1, 3), codes, NULL, NULL),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, (scree_type)99, 1, 3), codes, NULL, NULL),
                     SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_project_rows(model, BLOCK(NULL, SCREE_F64, 0, 3), NULL, NULL, NULL), SCREE_OK);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_every_type_are_right),
        cmocka_unit_test(large_means_cost_no_digits),
        cmocka_unit_test(cuts_and_threads_do_not_change_a_bit),
        cmocka_unit_test(columns_are_picked),
        cmocka_unit_test(bad_cells_are_named),
        cmocka_unit_test(impossible_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
