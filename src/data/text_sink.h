/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TEXT_SINK_H
#define SCREE_DATA_TEXT_SINK_H

/* Sinks that write text: a format says how a row becomes text, the rest is done here. */

#include "base/atomic_file.h"
#include "data/formats.h"

/* Text that grows. */
typedef struct scree__text {
    char *bytes;
    int64_t size;
    int64_t capacity;
} scree__text;

/* Capacity for so many bytes more; false: out of memory, as for those below. */
bool scree__text_reserve(scree__text *text, int64_t needed);
bool scree__text_put(scree__text *text, const char *bytes, int64_t size);

typedef struct scree__text_sink scree__text_sink;

typedef struct scree__text_format {
    scree__sink_table table; /* its name; scree__text_begin, _write, _finish, _close */
    char delimiter;          /* CSV */
    bool bare;               /* JSON: arrays of numbers, without names and texts */
    /* What stands before the rows; sees the shape before the first of them. */
    bool (*head)(scree__text_sink *sink, const scree__sink_shape *shape, scree__text *to);
    /* Row number row, from 0; texts or NULL. Called by several threads. */
    bool (*row)(const scree__text_sink *sink, int64_t row, const double *values, const char *const *texts,
                scree__text *to);
    const char *tail; /* what stands behind the rows */
} scree__text_format;

typedef struct scree__text_part {
    scree__text text;
    bool failed; /* out of memory */
} scree__text_part;

struct scree__text_sink {
    scree_sink base;
    const scree__text_format *format;
    int64_t cols;
    int64_t text_count;
    int64_t text_front; /* of them, before the numbers */
    int64_t rows;       /* written */
    bool spreadsheet;   /* CSV: no text is a formula */
    bool visible;       /* CSV goes to a terminal: texts are made visible */
    scree__text_part *parts;
    int64_t part_count;
    scree__text keys; /* JSON: what stands before each cell of a row */
    int64_t *key_ends;
};

/* append: to a file that may exist, whose head is then that of these rows. */
scree_status scree__text_open(scree_sink **out, const char *path, const scree__text_format *format, bool append,
                              scree_error *error);

scree_status scree__text_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error);
scree_status scree__text_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error);
scree_status scree__text_finish(scree_sink *sink, scree_error *error);
void scree__text_close(scree_sink *sink);

#define SCREE__TEXT_TABLE(name)                                                                                        \
    {                                                                                                                  \
        (name), scree__text_begin, scree__text_write, scree__text_finish, scree__text_close                            \
    }

#endif
