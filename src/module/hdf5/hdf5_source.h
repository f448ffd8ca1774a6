/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_SOURCE_H
#define SCREE_MODULE_HDF5_SOURCE_H

/* Rows of a table, block by block, as scree_source_calls hands them in. */

#include "module/hdf5/hdf5_table.h"

typedef struct scree__hdf5_source {
    scree__hdf5_table table;
    int64_t at;    /* rows lent; of data by columns, columns */
    int64_t first; /* dense: rows in the buffer begin here */
    int64_t end;   /* and end before */
    char *buffer;  /* dense: rows; sparse: values */
    int64_t room;  /* bytes of it */
    int32_t *indices;
    int64_t entry_room;
    int64_t *starts; /* of the rows that are lent, from 0 */
    int64_t start_room;
    const char **texts;
    int64_t text_room;
    scree__hdf5_arena arena;
    const char *names[SCREE__HDF5_TEXTS];
} scree__hdf5_source;

scree_status scree__hdf5_dense_next(scree__hdf5_source *source, int64_t max_rows, scree_block *block,
                                    scree_error *error);
scree_status scree__hdf5_sparse_next(scree__hdf5_source *source, int64_t max_rows, scree_block *block,
                                     scree_error *error);
/* Texts of rows; *texts is lent until the next call. */
scree_status scree__hdf5_source_texts(scree__hdf5_source *source, int64_t first, int64_t count,
                                      const char *const **texts, scree_error *error);
void scree__hdf5_source_free(scree__hdf5_source *source);

#endif
