/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_STRIDED_H
#define SCREE_KERNEL_STRIDED_H

/* Elements of any type that lie some distance apart, to doubles and back. */

#include "base/error.h"

/* Bytes of an element; 0: there is no such type. */
int64_t scree__element_size(scree_type type);

/* to[k] = from[k·stride], count of them; integers that no double is are marked (too_wide.h). */
void scree__strided_load(scree_type type, const void *from, int64_t stride, int64_t count, double *to);

/* to[k·stride] = from[k], in a type that rows are worked on as: F32, F64 or U8. The type holds the values. */
void scree__strided_store(scree_type type, const double *from, int64_t count, void *to, int64_t stride);

#endif
