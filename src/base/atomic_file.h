/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_ATOMIC_FILE_H
#define SCREE_BASE_ATOMIC_FILE_H

/* A file that appears under its name when it is whole, or not at all: written to a temporary file in the same folder,
 * synced, renamed. Path "-" is standard output, written straight through. */

#include "base/error.h"

typedef struct scree__atomic_file scree__atomic_file;

scree_status scree__atomic_open(scree__atomic_file **out, const char *path, scree_error *error);
/* All of size bytes, or an error that names the path and the reason (full disk among them). */
scree_status scree__atomic_write(scree__atomic_file *file, const void *data, int64_t size, scree_error *error);
/* Overwrites bytes written before, at offset; fails on standard output. */
scree_status scree__atomic_patch(scree__atomic_file *file, int64_t offset, const void *data, int64_t size,
                                 scree_error *error);
bool scree__atomic_seekable(const scree__atomic_file *file);
/* Flush, sync, rename. */
scree_status scree__atomic_commit(scree__atomic_file *file, scree_error *error);
/* Frees; removes the temporary file when not committed. NULL-safe. */
void scree__atomic_free(scree__atomic_file *file);

/* Removes every temporary file that is being written; async-signal-safe. The writers' commits fail afterwards. */
void scree__atomic_remove_all(void);

#endif
