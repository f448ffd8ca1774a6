/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SOURCE_H
#define SCREE_DATA_SOURCE_H

/* A source lends rows block by block. One derived struct and one const table of functions a format. */

#include "base/error.h"
#include "data/about.h"
#include "data/buffer.h"
#include "data/faults.h"
#include "kernel/csr.h"

/* Rows that are lent until the next call on their source. */
typedef struct scree__block {
    const void *data;        /* rows×cols elements, row by row; sparse: the entries, see starts */
    scree_type type;         /* the source's type */
    int64_t rows;            /* 0: the end */
    int64_t stride;          /* elements from row to row */
    int64_t first;           /* number of the first row in the source, from 0 */
    const char *const *text; /* rows × text_count strings (label, id), or NULL */
    const double *weights;   /* rows of them, as they came, or NULL: rows count alike */
    const double *origin;    /* cols of them: what was taken off the columns (wide.h); lives as long as the source;
                                NULL: nothing */
    const uint8_t *bad;      /* of each row, 1: it cannot be used, and nothing in it means anything; NULL: none is */
    bool marked;             /* some elements may be whole numbers that no double is (wide.h) */
    const int64_t *starts; /* sparse, only where the driver takes it (takes_sparse): the entries of row i are data[p] in
                              column indices[p], p from starts[i] to starts[i+1] - 1, columns ascending; all other cells
                              are 0. NULL: dense */
    const int32_t *indices;
    const double *totals; /* rows of them: sums over all columns of the file, whichever are lent; only where the driver
                             takes them (takes_totals), else, and where all are lent, NULL */
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
    /* For processes that share rows; NULL: cannot. The next row that is lent is this one, from 0. */
    scree_status (*seek)(scree_source *source, int64_t row, scree_error *error);
    /* How many rows there are, found together by processes that have the same file (with NULL: by this one), each of
     * which looks at a part of it, without parsing. *rows -1: it cannot tell. All fail where one does. */
    scree_status (*count)(scree_source *source, const scree_communicator *with, int64_t *rows, scree_error *error);
    /* What the rows of all have shown becomes part of the note of each. */
    scree_status (*tell)(scree_source *source, const scree_communicator *with, scree_error *error);
} scree__source_table;

enum {
    SCREE__CAN_REWIND = 1, /* rewind works: several passes are possible */
    SCREE__CAN_SLICE = 2,
    SCREE__IN_MEMORY = 4, /* blocks cost nothing: no read-ahead, no copy */
    SCREE__IN_STEP = 8,   /* next uses the threads of the caller: no read-ahead */
    SCREE__CAN_SEEK = 16, /* where its table has seek */
};

struct scree_source {
    const scree__source_table *table;
    scree__about about; /* shape, type and names of the rows */
    unsigned can;
    int64_t memory;        /* bytes that it holds for itself while it is read, for plans */
    int64_t block_rows;    /* how many rows next lends at most; the driver sets it; there is a sensible start value */
    int threads;           /* that next may use; the driver sets it; 0: one */
    scree__buffer *buffer; /* where next may put its rows instead of a place of its own; the driver's, or NULL */
    /* The name of the file that a row is from; *row becomes its number there. NULL: there is one file. */
    const char *(*locate)(const scree_source *source, int64_t *row);
    const scree__csr *cells; /* all rows, of which only the cells given are kept; what is lent has NaN for the others.
                                  NULL: rows are not kept so */
    const struct scree__genotypes *genotypes; /* the rows are these, and methods may work on them as they lie; NULL:
                                                 others */
    bool sparse;       /* next lends entries, all other cells being 0; scree__source_next spreads them out where the
                            driver does not take them as they are */
    int64_t entries;   /* of all rows of a sparse source, for plans; 0: not known */
    int64_t summed;    /* how many columns totals are over; 0: those that there are */
    bool takes_sparse; /* the driver sets it, as takes_origin */
    bool takes_whole;  /* the same: entries may lie there as SCREE_I32, where rows are worked on as doubles */
    bool takes_totals;
    scree__buffer spread;  /* sparse rows, every cell, where the driver wants these and offers no buffer */
    int64_t group_bytes;   /* bytes of all that is read together, this source being a part of it; 0: it is all */
    bool single_pass;      /* the driver will not rewind: what was read need not be kept by the system either */
    uint32_t stamp;        /* of the files, their sizes and times, and of how they are read; 0: no files */
    bool started;          /* something was read since the start: scree__source_next and _rewind keep it */
    const double *weights; /* of all rows, the caller's, or NULL: scree__source_next lends them with the rows */
    int64_t weight_count;
    bool takes_origin;         /* next may count whole numbers from an origin (wide.h); the driver sets it */
    const double *origin;      /* of the rows that a driver was lent last, or NULL */
    bool live;                 /* rows come as a pipe is written: answers are not kept back */
    scree__faults *faults;     /* what becomes of rows that cannot be used; NULL: they are errors */
    bool owns_faults;          /* this source is the one that was opened */
    bool rescaled;             /* its columns are times powers of two: see scree__rescaled_open */
    const scree_source *noted; /* whose note is its own: that may grow while rows are read; NULL: there is none */
    scree_gaps gaps;           /* that the last question asked of its rows has met */
    struct scree__team *team;  /* processes that have the same rows, while they work on them together; or NULL */
};

/* For a source around another, or a part of it: what it can do and holds, and what the driver has set. */
void scree__source_inherit(scree_source *source, const scree_source *inner);
/* The same, with a copy of its about; that of the source is empty before. */
scree_status scree__source_around(scree_source *source, const scree_source *inner, scree_error *error);

/* What was set for a source around another, for the other as well, before its next. */
void scree__source_pass_on(const scree_source *source, scree_source *inner);

/* Rows from .. from+count-1 of a block of the source; what is bad of them is forgotten. */
scree__block scree__block_part(const scree_source *source, const scree__block *block, int64_t from, int64_t count);

/* Elements of a type are this many bytes. */
int64_t scree__type_size(scree_type type);

/* "column 'height'" or "column 7" when there are no names; column counts from 0. Returns buffer. */
const char *scree__column_label(const scree_source *source, int64_t column, char *buffer, int64_t size);

/* One file, by its format; a header and no rows is opened, too. faults: NULL unless options say what becomes of rows
 * that cannot be used. */
scree_status scree__file_open(scree_source **out, const char *path, const scree_read_options *options,
                              scree__faults *faults, scree_error *error);
scree_status scree__only_header_fail(const char *file, scree_error *error);

/* The name of the file that a row is from, for messages; *row, from 0, becomes its number in that file. May be called
 * while a thread reads the source, for rows that were lent. */
const char *scree__source_locate(const scree_source *source, int64_t *row);

scree_status scree__source_next(scree_source *source, scree__block *block, scree_error *error);
/* Fails with a sentence on pipes when the source cannot. */
scree_status scree__source_rewind(scree_source *source, scree_error *error);
/* To the first row: rewinds what was read from, and leaves what was not as it is, so that a pipe may be read once. */
scree_status scree__source_restart(scree_source *source, scree_error *error);

/* Whether seek works, and the rows are known or can be counted; the three entries of the table. */
bool scree__source_can_seek(const scree_source *source);
scree_status scree__source_seek(scree_source *source, int64_t row, scree_error *error);
scree_status scree__source_count(scree_source *source, const scree_communicator *with, int64_t *rows,
                                 scree_error *error);
scree_status scree__source_tell(scree_source *source, const scree_communicator *with, scree_error *error);

/* The first cell that is missing, where that is known before anything is read: of a source that keeps cells. */
bool scree__source_first_gap(const scree_source *source, int64_t *row, int64_t *column);
/* The first column without a value, where that is known, or -1. */
scree_status scree__source_empty_column(const scree_source *source, int64_t *column, scree_error *error);

/* So few cells, as far as is known, that no other thread is worth waking to read them or to work on them. */
bool scree__source_is_small(const scree_source *source);

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

/* Each column times a factor, a power of two, as doubles. The inner source is borrowed, as above. */
scree_status scree__rescaled_open(scree_source **out, scree_source *inner, const double *factor, scree_error *error);

/* log(1 + x) of every cell, as doubles. The inner source is borrowed, as above. */
scree_status scree__logged_open(scree_source **out, scree_source *inner, scree_error *error);

/* Columns as rows, by way of a scratch file; memory: a limit, or 0. On success it has freed the inner source. */
scree_status scree__transposed_open(scree_source **out, scree_source *inner, int64_t memory, scree_error *error);

/* The last column of the inner source becomes the weight of the rows; name: as the user called it. On success it owns
 * the inner source. */
scree_status scree__weighted_open(scree_source **out, scree_source *inner, const char *name, scree_error *error);

/* The columns that the options choose, the weights behind them where there are such; the inner source itself where they
 * choose none. On success it owns the inner source. */
scree_status scree__select_by_options(scree_source **out, scree_source *inner, const scree_read_options *options,
                                      scree_error *error);

/* Columns index[0..count-1] of the inner source, in that order. On success it owns the inner source. */
scree_status scree__select_open(scree_source **out, scree_source *inner, const int64_t *index, int64_t count,
                                scree_error *error);
/* The same of an inner source that is borrowed: it outlives this one. It can neither be cut nor lie in memory. */
scree_status scree__select_borrow(scree_source **out, scree_source *inner, const int64_t *index, int64_t count,
                                  scree_error *error);

#endif
