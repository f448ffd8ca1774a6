/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_WRITE_H
#define SCREE_MODULE_HDF5_WRITE_H

/* What is written: a dataset whose rows come bit by bit, attributes, and the two kinds of files that are made of them.
 */

#include "module/hdf5/hdf5_file.h"

/* A dataset that grows, row by row. */
typedef struct scree__hdf5_out {
    const char *file; /* for messages; set before it is made, as the next */
    int64_t expected; /* rows; -1: not known */
    hid_t id;
    hid_t type; /* in memory */
    int dims;
    int64_t rows;
    int64_t cols;
} scree__hdf5_out;

/* Makes it in a group, of that type in the file and of type_in in memory. cols 0: it has one dimension. */
scree_status scree__hdf5_out_make(scree__hdf5_out *out, hid_t group, const char *name, hid_t type, hid_t type_in,
                                  int64_t cols, scree_error *error);
/* Adds rows, which stand one after the other in memory. */
scree_status scree__hdf5_out_add(scree__hdf5_out *out, const void *data, int64_t rows, scree_error *error);
void scree__hdf5_out_close(scree__hdf5_out *out);

/* A group, and a dataset that is all there, without the time of day: the same numbers make the same bytes. */
hid_t scree__hdf5_make_group(hid_t from, const char *name);
hid_t scree__hdf5_make_dataset(hid_t group, const char *name, hid_t type, hid_t space);

/* The type of texts in UTF-8; to be closed. */
hid_t scree__hdf5_text_type(void);
/* The type in a file of elements of that type; to be closed. */
hid_t scree__hdf5_element_type(scree_type type);
/* Attributes of an object: a text, texts. False: it failed. */
bool scree__hdf5_put_text(hid_t object, const char *name, const char *text);
bool scree__hdf5_put_texts(hid_t object, const char *name, const char *const *texts, int64_t count);

scree_status scree__hdf5_fail_write(const char *file, scree_error *error);

/* Rows into a new file, and codes into a copy of an AnnData file: as scree_module_write_1. */
scree_status scree__hdf5_rows_write(scree_sink_calls *calls, const char *path, const char *name,
                                    const scree_write_options *options, scree_error *error);
scree_status scree__hdf5_codes_write(scree_sink_calls *calls, const char *path, const char *name,
                                     const scree_write_options *options, scree_error *error);

#endif
