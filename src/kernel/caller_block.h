/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CALLER_BLOCK_H
#define SCREE_KERNEL_CALLER_BLOCK_H

/* A scree_block that a caller gives: checked, and its rows in the shape that everything else works on. */

#include "base/error.h"

/* Copies the caller's block with its strides set, and checks all that can be known of it without reading its elements:
 * shape, strides, pointers, starts and column numbers. For messages: the name of the rows, and how many come before. */
scree_status scree__caller_block_check(scree_block *mine, const scree_block *theirs, const char *name, int64_t before,
                                       scree_error *error);

/* What the entries of a sparse block are, where it is not one as scree.h has it. */
typedef enum scree__block_order {
    SCREE__BLOCK_ROWS,   /* rows, columns ascending */
    SCREE__BLOCK_LOOSE,  /* rows, columns in any order, a cell in several parts */
    SCREE__BLOCK_COLUMNS /* the same of columns: its rows are columns, and its columns rows */
} scree__block_order;

/* The same for such a block. */
scree_status scree__caller_block_check_as(scree_block *mine, const scree_block *theirs, const char *name,
                                          int64_t before, scree__block_order order, scree_error *error);

/* What rows of a block are worked on as: F32, F64 and U8 stay what they are, other integers become F64 as in files;
 * bytes of which some are missing become F32. */
scree_type scree__caller_block_type(const scree_block *block);

/* Already so: rows of F32, F64 or U8, the elements of each side by side. */
bool scree__caller_block_is_plain(const scree_block *block);

/* Row i as doubles: block->cols of them. */
void scree__caller_block_load(const scree_block *block, int64_t i, double *to);

/* Rows first .. first+count-1 as rows×cols elements of scree__caller_block_type, row by row. */
void scree__caller_block_convert(const scree_block *block, int64_t first, int64_t count, void *to);

#endif
