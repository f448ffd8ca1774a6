/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

/* Memory: counted in elements so that no product overflows, aligned to 64 bytes, zeroed. Freed with free(). */

#include "base/error.h"

#include <stddef.h>
#include <stdlib.h>

/* NULL when count*size is negative, overflows, or cannot be allocated; count 0 gives a valid pointer. */
void *scree__alloc(int64_t count, size_t size);

/* As scree__alloc, but not zeroed: for buffers that are filled before they are read. */
void *scree__alloc_raw(int64_t count, size_t size);

/* A copy of a string; NULL when there is no memory, or text is NULL. */
char *scree__strdup(const char *text);

/* Copies and frees of arrays of strings; both NULL-safe. */
char **scree__strings_copy(const char *const *strings, int64_t count);
void scree__strings_free(char **strings, int64_t count);

/* Bytes of memory that are free for use on this machine (cgroup limits included); a guess when it cannot be told. */
int64_t scree__memory_available(void);

/* Bytes of address space that this process may have (ulimit -v); -1: there is no limit. */
int64_t scree__memory_address_limit(void);

/* pointer = count zeroed elements, or out through done. */
#define SCREE_ALLOC(pointer, count, error)                                                                             \
    do {                                                                                                               \
        (pointer) = scree__alloc((count), sizeof *(pointer));                                                          \
        if (!(pointer))                                                                                                \
            SCREE_FAIL((error), SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld bytes",                         \
                       (long long)(count) * (long long)sizeof *(pointer));                                             \
    } while (0)

#endif
