/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the matrix of a table: a dataset, or the data, indices and indptr of sparse rows or columns, as SciPy and
 * AnnData lay them out. Lengths are held against each other before anything is believed. */

#include "module/hdf5/hdf5_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *scree__hdf5_sparse_kind(hid_t group, int64_t shape[2])
{
    char word[SCREE__HDF5_WORD];
    const bool known =
        scree__hdf5_word(group, "encoding-type", word) || scree__hdf5_word(group, "h5sparse_format", word);
    shape[0] = shape[1] = -1;
    if (!known || !scree__hdf5_has(group, "data") || !scree__hdf5_has(group, "indices") ||
        !scree__hdf5_has(group, "indptr"))
        return "";
    if (!scree__hdf5_pair(group, "shape", shape) && !scree__hdf5_pair(group, "h5sparse_shape", shape))
        return "";
    return strncmp(word, "csr", 3) == 0 ? "csr" : strncmp(word, "csc", 3) == 0 ? "csc" : "";
}

static scree_status open_part(scree__hdf5_data *data, const scree__hdf5_table *table, hid_t group, const char *name,
                              hid_t type, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t id = -1;
    char path[SCREE__HDF5_PATH + 20];
    snprintf(path, sizeof path, "%s/%s", table->part, name);
    TRY(scree__hdf5_find_dataset(&id, &table->file, group, name, error));
    if (id <= 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: is not there: the file is damaged", table->file.name, path);
    TRY(scree__hdf5_data_open(data, &table->file, id, path, type, error));
    if (!data->look.vector)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: has several dimensions, and one is expected: the file is damaged",
             table->file.name, path);
done:
    return status;
}

static scree_status check_lengths(const scree__hdf5_table *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = table->file.name, *part = table->part;
    const int64_t lines = table->by_columns ? table->cols : table->rows;
    int64_t ends[2] = {0, 0};
    if (table->rows < 1 || table->cols < 1 || table->rows >= INT32_MAX || table->cols >= INT32_MAX)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: has %" PRId64 " rows and %" PRId64 " columns: both must be from 1 to 2147483646", file, part,
             table->rows, table->cols);
    if (table->starts.look.rows != lines + 1)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: indptr has %" PRId64 " elements, and %" PRId64 " %s need %" PRId64 ": the file is damaged", file,
             part, table->starts.look.rows, lines, table->by_columns ? "columns" : "rows", lines + 1);
    TRY(scree__hdf5_data_read(&table->starts, 0, 1, &ends[0], error));
    TRY(scree__hdf5_data_read(&table->starts, lines, 1, &ends[1], error));
    if (ends[0] != 0 || ends[1] != table->entries || table->indices.look.rows < table->entries ||
        table->values.look.rows < table->entries)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: indptr goes from %" PRId64 " to %" PRId64 ", and there are %" PRId64 " values and %" PRId64
             " indices: the file is damaged",
             file, part, ends[0], ends[1], table->values.look.rows, table->indices.look.rows);
done:
    return status;
}

scree_status scree__hdf5_entries_open(scree__hdf5_table *table, hid_t group, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_look look = {0};
    hid_t id = -1;
    int64_t last = 0;
    table->sparse = true;
    TRY(scree__hdf5_find_dataset(&id, &table->file, group, "data", error));
    if (id > 0)
        scree__hdf5_look_at(&look, id);
    const bool narrow = id > 0 && look.type[0] == 'f' && look.read == SCREE_F32;
    scree__hdf5_release(id);
    TRY(open_part(&table->starts, table, group, "indptr", H5T_NATIVE_INT64, error));
    TRY(scree__hdf5_data_read(&table->starts, table->starts.look.rows - 1, 1, &last, error));
    table->entries = last;
    if (last == 0)
        FAIL(error, SCREE_ERR_VALUE, "%s: %s: all cells are 0: there is nothing to fit", table->file.name, table->part);
    TRY(open_part(&table->values, table, group, "data", narrow ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, error));
    TRY(open_part(&table->indices, table, group, "indices", H5T_NATIVE_INT32, error));
    TRY(check_lengths(table, error));
done:
    return status;
}

scree_status scree__hdf5_matrix_open(scree__hdf5_table *table, const char *part, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t object = -1;
    int64_t shape[2];
    if ((size_t)snprintf(table->part, sizeof table->part, "%s", part) >= sizeof table->part)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: %.100s...: is too long a path", table->file.name, part);
    TRY(scree__hdf5_find(&object, &table->file, -1, part, error));
    if (object <= 0)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no %.300s in it; scree ls %s lists what there is",
             table->file.name, part, table->file.name);
    if (H5Iget_type(object) == H5I_DATASET) {
        const hid_t dataset = object;
        object = -1;
        TRY(scree__hdf5_data_open(&table->values, &table->file, dataset, part, -1, error));
        table->rows = table->values.look.rows;
        table->cols = table->values.look.cols;
        goto done;
    }
    const char *kind = scree__hdf5_sparse_kind(object, shape);
    if (!*kind)
        FAIL(error, SCREE_ERR_UNSUPPORTED,
             "%s: %.300s: is a group, not a dataset or sparse rows; scree ls %s lists what can be opened",
             table->file.name, part, table->file.name);
    table->rows = shape[0];
    table->cols = shape[1];
    table->by_columns = strcmp(kind, "csc") == 0;
    TRY(scree__hdf5_entries_open(table, object, error));
done:
    scree__hdf5_release(object);
    return status;
}

scree_status scree__hdf5_table_open(scree__hdf5_table *table, const char *path, const scree_read_options *options,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    memset(table, 0, sizeof *table);
    for (int i = 0; i < SCREE__HDF5_TEXTS; i++)
        table->texts[i] = (scree__hdf5_column){.values = -1, .mask = -1};
    TRY(scree__hdf5_open(&table->file, path, options->memory, error));
    const bool anndata = scree__hdf5_is_anndata(&table->file);
    if (options->columns_from && !anndata)
        FAIL(error, SCREE_ERR_ARGUMENT,
             "%s: --columns-from names a column of var, which AnnData files have: leave it out, or choose columns with "
             "--columns",
             path);
    TRY(anndata                             ? scree__hdf5_anndata_open(table, options, error)
        : scree__hdf5_is_tenx(&table->file) ? scree__hdf5_tenx_open(table, options, error)
                                            : scree__hdf5_plain_open(table, options, error));
done:
    if (status != SCREE_OK)
        scree__hdf5_table_close(table);
    return status;
}

void scree__hdf5_table_close(scree__hdf5_table *table)
{
    scree__hdf5_data_close(&table->values);
    scree__hdf5_data_close(&table->indices);
    scree__hdf5_data_close(&table->starts);
    scree__hdf5_names_clear(&table->columns);
    for (int i = 0; i < SCREE__HDF5_TEXTS; i++)
        scree__hdf5_column_close(&table->texts[i]);
    free(table->place);
    free(table->kept);
    scree__hdf5_close(&table->file);
    memset(table, 0, sizeof *table);
}
