/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TRANSCODE_H
#define SCREE_DATA_TRANSCODE_H

/* Text in another encoding, as UTF-8; see transcode.c. */

#include "base/error.h"
#include "data/buffer.h"

typedef struct scree__transcode scree__transcode;

/* Reads the bytes that are to be converted: up to size, *got is less only at the end. */
typedef scree_status (*scree__transcode_pull)(void *context, void *to, int64_t size, int64_t *got, scree_error *error);

/* name is that of the file, for messages; */
scree_status scree__transcode_open(scree__transcode **out, const char *encoding, const char *name,
                                   scree__transcode_pull pull, void *context, scree_error *error);
/* Puts bytes that were pulled already in front: at most SCREE__TRANSCODE_BYTES, before the first read. */
void scree__transcode_give(scree__transcode *transcode, const void *head, int64_t size);

/* Up to size bytes of UTF-8; *got is less only at the end. */
scree_status scree__transcode_read(scree__transcode *transcode, void *to, int64_t size, int64_t *got,
                                   scree_error *error);
void scree__transcode_rewind(scree__transcode *transcode); /* what is pulled begins anew */
void scree__transcode_close(scree__transcode *transcode);  /* NULL-safe */

enum { SCREE__TRANSCODE_BYTES = SCREE__WINDOW(17) };

/* The encoding that a mark at the begin of a text names: "UTF-16"; NULL: it names none, or UTF-8. */
const char *scree__transcode_marked(const unsigned char *head, int64_t size);
/* Is it UTF-8 by another spelling, so that nothing needs to be converted? */
bool scree__transcode_is_none(const char *encoding);

#endif
