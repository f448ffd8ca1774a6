/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the delimiters and line breaks of a text are, as if there were no quotes: 64 bytes at a time to two words of
 * bits, and those to lists of places. How many bits a word has cannot be predicted, so places are written in eights
 * and the list grows by as many as there were. Cost: under an instruction a byte. */

#include "data/csv.h"

#include "base/avx2.h"
#include "base/memory.h"

#include <string.h>

#if SCREE_HAS_AVX2
#include <immintrin.h>
#endif

enum { STEP = 64, AT_ONCE = 8 };

typedef struct marks {
    uint64_t breaks;
    uint64_t ends; /* delimiters and breaks */
} marks;

/* Bytes of 0 become 128, all others 0. */
static inline uint64_t zero_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((word & low) + low) | word | low);
}

/* The upper bits of eight bytes, of which all others are 0, as eight bits, the first byte's lowest. */
static inline uint64_t gather_bits(uint64_t word)
{
    return (word >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline marks plain_marks(const char *p, char delimiter)
{
    marks m = {0, 0};
    const uint64_t every = UINT64_C(0x0101010101010101);
    for (int i = 0; i < STEP; i += 8) {
        uint64_t word = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(&word, p + i, 8);
#else
        for (int j = 0; j < 8; j++)
            word |= (uint64_t)(unsigned char)p[i + j] << 8 * j;
#endif
        const uint64_t breaks = zero_bytes(word ^ '\n' * every);
        const uint64_t delimiters = zero_bytes(word ^ (unsigned char)delimiter * every);
        m.breaks |= gather_bits(breaks) << i;
        m.ends |= gather_bits(breaks | delimiters) << i;
    }
    return m;
}

/* Writes the places of the bits, at + their number, to list; returns how many. There is space for 64. */
static inline int64_t write_places(uint32_t *list, uint64_t bits, uint32_t at)
{
    const int64_t count = __builtin_popcountll(bits);
    for (int64_t done = 0; done < count; done += AT_ONCE)
        for (int i = 0; i < AT_ONCE; i++) {
            list[done + i] = at + (uint32_t)(bits ? __builtin_ctzll(bits) : 0);
            bits &= bits - 1;
        }
    return count;
}

static inline void add_marks(scree__csv_index *index, marks m, int64_t at)
{
    index->end_count += write_places(index->ends + index->end_count, m.ends, (uint32_t)at);
    index->break_count += write_places(index->breaks + index->break_count, m.breaks, (uint32_t)at);
}

static inline bool has_space(const scree__csv_index *index)
{
    return index->end_count <= index->capacity - STEP;
}

/* What is left after whole steps; nothing past the end of the text is read. */
static void add_rest(scree__csv_index *index, const char *text, int64_t at, int64_t size, char delimiter)
{
    char rest[STEP] = {0};
    if (at >= size || size - at >= STEP || !has_space(index))
        return;
    memcpy(rest, text + at, (size_t)(size - at));
    marks m = plain_marks(rest, delimiter);
    const uint64_t inside = (UINT64_C(1) << (size - at)) - 1; /* should zero be the delimiter */
    add_marks(index, (marks){m.breaks & inside, m.ends & inside}, at);
}

void scree__csv_index_plain(scree__csv_index *index, const char *text, int64_t size, char delimiter)
{
    int64_t at = 0;
    index->end_count = index->break_count = 0;
    for (; size - at >= STEP && has_space(index); at += STEP)
        add_marks(index, plain_marks(text + at, delimiter), at);
    add_rest(index, text, at, size, delimiter);
}

#if SCREE_HAS_AVX2

SCREE_AVX2_INLINE uint64_t equal_bits(__m256i low, __m256i high, __m256i wanted)
{
    const uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    const uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return first | (uint64_t)second << 32;
}

SCREE_AVX2_INLINE int64_t write_places_avx2(uint32_t *list, uint64_t bits, uint32_t at)
{
    const int64_t count = __builtin_popcountll(bits);
    for (int64_t done = 0; done < count; done += AT_ONCE)
        for (int i = 0; i < AT_ONCE; i++) {
            list[done + i] = at + (uint32_t)_tzcnt_u64(bits);
            bits = _blsr_u64(bits);
        }
    return count;
}

SCREE_AVX2 void scree__csv_index_avx2(scree__csv_index *index, const char *text, int64_t size, char delimiter)
{
    const __m256i line_break = _mm256_set1_epi8('\n');
    const __m256i comma = _mm256_set1_epi8(delimiter);
    int64_t at = 0;
    index->end_count = index->break_count = 0;
    for (; size - at >= STEP && has_space(index); at += STEP) {
        const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(text + at));
        const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(text + at + STEP / 2));
        const uint64_t breaks = equal_bits(low, high, line_break);
        const uint64_t ends = equal_bits(low, high, comma) | breaks;
        index->end_count += write_places_avx2(index->ends + index->end_count, ends, (uint32_t)at);
        index->break_count += write_places_avx2(index->breaks + index->break_count, breaks, (uint32_t)at);
    }
    add_rest(index, text, at, size, delimiter);
}

#endif

void scree__csv_index_make(scree__csv_index *index, const char *text, int64_t size, char delimiter, char point)
{
    (void)point;
    index->marked = false;
#if SCREE_HAS_AVX2
    if (scree__has_avx512()) {
        index->marked = true;
        scree__csv_index_avx512(index, text, size, delimiter, point);
        return;
    }
    if (scree__has_avx2()) {
        scree__csv_index_avx2(index, text, size, delimiter);
        return;
    }
#endif
    scree__csv_index_plain(index, text, size, delimiter);
}

/* One piece of memory: words first, so that all is aligned. */
bool scree__csv_index_open(scree__csv_index *index, int64_t cells)
{
    const int64_t capacity = cells + STEP;
    const int64_t words = capacity / 64 + 2;
    const int64_t places = 2 * STEP + capacity; /* of a list: what is written or read at once may reach past the last */
    *index = (scree__csv_index){.capacity = capacity};
    uint64_t *word = scree__alloc_raw(3 * words + (3 * places + words) / 2 + 1, sizeof *word);
    if (!word)
        return false;
    memset(word, 0, (size_t)(3 * words + (3 * places + words) / 2 + 1) * sizeof *word);
    index->memory = word;
    index->marks.pointed = word;
    index->marks.minus = word + words;
    index->marks.odd = word + 2 * words;
    uint32_t *place = (uint32_t *)(void *)(word + 3 * words);
    index->ends = place + STEP;
    index->ends[-1] = UINT32_MAX;
    index->breaks = place + places;
    index->marks.points = place + 2 * places;
    index->marks.rank = place + 3 * places;
    return true;
}

void scree__csv_index_close(scree__csv_index *index)
{
    free(index->memory);
    *index = (scree__csv_index){0};
}
