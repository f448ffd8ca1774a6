/* SPDX-License-Identifier: BSD-3-Clause */
/* Which classes of a report have a colour: the commonest, of equals the first seen; none where each row is one of its
 * own. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/report.h"

enum { CLASSES = 15 };

static char *names[CLASSES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"};

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
    static const int64_t sizes[CLASSES] = {2, 1, 9, 2, 2, 2, 2, 2, 7, 2, 2, 2, 2, 2, 2};
    static const char first[] = "ciadefghjklm";
    const char *texts[SCREE__LABELS_SHOWN];
    (void)state;
    assert_int_equal(commonest(sizes, CLASSES, texts), SCREE__LABELS_SHOWN);
    for (int i = 0; i < SCREE__LABELS_SHOWN; i++)
        assert_int_equal(texts[i][0], first[i]);
    assert_int_equal(commonest(sizes, 3, texts), 3);
    assert_string_equal(texts[2], "b");
}

static void test_names_of_rows_are_no_classes(void **state)
{
    static const int64_t sizes[CLASSES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const char *texts[SCREE__LABELS_SHOWN];
    (void)state;
    assert_int_equal(commonest(sizes, CLASSES, texts), 0);
    assert_int_equal(commonest(sizes, 12, texts), 12); /* a few can be told apart all the same */
    assert_int_equal(commonest(sizes, 0, texts), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_commonest_come_first),
        cmocka_unit_test(test_names_of_rows_are_no_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
