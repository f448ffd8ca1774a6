/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ONNX_WIRE_H
#define SCREE_MODEL_ONNX_WIRE_H

/* Messages in the wire format of protocol buffers, the way an ONNX file is written: fields one after the other, each a
 * number and a kind, then an integer, or a length and so many bytes. A message within a message is begun,
 * filled and ended.
 *
 * Running out of memory is remembered, not returned: what comes after is dropped, and whoever takes the bytes looks at
 * failed once. */

#include "base/error.h"

enum { SCREE__WIRE_DEPTH = 8 }; /* a dimension of the shape of the type of a value of a graph of a model: 6 */

typedef struct scree__wire {
    unsigned char *bytes; /* freed by scree__wire_free */
    int64_t size;
    int64_t room;
    int64_t begun[SCREE__WIRE_DEPTH]; /* where the open messages begin */
    int depth;
    bool failed;
} scree__wire;

/* Takes room for so many bytes at once, where the size is known about; more is taken when needed. */
void scree__wire_open(scree__wire *wire, int64_t room);
void scree__wire_free(scree__wire *wire); /* safe on a zeroed struct */

void scree__wire_integer(scree__wire *wire, int field, int64_t value);
void scree__wire_text(scree__wire *wire, int field, const char *text);

/* A field of size bytes, to be filled before the next call; NULL: no memory. */
void *scree__wire_bytes(scree__wire *wire, int field, int64_t size);

void scree__wire_begin(scree__wire *wire, int field);
void scree__wire_end(scree__wire *wire);

#endif
