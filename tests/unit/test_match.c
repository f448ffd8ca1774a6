/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns found by name in any order, or by width where there are no names; what does not fit is named. */

#include "answer/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "made_model.h"
#include "support/calls.h"

static const char *const abc[] = {"a", "b", "c"};

static const double zeros[16];

static scree_source *made_source(int64_t cols, const char *const *names)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(zeros, SCREE_F64, 1, cols), NULL), SCREE_OK);
    if (names)
        source->about.columns = scree__strings_copy(names, cols);
    return source;
}

/* The columns found, as numbers; "as they stand"; or the error. */
static const char *match(const char *const *model_names, int64_t cols, const char *const *names)
{
    static char text[1024];
    scree_model *model = made_model(3, 2, 0.0, false, model_names);
    scree_source *source = made_source(cols, names);
    scree_error error = SCREE_ERROR_INIT;
    int64_t *columns = NULL;
    scree_status status = scree__match_columns(&columns, model, source, &error);
    if (status != SCREE_OK)
        snprintf(text, sizeof text, "%s", error.text);
    else if (!columns)
        snprintf(text, sizeof text, "as they stand");
    else
        snprintf(text, sizeof text, "%d %d %d", (int)columns[0], (int)columns[1], (int)columns[2]);
    assert_true(status == SCREE_OK || (status == SCREE_ERR_SHAPE && !columns));
    free(columns);
    scree_source_free(source);
    scree_model_free(model);
    return text;
}

static void names_are_found_in_any_order(void **state)
{
    (void)state;
    assert_string_equal(match(abc, 3, abc), "as they stand");
    assert_string_equal(match(abc, 3, (const char *const[]){"c", "a", "b"}), "1 2 0");
    assert_string_equal(match(abc, 5, (const char *const[]){"x", "c", "y", "b", "a"}), "4 3 1");
    assert_string_equal(match(abc, 4, (const char *const[]){"a", "b", "c", "d"}), "as they stand");
}

static void missing_names_are_told(void **state)
{
    (void)state;
    static const char advice[] = "; give data with the columns that the model was fitted on";
    char expected[256];
    snprintf(expected, sizeof expected, "memory: columns of the model are missing: 'b'%s", advice);
    assert_string_equal(match(abc, 3, (const char *const[]){"c", "a", "B"}), expected);
    snprintf(expected, sizeof expected, "memory: columns of the model are missing: 'a', 'b', 'c'%s", advice);
    assert_string_equal(match(abc, 1, (const char *const[]){"z"}), expected);
}

static void long_lists_are_cut(void **state)
{
    (void)state;
    static const char *const five[] = {"a", "b", "c", "d", "e"};
    scree_model *model = made_model(5, 2, 0.0, false, five);
    scree_source *source = made_source(3, (const char *const[]){"x", "y", "z"});
    scree_error error = SCREE_ERROR_INIT;
    int64_t *columns = NULL;
    assert_int_equal(scree__match_columns(&columns, model, source, &error), SCREE_ERR_SHAPE);
    assert_non_null(strstr(error.text, "missing: 'a', 'b', 'c' and 2 more;"));
    scree_source_free(source);
    scree_model_free(model);
}

static void doubtful_names_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"a", "b", "a"};
    assert_string_equal(match(twice, 3, twice), "as they stand");
    assert_non_null(strstr(match(abc, 4, (const char *const[]){"a", "c", "b", "b"}), "there are several columns 'b'"));
    assert_string_equal(match(abc, 5, (const char *const[]){"x", "c", "b", "a", "x"}), "3 2 1");
}

static void repeated_names_are_matched_in_order(void **state)
{
    (void)state;
    static const char *const twice[] = {"a", "b", "b"};
    assert_string_equal(match(twice, 3, (const char *const[]){"b", "a", "b"}), "1 0 2");
    assert_string_equal(match(twice, 4, (const char *const[]){"b", "x", "b", "a"}), "3 0 2");
    assert_string_equal(match(twice, 2, (const char *const[]){"b", "a"}),
                        "memory: columns of the model are missing: 'b' (number 2 of that name); give data with the "
                        "columns that the model was fitted on");
    assert_non_null(strstr(match(twice, 3, (const char *const[]){"a", "b", "x"}), "missing: 'b' (number 2 of"));
    assert_non_null(strstr(match(twice, 2, (const char *const[]){"x", "a"}),
                           "missing: 'b' (number 1 of that name), 'b' (number 2 of that name);"));
    assert_non_null(strstr(match(twice, 4, (const char *const[]){"b", "b", "b", "a"}),
                           "there are several columns 'b', more than the model has; rename"));
}

static void widths_decide_without_names(void **state)
{
    (void)state;
    assert_string_equal(match(NULL, 3, abc), "as they stand");
    assert_string_equal(match(abc, 3, NULL), "as they stand");
    assert_string_equal(match(abc, 4, NULL), "memory: rows have 4 columns where the model has 3; give data with the "
                                             "columns that the model was fitted on");
    assert_non_null(strstr(match(NULL, 2, NULL), "2 columns where the model has 3"));
}

/* The same for codes of a model of two components. */
static const char *match_made(bool white, int64_t cols, const char *const *names)
{
    static char text[1024];
    scree_model *model = made_model(3, 2, 0.0, false, abc);
    scree_source *codes = made_source(cols, names);
    scree_error error = SCREE_ERROR_INIT;
    int64_t *columns = NULL;
    scree_status status = (white ? scree__match_whitened : scree__match_codes)(&columns, model, codes, &error);
    if (status != SCREE_OK)
        snprintf(text, sizeof text, "%s", error.text);
    else if (!columns)
        snprintf(text, sizeof text, "as they stand");
    else
        snprintf(text, sizeof text, "%d %d", (int)columns[0], (int)columns[1]);
    assert_true(status == SCREE_OK || !columns);
    free(columns);
    scree_source_free(codes);
    scree_model_free(model);
    return text;
}

static const char *match_codes(int64_t cols, const char *const *names)
{
    return match_made(false, cols, names);
}

static void codes_have_the_models_width(void **state)
{
    (void)state;
    assert_string_equal(match_codes(2, NULL), "as they stand");
    assert_string_equal(match_codes(2, (const char *const[]){"x", "y"}), "as they stand");
    assert_non_null(strstr(match_codes(3, NULL), "codes have 3 columns where the model has 2 components"));
    assert_non_null(strstr(match_codes(3, abc), "codes have 3 columns where the model has 2 components"));
    assert_non_null(strstr(match_codes(1, NULL), "codes have 1 column where"));
}

static void codes_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(match_codes(2, (const char *const[]){"pc1", "pc2"}), "as they stand");
    assert_string_equal(match_codes(2, (const char *const[]){"pc2", "pc1"}), "1 0");
    assert_string_equal(match_codes(5, (const char *const[]){"pc3", "pc2", "x", "pc1", "pc10"}), "3 1");
    assert_non_null(strstr(match_codes(2, (const char *const[]){"pc1", "pc3"}), "there is no column 'pc2'"));
    assert_non_null(strstr(match_codes(3, (const char *const[]){"pc1", "pc2", "pc1"}), "several columns 'pc1'"));
    assert_string_equal(match_codes(2, (const char *const[]){"pc", "pc2x"}), "as they stand");
}

static void other_numbers_are_not_codes(void **state)
{
    (void)state;
    static const char *const means[] = {"m1", "m2"};
    static const char *const factors[] = {"rc1", "rc2"};
    static const char *const white[] = {"w1", "w2"};
    assert_non_null(strstr(match_codes(2, means), "its columns m1, ... are posterior means"));
    assert_non_null(strstr(match_codes(2, factors), "its columns rc1, ... are codes of a rotated model"));
    assert_non_null(strstr(match_codes(2, (const char *const[]){"z1", "z2"}), "are codes of an auto-encoder"));
    assert_non_null(strstr(match_codes(2, white), "are whitened codes; reconstruct them as such (--whiten)"));
    assert_non_null(strstr(match_made(true, 2, (const char *const[]){"pc1", "pc2"}), "pc1, ... are codes that are not "
                                                                                     "whitened"));
    assert_non_null(strstr(match_made(true, 2, means), "whitened codes of this model are called w1, ...:"));
    assert_string_equal(match_made(true, 2, (const char *const[]){"w2", "w1"}), "1 0");
    assert_string_equal(match_made(true, 2, NULL), "as they stand");
    assert_string_equal(match_codes(4, (const char *const[]){"w1", "m1", "pc1", "pc2"}), "2 3");
    assert_string_equal(match_codes(2, (const char *const[]){"m", "weight1"}), "as they stand");
}

static void rows_are_not_codes(void **state)
{
    (void)state;
    scree_model *model = made_model(3, 3, 0.0, false, abc);
    scree_source *rows = made_source(3, abc);
    scree_error error = SCREE_ERROR_INIT;
    int64_t *columns = NULL;
    assert_int_equal(scree__match_codes(&columns, model, rows, &error), SCREE_ERR_SHAPE);
    assert_non_null(strstr(error.text, "these are rows"));
    scree_source_free(rows);
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_in_any_order),
        cmocka_unit_test(missing_names_are_told),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(doubtful_names_are_refused),
        cmocka_unit_test(repeated_names_are_matched_in_order),
        cmocka_unit_test(widths_decide_without_names),
        cmocka_unit_test(codes_have_the_models_width),
        cmocka_unit_test(codes_are_found_by_name),
        cmocka_unit_test(rows_are_not_codes),
        cmocka_unit_test(other_numbers_are_not_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
