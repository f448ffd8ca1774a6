/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_AVX2_H
#define SCREE_BASE_AVX2_H

/* For what is written by hand in AVX2 or AVX-512: whether the compiler can make it, whether the machine can run it, and
 * how such a function is marked. The bit instructions (BMI, LZCNT) came to every processor together with AVX2 or before
 * it. */

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define SCREE_HAS_AVX2 1
#define SCREE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define SCREE_AVX2_INLINE static inline __attribute__((always_inline)) SCREE_AVX2

#define SCREE_HAS_AVX512 1
#define SCREE_AVX512                                                                                                   \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt")))
#define SCREE_AVX512_INLINE static inline __attribute__((always_inline)) SCREE_AVX512

static inline bool scree__has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

/* With bytes, doublewords and quadwords, short vectors, counting zeros, and drawing bytes together. */
static inline bool scree__has_avx512(void)
{
    return scree__has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512vbmi2");
}

#else
#define SCREE_HAS_AVX2 0
#define SCREE_HAS_AVX512 0

static inline bool scree__has_avx2(void)
{
    return false;
}

static inline bool scree__has_avx512(void)
{
    return false;
}

#endif

#endif
