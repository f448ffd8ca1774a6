/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_BYTES_H
#define SCREE_DATA_BYTES_H

/* The bytes of a file, a pipe or standard input, decompressed when they are gzip, xz or zstd. Formats read through this
 * and never see where bytes come from. */

#include "base/budget.h"
#include "base/error.h"
#include "data/buffer.h"

typedef struct scree__bytes scree__bytes;

/* "-" is standard input. A folder, a missing file and an empty file are errors, in a sentence. */
scree_status scree__bytes_open(scree__bytes **out, const char *path, scree_error *error);

typedef struct scree__bytes_how {
    bool live;  /* of a pipe what has come so far is looked at, some 64 bytes or a line; gzip is read as above */
    bool plain; /* bytes are what they are: they are never decompressed, and one is enough to look at */
} scree__bytes_how;

/* The same, in that way. */
scree_status scree__bytes_open_as(scree__bytes **out, const char *path, scree__bytes_how how, scree_error *error);

/* What is compressed, a pipe or converted goes to a scratch file, so that it is a plain file afterwards, however it
 * came; what is one already stays. Before the first read. named: it must be one that others can open, too, at
 * scree__bytes_path. */
scree_status scree__bytes_make_plain(scree__bytes *bytes, bool named, scree_error *error);
/* Where others can open it while it is open; not the name for messages. */
const char *scree__bytes_path(const scree__bytes *bytes);

/* A part of a plain file that is a file of its own. */
typedef struct scree__bytes_piece {
    int64_t offset;
    int64_t size;    /* bytes there */
    bool deflated;   /* and then: */
    uint32_t crc;    /* of the content */
    int64_t content; /* bytes of it */
} scree__bytes_piece;

/* name: for messages. The other may be closed before. */
scree_status scree__bytes_open_piece(scree__bytes **out, const scree__bytes *bytes, const scree__bytes_piece *piece,
                                     const char *name, scree_error *error);

/* From now on reads of what was opened so may end before they are full (live.h); false, and they do not: it is a plain
 * file, compressed or converted. */
bool scree__bytes_go_live(scree__bytes *bytes);
/* They will not, and there is as much to peek at as of others. */
scree_status scree__bytes_stay_whole(scree__bytes *bytes, scree_error *error);
bool scree__bytes_paused(const scree__bytes *bytes); /* the last read was less than asked for, and more may follow */
bool scree__bytes_cut(const scree__bytes *bytes);    /* they ended by scree_input_stop, perhaps inside of a row */

/* From now on they are text in UTF-8, converted from the encoding. NULL: from the one that a mark at the beginning
 * names, as UTF-16 has, or that the bytes look like, UTF-16 or Windows-1252; not at all where they are UTF-8, or no
 * text. Before the first read. */
scree_status scree__bytes_transcode(scree__bytes *bytes, const char *encoding, scree_error *error);

/* The encoding that they are converted from, where it was not named; NULL: it was, or they are not. */
const char *scree__bytes_guessed(const scree__bytes *bytes);

/* Up to size bytes; *got is less than size only at the end. Damage in a compressed stream is an error that says where.
 */
scree_status scree__bytes_read(scree__bytes *bytes, void *buffer, int64_t size, int64_t *got, scree_error *error);

/* The first bytes, without consuming them; may be called only before the first read. At least 64 KiB when there are. */
scree_status scree__bytes_peek(scree__bytes *bytes, const unsigned char **head, int64_t *size, scree_error *error);

/* Back to the start. */
scree_status scree__bytes_rewind(scree__bytes *bytes, scree_error *error);

/* To an absolute offset, plain files only. The next read takes what it asks for from there, and no more. */
scree_status scree__bytes_seek(scree__bytes *bytes, int64_t offset, scree_error *error);

/* A part of a plain file. */
typedef struct scree__span {
    int64_t offset;
    int64_t size;
    bool past_cache; /* what is not in the page cache is not put there either */
} scree__span;

/* A span into a buffer, where it begins at *at; *got is less than its size only at the end. Plain files only. */
scree_status scree__bytes_read_into(scree__bytes *bytes, const scree__span *span, scree__buffer *buffer, char **at,
                                    int64_t *got, scree_error *error);

/* size bytes from an absolute offset on; *got is less only at the end. Plain files only. Leaves the position where it
 * is: several threads may call it at once. */
scree_status scree__bytes_read_at(const scree__bytes *bytes, void *to, int64_t offset, int64_t size, int64_t *got,
                                  scree_error *error);

/* A plain file that is small, or lies in the page cache as far as a look at some of its pages can tell. */
bool scree__bytes_is_at_hand(const scree__bytes *bytes);

/* A second reader of the same plain file, at the start, with a position of its own. */
scree_status scree__bytes_share(scree__bytes **out, const scree__bytes *bytes, scree_error *error);

const char *scree__bytes_name(const scree__bytes *bytes); /* for messages: the path, or "standard input" */
int64_t
scree__bytes_size(const scree__bytes *bytes); /* of the plain content; -1: not known (pipe, packed, converted) */
int64_t scree__bytes_decoder_memory(const scree__bytes *bytes); /* bytes that decompression takes so far; 0: none */
/* Streams that come later may make it take so much, where that is less than it may take in any case. */
void scree__bytes_decoder_limit(scree__bytes *bytes, int64_t limit);
int64_t scree__bytes_packed_size(const scree__bytes *bytes); /* of the file on disk; -1: a pipe */
int64_t scree__bytes_packed_used(const scree__bytes *bytes); /* of these, how many gave what was read so far */
/* What their reader may allocate; seen is up to date: all of a plain file, and what was read so far of others. A limit
 * is set in given, after opening. */
scree__budget *scree__bytes_budget(scree__bytes *bytes);

bool scree__bytes_can_rewind(const scree__bytes *bytes);
bool scree__bytes_can_seek(const scree__bytes *bytes);
void scree__bytes_close(scree__bytes *bytes); /* NULL-safe */

#endif
