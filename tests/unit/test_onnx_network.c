/* SPDX-License-Identifier: BSD-3-Clause */
/* Auto-encoders as ONNX files, run by a reader that shares nothing with the writer: every activation, tied and untied,
 * linear and deep, gives the library's codes and reconstructions to 1e-5; tied weights are stored once. */

#include "support/checks.h"

#include "made_network.h"
#include "support/calls.h"
#include "support/onnx_eval.h"
#include "temporary_folder.h"

#include <string.h>

enum { D = 9, HIDDEN = 7, SMALL = 5, M = 3, ROWS = 12 };

static char path[128];

static int make(void **state)
{
    const int failed = folder_make(state);
    snprintf(path, sizeof path, "%s/n.onnx", folder);
    return failed;
}

static void save(const scree_model *model, const char *part, scree_type type)
{
    const scree_onnx_options options = SIZED(scree_onnx_options, .part = part, .type = type);
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_export_onnx(model, path, &options, &error), error);
}

static void assert_like_the_library(const scree_model *model, scree_type type)
{
    const scree__network *network = scree__network_of(model);
    double x[ROWS * D];
    double codes[ROWS * M];
    double back[ROWS * D];
    scree__normals(5, 1, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = (double)(float)(x[i] * network->range[i % D] + network->offset[i % D]);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), back, NULL, NULL), SCREE_OK);
    save(model, NULL, type);
    onnx_file *file = onnx_open(path);
    const double *found = onnx_run(file, x, ROWS, D, "codes");
    for (int64_t i = 0; i < ROWS * M; i++)
        EXPECT_NEAR(found[i], codes[i], 1e-5);
    found = onnx_find(file, "reconstruction", ROWS, D);
    for (int64_t i = 0; i < ROWS * D; i++)
        EXPECT_NEAR(found[i], back[i], 1e-5 * network->range[i % D] + 1e-7 * fabs(back[i]));
    onnx_close(file);
    save(model, "decode", type);
    file = onnx_open(path);
    found = onnx_run(file, codes, ROWS, M, "reconstruction");
    for (int64_t i = 0; i < ROWS * D; i++)
        EXPECT_NEAR(found[i], back[i], 1e-5 * network->range[i % D] + 1e-7 * fabs(back[i]));
    onnx_close(file);
}

static void every_kind_of_layer(void **state)
{
    (void)state;
    static const scree__activation hidden[] = {SCREE__GELU, SCREE__RELU, SCREE__TANH};
    static const scree__activation last[] = {SCREE__IDENTITY, SCREE__SIGMOID};
    static const int64_t deep[] = {D, HIDDEN, SMALL, M};
    static const int64_t flat[] = {D, M};
    for (int64_t f = 0; f < COUNT_OF(hidden); f++)
        for (int64_t o = 0; o < COUNT_OF(last); o++)
            for (int tied = 0; tied < 2; tied++) {
                const scree__shape shape = {deep, 3, hidden[f], last[o], tied, true};
                scree_model *model = made_network(&shape, 1.0 / 3, 0.7);
                assert_like_the_library(model, SCREE_F32);
                assert_like_the_library(model, SCREE_F64);
                scree_model_free(model);
            }
    const scree__shape linear = {flat, 1, SCREE__GELU, SCREE__IDENTITY, true, false};
    scree_model *model = made_network(&linear, 1e6 / 3, 0.1); /* far off: the offset takes two floats */
    assert_like_the_library(model, SCREE_F32);
    scree_model_free(model);
}

static void assert_ops(const scree_model *model, const char *part, const char *ops)
{
    save(model, part, SCREE_F32);
    onnx_file *file = onnx_open(path);
    assert_string_equal(file->ops, ops);
    assert_string_equal(onnx_said(file, "kind"), "network");
    onnx_close(file);
}

static int64_t size_of(const scree_model *model, const char *part)
{
    save(model, part, SCREE_F32);
    onnx_file *file = onnx_open(path);
    const int64_t size = file->size;
    onnx_close(file);
    return size;
}

static void tied_weights_are_stored_once(void **state)
{
    (void)state;
    static const int64_t widths[] = {D, 500, M};
    const scree__shape shape = {widths, 2, SCREE__RELU, SCREE__SIGMOID, true, true};
    scree_model *model = made_network(&shape, 0, 1);
    assert_ops(model, "encode", "Sub Div Gemm Relu Gemm");
    assert_ops(model, "decode", "Gemm Relu Gemm Sigmoid Mul Add");
    const int64_t weights = 4 * (D + M) * 500;
    assert_true(size_of(model, "both") < size_of(model, "encode") + weights / 2);
    assert_true(size_of(model, "decode") > weights);
    scree_model_free(model);
}

static void gelu_is_written_out(void **state)
{
    (void)state;
    static const int64_t widths[] = {D, HIDDEN, M};
    const scree__shape shape = {widths, 2, SCREE__GELU, SCREE__IDENTITY, false, true};
    scree_model *model = made_network(&shape, 0, 1);
    assert_ops(model, "encode", "Sub Div Gemm Mul Mul Mul Add Mul Sigmoid Mul Gemm");
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_kind_of_layer, make, folder_remove),
        cmocka_unit_test_setup_teardown(tied_weights_are_stored_once, make, folder_remove),
        cmocka_unit_test_setup_teardown(gelu_is_written_out, make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
