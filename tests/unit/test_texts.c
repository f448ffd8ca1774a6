/* SPDX-License-Identifier: BSD-3-Clause */
/* Which text of the rows is their label and which one their name: what was asked for, else by what the columns hold. */

#include "support/checks.h"

#include "csv_file.h"
#include "support/calls.h"
#include "view/gather.h"

static const char places[] = "name,a,where,b,kind\n"
                             "n1,1,north,2,x\n"
                             "n2,3,south,4,y\n"
                             "n3,5,south,6,y\n"
                             "n4,9,north,7,y\n";

/* The rows of the table, the label chosen. */
static void gather(scree__points *points, const char *text, const scree_read_options *read, const char *label)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *rows = csv_open_text("rows.csv", text, read);
    scree__gather all;
    scree__gather_begin(&all, NULL, 2, 100);
    EXPECT_OK(scree__gather_cells(&all, NULL, rows, NULL, &error), error);
    *points = all.points;
    scree__points_choose(points, rows, label);
    EXPECT_OK(scree__labels_settle(&points->labels, &error), error);
    scree_source_free(rows);
}

static void expect(const scree_read_options *read, const char *label, const char *label_of_2, const char *name_of_2)
{
    scree__points points;
    char name[64];
    gather(&points, places, read, label);
    assert_int_equal(points.count, 4);
    if (label_of_2)
        assert_string_equal(points.labels.names[points.label[1]], label_of_2);
    else
        assert_int_equal(points.label[1], -1);
    assert_string_equal(scree__points_name(&points, 1, name, sizeof name), name_of_2);
    scree__points_clear(&points);
}

static void label_and_name_are_chosen(void **state)
{
    (void)state;
    expect(NULL, NULL, "south", "n2");
    expect(&SIZED(scree_read_options, .id = "where", .header = 1), NULL, "y", "south");
    expect(&SIZED(scree_read_options, .id = "1", .header = 1), NULL, "south", "n2");
    expect(&SIZED(scree_read_options, .label = "5", .id = "1", .header = 1), NULL, "y", "n2");
    expect(&SIZED(scree_read_options, .label = "kind", .header = 1), NULL, "y", "row 2");
    expect(NULL, "kind", "y", "n2");
    expect(NULL, "name", "n2", "row 2"); /* asked for: a label even so */
}

static void unique_texts_are_no_labels(void **state)
{
    scree__points points;
    char name[64];
    (void)state;
    gather(&points, "a,b,t,u\n1,2,x,p\n3,5,y,q\n", NULL, NULL);
    assert_int_equal(points.label[0], -1);
    assert_int_equal(points.labels.shown, 0);
    assert_string_equal(scree__points_name(&points, 0, name, sizeof name), "x");
    scree__points_clear(&points);
    gather(&points, "1,2\n3,5\n", NULL, NULL);
    assert_string_equal(scree__points_name(&points, 1, name, sizeof name), "row 2");
    scree__points_clear(&points);
}

static void rows_that_are_thinned_keep_their_names(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    char text[8000] = "name,a,b,kind\n", name[64];
    size_t used = strlen(text);
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "n%d,%d,%d,%c\n", i, i, i * i, i % 3 ? 'p' : 'q');
    scree_source *rows = csv_open_text("rows.csv", text, NULL);
    scree__gather all;
    (void)state;
    scree__gather_begin(&all, NULL, 2, 100);
    EXPECT_OK(scree__gather_cells(&all, NULL, rows, NULL, &error), error);
    scree__points_choose(&all.points, rows, NULL);
    assert_int_equal(all.points.count, 75);
    assert_string_equal(scree__points_name(&all.points, 50, name, sizeof name), "n200");
    assert_string_equal(all.points.labels.names[all.points.label[3]], "q");
    assert_int_equal(all.points.labels.counts[0] + all.points.labels.counts[1], 300); /* of all rows */
    scree__points_clear(&all.points);
    scree_source_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label_and_name_are_chosen),
        cmocka_unit_test(unique_texts_are_no_labels),
        cmocka_unit_test(rows_that_are_thinned_keep_their_names),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
