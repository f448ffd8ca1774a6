/* SPDX-License-Identifier: BSD-3-Clause */
/* Which format a file is: by name, else by content, else by extension, else CSV. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/formats.h"

#include <string.h>

static const char *reader_of(const char *format, const char *path, const char *head, int64_t size)
{
    const scree__reader *reader = NULL;
    return scree__reader_find(&reader, format, path, (const unsigned char *)head, size, NULL) == SCREE_OK ? reader->name
                                                                                                          : "none";
}

static const char *writer_of(const char *format, const char *path)
{
    const scree__writer *writer = NULL;
    return scree__writer_find(&writer, format, path, NULL) == SCREE_OK ? writer->name : "none";
}

static void test_readers(void **state)
{
    (void)state;
    static const char text[] = "a\tb\n1\t2\n";
    assert_string_equal(reader_of(NULL, "x.npy", text, 8), "npy");
    assert_string_equal(reader_of(NULL, "dir.npy/x.TSV.gz", text, 8), "tsv");
    assert_string_equal(reader_of(NULL, "dir.npy/x", text, 8), "csv");
    assert_string_equal(reader_of(NULL, "x.gz", text, 8), "csv");
    assert_string_equal(reader_of(NULL, "x.dat", text, 8), "csv");
    assert_string_equal(reader_of(NULL, "-", text, 8), "csv");
    assert_string_equal(reader_of(NULL, "t10k-images.idx3-ubyte.gz", text, 8), "idx");
    assert_string_equal(reader_of(NULL, "x.csv", "\x93NUMPY\x01\0", 8), "npy");
    assert_string_equal(reader_of(NULL, "-", "\0\0\x08\x03\0\0\0\1", 8), "idx");
    assert_string_equal(reader_of(NULL, "-", "\0\0\x07\x03\0\0\0\1", 8), "csv");
    assert_string_equal(reader_of(NULL, "x.npy", "PK\3\4\0\0\0\0", 8), "none");
    assert_string_equal(reader_of(NULL, "x.csv", "[\n{\"a\":1}", 9), "none");
    assert_string_equal(reader_of(NULL, "x.csv", " {}", 3), "none");
    assert_string_equal(reader_of(NULL, "x.csv", "[a],[b]", 7), "csv");
    assert_string_equal(reader_of("csv", "x.csv", "[1],[2]", 7), "csv");
    assert_string_equal(reader_of("NPY", "x.csv", text, 8), "npy");
    assert_string_equal(reader_of("xls", "x.csv", text, 8), "none");
}

static void test_writers(void **state)
{
    (void)state;
    assert_string_equal(writer_of(NULL, "x.npy"), "npy");
    assert_string_equal(writer_of(NULL, "x.tsv"), "tsv");
    assert_string_equal(writer_of(NULL, "x"), "csv");
    assert_string_equal(writer_of(NULL, "-"), "csv");
    assert_string_equal(writer_of(NULL, "x.y/z"), "csv");
    assert_string_equal(writer_of(NULL, "./.x"), "csv");
    assert_string_equal(writer_of(NULL, "x.parquet"), "none");
    assert_string_equal(writer_of("csv", "x.parquet"), "csv");
    assert_string_equal(writer_of("npy", "-"), "npy");
    assert_string_equal(writer_of("json-arrays", "x.json"), "json-arrays");
    assert_string_equal(writer_of("idx", "x"), "none");
    assert_string_equal(writer_of(NULL, "x.csv.gz"), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_readers), cmocka_unit_test(test_writers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
