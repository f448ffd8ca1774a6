/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_CPU_H
#define SCREE_BASE_CPU_H

/* SCREE_CLONES in front of a function compiles it for several instruction sets; the loader picks the best one the
 * machine has. For plain loops over arrays that no library does for us. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define SCREE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SCREE_CLONES
#endif

#endif
