/* SPDX-License-Identifier: BSD-3-Clause */
/* Past the page cache or through it: the same bytes, at any offset, up to the end of the file. Where the file system
 * cannot do it, what is tested is that reading goes on through the cache. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mincore */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/bytes.h"
#include "data/direct.h"
#include "temporary_folder.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { SIZE = 50 * SCREE__PAGE + 777 };

static unsigned char content[SIZE];

static int make_content(void **state)
{
    for (int i = 0; i < SIZE; i++)
        content[i] = (unsigned char)((i * 7919) >> 5);
    return folder_make(state);
}

/* Writes the file and asks the system to forget it, so that there is something to read from the disk. */
static const char *cold_file(const char *name)
{
    const char *path = file_write(name, content, SIZE);
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(fsync(fd), 0);
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
    return path;
}

static void test_spans(void **state)
{
    (void)state;
    static const int64_t spans[][2] = {{0, SIZE},
                                       {0, 1},
                                       {1, 1},
                                       {128, 3 * SCREE__PAGE},
                                       {4095, 2},
                                       {SIZE - 1, 1},
                                       {SIZE - 800, 800},
                                       {8192, SCREE__PAGE},
                                       {SIZE - 10, 100},
                                       {SIZE + 9000, 5},
                                       {77, SIZE}};
    for (int past = 0; past < 2; past++) {
        scree__bytes *bytes = NULL;
        scree__buffer room = {0};
        scree_error error = SCREE_ERROR_INIT;
        assert_int_equal(scree__bytes_open(&bytes, cold_file("spans"), &error), SCREE_OK);
        for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
            const scree__span span = {spans[i][0], spans[i][1], past};
            const int64_t there = SIZE - span.offset < span.size ? SIZE - span.offset : span.size;
            char *at = NULL;
            int64_t got = -1;
            assert_int_equal(scree__bytes_read_into(bytes, &span, &room, &at, &got, &error), SCREE_OK);
            assert_int_equal(got, there > 0 ? there : 0);
            if (got > 0)
                assert_memory_equal(at, content + span.offset, (size_t)got);
        }
        scree__buffer_free(&room);
        scree__bytes_close(bytes);
    }
}

/* What does not lie in the cache comes past it, or it is found out that this cannot be done, and not tried again. */
static void test_cold_pages(void **state)
{
    (void)state;
    scree__direct direct;
    scree__buffer room = {0};
    char *at = NULL;
    int64_t got = 0;
    unsigned char present = 1;
    const char *path = cold_file("cold");
    int fd = open(path, O_RDONLY);
    scree__direct_open(&direct, path, fd);
    if (direct.map && mincore(direct.map, 1, &present) == 0 && !(present & 1)) {
        if (scree__direct_read(&direct, &room, 128, 2000, &at, &got)) {
            assert_int_equal(got, 2000);
            assert_memory_equal(at, content + 128, 2000);
        } else {
            assert_int_equal(direct.fd, -1);
        }
    }
    scree__direct_close(&direct);
    close(fd);
    scree__buffer_free(&room);
}

/* What was just read through the cache lies there, and is left to it. */
static void test_cached_pages_stay(void **state)
{
    (void)state;
    scree__direct direct;
    scree__buffer room = {0};
    char *at = NULL;
    int64_t got = 0;
    size_t size = 0;
    const char *path = file_write("cached", content, SIZE);
    free(file_read(path, &size));
    int fd = open(path, O_RDONLY);
    scree__direct_open(&direct, path, fd);
    if (direct.fd >= 0 && direct.map)
        assert_false(scree__direct_read(&direct, &room, 128, 2000, &at, &got));
    scree__direct_close(&direct);
    close(fd);
    scree__buffer_free(&room);
}

/* Another file has taken the name: it is not read in place of the one that is open. */
static void test_replaced_file(void **state)
{
    (void)state;
    scree__direct direct;
    const char *path = file_write("replaced", content, SIZE);
    int fd = open(path, O_RDONLY);
    assert_int_equal(rename(file_write("other", content, 10), path), 0);
    scree__direct_open(&direct, path, fd);
    assert_int_equal(direct.fd, -1);
    scree__direct_close(&direct);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_cold_pages),
        cmocka_unit_test(test_cached_pages_stay),
        cmocka_unit_test(test_replaced_file),
    };
    return cmocka_run_group_tests(tests, make_content, folder_remove);
}
