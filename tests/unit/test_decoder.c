/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that xz, zstd and gzip have packed come back as they were: more than any buffer holds, in reads of any size,
 * twice, in several streams; cut off or damaged they end in a sentence, behind what stood before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/bytes.h"
#include "data/decoder.h"
#include "temporary_folder.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

enum { SIZE = 3 << 20, SPACE = 4 << 20 };

static unsigned char content[SIZE];
static unsigned char buffer[SIZE + 1];
static unsigned char packed[2 * SPACE];

static int make_content(void **state)
{
    uint32_t word = 1;
    for (int i = 0; i < SIZE; i++) {
        word = word * 1664525u + 1013904223u;
        content[i] = (unsigned char)('0' + (word >> 29));
    }
    return folder_make(state);
}

/* Packs size bytes of content to out; returns how many they became. */
typedef size_t (*packer)(unsigned char *out, size_t size);

static size_t pack_xz(unsigned char *out, size_t size)
{
    size_t at = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, content, size, out, &at, SPACE), LZMA_OK);
    return at;
}

static size_t pack_zstd(unsigned char *out, size_t size)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_non_null(context);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); /* as its tool does */
    const size_t made = ZSTD_compress2(context, out, SPACE, content, size);
    assert_false(ZSTD_isError(made));
    ZSTD_freeCCtx(context);
    return made;
}

static size_t pack_gzip(unsigned char *out, size_t size)
{
    z_stream stream = {.next_in = content, .avail_in = (uInt)size, .next_out = out, .avail_out = SPACE};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return stream.total_out;
}

static const struct {
    const char *name;
    packer pack;
} ways[] = {{"gzip", pack_gzip}, {"xz", pack_xz}, {"zstd", pack_zstd}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Reads all in pieces of the given size; how many bytes there were, and whether that ended well. */
static int64_t read_all(scree__bytes *bytes, int64_t piece, scree_status *status, scree_error *error)
{
    int64_t at = 0;
    int64_t got = 0;
    do {
        const int64_t want = SIZE + 1 - at < piece ? SIZE + 1 - at : piece;
        *status = scree__bytes_read(bytes, buffer + at, want, &got, error);
        at += got;
        if (*status != SCREE_OK || got < want)
            return at;
    } while (at < SIZE + 1);
    return at;
}

static void test_whole(void **state)
{
    (void)state;
    static const int64_t pieces[] = {977, 1 << 17, SIZE + 1};
    scree_error error = SCREE_ERROR_INIT;
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < 3; i++) {
            scree__bytes *bytes = NULL;
            scree_status status = SCREE_OK;
            const size_t size = ways[w].pack(packed, SIZE);
            const char *path = file_write("whole", packed, size);
            assert_int_equal(scree__bytes_open(&bytes, path, &error), SCREE_OK);
            assert_false(scree__bytes_can_seek(bytes));
            assert_int_equal(scree__bytes_decoder_memory(bytes) > 0, ways[w].pack != pack_gzip);
            for (int twice = 0; twice < 2; twice++) {
                assert_int_equal(read_all(bytes, pieces[i], &status, &error), SIZE);
                assert_int_equal(status, SCREE_OK);
                assert_memory_equal(buffer, content, SIZE);
                assert_int_equal(scree__bytes_packed_used(bytes), size);
                assert_int_equal(scree__bytes_rewind(bytes, &error), SCREE_OK);
            }
            scree__bytes_close(bytes);
        }
}

static void test_streams_in_a_row(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    for (int w = 0; w < WAYS; w++) {
        scree__bytes *bytes = NULL;
        scree_status status = SCREE_OK;
        size_t size = ways[w].pack(packed, SIZE / 3);
        size += ways[w].pack(packed + size, 1000);
        assert_int_equal(scree__bytes_open(&bytes, file_write("two", packed, size), &error), SCREE_OK);
        assert_int_equal(read_all(bytes, 1 << 16, &status, &error), SIZE / 3 + 1000);
        assert_int_equal(status, SCREE_OK);
        assert_memory_equal(buffer, content, SIZE / 3);
        assert_memory_equal(buffer + SIZE / 3, content, 1000);
        scree__bytes_close(bytes);
    }
}

/* A stream that takes more memory than was allowed, behind one that does not. */
static void test_limit(void **state)
{
    (void)state;
    scree__bytes *bytes = NULL;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    size_t size = pack_xz(packed, SIZE / 3);
    assert_int_equal(lzma_easy_buffer_encode(9, LZMA_CHECK_CRC32, NULL, content, 1000, packed, &size, sizeof packed),
                     LZMA_OK);
    assert_int_equal(scree__bytes_open(&bytes, file_write("later", packed, size), &error), SCREE_OK);
    scree__bytes_budget(bytes)->given = 20 << 20;
    scree__bytes_decoder_limit(bytes, 20 << 20);
    for (int twice = 0; twice < 2; twice++) {
        assert_true(read_all(bytes, 1 << 16, &status, &error) <= SIZE / 3);
        assert_int_equal(status, SCREE_ERR_LIMIT);
        assert_non_null(strstr(error.text, "20 MiB is too little memory: buffers for decompression alone need 6"));
        assert_int_equal(scree__bytes_rewind(bytes, &error), SCREE_OK);
    }
    scree__bytes_close(bytes);
}

static void expect_end(const char *path, const char *words)
{
    scree__bytes *bytes = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_status status = scree__bytes_open(&bytes, path, &error);
    if (status == SCREE_OK)
        read_all(bytes, 1 << 16, &status, &error);
    assert_int_equal(status, SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, words));
    scree__bytes_close(bytes);
}

static void test_cut_off_and_damaged(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        const size_t size = ways[w].pack(packed, SIZE);
        const size_t cuts[] = {size - 1, size / 2, 40};
        for (int i = 0; i < 3; i++)
            expect_end(file_write("cut", packed, cuts[i]), "the file is truncated, copy it again");
        memset(packed + size / 2, 0xA5, 300);
        expect_end(file_write("damaged", packed, size), "is damaged near byte");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_streams_in_a_row),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_cut_off_and_damaged),
    };
    return cmocka_run_group_tests(tests, make_content, folder_remove);
}
