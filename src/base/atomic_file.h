/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_ATOMIC_FILE_H
#define SCREE_BASE_ATOMIC_FILE_H

/* A file that appears under its name when it is whole, or not at all: written to a temporary file in the same folder,
 * synced, renamed. Path "-" is standard output, written straight through.
 * scree__atomic_open, _write, _commit and _free are declared in scree_private.h. */

#include "base/error.h"

/* A plain file, made where there is none, that what is written is added to, without a temporary file. */
scree_status scree__atomic_open_append(scree__atomic_file **out, const char *path, scree_error *error);
/* For such a file that has content: whether it begins with these bytes, and ends with a line break. An empty one, and
 * any other, has none: *empty. */
scree_status scree__atomic_begins(const scree__atomic_file *file, const void *data, int64_t size, bool *empty,
                                  scree_error *error);

/* Overwrites bytes written before, at offset; fails on standard output. */
scree_status scree__atomic_patch(scree__atomic_file *file, int64_t offset, const void *data, int64_t size,
                                 scree_error *error);
/* Hands to the system what is in the buffer. */
scree_status scree__atomic_flush(scree__atomic_file *file, scree_error *error);
bool scree__atomic_seekable(const scree__atomic_file *file);
/* Whether it is complete and waits for its name: see held_files.h, whose it is. */
bool scree__atomic_waits(const scree__atomic_file *file);
/* The temporary name that what is written has so far, for a library that writes it by name instead; NULL: there is
 * none, and bytes go straight through. Commit and free as of any other. */
const char *scree__atomic_temporary(const scree__atomic_file *file);
bool scree__atomic_is_terminal(const scree__atomic_file *file); /* by whatever name */

/* The same as scree__atomic_commit, though others may wait for their names: of a file that is no output. */
scree_status scree__atomic_commit_at_once(scree__atomic_file *file, scree_error *error);

/* All of them get their names, or none does: flush and sync all, then rename one after the other. */
scree_status scree__atomic_commit_all(scree__atomic_file *const *files, int64_t count, scree_error *error);

/* Fails if the two are one file, whatever their names. */
scree_status scree__atomic_distinct(const scree__atomic_file *one, const scree__atomic_file *other, scree_error *error);

#endif
