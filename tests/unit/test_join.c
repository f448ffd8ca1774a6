/* SPDX-License-Identifier: BSD-3-Clause */
/* Several files as one source: rows, types, names, texts, rewinding, slices, and which row is in which file. Read ahead
 * they are shared by threads: the thread sanitizer watches this test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"

enum { MOST = 64 };

/* An NPY of rows×2 with elements from, from + 1, ... */
static const char *npy(const char *name, const char *descr, int rows, int from)
{
    image file = {0};
    char text[118];
    const unsigned char fixed[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char words[100];
    snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, 2), }", descr, rows);
    snprintf(text, sizeof text, "%-117s", words);
    text[117] = '\n';
    put(&file, fixed, 10);
    put(&file, text, 118);
    for (int k = 0; k < 2 * rows; k++)
        put_bits(&file, bits_of(descr[1], descr[2] - '0', from + k), descr[2] - '0', 0);
    return file_write(name, file.bytes, file.size);
}

static const char *text_file(const char *name, const char *text)
{
    return file_write(name, text, strlen(text));
}

static scree_source *open_many(const char *const *paths, int64_t count)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_status status = scree_source_open_many(&source, paths, count, NULL, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(status, SCREE_OK);
    return source;
}

/* The rows are 0, 1, 2, ... from first on, count numbers in all. */
static void expect_numbers(scree_source *source, int first, int count)
{
    double values[MOST];
    assert_int_equal(read_doubles(source, values, MOST, NULL), count);
    for (int k = 0; k < count; k++)
        assert_true(values[k] == first + k);
}

static void test_rows_blocks_rewind(void **state)
{
    (void)state;
    const char *paths[] = {npy("a.npy", "<f4", 3, 0), npy("b.npy", "<f4", 0, 0), npy("c.npy", "<f4", 4, 6)};
    scree_source *source = open_many(paths, 3);
    assert_int_equal(scree_source_rows(source), 7);
    assert_int_equal(scree_source_cols(source), 2);
    assert_int_equal(scree_source_type(source), SCREE_F32);
    assert_non_null(strstr(scree_source_name(source), "a.npy and 2 more"));
    for (int64_t rows = 1; rows < 9; rows++) {
        source->block_rows = rows;
        expect_numbers(source, 0, 14);
        expect_numbers(source, 0, 0); /* the end again */
        assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
    }
    scree_source_free(source);
}

static void test_read_ahead(void **state)
{
    (void)state;
    scree_source *ahead = NULL;
    const char *paths[] = {npy("a.npy", "|u1", 3, 0), npy("b.npy", "<f4", 2, 6), npy("c.npy", "<f8", 4, 10)};
    scree_source *source = open_many(paths, 3);
    source->block_rows = 2;
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(scree__source_restart(source, NULL), SCREE_OK);
        assert_int_equal(scree__readahead_open(&ahead, source, NULL), SCREE_OK);
        expect_numbers(ahead, 0, 18);
        scree_source_free(ahead);
        ahead = NULL;
    }
    scree_source_free(source);
}

static void test_widest_type(void **state)
{
    (void)state;
    const char *u1 = npy("u1.npy", "|u1", 2, 0);
    const char *f4 = npy("f4.npy", "<f4", 2, 4);
    const char *f8 = npy("f8.npy", "<f8", 2, 8);
    const char *const paths[] = {u1, f4, f8};
    scree_source *two = open_many(paths, 2);
    scree_source *three = open_many(paths, 3);
    assert_int_equal(scree_source_type(two), SCREE_F32);
    assert_int_equal(scree_source_type(three), SCREE_F64);
    expect_numbers(two, 0, 8);
    expect_numbers(three, 0, 12);
    scree_source_free(two);
    scree_source_free(three);
}

static void test_slices(void **state)
{
    (void)state;
    const char *paths[] = {npy("a.npy", "|u1", 3, 0), npy("b.npy", "<f4", 1, 6), npy("c.npy", "<f4", 4, 8)};
    scree_source *source = open_many(paths, 3);
    scree_source *part = NULL;
    scree_source *of_part = NULL;
    assert_true(source->can & SCREE__CAN_SLICE);
    for (int64_t first = 0; first <= 8; first++)
        for (int64_t count = 0; first + count <= 8; count++) {
            assert_int_equal(source->table->slice(&part, source, first, count, NULL), SCREE_OK);
            assert_int_equal(scree_source_rows(part), count);
            expect_numbers(part, (int)(2 * first), (int)(2 * count));
            scree_source_free(part);
            part = NULL;
        }
    assert_int_equal(source->table->slice(&part, source, 2, 5, NULL), SCREE_OK);
    assert_int_equal(part->table->slice(&of_part, part, 1, 3, NULL), SCREE_OK);
    expect_numbers(of_part, 6, 6);
    int64_t row = 1; /* row 4 of the whole: the first of the last file */
    assert_non_null(strstr(scree__source_locate(of_part, &row), "c.npy"));
    assert_int_equal(row, 0);
    scree_source_free(of_part);
    scree_source_free(part);
    part = NULL;
    assert_int_equal(source->table->slice(&part, source, 5, 4, NULL), SCREE_ERR_ARGUMENT);
    assert_null(part);
    scree_source_free(source);
}

static void test_locate(void **state)
{
    (void)state;
    static const char *const names[] = {"a.csv", "a.csv", "c.csv", "c.csv", "c.csv"};
    static const int64_t rows[] = {0, 1, 0, 1, 2};
    const char *paths[] = {text_file("a.csv", "x,y\n0,1\n2,3\n"), npy("b.npy", "<f4", 0, 0),
                           text_file("c.csv", "x,y\n4,5\n6,7\n8,9\n")};
    scree_source *source = open_many(paths, 3);
    assert_int_equal(scree_source_rows(source), -1);
    assert_int_equal(source->about.rows_estimate, 5);
    assert_true(source->about.row_text > 0 && source->about.row_text <= 4);
    expect_numbers(source, 0, 10);
    for (int i = 0; i < 5; i++) {
        int64_t row = i;
        assert_non_null(strstr(scree__source_locate(source, &row), names[i]));
        assert_int_equal(row, rows[i]);
    }
    scree_source_free(source);
}

/* Names may come from a later part; texts that a part does not carry are empty. */
static void test_names_and_texts(void **state)
{
    (void)state;
    scree__block block;
    const char *paths[] = {npy("a.npy", "|u1", 1, 0), text_file("bare.csv", "2,3,u\n4,5,v\n"),
                           text_file("named.csv", "x,y,kind\n6,7,w\n")};
    static const char *const texts[] = {"", "u", "v", "w"};
    scree_source *source = open_many(paths, 3);
    assert_string_equal(scree_source_column(source, 1), "y");
    assert_int_equal(source->about.text_count, 1);
    assert_string_equal(source->about.text_names[0], "kind");
    for (int seen = 0; seen < 4; seen += (int)block.rows) {
        assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
        assert_true(block.rows > 0);
        for (int i = 0; i < block.rows; i++)
            assert_string_equal(block.text[i], texts[seen + i]);
    }
    scree_source_free(source);
}

static void expect_refusal(const char *const *paths, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    assert_int_equal(scree_source_open_many(&source, paths, 2, NULL, &error), SCREE_ERR_SHAPE);
    assert_null(source);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

/* The line is that of the first text, blank lines and comments counted. */
static void test_text_in_one_part(void **state)
{
    (void)state;
    const char *paths[] = {text_file("a.csv", "x,y,z\n1,2,3\n"),
                           text_file("b.csv", "# z\nx,y,z\n\n1,,3\n1,u,3\n1,v,3\n")};
    const char *back[] = {paths[1], paths[0]};
    expect_refusal(paths, "'y' is text in ");
    expect_refusal(paths, "b.csv (line 5) and numbers in ");
    expect_refusal(back, "b.csv (line 5) and numbers in ");
    text_file("b.csv", "x,z,y\n1,3,u\n");
    expect_refusal(paths, "'y' is text in ");
    text_file("b.csv", "x,w,z\n1,2,3\n");
    expect_refusal(paths, "column 2 is 'w', and in ");
}

static void test_header_only(void **state)
{
    (void)state;
    const char *paths[] = {text_file("h.csv", "x,who,y\n"), text_file("a.csv", "x,who,y\n0,me,1\n2,you,3\n"),
                           npy("b.npy", "<f4", 2, 4)};
    const char *orders[][3] = {
        {paths[0], paths[1], paths[2]}, {paths[1], paths[0], paths[2]}, {paths[1], paths[2], paths[0]}};
    for (int i = 0; i < 3; i++) {
        scree_source *source = open_many(orders[i], 3);
        assert_int_equal(scree_source_cols(source), 2);
        assert_int_equal(source->about.text_count, 1);
        expect_numbers(source, 0, 8);
        assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
        expect_numbers(source, 0, 8);
        assert_non_null(strstr(scree_source_note(source), "2 rows of "));
        assert_non_null(strstr(scree_source_note(source), "b.npy have no label; no rows in "));
        scree_source_free(source);
    }
    const char *arrays[] = {paths[2], paths[0], paths[2]};
    scree_source *slice = NULL;
    scree_source *source = open_many(arrays, 3);
    assert_int_equal(source->table->slice(&slice, source, 0, 3, NULL), SCREE_OK);
    assert_int_equal(read_doubles(slice, (double[MOST]){0}, MOST, NULL), 6);
    scree_source_free(slice);
    scree_source_free(source);
    assert_int_equal(scree_source_open(&source, paths[0], NULL, NULL), SCREE_ERR_FORMAT);
}

static void test_a_part_that_changes(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double values[MOST];
    const char *paths[] = {npy("a.npy", "<f4", 1, 0), npy("b.npy", "<f4", 1, 2)};
    scree_source *source = open_many(paths, 2);
    npy("b.npy", "<f8", 1, 2);
    assert_int_equal(read_doubles(source, values, MOST, &error), -1);
    assert_non_null(strstr(error.text, "b.npy: was replaced"));
    scree_source_free(source);
    npy("b.npy", "<f4", 1, 2);
    source = open_many(paths, 2);
    npy("b.npy", "<f4", 2, 2); /* more rows than were announced */
    assert_int_equal(read_doubles(source, values, MOST, &error), -1);
    assert_non_null(strstr(error.text, "b.npy: was replaced"));
    scree_source_free(source);
}

static void test_one_and_none(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const char *paths[] = {npy("a.npy", "<f4", 3, 0)};
    assert_int_equal(scree_source_open_many(&source, paths, 0, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_null(source);
    source = open_many(paths, 1);
    assert_string_equal(source->table->name, "array");
    expect_numbers(source, 0, 6);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_blocks_rewind),
        cmocka_unit_test(test_read_ahead),
        cmocka_unit_test(test_widest_type),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_locate),
        cmocka_unit_test(test_names_and_texts),
        cmocka_unit_test(test_text_in_one_part),
        cmocka_unit_test(test_header_only),
        cmocka_unit_test(test_a_part_that_changes),
        cmocka_unit_test(test_one_and_none),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
