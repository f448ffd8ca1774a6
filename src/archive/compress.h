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

#endif
