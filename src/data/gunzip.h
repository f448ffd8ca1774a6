/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_GUNZIP_H
#define SCREE_DATA_GUNZIP_H

/* The plain bytes of a gzip file, member after member. */

#include "data/descriptor.h"

typedef struct scree__gunzip scree__gunzip;

bool scree__gunzip_matches(const unsigned char *head, int64_t size);

/* Reads the descriptor, which must outlive it, and of which head[0..size-1] are the first bytes, read before. */
scree_status scree__gunzip_open(scree__gunzip **out, scree__descriptor *descriptor, const unsigned char *head,
                                int64_t size, scree_error *error);
/* Bytes of the compressed file that are used up. */
int64_t scree__gunzip_position(const scree__gunzip *gunzip);

/* Up to size bytes; *got is less than size only at the end. */
scree_status scree__gunzip_read(scree__gunzip *gunzip, void *buffer, int64_t size, int64_t *got, scree_error *error);
/* Back to the start; the descriptor must be at its own. */
scree_status scree__gunzip_rewind(scree__gunzip *gunzip, scree_error *error);
void scree__gunzip_close(scree__gunzip *gunzip); /* NULL-safe */

#endif
