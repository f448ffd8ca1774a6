/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rows of a CSV begin: counted by any number of processes, each of which looks at a few bytes of it, they are as
 * many as are parsed, and reading from any of them on gives the rows behind it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_file.h"
#include "support/checks.h"
#include "support/together.h"

enum { RANKS = 9 };

/* What one process after another finds of its file. */
typedef struct counting {
    scree_source *source[RANKS];
    int64_t rows[RANKS];
    scree_status status[RANKS];
    scree_error error[RANKS];
} counting;

static void count(void *context, const scree_communicator *with)
{
    counting *c = context;
    const int rank = with->rank;
    c->status[rank] = scree__source_count(c->source[rank], with, &c->rows[rank], &c->error[rank]);
}

static void read_all(table *t, const char *path)
{
    scree_source *source = NULL;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_open(&source, path, NULL, &error), error);
    EXPECT_OK(table_read(t, source, &error), error);
    scree_source_free(source);
}

/* From a row on there are those behind it, with their texts. */
static void expect_rest(scree_source *source, int64_t row, const table *all)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block;
    const int64_t cols = source->about.cols;
    const int64_t texts = source->about.text_count;
    source->about.rows = all->rows;
    EXPECT_OK(scree__source_seek(source, row, &error), error);
    for (int64_t at = row; at < all->rows; at += block.rows) {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        assert_true(block.rows > 0);
        assert_int_equal(block.first, at);
        assert_memory_equal(block.data, all->values + at * cols, (size_t)(block.rows * cols) * sizeof(double));
        for (int64_t i = 0; i < block.rows * texts; i++)
            assert_string_equal(block.text[i], all->text[at * texts + i]);
    }
    EXPECT_OK(scree__source_next(source, &block, &error), error);
    assert_int_equal(block.rows, 0);
}

static void expect_counted(const char *path, int ranks, const table *all)
{
    counting c = {.rows = {0}};
    for (int i = 0; i < ranks; i++) {
        c.error[i] = (scree_error)SCREE_ERROR_INIT;
        EXPECT_OK(scree_source_open(&c.source[i], path, NULL, &c.error[i]), c.error[i]);
    }
    together_run(ranks, count, &c);
    for (int i = 0; i < ranks; i++) {
        EXPECT_OK(c.status[i], c.error[i]);
        assert_int_equal(c.rows[i], all->rows);
        for (int64_t row = i; row < all->rows; row += ranks)
            expect_rest(c.source[i], row, all);
        scree_source_free(c.source[i]);
    }
}

static void expect_text(const char *text)
{
    table all;
    const char *path = file_write("rows.csv", text, strlen(text));
    read_all(&all, path);
    for (int ranks = 1; ranks <= RANKS; ranks++)
        expect_counted(path, ranks, &all);
    table_clear(&all);
}

static void test_plain(void **state)
{
    (void)state;
    expect_text("a,b\n1,2\n3,4\n5,6\n");
    expect_text("1,2\n3,4\n5,6");
    expect_text("a,b\r\n1,2\r\n\r\n3,4\r\n  \r\n5,6\r\n\r\n");
    expect_text("\n\na,b\n\n1,2\n   \n3,4\n5,6\n \n\n");
    expect_text("title\n\na;b;c\n1;2;x\n3;4;\n5;6;y\n");
    expect_text("a b c\n1 2 3\n  4  5 6\n7 8 9\n");
    expect_text("a\tb\tc\n1\t2\t3\n\t4\t5\n\t\t6\n7\t8\t9\n");
}

static void test_empty_lines_at_the_end(void **state)
{
    (void)state;
    expect_text("a,b\n1,2\n3,4\n,\n,\n");
    expect_text("a,b\n1,2\n,\n3,4\n,,\n ,\r\n,");
    expect_text("a,b\n1,2\n3,4\n,\n\n");
}

static void test_quotes(void **state)
{
    (void)state;
    expect_text("name,a\n\"x\ny\",1\n\"1,2\n3,4\n\",2\nplain,3\n\"\",4\n\"q\"\"\n\"\"\",5\n");
    expect_text("a,name\n1,\"\"\"\n\"\"\"\n2,\"\n\n\n\n\n\n\n\n\n\n\n\n\"\n3,\"end\"");
    expect_text("a,name\n1,in\"side\n2,a \"b\n3, \"c\n4,\"d\"e\"f\n5,\"g\"\r\n6,\"\r\n\"\r\n");
    expect_text("name,a\n\" \",1\n \"x,2\n\"\n,\n\",3\n\"\n 9,9\n\",4\n");
}

/* Many rows, of which some texts hold rows themselves; longer than what is read at a time. */
static void test_long(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    char *text = malloc((size_t)ROWS * 90 + 100);
    assert_non_null(text);
    char *p = text + sprintf(text, "a,note,b\n");
    for (int i = 0; i < ROWS; i++)
        p += sprintf(p, "%d,%s,%d.25\n%s", i, i % 7 == 0 ? "\"1,x,2\n3,\"\"y\"\",4\n\"" : "z", i % 13,
                     i % 100 ? "" : "\n");
    const char *path = file_write("long.csv", text, (size_t)(p - text));
    table all;
    read_all(&all, path);
    assert_int_equal(all.rows, ROWS);
    counting c = {.rows = {0}};
    for (int i = 0; i < 3; i++) {
        c.error[i] = (scree_error)SCREE_ERROR_INIT;
        EXPECT_OK(scree_source_open(&c.source[i], path, NULL, &c.error[i]), c.error[i]);
    }
    together_run(3, count, &c);
    static const int64_t rows[3] = {20000, 59999, 41234};
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(c.status[i], c.error[i]);
        assert_int_equal(c.rows[i], ROWS);
        expect_rest(c.source[i], rows[i], &all);
        scree_source_free(c.source[i]);
    }
    table_clear(&all);
    free(text);
}

/* A fault is found in the line that it is in, wherever reading has begun. */
static void test_fault_has_its_line(void **state)
{
    (void)state;
    const char text[] = "a,name\n1,\"x\ny\"\n2,z\n\n3,z\nbad,z\n5,z\n";
    scree_source *source = csv_open_text("fault.csv", text, NULL);
    scree_error error = SCREE_ERROR_INIT;
    scree__block block;
    source->about.rows = 5;
    EXPECT_OK(scree__source_seek(source, 2, &error), error);
    scree_status status = SCREE_OK;
    while (status == SCREE_OK) {
        status = scree__source_next(source, &block, &error);
        assert_true(status != SCREE_OK || block.rows > 0);
    }
    assert_non_null(strstr(error.text, "line 7, column 'a': 'bad'"));
    scree_source_free(source);
}

/* What cannot be told so is left to who parses: *rows is -1 for all. */
static void test_left_to_the_parser(void **state)
{
    (void)state;
    const char text[] = "a,name\n1,x\n2,\"never closed\n3,x\n4,x\n";
    const char *path = file_write("open.csv", text, strlen(text));
    counting c = {.rows = {0}};
    scree_read_options read = SCREE_READ_OPTIONS_INIT;
    read.delimiter = ',';
    for (int i = 0; i < 2; i++) {
        c.error[i] = (scree_error)SCREE_ERROR_INIT;
        EXPECT_OK(scree_source_open(&c.source[i], path, &read, &c.error[i]), c.error[i]);
    }
    together_run(2, count, &c);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(c.status[i], c.error[i]);
        assert_int_equal(c.rows[i], -1);
        scree_source_free(c.source[i]);
    }
}

/* One process sees another file. */
static void test_files_of_other_sizes(void **state)
{
    (void)state;
    const char text[] = "a,b\n1,2\n3,4\n5,6\n7,8\n";
    counting c = {.rows = {0}};
    const char *paths[2] = {file_write("one.csv", text, sizeof text - 1), file_write("two.csv", text, sizeof text - 5)};
    for (int i = 0; i < 2; i++) {
        c.error[i] = (scree_error)SCREE_ERROR_INIT;
        EXPECT_OK(scree_source_open(&c.source[i], paths[i], NULL, &c.error[i]), c.error[i]);
    }
    together_run(2, count, &c);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(c.status[i], SCREE_ERR_SHAPE);
        assert_non_null(strstr(c.error[i].text, "is not of one size"));
        scree_source_free(c.source[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_empty_lines_at_the_end),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_fault_has_its_line),
        cmocka_unit_test(test_left_to_the_parser),
        cmocka_unit_test(test_files_of_other_sizes),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
