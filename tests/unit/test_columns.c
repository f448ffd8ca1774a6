/* SPDX-License-Identifier: BSD-3-Clause */
/* Column specs: names, numbers, ranges, and what a wrong one is told. */

#include "data/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *names[] = {"height", "width", "x-y", "7", "a,b", "depth", "twin", "twin"};
static char *short_names[] = {"a", "b", "c", "d", "8", "f", "g", "h"};
enum { COLS = 8 };

static void expect(const char *spec, char **table, int64_t count, const int64_t *wanted)
{
    int64_t *index = NULL;
    int64_t found = 0;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__columns_parse(&index, &found, spec, table, COLS, "f.csv", &error), SCREE_OK);
    assert_int_equal(found, count);
    assert_memory_equal(index, wanted, (size_t)count * sizeof *wanted);
    free(index);
}

static void refuse(const char *spec, char **table, const char *part)
{
    int64_t *index = NULL;
    int64_t found = 0;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__columns_parse(&index, &found, spec, table, COLS, "f.csv", &error), SCREE_ERR_ARGUMENT);
    assert_null(index);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

static void test_specs(void **state)
{
    (void)state;
    expect("height", names, 1, (int64_t[]){0});
    expect(" width , 1 ", names, 2, (int64_t[]){1, 0});
    expect("2-4,6", names, 4, (int64_t[]){1, 2, 3, 5});
    expect("height-x-y", names, 3, (int64_t[]){0, 1, 2});
    expect("x-y", names, 1, (int64_t[]){2});
    expect("a,b", names, 1, (int64_t[]){4});
    expect("\"a,b\"", names, 1, (int64_t[]){4});
    expect("height, \"a,b\" ,6", names, 3, (int64_t[]){0, 4, 5});
    expect("\"7\"", names, 1, (int64_t[]){3});
    expect("7", names, 1, (int64_t[]){3});
    expect("7", NULL, 1, (int64_t[]){6});
    expect("1-8", NULL, 8, (int64_t[]){0, 1, 2, 3, 4, 5, 6, 7});
}

static void test_wrong_specs(void **state)
{
    (void)state;
    refuse("\"999\"", names, "there is no column '999'");
    refuse("\"a,b", names, "there is no column");
    refuse("hieght", names, "did you mean 'height'?");
    refuse("Depht", names, "did you mean 'depth'?");
    refuse("Widht", names, "did you mean 'width'?");
    refuse("8x", short_names, "did you mean '8'?");
    refuse("F", short_names, "did you mean 'f'?");
    refuse("q", short_names, "there is no column 'q'; choose by name or by number");
    refuse("z", names, "there is no column 'z'; choose by name or by number");
    refuse("zzzzzz", names, "by name or by number from 1 to 8");
    refuse("height", NULL, "choose by number from 1 to 8");
    refuse("0", NULL, "no column '0'");
    refuse("9", NULL, "no column '9'");
    refuse("99999999999999999999999", NULL, "no column");
    refuse("1,,2", NULL, "no column ''");
    refuse("", NULL, "no column ''");
    refuse("4-2", NULL, "backwards");
    refuse("1-3,2", NULL, "column 2 is chosen twice");
    refuse("twin", names, "two columns are named 'twin'");
}

static void test_one_column(void **state)
{
    (void)state;
    int64_t column = -1;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__columns_find(&column, "depth", names, COLS, "f.csv", &error), SCREE_OK);
    assert_int_equal(column, 5);
    assert_int_equal(scree__columns_find(&column, "8", names, COLS, "f.csv", &error), SCREE_OK);
    assert_int_equal(column, 7);
    assert_int_equal(scree__columns_find(&column, "widht", names, COLS, "f.csv", &error), SCREE_ERR_ARGUMENT);
    assert_string_equal(error.text, "f.csv: there is no column 'widht'; did you mean 'width'?");
}

static void expect_choice(const char *columns, const char *weights, int64_t count, const int64_t *wanted)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    int64_t *index = NULL;
    int64_t found = 0;
    options.columns = columns;
    options.weights = weights;
    assert_int_equal(scree__columns_choose(&index, &found, &options, names, COLS, "f.csv", NULL), SCREE_OK);
    assert_int_equal(found, count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(index[i], wanted[i]);
    free(index);
}

static void test_weights_come_last(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    int64_t *index = NULL;
    int64_t count = 0;
    expect_choice("3,1", NULL, 2, (const int64_t[]){2, 0});
    expect_choice("3,1", "2", 3, (const int64_t[]){2, 0, 1});
    expect_choice("3,1-2", "1", 3, (const int64_t[]){2, 1, 0});
    expect_choice(NULL, "depth", COLS, (const int64_t[]){0, 1, 2, 3, 4, 6, 7, 5});
    options.columns = options.weights = "depth";
    assert_int_equal(scree__columns_choose(&index, &count, &options, names, COLS, "f.csv", &error), SCREE_ERR_ARGUMENT);
    assert_null(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_specs),
        cmocka_unit_test(test_wrong_specs),
        cmocka_unit_test(test_one_column),
        cmocka_unit_test(test_weights_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
