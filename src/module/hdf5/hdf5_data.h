/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_DATA_H
#define SCREE_MODULE_HDF5_DATA_H

/* Datasets of numbers: what one is, whether it can be read, and its rows. */

#include "module/hdf5/hdf5_file.h"

/* What can be said of a dataset without reading it. */
typedef struct scree__hdf5_look {
    int dims;        /* 0: a single value, or nothing */
    int64_t rows;    /* of the first dimension; of one that has several, the others are cols */
    int64_t cols;    /* 1 where there is one dimension */
    char type[16];   /* as it is stored: "f4", "u2", "text" */
    scree_type read; /* as it is read */
    bool numeric;
    bool text;
    bool vector;         /* one dimension */
    int64_t chunk_rows;  /* 0: not in chunks */
    int64_t chunk_cols;  /* 0: the same */
    int64_t chunk_bytes; /* of a chunk, decompressed */
    char stored[96];     /* "chunks of 1000 x 20, deflate" */
    char closed[260];    /* why its numbers cannot be read as rows; "": they can */
    char advice[100];    /* what to do about it */
} scree__hdf5_look;

void scree__hdf5_look_at(scree__hdf5_look *look, hid_t dataset);

/* A dataset that is read. */
typedef struct scree__hdf5_data {
    const scree__hdf5 *file;
    hid_t id;
    hid_t type; /* in memory */
    char *path; /* for messages */
    scree__hdf5_look look;
    int64_t size; /* bytes of an element in memory */
} scree__hdf5_data;

/* Opens a dataset of rows of numbers to be read, or fails with why it cannot be. wanted: the type in memory, or -1 for
 * the one that look says. Takes dataset over, also when it fails. */
scree_status scree__hdf5_data_open(scree__hdf5_data *data, const scree__hdf5 *file, hid_t dataset, const char *path,
                                   hid_t wanted, scree_error *error);
/* Rows first .. first+count-1 into memory, one behind the other. */
scree_status scree__hdf5_data_read(const scree__hdf5_data *data, int64_t first, int64_t count, void *to,
                                   scree_error *error);
/* How many rows are read at a time with profit: whole chunks, some MiB. */
int64_t scree__hdf5_data_step(const scree__hdf5_data *data);
void scree__hdf5_data_close(scree__hdf5_data *data);

/* Registers the filter LZF, of which only the decoder is there. */
void scree__hdf5_know_lzf(void);

#endif
