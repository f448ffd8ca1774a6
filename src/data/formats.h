/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_FORMATS_H
#define SCREE_DATA_FORMATS_H

/* The formats: one const struct each for reading and writing, in two tables (reader_table.c, writer_table.c). */

#include "data/bytes.h"
#include "data/sink.h"
#include "data/source.h"

typedef struct scree__reader {
    const char *name;              /* "csv" */
    const char *const *extensions; /* NULL-terminated, without the dot; ".gz" is taken off before */
    bool (*matches)(const unsigned char *head, int64_t size); /* by content; NULL: only by name or extension */
    /* On success the source owns the bytes. */
    scree_status (*open)(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                         scree_error *error);
    const char *text; /* one line for help */
    bool live;        /* it lends what has come of a pipe: bytes.h */
    bool parts;       /* a file holds several, and options.dataset says which: nested.h */
    /* What such a file holds, part by part; the bytes stay the caller's. NULL: it is one table. */
    scree_status (*list)(scree__bytes *bytes, const scree_read_options *options, scree_part_fn visit, void *context,
                         scree_error *error);
} scree__reader;

typedef struct scree__writer {
    const char *name;
    const char *const *extensions;
    scree_status (*open)(scree_sink **out, const char *path, const scree_write_options *options, scree_error *error);
    const char *text; /* one line for help */
} scree__writer;

/* All of them, NULL-terminated. */
extern const scree__reader *const scree__readers[];
extern const scree__writer *const scree__writers[];

/* By format when it is not NULL, else by content, else by extension, else CSV. */
scree_status scree__reader_find(const scree__reader **out, const char *format, const char *path,
                                const unsigned char *head, int64_t size, scree_error *error);

/* By format when it is not NULL, else by extension; CSV for a name that has none. */
scree_status scree__writer_find(const scree__writer **out, const char *format, const char *path, scree_error *error);

extern const scree__reader scree__reader_csv;
extern const scree__reader scree__reader_tsv;
extern const scree__reader scree__reader_npy;
extern const scree__reader scree__reader_npz;
extern const scree__reader scree__reader_idx;
extern const scree__reader scree__reader_mtx;
extern const scree__reader scree__reader_triplets;
extern const scree__reader scree__reader_tenx; /* folders of three files */
extern const scree__reader scree__reader_arrow;
extern const scree__reader scree__reader_raw; /* f4:768: not in the table, for its name has a number in it */
bool scree__raw_names(const char *format);    /* whether the format is one of those */
extern const scree__reader scree__reader_bed;
extern const scree__reader scree__reader_hdf5;
extern const scree__reader scree__reader_sqlite;
extern const scree__reader scree__reader_mat;
extern const scree__reader scree__reader_screez; /* in src/archive: it needs more than this room has */

extern const scree__writer scree__writer_csv;
extern const scree__writer scree__writer_tsv;
extern const scree__writer scree__writer_npy;
extern const scree__writer scree__writer_npz;
extern const scree__writer scree__writer_json;
extern const scree__writer scree__writer_hdf5;
extern const scree__writer scree__writer_h5ad;
extern const scree__writer scree__writer_json_arrays;
extern const scree__writer scree__writer_arrow;
extern const scree__writer scree__writer_arrows;
extern const scree__writer scree__writer_sqlite;
extern const scree__writer scree__writer_mat;

#endif
