/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_NARROW_H
#define SCREE_KERNEL_NARROW_H

/* The one place where sizes become those of BLAS and LAPACK. */

#include "kernel/blas.h"

/* False when a size is negative or does not fit. */
bool scree__narrow(int *narrowed, int count, const int64_t *sizes);

/* Declares s[], the narrowed sizes, or leaves the function. */
#define NARROW(...)                                                                                                    \
    int s[sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)];                                                         \
    if (!scree__narrow(s, (int)(sizeof s / sizeof s[0]), (const int64_t[]){__VA_ARGS__}))                              \
    return SCREE__BLAS_TOO_LARGE

#endif
