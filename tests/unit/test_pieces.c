/* SPDX-License-Identifier: BSD-3-Clause */
/* A stretch of a file read by several threads: the same elements for any number of them, also where they are converted,
 * and the place of the first byte that is missing. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/pieces.h"
#include "temporary_folder.h"

enum { COUNT = 1000003, OFFSET = 100 }; /* several pieces, the last one odd */

static unsigned char content[OFFSET + 4 * COUNT];

static int make_content(void **state)
{
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (unsigned char)((i * 7919) >> 7 & 0x3f); /* no float of these bytes is NaN */
    return folder_make(state);
}

static scree__bytes *opened(const char *name, size_t size)
{
    scree__bytes *bytes = NULL;
    assert_int_equal(scree__bytes_open(&bytes, file_write(name, content, size), NULL), SCREE_OK);
    return bytes;
}

static void test_same_for_any_threads(void **state)
{
    (void)state;
    scree__bytes *bytes = opened("whole", sizeof content);
    float *to = malloc(COUNT * sizeof *to);
    assert_non_null(to);
    for (int threads = 1; threads <= 16; threads *= 4) {
        scree__pieces pieces = {bytes, OFFSET, COUNT, {SCREE__FLOAT, 4, false}, 4, (char *)to, threads};
        int64_t got = 0;
        memset(to, 0xff, COUNT * sizeof *to);
        assert_int_equal(scree__pieces_read(&pieces, &got, NULL), SCREE_OK);
        assert_int_equal(got, 4 * (int64_t)COUNT);
        assert_memory_equal(to, content + OFFSET, 4 * (size_t)COUNT);
    }
    free(to);
    scree__bytes_close(bytes);
}

static void test_converted(void **state)
{
    (void)state;
    scree__bytes *bytes = opened("converted", sizeof content);
    double *to = malloc(COUNT * sizeof *to);
    assert_non_null(to);
    scree__pieces pieces = {bytes, OFFSET, COUNT, {SCREE__UNSIGNED, 2, true}, 8, (char *)to, 4};
    int64_t got = 0;
    assert_int_equal(scree__pieces_read(&pieces, &got, NULL), SCREE_OK);
    assert_int_equal(got, 2 * (int64_t)COUNT);
    for (int64_t i = 0; i < COUNT; i++)
        assert_true(to[i] == 256 * content[OFFSET + 2 * i] + content[OFFSET + 2 * i + 1]);
    free(to);
    scree__bytes_close(bytes);
}

/* The file ends early: what is told is the first gap, whichever piece was read first. */
static void test_truncated(void **state)
{
    (void)state;
    const size_t size = OFFSET + 1500001;
    scree__bytes *bytes = opened("short", size);
    float *to = malloc(COUNT * sizeof *to);
    assert_non_null(to);
    for (int threads = 1; threads <= 4; threads++) {
        scree__pieces pieces = {bytes, OFFSET, COUNT, {SCREE__FLOAT, 4, false}, 4, (char *)to, threads};
        int64_t got = 0;
        assert_int_equal(scree__pieces_read(&pieces, &got, NULL), SCREE_OK);
        assert_int_equal(got, 1500001);
    }
    free(to);
    scree__bytes_close(bytes);
}

/* A file just written is in the cache, and any small one is at hand; a pipe is not. */
static void test_at_hand(void **state)
{
    (void)state;
    scree__bytes *large = opened("large", sizeof content);
    scree__bytes *small = opened("small", 10);
    assert_true(scree__bytes_is_at_hand(large));
    assert_true(scree__bytes_is_at_hand(small));
    scree__bytes_close(large);
    scree__bytes_close(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_for_any_threads),
        cmocka_unit_test(test_converted),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_at_hand),
    };
    return cmocka_run_group_tests(tests, make_content, folder_remove);
}
