/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of delimiters and line breaks: what a look at each byte finds, by each way of making it, for any size, and
 * nothing past the end is read. */

#include "data/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700, ROOM = 1024 };

typedef void (*index_maker)(scree__csv_index *index, const char *text, int64_t size, char delimiter);

static uint32_t ends[ROOM];
static uint32_t breaks[ROOM];

static void check(index_maker make, const char *text, int64_t size, char delimiter, int64_t room)
{
    scree__csv_index index = {.ends = ends, .breaks = breaks, .room = room};
    int64_t end_at = 0;
    int64_t break_at = 0;
    make(&index, text, size, delimiter);
    const int64_t covered = room < ROOM && index.end_count > 0 ? index.ends[index.end_count - 1] + 1 : size;
    for (int64_t i = 0; i < covered; i++) {
        if (text[i] == delimiter || text[i] == '\n')
            assert_true(end_at < index.end_count && index.ends[end_at++] == i);
        if (text[i] == '\n')
            assert_true(break_at < index.break_count && index.breaks[break_at++] == i);
    }
    assert_int_equal(end_at, index.end_count);
    assert_int_equal(break_at, index.break_count);
    assert_true(index.end_count <= room);
}

static void test_every_size(void **state)
{
    (void)state;
    static const char alphabet[] = "1;\n\x80\xBB\n;;,.x\"\x8A 0123456789";
    static const index_maker makers[] = {scree__csv_index_make, scree__csv_index_plain};
    unsigned word = 1;
    for (int64_t size = 0; size < MOST; size++) {
        char *text = malloc((size_t)size + 1); /* a tight one: reading past it is seen by sanitizers */
        assert_non_null(text);
        char *tight = malloc(size ? (size_t)size : 1);
        assert_non_null(tight);
        const unsigned kinds = size % 3 ? (unsigned)sizeof alphabet - 1 : 3;
        for (int64_t i = 0; i < size; i++) {
            word = word * 1664525 + 1013904223;
            text[i] = alphabet[(word >> 16) % kinds];
        }
        memcpy(tight, text, (size_t)size);
        for (int i = 0; i < 2; i++) {
            check(makers[i], tight, size, ';', ROOM);
            check(makers[i], tight, size, ',', ROOM);
            check(makers[i], tight, size, (char)0xBB, ROOM);
            check(makers[i], tight, size, ';', 128);
        }
        free(text);
        free(tight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
