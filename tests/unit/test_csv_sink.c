/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV and TSV as a sink: the header, quotes, numbers, the same file for any number of threads, and back again. */

#include "data/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_file.h"

static scree_sink *sink_open(const char *path, const scree__sink_shape *shape)
{
    scree_sink *sink = NULL;
    scree_error error = SCREE_ERROR_INIT;
    if (scree_sink_open(&sink, path, NULL, &error) != SCREE_OK || scree__sink_begin(sink, shape, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    return sink;
}

static void expect_file(const char *path, const char *wanted)
{
    size_t size;
    unsigned char *text = file_read(path, &size);
    assert_string_equal((const char *)text, wanted);
    free(text);
}

static void test_cells(void **state)
{
    (void)state;
    const char *columns[] = {"x", "y,z"};
    const char *names[] = {"name"};
    const char *text[] = {"plain", "a,b", "say \"hi\"", "two\nlines", " padded", ""};
    const double values[] = {1, 2.5, 0.1, -3, 1e-7, 1e300, (double)NAN, (double)INFINITY, 0, -0.0, 123456, 1.0 / 3};
    scree__sink_shape shape = {.rows = 6, .cols = 2, .columns = columns, .text_count = 1, .text_names = names};
    const char *path = folder_path("cells.csv");
    scree_sink *sink = sink_open(path, &shape);
    assert_int_equal(scree__sink_write(sink, values, text, 6, 2, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    expect_file(path, "name,x,\"y,z\"\nplain,1,2.5\n\"a,b\",0.1,-3\n\"say \"\"hi\"\"\",1e-7,1e300\n"
                      "\"two\nlines\",nan,inf\n\" padded\",0,-0\n,123456,0.3333333333333333\n");
}

static void test_tsv_without_names(void **state)
{
    (void)state;
    const char *path = folder_path("cells.tsv");
    scree__sink_shape shape = {.rows = -1, .cols = 3};
    scree_sink *sink = sink_open(path, &shape);
    assert_int_equal(scree__sink_write(sink, (double[]){1, 2, 3}, NULL, 1, 1, NULL), SCREE_OK);
    assert_int_equal(scree__sink_write(sink, (double[]){4, 5, 6}, NULL, 1, 1, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    expect_file(path, "c1\tc2\tc3\n1\t2\t3\n4\t5\t6\n");
}

static void test_texts_behind(void **state)
{
    (void)state;
    const char *columns[] = {"x"};
    const char *names[] = {"name", "why", "how"};
    const char *text[] = {"a", "b, c", "", "d", "", "e"};
    const char *path = folder_path("behind.csv");
    scree__sink_shape shape = {
        .rows = 2, .cols = 1, .columns = columns, .text_count = 3, .text_names = names, .text_behind = 2};
    scree_sink *sink = sink_open(path, &shape);
    assert_int_equal(scree__sink_write(sink, (double[]){1, 2}, text, 2, 1, NULL), SCREE_OK);
    assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
    scree_sink_free(sink);
    expect_file(path, "name,x,why,how\na,1,\"b, c\",\nd,2,,e\n");
}

static void test_unfinished_leaves_nothing(void **state)
{
    (void)state;
    int before = folder_walk(0);
    scree__sink_shape shape = {.rows = -1, .cols = 1};
    scree_sink *sink = sink_open(folder_path("unfinished.csv"), &shape);
    assert_int_equal(scree__sink_write(sink, (double[]){1}, NULL, 1, 1, NULL), SCREE_OK);
    scree_sink_free(sink);
    assert_int_equal(folder_walk(0), before);
}

/* Many parts, on 1, 2 and 3 threads, in writes of uneven length; every bit is there when it is read back. */
static void test_round_trip(void **state)
{
    (void)state;
    enum { ROWS = 20001, COLS = 5 };
    double *values = scree__alloc(ROWS * COLS, sizeof *values);
    const char **text = scree__alloc(ROWS, sizeof *text);
    const char *names[] = {"kind"};
    static const char *const kinds[] = {"stone", "a \"pebble\"", "sand, wet", "x\ty"};
    assert_true(values && text);
    for (int64_t i = 0; i < ROWS * COLS; i++)
        values[i] = sin((double)i) * pow(10, (double)(i % 40) - 20);
    for (int64_t i = 0; i < ROWS; i++)
        text[i] = kinds[i % 4];
    for (int threads = 1; threads <= 3; threads++) {
        const char *path = folder_path(threads == 2 ? "trip.tsv" : "trip.csv");
        scree__sink_shape shape = {.rows = ROWS, .cols = COLS, .text_count = 1, .text_names = names};
        scree_source *source = NULL;
        table t;
        scree_sink *sink = sink_open(path, &shape);
        assert_int_equal(scree__sink_write(sink, values, text, 17, threads, NULL), SCREE_OK);
        assert_int_equal(scree__sink_write(sink, values + (int64_t)17 * COLS, text + 17, ROWS - 17, threads, NULL),
                         SCREE_OK);
        assert_int_equal(scree_sink_finish(sink, NULL), SCREE_OK);
        scree_sink_free(sink);
        assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
        assert_int_equal(table_read(&t, source, NULL), SCREE_OK);
        assert_int_equal(t.rows, ROWS);
        assert_memory_equal(t.values, values, ROWS * COLS * sizeof *values);
        for (int64_t i = 0; i < ROWS; i++)
            assert_string_equal(t.text[i], text[i]);
        table_clear(&t);
        scree_source_free(source);
    }
    free(values);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),        cmocka_unit_test(test_tsv_without_names),
        cmocka_unit_test(test_texts_behind), cmocka_unit_test(test_unfinished_leaves_nothing),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
