/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of rows for a picture: all of few, evenly spaced ones of many whatever the blocks, wanted ones by
 * themselves; labels with numbers of their own, the commonest shown in a sensible order. */

#include "support/checks.h"

#include "scripted_source.h"
#include "support/calls.h"
#include "view/gather.h"

static void evenly_spaced_rows_are_kept(void **state)
{
    static const int64_t blocks[] = {1, 3, 16}, column[] = {2};
    (void)state;
    for (int64_t b = 0; b < COUNT_OF(blocks); b++) {
        scree_error error = SCREE_ERROR_INIT;
        scripted_source *rows = scripted_open(1000, -1, SCREE__CAN_REWIND);
        const scree_run run = SIZED(scree_run, .block_rows = blocks[b]);
        scree__gather gather;
        scree__gather_begin(&gather, column, 1, 300);
        EXPECT_OK(scree__gather_cells(&gather, NULL, &rows->base, &run, &error), error);
        const scree__points *points = &gather.points;
        assert_true(points->total == 1000 && points->every == 4 && points->count == 250);
        for (int64_t i = 0; i < points->count; i++)
            assert_true(points->rows[i] == 4 * i && points->values[i] == (double)(4000 * i + 2));
        scree__points_clear(&gather.points);
        scree_source_free(&rows->base);
    }
}

static void few_rows_are_all_kept(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scripted_source *rows = scripted_open(300, -1, SCREE__CAN_REWIND);
    static const int64_t columns[] = {1, 0};
    scree__gather gather;
    (void)state;
    scree__gather_begin(&gather, columns, 2, 300);
    EXPECT_OK(scree__gather_cells(&gather, NULL, &rows->base, NULL, &error), error);
    assert_true(gather.points.count == 300 && gather.points.every == 1);
    assert_true(gather.points.values[2 * 299] == 299001 && gather.points.values[2 * 299 + 1] == 299000);
    scree__points_choose(&gather.points, &rows->base, NULL);
    EXPECT_OK(scree__labels_settle(&gather.points.labels, &error), error);
    assert_int_equal(gather.points.labels.shown, 0); /* each has its own: they tell nothing */
    assert_int_equal(gather.points.text.columns[0].count, 300);
    scree__points_clear(&gather.points);
    scree_source_free(&rows->base);
}

static void add_labels(scree__labels *labels, const char *text, int times)
{
    scree_error error = SCREE_ERROR_INIT;
    int32_t number = 0;
    for (int i = 0; i < times; i++)
        EXPECT_OK(scree__labels_add(labels, text, &number, &error), error);
}

static void the_commonest_labels_are_shown(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__labels labels = {0};
    (void)state;
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "rare %d", i);
        add_labels(&labels, name, 1);
    }
    add_labels(&labels, "10", 5);
    add_labels(&labels, "word", 3);
    add_labels(&labels, "9", 4);
    add_labels(&labels, "9", 1);
    EXPECT_OK(scree__labels_settle(&labels, &error), error);
    assert_int_equal(labels.shown, SCREE__LABELS_SHOWN);
    assert_int_equal(labels.others, 200 - (SCREE__LABELS_SHOWN - 3));
    assert_string_equal(labels.names[labels.order[0]], "9"); /* numbers by value, then words */
    assert_string_equal(labels.names[labels.order[1]], "10");
    assert_string_equal(labels.names[labels.order[SCREE__LABELS_SHOWN - 1]], "word");
    assert_int_equal(labels.counts[labels.order[0]], 5);
    assert_int_equal(scree__labels_series(&labels, labels.order[1]), 1);
    assert_int_equal(scree__labels_series(&labels, -1), -1);
    scree__labels_clear(&labels);
}

static void labels_may_be_too_many(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__labels labels = {0};
    int32_t number = 0;
    (void)state;
    for (int i = 0; i < SCREE__LABELS_MOST + 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d", i);
        EXPECT_OK(scree__labels_add(&labels, name, &number, &error), error);
    }
    assert_int_equal(number, -1);
    EXPECT_OK(scree__labels_add(&labels, "17", &number, &error), error);
    assert_int_equal(number, 17);
    scree__labels_clear(&labels);
}

static void labels_come_from_a_source_of_their_own(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scripted_source *rows = scripted_open(8, -1, SCREE__CAN_REWIND);
    const double digits[] = {7, 3, 3, 7, 1, 3, 3, 3};
    static const int64_t column[] = {0};
    scree_source *labels = NULL;
    scree__gather gather;
    (void)state;
    scree__gather_begin(&gather, column, 1, 100);
    EXPECT_OK(scree__gather_cells(&gather, NULL, &rows->base, NULL, &error), error);
    EXPECT_OK(scree_source_from_memory(&labels, BLOCK(digits, SCREE_F64, 8, 1), &error), error);
    EXPECT_OK(scree__points_label(&gather.points, labels, "rows", &error), error);
    EXPECT_OK(scree__labels_settle(&gather.points.labels, &error), error);
    assert_int_equal(gather.points.labels.shown, 3);
    assert_string_equal(gather.points.labels.names[gather.points.labels.order[2]], "7");
    assert_int_equal(scree__labels_series(&gather.points.labels, gather.points.label[3]), 2);
    scree_source_free(labels);
    labels = NULL;
    EXPECT_OK(scree_source_from_memory(&labels, BLOCK(digits, SCREE_F64, 7, 1), &error), error);
    assert_int_equal(scree__points_label(&gather.points, labels, "rows", &error), SCREE_ERR_SHAPE);
    assert_string_equal(error.text, "memory: has 7 labels for the 8 rows of rows; give a label for each row");
    scree_source_free(labels);
    scree__points_clear(&gather.points);
    scree_source_free(&rows->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evenly_spaced_rows_are_kept),
        cmocka_unit_test(few_rows_are_all_kept),
        cmocka_unit_test(the_commonest_labels_are_shown),
        cmocka_unit_test(labels_may_be_too_many),
        cmocka_unit_test(labels_come_from_a_source_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
