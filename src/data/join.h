/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_JOIN_H
#define SCREE_DATA_JOIN_H

/* Several files as one source: what the files of the join tell each other.
 *
 *   join.c        the source: parts in turn, rewind, slice, which row is in which file
 *   join_parts.c  what the whole is, from its parts, and whether a part agrees with it
 *   join_note.c   what was guessed about them
 *   source_open.c opening it, from paths
 */

#include "data/source.h"

#include <stdatomic.h>

typedef struct scree__part {
    char *path;            /* as it is opened */
    char *name;            /* for messages */
    scree_source *source;  /* open while it is read; always, when it cannot be opened again */
    bool keep;             /* it cannot */
    bool empty;            /* a CSV of a header and no rows */
    int64_t first;         /* of its rows, those that belong to the whole */
    int64_t count;         /* -1: all */
    int64_t rows;          /* that belong to the whole; -1: not known */
    _Atomic int64_t start; /* number of its first row in the whole; -1: not reached yet */
} scree__part;

enum { SCREE__JOIN_KINDS = 3 }; /* that the note tells apart */

/* Parts of which the same was guessed. */
typedef struct scree__join_kind {
    char *note;
    int64_t first; /* of them */
    int64_t count;
} scree__join_kind;

typedef struct scree__join {
    scree_source base;
    scree_read_options options; /* with texts of its own */
    scree__part *parts;
    int64_t count;
    int64_t leader;          /* the first part that has rows, or may have; -1: none yet */
    int64_t named_by;        /* the part that the names of columns are from; -1: there are none */
    int64_t texts_by;        /* the part that the names of texts are from; -1: there are none */
    int64_t text_columns_by; /* the part that base.texts are from */
    scree__join_kind kinds[SCREE__JOIN_KINDS];
    int64_t kind_count;
    int64_t others;        /* parts of further kinds */
    int64_t silent;        /* parts of which nothing was guessed */
    int64_t bare;          /* parts that carry no text */
    int64_t bare_by;       /* the first of them */
    int64_t bare_rows;     /* in all of them; -1: not known */
    int64_t at;            /* the part that is read */
    int64_t told;          /* parts whose late notes were taken, in the first pass */
    int64_t row;           /* rows lent */
    scree__buffer own;     /* for rows that are widened, where the driver offers none */
    scree__buffer none;    /* empty texts, for parts that carry none */
    scree__buffer counted; /* whole numbers from another origin */
    bool counts;           /* this time whole numbers are counted from the origin */
    double *origin;        /* D, of the first part, or NULL */
} scree__join;

/* ---- join.c ---- */

/* An empty join with copies of the options; the caller fills parts and base. */
scree_status scree__join_new(scree__join **out, int64_t count, const scree_read_options *options, scree_error *error);

/* ---- join_parts.c ---- */

/* Fails with a sentence when the columns or texts of a part are not those of the whole. */
scree_status scree__join_agrees(const scree__join *join, const scree_source *part, scree_error *error);

/* The same for a part of a header and no rows, of which it is not known what is text. */
scree_status scree__join_agrees_header(const scree__join *join, const scree_source *part, scree_error *error);

/* Takes a part that agrees into the description of the whole; the first begins it. */
scree_status scree__join_describe(scree__join *join, int64_t index, const scree_source *part, scree_error *error);

/* ---- join_note.c ---- */

/* Remembers what was guessed about a part that was described. */
scree_status scree__join_add_note(scree__join *join, int64_t index, const scree_source *part, scree_error *error);

/* Makes the note of the whole, when those of all parts were added. */
scree_status scree__join_make_note(scree__join *join, scree_error *error);

/* Adds what reading a part to its end has shown. */
scree_status scree__join_add_late(scree__join *join, int64_t index, const scree_source *part, scree_error *error);

#endif
