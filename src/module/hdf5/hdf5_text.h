/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_TEXT_H
#define SCREE_MODULE_HDF5_TEXT_H

/* Texts of a file: names of columns, all at once, and columns of a table, some rows at a time. */

#include "module/hdf5/hdf5_data.h"

/* Memory for texts, freed as a whole; no more than its limit. Zeroed: empty, and of no limit. */
typedef struct scree__hdf5_arena {
    struct scree__hdf5_piece *last;
    int64_t taken;
    int64_t limit;
} scree__hdf5_arena;

void *scree__hdf5_arena_take(scree__hdf5_arena *arena, size_t size); /* NULL: no memory, or beyond the limit */
void scree__hdf5_arena_clear(scree__hdf5_arena *arena);

/* A dataset of one dimension as texts: texts as they are, numbers as they are printed, booleans as True and False.
 * Elements first .. first+count-1 go to out[0], out[stride], ... */
scree_status scree__hdf5_texts_read(const scree__hdf5 *file, hid_t dataset, const char *path, int64_t first,
                                    int64_t count, scree__hdf5_arena *arena, const char **out, int64_t stride,
                                    scree_error *error);

/* All of a dataset of texts. */
typedef struct scree__hdf5_names {
    const char **names;
    int64_t count;
    scree__hdf5_arena arena;
} scree__hdf5_names;

scree_status scree__hdf5_names_read(scree__hdf5_names *names, const scree__hdf5 *file, hid_t dataset, const char *path,
                                    scree_error *error);
/* The same of an attribute that is a list of texts; none: *names stays empty. */
scree_status scree__hdf5_names_of_attribute(scree__hdf5_names *names, const scree__hdf5 *file, hid_t object,
                                            const char *attribute, scree_error *error);
void scree__hdf5_names_clear(scree__hdf5_names *names);

/* A column of a table of AnnData (obs, var): a dataset; codes and categories; or values and a mask. */
typedef struct scree__hdf5_column {
    const scree__hdf5 *file;
    char *path;   /* for messages */
    hid_t values; /* or codes */
    hid_t mask;   /* where it is true, a value is missing */
    bool coded;
    int64_t rows;
    scree__hdf5_names categories;
} scree__hdf5_column;

/* The column of that name in a table. There is none: ERR_ARGUMENT, with the names of those that are there. */
scree_status scree__hdf5_column_open(scree__hdf5_column *column, const scree__hdf5 *file, hid_t table,
                                     const char *table_path, const char *name, scree_error *error);
/* Its index: the names of the rows; *out stays empty where there is none. Its name goes to word. */
scree_status scree__hdf5_index_open(scree__hdf5_column *column, const scree__hdf5 *file, hid_t table,
                                    const char *table_path, char word[SCREE__HDF5_WORD], scree_error *error);
/* Rows first .. first+count-1 as texts; a value that is missing is empty. */
scree_status scree__hdf5_column_read(const scree__hdf5_column *column, int64_t first, int64_t count,
                                     scree__hdf5_arena *arena, const char **out, int64_t stride, scree_error *error);
/* All rows: 1 where the value is true, or not 0. */
scree_status scree__hdf5_column_truth(const scree__hdf5_column *column, uint8_t *out, int64_t rows, scree_error *error);
void scree__hdf5_column_close(scree__hdf5_column *column);

#endif
