/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_ARCHIVE_H
#define SCREE_ARCHIVE_ARCHIVE_H

/* The file: a head, frames of rows, an index as the last frame, and its place; docs/archive.md describes it.
 *
 *     head   magic (8), version u32, size u32, its bytes, checksum u32 of all that
 *     frame  rows u32, size u32, checksum u32 of those two and of the bytes, its bytes: texts, then the block
 *     index  a frame of 0 rows: what became of the rows, and where each frame begins
 *     tail   place of the index i64, checksum u32 of the place, magic u32 */

#include "archive/block.h"

enum {
    SCREE__ARCHIVE_PLAIN = 2,   /* of elements that are stored as the type that rows are worked on as */
    SCREE__ARCHIVE_VERSION = 3, /* of others; the newest that is known */
    SCREE__HEAD_FIXED = 16,
    SCREE__FRAME_FIXED = 12,
    SCREE__TAIL_BYTES = 16,
    SCREE__TAIL_MAGIC = 0x7a656572,    /* "reez" */
    SCREE__BLOCK_CELLS_MOST = 1 << 23, /* of a block of more than one row */
};

extern const unsigned char scree__archive_magic[8];

typedef struct scree__head {
    int64_t rows;
    int64_t block_rows; /* of every frame but the last */
    int64_t image_rows;
    int64_t image_cols;
    bool is_vector;    /* an array of one dimension; in the file a shape of 0 by 1 */
    char **columns;    /* D names, or NULL */
    char **text_names; /* of text_count columns of text */
    int64_t text_count;
    scree__code code;
} scree__head;

/* Magic and checksum included. */
void scree__head_put(scree__pack *pack, const scree__head *head);
/* The bytes between the fixed part and the checksum, which were checked. */
void scree__head_get(scree__unpack *unpack, scree__head *head, uint32_t version);
void scree__head_clear(scree__head *head);

/* What stands in the index beside the places of frames. */
typedef struct scree__index {
    scree__outcome outcome;
    double code_bound; /* bits a code that the rate-distortion bound of the model asks for */
    int64_t count;     /* of frames */
    int64_t *places;   /* of their first bytes */
} scree__index;

void scree__index_put(scree__pack *pack, const scree__index *index, int64_t place);
/* compact: as it is written now; not in archives of version 1. */
void scree__index_get(scree__unpack *unpack, scree__index *index, int64_t count, bool compact);

/* A frame around bytes that are packed between begin and end. begin returns its place in the pack. */
int64_t scree__frame_begin(scree__pack *pack);
void scree__frame_end(scree__pack *pack, int64_t begun, int64_t rows);

typedef struct scree__frame {
    int64_t rows;
    int64_t size; /* of what follows the fixed part */
    uint32_t checksum;
} scree__frame;

scree__frame scree__frame_read(const unsigned char fixed[SCREE__FRAME_FIXED]);
bool scree__frame_is_whole(const scree__frame *frame, const unsigned char fixed[SCREE__FRAME_FIXED],
                           const unsigned char *bytes);

/* How many frames there are, and how many rows frame i has. */
int64_t scree__head_frames(const scree__head *head);
int64_t scree__head_frame_rows(const scree__head *head, int64_t i);

#endif
