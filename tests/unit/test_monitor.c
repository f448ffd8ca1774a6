/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in their order, for a control chart: bins join without losing an extreme or an outlier, whatever the blocks; the
 * worst rows are the worst, with the column that was moved to blame. */

#include "support/checks.h"

#include "made_model.h"
#include "scree_view.h"
#include "support/calls.h"
#include "view/monitor.h"

#include <string.h>

enum { D = 5, M = 2, ROWS = 50000 };

/* The rows are at the mean but for two, of which column 3 and column 1 are off. */
static double *make_rows(const scree_model *model, int64_t count)
{
    double *x = calloc((size_t)(count * D), sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = model->mean[j] + 0.01 * (double)((i * 7 + j * 3) % 11 - 5);
    x[(count / 3) * D + 3] += 60;
    x[(count - 1) * D + 1] += 50;
    return x;
}

static void watch(scree__monitor *monitor, const scree_model *model, double *x, int64_t count, int64_t block)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *rows = NULL;
    scree_run run = SCREE_RUN_INIT;
    const scree_score_options how = {.size = sizeof how, .alpha = 1e-4, .blame_columns = 1};
    run.block_rows = block;
    EXPECT_OK(scree_source_from_memory(&rows, BLOCK(x, SCREE_F64, count, D), &error), error);
    EXPECT_OK(scree__monitor_watch(monitor, model, rows, &how, &run, &error), error);
    scree_source_free(rows);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    double *x = make_rows(model, ROWS);
    scree__monitor whole, parts;
    watch(&whole, model, x, ROWS, ROWS);
    watch(&parts, model, x, ROWS, 777);
    assert_int_equal(whole.every, 32);
    assert_int_equal(whole.count, (ROWS + 31) / 32);
    assert_int_equal(parts.count, whole.count);
    assert_memory_equal(parts.bins, whole.bins, (size_t)whole.count * sizeof *whole.bins);
    assert_int_equal(whole.total, ROWS);
    assert_int_equal(whole.outliers, 2);
    assert_int_equal(whole.worst_count, 2);
    int64_t marked = 0;
    for (int64_t i = 0; i < whole.count; i++) {
        assert_true(whole.bins[i].low[0] <= whole.bins[i].high[0] && whole.bins[i].low[1] <= whole.bins[i].high[1]);
        marked += isfinite(whole.bins[i].far[SCREE__MONITOR_Q]);
    }
    assert_int_equal(marked, 2);
    for (int64_t k = 0; k < 2; k++) {
        const scree__monitor_row *row = &whole.worst[k];
        assert_true(whole.bins[row->row / 32].far[SCREE__MONITOR_Q] == row->score.q);
        assert_non_null(strstr(whole.blame[k], row->row == ROWS - 1 ? "2" : "4"));
        assert_true(row->row == ROWS - 1 || row->row == ROWS / 3);
    }
    assert_true(whole.worst[0].score.p_value <= whole.worst[1].score.p_value);
    scree__monitor_clear(&whole);
    scree__monitor_clear(&parts);
    free(x);
    scree_model_free(model);
}

/* Few rows keep a bin each. */
static void few_rows_stay(void **state)
{
    (void)state;
    scree_model *model = made_model(D, M, 1.0, false, NULL);
    double *x = make_rows(model, 30);
    scree__monitor monitor;
    watch(&monitor, model, x, 30, 30);
    assert_int_equal(monitor.every, 1);
    assert_int_equal(monitor.count, 30);
    assert_string_equal(monitor.worst[0].row == 29 ? monitor.worst[0].name : monitor.worst[1].name, "row 30");
    for (int64_t i = 0; i < 30; i++)
        assert_true(monitor.bins[i].low[0] == monitor.bins[i].high[0]);
    scree__monitor_clear(&monitor);
    free(x);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(few_rows_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
