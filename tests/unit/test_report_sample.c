/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows a report shows: every label in its proportion, small ones too; outliers first; the same rows however the
 * data come. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scree_view.h"
#include "support/calls.h"
#include "support/rows.h"
#include "view/report.h"

enum { ROWS = 3000, COLS = 4 };

/* Rows 0..2399 have label 0, 2400..2989 label 1, the last ten label 2. */
static double label_of(int64_t row)
{
    return row < 2400 ? 0 : row < 2990 ? 1 : 2;
}

typedef struct world {
    rows *data;
    scree_model *model;
    scree_source *source;
    scree_source *labels;
    double *label;
    scree_scorer *scorer;
} world;

static world make(void)
{
    world w = {0};
    double *x = calloc(ROWS * COLS, sizeof *x);
    w.label = calloc(ROWS, sizeof *w.label);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = rows_random(3, i, j) * (double)(j + 1);
        w.label[i] = label_of(i);
    }
    x[1234 * COLS] = 60.0; /* nothing like the others */
    w.data = rows_of(x, ROWS, COLS, SCREE_F64, 1.0);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;
    w.model = rows_fit(w.data, &options);
    w.source = rows_source(w.data);
    assert_int_equal(scree_source_from_memory(&w.labels, BLOCK(w.label, SCREE_F64, ROWS, 1), NULL), SCREE_OK);
    const scree_score_options how = SCREE_SCORE_OPTIONS_INIT;
    assert_int_equal(scree_scorer_make(&w.scorer, w.model, &how, NULL), SCREE_OK);
    return w;
}

static void drop(world *w)
{
    scree_scorer_free(w->scorer);
    scree_source_free(w->source);
    scree_source_free(w->labels);
    scree_model_free(w->model);
    rows_free(w->data);
    free(w->label);
}

static scree__report sampled(const world *w, int64_t most, int threads, int64_t block_rows)
{
    const scree_run run = run_with_blocks(threads, block_rows);
    scree__report report = {.model = w->model,
                            .scorer = w->scorer,
                            .source = w->source,
                            .class_text = -1,
                            .most_rows = most,
                            .most_outliers = 3};
    report.options = (scree_report_options)SCREE_REPORT_OPTIONS_INIT;
    report.options.alpha = 0.01;
    report.options.labels = w->labels;
    report.options.run = &run;
    assert_int_equal(scree__report_labels(&report, NULL), SCREE_OK);
    assert_int_equal(scree__report_sample(&report, NULL), SCREE_OK);
    report.options.run = NULL; /* it ends here */
    return report;
}

static void clear(scree__report *report)
{
    free(report->rows);
    free(report->class_sizes);
    free(report->labels);
    scree__dictionary_clear(&report->classes);
}

static void count_labels(const scree__report *report, int64_t first, int64_t counts[3])
{
    memset(counts, 0, 3 * sizeof *counts);
    for (int64_t i = 0; i < first; i++) {
        assert_int_equal(report->rows[i].label, (int64_t)label_of(report->rows[i].row));
        counts[report->rows[i].label]++;
    }
}

static void test_labels_in_proportion(void **state)
{
    (void)state;
    world w = make();
    scree__report report = sampled(&w, 300, 1, 0);
    int64_t counts[3];
    assert_int_equal(report.total, ROWS);
    assert_int_equal(report.count, 300);
    count_labels(&report, 300, counts);
    assert_in_range(counts[0], 225, 245); /* 240 but for what the small ones take */
    assert_in_range(counts[1], 52, 64);
    assert_in_range(counts[2], 8, 10);  /* not one, as their share would be */
    count_labels(&report, 100, counts); /* the first of them are a sample, too */
    assert_in_range(counts[0], 72, 84);
    assert_in_range(counts[1], 15, 22);
    assert_true(counts[2] >= 2);
    clear(&report);
    drop(&w);
}

static void test_no_row_twice(void **state)
{
    (void)state;
    world w = make();
    scree__report report = sampled(&w, ROWS, 1, 0);
    bool *seen = calloc(ROWS, sizeof *seen);
    assert_int_equal(report.count, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_false(seen[report.rows[i].row]);
        seen[report.rows[i].row] = true;
    }
    free(seen);
    clear(&report);
    drop(&w);
}

static void test_outliers_come_first(void **state)
{
    (void)state;
    world w = make();
    scree__report report = sampled(&w, 50, 1, 0);
    assert_true(report.outliers >= 3);
    assert_int_equal(report.rows[0].row, 1234);
    assert_true(report.rows[0].outlier);
    assert_true(report.rows[2].outlier);
    assert_false(report.rows[3].outlier);
    assert_true(report.rows[0].score.p_value <= report.rows[1].score.p_value);
    clear(&report);
    drop(&w);
}

static void test_any_blocks_and_threads(void **state)
{
    (void)state;
    world w = make();
    scree__report one = sampled(&w, 40, 1, 0);
    for (int threads = 1; threads <= 4; threads++) {
        scree__report other = sampled(&w, 40, threads, 7 * threads);
        assert_int_equal(other.count, one.count);
        for (int64_t i = 0; i < one.count; i++) {
            assert_int_equal(other.rows[i].row, one.rows[i].row);
            assert_memory_equal(&other.rows[i].score, &one.rows[i].score, sizeof one.rows[i].score);
        }
        clear(&other);
    }
    clear(&one);
    drop(&w);
}

static void test_labels_must_be_as_many(void **state)
{
    (void)state;
    world w = make();
    scree_error error = SCREE_ERROR_INIT;
    scree__report report = {.model = w.model, .source = w.source, .class_text = -1, .most_rows = 10};
    report.options.labels = w.labels;
    assert_int_equal(scree__report_labels(&report, &error), SCREE_OK);
    report.label_count = 17;
    assert_int_equal(scree__report_sample(&report, &error), SCREE_ERR_SHAPE);
    assert_string_equal(error.text, "memory: has 17 labels, but memory has 3000 rows; give a label for each row");
    clear(&report);
    drop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_in_proportion),   cmocka_unit_test(test_no_row_twice),
        cmocka_unit_test(test_outliers_come_first),    cmocka_unit_test(test_any_blocks_and_threads),
        cmocka_unit_test(test_labels_must_be_as_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
