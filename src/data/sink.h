/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SINK_H
#define SCREE_DATA_SINK_H

/* A sink takes rows of doubles, with the text columns that go with them. One file a format. */

#include "base/error.h"

/* What the rows will be; told once, before the first. */
typedef struct scree__sink_shape {
    int64_t rows; /* -1: not known */
    int64_t cols;
    const char *const *columns; /* cols names, or NULL */
    int64_t text_count;         /* columns of text: label and id, written in front */
    const char *const *text_names;
    bool is_vector;      /* cols is 1, and rows are numbers of an array of one dimension */
    int64_t text_behind; /* so many of them, the last, are written behind the numbers instead */
} scree__sink_shape;

typedef struct scree__sink_table {
    const char *name;
    scree_status (*begin)(scree_sink *sink, const scree__sink_shape *shape, scree_error *error);
    /* data: rows×cols, contiguous; text: rows×text_count strings or NULL. */
    scree_status (*write)(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                          scree_error *error);
    scree_status (*finish)(scree_sink *sink, scree_error *error); /* the last bytes; file is committed afterwards */
    /* Frees what is derived and removes what was not finished; the base is freed by scree_sink_free. */
    void (*close)(scree_sink *sink);
    /* Memory of the sink for the next rows, which write is then given; NULL, also as an entry: it has none to lend. */
    double *(*place)(scree_sink *sink, int64_t rows);
    /* Rows that it keeps back go to the file, for who reads it as it is written. NULL: it keeps none. */
    scree_status (*flush)(scree_sink *sink, scree_error *error);
} scree__sink_table;

struct scree_sink {
    const scree__sink_table *table;
    scree__atomic_file *file; /* what it writes, freed with it; NULL: no file */
    char *path;
    scree_type type;
    bool begun;
    bool finished;
    bool failed; /* rows are missing: it cannot be finished */
};

/* The name of the i-th column of a file that has texts and numbers; number is space for one that has none: c3. */
const char *scree__sink_heading(const scree__sink_shape *shape, int64_t i, char number[24]);

/* Fails if two sinks write one file; either may be NULL. */
scree_status scree__sink_distinct(const scree_sink *sink, const scree_sink *other, scree_error *error);

scree_status scree__sink_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error);
double *scree__sink_place(scree_sink *sink, int64_t rows);
/* Those who read what is written as it comes see all rows so far; a file that appears whole is left alone. */
scree_status scree__sink_flush(scree_sink *sink, scree_error *error);
scree_status scree__sink_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error);

#endif
