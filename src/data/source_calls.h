/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SOURCE_CALLS_H
#define SCREE_DATA_SOURCE_CALLS_H

/* Rows that callbacks hand in: those of a caller, of a module, or of a format whose reader is written so. */

#include "data/source.h"

/* scree_source_from_calls, for a file that is read with these options: they say how much memory and how many threads
 * may be used. */
scree_status scree__calls_open(scree_source **out, const scree_source_calls *calls, const scree_read_options *options,
                               scree_error *error);

/* ---- between its files ---- */

/* What both kinds begin with. */
typedef struct scree__calls_base {
    scree_source base;
    scree_source_calls calls; /* names are not kept */
} scree__calls_base;

/* Describes the rows before any is read: columns, names, types, and their number where it is given. */
scree_status scree__calls_describe(scree_source *base, const scree_source_calls *calls, scree_error *error);

/* Of calls that were checked, and hand in columns. */
scree_status scree__calls_columns_open(scree_source **out, const scree_source_calls *calls,
                                       const scree_read_options *options, scree_error *error);

/* Texts of rows that begin with number first, none of them NULL, in the buffer. */
scree_status scree__calls_texts(const scree_source *base, const char *const *given, int64_t first, int64_t rows,
                                scree__buffer *buffer, scree_error *error);

/* Fails where a value was marked as no double; rows or columns of the block: what. */
scree_status scree__calls_check_wide(const scree_source *base, const scree_block *b, const char *what, int64_t first,
                                     scree_error *error);

#endif
