/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FUZZ_ARROW_STREAM_H
#define SCREE_FUZZ_ARROW_STREAM_H

/* An Arrow C stream that bytes describe. */

#include "data/arrow.h"

#include <stddef.h>

/* Bytes that are used up from the front; 0 when there are none left. */
typedef struct fuzz_cursor {
    const uint8_t *at;
    size_t left;
} fuzz_cursor;

uint8_t fuzz_next(fuzz_cursor *cursor);

enum { FUZZ_FIELDS = 6 };

typedef struct fuzz_field {
    char format[4];
    char name[4];
    char dictionary; /* 'u' or 'U', of texts that the values point into; 0: none */
    uint8_t flags;
} fuzz_field;

typedef struct fuzz_stream {
    fuzz_cursor cursor;
    int fields;
    fuzz_field field[FUZZ_FIELDS];
    int batches; /* to come */
    int held;    /* structs handed out and not released yet */
} fuzz_stream;

void fuzz_stream_begin(fuzz_stream *stream, struct ArrowArrayStream *out, const uint8_t *data, size_t size);

/* A record batch of the stream's fields; its buffers end where its values end. */
void fuzz_batch_make(fuzz_stream *stream, struct ArrowArray *out);

#endif
