/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_FLAT_H
#define SCREE_DATA_FLAT_H

/* FlatBuffers, the tables that Arrow files describe themselves with, read where they lie. Every offset is followed only
 * where what it points to lies inside of the bytes. A value that is not there has its default, as the format wants it;
 * what points outside sets damaged, and reads as if it were not there, so that a caller may look once, at the end. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__flat {
    const unsigned char *data;
    int64_t size;
    bool damaged;
} scree__flat;

/* A table: where it lies, and the offsets of its fields. at < 0: there is none, and all of its fields are missing. */
typedef struct scree__flat_table {
    int64_t at;
    int64_t offsets;
    int fields;
} scree__flat_table;

/* Elements of a fixed size, or tables, one after the other. */
typedef struct scree__flat_vector {
    int64_t at;
    int64_t count;
} scree__flat_vector;

scree__flat_table scree__flat_root(scree__flat *flat);

/* A whole number of 1, 2, 4 or 8 bytes in a field; unsigned where it has one byte. */
int64_t scree__flat_number(scree__flat *flat, const scree__flat_table *table, int field, int size, int64_t otherwise);
scree__flat_table scree__flat_inner(scree__flat *flat, const scree__flat_table *table, int field);
/* size: bytes of an element; tables have four. */
scree__flat_vector scree__flat_elements(scree__flat *flat, const scree__flat_table *table, int field, int size);
scree__flat_table scree__flat_element(scree__flat *flat, const scree__flat_vector *vector, int64_t index);
/* A text with a zero at its end; NULL: there is none. */
const char *scree__flat_text(scree__flat *flat, const scree__flat_table *table, int field);

/* A whole number of so many bytes, signed, lowest byte first; the place lies inside. */
int64_t scree__flat_load(const unsigned char *at, int size);

/* ---- writing: from the end to the beginning, so that everything is known before what points to it ---- */

typedef struct scree__flat_writer {
    unsigned char *data; /* the last used bytes of it are written */
    int64_t size;
    int64_t used;
    int64_t table;    /* used when the table was begun */
    int64_t field[8]; /* of the table: used behind the value of each; 0: none */
    bool failed;      /* out of memory */
} scree__flat_writer;

/* Each returns where what was written lies, counted from the end: for those that refer to it. */
int64_t scree__flat_put_text(scree__flat_writer *writer, const char *text);
/* count elements of size bytes, lowest byte first already; those of 8 bytes lie at multiples of 8. */
int64_t scree__flat_put_elements(scree__flat_writer *writer, const void *elements, int64_t count, int size, int align);
int64_t scree__flat_put_places(scree__flat_writer *writer, const int64_t *places, int64_t count);
void scree__flat_begin(scree__flat_writer *writer);
void scree__flat_put_number(scree__flat_writer *writer, int field, int64_t value, int size);
void scree__flat_put_place(scree__flat_writer *writer, int field, int64_t place);
int64_t scree__flat_end(scree__flat_writer *writer);
/* The whole, size bytes, a multiple of 8, lent until the next begin; NULL: out of memory. */
const unsigned char *scree__flat_finish(scree__flat_writer *writer, int64_t root, int64_t *size);
void scree__flat_restart(scree__flat_writer *writer);
void scree__flat_writer_free(scree__flat_writer *writer);

#endif
