/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SOURCE_H
#define SCREE_DATA_SOURCE_H

/* A source lends rows block by block. One derived struct and one const table of functions a format. */

#include "base/error.h"
#include "data/buffer.h"
#include "kernel/csr.h"

/* Rows that are lent until the next call on their source. */
typedef struct scree__block {
    const void *data;        /* rows×cols elements, row by row */
    scree_type type;         /* the source's type */
    int64_t rows;            /* 0: the end */
    int64_t stride;          /* elements from row to row */
    int64_t first;           /* number of the first row in the source, from 0 */
    const char *const *text; /* rows × text_count strings (label, id), or NULL */
    const double *weights;   /* rows of them, as they came, or NULL: rows count alike */
} scree__block;

typedef struct scree__source_table {
    const char *name; /* "csv" */
    /* Lends the next block: at most source->block_rows rows, zero rows at the end. */
    scree_status (*next)(scree_source *source, scree__block *block, scree_error *error);
    /* Back to the first row. NULL: cannot. */
    scree_status (*rewind)(scree_source *source, scree_error *error);
    /* A source of its own over rows first .. first+count-1. NULL: cannot. */
    scree_status (*slice)(scree_source **out, scree_source *source, int64_t first, int64_t count, scree_error *error);
    void (*close)(scree_source *source); /* frees what is derived; the base is freed by scree_source_free */
} scree__source_table;

/* Columns of a file that hold text, carried along or left out; for messages. */
typedef struct scree__text_columns {
    char **names;
    int64_t *lines; /* of the file, from 1: where the first text of each stands */
    int64_t count;
} scree__text_columns;

enum {
    SCREE__CAN_REWIND = 1, /* rewind works: several passes are possible */
    SCREE__CAN_SLICE = 2,
    SCREE__IN_MEMORY = 4, /* blocks cost nothing: no read-ahead, no copy */
    SCREE__IN_STEP = 8,   /* next uses the threads of the caller: no read-ahead */
};

struct scree_source {
    const scree__source_table *table;
    char *path;            /* for messages: the file's name, "standard input", or "memory" */
    scree_type type;       /* of every block */
    int64_t rows;          /* -1: not known before the end */
    int64_t rows_estimate; /* for plans, when rows is not known: from the size of the file; -1: no idea */
    int64_t row_text;      /* bytes of text that a row is parsed from, about, for plans; 0: it is not text */
    int64_t cols;
    unsigned can;
    int64_t memory;       /* bytes that it holds for itself while it is read, for plans */
    int64_t block_rows;   /* how many rows next lends at most; the driver sets it; there is a sensible start value */
    int threads;          /* that next may use; the driver sets it; 0: one */
    char **columns;       /* cols names, or NULL */
    int64_t *file_column; /* cols: which column of the file each is, from 0, for messages; NULL: in their order */
    char **text_names;    /* names of the columns carried along (label, id), in the order of the file */
    int64_t text_count;
    int64_t text_label;        /* which of them was asked for as label, from 1; 0: none was */
    int64_t text_id;           /* and as id */
    scree__text_columns texts; /* that the file names; its own, sources around it have none */
    bool only_header;          /* a header and no row: an error by itself, and no rows among several files */
    int64_t image_rows;        /* shape of a row that is an image, else 0 */
    int64_t image_cols;
    bool wide_integers;  /* in the file elements are whole numbers of 64 bits, which doubles may round */
    char *note;          /* what was guessed, or NULL */
    scree__buffer *room; /* where next may put its rows instead of a place of its own; the driver's, or NULL */
    /* The name of the file that a row is from; *row becomes its number there. NULL: there is one file. */
    const char *(*locate)(const scree_source *source, int64_t *row);
    scree_gaps gaps;         /* that the last question asked of its rows has met */
    const scree__csr *cells; /* all rows, of which only the cells given are kept; what is lent has NaN for the others.
                                  NULL: rows are not kept so */
    int64_t group_bytes;     /* bytes of all that is read together, this source being a part of it; 0: it is all */
    bool single_pass;        /* the driver will not rewind: what was read need not be kept by the system either */
    bool started;            /* something was read since the start: scree__source_next and _rewind keep it */
    bool weighted;           /* blocks have weights */
    char *weight_name;       /* of the column that they stood in, or NULL */
    const double *weights;   /* of all rows, the caller's, or NULL: scree__source_next lends them with the rows */
    int64_t weight_count;
};

/* Frees what the base struct owns (path, names, note). For close and for failed opens. */
void scree__source_clear(scree_source *source);

/* Copies everything that describes the rows of another source but its table and its place in the file. */
scree_status scree__source_describe(scree_source *source, const scree_source *other, scree_error *error);

/* Elements of a type are this many bytes. */
int64_t scree__type_size(scree_type type);

/* "column 'height'" or "column 7" when there are no names; column counts from 0. Returns buffer. */
const char *scree__column_label(const scree_source *source, int64_t column, char *buffer, int64_t size);

/* As scree_source_open, and a file of a header and no rows is opened, too. */
scree_status scree__source_open_part(scree_source **out, const char *path, const scree_read_options *options,
                                     scree_error *error);
scree_status scree__only_header_fail(const char *file, scree_error *error);

/* to is empty; false: out of memory. */
bool scree__text_columns_copy(scree__text_columns *to, const scree__text_columns *from);

/* The name of the file that a row is from, for messages; *row, from 0, becomes its number in that file. May be called
 * while a thread reads the source, for rows that were lent. */
const char *scree__source_locate(const scree_source *source, int64_t *row);

scree_status scree__source_next(scree_source *source, scree__block *block, scree_error *error);
/* Fails with a sentence on pipes when the source cannot. */
scree_status scree__source_rewind(scree_source *source, scree_error *error);
/* To the first row: rewinds what was read from, and leaves what was not as it is, so that a pipe may be read once. */
scree_status scree__source_restart(scree_source *source, scree_error *error);

/* How many rows of the source fit into so many bytes, at least one. */
int64_t scree__source_rows_in(const scree_source *source, int64_t bytes);

/* Rows in memory, row by row, stride elements apart; lent for as long as the source lives. */
scree_status scree__memory_open(scree_source **out, const void *data, scree_type type, int64_t rows, int64_t cols,
                                int64_t stride, scree_error *error);

/* ---- sources around sources ---- */

/* A thread reads the next block while the last one is worked on, into two buffers of inner->block_rows rows: straight
 * into them where the inner source can, by a copy where it cannot. The inner source is borrowed: it must not be used
 * before the read-ahead is closed, and outlives it. */
scree_status scree__readahead_open(scree_source **out, scree_source *inner, scree_error *error);

/* The last column of the inner source becomes the weight of the rows; name: as the user called it. On success it owns
 * the inner source. */
scree_status scree__weighted_open(scree_source **out, scree_source *inner, const char *name, scree_error *error);

/* Columns index[0..count-1] of the inner source, in that order. On success it owns the inner source. */
scree_status scree__select_open(scree_source **out, scree_source *inner, const int64_t *index, int64_t count,
                                scree_error *error);

#endif
