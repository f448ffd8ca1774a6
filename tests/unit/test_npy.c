/* SPDX-License-Identifier: BSD-3-Clause */
/* NPY in: every element type, both byte orders, both storage orders, plain, gzip and pipe; bad headers and sizes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_files.h"

enum { ROWS = 7, COLS = 5 };

static double value_at(int i, int j)
{
    return (double)(i * COLS + j + 1);
}

static void put_header(image *file, int version, const char *text)
{
    size_t size = strlen(text);
    unsigned char fixed[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
    fixed[8] = (unsigned char)(size & 0xff);
    fixed[9] = (unsigned char)(size >> 8);
    put(file, fixed, version == 1 ? 10 : 12);
    put(file, text, size);
}

static image make(int version, const char *descr, int fortran)
{
    image file = {0};
    char text[200];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }   \n", descr,
             fortran ? "True" : "False", ROWS, COLS);
    put_header(&file, version, text);
    for (int k = 0; k < ROWS * COLS; k++) {
        double value = fortran ? value_at(k % ROWS, k / ROWS) : value_at(k / COLS, k % COLS);
        put_bits(&file, bits_of(descr[1], descr[2] - '0', value), descr[2] - '0', descr[0] == '>');
    }
    return file;
}

static void expect_values(scree_source *source)
{
    double values[ROWS * COLS];
    assert_int_equal(scree_source_rows(source), ROWS);
    assert_int_equal(scree_source_cols(source), COLS);
    assert_int_equal(read_doubles(source, values, ROWS * COLS, NULL), ROWS * COLS);
    for (int k = 0; k < ROWS * COLS; k++)
        assert_true(values[k] == value_at(k / COLS, k % COLS));
}

static void test_types_and_orders(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        scree_type type;
    } cases[] = {
        {"<f2", SCREE_F32}, {">f2", SCREE_F32}, {"<f4", SCREE_F32}, {">f4", SCREE_F32}, {"<f8", SCREE_F64},
        {">f8", SCREE_F64}, {"|u1", SCREE_U8},  {"|b1", SCREE_U8},  {"<u2", SCREE_F64}, {">u2", SCREE_F64},
        {"<u4", SCREE_F64}, {">u4", SCREE_F64}, {"<u8", SCREE_F64}, {">u8", SCREE_F64}, {"|i1", SCREE_F64},
        {"<i2", SCREE_F64}, {">i2", SCREE_F64}, {"<i4", SCREE_F64}, {">i4", SCREE_F64}, {"<i8", SCREE_F64},
        {">i8", SCREE_F64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int fortran = 0; fortran < 2; fortran++)
            for (int64_t block_rows = 1; block_rows < 9; block_rows += 2) {
                scree_source *source = NULL;
                image file = make(1 + (int)(i % 3), cases[i].descr, fortran);
                const char *path = file_write("a.npy", file.bytes, file.size);
                assert_int_equal(scree_source_open(&source, path, NULL, NULL), SCREE_OK);
                assert_int_equal(scree_source_type(source), cases[i].type);
                source->block_rows = block_rows;
                expect_values(source);
                assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
                expect_values(source);
                scree_source_free(source);
            }
}

static void test_negative_and_half_values(void **state)
{
    (void)state;
    static const uint16_t halves[] = {0x0001, 0x83ff, 0x0400, 0xc500, 0x7c00, 0xfc00, 0x7e00, 0x8000};
    static const double wanted[] = {5.9604644775390625e-08, -6.097555160522461e-05, 6.103515625e-05, -5};
    double values[8];
    scree_source *source = NULL;
    image file = {0};
    image bytes = {0};
    put_header(&file, 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (8,), }\n");
    for (int i = 0; i < 8; i++)
        put_bits(&file, halves[i], 2, 0);
    assert_int_equal(scree_source_open(&source, file_write("h.npy", file.bytes, file.size), NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_cols(source), 1);
    assert_int_equal(read_doubles(source, values, 8, NULL), 8);
    for (int i = 0; i < 4; i++)
        assert_true(values[i] == wanted[i]);
    assert_true(values[4] > 1e300 && values[5] < -1e300 && values[6] != values[6] && values[7] == 0.0);
    scree_source_free(source);
    source = NULL;
    put_header(&bytes, 1, "{\"shape\": (2, 1), \"descr\": \">i2\", \"fortran_order\": False}");
    put_bits(&bytes, 0xfffe, 2, 1);
    put_bits(&bytes, 0x8000, 2, 1);
    assert_int_equal(scree_source_open(&source, file_write("i.npy", bytes.bytes, bytes.size), NULL, NULL), SCREE_OK);
    assert_int_equal(read_doubles(source, values, 8, NULL), 2);
    assert_true(values[0] == -2.0 && values[1] == -32768.0);
    scree_source_free(source);
}

/* Three dimensions: columns in C order whatever the storage order. */
static void test_three_dimensions(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        double values[24];
        scree_source *source = NULL;
        image file = {0};
        put_header(&file, 1,
                   fortran ? "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }"
                           : "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }");
        for (int at = 0; at < 24; at++) {
            int i = fortran ? at % 2 : at / 12;
            int j = fortran ? at / 2 % 3 : at / 4 % 3;
            int k = fortran ? at / 6 : at % 4;
            put_bits(&file, (uint64_t)(100 * i + 10 * j + k), 1, 0);
        }
        assert_int_equal(scree_source_open(&source, file_write("3.npy", file.bytes, file.size), NULL, NULL), SCREE_OK);
        assert_int_equal(scree_source_cols(source), 12);
        assert_int_equal(source->about.image_rows, 3);
        assert_int_equal(source->about.image_cols, 4);
        assert_int_equal(read_doubles(source, values, 24, NULL), 24);
        for (int at = 0; at < 24; at++)
            assert_int_equal((int)values[at], 100 * (at / 12) + 10 * (at / 4 % 3) + at % 4);
        scree_source_free(source);
    }
}

static void test_gzip_and_pipe(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    image file = make(1, "<i4", 0);
    image fortran = make(1, "<i4", 1);
    assert_int_equal(scree_source_open(&source, file_write_gzip("a.npy.gz", file.bytes, file.size), NULL, NULL),
                     SCREE_OK);
    source->block_rows = 2;
    expect_values(source);
    assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
    expect_values(source);
    scree_source_free(source);
    source = NULL;
    int saved = stdin_replace(file.bytes, file.size);
    assert_int_equal(scree_source_open(&source, "-", NULL, &error), SCREE_OK);
    expect_values(source);
    assert_int_equal(scree__source_rewind(source, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "standard input: can be read only once"));
    scree_source_free(source);
    stdin_restore(saved);
    source = NULL;
    assert_int_equal(scree_source_open(&source, file_write_gzip("f.npy.gz", fortran.bytes, fortran.size), NULL, &error),
                     SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "Fortran order"));
}

static void test_wrong_length_in_gzip(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    double values[ROWS * COLS];
    scree_source *source = NULL;
    image file = make(1, "<f8", 0);
    assert_int_equal(scree_source_open(&source, file_write_gzip("s.npy.gz", file.bytes, file.size - 1), NULL, NULL),
                     SCREE_OK);
    assert_int_equal(read_doubles(source, values, ROWS * COLS, &error), -1);
    assert_non_null(strstr(error.text, "s.npy.gz: is truncated"));
    scree_source_free(source);
    source = NULL;
    assert_int_equal(scree_source_open(&source, file_write_gzip("l.npy.gz", file.bytes, file.size + 1), NULL, NULL),
                     SCREE_OK);
    assert_int_equal(read_doubles(source, values, ROWS * COLS, &error), -1);
    assert_non_null(strstr(error.text, "l.npy.gz: is too long"));
    scree_source_free(source);
}

static void test_slices(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        double values[ROWS * COLS];
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree_source *part = NULL;
        scree_source *inner = NULL;
        image file = make(1, ">f4", fortran);
        assert_int_equal(scree_source_open(&source, file_write("a.npy", file.bytes, file.size), NULL, NULL), SCREE_OK);
        assert_true(source->can & SCREE__CAN_SLICE);
        assert_int_equal(source->table->slice(&part, source, 2, 4, NULL), SCREE_OK);
        assert_int_equal(part->table->slice(&inner, part, 1, 2, NULL), SCREE_OK);
        assert_int_equal(source->table->slice(&inner, source, 6, 2, &error), SCREE_ERR_ARGUMENT);
        expect_values(source);
        assert_int_equal(read_doubles(part, values, ROWS * COLS, NULL), 4 * COLS);
        assert_true(values[0] == value_at(2, 0) && values[4 * COLS - 1] == value_at(5, COLS - 1));
        assert_int_equal(read_doubles(inner, values, ROWS * COLS, NULL), 2 * COLS);
        assert_true(values[0] == value_at(3, 0));
        scree_source_free(source);
        scree_source_free(part);
        scree_source_free(inner);
    }
}

static void test_options(void **state)
{
    (void)state;
    double values[2 * ROWS];
    scree_error error = SCREE_ERROR_INIT;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_source *source = NULL;
    image file = make(1, "<f8", 0);
    const char *path = file_write("a.npy", file.bytes, file.size);
    options.columns = "4,2";
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_OK);
    assert_int_equal(read_doubles(source, values, 2 * ROWS, &error), 2 * ROWS);
    assert_true(values[2] == value_at(1, 3) && values[3] == value_at(1, 1));
    scree_source_free(source);
    source = NULL;
    options.columns = "4,9";
    assert_int_not_equal(scree_source_open(&source, path, &options, &error), SCREE_OK);
    options.columns = NULL;
    options.label = "kind";
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "carry no text"));
    options.label = NULL;
    options.format = "parquet";
    assert_int_equal(scree_source_open(&source, path, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "csv, tsv, npy, npz, idx"));
    options.format = "npy";
    assert_int_equal(scree_source_open(&source, file_write("x", "1,2\n3,4\n", 8), &options, &error), SCREE_ERR_FORMAT);
    assert_null(source);
}

static void test_bad_headers(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 4294967296, 4294967296, 0), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-7, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 0), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7 5), }",
        "{'descr': '<f8', 'fortran_order': 1, 'shape': (7, 5), }",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (7, 5), }",
        "{'descr': '<f16', 'fortran_order': False, 'shape': (7, 5), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (7, 5), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (7, 5), }",
        "{'descr': '<f8', 'fortran_order': False, }",
        "{'descr': '<f8', 'descr': '<f8', 'shape': (7, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 5), 'more': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 5), } x",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 5",
        "{'descr': '<f8",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        image file = {0};
        put_header(&file, 1, bad[i]);
        assert_int_not_equal(scree_source_open(&source, file_write("b.npy", file.bytes, file.size), NULL, &error),
                             SCREE_OK);
        assert_null(source);
        assert_non_null(strstr(error.text, "b.npy: "));
    }
}

static void test_sizes_are_told(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    char expected[80];
    scree_source *source = NULL;
    image file = make(1, "<f8", 0);
    assert_int_equal(scree_source_open(&source, file_write("a.npy", file.bytes, file.size - 3), NULL, &error),
                     SCREE_ERR_FORMAT);
    snprintf(expected, sizeof expected, "%zu bytes in all, and there are %zu", file.size, file.size - 3);
    assert_non_null(strstr(error.text, expected));
    assert_int_equal(scree_source_open(&source, file_write("a.npy", file.bytes, file.size + 3), NULL, &error),
                     SCREE_ERR_FORMAT);
    snprintf(expected, sizeof expected, "%zu bytes in all, and there are %zu", file.size, file.size + 3);
    assert_non_null(strstr(error.text, expected));
}

static void test_damage_never_crashes(void **state)
{
    (void)state;
    image file = make(1, "<f4", 0);
    image fortran = make(2, "<i2", 1);
    expect_robust(&file, "d.npy");
    expect_robust(&fortran, "f.npy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_types_and_orders, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_negative_and_half_values, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_three_dimensions, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_gzip_and_pipe, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_wrong_length_in_gzip, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_slices, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_options, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_bad_headers, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_sizes_are_told, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_damage_never_crashes, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
