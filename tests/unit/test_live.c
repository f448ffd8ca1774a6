/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipes that pause: what has come is lent while the writer holds the pipe open, in CSV, NPY and raw numbers; a row that
 * has come in part waits for its rest; scree_input_stop ends after whole rows. A reader that waited for more would hang
 * here. Rows that cannot be used are told of. */

#include "support/checks.h"

#include "data/live.h"
#include "data/source.h"
#include "data/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A pipe and a source that reads it; begun: bytes that stand in it before it is opened. */
typedef struct pair {
    int writer;
    scree_source *source;
} pair;

static void put(const pair *pipe, const void *data, size_t size)
{
    assert_int_equal(write(pipe->writer, data, size), (ssize_t)size);
}

static pair open_pair(const void *begun, size_t size, const char *format, scree_on_error on_error)
{
    int ends[2];
    char path[32];
    pair pipes;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.live = true;
    options.format = format;
    options.on_error = on_error;
    assert_int_equal(pipe(ends), 0);
    pipes.writer = ends[1];
    put(&pipes, begun, size);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    EXPECT_OK(scree_source_open(&pipes.source, path, &options, &error), error);
    close(ends[0]);
    return pipes;
}

/* The next block has so many rows, of which the first cell of the first is that. */
static void expect_rows(const pair *pipe, int64_t rows, double first)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    EXPECT_OK(scree__source_next(pipe->source, &block, &error), error);
    assert_int_equal(block.rows, rows);
    if (rows > 0)
        assert_true(((const double *)block.data)[0] == first);
}

static void csv_is_lent_as_it_comes(void **state)
{
    (void)state;
    const char text[] = "a,b\n1,2\n";
    pair pipe = open_pair(text, sizeof text - 1, NULL, SCREE_STOP);
    assert_true(pipe.source->live);
    expect_rows(&pipe, 1, 1);
    put(&pipe, "3,4\n5,", 6);
    expect_rows(&pipe, 1, 3);
    put(&pipe, "6\n7,8\n", 6);
    expect_rows(&pipe, 2, 5);
    put(&pipe, "9,10", 4);
    close(pipe.writer);
    expect_rows(&pipe, 1, 9);
    expect_rows(&pipe, 0, 0);
    scree_source_free(pipe.source);
}

/* The same in Latin-1, and in UTF-16 with a letter that comes in two parts. */
static void other_encodings_are_lent_as_they_come(void **state)
{
    (void)state;
    const char latin[] = "\xe4,b\n1,2\n";
    pair pipe = open_pair(latin, sizeof latin - 1, NULL, SCREE_STOP);
    assert_true(pipe.source->live);
    assert_string_equal(scree_source_column(pipe.source, 0), "\xc3\xa4");
    expect_rows(&pipe, 1, 1);
    put(&pipe, "3,4\n5,", 6);
    expect_rows(&pipe, 1, 3);
    put(&pipe, "6\n", 2);
    close(pipe.writer);
    expect_rows(&pipe, 1, 5);
    expect_rows(&pipe, 0, 0);
    scree_source_free(pipe.source);
    pipe = open_pair("\xff\xfe"
                     "1\0,\0"
                     "2\0\n\0"
                     "3",
                     11, NULL, SCREE_STOP);
    expect_rows(&pipe, 1, 1);
    put(&pipe,
        "\0,\0"
        "4\0\n\0"
        "5",
        8);
    expect_rows(&pipe, 1, 3);
    scree_input_stop(true);
    expect_rows(&pipe, 0, 0);
    scree_input_stop(false);
    close(pipe.writer);
    scree_source_free(pipe.source);
}

static void numbers_are_lent_as_they_come(void **state)
{
    (void)state;
    const double rows[] = {1, 2, 3, 4, 5, 6};
    char head[128] = "\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
    memset(head + 10 + strlen(head + 10), ' ', sizeof head - 10 - strlen(head + 10));
    head[127] = '\n';
    for (int raw = 0; raw < 2; raw++) {
        pair pipe = open_pair(raw ? (const void *)rows : head, raw ? 16 : sizeof head, raw ? "f8:2" : NULL, SCREE_STOP);
        if (!raw)
            put(&pipe, rows, 16);
        expect_rows(&pipe, 1, 1);
        put(&pipe, rows + 2, 20);
        expect_rows(&pipe, 1, 3);
        put(&pipe, (const char *)(rows + 4) + 4, 12);
        expect_rows(&pipe, 1, 5);
        close(pipe.writer);
        expect_rows(&pipe, 0, 0);
        scree_source_free(pipe.source);
    }
}

static void a_stop_ends_after_whole_rows(void **state)
{
    (void)state;
    const double row[] = {1, 2, 3};
    pair text = open_pair("1,2\n3,4\n5,", 10, "csv", SCREE_STOP);
    pair raw = open_pair(row, sizeof row, "f8:2", SCREE_STOP);
    expect_rows(&text, 2, 1);
    expect_rows(&raw, 1, 1);
    scree_input_stop(true);
    assert_true(scree__input_stopped());
    expect_rows(&text, 0, 0);
    expect_rows(&raw, 0, 0);
    scree_input_stop(false);
    scree_source_free(text.source);
    scree_source_free(raw.source);
    close(text.writer);
    close(raw.writer);
}

/* Of a pipe and a file that are read as one, the file is not begun after a stop. */
static void a_stop_ends_all_parts(void **state)
{
    (void)state;
    int ends[2];
    char path[32];
    char file[] = "/tmp/scree-live-XXXXXX";
    const char *const paths[] = {path, file};
    pair both;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.live = true;
    options.format = "csv";
    const int plain = mkstemp(file);
    assert_int_equal(write(plain, "7,8\n", 4), 4);
    close(plain);
    assert_int_equal(pipe(ends), 0);
    both.writer = ends[1];
    put(&both, "1,2\n", 4);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    EXPECT_OK(scree_source_open_many(&both.source, paths, 2, &options, &error), error);
    close(ends[0]);
    expect_rows(&both, 1, 1);
    scree_input_stop(true);
    expect_rows(&both, 0, 0);
    scree_input_stop(false);
    scree_source_free(both.source);
    close(both.writer);
    unlink(file);
}

/* An error that a later row has comes after the rows before it; truncation too. */
static void errors_come_last(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    pair text = open_pair("1,2\n3,x\n5,6\n", 12, "csv", SCREE_STOP);
    expect_rows(&text, 1, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(scree__source_next(text.source, &block, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "line 2, column 2: 'x' is not a number"));
    }
    close(text.writer);
    scree_source_free(text.source);
    const double row[] = {1, 2, 3};
    pair raw = open_pair(row, sizeof row, "f8:2", SCREE_STOP);
    close(raw.writer);
    expect_rows(&raw, 1, 1);
    assert_int_equal(scree__source_next(raw.source, &block, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "ends inside of row 2, after 8 of its 16 bytes"));
    scree_source_free(raw.source);
}

static void bad_rows_are_marked(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    const char text[] = "1,2\n3,x\n\n4\n\"5\",\"6\"\n1,2,3\n7,8\n";
    const uint8_t bad[] = {0, 1, 1, 0, 1, 0};
    pair pipe = open_pair(text, sizeof text - 1, "csv", SCREE_NAN);
    EXPECT_OK(scree__source_next(pipe.source, &block, &error), error);
    assert_int_equal(block.rows, COUNT_OF(bad));
    assert_memory_equal(block.bad, bad, sizeof bad);
    assert_int_equal(scree_source_faults(pipe.source), 3);
    assert_true(((const double *)block.data)[6] == 5 && ((const double *)block.data)[11] == 8);
    close(pipe.writer);
    scree_source_free(pipe.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_lent_as_it_comes),
        cmocka_unit_test(numbers_are_lent_as_they_come),
        cmocka_unit_test(a_stop_ends_after_whole_rows),
        cmocka_unit_test(errors_come_last),
        cmocka_unit_test(bad_rows_are_marked),
        cmocka_unit_test(a_stop_ends_all_parts),
        cmocka_unit_test(other_encodings_are_lent_as_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
