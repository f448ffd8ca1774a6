/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells to doubles with AVX-512, eight at a time. Each cell is first laid out alone, as number_cells_avx2.c does it:
 * the 32 bytes that end with it become 32 digits with zeros in front. Then all eight go on together:
 *
 *     w = a₁·10^16 + a₂·10^8 + a₃   from numbers of eight digits,   value = ±w·10^-m,  m in 0..31
 *
 * Where w ≤ 2^53 and m ≤ 22, w / 10^m rounds once (Clinger). Otherwise P is the upper half of w·T, with w moved up to
 * 64 bits and T the first 64 bits of 10^-m, cut off (Eisel and Lemire): the true product lies in [P, P + 2), so its
 * first 54 bits, which decide the rounding, are those of P unless the bits below them are all 1; all 0 may be a tie.
 * Cells for which this is not enough are read again alone. Cost: some 20 instructions a cell. */

#include "base/avx2.h"
#include "base/number_cells.h"

#if SCREE_HAS_AVX512

#include "base/number.h"
#include "base/power_table.h"

#include <immintrin.h>
#include <string.h>

enum { WIDE = 32, GROUP = 8 };

/* Eight cells, laid out: 32 digits each, with zeros in front. */
typedef struct group {
    __m512i digits[GROUP / 2]; /* of two cells */
    __m256i places;            /* m: digits after the point */
    uint32_t minus;            /* a bit a cell */
    uint32_t bad;              /* a bit a cell: to be read alone */
} group;

/* Eight bits of a list, from the given one on. */
SCREE_AVX512_INLINE uint32_t eight_bits(const uint64_t *words, int64_t at)
{
    uint16_t bits;
    memcpy(&bits, (const char *)words + (at >> 3), sizeof bits);
    return (uint32_t)bits >> (at & 7) & 255;
}

/* How many of the cells before the given one have a point. */
SCREE_AVX512_INLINE int64_t points_before(const scree__cell_marks *marks, int64_t cell)
{
    const uint64_t before = marks->pointed[cell >> 6] & ((UINT64_C(1) << (cell & 63)) - 1);
    return (int64_t)marks->rank[cell >> 6] + __builtin_popcountll(before);
}

SCREE_AVX512_INLINE __m512i two_halves(const char *first, const char *second)
{
    const __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)first));
    return _mm512_inserti64x4(low, _mm256_loadu_si256((const __m256i *)(const void *)second), 1);
}

/* The 32 bytes that end with each cell, and those one byte earlier: digits after the point are taken from the first,
 * those before it from the second, which closes the gap. Of the result the last count bytes are the digits. */
SCREE_AVX512_INLINE void lay_out(group *g, const scree__cells *cells, int64_t i)
{
    const scree__cell_marks *marks = cells->marks;
    const int64_t first = cells->first + i;
    const uint32_t *at = cells->ends + i;
    const uint32_t pointed = eight_bits(marks->pointed, first);
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i all = _mm256_set1_epi32(-1);
    const __m256i wide = _mm256_set1_epi32(WIDE);
    const __m256i ends = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const __m256i starts = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(at - 1)), one);
    const __m256i list =
        _mm256_loadu_si256((const __m256i *)(const void *)(marks->points + points_before(marks, first)));
    const __m256i points = _mm256_maskz_expand_epi32(_cvtu32_mask8(pointed), list);
    g->minus = eight_bits(marks->minus, first);
    g->places = _mm256_maskz_sub_epi32(_cvtu32_mask8(pointed), _mm256_sub_epi32(ends, points), one);
    const __m256i after = _mm256_mask_mov_epi32(wide, _cvtu32_mask8(pointed), g->places);
    __m256i count = _mm256_sub_epi32(ends, starts);
    count = _mm256_mask_sub_epi32(count, _cvtu32_mask8(pointed), count, one);
    count = _mm256_mask_sub_epi32(count, _cvtu32_mask8(g->minus), count, one);
    const __mmask8 long_or_none = _mm256_cmpge_epu32_mask(_mm256_sub_epi32(count, one), _mm256_set1_epi32(WIDE - 1));
    g->bad = eight_bits(marks->odd, first) | _cvtmask8_u32(long_or_none);
    _Alignas(32) uint64_t behind[GROUP / 2]; /* for two cells: a bit for each byte after the point */
    _Alignas(32) uint64_t kept[GROUP / 2];
    _mm256_store_si256((__m256i *)(void *)behind, _mm256_sllv_epi32(all, _mm256_sub_epi32(wide, after)));
    _mm256_store_si256((__m256i *)(void *)kept, _mm256_sllv_epi32(all, _mm256_sub_epi32(wide, count)));
    const char *text = cells->text - WIDE;
#pragma GCC unroll 4
    for (int k = 0; k < GROUP / 2; k++) {
        const char *first_end = text + at[2 * k];
        const char *second_end = text + at[2 * k + 1];
        const __m512i here = two_halves(first_end, second_end);
        const __m512i earlier = two_halves(first_end - 1, second_end - 1);
        const __m512i closed = _mm512_mask_blend_epi8(_cvtu64_mask64(behind[k]), earlier, here);
        g->digits[k] = _mm512_maskz_sub_epi8(_cvtu64_mask64(kept[k]), closed, _mm512_set1_epi8('0'));
    }
}

/* Digits to w; *bad gets the lanes that have more than 19. */
SCREE_AVX512_INLINE __m512i join_digits(const group *g, __mmask8 *bad)
{
    const __m512i tens = _mm512_set1_epi16(0x010A);         /* 10, 1 */
    const __m512i hundreds = _mm512_set1_epi32(0x00010064); /* 100, 1 */
    const __m512i myriads = _mm512_set1_epi32(0x00012710);  /* 10000, 1 */
    __m512i four[GROUP / 2];                                /* of two cells each: numbers of four digits */
    for (int i = 0; i < GROUP / 2; i++)
        four[i] = _mm512_madd_epi16(_mm512_maddubs_epi16(g->digits[i], tens), hundreds);
    const __m512i low = _mm512_madd_epi16(_mm512_packus_epi32(four[0], four[1]), myriads);
    const __m512i high = _mm512_madd_epi16(_mm512_packus_epi32(four[2], four[3]), myriads);
    /* Now each 64 bits hold two numbers of eight digits; of cells 0 to 3 in low: fronts at 0, 4, 1, 5, then backs. */
    const __m512i front = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13), high);
    const __m512i back = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15), high);
    const __m512i top = _mm512_ror_epi64(front, 32); /* a₁, unless there are more digits */
    *bad = _mm512_cmpge_epu64_mask(top, _mm512_set1_epi64(1000));
    return _mm512_add_epi64(_mm512_add_epi64(_mm512_mullo_epi64(top, _mm512_set1_epi64(INT64_C(10000000000000000))),
                                             _mm512_mul_epu32(back, _mm512_set1_epi64(100000000))),
                            _mm512_srli_epi64(back, 32));
}

/* Element m of a table of 32. */
SCREE_AVX512_INLINE __m512i look_up(const uint64_t *table, __m512i m)
{
    const __m512i low = _mm512_permutex2var_epi64(_mm512_loadu_si512(table), m, _mm512_loadu_si512(table + 8));
    const __mmask8 upper = _mm512_cmpgt_epu64_mask(m, _mm512_set1_epi64(15));
    return _mm512_mask_mov_epi64(
        low, upper, _mm512_permutex2var_epi64(_mm512_loadu_si512(table + 16), m, _mm512_loadu_si512(table + 24)));
}

/* The upper halves of the products. */
SCREE_AVX512_INLINE __m512i multiply_high(__m512i a, __m512i b)
{
    const __m512i a1 = _mm512_srli_epi64(a, 32);
    const __m512i b1 = _mm512_srli_epi64(b, 32);
    const __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(a1, b), _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
    const __m512i other =
        _mm512_add_epi64(_mm512_mul_epu32(a, b1), _mm512_and_si512(middle, _mm512_set1_epi64(UINT32_MAX)));
    return _mm512_add_epi64(_mm512_add_epi64(_mm512_mul_epu32(a1, b1), _mm512_srli_epi64(middle, 32)),
                            _mm512_srli_epi64(other, 32));
}

/* w·10^-m for w > 0, by the second way; *bad gets the lanes where it cannot tell. */
SCREE_AVX512_INLINE __m512i round_long(__m512i w, __m512i m, __mmask8 *bad)
{
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i shift = _mm512_lzcnt_epi64(w);
    const __m512i product = multiply_high(_mm512_sllv_epi64(w, shift), look_up(scree__power_heads(), m));
    const __m512i top = _mm512_srli_epi64(product, 63);
    const __m512i below = _mm512_add_epi64(top, _mm512_set1_epi64(9)); /* bits after the one for rounding */
    const __m512i tail = _mm512_andnot_si512(_mm512_sllv_epi64(_mm512_set1_epi64(-1), below), /* 0 or 1: in doubt */
                                             _mm512_add_epi64(product, one));
    *bad = _mm512_cmple_epu64_mask(tail, one);
    const __m512i significand = _mm512_srli_epi64(_mm512_add_epi64(_mm512_srlv_epi64(product, below), one), 1);
    /* floor(log2(10^-m)), as scree__power_log2 has it */
    const __m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(m, _mm512_set1_epi64(-1741647)), 19);
    const __m512i biased = _mm512_add_epi64(_mm512_sub_epi64(_mm512_add_epi64(log2, top), shift),
                                            _mm512_set1_epi64(64 + 1023 - 2)); /* less one: bit 52 adds it */
    return _mm512_add_epi64(_mm512_slli_epi64(biased, 52), significand);
}

static const uint64_t *tens_table(void)
{
    static const union {
        double tens[32];
        uint64_t bits[32];
    } table = {{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}};
    return table.bits;
}

/* The doubles of a group; g->bad gets those that need more. */
SCREE_AVX512_INLINE __m512d convert(group *g)
{
    __mmask8 bad;
    const __m512i w = join_digits(g, &bad);
    const __m512i m = _mm512_cvtepu32_epi64(g->places);
    const __mmask8 is_short = _kand_mask8(_mm512_cmple_epu64_mask(w, _mm512_set1_epi64(INT64_C(1) << 53)),
                                          _mm512_cmple_epu64_mask(m, _mm512_set1_epi64(22)));
    __m512d value = _mm512_div_pd(_mm512_cvtepu64_pd(w), _mm512_castsi512_pd(look_up(tens_table(), m)));
    if (_cvtmask8_u32(is_short) != 255) {
        __mmask8 doubt;
        const __m512i wide = round_long(w, m, &doubt);
        doubt = _kor_mask8(doubt, _mm512_testn_epi64_mask(m, m)); /* whole, and beyond 2^53 */
        bad = _kor_mask8(bad, _kandn_mask8(is_short, doubt));
        value = _mm512_mask_mov_pd(_mm512_castsi512_pd(wide), is_short, value);
    }
    g->bad |= _cvtmask8_u32(bad);
    const __m512i sign = _mm512_maskz_set1_epi64(_cvtu32_mask8(g->minus), INT64_MIN);
    return _mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(value), sign));
}

/* The bad ones of the cells that begin at p. Returns how many cells are good before one that stays bad. */
static __attribute__((noinline)) int64_t read_bad(const scree__cells *cells, int64_t at, const char *p, uint32_t bad,
                                                  double *values)
{
    for (int64_t i = 0; i < GROUP; i++) {
        const char *end = cells->text + cells->ends[at + i];
        if (bad >> i & 1) {
            const scree__cells one = {
                cells->text, cells->ends + at + i, 1, (uint32_t)(p - cells->text), cells->point, NULL, 0};
            if (scree__cells_read_avx2(&one, &values[i]) == 0 && scree__cells_read_plain(&one, &values[i]) == 0)
                return i;
        }
        p = end + 1;
    }
    return GROUP;
}

SCREE_AVX512 int64_t scree__cells_read_avx512(const scree__cells *cells, double *values)
{
    const scree__cells all = *cells;
    if (all.count < GROUP || !all.marks)
        return scree__cells_read_avx2(cells, values);
    for (int64_t i = 0; i < all.count; i += GROUP) {
        const int64_t at = i <= all.count - GROUP ? i : all.count - GROUP; /* the last group has some once more */
        group g;
        lay_out(&g, &all, at);
        _mm512_storeu_pd(values + at, convert(&g));
        if (__builtin_expect(g.bad != 0, 0)) {
            const int64_t good = read_bad(&all, at, all.text + (uint32_t)(all.ends[at - 1] + 1), g.bad, values + at);
            if (good < GROUP)
                return at + good;
        }
    }
    return all.count;
}

#endif
