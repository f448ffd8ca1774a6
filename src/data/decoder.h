/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_DECODER_H
#define SCREE_DATA_DECODER_H

/* Decompression: one const table for each way, in the list of decoder.c. A decoder begins with scree__decoder. Those
 * whose library is fed step by step need no more than a scree__steps. */

#include "data/descriptor.h"

typedef struct scree__decoder scree__decoder;

typedef struct scree__decoder_table {
    const char *name;      /* "gzip" */
    const char *extension; /* "gz" */
    bool (*matches)(const unsigned char *head, int64_t size);
    /* Reads the descriptor, which must outlive it, and of which head[0..size-1] are the first bytes, read before. */
    scree_status (*open)(scree__decoder **out, scree__descriptor *descriptor, const unsigned char *head, int64_t size,
                         scree_error *error);
    /* Up to size bytes; *got is less than size only at the end. */
    scree_status (*read)(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error);
    /* Back to the start; the descriptor must be at its own. */
    scree_status (*rewind)(scree__decoder *decoder, scree_error *error);
    int64_t (*position)(const scree__decoder *decoder); /* bytes of the compressed file that are used up */
    int64_t (*memory)(const scree__decoder *decoder);   /* that it holds now, where it is much */
    /* From now on it may hold no more than limit, where that is less than SCREE__DECODER_MEMORY; given: what the user
     * allowed, for the message. NULL: what it holds is known when it is opened. */
    void (*limit)(scree__decoder *decoder, int64_t limit, int64_t given);
    void (*close)(scree__decoder *decoder);
} scree__decoder_table;

struct scree__decoder {
    const scree__decoder_table *table;
};

/* That of the bytes, by content; NULL: they are not compressed. */
const scree__decoder_table *scree__decoder_find(const unsigned char *head, int64_t size);
/* Whether a file with this extension, of so many characters, is compressed. */
bool scree__decoder_has_extension(const char *extension, int64_t size);

scree_status scree__decoder_read(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error);
int64_t scree__decoder_position(const scree__decoder *decoder);
void scree__decoder_close(scree__decoder *decoder); /* NULL-safe */

extern const scree__decoder_table scree__decoder_gzip;
extern const scree__decoder_table scree__decoder_xz;
extern const scree__decoder_table scree__decoder_bzip2; /* where scree is built with libbz2 (SCREE_BZIP2) */
extern const scree__decoder_table scree__decoder_zstd;  /* in src/archive: that library has its door there */

/* ---- content whose size and check sum are known ---- */

typedef struct scree__inflate_content {
    int64_t size;
    uint32_t crc; /* CRC-32 */
} scree__inflate_content;

/* Deflated, without a frame: that of the descriptor, which must outlive it. */
scree_status scree__inflate_open(scree__decoder **out, scree__descriptor *descriptor, scree__inflate_content content,
                                 scree_error *error);

/* ---- libraries that are fed step by step ---- */

enum { SCREE__DECODER_MEMORY = 128 << 20 }; /* bytes that a file may make them take, for what it refers back to */

/* What is there to read from and to write to; a step moves both on. */
typedef struct scree__step {
    const unsigned char *in;
    int64_t in_size;
    unsigned char *out;
    int64_t out_size;
    bool last; /* no more follows behind in */
} scree__step;

typedef enum scree__step_result {
    SCREE__STEP_ON,
    SCREE__STEP_BETWEEN, /* the content is complete, and another may follow */
    SCREE__STEP_END,     /* nothing may follow */
    SCREE__STEP_DAMAGED,
    SCREE__STEP_NO_MEMORY,
    SCREE__STEP_TOO_LARGE /* it would take more than SCREE__DECODER_MEMORY, or the limit */
} scree__step_result;

typedef struct scree__steps {
    const scree__decoder_table *table;
    const char *tool;      /* that decompresses such files: "xz -d" */
    void *(*open)(void);   /* NULL: no memory */
    bool (*reset)(void *); /* back to the start */
    scree__step_result (*step)(void *state, scree__step *step);
    int64_t (*memory)(const void *state); /* that it takes, or would take where it is too large */
    void (*limit)(void *state, int64_t bytes);
    void (*close)(void *state);
} scree__steps;

/* The entries of a table; open_decoder of a library names its steps. */
scree_status scree__stepped_open(scree__decoder **out, const scree__steps *steps, scree__descriptor *descriptor,
                                 const unsigned char *head, int64_t size, scree_error *error);
scree_status scree__stepped_read(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error);
scree_status scree__stepped_rewind(scree__decoder *decoder, scree_error *error);
int64_t scree__stepped_position(const scree__decoder *decoder);
int64_t scree__stepped_memory(const scree__decoder *decoder);
void scree__stepped_limit(scree__decoder *decoder, int64_t limit, int64_t given);
void scree__stepped_close(scree__decoder *decoder);

/* The table of a library: its name, the end of the names of its files, how they are told, and what opens them. */
#define SCREE__STEPPED_TABLE(name, end, matches, open, limit)                                                          \
    {                                                                                                                  \
        (name), (end), (matches), (open), scree__stepped_read, scree__stepped_rewind, scree__stepped_position,         \
            scree__stepped_memory, (limit), scree__stepped_close                                                       \
    }

#endif
