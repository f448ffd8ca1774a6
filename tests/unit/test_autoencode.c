/* SPDX-License-Identifier: BSD-3-Clause */
/* Training: the same bits for any threads and blocks, from memory and from a source that is read again; an interrupted
 * training that goes on ends as if it had not been; errors are what they say; and what cannot be is refused. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kind/network/autoencode.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <string.h>

enum { N = 600, D = 6 };

/* Rows that must be read again and again, for they do not fit into this many bytes. */
enum { MANY = 6000, ROOM = 150000 };

static double rows[MANY * D];
static const int64_t hidden[] = {12, 7};

/* Points on a curve, with a little noise. */
static int make(void **state)
{
    static double place[MANY];
    scree__normals(3, 9, 0, MANY * D, rows);
    scree__normals(4, 9, 0, MANY, place);
    for (int64_t i = 0; i < MANY; i++)
        for (int64_t j = 0; j < D; j++)
            rows[i * D + j] = 10 * sin(place[i] + (double)j) + 50 + 0.1 * rows[i * D + j];
    return folder_make(state);
}

static scree_source *open_rows(int64_t count)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, count, D), NULL), SCREE_OK);
    return source;
}

static scree_autoencode_options usual(void)
{
    scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
    options.code = 2;
    options.hidden = hidden;
    options.hidden_count = 2;
    options.epochs = 6;
    options.batch = 64;
    options.rate = 0.01;
    options.seed = 11;
    return options;
}

static scree_model *train_within(const scree_autoencode_options *options, int64_t count, int64_t room)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = open_rows(count);
    scree_autoencode_options resolved = *options;
    resolved.run = options->run ? options->run : &run_plain;
    EXPECT_OK(scree__autoencode_within(&model, source, &resolved, room, &error), error);
    scree_source_free(source);
    return model;
}

static scree_model *train(const scree_autoencode_options *options)
{
    return train_within(options, N, INT64_C(1) << 30);
}

/* Few rows, which are kept, or many, which are not. */
static scree_model *train_either(const scree_autoencode_options *options, bool read_again)
{
    return read_again ? train_within(options, MANY, ROOM) : train(options);
}

static float *parameters_of(const scree_model *model)
{
    float *values = scree__alloc(scree__network_parameters(scree__network_of(model)), sizeof *values);
    assert_non_null(values);
    scree__network_give(scree__network_of(model), values);
    return values;
}

/* Weights and what was measured, to the bit. */
static void expect_same(const scree_model *a, const scree_model *b)
{
    const scree_network_view *x = &scree__network_of(a)->view;
    const scree_network_view *y = &scree__network_of(b)->view;
    float *of_a = parameters_of(a);
    float *of_b = parameters_of(b);
    assert_int_equal(scree__network_parameters(scree__network_of(a)), scree__network_parameters(scree__network_of(b)));
    assert_memory_equal(of_a, of_b, (size_t)scree__network_parameters(scree__network_of(a)) * sizeof *of_a);
    assert_memory_equal(&x->training_error, &y->training_error, sizeof x->training_error);
    assert_memory_equal(&x->validation_error, &y->validation_error, sizeof x->validation_error);
    assert_int_equal(x->epochs, y->epochs);
    assert_int_equal(x->best_epoch, y->best_epoch);
    assert_string_equal(x->stopped, y->stopped);
    free(of_a);
    free(of_b);
}

static void threads_and_blocks_change_nothing(void **state)
{
    (void)state;
    for (int linear = 0; linear < 2; linear++) {
        for (int read_again = 0; read_again < 2; read_again++) {
            scree_run run = SCREE_RUN_INIT;
            scree_autoencode_options options = usual();
            options.linear = linear;
            options.hidden_count = linear ? 0 : 2;
            options.batch = read_again ? 128 : 64;
            options.epochs = read_again ? 2 : 6;
            options.run = &run;
            run.threads = 1;
            scree_model *one = train_either(&options, read_again);
            run.threads = 3;
            run.block_rows = 37;
            scree_model *three = train_either(&options, read_again);
            expect_same(one, three);
            scree_model_free(one);
            scree_model_free(three);
        }
    }
}

/* Rows that wait their turn in a reservoir are all seen, once an epoch: shuffling loses none. */
static scree_status count_rows(void *context, int64_t count, scree_error *error)
{
    double *sums = context;
    (void)error;
    sums[0] += (double)count;
    return SCREE_OK;
}

static void every_row_is_seen(void **state)
{
    (void)state;
    for (int read_again = 0; read_again < 2; read_again++) {
        scree__feed feed;
        scree_error error = SCREE_ERROR_INIT;
        scree_autoencode_options options = usual();
        scree_source *source = open_rows(N);
        static const double nothing[D];
        float into[N * D];
        double sums[1] = {0};
        double in_order = 0;
        double shuffled = 0;
        options.validation = 0.25;
        options.run = &run_plain;
        EXPECT_OK(scree__feed_open(&feed, source, &options, read_again ? 10000 : 1 << 20, &error), error);
        assert_true((feed.raw == NULL) == (read_again == 1));
        assert_int_equal(feed.part_rows[0] + feed.part_rows[1], N);
        assert_in_range(feed.part_rows[1], N / 8, N / 2);
        feed.offset = nothing;
        for (int64_t j = 0; j < D; j++)
            feed.factor[j] = 1;
        scree__batches batches = {.into = into, .batch = N, .visit = count_rows, .context = sums};
        EXPECT_OK(scree__feed_in_order(&feed, SCREE__TRAINING, &batches, &error), error);
        for (int64_t i = 0; i < feed.part_rows[0] * D; i++)
            in_order += (double)into[i] * into[i];
        batches.batch = feed.part_rows[0];
        EXPECT_OK(scree__feed_shuffled(&feed, &batches, &error), error);
        for (int64_t i = 0; i < feed.part_rows[0] * D; i++)
            shuffled += (double)into[i] * into[i];
        EXPECT_NEAR(sums[0], 2.0 * (double)feed.part_rows[0], 0);
        EXPECT_NEAR(shuffled, in_order, 1e-9 * in_order);
        scree__feed_close(&feed);
        scree_source_free(source);
    }
}

/* Cancels at a given call. */
static int stop_after(void *context, const scree_progress *progress)
{
    int *left = context;
    return strcmp(progress->stage, "autoencode") == 0 && (*left)-- <= 0;
}

static void an_interruption_changes_nothing(void **state)
{
    (void)state;
    for (int read_again = 0; read_again < 2; read_again++) {
        scree_run run = SCREE_RUN_INIT;
        scree_autoencode_options options = usual();
        scree_error error = SCREE_ERROR_INIT;
        options.run = &run;
        options.batch = read_again ? 128 : 64;
        options.epochs = 8;
        options.patience = 8;
        scree_model *whole = train_either(&options, read_again);
        for (int calls = read_again ? 60 : 11; calls < (read_again ? 150 : 60);
             calls += read_again ? 41 : 17) { /* within an epoch, at its end */
            int left = calls;
            scree_model *loaded = NULL;
            run.progress = stop_after;
            run.progress_context = &left;
            scree_model *part = train_either(&options, read_again);
            assert_string_equal(scree__network_of(part)->view.stopped, "cancelled");
            EXPECT_OK(scree_model_save(part, folder_path("part.scree"), &error), error);
            EXPECT_OK(scree_model_load(&loaded, folder_path("part.scree"), &error), error);
            scree_autoencode_options on = SCREE_AUTOENCODE_OPTIONS_INIT; /* all that counts is in the file */
            on.resume = loaded;
            scree_model *rest = train_either(&on, read_again);
            expect_same(whole, rest);
            assert_null(scree__network_of(rest)->training.current);
            scree_model_free(part);
            scree_model_free(loaded);
            scree_model_free(rest);
        }
        scree_model_free(whole);
    }
}

/* An epoch that is one batch long is always at its end when a signal comes. */
static void an_epoch_of_one_batch_is_interrupted(void **state)
{
    (void)state;
    int left = 3;
    scree_run run = SCREE_RUN_INIT;
    scree_autoencode_options options = usual();
    options.run = &run;
    options.batch = N;
    options.epochs = 9;
    options.patience = 9;
    scree_model *whole = train(&options);
    run.progress = stop_after;
    run.progress_context = &left;
    scree_model *part = train(&options);
    assert_string_equal(scree__network_of(part)->view.stopped, "cancelled");
    assert_true(scree__network_of(part)->view.epochs < 9);
    scree_autoencode_options on = SCREE_AUTOENCODE_OPTIONS_INIT;
    on.resume = part;
    scree_model *rest = train(&on);
    expect_same(whole, rest);
    scree_model_free(whole);
    scree_model_free(part);
    scree_model_free(rest);
}

static void nothing_is_saved_of_nothing(void **state)
{
    (void)state;
    int left = 3;
    scree_model *model = NULL;
    scree_source *source = open_rows(N);
    scree_run run = SCREE_RUN_INIT;
    scree_autoencode_options options = usual();
    options.run = &run;
    run.progress = stop_after;
    run.progress_context = &left;
    assert_int_equal(scree_model_autoencode(&model, source, &options, NULL), SCREE_ERR_CANCELLED);
    assert_null(model);
    scree_source_free(source);
}

/* A finished network is trained further: from its weights, with new options. */
static void a_finished_network_goes_on(void **state)
{
    (void)state;
    scree_autoencode_options options = usual();
    scree_model *first = train(&options);
    options.epochs = 20;
    options.patience = 20;
    options.resume = first;
    scree_model *second = train(&options);
    assert_int_equal(scree__network_of(second)->view.epochs, 26);
    assert_true(scree__network_of(second)->view.training_error < scree__network_of(first)->view.training_error);
    scree_model_free(first);
    scree_model_free(second);
}

/* What made it worse is not kept, however it was asked for; and epochs are counted on through an interruption. */
static void going_on_never_loses(void **state)
{
    (void)state;
    int left = 25;
    scree_model *loaded = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_autoencode_options options = usual();
    options.epochs = 30;
    scree_model *first = train(&options);
    const scree_network_view *before = &scree__network_of(first)->view;
    options.epochs = 4;
    options.patience = 2; /* which begins with what is better */
    options.rate = 0.9;
    options.resume = first;
    scree_model *second = train(&options);
    const scree_network_view *after = &scree__network_of(second)->view;
    assert_int_equal(after->epochs, before->epochs + 4);
    assert_int_equal(after->best_epoch, before->best_epoch);
    assert_memory_equal(&after->validation_error, &before->validation_error, sizeof after->validation_error);
    options.run = &run;
    run.progress = stop_after;
    run.progress_context = &left;
    scree_model *part = train(&options);
    assert_string_equal(scree__network_of(part)->view.stopped, "cancelled");
    EXPECT_OK(scree_model_save(part, folder_path("part.scree"), &error), error);
    EXPECT_OK(scree_model_load(&loaded, folder_path("part.scree"), &error), error);
    run.progress = NULL;
    options.resume = loaded;
    scree_model *rest = train(&options);
    expect_same(second, rest);
    scree_model_free(first);
    scree_model_free(second);
    scree_model_free(part);
    scree_model_free(loaded);
    scree_model_free(rest);
}

static void expect_refused(const scree_autoencode_options *options, scree_status status, const char *part)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = open_rows(N);
    assert_int_equal(scree_model_autoencode(&model, source, options, &error), status);
    assert_null(model);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    scree_source_free(source);
}

/* The last update may be the one that is too much, or a row kept apart too far out for a float: then there is no
 * network to save, and no error to judge by. */
static void no_network_is_lost_in_silence(void **state)
{
    (void)state;
    static const int64_t deep[] = {1, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    scree_autoencode_options options = usual();
    options.hidden = deep;
    options.hidden_count = COUNT_OF(deep);
    options.epochs = 2;
    options.batch = N;
    options.rate = 0.99;
    options.validation = 0;
    expect_refused(&options, SCREE_ERR_NUMERIC, "out of bounds in epoch 2; ask for a lower rate than 0.99");
    options = usual();
    options.validation = 0.2;
    int64_t apart = 0;
    while (scree__part_of(options.seed, options.validation, apart) != SCREE__VALIDATION)
        apart++;
    const double kept = rows[apart * D];
    rows[apart * D] = 1e300;
    expect_refused(&options, SCREE_ERR_NUMERIC, "values far from all others");
    rows[apart * D] = kept;
}

/* A curve is no plane: a network with one number for a code beats one component by far. */
static void networks_bend(void **state)
{
    (void)state;
    scree_autoencode_options options = usual();
    scree_source *source = open_rows(N);
    double lost = 0;
    options.code = 1;
    options.epochs = SLOW_BUILD ? 60 : 150;
    options.batch = 32;
    options.patience = 150;
    for (int tied = 0; tied < 2; tied++) {
        options.tied = tied;
        scree_model *model = train(&options);
        const scree_network_view *view = scree_model_network(model);
        assert_true(view->validation_error < 0.5 * view->pca_validation_error);
        assert_int_equal(scree_model_round_trip(model, source, NULL, &lost, NULL, NULL), SCREE_OK);
        const double known = (view->training_error * (double)view->training_rows +
                              view->validation_error * (double)view->validation_rows) /
                             N;
        EXPECT_NEAR(lost, known, 1e-4 * known); /* training's own float products are of another shape */
        scree_model_free(model);
    }
    scree_source_free(source);
}

/* No better: over after as many epochs as patience allows. */
static void patience_ends(void **state)
{
    (void)state;
    scree_autoencode_options options = usual();
    options.rate = 0.5; /* far too much */
    options.epochs = 200;
    options.patience = 3;
    scree_model *model = train(&options);
    const scree_network_view *view = scree_model_network(model);
    assert_string_equal(view->stopped, "patience");
    assert_int_equal(view->epochs, view->best_epoch + 3);
    scree_model_free(model);
}

static void count_epochs(void *context, const scree_epoch *epoch)
{
    int64_t *count = context;
    assert_int_equal(epoch->epoch, ++*count);
    assert_true(epoch->pca_error > 0 && epoch->training_error > 0 && epoch->seconds >= 0);
}

static void epochs_are_told(void **state)
{
    (void)state;
    int64_t count = 0;
    scree_autoencode_options options = usual();
    options.on_epoch = count_epochs;
    options.on_epoch_context = &count;
    options.seconds = 1e-9; /* over at once: what there is then is kept */
    scree_model *model = train(&options);
    assert_int_equal(count, 1);
    assert_string_equal(scree_model_network(model)->stopped, "time");
    scree_model_free(model);
    options.seconds = 0;
    count = 0;
    model = train(&options);
    assert_int_equal(count, 6);
    scree_model_free(model);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const int64_t none = 0;
    scree_run run = SCREE_RUN_INIT;
    scree_autoencode_options o = usual();
    o.code = D + 1;
    expect_refused(&o, SCREE_ERR_ARGUMENT, "ask for 1 to 6");
    o = usual();
    o.hidden = &none;
    o.hidden_count = 1;
    expect_refused(&o, SCREE_ERR_ARGUMENT, "hidden layer of 0 units");
    o = usual();
    o.linear = true;
    expect_refused(&o, SCREE_ERR_ARGUMENT, "no hidden layers");
    o = usual();
    o.activation = "sin";
    expect_refused(&o, SCREE_ERR_ARGUMENT, "gelu, relu or tanh");
    o = usual();
    o.output = "relu";
    expect_refused(&o, SCREE_ERR_ARGUMENT, "linear or sigmoid");
    o = usual();
    o.validation = 1;
    expect_refused(&o, SCREE_ERR_ARGUMENT, "validation");
    o = usual();
    o.rate = -2;
    expect_refused(&o, SCREE_ERR_ARGUMENT, "rate");
    o = usual();
    o.run = &run;
    run.memory = 1000;
    expect_refused(&o, SCREE_ERR_LIMIT, "memory");
}

static void cells_must_be_there(void **state)
{
    (void)state;
    const double kept = rows[7 * D + 2];
    scree_autoencode_options o = usual();
    rows[7 * D + 2] = NAN;
    expect_refused(&o, SCREE_ERR_VALUE, "row 8, column 3 is missing; fill the gaps first");
    rows[7 * D + 2] = INFINITY;
    expect_refused(&o, SCREE_ERR_VALUE, "row 8, column 3 is infinite");
    rows[7 * D + 2] = kept;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_blocks_change_nothing),
        cmocka_unit_test(every_row_is_seen),
        cmocka_unit_test(an_interruption_changes_nothing),
        cmocka_unit_test(an_epoch_of_one_batch_is_interrupted),
        cmocka_unit_test(nothing_is_saved_of_nothing),
        cmocka_unit_test(a_finished_network_goes_on),
        cmocka_unit_test(going_on_never_loses),
        cmocka_unit_test(no_network_is_lost_in_silence),
        cmocka_unit_test(networks_bend),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(epochs_are_told),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(cells_must_be_there),
    };
    return cmocka_run_group_tests(tests, make, folder_remove);
}
