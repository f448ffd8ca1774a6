/* SPDX-License-Identifier: BSD-3-Clause */
/* Which column holds the classes of a report, found while rows come by: the first that repeats itself and is not the
 * id; and which classes have a colour: the commonest, of equals the first seen; none where each row is one of its own.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/report_class.h"

enum { CLASSES = 39 };

static char *names[CLASSES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
                               "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
                               "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M"};

/* The first count of the names, the i-th with sizes[i] rows. */
static int64_t commonest(const int64_t *sizes, int64_t count, const char *texts[SCREE__LABELS_SHOWN])
{
    int64_t behind[CLASSES + 1] = {0}, total = 0;
    for (int64_t i = 0; i < count; i++)
        total += behind[i + 1] = sizes[i];
    const scree__report report = {
        .classes = {.text = names, .count = count}, .class_sizes = behind, .total = total, .class_text = 0};
    return scree__report_commonest(&report, texts);
}

static void test_the_commonest_come_first(void **state)
{
    static const char first[] = "ciadefghjklmnopqrstuvwxyzABCDEFGHIJK";
    int64_t sizes[CLASSES] = {2, 1, 9, [8] = 7};
    const char *texts[SCREE__LABELS_SHOWN];
    (void)state;
    for (int64_t i = 0; i < CLASSES; i++)
        sizes[i] = sizes[i] > 0 ? sizes[i] : 2;
    assert_int_equal(commonest(sizes, CLASSES, texts), SCREE__LABELS_SHOWN);
    for (int i = 0; i < SCREE__LABELS_SHOWN; i++)
        assert_int_equal(texts[i][0], first[i]);
    assert_int_equal(commonest(sizes, 3, texts), 3);
    assert_string_equal(texts[2], "b");
}

static void test_names_of_rows_are_no_classes(void **state)
{
    int64_t sizes[CLASSES];
    const char *texts[SCREE__LABELS_SHOWN];
    (void)state;
    for (int64_t i = 0; i < CLASSES; i++)
        sizes[i] = 1;
    assert_int_equal(commonest(sizes, CLASSES, texts), 0);
    assert_int_equal(commonest(sizes, SCREE__LABELS_ALONE, texts),
                     SCREE__LABELS_ALONE); /* a few can be told apart all the same */
    assert_int_equal(commonest(sizes, 0, texts), 0);
}

enum { COLUMNS = 3, MOST = 8 };

/* Texts of row i: another in every row; the same in all rows from same_from on; one of three. */
static int64_t search_rows(scree__class_search *search, int64_t rows, int64_t same_from)
{
    int64_t waited = 0;
    for (int64_t i = 0; i < rows && !search->decided; i++, waited++) {
        char name[16], place[16], kind[16];
        const char *const texts[COLUMNS] = {name, place, kind};
        const scree__report_row row = {.row = i};
        snprintf(name, sizeof name, "n%d", (int)i);
        snprintf(place, sizeof place, "p%d", (int)(i < same_from ? i : same_from));
        snprintf(kind, sizeof kind, "k%d", (int)i % 3);
        assert_int_equal(scree__class_search_note(search, &row, texts, NULL), SCREE_OK);
    }
    scree__class_search_end(search);
    return waited;
}

static const char *const text_names[COLUMNS] = {"name", "place", "kind"};

static scree__report report_with(const char *label, const char *id)
{
    scree__report report = {.carried = {text_names, COLUMNS, -1, -1}, .classes = {.most = MOST}};
    report.options.label = label;
    report.options.id = id;
    return report;
}

/* The column found, after so many rows have waited; the class of the last of them. */
static void expect(const char *id, int64_t rows, int64_t same_from, int64_t column, int64_t waited, int64_t last)
{
    scree__report report = report_with(NULL, id);
    scree__class_search search;
    assert_int_equal(scree__class_search_open(&search, &report, NULL), SCREE_OK);
    assert_false(search.decided);
    assert_int_equal(search_rows(&search, rows, same_from), waited);
    assert_true(search.decided);
    assert_int_equal(report.class_text, column);
    assert_int_equal(search.count, waited);
    for (int64_t i = 0; i < waited; i++)
        assert_int_equal(search.rows[i].row, i);
    assert_int_equal(search.rows[waited - 1].label, last);
    assert_true((report.classes.count > 0) == (column >= 0));
    scree__class_search_close(&search);
    scree__dictionary_clear(&report.classes);
}

static void test_the_first_column_that_repeats(void **state)
{
    (void)state;
    expect(NULL, 100, 2, 1, MOST, 2);    /* when the names are ruled out, it is the places */
    expect("name", 100, 2, 1, 4, 2);     /* the id is ruled out at once */
    expect("place", 100, 2, 2, MOST, 1); /* then it is the kinds */
    expect(NULL, 100, 50, 2, MOST, 1);   /* two columns of names */
    expect("name", 5, 2, 1, 4, 2);       /* few rows */
    expect(NULL, 5, 3, 1, 5, 3);         /* too few to rule anything out: the end decides */
    expect(NULL, 2, 3, -1, 2, -1);       /* nothing repeats itself */
}

static void test_a_column_may_be_named(void **state)
{
    (void)state;
    scree__report report = report_with("kind", NULL);
    scree__class_search search;
    assert_int_equal(scree__class_search_open(&search, &report, NULL), SCREE_OK);
    assert_true(search.decided);
    assert_int_equal(report.class_text, 2);
    scree__class_search_close(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_column_that_repeats),
        cmocka_unit_test(test_a_column_may_be_named),
        cmocka_unit_test(test_the_commonest_come_first),
        cmocka_unit_test(test_names_of_rows_are_no_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
