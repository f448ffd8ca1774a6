/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pump gives is what the decoder gives: bytes, end, damage in its place; it may be left at any moment. Two
 * threads share its slots: the thread sanitizer watches this test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/pump.h"
#include "temporary_folder.h"

#include <zlib.h>

enum { SLOT = 1 << 19, SIZE = 3 * SLOT };

static unsigned char content[SIZE];
static unsigned char buffer[SIZE];

static int make_content(void **state)
{
    uint32_t word = 1;
    for (int i = 0; i < SIZE; i++) {
        word = word * 1664525u + 1013904223u;
        content[i] = (unsigned char)((word >> 24) & 0x0f);
    }
    return folder_make(state);
}

typedef struct opened {
    scree__descriptor descriptor;
    scree__decoder *decoder;
    scree__pump *pump;
} opened;

/* size bytes of content, compressed, of which the last cut bytes are left out. */
static void open_pump(opened *o, int size, size_t cut)
{
    scree_error error = SCREE_ERROR_INIT;
    size_t packed = 0;
    unsigned char *data = NULL;
    const char *path = folder_path("packed.gz");
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_true(size == 0 || gzwrite(file, content, (unsigned)size) == size);
    assert_int_equal(gzclose(file), Z_OK);
    data = file_read(path, &packed);
    path = file_write("cut.gz", data, packed - cut);
    assert_int_equal(scree__descriptor_open(&o->descriptor, path, &error), SCREE_OK);
    assert_int_equal(scree__decoder_gzip.open(&o->decoder, &o->descriptor, data, 0, &error), SCREE_OK);
    o->pump = scree__pump_open(o->decoder);
    assert_non_null(o->pump);
    free(data);
}

static void close_pump(opened *o)
{
    scree__pump_close(o->pump);
    scree__decoder_close(o->decoder);
    scree__descriptor_close(&o->descriptor);
}

static void test_bytes_and_end(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, SLOT - 1, SLOT, SLOT + 1, 2 * SLOT, SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int64_t piece = 1000; piece < 5000000; piece *= 31) {
            opened o;
            open_pump(&o, sizes[i], 0);
            scree_error error = SCREE_ERROR_INIT;
            int64_t at = 0;
            for (int64_t got = 1; got > 0; at += got) {
                int64_t want = piece < SIZE - at ? piece : SIZE - at;
                scree__pump_read(o.pump, buffer + at, want, &got, &error);
                assert_string_equal(error.text, "");
            }
            assert_int_equal(at, sizes[i]);
            assert_memory_equal(buffer, content, (size_t)at);
            close_pump(&o);
        }
}

static void test_damage_arrives_in_order(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    int64_t got = 0;
    opened o;
    open_pump(&o, SIZE, 100);
    assert_int_equal(scree__pump_read(o.pump, buffer, SLOT, &got, &error), SCREE_OK);
    assert_int_equal(got, SLOT);
    assert_memory_equal(buffer, content, SLOT);
    assert_true(scree__pump_position(o.pump) > 0);
    assert_int_equal(scree__pump_read(o.pump, buffer, SIZE, &got, &error), SCREE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "truncated"));
    assert_int_equal(scree__pump_read(o.pump, buffer, 1, &got, &error), SCREE_ERR_FORMAT);
    close_pump(&o);
}

static void test_left_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        opened o;
        open_pump(&o, SIZE, 0);
        close_pump(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_and_end),
        cmocka_unit_test(test_damage_arrives_in_order),
        cmocka_unit_test(test_left_at_once),
    };
    return cmocka_run_group_tests(tests, make_content, folder_remove);
}
