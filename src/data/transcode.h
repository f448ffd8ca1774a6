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
/* The same, but no more than one pull gave; *got is 0 only at the end. */
scree_status scree__transcode_read_some(scree__transcode *transcode, void *to, int64_t size, int64_t *got,
                                        scree_error *error);
void scree__transcode_rewind(scree__transcode *transcode); /* what is pulled begins anew */
void scree__transcode_close(scree__transcode *transcode);  /* NULL-safe */

enum { SCREE__TRANSCODE_BYTES = SCREE__WINDOW(17) };

/* The encoding that the beginning of a text shows, by a mark or by every other byte being zero: "UTF-16", "UTF-16LE";
 * NULL: none such. */
const char *scree__transcode_marked(const unsigned char *head, int64_t size);
/* Whether a text is UTF-8, from one piece to the next; zeroed: nothing was seen. */
typedef struct scree__encoding_look {
    bool has_letters; /* of more than one byte */
    bool is_1252;     /* a byte was met that is not UTF-8, and all looks like Windows-1252 */
    bool ended;       /* nothing more is to be learned */
} scree__encoding_look;

/* Looks at the next bytes. Returns how many of them need not be seen again: a letter may be cut off at the end, unless
 * they are the last; 0: nothing more is to be learned. */
int64_t scree__encoding_see(scree__encoding_look *look, const unsigned char *bytes, int64_t size, bool last);
/* The encoding that text seems to have; NULL: UTF-8, or none that is known. */
const char *scree__encoding_of(const scree__encoding_look *look);

/* Is it UTF-8 by another spelling, so that nothing needs to be converted? */
bool scree__transcode_is_none(const char *encoding);

#endif
