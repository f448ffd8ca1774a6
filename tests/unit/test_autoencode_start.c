/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a training starts, and what it chooses by itself: networks that have the room start as PCA, sigmoids at the
 * mean; constant columns come back and weigh little; with nothing chosen, networks for few rows are no worse than PCA;
 * and the memory that is planned is all that is taken. */

#include "support/checks.h"

#include "base/random.h"
#include "kind/network/autoencode.h"
#include "support/calls.h"

#include <string.h>

enum { N = 200, D = 8 };

static double rows[N * D];
static const int64_t hidden[] = {20, 9};

/* Points on a bent sheet, with noise; column 5 is constant. */
static int make(void **state)
{
    static double at[2 * N];
    (void)state;
    scree__normals(3, 9, 0, COUNT_OF(rows), rows);
    scree__normals(4, 9, 0, COUNT_OF(at), at);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            rows[i * D + j] = 1e-3 * (3 * sin(at[i] + (double)j) + (double)j * at[N + i] + 0.1 * rows[i * D + j]);
    for (int64_t i = 0; i < N; i++)
        rows[i * D + 5] = 7;
    return 0;
}

static scree_autoencode_options usual(void)
{
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    options.code = 2;
    options.hidden = hidden;
    options.hidden_count = COUNT_OF(hidden);
    options.seed = 5;
    return options;
}

static scree_model *train(const scree_autoencode_options *options)
{
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, N, D), NULL), SCREE_OK);
    EXPECT_OK(scree_model_autoencode(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

/* Steps that change nothing show the start. */
static scree_model *start(scree_autoencode_options options)
{
    options.epochs = 1;
    options.rate = 1e-12;
    return train(&options);
}

static void networks_start_as_pca(void **state)
{
    (void)state;
    static const char *const activations[] = {"gelu", "relu"};
    for (int way = 0; way < 8; way++) {
        scree_autoencode_options options = usual();
        options.activation = activations[way & 1];
        options.tied = (way & 2) != 0;
        options.hidden_count = way & 4 ? 1 : 2;
        scree_model *model = start(options);
        const scree_network_view *view = &scree__network_of(model)->view;
        EXPECT_NEAR(view->training_error, view->pca_training_error, 1e-4 * view->pca_training_error);
        EXPECT_NEAR(view->validation_error, view->pca_validation_error, 1e-4 * view->pca_validation_error);
        scree_model_free(model);
    }
}

/* Three units cannot carry two components and their negatives: such a network is random, and far from PCA. */
static void narrow_networks_start_anywhere(void **state)
{
    (void)state;
    static const int64_t narrow[] = {3};
    scree_autoencode_options options = usual();
    options.hidden = narrow;
    options.hidden_count = 1;
    scree_model *model = start(options);
    const scree_network_view *view = &scree__network_of(model)->view;
    assert_true(view->training_error > 1.5 * view->pca_training_error);
    scree_model_free(model);
}

static void sigmoids_start_at_the_mean(void **state)
{
    (void)state;
    scree_autoencode_options options = usual();
    options.output = "sigmoid";
    scree_model *model = start(options);
    const scree__network *network = scree__network_of(model);
    const scree__layer *last = &network->layers[network->count - 1];
    for (int64_t j = 0; j < D; j++) {
        const double there = 1 / (1 + exp(-(double)last->bias[j])) * network->range[j] + network->offset[j];
        EXPECT_NEAR(there, model->mean[j], 1e-5 * network->range[j]);
    }
    scree_model_free(model);
}

/* A column that never varies is 7 among thousandths: its range is as theirs, and it decides nothing. */
static void constant_columns_weigh_little(void **state)
{
    (void)state;
    scree_autoencode_options options = usual();
    options.output = "sigmoid";
    options.epochs = 60;
    scree_model *model = train(&options);
    const scree_network_view *view = &scree__network_of(model)->view;
    double widest = 0;
    for (int64_t j = 0; j < D; j++)
        widest = j != 5 && scree__network_of(model)->range[j] > widest ? scree__network_of(model)->range[j] : widest;
    assert_true(scree__network_of(model)->range[5] <= widest);
    assert_true(view->training_error < model->view.total_variance);
    scree_model_free(model);
}

static void few_rows_are_enough(void **state)
{
    (void)state;
    static const char *const outputs[] = {"linear", "sigmoid"};
    for (int way = 0; way < 2; way++) {
        scree_autoencode_options options = usual();
        options.output = outputs[way];
        scree_model *model = train(&options);
        const scree_network_view *view = &scree__network_of(model)->view;
        assert_true(view->validation_error < view->pca_validation_error);
        scree_model_free(model);
    }
}

static void expect_settled(int64_t count, int64_t batch, int64_t epochs)
{
    scree_autoencode_options options = usual();
    scree__autoencode_settle_rows(&options, count);
    assert_int_equal(options.batch, batch);
    assert_int_equal(options.epochs, epochs);
    assert_int_equal(options.patience, (epochs + 4) / 5);
}

static void rows_decide_batches_and_epochs(void **state)
{
    (void)state;
    expect_settled(2, 16, 1000);
    expect_settled(135, 16, 400);
    expect_settled(800, 25, 100);
    expect_settled(9000, 256, 100);
    expect_settled(54000, 256, 100);
    scree_autoencode_options options = usual();
    options.batch = 50;
    options.epochs = 7;
    options.patience = 3;
    scree__autoencode_settle_rows(&options, 1000);
    assert_true(options.batch == 50 && options.epochs == 7 && options.patience == 3);
}

static double rate_for(int64_t width)
{
    scree_source *source = NULL;
    scree_autoencode_options options = usual();
    options.hidden = &width;
    options.hidden_count = 1;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, N, D), NULL), SCREE_OK);
    assert_int_equal(scree__autoencode_settle(&options, source, NULL), SCREE_OK);
    scree_source_free(source);
    return options.rate;
}

static void widths_decide_the_rate(void **state)
{
    (void)state;
    EXPECT_NEAR(rate_for(2000), 1e-3, 0);
    EXPECT_NEAR(rate_for(1000), 1e-3, 0);
    EXPECT_NEAR(rate_for(250), 2e-3, 1e-15);
    EXPECT_NEAR(rate_for(4), 5e-3, 0);
}

/* What L-BFGS remembers is planned for: 28 doubles and 6 floats a weight, and the batch. */
static void linear_ones_are_planned_whole(void **state)
{
    (void)state;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    options.code = D;
    options.linear = true;
    options.run = &run_plain;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, N, D), NULL), SCREE_OK);
    const int64_t weights = (int64_t)D * D;
    const int64_t batch = N * (3 * (D + D) + D + 2) * (int64_t)sizeof(float);
    const int64_t room = batch + weights * (28 * 8 + 7 * 4);
    assert_int_equal(scree__autoencode_within(&model, source, &options, room - 1, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "more than half of the memory"));
    EXPECT_OK(scree__autoencode_within(&model, source, &options, room, &error), error);
    scree_model_free(model);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_start_as_pca),      cmocka_unit_test(narrow_networks_start_anywhere),
        cmocka_unit_test(sigmoids_start_at_the_mean), cmocka_unit_test(constant_columns_weigh_little),
        cmocka_unit_test(few_rows_are_enough),        cmocka_unit_test(rows_decide_batches_and_epochs),
        cmocka_unit_test(widths_decide_the_rate),     cmocka_unit_test(linear_ones_are_planned_whole),
    };
    return cmocka_run_group_tests(tests, make, NULL);
}
