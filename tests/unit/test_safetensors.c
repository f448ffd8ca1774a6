/* SPDX-License-Identifier: BSD-3-Clause */
/* The container: what is written is read, and headers that lie are refused before anything is used. */

#include "model/safetensors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "temporary_folder.h"

static const char metadata[] = "\"__metadata__\":{\"checksum\":\"00000000\"}";

/* A file of the metadata above, these entries and so many bytes of data. */
static const char *made_file(const char *entries, size_t data)
{
    unsigned char bytes[2048] = {0};
    int length = snprintf((char *)bytes + 8, sizeof bytes - 8, "{%s%s}", metadata, entries);
    assert_true(length > 0 && 8 + (size_t)length + data < sizeof bytes);
    bytes[0] = (unsigned char)(length % 256);
    bytes[1] = (unsigned char)(length / 256);
    memset(bytes + 8 + length, 0, data);
    return file_write("t", bytes, 8 + (size_t)length + data);
}

static void assert_read(const char *entries, size_t data, const char *complaint)
{
    scree__safetensors file = {0};
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = scree__safetensors_read(&file, made_file(entries, data), &error);
    if (complaint && (status != SCREE_ERR_MODEL || !strstr(error.text, complaint)))
        fail_msg("%s: '%s' does not say '%s'", entries, error.text, complaint);
    if (!complaint && status != SCREE_OK)
        fail_msg("%s: %s", entries, error.text);
    scree__safetensors_clear(&file);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const double reals[] = {1.0, -2.5, 3.0, 4.0, 5.0, 6.0};
    static const int64_t integers[] = {INT64_MIN, INT64_MAX};
    static const unsigned char bytes[] = {7};
    scree__contents contents = {0};
    contents.text_count = 2;
    contents.texts[0] = (scree__text){"a", "\"checksum\":\"12345678\""};
    contents.texts[1] = (scree__text){"b", "\x01 tab\t"};
    contents.tensor_count = 3;
    contents.tensors[0] = (scree__tensor){"u", SCREE__DTYPE_U8, 1, {1}, bytes};
    contents.tensors[1] = (scree__tensor){"x", SCREE__DTYPE_F64, 2, {2, 3}, reals};
    contents.tensors[2] = (scree__tensor){"i", SCREE__DTYPE_I64, 1, {2}, integers};
    scree__safetensors file = {0};
    assert_int_equal(scree__safetensors_write(folder_path("t"), &contents, NULL), SCREE_OK);
    assert_int_equal(scree__safetensors_read(&file, folder_path("t"), NULL), SCREE_OK);
    assert_int_equal(scree__safetensors_verify(&file, NULL), SCREE_OK);
    assert_int_equal(file.header_size % 8, 0);
    assert_string_equal(scree__safetensors_text(&file, "a"), contents.texts[0].value);
    assert_string_equal(scree__safetensors_text(&file, "b"), contents.texts[1].value);
    assert_null(scree__safetensors_text(&file, "c"));
    const scree__tensor *x = scree__safetensors_tensor(&file, "x");
    assert_non_null(x);
    assert_true(x->dtype == SCREE__DTYPE_F64 && x->rank == 2 && x->shape[0] == 2 && x->shape[1] == 3);
    assert_memory_equal(x->data, reals, sizeof reals);
    assert_memory_equal(scree__safetensors_tensor(&file, "i")->data, integers, sizeof integers);
    assert_null(scree__safetensors_tensor(&file, "y"));
    scree__safetensors_clear(&file);
}

static void good_headers_are_read(void **state)
{
    (void)state;
    assert_read("", 0, NULL);
    assert_read("   ", 0, NULL);
    assert_read(",\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}"
                ",\"b\":{\"shape\":[],\"data_offsets\":[16,24],\"dtype\":\"F64\"}"
                ",\"c\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[24,24]}",
                24, NULL);
}

static void lying_headers_are_refused(void **state)
{
    (void)state;
    static const char *const entries[] = {
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}",   /* a gap */
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,12]}",   /* not its size */
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}",    /* backwards */
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}",   /* negative */
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2.5],\"data_offsets\":[0,10]}", /* a fraction */
        ",\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}",    /* an unknown type */
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1],\"data_offsets\":[0,4]}",
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}",
        ",\"a\":{\"dtype\":\"F32\",\"shape\":[2]}",
        ",\"a\":{\"dtype\":\"F32\",\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,8]}",
        ",\"a\":{\"dtype\":\"F64\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}", /* 2⁶⁷ bytes */
        ",\"a\":[]",
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        assert_read(entries[i], 16, "makes no sense");
    assert_read(",\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}" /* an overlap */
                ",\"b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[4,12]}",
                16, "makes no sense");
    assert_read(",\"a\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,9]}", 8, "cut short in 'a'");
    assert_read(",\"a\":{\"dtype\":\"U8\",\"shape\":[1152921504606846976],\"data_offsets\":[0,1152921504606846976]}", 8,
                "makes no sense");
    assert_read(",\"a\":{\"dtype\":\"U8\",\"shape\":[7],\"data_offsets\":[0,7]}", 8, "after the last array");
    assert_read(",\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}"
                ",\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}",
                8, "no model's header");
    assert_read(",\"__metadata__\":{}", 0, "no model's header");
    assert_read(",", 0, "not JSON");
    assert_read("}x{", 0, "not JSON");
}

static void long_headers_are_refused_unread(void **state)
{
    (void)state;
    scree__safetensors file = {0};
    scree_error error = SCREE_ERROR_INIT;
    static const unsigned char bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, '{', '}'};
    const char *path = file_write("t", bytes, sizeof bytes);
    assert_int_equal(scree__safetensors_read(&file, path, &error), SCREE_ERR_MODEL);
    assert_non_null(strstr(error.text, "this is not a scree model"));
    scree__safetensors_clear(&file);
}

static void a_checksum_must_be_there_once(void **state)
{
    (void)state;
    static const char twice[] = "{\"a\":{\"checksum\":\"00000000\"},\"b\":{\"checksum\":\"00000000\"}}";
    static const char shorter[] = "{\"checksum\":\"0000000\"}";
    static const char once[] = "{\"x\":\"\\\"checksum\\\":\\\"\",\"checksum\":\"01234567\"}";
    assert_null(scree__checksum_find(twice, sizeof twice - 1));
    assert_null(scree__checksum_find(shorter, sizeof shorter - 1));
    assert_null(scree__checksum_find("", 0));
    const char *found = scree__checksum_find(once, sizeof once - 1);
    assert_non_null(found);
    assert_memory_equal(found, "01234567", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),       cmocka_unit_test(good_headers_are_read),
        cmocka_unit_test(lying_headers_are_refused),     cmocka_unit_test(long_headers_are_refused_unread),
        cmocka_unit_test(a_checksum_must_be_there_once),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
