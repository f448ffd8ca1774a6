/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_H
#define SCREE_DATA_ARROW_H

/* The Arrow C data interface and C stream interface, as published by Apache Arrow: structs that two libraries in one
 * process agree on without knowing each other. Names, fields and guards are those of the specification, so that a
 * program may include its own copy beside this one. Whoever holds a struct calls its release, once; a struct whose
 * release is NULL holds nothing. */

#include <stdint.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of a column, or of a record batch, whose columns are its children. */
struct ArrowSchema {
    const char *format;   /* "g": double, "u": text, "+s": a struct, ... */
    const char *name;     /* may be NULL */
    const char *metadata; /* may be NULL */
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary; /* of the values, when format is that of indices into them; else NULL */
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* The values of a column, or of a record batch. */
struct ArrowArray {
    int64_t length;
    int64_t null_count; /* -1: not counted */
    int64_t offset;     /* of the first value in the buffers */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers; /* a bitmap of what is not null, or NULL; then the values, or offsets and bytes of text */
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* Record batches one after the other. Calls return 0 or an errno. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out); /* out->release is NULL at the end */
    const char *(*get_last_error)(struct ArrowArrayStream *);           /* of the last call, or NULL */
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

#endif
