/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of model that only this file knows enters by a line of the table, which the program brings in place of the
 * library's: it is fitted, answers, is saved and loaded, and refuses by its own words. It is PCA whose components are
 * rotated among each other, rows of R U with R = [c, -s; s, c]: another code, and the same reconstruction. */

#include "support/checks.h"

#include "kind/network/network.h"
#include "kind/pca/pca.h"
#include "support/calls.h"
#include "support/rotated.h"
#include "support/rows.h"
#include "temporary_folder.h"

#include <string.h>

enum { D = 5, M = 2, N = 60 };

static const double COSINE = ROTATED_COSINE;
static const double SINE = ROTATED_SINE;

static const scree__kind stranger = {
    .name = "stranger", .noun = "a stranger", .advice = "a friend", .save = scree__pca_save, .code_prefix = "s"};

/* The line of the table. */
const scree__kind *const scree__kinds[] = {&scree__kind_pca, &scree__kind_network, &support_rotated, NULL};

static double x[N * D];

static scree_model *fit(const char *kind)
{
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const scree_fit_options options = SIZED(scree_fit_options, .components = M, .kind = kind);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = (double)(1 + i % D) * rows_random(5, i / D, i % D);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static void the_table_names_it(void **state)
{
    (void)state;
    assert_string_equal(scree_table_name(SCREE_TABLE_KINDS, 2), "rotated");
    assert_string_equal(scree_table_text(SCREE_TABLE_KINDS, 2), support_rotated.text);
    assert_null(scree_table_name(SCREE_TABLE_KINDS, 3));
    assert_null(scree_table_text(SCREE_TABLE_KINDS, 3));
}

static void it_answers(void **state)
{
    (void)state;
    scree_model *pca = fit(NULL);
    scree_model *model = fit("rotated");
    double straight[N * M];
    double codes[N * M];
    double one[N * D];
    double other[N * D];
    assert_string_equal(scree_model_get(pca)->kind, "pca");
    assert_string_equal(scree_model_get(model)->kind, "rotated");
    assert_int_equal(scree_model_project_rows(pca, BLOCK(x, SCREE_F64, N, D), straight, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, N, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(pca, BLOCK(straight, SCREE_F64, N, M), one, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, N, M), other, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < N; i++)
        EXPECT_NEAR(codes[i * M], COSINE * straight[i * M] - SINE * straight[i * M + 1], 1e-12);
    for (int64_t i = 0; i < N * D; i++)
        EXPECT_NEAR(other[i], one[i], 1e-12);
    assert_string_equal(scree_model_fact(model, 0)->name, "angle");
    assert_null(scree_model_fact(model, 1));
    scree_model_free(pca);
    scree_model_free(model);
}

static void its_codes_have_its_names(void **state)
{
    (void)state;
    scree_model *model = fit("rotated");
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_error error = SCREE_ERROR_INIT;
    size_t size = 0;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), NULL), SCREE_OK);
    assert_int_equal(scree_sink_open(&sink, folder_path("codes.csv"), NULL, NULL), SCREE_OK);
    EXPECT_OK(scree_model_project(model, source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    char *text = (char *)file_read(folder_path("codes.csv"), &size);
    assert_memory_equal(text, "rc1,rc2\n", 8);
    free(text);
    scree_sink_free(sink);
    scree_source_free(source);
    scree_model_free(model);
}

static void it_is_saved_and_loaded(void **state)
{
    (void)state;
    scree_model *model = fit("rotated");
    scree_model *again = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_save(model, folder_path("r.scree"), &error), error);
    EXPECT_OK(scree_model_load(&again, folder_path("r.scree"), &error), error);
    assert_string_equal(scree_model_get(again)->kind, "rotated");
    assert_memory_equal(scree_model_get(again)->components, scree_model_get(model)->components, M * D * sizeof(double));
    assert_true(scree_model_get(again)->reconstruction_error == scree_model_get(model)->reconstruction_error);
    scree_model_free(model);
    scree_model_free(again);
}

static void it_refuses_by_its_own_words(void **state)
{
    (void)state;
    scree_model *model = fit("rotated");
    scree_model *other = NULL;
    scree_scorer *scorer = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_false(scree_model_can(model, SCREE_CAN_ORDER) || scree_model_can(model, SCREE_CAN_DENSITY) ||
                 scree_model_can(model, SCREE_CAN_EXPORT));
    assert_int_equal(scree_scorer_make(&scorer, model, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_string_equal(error.text,
                        "the model is a rotated model; score needs components in order, make them with 'scree fit'");
    assert_int_equal(scree_model_truncate(&other, model, 1, &error), SCREE_ERR_UNSUPPORTED);
    assert_int_equal(scree_model_export_onnx(model, folder_path("r.onnx"), NULL, &error), SCREE_ERR_UNSUPPORTED);
    scree_model_free(model);
}

static void what_is_not_in_the_table_is_refused(void **state)
{
    (void)state;
    scree_model *model = fit(NULL);
    scree_model *again = NULL;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const scree_fit_options options = SIZED(scree_fit_options, .components = M, .kind = "stranger");
    scree__model_become(model, &stranger, NULL);
    EXPECT_OK(scree_model_save(model, folder_path("s.scree"), &error), error);
    assert_int_equal(scree_model_load(&again, folder_path("s.scree"), &error), SCREE_ERR_MODEL);
    assert_non_null(strstr(error.text, "a model of the kind 'stranger' is not known to this scree, which knows pca, "
                                       "network and rotated; update scree"));
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), NULL), SCREE_OK);
    assert_int_equal(scree_model_fit(&again, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "there is no kind of model 'stranger'; there are pca, network and rotated");
    assert_null(again);
    scree_source_free(source);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_names_it),          cmocka_unit_test(it_answers),
        cmocka_unit_test(its_codes_have_its_names),    cmocka_unit_test(it_is_saved_and_loaded),
        cmocka_unit_test(it_refuses_by_its_own_words), cmocka_unit_test(what_is_not_in_the_table_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
