/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_IPC_H
#define SCREE_DATA_ARROW_IPC_H

/* Arrow files and streams (IPC): messages, each a FlatBuffer and a body of buffers. Batches come out of it as the
 * structs of the C data interface, a piece of so many rows at a time, and become rows where those of a stream do
 * (source_arrow.c). */

#include "data/arrow.h"
#include "data/bytes.h"
#include "data/flat.h"

/* A column of a record batch, and how its buffers lie. */
typedef struct scree__ipc_field {
    const char *name;   /* in the bytes of the schema; NULL: none */
    const char *format; /* of the C data interface; a word for a type that is not read */
    const char *values; /* the same of the dictionary; NULL: there is none */
    int64_t dictionary; /* its number */
    bool nullable;
    bool wanted;
    int64_t node; /* of it, in the order in which batches list nodes */
} scree__ipc_field;

typedef struct scree__ipc_shape {
    scree__ipc_field *fields;
    int64_t count;
    uint8_t *buffers; /* nodes: how many buffers each has; SCREE__IPC_VIEWS: and some more */
    int64_t nodes;
} scree__ipc_shape;

enum { SCREE__IPC_VIEWS = 0x80 };

typedef struct scree__ipc_buffer {
    int64_t offset; /* in the body */
    int64_t size;
    const char *memory; /* where it was read; NULL: it is in the file */
} scree__ipc_buffer;

/* A record batch, or the values of a dictionary. */
typedef struct scree__ipc_batch {
    const scree__ipc_shape *shape;
    int64_t rows;
    int64_t at;    /* rows given out */
    int64_t piece; /* rows to give out at a time */
    int64_t body;  /* where it begins in the file */
    int64_t body_size;
    bool packed;
    scree__ipc_buffer *buffers;
    int64_t count;
    int64_t *first; /* fields: the first buffer of each */
    int64_t *nulls; /* fields */
    struct ArrowArray *children;
    struct ArrowArray **places;
    const void **pointers; /* of the children, to buffers */
    scree__buffer whole;   /* the body, in memory */
    scree__buffer unpacked;
    scree__buffer fixed; /* numbers and offsets of a piece */
    scree__buffer chars; /* texts of a piece */
} scree__ipc_batch;

typedef struct scree__ipc_dictionary {
    int64_t id;
    struct ArrowArray array; /* large texts, whatever they were in the file */
    const void *pointers[3];
    uint8_t *valid;
    int64_t *offsets;
    char *chars;
    int64_t memory;
    struct scree__ipc_dictionary *next;
} scree__ipc_dictionary;

typedef struct scree__ipc_message {
    scree__flat flat;
    scree__flat_table header;
    int kind;
    int64_t body; /* where it begins */
    int64_t body_size;
} scree__ipc_message;

enum { SCREE__IPC_SCHEMA = 1, SCREE__IPC_DICTIONARY = 2, SCREE__IPC_BATCH = 3 };

typedef struct scree__ipc {
    scree__bytes *bytes;
    const char *name; /* for messages */
    bool is_file;     /* with a footer; else a stream */
    bool seeks;       /* messages are found by their place */
    int64_t at;       /* in the file */
    int64_t *blocks;  /* seeks: where messages begin, dictionaries and batches */
    int64_t block_count;
    int64_t block;
    int64_t rows;    /* -1: not known */
    int64_t largest; /* seeks: bytes of the largest body */
    bool ended;
    int64_t whole; /* bytes of a batch that is read at once, and those of a piece of a larger one */
    int64_t piece;
    scree__buffer schema; /* its bytes, which names point into */
    scree__buffer meta;   /* those of the last message */
    scree__ipc_shape shape;
    scree__ipc_batch batch;
    scree__ipc_batch values;             /* of a dictionary that is read */
    scree__ipc_dictionary *dictionaries; /* the last one first */
} scree__ipc;

/* "FILE: is damaged: WHAT ...: write it again" */
scree_status scree__ipc_damaged(const scree__ipc *ipc, const char *what, scree_error *error);
/* Grows a buffer, within what reading may use; what was there is lost. */
scree_status scree__ipc_reserve(scree__ipc *ipc, scree__buffer *buffer, int64_t size, const char *what,
                                scree_error *error);
void scree__ipc_drop(scree__ipc *ipc, scree__buffer *buffer);

/* == arrow_message.c == */

/* Finds out whether it is a file or a stream, reads the schema, and where messages are, if they can be found. */
scree_status scree__ipc_begin(scree__ipc *ipc, scree_error *error);
/* The next message that is a batch or a dictionary; ended is set where there is none. */
scree_status scree__ipc_next(scree__ipc *ipc, scree__ipc_message *message, scree_error *error);
scree_status scree__ipc_rewind(scree__ipc *ipc, scree_error *error);
/* size bytes of the body of the last message, which is not in memory, to a place in memory. */
scree_status scree__ipc_fetch(scree__ipc *ipc, int64_t offset, int64_t size, char *to, scree_error *error);
/* The whole body; of a pipe this, or the next, must follow on each message. */
scree_status scree__ipc_fetch_body(scree__ipc *ipc, const scree__ipc_message *message, scree__buffer *to,
                                   scree_error *error);
scree_status scree__ipc_skip_body(scree__ipc *ipc, const scree__ipc_message *message, scree_error *error);

/* == arrow_schema.c == */

scree_status scree__ipc_schema_read(scree__ipc *ipc, scree__flat *flat, const scree__flat_table *schema, int version,
                                    scree_error *error);
void scree__ipc_shape_clear(scree__ipc_shape *shape);
/* Bytes of an element in the second buffer of a column, offsets of texts and views included; 0: they are bits. */
int scree__ipc_width(const char *format);

/* == arrow_batch.c == */

/* The batch that a message holds, at its first row. */
scree_status scree__ipc_batch_begin(scree__ipc *ipc, scree__ipc_batch *batch, const scree__ipc_shape *shape,
                                    scree__ipc_message *message, const scree__flat_table *header, scree_error *error);
/* The next rows, batch->piece at most, as an array that needs no release and lives until the next call. */
scree_status scree__ipc_batch_next(scree__ipc *ipc, scree__ipc_batch *batch, struct ArrowArray *out,
                                   scree_error *error);
void scree__ipc_batch_clear(scree__ipc_batch *batch);

/* == arrow_texts.c == */

/* Texts of field i of a piece: fetched where they are in the file, and every offset looked at. used: bytes of
 * batch->chars that are taken. With count, only counts what they take. */
scree_status scree__ipc_texts(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, int64_t *used, bool count,
                              scree_error *error);

/* == arrow_dictionary.c == */

/* Reads the dictionary of a message, where a wanted column has it. */
scree_status scree__ipc_dictionary_read(scree__ipc *ipc, scree__ipc_message *message, scree_error *error);
/* Gives the columns of a piece their dictionaries, and looks at every index. */
scree_status scree__ipc_dictionary_attach(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, scree_error *error);
void scree__ipc_dictionaries_clear(scree__ipc *ipc);

/* == unarrow.c of src/archive, where zstd has its door == */

/* Decompresses a frame that has so many bytes; false: it has not, or is damaged. */
bool scree__ipc_unzstd(void *to, int64_t size, const void *from, int64_t packed);

#endif
