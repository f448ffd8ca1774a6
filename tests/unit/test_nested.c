/* SPDX-License-Identifier: BSD-3-Clause */
/* FILE:PART: where the name of the file ends, and which formats take a part. */

#include "support/checks.h"

#include "data/nested.h"
#include "temporary_folder.h"

static const scree_read_options plain = SCREE_READ_OPTIONS_INIT;

/* What stands for the part and for the file within the folder. */
static void expect_split(const char *name, const char *file, const char *part)
{
    scree__nested nested = {0};
    const char *path = folder_path(name);
    assert_int_equal(scree__nested_split(&nested, path, &plain, NULL), SCREE_OK);
    assert_string_equal(nested.file, folder_path(file));
    assert_int_equal(nested.part != NULL, part != NULL);
    if (part)
        assert_string_equal(nested.part, part);
    scree__nested_clear(&nested);
}

static void test_split(void **state)
{
    (void)state;
    file_write("a", "1\n", 2);
    file_write("b:c", "1\n", 2);
    file_write("b:c:d", "1\n", 2);
    expect_split("a", "a", NULL);
    expect_split("a:x", "a", "x");
    expect_split("a:/x:y", "a", "/x:y");
    expect_split("b:c", "b:c", NULL);
    expect_split("b:c:d", "b:c:d", NULL);
    expect_split("b:c:e", "b:c", "e");
    expect_split("b:c:d:e:f", "b:c:d", "e:f");
    expect_split("b:e", "b:e", NULL);
    expect_split("none", "none", NULL);
    expect_split(":x", ":x", NULL); /* the folder has no parts */
}

static void test_both(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__nested nested = {0};
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.dataset = "y";
    file_write("a", "1\n", 2);
    assert_int_equal(scree__nested_split(&nested, folder_path("a"), &options, &error), SCREE_OK);
    assert_string_equal(nested.part, "y");
    assert_int_equal(scree__nested_split(&nested, folder_path("a:x"), &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "so does --dataset y"));
    scree__nested_clear(&nested);
}

static void test_formats(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    file_write("a.csv", "x,y\n1,2\n3,4\n", 12);
    assert_int_equal(scree_source_open(&source, folder_path("a.csv:x"), NULL, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "a.csv:x: there is no such file"));
    assert_non_null(strstr(error.text, "is read as csv, which has no parts"));
    options.dataset = "x";
    assert_int_equal(scree_source_open(&source, folder_path("a.csv"), &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "--dataset names one"));
    assert_int_equal(scree_source_open(&source, folder_path("b.csv:x"), NULL, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "b.csv:x"));
    assert_null(source);
    file_write("b.csv:x", "x,y\n1,2\n3,4\n", 12);
    EXPECT_OK(scree_source_open(&source, folder_path("b.csv:x"), NULL, &error), error);
    assert_int_equal(scree_source_cols(source), 2);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split), cmocka_unit_test(test_both),
                                       cmocka_unit_test(test_formats)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
