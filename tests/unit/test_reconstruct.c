/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows from codes against plain sums; what a round trip loses, where a difference of norms would see nothing. */

#include "model/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"

enum { ROWS = 150, D = 23, M = 4 };

static void rows_are_right(void **state)
{
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        scree_model *model = made_model(D, M, 3.0, scaled, NULL);
        const scree_model_view *view = scree_model_get(model);
        double codes[ROWS * M];
        double data[ROWS * D];
        scree__normals(5, 1, 0, ROWS * M, codes);
        assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), data, NULL, NULL),
                         SCREE_OK);
        for (int64_t i = 0; i < ROWS; i++) {
            for (int64_t j = 0; j < D; j++) {
                long double sum = 0.0L;
                for (int64_t k = 0; k < M; k++)
                    sum += (long double)codes[i * M + k] * view->components[k * D + j];
                sum = sum * (scaled ? view->scale[j] : 1.0) + view->mean[j];
                assert_true(fabsl(sum - data[i * D + j]) < 2e-14L);
            }
        }
        scree_model_free(model);
    }
}

static void codes_survive_the_way_back(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1e3, true, NULL);
    double codes[ROWS * M];
    double again[ROWS * M];
    double data[ROWS * D];
    scree__normals(5, 1, 0, ROWS * M, codes);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), data, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(model, BLOCK(data, SCREE_F64, ROWS, D), again, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS * M; i++)
        assert_true(fabs(codes[i] - again[i]) < 1e-11);
    scree_model_free(model);
}

static void bad_codes_are_named(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    scree_error error = SCREE_ERROR_INIT;
    double codes[2 * M] = {0};
    double data[2 * D];
    codes[M + 1] = NAN;
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, 2, M), data, NULL, &error),
                     SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 2, column 2 is missing"));
    scree_model_free(model);
}

/* A row in the model's plane plus 1e-9 across it: ‖c‖² - ‖t‖² is 1e-18 of 1e4 and would round to noise. */
static void small_losses_are_measured(void **state)
{
    (void)state;
    scree_model *longer = made_model(D, M + 1, 0.0, false, NULL);
    scree_model *model = NULL;
    assert_int_equal(scree_model_truncate(&model, longer, M, NULL), SCREE_OK);
    const double codes[M + 1] = {100.0, -20.0, 3.0, 4.0, 1e-9};
    double row[D];
    double square = 0.0;
    scree__chunks chunks = {0};
    assert_int_equal(scree_model_reconstruct_rows(longer, BLOCK(codes, SCREE_F64, 1, M + 1), row, NULL, NULL),
                     SCREE_OK);
    scree__round_trip_rows out = {NULL, &square};
    const scree__row_block given = {{row, SCREE_F64, 1, D, D, NULL}, 0, "memory", 0, NULL, NULL, NULL, NULL};
    assert_int_equal(scree__round_trip_open(&chunks, model, D, 1, NULL), SCREE_OK);
    assert_int_equal(scree__chunks_run(&chunks, &given, 1, &out, NULL), SCREE_OK);
    assert_true(fabs(square - 1e-18) < 1e-21);
    scree__chunks_close(&chunks);
    scree_model_free(model);
    scree_model_free(longer);
}

static void round_trip_is_project_then_reconstruct(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    double x[ROWS * D];
    double codes[ROWS * M];
    double expected[ROWS * D];
    double found[ROWS * D];
    scree__chunks chunks = {0};
    scree__normals(6, 1, 0, ROWS * D, x);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), expected, NULL, NULL),
                     SCREE_OK);
    scree__round_trip_rows out = {found, NULL};
    const scree__row_block given = {{x, SCREE_F64, ROWS, D, D, NULL}, 0, "memory", 0, NULL, NULL, NULL, NULL};
    assert_int_equal(scree__round_trip_open(&chunks, model, D, 2, NULL), SCREE_OK);
    assert_int_equal(scree__chunks_run(&chunks, &given, 2, &out, NULL), SCREE_OK);
    assert_memory_equal(found, expected, sizeof found);
    scree__chunks_close(&chunks);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_right),
        cmocka_unit_test(codes_survive_the_way_back),
        cmocka_unit_test(bad_codes_are_named),
        cmocka_unit_test(small_losses_are_measured),
        cmocka_unit_test(round_trip_is_project_then_reconstruct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
