/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells to doubles with AVX2. The 32 bytes that end with the cell are looked at together: comparisons give one bit a
 * byte for digits and for the point. Digits after the point stand where they should; those before it are taken from
 * the 32 bytes one earlier, which closes the gap. What is not a digit becomes 0, so that the text is 32 digits with
 * zeros in front, and three multiplications of neighbours make four numbers of eight digits:
 *     w = a₁·10^16 + a₂·10^8 + a₃,   a₀ = 0 and a₁ < 1000: at most 19 digits,   value = ±w·10^(-digits after the point)
 * An exponent is cut off first. There is no branch on lengths. Cost: some 60 instructions a cell of 17 digits. */

#include "base/avx2.h"
#include "base/number_cells.h"

#if SCREE_HAS_AVX2

#include "base/number_round.h"

#include <immintrin.h>

enum { WIDE = 32 };

/* A decimal without its exponent. */
typedef struct mantissa {
    uint64_t w;
    int64_t power; /* of ten, of the last digit */
    uint32_t odd;  /* one bit for each byte that has no place in a decimal; 0: it is one */
    bool good;     /* a digit, not two points, not too many digits */
} mantissa;

/* 32 bytes of which the last count are ones. */
SCREE_AVX2_INLINE __m256i last_bytes(uint32_t count)
{
    static const uint8_t ones[2 * WIDE] = {
        0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return _mm256_loadu_si256((const __m256i *)(const void *)(ones + count));
}

/* 32 digits, the first in the lowest byte, to w; false when it has more than 19. */
SCREE_AVX2_INLINE bool join_digits(__m256i digits, uint64_t *w)
{
    const __m256i tens = _mm256_set1_epi16(0x010A);          /* 10, 1 */
    const __m256i hundreds = _mm256_set1_epi32(0x00010064);  /* 100, 1 */
    const __m256i myriads = _mm256_set1_epi32(0x00012710);   /* 10000, 1 */
    const __m256i two = _mm256_maddubs_epi16(digits, tens);  /* 16 numbers of two digits */
    const __m256i four = _mm256_madd_epi16(two, hundreds);   /* 8 of four */
    const __m256i close = _mm256_packus_epi32(four, four);   /* in each half: 4, twice */
    const __m256i eight = _mm256_madd_epi16(close, myriads); /* in each half: 2 of eight, twice */
    const uint64_t front = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(eight));
    const uint64_t back = (uint64_t)_mm_cvtsi128_si64(_mm256_extracti128_si256(eight, 1));
    *w = (front >> 32) * UINT64_C(10000000000000000) + (back & UINT32_MAX) * 100000000 + (back >> 32);
    return (front & UINT32_MAX) == 0 && front >> 32 < 1000;
}

/* The text from p to end; its length is in 1..32. */
SCREE_AVX2_INLINE mantissa read_mantissa(const char *p, const char *end, uint32_t is_signed, char point)
{
    mantissa m;
    const __m256i zero = _mm256_set1_epi8('0');
    const __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)(end - WIDE));
    const __m256i earlier = _mm256_loadu_si256((const __m256i *)(const void *)(end - WIDE - 1));
    const __m256i moved = _mm256_sub_epi8(here, zero);
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(moved, _mm256_set1_epi8(9)), moved);
    const uint32_t first = (uint32_t)(WIDE - (end - p));
    const uint32_t inside = UINT32_MAX << first;
    const uint32_t digits = (uint32_t)_mm256_movemask_epi8(is_digit) & inside;
    const uint32_t points = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, _mm256_set1_epi8(point))) & inside;
    m.odd = inside & ~(digits | points | is_signed << first);
    const uint32_t after = _lzcnt_u32(points); /* digits after the point; 32 without one */
    m.power = -(int64_t)(after & 31);
    const __m256i closed = _mm256_blendv_epi8(_mm256_sub_epi8(earlier, zero), moved, last_bytes(after));
    const __m256i clean = _mm256_and_si256(closed, last_bytes((uint32_t)__builtin_popcount(digits)));
    m.good = join_digits(clean, &m.w) & (digits != 0) & ((points & (points - 1)) == 0);
    return m;
}

/* The exponent at p, after the e; false when it is none, or longer than exponents are. */
static inline bool read_exponent(const char *p, const char *end, int64_t *power)
{
    const bool negative = p < end && *p == '-';
    int64_t exponent = 0;
    p += p < end && (*p == '-' || *p == '+');
    if (p == end || end - p > 4)
        return false;
    for (; p < end; p++) {
        if ((unsigned)(*p - '0') > 9)
            return false;
        exponent = 10 * exponent + (*p - '0');
    }
    *power += negative ? -exponent : exponent;
    return true;
}

/* False: not plain. */
SCREE_AVX2_INLINE bool read_cell(const char *p, const char *end, char point, const scree__uint128 *powers,
                                 double *value)
{
    const uint32_t minus = *p == '-';
    const uint32_t is_signed = minus | (*p == '+');
    if (end - p < 1 || end - p > WIDE)
        return false;
    mantissa m = read_mantissa(p, end, is_signed, point);
    if (m.odd) {
        const char *mark = end - WIDE + _tzcnt_u32(m.odd);
        if ((*mark | 0x20) != 'e' || mark == p)
            return false;
        m = read_mantissa(p, mark, is_signed, point);
        if (m.odd || !read_exponent(mark + 1, end, &m.power))
            return false;
    }
    if (!m.good)
        return false;
    /* Numbers of 15 to 17 digits often stand together: all but short ones go one way, though step 1 could take some. */
    double magnitude;
    if (!(m.w < UINT64_C(100000000000000) && scree__round_short(m.w, m.power, &magnitude)) &&
        (m.w == 0 || (m.power == 0 && m.w > UINT64_C(1) << 53) || !scree__round_long(m.w, m.power, powers, &magnitude)))
        return false;
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    bits |= (uint64_t)minus << 63;
    memcpy(value, &bits, sizeof bits);
    return true;
}

SCREE_AVX2 int64_t scree__cells_read_avx2(const scree__cells *cells, double *values)
{
    const scree__uint128 *powers = scree__power_table();
    const char *p = cells->text + cells->begin;
    for (int64_t i = 0; i < cells->count; i++) {
        const char *end = cells->text + cells->ends[i];
        while (*p == ' ')
            p++;
        if (!read_cell(p, end, cells->point, powers, &values[i]))
            return i;
        p = end + 1;
    }
    return cells->count;
}

#endif
