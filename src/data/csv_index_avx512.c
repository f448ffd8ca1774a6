/* SPDX-License-Identifier: BSD-3-Clause */
/* The index with AVX-512, and with it what a reader of numbers wants to know of each cell, found for 64 bytes at once
 * rather than cell by cell: whether it has a point, begins with a minus, or has anything that is not a digit besides.
 * A bit inside a cell is carried to the bit of the cell's end by an addition: with ~ends the bytes of a cell are ones,
 *     bits + ~ends + carry
 * overflows into the zero at the end of each cell that has a bit, and out of the 64 when the cell goes on; a second
 * point of a cell is left standing as a one. Then the bits at ends are drawn together, one a cell. */

#include "data/csv.h"

#include "base/avx2.h"

#if SCREE_HAS_AVX512

#include <immintrin.h>

enum { STEP = 64, AT_ONCE = 16 };

/* Of the cell that 64 bytes end in. */
typedef struct carries {
    unsigned char pointed;
    unsigned char minus;
    unsigned char odd;
    uint64_t ended; /* the last byte was an end */
} carries;

/* A bit for each cell, of those that end in the 64 bytes. */
typedef struct facts {
    uint64_t pointed;
    uint64_t minus;
    uint64_t odd;
} facts;

SCREE_AVX512_INLINE uint64_t carry_to_ends(uint64_t bits, uint64_t ends, unsigned char *carry)
{
    unsigned long long sum;
    *carry = _addcarry_u64(*carry, bits, ~ends, &sum);
    return sum;
}

/* Places of the bits, at + their number, to list, which holds 64. */
SCREE_AVX512_INLINE int64_t write_places(uint32_t *list, uint64_t bits, uint32_t at)
{
    static const uint8_t numbers[STEP] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                          32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                          48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i base = _mm512_set1_epi32((int)at);
    const int64_t count = __builtin_popcountll(bits);
    const __m512i places = _mm512_maskz_compress_epi8(_cvtu64_mask64(bits), _mm512_loadu_si512(numbers));
    const __m512i some = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
    _mm512_storeu_si512(list, _mm512_add_epi32(some, base));
    if (__builtin_expect(count > AT_ONCE, 0)) {
        uint8_t bytes[STEP];
        _mm512_storeu_si512(bytes, places);
        for (int64_t i = AT_ONCE; i < count; i += AT_ONCE) {
            const __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
            _mm512_storeu_si512(list + i, _mm512_add_epi32(_mm512_cvtepu8_epi32(next), base));
        }
    }
    return count;
}

/* Appends count bits to the list of words; at is how many it has. */
SCREE_AVX512_INLINE void append_bits(uint64_t *words, int64_t at, uint64_t bits, bool spills)
{
    const int64_t word = at >> 6;
    const int shift = (int)(at & 63);
    words[word] = (shift ? words[word] : 0) | bits << shift;
    if (spills)
        words[word + 1] = shift ? bits >> (64 - shift) : 0;
}

/* The 64 bytes at text + at. */
SCREE_AVX512_INLINE void add_step(scree__csv_index *index, __m512i bytes, int64_t at, __m512i delimiter, __m512i point,
                                  uint64_t inside, carries *c)
{
    scree__cell_marks *marks = &index->marks;
    const uint64_t breaks = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'))) & inside;
    const uint64_t ends = (_cvtmask64_u64(_mm512_cmpeq_epi8_mask(bytes, delimiter)) & inside) | breaks;
    const uint64_t points = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(bytes, point)) & ~ends;
    const uint64_t digits =
        _cvtmask64_u64(_mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), _mm512_set1_epi8(9)));
    const uint64_t starts = ends << 1 | c->ended;
    const uint64_t minus = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-'))) & starts & ~ends;
    const uint64_t pointed = carry_to_ends(points, ends, &c->pointed);
    const uint64_t second = pointed & points;
    const uint64_t odd = ~(digits | points | ends | minus) | second;
    facts f = {_pext_u64(pointed, ends), _pext_u64(carry_to_ends(minus, ends, &c->minus), ends),
               _pext_u64(carry_to_ends(odd & ~ends, ends, &c->odd), ends)};
    c->ended = ends >> 63;
    const int64_t cells = index->end_count;
    index->end_count += write_places(index->ends + cells, ends, (uint32_t)at);
    const bool spills = (cells ^ index->end_count) >> 6 != 0;
    append_bits(marks->pointed, cells, f.pointed, spills);
    append_bits(marks->minus, cells, f.minus, spills);
    append_bits(marks->odd, cells, f.odd, spills);
    if (spills) /* points before the first cell of the new word: those whose cells end before it */
        marks->rank[(cells >> 6) + 1] =
            marks->rank[cells >> 6] + (uint32_t)__builtin_popcountll(marks->pointed[cells >> 6]);
    index->point_count += write_places(marks->points + index->point_count, points & ~second, (uint32_t)at);
    if (breaks)
        index->break_count += write_places(index->breaks + index->break_count, breaks, (uint32_t)at);
}

SCREE_AVX512 void scree__csv_index_avx512(scree__csv_index *index, const char *text, int64_t size, char delimiter,
                                          char point)
{
    const __m512i delimiters = _mm512_set1_epi8(delimiter);
    const __m512i points = _mm512_set1_epi8(point);
    carries c = {.ended = 1};
    scree__csv_index all = *index;
    all.end_count = all.break_count = all.point_count = 0;
    all.marks.rank[0] = 0;
    int64_t at = 0;
    for (; size - at >= STEP && all.end_count <= all.capacity - STEP; at += STEP)
        add_step(&all, _mm512_loadu_si512(text + at), at, delimiters, points, UINT64_MAX, &c);
    if (at < size && size - at < STEP && all.end_count <= all.capacity - STEP) {
        const uint64_t inside = (UINT64_C(1) << (size - at)) - 1;
        const __m512i rest = _mm512_maskz_loadu_epi8(_cvtu64_mask64(inside), text + at);
        add_step(&all, rest, at, delimiters, points, inside, &c);
    }
    *index = all;
}

#endif
