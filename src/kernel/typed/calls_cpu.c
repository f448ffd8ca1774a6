/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of 2 bits become tiles of numbers (panel.h): rows are variants, columns samples, 24 of them, 6 bytes, to a
 * block. What a code becomes is looked up in the variant's own table of four, so that centring, scaling and what a
 * missing call counts for are in the table. With vectors the look-up is one instruction for 8 or 16 calls. */

#include "kernel/calls_lay.h"
#include "kernel/typed/real.h"

#include <string.h>

enum { CALLS = 4, BLOCK_BYTES = SCREE__BLOCK / CALLS };

/* The bits of a block, which begins at byte `at` of a variant. */
static inline uint64_t bits_of(const uint8_t *variant, int64_t at, int64_t stride)
{
    uint64_t bits = 0;
    if (at + 8 <= stride)
        memcpy(&bits, variant + at, 8);
    else if (at < stride)
        memcpy(&bits, variant + at, (size_t)(stride - at < 8 ? stride - at : 8));
    return bits;
}

typedef void (*lay_variant)(const uint8_t *variant, const scree__calls_part *part, const real *table, real *out);

static void lay_portable(const uint8_t *variant, const scree__calls_part *part, const real *table, real *out)
{
    for (int64_t b = 0; b < part->blocks; b++, out += part->apart) {
        uint64_t bits = bits_of(variant, (part->block + b) * BLOCK_BYTES, part->stride);
        for (int i = 0; i < SCREE__BLOCK; i++, bits >>= 2)
            out[i] = table[bits & 3];
    }
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#if SCREE_REAL_IS_FLOAT

__attribute__((target("avx512f"))) static void lay_avx512(const uint8_t *variant, const scree__calls_part *part,
                                                          const real *table, real *out)
{
    const __m512 values = _mm512_broadcast_f32x4(_mm_loadu_ps(table));
    const __m512i places = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for (int64_t b = 0; b < part->blocks; b++, out += part->apart) {
        const uint64_t bits = bits_of(variant, (part->block + b) * BLOCK_BYTES, part->stride);
        const __m512i first = _mm512_srlv_epi32(_mm512_set1_epi32((int)(uint32_t)bits), places);
        const __m512i last = _mm512_srlv_epi32(_mm512_set1_epi32((int)(uint32_t)(bits >> 32)), places);
        _mm512_storeu_ps(out, _mm512_permutevar_ps(values, first));
        _mm256_storeu_ps(out + 16, _mm512_castps512_ps256(_mm512_permutevar_ps(values, last)));
    }
}

__attribute__((target("avx2"))) static void lay_avx2(const uint8_t *variant, const scree__calls_part *part,
                                                     const real *table, real *out)
{
    const __m256 values = _mm256_broadcast_ps((const __m128 *)(const void *)table);
    const __m256i places = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    for (int64_t b = 0; b < part->blocks; b++, out += part->apart) {
        uint64_t bits = bits_of(variant, (part->block + b) * BLOCK_BYTES, part->stride);
        for (int i = 0; i < SCREE__BLOCK; i += 8, bits >>= 16)
            _mm256_storeu_ps(out + i, _mm256_permutevar_ps(
                                          values, _mm256_srlv_epi32(_mm256_set1_epi32((int)(uint32_t)bits), places)));
    }
}

#else

__attribute__((target("avx512f"))) static void lay_avx512(const uint8_t *variant, const scree__calls_part *part,
                                                          const real *table, real *out)
{
    const __m512d values = _mm512_broadcast_f64x4(_mm256_loadu_pd(table)); /* of three bits only two matter */
    const __m512i places = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    for (int64_t b = 0; b < part->blocks; b++, out += part->apart) {
        uint64_t bits = bits_of(variant, (part->block + b) * BLOCK_BYTES, part->stride);
        for (int i = 0; i < SCREE__BLOCK; i += 8, bits >>= 16)
            _mm512_storeu_pd(
                out + i, _mm512_permutexvar_pd(_mm512_srlv_epi64(_mm512_set1_epi64((long long)bits), places), values));
    }
}

#define lay_avx2 lay_portable

#endif

static lay_variant best(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return lay_avx512;
    lay_variant other = lay_portable;
    if (__builtin_cpu_supports("avx2"))
        other = lay_avx2;
    return other;
}

#else

static lay_variant best(void)
{
    return lay_portable;
}

#endif

static void lay_with(lay_variant lay, const scree__calls_part *part, const void *tables, void *tile)
{
    real *out = tile;
    for (int64_t v = 0; v < part->variants; v++)
        lay(part->packed + v * part->stride, part, (const real *)tables + v * CALLS, out + v * SCREE__BLOCK);
    for (int64_t b = 0; b < part->blocks; b++)
        memset(out + b * part->apart + part->variants * SCREE__BLOCK, 0,
               (size_t)((part->rows - part->variants) * SCREE__BLOCK) * sizeof *out);
}

void FN(calls_lay)(const scree__calls_part *part, const void *tables, void *tile)
{
    lay_with(best(), part, tables, tile);
}

void FN(calls_lay_portable)(const scree__calls_part *part, const void *tables, void *tile)
{
    lay_with(lay_portable, part, tables, tile);
}
