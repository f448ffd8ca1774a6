/* SPDX-License-Identifier: BSD-3-Clause */
/* IDX in: every element type and number of dimensions, plain and gzip; damage is told and never crashes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"

/* dimensions 2, 3, 4, ... up to count; values count down from 3, where the type has a sign. */
static image make(int code, char kind, int size, int count)
{
    image file = {0};
    int total = 1;
    put_bits(&file, (uint64_t)code << 8 | (uint64_t)count, 4, 1);
    for (int i = 0; i < count; i++) {
        put_bits(&file, (uint64_t)i + 2, 4, 1);
        total *= i + 2;
    }
    for (int i = 0; i < total; i++)
        put_bits(&file, bits_of(kind, size, kind == 'u' ? i : 3 - i), size, 1);
    return file;
}

static void test_types_and_dimensions(void **state)
{
    (void)state;
    static const struct {
        int code;
        char kind;
        int size;
        scree_type type;
    } cases[] = {{0x08, 'u', 1, SCREE_U8},  {0x09, 'i', 1, SCREE_F64}, {0x0b, 'i', 2, SCREE_F64},
                 {0x0c, 'i', 4, SCREE_F64}, {0x0d, 'f', 4, SCREE_F32}, {0x0e, 'f', 8, SCREE_F64}};
    for (int i = 0; i < 6; i++)
        for (int count = 1; count < 5; count++)
            for (int packed = 0; packed < 2; packed++) {
                double values[120];
                scree_source *source = NULL;
                image file = make(cases[i].code, cases[i].kind, cases[i].size, count);
                const char *path = packed ? file_write_gzip("a.gz", file.bytes, file.size)
                                          : file_write("digits-idx3-ubyte", file.bytes, file.size);
                int total = count == 1 ? 2 : count == 2 ? 6 : count == 3 ? 24 : 120;
                assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
                assert_int_equal(scree_source_type(source), cases[i].type);
                assert_int_equal(scree_source_rows(source), 2);
                assert_int_equal(scree_source_cols(source), total / 2);
                assert_int_equal(source->about.image_rows, count == 3 ? 3 : 0);
                assert_int_equal(source->about.image_cols, count == 3 ? 4 : 0);
                assert_int_equal(read_doubles(source, values, 120, NULL), total);
                for (int k = 0; k < total; k++)
                    assert_true(values[k] == (cases[i].kind == 'u' ? k : 3 - k));
                scree_source_free(source);
            }
}

static void test_bad_headers(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    image file = make(0x08, 'u', 1, 2);
    options.format = "idx";
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size - 1), &options, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "18 bytes in all, and there are 17"));
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size + 1), &options, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "t.idx: is too long"));
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, 7), &options, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "t.idx: is truncated"));
    file.bytes[2] = 0x0a;
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size), &options, &error),
                     SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "is not an IDX file"));
    file.bytes[2] = 0x08;
    file.bytes[3] = 0;
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size), &options, &error),
                     SCREE_ERR_FORMAT);
    memset(file.bytes + 3, 0xff, 4);
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size), &options, &error),
                     SCREE_ERR_FORMAT);
    options.format = NULL;
    options.id = "1";
    file.bytes[3] = 2;
    assert_int_equal(scree_source_open(&source, file_write("t.idx", file.bytes, file.size), &options, &error),
                     SCREE_ERR_FORMAT);
    assert_null(source);
}

static void test_damage_never_crashes(void **state)
{
    (void)state;
    image bytes = make(0x08, 'u', 1, 3);
    image doubles = make(0x0e, 'f', 8, 2);
    expect_robust(&bytes, "d.idx");
    expect_robust(&doubles, "e.idx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_types_and_dimensions, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_bad_headers, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_damage_never_crashes, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
