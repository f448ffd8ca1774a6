/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_BUFFER_H
#define SCREE_DATA_BUFFER_H

/* Memory for a block, used again for the next one. It begins at a page, so that a disk may write straight into it. */

#include "base/error.h"

enum { SCREE__PAGE = 4096 };

/* Buffers that files are read through have 2^power bytes; where scree is built to be fuzzed a kibibyte at most, so that
 * small inputs cross from one to the next. */
#ifdef SCREE_SMALL_WINDOWS
#define SCREE__WINDOW(power) (1 << ((power) < 10 ? (power) : 10))
#else
#define SCREE__WINDOW(power) (1 << (power))
#endif

typedef struct scree__buffer {
    char *data;
    int64_t size;
} scree__buffer;

/* Space for size bytes; what was there is lost when it has to grow. file is for messages. */
scree_status scree__buffer_reserve(scree__buffer *buffer, int64_t size, const char *file, scree_error *error);

/* The address lies in it. */
bool scree__buffer_holds(const scree__buffer *buffer, const void *address);

void scree__buffer_free(scree__buffer *buffer);

#endif
