/* SPDX-License-Identifier: BSD-3-Clause */
/* States as files: what is saved is loaded, to the bit, and goes on as if it had never been saved; every byte of a file
 * is flipped, and every length tried; numbers that no rows come to are refused, with a sentence. */

#include "support/checks.h"

#include "model/safetensors.h"
#include "support/rows.h"
#include "temporary_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, D = 6 };

static const char *const methods[] = {"covariance", "svd", "low-rank"};
static const char *const names[] = {"plain", "with \"quotes\"", "back\\slash", "größe", "new\nline", ""};

static void fill(double *x, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = 1e6 + (double)j + rows_random(seed, i, j) + 3 * rows_random(seed, i, 99);
}

static void add(scree_state *state, uint64_t seed)
{
    double x[N * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    fill(x, N, seed);
    block.data = x;
    block.rows = N;
    block.cols = D;
    EXPECT_OK(scree_state_add(state, &block, &error), error);
}

static scree_state *made(const char *method, double forget)
{
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    options.method = method;
    options.columns = names;
    options.forget = forget;
    options.rank = strcmp(method, "low-rank") == 0 ? 2 : 0;
    EXPECT_OK(scree_state_new(&state, D, &options, &error), error);
    add(state, 1);
    return state;
}

static void *saved(scree_state *state, size_t *size)
{
    void *bytes = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_state_save_buffer(&bytes, size, state, &error), error);
    return bytes;
}

/* They have seen the same rows, one of them in two sittings. */
static void expect_alike(scree_state *a, scree_state *b)
{
    const scree_state_view *x = NULL;
    const scree_state_view *y = NULL;
    assert_int_equal(scree_state_get(&x, a, NULL), SCREE_OK);
    assert_int_equal(scree_state_get(&y, b, NULL), SCREE_OK);
    assert_int_equal(x->rows, y->rows);
    EXPECT_NEAR(x->weight, y->weight, 1e-12 * x->weight);
    EXPECT_NEAR(x->bound, y->bound, 1e-10 * x->bound);
    for (int j = 0; j < D; j++) {
        EXPECT_NEAR(x->mean[j], y->mean[j], 1e-9);
        EXPECT_NEAR(x->variances[j], y->variances[j], 1e-12 * x->variances[j]);
    }
}

static void what_is_saved_is_loaded(void **unused)
{
    (void)unused;
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_state *state = made(methods[m], 12.5);
        scree_state *again = NULL;
        const scree_state_view *view = NULL;
        size_t sizes[2];
        char path[256];
        snprintf(path, sizeof path, "%s/s.state", folder);
        EXPECT_OK(scree_state_save(state, path, &error), error);
        assert_true(scree_state_is(path));
        EXPECT_OK(scree_state_load(&again, path, &error), error);
        EXPECT_OK(scree_state_get(&view, again, &error), error);
        assert_string_equal(view->method, methods[m]);
        assert_string_equal(view->name, path);
        assert_int_equal(view->rows, N);
        assert_true(view->forget == 12.5);
        for (int j = 0; j < D; j++)
            assert_string_equal(view->columns[j], names[j]);
        void *first = saved(state, &sizes[0]);
        void *second = saved(again, &sizes[1]);
        assert_true(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0);
        scree_buffer_free(first);
        scree_buffer_free(second);
        add(state, 2);
        add(again, 2);
        expect_alike(state, again);
        scree_state_free(state);
        scree_state_free(again);
    }
}

static void no_damage_is_taken(void **unused)
{
    (void)unused;
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        scree_state *state = made(methods[m], 0);
        scree_state *found = NULL;
        size_t size = 0;
        unsigned char *bytes = saved(state, &size);
        for (size_t i = 0; i < size; i++) {
            scree_error error = SCREE_ERROR_INIT;
            bytes[i] ^= 1;
            assert_int_equal(scree_state_load_buffer(&found, bytes, size, &error), SCREE_ERR_MODEL);
            assert_true(error.text[0] && !found);
            bytes[i] ^= 1;
            assert_int_not_equal(scree_state_load_buffer(&found, bytes, i, &error), SCREE_OK);
        }
        scree_buffer_free(bytes);
        scree_state_free(state);
    }
}

/* A state of three columns as its file says it, with one thing that is wrong. */
typedef struct said {
    const char *method;
    const char *rows;
    const char *weight;
    const char *rank;
    double mean[3];
    double rest[3];
    double matrix[9];
    int64_t height;
    const char *part; /* of the sentence; NULL: all is well */
} said;

static void expect_said(const said *s)
{
    const bool is_scatter = strcmp(s->method, "covariance") == 0;
    scree__contents contents = {0};
    const scree__text texts[] = {
        {"format", "scree-state"}, {"format_version", "1"}, {"method", s->method}, {"d", "3"},
        {"rows", s->rows},         {"weight", s->weight},   {"lost", "0"},         {"rank", s->rank}};
    const scree__tensor tensors[] = {
        {"mean", SCREE__DTYPE_F64, 1, {3}, s->mean},
        {"mean_rest", SCREE__DTYPE_F64, 1, {3}, s->rest},
        {is_scatter ? "scatter" : "triangle", SCREE__DTYPE_F64, 2, {s->height, 9 / s->height}, s->matrix}};
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    void *bytes = NULL;
    size_t size = 0;
    contents.text_count = s->rank ? 8 : 7;
    contents.tensor_count = 3;
    memcpy(contents.texts, texts, sizeof texts);
    memcpy(contents.tensors, tensors, sizeof tensors);
    EXPECT_OK(scree__safetensors_pack(&bytes, &size, &contents, &error), error);
    const scree_status status = scree_state_load_buffer(&state, bytes, size, &error);
    if (s->part) {
        assert_int_equal(status, SCREE_ERR_MODEL);
        if (!strstr(error.text, s->part))
            fail_msg("'%s' does not say '%s'", error.text, s->part);
    } else {
        EXPECT_OK(status, error);
    }
    scree_state_free(state);
    free(bytes);
}

static void impossible_numbers_are_refused(void **unused)
{
    static const said all[] = {
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, NULL},
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1.5, 2, 0, 0, 0, 1}, 3, "none that rows can have"},
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0}, {2, 9, 0, 9, 2, 0, 0, 0, 1}, 3, "none that rows can have"},
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, -1}, 3, "column 3 is negative"},
        {"covariance", "4", "4", NULL, {1, 2, NAN}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "mean"},
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0, 0, 1}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "no rounding"},
        {"covariance", "4", "0", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "no weight"},
        {"covariance", "0", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "no weight"},
        {"covariance", "-4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "rows"},
        {"covariance", "9007199254740993", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "more rows"},
        {"covariance", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 1, "scatter"},
        {"covariance", "4", "4", "2", {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "a rank is for low-rank"},
        {"svd", "4", "4", NULL, {1, 2, 3}, {0}, {2, 0, 0, 1, 2, 0, 0, 0, 1}, 3, NULL},
        {"svd", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "triangle"},
        {"other", "4", "4", NULL, {1, 2, 3}, {0}, {2, 1, 0, 1, 2, 0, 0, 0, 1}, 3, "none that is known"},
    };
    (void)unused;
    for (int64_t i = 0; i < COUNT_OF(all); i++)
        expect_said(&all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_saved_is_loaded, folder_make, folder_remove),
        cmocka_unit_test(no_damage_is_taken),
        cmocka_unit_test(impossible_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
