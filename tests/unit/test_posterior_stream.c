/* SPDX-License-Identifier: BSD-3-Clause */
/* Posterior means from source to sink: the same bits as in memory, for any blocks, threads and element types; intervals
 * of the normal distribution around them; what cannot be is refused. */

#include "support/checks.h"

#include "data/source.h"
#include "made_model.h"
#include "support/calls.h"
#include "support/rows.h"

#include <string.h>

enum { ROWS = 300, D = 11, M = 3 };

static rows *made_rows(const scree_model *model, scree_type type)
{
    double *x = scree__alloc(ROWS * D, sizeof *x);
    assert_non_null(x);
    scree__normals(8, 1, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] += scree_model_get(model)->mean[i % D];
    return rows_of(x, ROWS, D, type, 20);
}

static scree_status ask(const scree_model *model, const rows *x, double interval, double *out, const scree_run *run,
                        scree_error *error)
{
    scree_sink *sink = NULL;
    scree_source *source = rows_source(x);
    const scree_posterior_options options = SIZED(scree_posterior_options, .interval = interval, .run = run);
    EXPECT_OK(scree_sink_to_memory(&sink, out, ROWS, interval > 0 ? 3 * M : M, error), *error);
    scree_status status = scree_model_posterior(model, source, sink, &options, error);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

static void blocks_and_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const int64_t blocks[] = {0, 1, 7, 128, 131};
    static const scree_type types[] = {SCREE_F64, SCREE_F32, SCREE_U8};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    static double wanted[ROWS * M];
    static double found[ROWS * M];
    for (int64_t t = 0; t < COUNT_OF(types); t++) {
        rows *x = made_rows(model, types[t]);
        EXPECT_OK(scree_model_posterior_rows(model, BLOCK_STRIDED(x->data, x->type, ROWS, x->d, x->stride), wanted,
                                             NULL, NULL, &error),
                  error);
        for (int64_t b = 0; b < COUNT_OF(blocks); b++) {
            scree_run run = SCREE_RUN_INIT;
            run.threads = 1 + (int)b % 4;
            run.block_rows = blocks[b];
            memset(found, 0, sizeof found);
            EXPECT_OK(ask(model, x, 0, found, &run, &error), error);
            assert_memory_equal(found, wanted, sizeof wanted);
        }
        rows_free(x);
    }
    scree_model_free(model);
}

static void intervals_are_normal(void **state)
{
    (void)state;
    static const struct {
        double interval;
        double half;
    } cases[] = {{0.5, 0.67448975019608174}, {0.95, 1.9599639845400545}, {0.999, 3.2905267314919255}};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    rows *x = made_rows(model, SCREE_F64);
    static double means[ROWS * M];
    static double found[ROWS * M * 3];
    double variances[M];
    assert_int_equal(scree_model_posterior_covariance(model, variances, NULL, NULL), SCREE_OK);
    EXPECT_OK(scree_model_posterior_rows(model, BLOCK_STRIDED(x->data, x->type, ROWS, x->d, x->stride), means, NULL,
                                         NULL, &error),
              error);
    for (int64_t k = 0; k < COUNT_OF(cases); k++) {
        EXPECT_OK(ask(model, x, cases[k].interval, found, NULL, &error), error);
        for (int64_t i = 0; i < ROWS * M; i++) {
            const double half = cases[k].half * sqrt(variances[i % M]);
            assert_true(found[3 * i] == means[i]);
            EXPECT_NEAR(found[3 * i + 1], means[i] - half, 1e-13);
            EXPECT_NEAR(found[3 * i + 2], means[i] + half, 1e-13);
        }
    }
    rows_free(x);
    scree_model_free(model);
}

/* The largest probability below 1 has a finite interval; without noise it is a point. */
static void intervals_at_their_ends(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    scree_model *silent = NULL;
    rows *x = made_rows(model, SCREE_F64);
    static double found[ROWS * M * 3];
    EXPECT_OK(ask(model, x, nextafter(1, 0), found, NULL, &error), error);
    double variances[M];
    assert_int_equal(scree_model_posterior_covariance(model, variances, NULL, NULL), SCREE_OK);
    EXPECT_NEAR((found[2] - found[0]) / sqrt(variances[0]), 8.2, 0.2);
    assert_int_equal(scree_model_with_noise(&silent, model, 0, NULL), SCREE_OK);
    EXPECT_OK(ask(silent, x, 0.95, found, NULL, &error), error);
    for (int64_t i = 0; i < ROWS * M; i++)
        assert_true(found[3 * i] == found[3 * i + 1] && found[3 * i] == found[3 * i + 2]);
    rows_free(x);
    scree_model_free(silent);
    scree_model_free(model);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const double bad[] = {-0.5, 1, 2, NAN};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = made_model(D, M, 2.0, true, NULL);
    scree_model *narrow = made_model(D - 1, M, 2.0, true, NULL);
    rows *x = made_rows(model, SCREE_F64);
    static double found[ROWS * M * 3];
    for (int64_t k = 0; k < COUNT_OF(bad); k++) {
        assert_int_equal(ask(model, x, bad[k], found, NULL, &error), SCREE_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "interval lies between 0 and 1"));
    }
    assert_int_equal(ask(narrow, x, 0, found, NULL, &error), SCREE_ERR_SHAPE);
    ((double *)x->data)[255 * x->stride + 4] = INFINITY;
    assert_int_equal(ask(model, x, 0, found, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 256, column 5 is infinite"));
    rows_free(x);
    scree_model_free(narrow);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_threads_do_not_change_a_bit),
        cmocka_unit_test(intervals_are_normal),
        cmocka_unit_test(intervals_at_their_ends),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
