/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_TABLE_H
#define SCREE_MODULE_HDF5_TABLE_H

/* What is opened of a file: rows of numbers, dense or sparse, with the names of columns and the texts of rows that the
 * file's convention gives them. Three conventions: AnnData, 10x, and none. */

#include "module/hdf5/hdf5_text.h"

enum { SCREE__HDF5_PATH = 1200, SCREE__HDF5_TEXTS = 8 };

typedef struct scree__hdf5_table {
    scree__hdf5 file;
    char part[SCREE__HDF5_PATH]; /* of the matrix */
    bool sparse;
    bool by_columns; /* sparse, and columns are what is stored one after the other */
    int64_t rows;
    int64_t cols;
    scree__hdf5_data values;  /* or of the entries */
    scree__hdf5_data indices; /* sparse, as the next */
    scree__hdf5_data starts;
    int64_t entries;
    scree__hdf5_names columns; /* cols of them, or none */
    int64_t *place;            /* file_cols: where each column of the file goes, or -1; NULL: all are taken */
    int64_t file_cols;
    scree__hdf5_column texts[SCREE__HDF5_TEXTS];
    char text_names[SCREE__HDF5_TEXTS][SCREE__HDF5_WORD];
    int text_count;
    int text_label; /* which of them is the label, from 1; 0: none */
    int text_id;
    uint8_t *kept; /* cols; NULL: all are kept */
    char note[300];
} scree__hdf5_table;

/* Opens what the options say, or what the file means where they say nothing. */
scree_status scree__hdf5_table_open(scree__hdf5_table *table, const char *path, const scree_read_options *options,
                                    scree_error *error);
void scree__hdf5_table_close(scree__hdf5_table *table);

/* A matrix at a path: a dataset, or a group of sparse data. with_shape: of sparse data, else its attribute says it. */
scree_status scree__hdf5_matrix_open(scree__hdf5_table *table, const char *part, scree_error *error);
/* Sparse data of the group, whose shape is known. */
scree_status scree__hdf5_entries_open(scree__hdf5_table *table, hid_t group, scree_error *error);
/* "csr", "csc", or "" where a group is not sparse data. shape: what it says of itself. */
const char *scree__hdf5_sparse_kind(hid_t group, int64_t shape[2]);

/* The conventions: whether the file follows one, and what is opened of it. */
bool scree__hdf5_is_anndata(const scree__hdf5 *file);
scree_status scree__hdf5_anndata_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error);
/* From the second of equal names on, -1, -2, ... are added, less those that are names already; how many were. */
scree_status scree__hdf5_names_number(scree__hdf5_names *names, const char *file, int64_t *renamed, scree_error *error);
bool scree__hdf5_is_tenx(const scree__hdf5 *file);
scree_status scree__hdf5_tenx_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error);
scree_status scree__hdf5_plain_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error);

/* What a file holds: visited in the order of their names. */
scree_status scree__hdf5_list(const scree__hdf5 *file, scree_part_fn visit, void *context, scree_error *error);

#endif
