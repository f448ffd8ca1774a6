/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_ATOMIC_FILE_H
#define SCREE_BASE_ATOMIC_FILE_H

/* A file that appears under its name when it is whole, or not at all: written to a temporary file in the same folder,
 * synced, renamed. Path "-" is standard output, written straight through.
 * scree__atomic_open, _write, _commit and _free are declared in scree_private.h. */

#include "base/error.h"

/* Overwrites bytes written before, at offset; fails on standard output. */
scree_status scree__atomic_patch(scree__atomic_file *file, int64_t offset, const void *data, int64_t size,
                                 scree_error *error);
bool scree__atomic_seekable(const scree__atomic_file *file);

/* Removes every temporary file that is being written; async-signal-safe. The writers' commits fail afterwards. */
void scree__atomic_remove_all(void);

#endif
