/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_AVX2_H
#define SCREE_BASE_AVX2_H

/* For what is written by hand in AVX2: whether the compiler can make it, whether the machine can run it, and how such a
 * function is marked. The bit instructions (BMI, LZCNT) came to every processor together with AVX2 or before it. */

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define SCREE_HAS_AVX2 1
#define SCREE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define SCREE_AVX2_INLINE static inline __attribute__((always_inline, target("avx2,bmi,bmi2,lzcnt,popcnt")))

static inline bool scree__has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

#else
#define SCREE_HAS_AVX2 0

static inline bool scree__has_avx2(void)
{
    return false;
}

#endif

#endif
