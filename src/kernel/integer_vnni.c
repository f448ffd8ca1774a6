/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products of bytes with AVX-512 VNNI: vpdpbusd multiplies 64 unsigned bytes with 64 signed ones and adds them
 * up by fours. Rows are therefore packed by fours, a 32-bit lane for each column. The signed factor is x - 128, which
 * is x with its highest bit flipped, while it is loaded; rows that are not there are zeros in the unsigned factor, and
 * vanish.
 *
 * Eight columns times three panels (8×48) are 24 registers of sums, 3 of factors and one for the broadcast: all there
 * are but a few. Compilers that see the intrinsic take copies of the sums and spill half of them, at half the speed; an
 * instruction that they cannot look into they leave alone. */

#include "kernel/integer_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define VNNI_INLINE VNNI static inline __attribute__((always_inline))

enum { GROUP = 4, STRIP = 8, LINE = GROUP * SCREE__PANEL };

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vnni");
}

static inline void pack_group(const uint8_t *restrict x, int64_t stride, uint8_t *restrict out)
{
    for (int64_t j = 0; j < SCREE__PANEL; j++) {
        out[GROUP * j] = x[j];
        out[GROUP * j + 1] = x[stride + j];
        out[GROUP * j + 2] = x[2 * stride + j];
        out[GROUP * j + 3] = x[3 * stride + j];
    }
}

static void pack(const uint8_t *x, int64_t stride, int64_t rows, void *panel)
{
    for (int64_t i = 0; i < rows; i += GROUP)
        pack_group(x + i * stride, stride, (uint8_t *)panel + i * SCREE__PANEL);
}

static void pack_across(const uint8_t *x, int64_t stride, int64_t cols, void *panel)
{
    char *restrict out = panel;
    for (int64_t i = 0; i < cols; i += GROUP, out += LINE)
        for (int64_t j = 0; j < SCREE__PANEL; j++)
            memcpy(out + GROUP * j, x + j * stride + i, GROUP);
}

VNNI_INLINE __m512i broadcast(const char *four)
{
    int32_t bytes;
    memcpy(&bytes, four, sizeof bytes);
    return _mm512_set1_epi32(bytes);
}

/* 16 sums of 32 bits are added to 16 of 64. */
VNNI_INLINE void widen(__m512i sums, int64_t *into)
{
    const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sums));
    const __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(sums, 1));
    _mm512_store_si512(into, _mm512_add_epi64(_mm512_load_si512(into), low));
    _mm512_store_si512(into + 8, _mm512_add_epi64(_mm512_load_si512(into + 8), high));
}

/* Eight columns from the given one, times panels of 16; panels is a constant wherever this is inlined. */
VNNI_INLINE void multiply_strip(const scree__integer_piece *p, int column, const int panels)
{
    const __m512i flip = _mm512_set1_epi8(-128);
    const char *a = p->a + column * GROUP;
    const char *b = p->b;
    __m512i sums[SCREE__MOST_PANELS][STRIP];
#pragma GCC unroll 8
    for (int v = 0; v < panels; v++)
#pragma GCC unroll 8
        for (int i = 0; i < STRIP; i++)
            sums[v][i] = _mm512_setzero_si512();
    for (int64_t g = 0; g < p->groups; g++, a += LINE, b += LINE) {
        __m512i y[SCREE__MOST_PANELS];
#pragma GCC unroll 8
        for (int v = 0; v < panels; v++)
            y[v] = _mm512_xor_si512(_mm512_load_si512(b + v * p->stride), flip);
#pragma GCC unroll 8
        for (int i = 0; i < STRIP; i++) {
            const __m512i x = broadcast(a + GROUP * i);
#pragma GCC unroll 8
            for (int v = 0; v < panels; v++)
                __asm__("vpdpbusd %2, %1, %0" : "+v"(sums[v][i]) : "v"(x), "v"(y[v]));
        }
    }
#pragma GCC unroll 8
    for (int v = 0; v < panels; v++)
#pragma GCC unroll 8
        for (int i = 0; i < STRIP; i++)
            widen(sums[v][i], p->sums + v * SCREE__SQUARE + (column + i) * SCREE__PANEL);
}

VNNI static void multiply(const scree__integer_piece *p)
{
    for (int column = 0; column < SCREE__PANEL; column += STRIP) {
        if (p->panels == 1)
            multiply_strip(p, column, 1);
        else if (p->panels == 2)
            multiply_strip(p, column, 2);
        else
            multiply_strip(p, column, SCREE__MOST_PANELS);
    }
}

const scree__integer_kernel scree__integer_vnni = {
    .name = "avx512vnni",
    .runs_here = runs_here,
    .group = GROUP,
    .bytes = LINE,
    .shift = 128,
    .speed = 4,
    .pack = pack,
    .pack_across = pack_across,
    .multiply = multiply,
};

#endif
