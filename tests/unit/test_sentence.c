/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of names in sentences. */

#include "support/checks.h"

#include "base/sentence.h"

static void test_list(void **state)
{
    (void)state;
    char list[32] = "";
    char small[8] = "";
    scree__list_add(list, sizeof list, "svd", false);
    assert_string_equal(list, "svd");
    scree__list_add(list, sizeof list, "lanczos", false);
    assert_string_equal(list, "svd, lanczos");
    scree__list_add(list, sizeof list, "em", true);
    assert_string_equal(list, "svd, lanczos and em");
    scree__list_add(small, sizeof small, "one", true);
    assert_string_equal(small, "one");
    scree__list_add(small, sizeof small, "another", false);
    assert_string_equal(small, "one, an");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
