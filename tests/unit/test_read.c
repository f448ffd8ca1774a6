/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives that lie: bytes are changed and checksums put right again, so that all that is left to notice it are the
 * checks of each number. Whatever is read then is refused, or rows of some kind; and little memory is asked for. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive/squeeze.h"
#include "data/source.h"
#include "support/calls.h"
#include "temporary_folder.h"

#include <math.h>

enum { ROWS = 40, COLS = 12, LIES = 300 };

static uint64_t seed = 9;

static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

/* kind 0: a model, 1: whole numbers that follow each other, 2: noise that must come back as it is. */
static unsigned char *make_archive(int kind, size_t *size)
{
    static double data[ROWS * COLS];
    scree_source *source = NULL;
    scree_compress_options options = SCREE_COMPRESS_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++)
            data[i * COLS + j] = kind == 0   ? sin((double)(i * i)) * (double)(j % 5 - 2) * 100
                                 : kind == 1 ? (double)(3 * i + j + (i * j) % 3)
                                             : (double)draw(1 << 30) / 7;
    data[30] = (double)NAN;
    data[31] = 1e9;
    options.max_error = kind == 0 ? 0.1 : 0;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(data, SCREE_F64, ROWS, COLS), NULL), SCREE_OK);
    if (scree_source_compress(source, folder_path("a.screez"), NULL, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return file_read(folder_path("a.screez"), size);
}

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

/* Bytes of the head, its checksum not counted. */
static int64_t head_size(const unsigned char *file)
{
    scree__unpack fixed = {file + 12, 4, false};
    return SCREE__HEAD_FIXED + (int64_t)scree__unpack_u32(&fixed);
}

/* The checksums of the head, and of the frame behind it. */
static void seal(unsigned char *file, int64_t head, int64_t frame_bytes)
{
    unsigned char *frame = file + head + 4;
    put_u32(file + head, scree__checksum(0, file, head));
    put_u32(frame + 8, scree__checksum(scree__checksum(0, frame, 8), frame + SCREE__FRAME_FIXED, frame_bytes));
}

static void read_rows(scree_source *source)
{
    scree__block block = {0};
    do {
        block.rows = 0;
    } while (scree__source_next(source, &block, NULL) == SCREE_OK && block.rows > 0);
    scree_source_free(source);
}

static void read_lie(const unsigned char *file, size_t size)
{
    const char *path = file_write("lie.screez", file, size);
    scree_source *source = NULL;
    int64_t lost = 0;
    if (scree_source_open(&source, path, NULL, NULL) == SCREE_OK)
        read_rows(source);
    source = NULL;
    if (scree_archive_salvage(&source, path, &lost, NULL) == SCREE_OK)
        read_rows(source);
}

static void test_lies(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t size = 0;
        unsigned char *file = make_archive(kind, &size);
        const int64_t head = head_size(file);
        const scree__frame frame = scree__frame_read(file + head + 4);
        const uint64_t first = SCREE__HEAD_FIXED;
        const uint64_t end = (uint64_t)(head + 4 + SCREE__FRAME_FIXED + frame.size);
        unsigned char *lie = malloc(size);
        assert_non_null(lie);
        assert_true(end < size);
        for (int i = 0; i < LIES / 3; i++) {
            static const unsigned char usual[] = {0, 1, 2, 0x7f, 0x80, 0xff};
            memcpy(lie, file, size);
            for (uint64_t k = 0, count = 1 + draw(3); k < count; k++) {
                const uint64_t at = first + (draw(3) == 0 ? draw((uint64_t)head - first) : draw(end - first));
                lie[at] = draw(2) ? usual[draw(6)] : (unsigned char)draw(256);
            }
            put_u32(lie + head + 8, (uint32_t)frame.size);
            seal(lie, head, frame.size);
            read_lie(lie, size);
        }
        free(lie);
        free(file);
    }
}

/* Numbers of the head that would ask for much memory. */
static void test_large_lies(void **state)
{
    static const struct {
        int64_t rows, block_rows, cols;
    } shapes[] = {
        {INT64_C(1) << 49, INT64_C(1) << 31, 64},
        {INT64_C(1) << 40, 1 << 23, 2},
        {1, 1, INT64_C(1) << 39},
        {ROWS, ROWS, 0},
        {ROWS, 0, COLS},
        {-1, 1, COLS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        scree__head head = {.rows = shapes[i].rows, .block_rows = shapes[i].block_rows};
        scree__head back = {0};
        scree__pack pack = {0};
        head.code.coding = SCREE__CODING_BYTES;
        head.code.cols = shapes[i].cols;
        scree__head_put(&pack, &head);
        assert_false(pack.failed);
        scree__unpack unpack = {pack.data + SCREE__HEAD_FIXED, pack.size - SCREE__HEAD_FIXED - 4, false};
        scree__head_get(&unpack, &back, SCREE__ARCHIVE_PLAIN);
        assert_true(unpack.failed);
        scree__head_clear(&back);
        scree__pack_free(&pack);
    }
}

/* A head of 2⁴⁰ frames, and no index: nothing is made for them. */
static void test_frames_that_cannot_be(void **state)
{
    scree__head head = {.rows = INT64_C(1) << 40, .block_rows = 1, .code = {.coding = SCREE__CODING_BYTES, .cols = 3}};
    scree__pack pack = {0};
    scree_source *source = NULL;
    int64_t lost = 0;
    (void)state;
    scree__head_put(&pack, &head);
    const char *path = file_write("frames.screez", pack.data, (size_t)pack.size);
    assert_int_equal(scree_archive_salvage(&source, path, &lost, NULL), SCREE_ERR_FORMAT);
    scree__pack_free(&pack);
}

/* The shape of an image that a row is none of. */
static void test_image_of_another_size(void **state)
{
    scree__head head = {.rows = 1, .block_rows = 1, .image_rows = 4, .image_cols = INT64_C(1) << 62};
    scree__head back = {0};
    scree__pack pack = {0};
    (void)state;
    head.code.coding = SCREE__CODING_BYTES;
    head.code.cols = COLS;
    scree__head_put(&pack, &head);
    scree__unpack unpack = {pack.data + SCREE__HEAD_FIXED, pack.size - SCREE__HEAD_FIXED - 4, false};
    scree__head_get(&unpack, &back, SCREE__ARCHIVE_PLAIN);
    assert_false(unpack.failed);
    assert_int_equal(back.image_rows, 0);
    assert_int_equal(back.image_cols, 0);
    scree__head_clear(&back);
    scree__pack_free(&pack);
}

/* Texts longer than a reader takes are not written, nor looked at. */
static void test_texts_too_long(void **state)
{
    scree__pack pack = {0};
    (void)state;
    scree__squeeze_text(&pack, "", (INT64_C(1) << 30) + 1);
    assert_true(pack.failed);
    scree__pack_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_large_lies),
        cmocka_unit_test(test_frames_that_cannot_be),
        cmocka_unit_test(test_image_of_another_size),
        cmocka_unit_test(test_texts_too_long),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
