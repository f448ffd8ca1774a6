/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain files, pipes and gzip give the same bytes; damage is told, with its place. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/bytes.h"
#include "temporary_folder.h"

#include <zlib.h>

enum { SIZE = 700001 };

static unsigned char content[SIZE];

static void fill_content(void)
{
    uint32_t word = 1;
    for (int i = 0; i < SIZE; i++) {
        word = word * 1664525u + 1013904223u;
        content[i] = (unsigned char)((word >> 24) & 0x3f);
    }
}

static unsigned char *gzip(const unsigned char *data, size_t size, size_t *packed)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&stream, (uLong)size) + 64;
    unsigned char *out = calloc(bound, 1);
    assert_non_null(out);
    stream.next_in = (Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)bound;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *packed = stream.total_out;
    deflateEnd(&stream);
    return out;
}

/* Reads to the end in pieces of growing sizes and compares. */
static void expect_content(scree__bytes *bytes, int64_t size)
{
    static unsigned char buffer[SIZE];
    scree_error error = SCREE_ERROR_INIT;
    int64_t at = 0;
    int64_t got = 1;
    for (int64_t piece = 1; got > 0; piece = piece * 3 < SIZE / 2 ? piece * 3 : piece) {
        assert_int_equal(scree__bytes_read(bytes, buffer, piece, &got, &error), SCREE_OK);
        assert_true(at + got <= size);
        assert_memory_equal(buffer, content + at, (size_t)got);
        at += got;
        assert_true(got == piece || at == size);
    }
    assert_int_equal(at, size);
}

static void test_plain_file(void **state)
{
    (void)state;
    scree__bytes *bytes = NULL;
    scree__bytes *other = NULL;
    const unsigned char *head = NULL;
    int64_t size = 0;
    unsigned char five[5];
    const char *path = file_write("plain", content, SIZE);
    assert_int_equal(scree__bytes_open(&bytes, path, NULL), SCREE_OK);
    assert_int_equal(scree__bytes_size(bytes), SIZE);
    assert_true(scree__bytes_can_rewind(bytes) && scree__bytes_can_seek(bytes));
    assert_int_equal(scree__bytes_peek(bytes, &head, &size, NULL), SCREE_OK);
    assert_true(size >= 65536);
    assert_memory_equal(head, content, (size_t)size);
    expect_content(bytes, SIZE);
    assert_int_equal(scree__bytes_rewind(bytes, NULL), SCREE_OK);
    expect_content(bytes, SIZE);
    assert_int_equal(scree__bytes_share(&other, bytes, NULL), SCREE_OK);
    assert_int_equal(scree__bytes_seek(bytes, 300000, NULL), SCREE_OK);
    expect_content(other, SIZE);
    assert_int_equal(scree__bytes_read(bytes, five, 5, &size, NULL), SCREE_OK);
    assert_memory_equal(five, content + 300000, 5);
    assert_int_equal(scree__bytes_rewind(bytes, NULL), SCREE_OK);
    expect_content(bytes, SIZE);
    scree__bytes_close(bytes);
    scree__bytes_close(other);
}

static void test_gzip_members_and_padding(void **state)
{
    (void)state;
    scree__bytes *bytes = NULL;
    size_t one = 0;
    size_t two = 0;
    unsigned char *first = gzip(content, 1000, &one);
    unsigned char *second = gzip(content + 1000, SIZE - 1000, &two);
    unsigned char *both = calloc(one + two + 512, 1);
    assert_non_null(both);
    memcpy(both, first, one);
    memcpy(both + one, second, two);
    const char *path = file_write("members.gz", both, one + two + 512);
    assert_int_equal(scree__bytes_open(&bytes, path, NULL), SCREE_OK);
    assert_int_equal(scree__bytes_size(bytes), -1);
    assert_int_equal(scree__bytes_packed_size(bytes), (int64_t)(one + two + 512));
    assert_true(scree__bytes_can_rewind(bytes));
    assert_false(scree__bytes_can_seek(bytes));
    assert_int_equal(scree__bytes_seek(bytes, 0, NULL), SCREE_ERR_UNSUPPORTED);
    expect_content(bytes, SIZE);
    assert_int_equal(scree__bytes_rewind(bytes, NULL), SCREE_OK);
    expect_content(bytes, SIZE);
    scree__bytes_close(bytes);
    free(first);
    free(second);
    free(both);
}

/* Opens a file and reads all of it. */
static scree_status read_all(const char *path, scree_error *error)
{
    static unsigned char buffer[2 * SIZE];
    scree__bytes *bytes = NULL;
    int64_t got = 0;
    scree_status status = scree__bytes_open(&bytes, path, error);
    if (status == SCREE_OK)
        status = scree__bytes_read(bytes, buffer, sizeof buffer, &got, error);
    scree__bytes_close(bytes);
    return status;
}

static void test_gzip_damage(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    size_t size = 0;
    unsigned char *packed = gzip(content, SIZE, &size);
    assert_int_equal(read_all(file_write("short.gz", packed, size - 3), &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "truncated"));
    packed[size - 6] ^= 1;
    assert_int_equal(read_all(file_write("crc.gz", packed, size), &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "crc.gz: the gzip data is damaged near byte"));
    packed[size - 6] ^= 1;
    packed[size] = 'x';
    assert_int_equal(read_all(file_write("tail.gz", packed, size + 1), &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "not gzip"));
    free(packed);
}

static void test_every_gzip_truncation_and_flip(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *packed = gzip(content, 300, &size);
    for (size_t length = 2; length < size; length++) {
        scree_error error = SCREE_ERROR_INIT;
        assert_int_equal(read_all(file_write("cut.gz", packed, length), &error), SCREE_ERR_FORMAT);
        assert_true(strlen(error.text) > 0);
    }
    for (size_t at = 2; at < size; at++) {
        packed[at] ^= 0x10;
        (void)read_all(file_write("flip.gz", packed, size), NULL);
        packed[at] ^= 0x10;
    }
    free(packed);
}

static void test_pipe(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__bytes *bytes = NULL;
    int ends[2];
    int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], content, 5000), 5000);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(scree__bytes_open(&bytes, "-", &error), SCREE_OK);
    assert_string_equal(scree__bytes_name(bytes), "standard input");
    assert_int_equal(scree__bytes_size(bytes), -1);
    assert_int_equal(scree__bytes_packed_size(bytes), -1);
    expect_content(bytes, 5000);
    assert_int_equal(scree__bytes_rewind(bytes, &error), SCREE_ERR_UNSUPPORTED);
    scree__bytes_close(bytes);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
}

static void test_nothing_to_read(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    size_t size = 0;
    unsigned char *packed = gzip(content, 0, &size);
    assert_int_equal(read_all(folder_path("none"), &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "none: there is no such file"));
    assert_int_equal(read_all(folder, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "is a folder"));
    assert_int_equal(read_all(file_write("empty", "", 0), &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "empty: is empty"));
    assert_int_equal(read_all(file_write("empty.gz", packed, size), &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "is empty"));
    free(packed);
}

int main(void)
{
    fill_content();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain_file, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_gzip_members_and_padding, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_gzip_damage, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_every_gzip_truncation_and_flip, folder_make, folder_remove),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test_setup_teardown(test_nothing_to_read, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
