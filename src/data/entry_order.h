/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ENTRY_ORDER_H
#define SCREE_DATA_ENTRY_ORDER_H

/* Entries of sparse rows as everybody expects them: columns ascending, one entry a cell. */

#include "base/error.h"

#include <stdbool.h>

/* Sparse rows that are its caller's to change. */
typedef struct scree__loose_rows {
    int64_t rows;
    int64_t *starts; /* rows + 1, from 0 */
    int32_t *indices;
    void *values;
    scree_type type; /* SCREE_F32, SCREE_F64 or SCREE_U8 */
    int64_t before;  /* rows that come before these, for messages */
    const char *file;
} scree__loose_rows;

/* Sorts each row by column, and adds up the entries of a cell in the order in which they came; starts follow. Bytes
 * whose sum is no byte are an error. */
scree_status scree__entries_settle(scree__loose_rows *rows, scree_error *error);

/* Whether all is as it should be already. */
bool scree__entries_are_settled(int64_t rows, const int64_t *starts, const int32_t *indices);

#endif
