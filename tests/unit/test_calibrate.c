/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrated p-values are ranks among the calibration rows, however those arrive; a calibration that fails changes
 * nothing, a later one replaces the first. */

#include "data/source.h"
#include "model/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"

enum { ROWS = 99, D = 6, M = 2 };

/* Heavy tails: a normal divided by the length of two others. */
static void make_rows(uint64_t seed, double *x)
{
    double normals[3 * ROWS * D];
    scree__normals(seed, 1, 0, 3 * ROWS * D, normals);
    for (int64_t i = 0; i < ROWS * D; i++)
        x[i] = normals[3 * i] / hypot(normals[3 * i + 1], normals[3 * i + 2]);
}

static scree_status calibrate(scree_scorer *scorer, const double *x, int64_t rows, const scree_run *run,
                              scree_error *error)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, rows, D), NULL), SCREE_OK);
    scree_status status = scree_scorer_calibrate(scorer, source, run, error);
    scree_source_free(source);
    return status;
}

static void p_values_are_ranks(void **state)
{
    (void)state;
    static const int64_t blocks[] = {0, 1, 10};
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    double known[ROWS * D];
    double fresh[ROWS * D];
    row_score was[ROWS];
    row_score now[ROWS];
    make_rows(1, known);
    make_rows(2, fresh);
    memcpy(fresh, known, D * sizeof *fresh); /* a tie: as likely as itself */
    for (int b = 0; b < 3; b++) {
        scree_scorer *scorer = NULL;
        scree_run run = SCREE_RUN_INIT;
        run.block_rows = blocks[b];
        run.threads = b + 1;
        assert_int_equal(scree_scorer_make(&scorer, model, NULL, NULL), SCREE_OK);
        assert_int_equal(score_rows(scorer, BLOCK(known, SCREE_F64, ROWS, D), was, NULL), SCREE_OK);
        assert_int_equal(calibrate(scorer, known, ROWS, &run, NULL), SCREE_OK);
        assert_int_equal(score_rows(scorer, BLOCK(fresh, SCREE_F64, ROWS, D), now, NULL), SCREE_OK);
        for (int64_t i = 0; i < ROWS; i++) {
            int64_t at_most = 0;
            for (int64_t j = 0; j < ROWS; j++)
                at_most += was[j].loglik <= now[i].loglik;
            assert_true(now[i].p_value == (double)(1 + at_most) / (ROWS + 1));
        }
        scree_scorer_free(scorer);
    }
    scree_model_free(model);
}

static void later_calibrations_replace_the_first(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree_scorer *scorer = NULL;
    double x[ROWS * D];
    double far[D] = {1e3};
    row_score score;
    make_rows(1, x);
    assert_int_equal(scree_scorer_make(&scorer, model, NULL, NULL), SCREE_OK);
    assert_int_equal(calibrate(scorer, x, ROWS, NULL, NULL), SCREE_OK);
    assert_int_equal(score_rows(scorer, BLOCK(far, SCREE_F64, 1, D), &score, NULL), SCREE_OK);
    assert_true(score.p_value == 1.0 / (ROWS + 1));
    assert_int_equal(calibrate(scorer, x, 9, NULL, NULL), SCREE_OK);
    assert_int_equal(score_rows(scorer, BLOCK(far, SCREE_F64, 1, D), &score, NULL), SCREE_OK);
    assert_true(score.p_value == 1.0 / 10);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

static void failures_change_nothing(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 0.0, false, NULL);
    scree_scorer *scorer = NULL;
    scree_error error = SCREE_ERROR_INIT;
    double x[ROWS * D];
    row_score before;
    row_score after;
    make_rows(1, x);
    assert_int_equal(scree_scorer_make(&scorer, model, NULL, NULL), SCREE_OK);
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, 1, D), &before, NULL), SCREE_OK);
    assert_int_equal(calibrate(scorer, x, 0, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "no rows to calibrate with"));
    x[50 * D] = INFINITY;
    assert_int_equal(calibrate(scorer, x, ROWS, NULL, &error), SCREE_ERR_VALUE);
    assert_non_null(strstr(error.text, "row 51, column 1 is infinite"));
    assert_int_equal(score_rows(scorer, BLOCK(x, SCREE_F64, 1, D), &after, NULL), SCREE_OK);
    assert_true(before.p_value == after.p_value);
    scree_scorer_free(scorer);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values_are_ranks),
        cmocka_unit_test(later_calibrations_replace_the_first),
        cmocka_unit_test(failures_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
