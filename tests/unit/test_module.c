/* SPDX-License-Identifier: BSD-3-Clause */
/* A format whose reader is in a module (tests/module/squares.c, beside this program): its rows, the choice of columns
 * and weights, what it says when it fails; and modules that are not there, or are none. */

#include "support/checks.h"

#include "data/module.h"
#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

static scree_status open_by(scree_source **out, const char *module, const char *path, const scree_read_options *options,
                            scree_error *error)
{
    const scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    scree__bytes *bytes = NULL;
    EXPECT_OK(scree__bytes_open(&bytes, path, error), *error);
    const scree_status status = scree__module_open(out, module, bytes, options ? options : &plain, error);
    if (status != SCREE_OK)
        scree__bytes_close(bytes);
    return status;
}

static void test_rows(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    const char *path = file_write("four.squares", "SQUARES 4\n", 10);
    EXPECT_OK(open_by(&source, "squares", path, NULL, &error), error);
    assert_string_equal(scree_source_name(source), path);
    assert_string_equal(scree_source_column(source, 1), "square");
    assert_int_equal(scree_source_rows(source), 4);
    for (int64_t i = 1; i <= 4; i++) {
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_int_equal(block.rows, 1);
        assert_true(((const double *)block.data)[1] == (double)(i * i));
    }
    assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
    assert_int_equal(block.rows, 0);
    scree_source_free(source);
}

static void test_columns(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const char *path = file_write("four.squares", "SQUARES 4\n", 10);
    EXPECT_OK(open_by(&source, "squares", path, &SIZED(scree_read_options, .columns = "one,root"), &error), error);
    assert_int_equal(scree_source_cols(source), 2);
    assert_string_equal(scree_source_column(source, 1), "root");
    scree_source_free(source);
    source = NULL;
    EXPECT_OK(open_by(&source, "squares", path, &SIZED(scree_read_options, .weights = "one"), &error), error);
    assert_int_equal(scree_source_cols(source), 3); /* the weights are last: weighted.c takes them off */
    assert_string_equal(scree_source_column(source, 2), "one");
    scree_source_free(source);
    source = NULL;
    assert_int_equal(open_by(&source, "squares", path, &SIZED(scree_read_options, .columns = "cube"), &error),
                     SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "no column 'cube'"));
    assert_null(source);
}

static void test_failures(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const char *path = file_write("none.squares", "circles\n", 8);
    assert_int_equal(open_by(&source, "squares", path, NULL, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "these are no squares"));
    assert_int_equal(open_by(&source, "cubes", path, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "needs the module scree-cubes.so"));
    assert_int_equal(open_by(&source, "empty", path, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "not for this version"));
    assert_null(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
