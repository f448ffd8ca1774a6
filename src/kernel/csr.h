/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CSR_H
#define SCREE_KERNEL_CSR_H

#include <stdint.h>

/* Rows of which only the observed cells are kept: those of row i are start[i] .. start[i+1]-1, columns ascending. */
typedef struct scree__csr {
    int64_t rows;
    int64_t cols;
    const int64_t *start;
    const int32_t *column;
    const double *value;
} scree__csr;

#endif
