/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ENTRIES_H
#define SCREE_KERNEL_ENTRIES_H

/* Sparse rows: only the entries are kept, and all other cells are 0. (Of scree__csr, they are missing.) */

#include "base/error.h"

typedef struct scree__entries {
    const void *value; /* of all rows; those of row i are starts[i] .. starts[i+1]-1 */
    scree_type type;   /* SCREE_F32, SCREE_F64, SCREE_U8 or SCREE_I32 */
    int64_t rows;
    int64_t cols;
    const int64_t *starts;  /* rows + 1; the first need not be 0 */
    const int32_t *indices; /* column of each entry, ascending in a row */
    const double *weights;  /* rows of them, positive; NULL: rows count alike */
} scree__entries;

/* Entry number p, whatever its row. */
static inline double scree__entries_at(const scree__entries *x, int64_t p)
{
    return x->type == SCREE_F32   ? (double)((const float *)x->value)[p]
           : x->type == SCREE_F64 ? ((const double *)x->value)[p]
           : x->type == SCREE_I32 ? (double)((const int32_t *)x->value)[p]
                                  : (double)((const uint8_t *)x->value)[p];
}

#endif
