/* SPDX-License-Identifier: BSD-3-Clause */
/* How many products of bytes this machine can add up in a second: the instruction that does most of them at once, in a
 * loop that touches registers only, on all threads. Nothing that multiplies bytes can be faster, so it makes the floor
 * of an exact covariance of bytes. Counted as GEMM is: a product and its addition are two operations. */

#include "bench.h"

#include "base/threads.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

enum { ROUNDS = 4 << 20, CHAINS = 12, REPEATS = 5 };

static volatile int sink;

/* 64 products an instruction, 128 operations. */
__attribute__((target("avx512f,avx512vnni"))) static void add_vnni(void *context, int64_t index, int worker)
{
    __m512i sums[CHAINS];
    const __m512i a = _mm512_set1_epi8((char)index);
    const __m512i b = _mm512_set1_epi8((char)worker);
    (void)context;
    for (int c = 0; c < CHAINS; c++)
        sums[c] = _mm512_setzero_si512();
    for (int i = 0; i < ROUNDS; i++)
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++) {
            sums[c] = _mm512_dpbusd_epi32(sums[c], a, b);
            __asm__ volatile("" : "+v"(sums[c])); /* each is done, and in a register */
        }
    for (int c = 1; c < CHAINS; c++)
        sums[0] = _mm512_add_epi32(sums[0], sums[c]);
    sink = _mm_cvtsi128_si32(_mm512_castsi512_si128(sums[0]));
}

/* Without VNNI bytes are widened: 16 products of 16 bits an instruction, and an addition. */
__attribute__((target("avx2"))) static void add_avx2(void *context, int64_t index, int worker)
{
    __m256i sums[CHAINS];
    const __m256i a = _mm256_set1_epi16((short)index);
    const __m256i b = _mm256_set1_epi16((short)worker);
    (void)context;
    for (int c = 0; c < CHAINS; c++)
        sums[c] = _mm256_setzero_si256();
    for (int i = 0; i < ROUNDS; i++)
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++) {
            __m256i products = _mm256_madd_epi16(a, b);
            __asm__ volatile("" : "+x"(products));
            sums[c] = _mm256_add_epi32(sums[c], products);
        }
    for (int c = 1; c < CHAINS; c++)
        sums[0] = _mm256_add_epi32(sums[0], sums[c]);
    sink = _mm256_extract_epi32(sums[0], 0);
}

double bench_byte_ops(int threads)
{
    const bool vnni = __builtin_cpu_supports("avx512vnni");
    double best = 0;
    if (!vnni && !__builtin_cpu_supports("avx2"))
        return 0;
    for (int i = 0; i < REPEATS; i++) {
        const double start = bench_now();
        scree__parallel(threads, threads, vnni ? add_vnni : add_avx2, NULL);
        const double rate = (vnni ? 128.0 : 32.0) * CHAINS * ROUNDS * threads / (bench_now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

#else

double bench_byte_ops(int threads)
{
    (void)threads;
    return 0;
}

#endif
