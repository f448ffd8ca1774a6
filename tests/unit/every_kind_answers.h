/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_EVERY_KIND_ANSWERS_H
#define SCREE_TESTS_EVERY_KIND_ANSWERS_H

/* What every kind is asked: what it is, its file, its codes and rows. Each function asks one, checks what it answers,
 * and returns its status. */

#include "every_kind.h"
#include "temporary_folder.h"

static scree_status ask_get(fixture *f, scree_error *error)
{
    (void)error;
    const scree_model_view *view = scree_model_get(f->model);
    assert_true(view->d == D && view->m == M && view->n > 0);
    assert_string_equal(view->kind, f->model->kind->name);
    return SCREE_OK;
}

static scree_status ask_can(fixture *f, scree_error *error)
{
    (void)error;
    const bool pca = f->density != NULL;
    assert_true(scree_model_can(f->model, SCREE_CAN_PROJECT) && scree_model_can(f->model, SCREE_CAN_RECONSTRUCT) &&
                scree_model_can(f->model, SCREE_CAN_EXPORT));
    assert_true(scree_model_can(f->model, SCREE_CAN_ORDER) == (pca && !f->rotated));
    assert_true(scree_model_can(f->model, SCREE_CAN_EXPLAIN) == pca);
    assert_true(scree_model_can(f->model, SCREE_CAN_DENSITY) == pca);
    assert_false(scree_model_can(f->model, (scree_ability)99));
    return SCREE_OK;
}

static scree_status ask_fact(fixture *f, scree_error *error)
{
    (void)error;
    int64_t count = 0;
    for (const scree_fact *fact = NULL; (fact = scree_model_fact(f->model, count)) != NULL; count++) {
        assert_true(fact->size == sizeof *fact && *fact->name && *fact->title && *fact->text);
        if (!fact->json && !isnan(fact->number))
            EXPECT_NEAR(fact->number, strtod(fact->text, NULL), 1e-5 * fabs(fact->number));
    }
    assert_int_equal(count, f->rotated ? 5 : f->density ? 0 : 16);
    assert_null(scree_model_fact(f->model, -1));
    assert_null(scree_model_fact(f->model, count + 1));
    if (!f->density) {
        assert_string_equal(scree_model_fact(f->model, 0)->text, "6-2-6");
        assert_string_equal(scree_model_fact(f->model, 0)->json, "[6,2,6]");
        assert_true(scree_model_fact(f->model, 4)->number == 2.0 * D * M);
    }
    return SCREE_OK;
}

static scree_status ask_network(fixture *f, scree_error *error)
{
    (void)error;
    assert_true((scree_model_network(f->model) == NULL) == (f->density != NULL));
    return SCREE_OK;
}

static scree_status ask_truncate(fixture *f, scree_error *error)
{
    scree_model *shorter = NULL;
    const scree_status status = scree_model_truncate(&shorter, f->model, 1, error);
    if (status == SCREE_OK)
        assert_memory_equal(scree_model_get(shorter)->components, scree_model_get(f->model)->components,
                            D * sizeof(double));
    scree_model_free(shorter);
    return status;
}

static scree_status ask_distribution(fixture *f, scree_error *error)
{
    (void)error;
    assert_ptr_equal(scree_model_distribution(f->model), f->model); /* all of its components are latent */
    return SCREE_OK;
}

static scree_status ask_with_latent(fixture *f, scree_error *error)
{
    scree_model *other = NULL;
    const scree_status status = scree_model_with_latent(&other, f->model, 1, error);
    if (status == SCREE_OK)
        assert_int_equal(scree_model_get(scree_model_distribution(other))->m, 1);
    scree_model_free(other);
    return status;
}

static scree_status ask_sampling(fixture *f, scree_error *error)
{
    scree_sampling s = SCREE_SAMPLING_INIT;
    const scree_status status = scree_model_sampling(f->model, 0, &s, error);
    if (status == SCREE_OK)
        assert_true(s.noise || (s.low > 0 && s.low < s.high && s.angle_limit > 0));
    return status;
}

static scree_status ask_bootstrap(fixture *f, scree_error *error)
{
    (void)error;
    assert_null(scree_model_bootstrap(f->model));
    return SCREE_OK;
}

static scree_status ask_imputer(fixture *f, scree_error *error)
{
    (void)error;
    assert_null(scree_model_imputer(f->model));
    return SCREE_OK;
}

static scree_status ask_relations(fixture *f, scree_error *error)
{
    char text[8] = "before";
    (void)error;
    assert_null(scree_model_relations(f->model));
    scree_model_relation_text(f->model, 0, text, sizeof text);
    assert_string_equal(text, "");
    return SCREE_OK;
}

/* The same answers to the bit, and the same bytes when it is saved again. */
static void expect_same(fixture *f, const scree_model *again)
{
    double one[N * M];
    double other[N * M];
    assert_int_equal(scree_model_project_rows(f->model, BLOCK(f->x, SCREE_F64, N, D), one, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(again, BLOCK(f->x, SCREE_F64, N, D), other, NULL, NULL), SCREE_OK);
    assert_memory_equal(one, other, sizeof one);
    assert_string_equal(scree_model_get(again)->kind, scree_model_get(f->model)->kind);
    assert_true(scree_model_get(again)->noise_variance == scree_model_get(f->model)->noise_variance);
}

/* What was never trained has no file; say that it was. */
static void settle_training(fixture *f)
{
    if (scree_model_network(f->model)) {
        scree__network *network = scree__network_of(f->model);
        network->view.training_rows = N;
        network->view.epochs = network->view.best_epoch = 1;
    }
}

static scree_status ask_save(fixture *f, scree_error *error)
{
    scree_model *again = NULL;
    void *bytes = NULL;
    size_t size = 0;
    size_t file_size = 0;
    settle_training(f);
    const scree_status status = scree_model_save(f->model, folder_path("m.scree"), error);
    assert_int_equal(scree_model_load(&again, folder_path("m.scree"), error), SCREE_OK);
    expect_same(f, again);
    assert_int_equal(scree_model_save_buffer(&bytes, &size, again, error), SCREE_OK);
    unsigned char *file = file_read(folder_path("m.scree"), &file_size);
    assert_true(size == file_size && memcmp(file, bytes, size) == 0);
    free(file);
    scree_model_free(again);
    again = NULL;
    assert_int_equal(scree_model_load_buffer(&again, bytes, size, error), SCREE_OK);
    expect_same(f, again);
    scree_buffer_free(bytes);
    scree_model_free(again);
    return status;
}

static scree_status ask_from_arrays(fixture *f, scree_error *error)
{
    scree_model *again = NULL;
    const scree_status status = scree_model_from_arrays(&again, scree_model_get(f->model), error);
    if (status == SCREE_OK)
        expect_same(f, again);
    scree_model_free(again);
    return status;
}

static scree_status ask_export(fixture *f, scree_error *error)
{
    const scree_status status = scree_model_export_onnx(f->model, folder_path("m.onnx"), NULL, error);
    size_t size = 0;
    free(file_read(folder_path("m.onnx"), &size)); /* what is in it, test_onnx and test_onnx_network run */
    assert_true(size > 100);
    return status;
}

static scree_status ask_project_rows(fixture *f, scree_error *error)
{
    double codes[N * M];
    const scree_status status = scree_model_project_rows(f->model, BLOCK(f->x, SCREE_F64, N, D), codes, NULL, error);
    if (status == SCREE_OK)
        expect_near_all(codes, f->codes, N * M, f->tolerance);
    return status;
}

static scree_status ask_reconstruct_rows(fixture *f, scree_error *error)
{
    double back[N * D];
    const scree_status status =
        scree_model_reconstruct_rows(f->model, BLOCK(f->codes, SCREE_F64, N, M), back, NULL, error);
    if (status == SCREE_OK)
        expect_near_all(back, f->back, N * D, f->tolerance);
    return status;
}

/* From source to sink, of which cols numbers a row come back. */
typedef scree_status (*streamer)(const scree_model *model, scree_source *source, scree_sink *sink, const scree_run *run,
                                 scree_error *error);

static scree_status stream(streamer call, const fixture *f, const scree_block *block, double *out, int64_t cols,
                           scree_error *error)
{
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    assert_int_equal(scree_source_from_memory(&source, block, NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, out, N, cols, NULL), SCREE_OK);
    const scree_status status = call(f->model, source, sink, NULL, error);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static scree_status ask_project(fixture *f, scree_error *error)
{
    double codes[N * M];
    const scree_status status = stream(scree_model_project, f, BLOCK(f->x, SCREE_F64, N, D), codes, M, error);
    if (status == SCREE_OK)
        expect_near_all(codes, f->codes, N * M, f->tolerance);
    return status;
}

static scree_status ask_reconstruct(fixture *f, scree_error *error)
{
    double back[N * D];
    const scree_status status = stream(scree_model_reconstruct, f, BLOCK(f->codes, SCREE_F64, N, M), back, D, error);
    if (status == SCREE_OK)
        expect_near_all(back, f->back, N * D, f->tolerance);
    return status;
}

/* Of whitened codes and back: the rows of the codes. */
static scree_status ask_whiten(fixture *f, scree_error *error)
{
    double codes[N * M];
    double back[N * D];
    scree_source *source = rows_of_fixture(f);
    scree_source *white = NULL;
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, codes, N, M, NULL), SCREE_OK);
    scree_status status = scree_model_whiten(f->model, source, sink, NULL, error);
    scree_sink_free(sink);
    scree_source_free(source);
    if (status != SCREE_OK)
        return status;
    for (int64_t i = 0; i < N * M; i++)
        assert_true(fabs(codes[i] - f->codes[i] / sqrt(scree_model_get(f->model)->eigenvalues[i % M])) <= 1e-9);
    assert_int_equal(scree_source_from_memory(&white, BLOCK(codes, SCREE_F64, N, M), NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, back, N, D, NULL), SCREE_OK);
    status = scree_model_unwhiten(f->model, white, sink, NULL, error);
    scree_sink_free(sink);
    scree_source_free(white);
    if (status == SCREE_OK)
        expect_near_all(back, f->back, N * D, fmax(f->tolerance, 1e-9));
    return status;
}

static scree_status ask_unwhiten(fixture *f, scree_error *error)
{
    double back[N * D];
    scree_source *codes = NULL;
    scree_sink *sink = NULL;
    assert_int_equal(scree_source_from_memory(&codes, BLOCK(f->codes, SCREE_F64, N, M), NULL), SCREE_OK);
    assert_int_equal(scree_sink_to_memory(&sink, back, N, D, NULL), SCREE_OK);
    const scree_status status = scree_model_unwhiten(f->model, codes, sink, NULL, error);
    scree_sink_free(sink);
    scree_source_free(codes);
    return status;
}

static scree_status ask_round_trip(fixture *f, scree_error *error)
{
    double mean = NAN;
    double wanted = 0;
    scree_source *source = rows_of_fixture(f);
    const scree_status status = scree_model_round_trip(f->model, source, NULL, &mean, NULL, error);
    for (int64_t i = 0; i < N * D; i++)
        wanted += (f->x[i] - f->back[i]) * (f->x[i] - f->back[i]) / N;
    if (status == SCREE_OK)
        EXPECT_NEAR(mean, wanted, f->tolerance * (1 + wanted));
    scree_source_free(source);
    return status;
}

#endif
