/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_COMPRESS_H
#define SCREE_ARCHIVE_COMPRESS_H

/* Rows into frames, by a code that is made; see write.c. */

#include "archive/archive.h"
#include "base/atomic_file.h"
#include "data/source.h"

/* Writes all rows of the source; file NULL: only counts. *index receives what became of the rows, *bytes the size of
 * the file. */
scree_status scree__archive_write(const scree__head *head, scree_source *source, scree__atomic_file *file,
                                  const scree_run *run, scree__index *index, int64_t *bytes, scree_error *error);

/* What is told of an archive. */
void scree__archive_about(scree_archive *about, const scree__head *head, const scree__index *index, int64_t bytes);

/* How much is looked at, so that memory is obeyed. */
typedef struct scree__allowance {
    int64_t sample_cells;    /* at most */
    int64_t most_components; /* that are learnt */
    int64_t components;      /* asked for, or SCREE_AUTO */
    int64_t block_rows;
} scree__allowance;

/* Lowers the first two as the run's limit wants; fails, and says how much would do, where that is not enough. */
scree_status scree__allow(scree__allowance *allowance, const scree_source *source, const scree_run *run,
                          scree_error *error);

#endif
