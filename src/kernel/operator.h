/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_OPERATOR_H
#define SCREE_KERNEL_OPERATOR_H

/* A symmetric matrix that is known only by what it does to a block of vectors. */

#include "base/error.h"

/* w = S q, both n×b, contiguous, row-major. */
typedef struct scree__operator {
    int64_t n;
    scree_status (*apply)(void *context, const double *q, int64_t b, double *w, scree_error *error);
    void *context;
} scree__operator;

#endif
