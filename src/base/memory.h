/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

/* Memory: counted in elements so that no product overflows, aligned to 64 bytes, zeroed. Freed with free().
 * scree__alloc, SCREE_ALLOC, scree__memory_watch, scree__memory_missed, scree__strdup and scree__strings_free are
 * declared in scree_private.h. */

#include "base/error.h"

#include <stddef.h>
#include <stdlib.h>

/* As scree__alloc, but not zeroed: for buffers that are filled before they are read. */
void *scree__alloc_raw(int64_t count, size_t size);

/* An allocation failed elsewhere: in another library, or in another thread that works for this one. See
 * scree__memory_watch in scree_private.h. */
void scree__memory_miss(void);

/* What was freed goes back to the system: what reading took would else stay in the heap, the reading thread's own above
 * all, while a long computation goes on beside it. */
void scree__memory_trim(void);

/* A copy of an array of strings; NULL-safe. */
char **scree__strings_copy(const char *const *strings, int64_t count);

/* Bytes of memory that are free for use on this machine (cgroup limits included); a guess when it cannot be told.
 * Where there is plenty, what was seen in the last hundredth of a second. */
int64_t scree__memory_available(void);

/* Bytes of address space that this process may have (ulimit -v); -1: there is no limit. */
int64_t scree__memory_address_limit(void);

#endif
