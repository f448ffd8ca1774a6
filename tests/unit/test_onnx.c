/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as ONNX files, read back and run by a reader that shares nothing with the writer: codes and reconstructions
 * are the library's, in float to 1e-5 of the spread of the data, also for means that are large beside it, and in double
 * to rounding; parts have the inputs and outputs that they promise; what does not fit is refused. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "made_model.h"
#include "support/calls.h"
#include "support/onnx_eval.h"
#include "temporary_folder.h"

enum { D = 7, M = 3, ROWS = 20 };

static const char *const names[] = {"a", "with \"quotes\"", "größe", "d", "e", "f", "g"};

static char path[128];

static int make(void **state)
{
    const int failed = folder_make(state);
    snprintf(path, sizeof path, "%s/m.onnx", folder);
    return failed;
}

/* Rows of the model's spread, as floats so that both readers see the same numbers. */
static void make_rows(const scree_model *model, double x[ROWS * D])
{
    const scree_model_view *view = scree_model_get(model);
    scree__normals(11, 2, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = (double)(float)(x[i] * (view->scale ? view->scale[i % D] : 1.0) + view->mean[i % D]);
}

/* Codes are in units of the scaled columns, reconstructions in those of the data. */
static void assert_like_the_library(const scree_model *model, scree_type type, double bound)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_onnx_options options = SIZED(scree_onnx_options, .part = "both", .type = type);
    double x[ROWS * D];
    double codes[ROWS * M];
    double back[ROWS * D];
    scree_error error = SCREE_ERROR_INIT;
    make_rows(model, x);
    EXPECT_OK(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, &error), error);
    EXPECT_OK(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), back, NULL, &error), error);
    EXPECT_OK(scree_model_export_onnx(model, path, &options, &error), error);
    onnx_file *file = onnx_open(path);
    assert_int_equal(file->is_double, type == SCREE_F64);
    const double *found = onnx_run(file, x, ROWS, D, "codes");
    for (int64_t i = 0; i < ROWS * M; i++)
        EXPECT_NEAR(found[i], codes[i], bound);
    found = onnx_find(file, "reconstruction", ROWS, D);
    for (int64_t i = 0; i < ROWS * D; i++) { /* the last addition rounds what comes out, whatever came before */
        const double ulp = type == SCREE_F64 ? 1e-15 : 1e-7;
        EXPECT_NEAR(found[i], back[i], bound * (view->scale ? view->scale[i % D] : 1.0) + ulp * fabs(back[i]));
    }
    onnx_close(file);
}

static void a_graph_says_what_the_library_says(void **state)
{
    (void)state;
    static const double means[] = {0.0, 1.0 / 3.0, 1e3 / 7.0, 1e6 / 3.0};
    for (int64_t i = 0; i < COUNT_OF(means); i++)
        for (int with_scale = 0; with_scale < 2; with_scale++) {
            scree_model *model = made_model(D, M, means[i], with_scale, i % 2 ? names : NULL);
            assert_like_the_library(model, SCREE_F32, 3e-6);
            assert_like_the_library(model, SCREE_F64, 1e-14 * (1 + means[i]));
            scree_model_free(model);
        }
}

/* Only a mean that float cannot hold well enough costs a node. */
static void large_means_are_split(void **state)
{
    (void)state;
    static const struct {
        double mean;
        scree_type type;
        const char *ops;
    } cases[] = {{0.5, SCREE_F32, "Sub Gemm Gemm Add"},
                 {1e5 / 3, SCREE_F32, "Sub Sub Gemm Gemm Add Add"},
                 {1e5 / 3, SCREE_F64, "Sub Gemm Gemm Add"}};
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const scree_onnx_options options = SIZED(scree_onnx_options, .part = NULL, .type = cases[i].type);
        scree_model *model = made_model(D, M, cases[i].mean, false, NULL);
        assert_int_equal(scree_model_export_onnx(model, path, &options, NULL), SCREE_OK);
        onnx_file *file = onnx_open(path);
        assert_string_equal(file->ops, cases[i].ops);
        onnx_close(file);
        scree_model_free(model);
    }
}

static void assert_part(const scree_model *model, const char *part, const char *in, const char *out, const char *ops)
{
    const scree_onnx_options options = SIZED(scree_onnx_options, .part = part, .type = SCREE_F32);
    assert_int_equal(scree_model_export_onnx(model, path, &options, NULL), SCREE_OK);
    onnx_file *file = onnx_open(path);
    assert_int_equal(file->input_count, 1);
    assert_int_equal(file->output_count, 1);
    assert_string_equal(file->inputs[0].name, in);
    assert_string_equal(file->outputs[0].name, out);
    assert_string_equal(file->ops, ops);
    onnx_close(file);
}

static void parts_are_halves(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.25, true, NULL);
    double z[2 * M];
    double back[2 * D];
    assert_part(model, "encode", "x", "codes", "Sub Div Gemm");
    assert_part(model, "decode", "codes", "reconstruction", "Gemm Mul Add");
    onnx_file *file = onnx_open(path);
    scree__normals(3, 1, 0, 2 * M, z);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(z, SCREE_F64, 2, M), back, NULL, NULL), SCREE_OK);
    const double *found = onnx_run(file, z, 2, M, "reconstruction");
    for (int64_t i = 0; i < 2 * D; i++)
        EXPECT_NEAR(found[i], back[i], 1e-5);
    onnx_close(file);
    scree_model_free(model);
}

static void a_file_says_what_it_is(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, false, names);
    assert_int_equal(scree_model_export_onnx(model, path, NULL, NULL), SCREE_OK);
    onnx_file *file = onnx_open(path);
    assert_int_equal(file->version, 7);
    assert_int_equal(file->operators, 13);
    assert_string_equal(file->producer, "scree");
    assert_string_equal(onnx_said(file, "kind"), "pca");
    assert_string_equal(onnx_said(file, "n"), "1000");
    assert_string_equal(onnx_said(file, "d"), "7");
    assert_string_equal(onnx_said(file, "m"), "3");
    assert_string_equal(onnx_said(file, "columns"),
                        "[\"a\",\"with \\\"quotes\\\"\",\"größe\",\"d\",\"e\",\"f\",\"g\"]");
    onnx_close(file);
    scree_model_free(model);
    model = made_model(D, M, 1.0, false, NULL);
    assert_int_equal(scree_model_export_onnx(model, path, NULL, NULL), SCREE_OK);
    file = onnx_open(path);
    assert_null(onnx_said(file, "columns"));
    onnx_close(file);
    scree_model_free(model);
}

static void assert_refused(const scree_model *model, scree_onnx_options options, scree_status expected,
                           const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    remove(path);
    assert_int_equal(scree_model_export_onnx(model, path, &options, &error), expected);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    assert_int_equal(folder_walk(0), 0); /* nothing is left behind */
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, true, names);
    assert_refused(model, SIZED(scree_onnx_options, .part = "middle", .type = SCREE_F32), SCREE_ERR_ARGUMENT,
                   "'middle'");
    assert_refused(model, SIZED(scree_onnx_options, .part = NULL, .type = SCREE_U8), SCREE_ERR_ARGUMENT, "f4 or f8");
    model->mean[2] = 1e39;
    assert_refused(model, SIZED(scree_onnx_options, .part = NULL, .type = SCREE_F32), SCREE_ERR_VALUE, "größe");
    assert_int_equal(
        scree_model_export_onnx(model, path, &SIZED(scree_onnx_options, .part = NULL, .type = SCREE_F64), NULL),
        SCREE_OK);
    model->mean[2] = 1;
    model->scale[3] = 1e-39;
    assert_refused(model, SIZED(scree_onnx_options, .part = NULL, .type = SCREE_F32), SCREE_ERR_VALUE, "column d");
    const int64_t d = model->view.d;
    model->view.d = INT64_C(1) << 28; /* nothing of that size is touched */
    assert_refused(model, SIZED(scree_onnx_options, .part = NULL, .type = SCREE_F64), SCREE_ERR_UNSUPPORTED,
                   "keep fewer");
    model->view.d = d;
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_graph_says_what_the_library_says, make, folder_remove),
        cmocka_unit_test_setup_teardown(large_means_are_split, make, folder_remove),
        cmocka_unit_test_setup_teardown(parts_are_halves, make, folder_remove),
        cmocka_unit_test_setup_teardown(a_file_says_what_it_is, make, folder_remove),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
