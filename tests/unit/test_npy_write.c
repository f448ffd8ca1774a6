/* SPDX-License-Identifier: BSD-3-Clause */
/* NPY out: what is written reads back the same; values that do not fit, and rows that are not known, are told. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"
#include "data/sink.h"
#include "support/calls.h"

static const double rows[3][2] = {{0, 1}, {255, 7}, {42, 100}};
static const char *const names[] = {"left", "right"};

static scree_status write_rows(const char *path, scree_type type, int64_t announced, const double *data, int64_t count,
                               scree_error *error)
{
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    const scree__sink_shape shape = {.rows = announced, .cols = 2, .columns = names};
    scree_sink *sink = NULL;
    options.type = type;
    scree_status status = scree_sink_open(&sink, path, &options, error);
    if (status == SCREE_OK)
        status = scree__sink_begin(sink, &shape, error);
    if (status == SCREE_OK)
        status = scree__sink_write(sink, data, NULL, count, 1, error);
    if (status == SCREE_OK)
        status = scree_sink_finish(sink, error);
    scree_sink_free(sink);
    return status;
}

static void test_reads_back(void **state)
{
    (void)state;
    static const scree_type types[] = {SCREE_F32, SCREE_F64, SCREE_U8};
    static const int64_t announced[] = {3, -1, 5};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int64_t count = 0; count < 4; count += 3) {
                double values[6];
                scree_source *source = NULL;
                const char *path = folder_path("out.npy");
                assert_int_equal(write_rows(path, types[i], announced[j], &rows[0][0], count, NULL), SCREE_OK);
                assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
                assert_int_equal(scree_source_type(source), types[i]);
                assert_int_equal(scree_source_rows(source), count);
                assert_int_equal(scree_source_cols(source), 2);
                assert_int_equal(read_doubles(source, values, 6, NULL), 2 * count);
                assert_memory_equal(values, rows, (size_t)count * sizeof rows[0]);
                scree_source_free(source);
            }
    assert_int_equal(folder_walk(0), 1);
}

static void test_values_that_do_not_fit(void **state)
{
    (void)state;
    static const double bad[] = {0.5, -1, 256, 1e300};
    scree_error error = SCREE_ERROR_INIT;
    for (int i = 0; i < 4; i++) {
        double data[4] = {1, 2, 3, bad[i]};
        assert_int_equal(write_rows(folder_path("u.npy"), SCREE_U8, 2, data, 2, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "u.npy: row 2, column 'right': "));
    }
    double large[2] = {1e300, 0};
    assert_int_equal(write_rows(folder_path("f.npy"), SCREE_F32, 1, large, 1, &error), SCREE_ERR_VALUE);
    assert_int_equal(folder_walk(0), 0);
}

static void test_where_it_cannot_go(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    scree_write_options options = SIZED(scree_write_options, .format = "npy");
    const scree__sink_shape shape = {.rows = -1, .cols = 2};
    assert_int_equal(scree_sink_open(&sink, "-", &options, &error), SCREE_OK);
    assert_int_equal(scree__sink_begin(sink, &shape, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "standard output: NPY begins with the number of rows"));
    scree_sink_free(sink);
    sink = NULL;
    assert_int_equal(scree_sink_open(&sink, folder_path("x.npy.gz"), NULL, &error), SCREE_ERR_UNSUPPORTED);
    options.format = "png";
    assert_int_equal(scree_sink_open(&sink, folder_path("x"), &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "csv, tsv, npy"));
    assert_null(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_back, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_values_that_do_not_fit, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_where_it_cannot_go, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
