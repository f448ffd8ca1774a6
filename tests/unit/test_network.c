/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks as models: their codes and rows against the formulas written out, their files to the bit and back, files
 * that are damaged or lie, and the sentence for what only PCA can answer. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kind/network/network.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <string.h>

enum { D = 5, WIDE = 4, M = 2, ROWS = 300 };

static const char *const names[] = {"a", "b", "c", "größe", ""};

/* Random weights; what was measured is made up. */
static scree_model *made(scree__activation f, scree__activation output, bool tied)
{
    static const int64_t widths[] = {D, WIDE, M};
    const scree__shape shape = {widths, 2, f, output, tied, true};
    scree_model *model = NULL;
    assert_int_equal(scree__model_new(&model, D, M, "autoencoder", false, names, NULL), SCREE_OK);
    scree__network *network = NULL;
    assert_int_equal(scree__network_new(&network, &shape, NULL), SCREE_OK);
    scree__model_become(model, &scree__kind_network, network);
    const int64_t count = scree__network_parameters(network);
    float *values = scree__alloc(count, sizeof *values);
    double *normals = scree__alloc(count, sizeof *normals);
    assert_true(values && normals);
    scree__normals(1, 2, 0, count, normals);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)normals[i];
    scree__network_take(network, values);
    for (int64_t j = 0; j < D; j++) {
        network->offset[j] = 0.1 * (double)j;
        network->range[j] = 1.0 + (double)j / 3;
        model->mean[j] = (double)j;
        model->variances[j] = 2;
    }
    network->view = SIZED(scree_network_view, .layers = 4, .encoder_layers = 2, .widths = network->widths,
                          .activation = scree__activation_names[f], .output = scree__activation_names[output],
                          .tied = tied, .seed = UINT64_MAX - 3, .training_rows = 90, .validation_rows = 10, .epochs = 7,
                          .best_epoch = 6, .training_error = 1.0 / 3, .validation_error = 0.1 + 0.2,
                          .pca_training_error = 2, .pca_validation_error = 3, .stopped = "patience");
    network->training.validation = 0.1;
    model->view.n = 90;
    model->view.weight = 90;
    model->view.total_variance = 10;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    free(values);
    free(normals);
    return model;
}

static double apply(scree__activation f, double x)
{
    const double c = sqrt(2 / acos(-1));
    switch (f) {
    case SCREE__GELU:
        return 0.5 * x * (1 + tanh(c * (x + 0.044715 * x * x * x)));
    case SCREE__RELU:
        return x > 0 ? x : 0;
    case SCREE__TANH:
        return tanh(x);
    case SCREE__SIGMOID:
        return 1 / (1 + exp(-x));
    default:
        return x;
    }
}

/* Layers first .. last-1 of one row, in double. */
static void walk(const scree__network *network, int64_t first, int64_t last, const double *in, double *out)
{
    double h[8];
    memcpy(h, in, (size_t)network->widths[first] * sizeof *h);
    for (int64_t l = first; l < last; l++) {
        const scree__layer *layer = &network->layers[l];
        double next[8];
        for (int64_t i = 0; i < layer->out; i++) {
            double sum = (double)layer->bias[i];
            for (int64_t j = 0; j < layer->in; j++)
                sum += (double)layer->weights[i * layer->in + j] * h[j];
            next[i] = apply(layer->activation, sum);
        }
        memcpy(h, next, sizeof h);
    }
    memcpy(out, h, (size_t)network->widths[last] * sizeof *h);
}

static void expect_answers(scree__activation f, scree__activation output, bool tied)
{
    static double x[ROWS * D];
    static double codes[ROWS * M];
    static double back[ROWS * D];
    double lost = 0;
    double squares = 0;
    scree_source *source = NULL;
    scree_model *model = made(f, output, tied);
    const scree__network *network = scree__network_of(model);
    scree__normals(2, 3, 0, COUNT_OF(x), x);
    assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, ROWS, D), codes, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(model, BLOCK(codes, SCREE_F64, ROWS, M), back, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        double row[D];
        double z[M];
        double y[D];
        for (int64_t j = 0; j < D; j++)
            row[j] = (x[i * D + j] - network->offset[j]) / network->range[j];
        walk(network, 0, 2, row, z);
        walk(network, 2, 4, z, y);
        for (int64_t k = 0; k < M; k++)
            EXPECT_NEAR(codes[i * M + k], z[k], 1e-5 * (1 + fabs(z[k])));
        for (int64_t j = 0; j < D; j++) {
            const double there = y[j] * network->range[j] + network->offset[j];
            EXPECT_NEAR(back[i * D + j], there, 2e-5 * (1 + fabs(there)));
            squares += (there - x[i * D + j]) * (there - x[i * D + j]) / ROWS;
        }
    }
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS, D), NULL), SCREE_OK);
    assert_int_equal(scree_model_round_trip(model, source, NULL, &lost, NULL, NULL), SCREE_OK);
    EXPECT_NEAR(lost, squares, 1e-4 * squares);
    scree_source_free(source);
    scree_model_free(model);
}

static void answers_are_those_of_the_formulas(void **state)
{
    (void)state;
    for (int f = SCREE__GELU; f <= SCREE__TANH; f++)
        for (int way = 0; way < 4; way++)
            expect_answers((scree__activation)f, way & 1 ? SCREE__SIGMOID : SCREE__IDENTITY, way & 2);
}

/* Sums far from 0 end where the functions end, and stay numbers. */
static void activations_have_ends(void **state)
{
    (void)state;
    for (int f = SCREE__IDENTITY; f < SCREE__ACTIVATIONS; f++) {
        static const double at[] = {-1e30, -200, -20, -1e-3, 0, 1e-3, 20, 200, 1e30};
        float y[COUNT_OF(at)];
        float slope[COUNT_OF(at)];
        for (int64_t i = 0; i < COUNT_OF(at); i++)
            y[i] = (float)at[i];
        const scree__activate job = {(scree__activation)f, 1, COUNT_OF(at), COUNT_OF(at), NULL, y, slope};
        scree__activate_f32(&job);
        for (int64_t i = 0; i < COUNT_OF(at); i++) {
            const double wanted = apply((scree__activation)f, at[i]);
            assert_true(isfinite(y[i]));
            EXPECT_NEAR(y[i], wanted, 1e-6 * (1 + fabs(wanted)));
        }
    }
}

static void what_is_saved_is_loaded(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        scree_model *model = made(SCREE__GELU, SCREE__SIGMOID, way & 1);
        scree__network *network = scree__network_of(model);
        const int64_t count = scree__network_parameters(network);
        scree_model *again = NULL;
        scree_error error = SCREE_ERROR_INIT;
        static double x[4 * D];
        double one[4 * M];
        double other[4 * M];
        if (way & 2) {
            network->training.current = scree__alloc(count, sizeof(float));
            network->training.moments[0] = scree__alloc(count, sizeof(float));
            network->training.moments[1] = scree__alloc(count, sizeof(float));
            network->training.step = 41;
            network->training.seen = 12;
            network->training.before = 5;
            network->training.epochs = 9;
            network->training.batch = 8;
            network->training.patience = 3;
            network->training.rate = 0.1;
        }
        EXPECT_OK(scree_model_save(model, folder_path("n.scree"), &error), error);
        EXPECT_OK(scree_model_load(&again, folder_path("n.scree"), &error), error);
        const scree_network_view *view = scree_model_network(again);
        assert_non_null(view);
        assert_true(view->seed == network->view.seed && view->epochs == 7 && view->best_epoch == 6);
        assert_true(view->training_error == network->view.training_error);
        assert_true(view->validation_error == network->view.validation_error);
        assert_string_equal(view->stopped, "patience");
        assert_string_equal(scree_model_get(again)->columns[3], "größe");
        assert_true(scree_model_get(again)->reconstruction_error == view->training_error);
        assert_int_equal(scree__network_of(again)->training.step, way & 2 ? 41 : 0);
        assert_int_equal(scree__network_of(again)->training.before, way & 2 ? 5 : 0);
        scree__normals(2, 3, 0, COUNT_OF(x), x);
        assert_int_equal(scree_model_project_rows(model, BLOCK(x, SCREE_F64, 4, D), one, NULL, NULL), SCREE_OK);
        assert_int_equal(scree_model_project_rows(again, BLOCK(x, SCREE_F64, 4, D), other, NULL, NULL), SCREE_OK);
        assert_memory_equal(one, other, sizeof one);
        EXPECT_OK(scree_model_save(again, folder_path("m.scree"), &error), error);
        scree_model_free(model);
        scree_model_free(again);
    }
}

/* A file matters in every byte, of which some are tried, and in its length. */
static void damage_is_noticed(void **state)
{
    (void)state;
    scree_model *model = made(SCREE__RELU, SCREE__IDENTITY, false);
    static char bytes[1 << 14];
    assert_int_equal(scree_model_save(model, folder_path("n.scree"), NULL), SCREE_OK);
    FILE *file = fopen(folder_path("n.scree"), "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(size, 500, sizeof bytes - 1);
    for (size_t at = 0; at < size; at += SLOW_BUILD ? 31 : 5) {
        scree_model *none = NULL;
        bytes[at] ^= 0x21;
        assert_int_not_equal(scree_model_load(&none, file_write("d.scree", bytes, size), NULL), SCREE_OK);
        bytes[at] ^= 0x21;
        assert_int_not_equal(scree_model_load(&none, file_write("d.scree", bytes, at), NULL), SCREE_OK);
        assert_null(none);
    }
    scree_model_free(model);
}

/* A file with one text or tensor changed, and a checksum that is right. */
static void expect_lie_refused(const char *text, const char *value, const char *tensor, float first, const char *part)
{
    scree__safetensors file = {0};
    scree_model *none = NULL;
    scree_error error = SCREE_ERROR_INIT;
    static float changed[128];
    static scree__contents lie;
    memset(changed, 0, sizeof changed);
    EXPECT_OK(scree__safetensors_read(&file, folder_path("n.scree"), &error), error);
    lie = file.contents;
    lie.text_count = 0;
    for (int64_t i = 0; i < file.contents.text_count; i++) {
        scree__text kept = file.contents.texts[i];
        if (strcmp(kept.key, "checksum") == 0)
            continue;
        if (text && strcmp(kept.key, text) == 0)
            kept.value = value;
        lie.texts[lie.text_count++] = kept;
    }
    for (int64_t i = 0; i < lie.tensor_count; i++) {
        if (!tensor || strcmp(lie.tensors[i].name, tensor) != 0)
            continue;
        changed[0] = first;
        lie.tensors[i].data = changed;
    }
    EXPECT_OK(scree__safetensors_write(folder_path("l.scree"), &lie, &error), error);
    assert_int_equal(scree_model_load(&none, folder_path("l.scree"), &error), SCREE_ERR_MODEL);
    assert_null(none);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    scree__safetensors_clear(&file);
}

static void lies_are_refused(void **state)
{
    (void)state;
    scree_model *model = made(SCREE__RELU, SCREE__IDENTITY, false);
    assert_int_equal(scree_model_save(model, folder_path("n.scree"), NULL), SCREE_OK);
    expect_lie_refused("widths", "5,4,", NULL, 0, "'widths'");
    expect_lie_refused("widths", "5,4,9", NULL, 0, "'widths'");
    expect_lie_refused("widths", "5,1000000000,2", NULL, 0, "encoder.0.weight");
    expect_lie_refused("activation", "sigmoid", NULL, 0, "'activation' is 'sigmoid'");
    expect_lie_refused("activation", "linear", NULL, 0, "'activation' is 'linear'");
    expect_lie_refused("output", "relu", NULL, 0, "'output' is 'relu'");
    expect_lie_refused("tied", "perhaps", NULL, 0, "'tied' is neither");
    expect_lie_refused("best_epoch", "8", NULL, 0, "epoch 8 is the best of 7");
    expect_lie_refused("training_error", "nan", NULL, 0, "'training_error'");
    expect_lie_refused("stopped", "lunch", NULL, 0, "'stopped' is 'lunch'");
    expect_lie_refused("validation", "1", NULL, 0, "'validation'");
    expect_lie_refused(NULL, NULL, "decoder.1.weight", NAN, "entry 1 of 'decoder.1.weight' is nan");
    expect_lie_refused(NULL, NULL, "encoder.1.bias", INFINITY, "entry 1 of 'encoder.1.bias' is inf");
    expect_lie_refused(NULL, NULL, "range", 0, "of 'range'");
    scree_model_free(model);
}

/* What an interrupted training says of itself is added up when it goes on. */
static void lies_of_a_training_are_refused(void **state)
{
    (void)state;
    scree_model *model = made(SCREE__RELU, SCREE__IDENTITY, false);
    const int64_t count = scree__network_parameters(scree__network_of(model));
    scree__training *training = &scree__network_of(model)->training;
    training->current = scree__alloc(count, sizeof(float));
    training->moments[0] = scree__alloc(count, sizeof(float));
    training->moments[1] = scree__alloc(count, sizeof(float));
    training->epochs = training->batch = training->patience = 1;
    training->rate = 0.1;
    assert_int_equal(scree_model_save(model, folder_path("n.scree"), NULL), SCREE_OK);
    expect_lie_refused("training.seen", "9223372036854775807", NULL, 0, "'training.seen' is 9223372036854775807 of 90");
    expect_lie_refused("training.before", "8", NULL, 0, "'training.before' is 8 of 7 epochs");
    expect_lie_refused(NULL, NULL, "training.second", NAN, "entry 1 of 'training.second' is nan");
    scree_model_free(model);
}

static void expect_sentence(scree_status status, const scree_error *error, const char *what)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "the model is an auto-encoder; %s needs a PCA model", what);
    assert_int_equal(status, SCREE_ERR_UNSUPPORTED);
    if (strncmp(error->text, wanted, strlen(wanted)) != 0)
        fail_msg("'%s' does not begin with '%s'", error->text, wanted);
}

static void what_needs_pca_says_so(void **state)
{
    (void)state;
    double row[D] = {0};
    double out[D] = {0};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made(SCREE__GELU, SCREE__IDENTITY, false);
    scree_model *other = NULL;
    scree_scorer *scorer = NULL;
    scree_source *source = NULL;
    scree_selection *selection = NULL;
    scree_facts facts = SCREE_FACTS_INIT;
    scree_rate rate = SCREE_RATE_INIT;
    const scree_imputed filled = SIZED(scree_imputed, .filled = out, .sd = NULL);
    expect_sentence(scree_model_posterior_rows(model, BLOCK(row, SCREE_F64, 1, D), out, NULL, NULL, &error), &error,
                    "posterior");
    expect_sentence(scree_model_posterior_row(model, row, out, NULL, NULL, &error), &error, "posterior");
    expect_sentence(scree_scorer_make(&scorer, model, NULL, &error), &error, "score");
    expect_sentence(sample_of(&source, model, 5, 0, 1, &error), &error, "sample");
    expect_sentence(scree_model_impute_rows(model, BLOCK(row, SCREE_F64, 1, D), &filled, NULL, &error), &error,
                    "impute");
    expect_sentence(scree_model_contributions(model, row, out, &error), &error, "what a column contributes to Q");
    expect_sentence(scree_model_truncate(&other, model, 1, &error), &error, "keeping fewer components");
    expect_sentence(scree_model_with_noise(&other, model, 1, &error), &error, "a noise variance");
    expect_sentence(scree_selection_from_model(&selection, model, NULL, &error), &error, "select");
    expect_sentence(scree_model_facts(model, &facts, &error), &error, "the likelihood");
    expect_sentence(scree_model_rate(model, 1, &rate, &error), &error, "a rate");
    expect_sentence(scree_model_loadings(model, out, &error), &error, "loadings");
    expect_sentence(scree_model_marginal_multiply(model, row, out, &error), &error, "the covariance");
    expect_sentence(scree_model_precision_multiply(model, row, out, &error), &error, "the covariance");
    expect_sentence(scree_model_marginal_dense(model, out, &error), &error, "the covariance");
    expect_sentence(scree_model_precision_dense(model, out, &error), &error, "the covariance");
    expect_sentence(scree_model_joint_dense(model, out, &error), &error, "the covariance");
    expect_sentence(scree_model_posterior_covariance(model, out, NULL, &error), &error, "posterior");
    row[2] = NAN;
    assert_int_equal(scree_model_project_rows(model, BLOCK(row, SCREE_F64, 1, D), out, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "column 'c' is missing; a network needs whole rows"));
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_formulas),
        cmocka_unit_test(activations_have_ends),
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(lies_are_refused),
        cmocka_unit_test(lies_of_a_training_are_refused),
        cmocka_unit_test(what_needs_pca_says_so),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
