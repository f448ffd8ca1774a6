/* SPDX-License-Identifier: BSD-3-Clause */
/* How many products of bytes this machine can add up in a second: the instruction that does most of them at once, in a
 * loop that touches registers only, on all threads. Nothing that multiplies bytes can be faster, so it makes the floor
 * of an exact covariance of bytes. Counted as GEMM is: a product and its addition are two operations. */

#include "bench.h"

#include "base/threads.h"

#if defined(__x86_64__) && defined(__GNUC__)

enum { ROUNDS = 4 << 20, CHAINS = 12, REPEATS = 5 };

#define TWELVE(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)
#define TOUCHED                                                                                                        \
    "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14"

/* Twelve sums at once, more than an addition has stages: 64 products an instruction, 128 operations. */
static void add_vnni(void *context, int64_t index, int worker)
{
    (void)context;
    (void)index;
    (void)worker;
    for (int i = 0; i < ROUNDS; i++) {
#define STEP(n) "vpdpbusd %%zmm1, %%zmm0, %%zmm" #n "\n\t"
        __asm__ volatile(TWELVE(STEP) : : : TOUCHED);
#undef STEP
    }
}

/* Without VNNI bytes are widened: 16 products of 16 bits an instruction, and an addition. */
static void add_avx2(void *context, int64_t index, int worker)
{
    (void)context;
    (void)index;
    (void)worker;
    for (int i = 0; i < ROUNDS; i++) {
#define STEP(n) "vpmaddwd %%ymm1, %%ymm0, %%ymm14\n\tvpaddd %%ymm14, %%ymm" #n ", %%ymm" #n "\n\t"
        __asm__ volatile(TWELVE(STEP) : : : TOUCHED);
#undef STEP
    }
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
