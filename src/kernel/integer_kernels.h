/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_KERNELS_H
#define SCREE_KERNEL_INTEGER_KERNELS_H

/* One file each; the first two exist on x86-64 only. */

#include "kernel/integer_kernel.h"

extern const scree__integer_kernel scree__integer_vnni;
extern const scree__integer_kernel scree__integer_avx2;
extern const scree__integer_kernel scree__integer_portable;

#endif
