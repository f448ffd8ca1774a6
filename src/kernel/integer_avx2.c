/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products of bytes with AVX2. Its product of bytes saturates, so bytes are packed as 16-bit numbers, rows by
 * twos: vpmaddwd multiplies 16 of them and adds them up in pairs, a 32-bit lane for each column.
 *
 * Four columns times one panel (4×16) are 8 registers of sums of the 16 there are. Compilers that see the intrinsics
 * move the sums from register to register; instructions that they cannot look into they leave alone. */

#include "kernel/integer_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE AVX2 static inline __attribute__((always_inline))

enum { GROUP = 2, STRIP = 4, LINE = 2 * GROUP * SCREE__PANEL, LANES = 8 };

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2");
}

static void pack(const uint8_t *x, int64_t stride, int64_t rows, void *panel)
{
    int16_t *restrict out = panel;
    for (int64_t i = 0; i < rows; i += GROUP, x += GROUP * stride, out += GROUP * SCREE__PANEL)
        for (int64_t j = 0; j < SCREE__PANEL; j++) {
            out[GROUP * j] = x[j];
            out[GROUP * j + 1] = x[stride + j];
        }
}

static void pack_across(const uint8_t *x, int64_t stride, int64_t cols, void *panel)
{
    for (int64_t j = 0; j < SCREE__PANEL; j++, x += stride) {
        char *restrict out = (char *)panel + 2 * GROUP * j;
        for (int64_t i = 0; i < cols; i += GROUP, out += LINE) {
            const int16_t two[GROUP] = {x[i], x[i + 1]};
            memcpy(out, two, sizeof two);
        }
    }
}

/* 8 sums of 32 bits are added to 8 of 64. */
AVX2_INLINE void widen(__m256i sums, int64_t *into)
{
    __m256i *at = (__m256i *)(void *)into;
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1));
    _mm256_store_si256(at, _mm256_add_epi64(_mm256_load_si256(at), low));
    _mm256_store_si256(at + 1, _mm256_add_epi64(_mm256_load_si256(at + 1), high));
}

/* Two rows of one column times those of 16. */
#define COLUMN(offset, left, right)                                                                                    \
    "vpbroadcastd " offset "(%[a]), %[x]\n\t"                                                                          \
    "vpmaddwd %[y0], %[x], %[p]\n\t"                                                                                   \
    "vpmaddwd %[y1], %[x], %[q]\n\t"                                                                                   \
    "vpaddd %[p], %[" left "], %[" left "]\n\t"                                                                        \
    "vpaddd %[q], %[" right "], %[" right "]\n\t"

/* Four columns times one panel; sums: the first row of theirs in the block. */
AVX2_INLINE void multiply_strip(const char *a, const char *b, int64_t groups, int64_t *sums)
{
    __m256i left[STRIP];
    __m256i right[STRIP];
#pragma GCC unroll 4
    for (int i = 0; i < STRIP; i++)
        left[i] = right[i] = _mm256_setzero_si256();
    for (int64_t g = 0; g < groups; g++, a += LINE, b += LINE) {
        __m256i y0;
        __m256i y1;
        __m256i x;
        __m256i p;
        __m256i q;
        __asm__("vmovdqa (%[b]), %[y0]\n\t"
                "vmovdqa 32(%[b]), %[y1]\n\t" COLUMN("0", "l0", "r0") COLUMN("4", "l1", "r1") COLUMN("8", "l2", "r2")
                    COLUMN("12", "l3", "r3")
                : [l0] "+x"(left[0]), [l1] "+x"(left[1]), [l2] "+x"(left[2]), [l3] "+x"(left[3]), [r0] "+x"(right[0]),
                  [r1] "+x"(right[1]), [r2] "+x"(right[2]), [r3] "+x"(right[3]), [y0] "=&x"(y0), [y1] "=&x"(y1),
                  [x] "=&x"(x), [p] "=&x"(p), [q] "=&x"(q)
                : [a] "r"(a), [b] "r"(b), "m"(*(const char(*)[LINE])a), "m"(*(const char(*)[LINE])b));
    }
#pragma GCC unroll 4
    for (int i = 0; i < STRIP; i++) {
        widen(left[i], sums + i * SCREE__PANEL);
        widen(right[i], sums + i * SCREE__PANEL + LANES);
    }
}

AVX2 static void multiply(const scree__integer_piece *p)
{
    for (int64_t v = 0; v < p->panels; v++)
        for (int64_t column = 0; column < SCREE__PANEL; column += STRIP)
            multiply_strip(p->a + column * 2 * GROUP, p->b + v * p->stride, p->groups,
                           p->sums + v * SCREE__SQUARE + column * SCREE__PANEL);
}

const scree__integer_kernel scree__integer_avx2 = {
    .name = "avx2",
    .runs_here = runs_here,
    .group = GROUP,
    .bytes = LINE,
    .shift = 0,
    .speed = 1.6,
    .pack = pack,
    .pack_across = pack_across,
    .multiply = multiply,
};

#endif
