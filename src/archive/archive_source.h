/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_ARCHIVE_SOURCE_H
#define SCREE_ARCHIVE_ARCHIVE_SOURCE_H

/* An archive that is read. */

#include "archive/archive.h"
#include "data/bytes.h"
#include "data/source.h"

/* read.c: the file itself. */
typedef struct scree__archive_file {
    scree__bytes *bytes;
    int64_t size; /* -1: not known */
    scree__head head;
    scree__index index; /* without places for a pipe; a place of -1: that frame is lost */
} scree__archive_file;

/* Reads the head, and the index of a plain file. salvage: frames are looked for where the index is damaged, and those
 * that are damaged themselves get no place. On failure the bytes are still the caller's. */
scree_status scree__archive_open(scree__archive_file *file, scree__bytes *bytes, bool salvage, scree_error *error);
void scree__archive_close(scree__archive_file *file);
/* A pipe has come behind its last frame: index, tail, and nothing more. */
scree_status scree__archive_end(scree__archive_file *file, scree_error *error);
/* A pipe that can start again, to its first frame. */
scree_status scree__archive_restart(scree__archive_file *file, scree_error *error);

/* Owns the bytes on success. */
scree_status scree__archive_source(scree_source **out, scree__bytes *bytes, int threads, bool salvage,
                                   scree_error *error);
/* Closes it, and leaves the bytes to the caller. */
void scree__archive_release(scree_source *source);
/* Rows that are lost, of a source that is salvaged. */
int64_t scree__archive_lost(const scree_source *source);

/* Which rows they are, in words; to be freed. NULL: none, or no memory. */
char *scree__archive_lost_rows(const scree_source *source);

#endif
