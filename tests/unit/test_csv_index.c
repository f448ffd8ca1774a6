/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of delimiters and line breaks: what a look at each byte finds, by each way of making it, for any size, and
 * nothing past the end is read. */

#include "data/csv.h"

#include "base/avx2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700 };

typedef void (*index_maker)(scree__csv_index *index, const char *text, int64_t size, char delimiter);

/* The best of this machine, by the shape of the others. */
static void make_best(scree__csv_index *index, const char *text, int64_t size, char delimiter)
{
    scree__csv_index_make(index, text, size, delimiter, '.');
}

static bool bit_of(const uint64_t *words, int64_t n)
{
    return words[n / 64] >> (n % 64) & 1;
}

/* What the marks say of cell n, which is from begin to end. */
static void check_marks(const scree__csv_index *index, const char *text, int64_t n, int64_t begin, int64_t end)
{
    const scree__cell_marks *marks = &index->marks;
    int64_t points = 0;
    int64_t others = 0;
    int64_t first = -1;
    const bool minus = end > begin && text[begin] == '-';
    for (int64_t i = begin + minus; i < end; i++) {
        first = text[i] == '.' && points == 0 ? i : first;
        points += text[i] == '.';
        others += text[i] != '.' && (text[i] < '0' || text[i] > '9');
    }
    assert_int_equal(bit_of(marks->minus, n), minus);
    assert_int_equal(bit_of(marks->pointed, n), points > 0);
    assert_int_equal(bit_of(marks->odd, n), points > 1 || others > 0);
    int64_t rank = marks->rank[n / 64];
    for (int64_t i = n / 64 * 64; i < n; i++)
        rank += bit_of(marks->pointed, i);
    if (points > 0)
        assert_int_equal(marks->points[rank], first);
}

static void check(index_maker make, const char *text, int64_t size, char delimiter, int64_t cells)
{
    scree__csv_index index;
    int64_t end_at = 0;
    int64_t break_at = 0;
    int64_t begin = 0;
    assert_true(scree__csv_index_open(&index, cells));
    make(&index, text, size, delimiter);
    const int64_t covered = cells < MOST && index.end_count > 0 ? index.ends[index.end_count - 1] + 1 : size;
    for (int64_t i = 0; i < covered; i++) {
        if (text[i] != delimiter && text[i] != '\n')
            continue;
        assert_true(end_at < index.end_count && index.ends[end_at] == i);
        if (index.marked)
            check_marks(&index, text, end_at, begin, i);
        end_at++;
        begin = i + 1;
        if (text[i] == '\n')
            assert_true(break_at < index.break_count && index.breaks[break_at++] == i);
    }
    assert_int_equal(end_at, index.end_count);
    assert_int_equal(break_at, index.break_count);
    assert_true(index.end_count <= index.capacity);
    scree__csv_index_close(&index);
}

static void test_every_size(void **state)
{
    (void)state;
    static const char alphabet[] = ";1\n\x80\xBB\n;-;,.x\"\x8A 0123456789;-;.";
    static const index_maker makers[] = {
        make_best,
        scree__csv_index_plain,
#if SCREE_HAS_AVX2
        scree__csv_index_avx2,
#endif
    };
    const int count = SCREE_HAS_AVX2 && scree__has_avx2() ? 3 : 2;
    unsigned word = 1;
    for (int64_t size = 0; size < MOST; size++) {
        char *text = malloc((size_t)size + 1); /* a tight one: reading past it is seen by sanitizers */
        assert_non_null(text);
        char *tight = malloc(size ? (size_t)size : 1);
        assert_non_null(tight);
        const unsigned kinds = size % 4 ? (unsigned)sizeof alphabet - 1 : size % 8 ? 3 : 1;
        for (int64_t i = 0; i < size; i++) {
            word = word * 1664525 + 1013904223;
            text[i] = alphabet[(word >> 16) % kinds];
        }
        memcpy(tight, text, (size_t)size);
        for (int i = 0; i < count; i++) {
            check(makers[i], tight, size, ';', MOST);
            check(makers[i], tight, size, ',', MOST);
            check(makers[i], tight, size, (char)0xBB, MOST);
            check(makers[i], tight, size, ';', 64);
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
