/* SPDX-License-Identifier: BSD-3-Clause */
/* A format whose reader is in a module (tests/module/squares.c, beside this program): its rows, the choice of columns
 * and weights, what it says when it fails; what it writes, whole or not at all; what it lists; and modules that are not
 * there, or are none. */

#include "support/checks.h"

#include "data/module.h"
#include "data/sink.h"
#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <limits.h>

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

/* All of a file, as a text; "" when there is none. */
static const char *content(const char *path)
{
    static char text[200];
    FILE *file = fopen(path, "r");
    const size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[got] = '\0';
    if (file)
        fclose(file);
    return text;
}

static scree_status write_roots(const char *path, const double *roots, const char *into, scree_error *error)
{
    scree_sink *sink = NULL;
    const scree_write_options options = SIZED(scree_write_options, .into = into);
    const scree__sink_shape shape = {.rows = 2, .cols = 1};
    scree_status status = scree__module_write(&sink, "squares", path, &options, error);
    if (status == SCREE_OK)
        status = scree__sink_begin(sink, &shape, error);
    if (status == SCREE_OK)
        status = scree__sink_write(sink, roots, NULL, 2, 1, error);
    if (status == SCREE_OK)
        status = scree_sink_finish(sink, error);
    scree_sink_free(sink);
    return status;
}

static void test_write(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", file_write("out.squares", "old", 3));
    EXPECT_OK(write_roots(path, (const double[]){1, 2}, NULL, &error), error);
    assert_string_equal(content(path), "SQUARES 2\n");
    EXPECT_OK(write_roots(path, (const double[]){1, 2}, path, &error), error); /* into itself */
    assert_string_equal(content(path), "SQUARES 2\n1\n2\n");
    assert_int_equal(write_roots(path, (const double[]){1, -2}, path, &error), SCREE_ERR_VALUE);
    assert_string_equal(error.text, "a negative root");
    assert_string_equal(content(path), "SQUARES 2\n1\n2\n");
    assert_int_equal(write_roots(path, (const double[]){1, 2}, "/no/such/file", &error), SCREE_ERR_IO);
    assert_string_equal(content(path), "SQUARES 2\n1\n2\n");
    assert_int_equal(write_roots("/dev/null", (const double[]){1, 2}, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "written to plain files only"));
}

static scree_status see(void *context, const scree_part *part, scree_error *error)
{
    (void)error;
    assert_string_equal(part->path, "squares");
    assert_int_equal(part->cols, 3);
    ++*(int *)context;
    return SCREE_OK;
}

static void test_parts(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__bytes *bytes = NULL;
    int seen = 0;
    const scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    EXPECT_OK(scree__bytes_open(&bytes, file_write("four.squares", "SQUARES 4\n", 10), &error), error);
    EXPECT_OK(scree__module_parts("squares", bytes, &plain, see, &seen, &error), error);
    assert_int_equal(seen, 1);
    assert_int_equal(scree__module_parts("empty", bytes, &plain, see, &seen, &error), SCREE_ERR_UNSUPPORTED);
    scree__bytes_close(bytes);
}

static void test_check(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_module_check("squares", &error), SCREE_ERR_ARGUMENT); /* not in the table */
    assert_non_null(scree_table_name(SCREE_TABLE_MODULES, 0));
}

static scree_status see_table(void *context, const scree_part *part, scree_error *error)
{
    (void)error;
    *(scree_part *)context = *part;
    return SCREE_OK;
}

static void test_table_is_one_part(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_part part = SCREE_PART_INIT;
    EXPECT_OK(scree_file_parts(file_write("t.csv", "a,b\n1,2\n3,4\n", 12), NULL, see_table, &part, &error), error);
    assert_null(part.path);
    assert_int_equal(part.cols, 2);
    assert_string_equal(part.kind, "csv");
    assert_string_equal(part.type, "f8");
    assert_int_equal(scree_file_parts("-", NULL, see_table, &part, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_file_parts("/no/such/file", NULL, see_table, &part, &error), SCREE_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_table_is_one_part),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
