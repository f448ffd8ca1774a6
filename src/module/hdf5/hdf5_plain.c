/* SPDX-License-Identifier: BSD-3-Clause */
/* A file without a convention: one dataset of numbers, by its path, or the only one of two dimensions. Names of columns
 * are those of its attribute columns, as scree writes it, or of the dataset NAME_items beside NAME_values, as pandas
 * does. */

#include "module/hdf5/hdf5_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The parts that could be meant. */
typedef struct candidates {
    char first[SCREE__HDF5_PATH];
    char all[500];
    int64_t count;
    int64_t vectors; /* of one dimension, of which none is first */
} candidates;

static scree_status consider(void *context, const scree_part *part, scree_error *error)
{
    candidates *c = context;
    const size_t used = strlen(c->all);
    (void)error;
    if (part->closed || strlen(part->path) >= sizeof c->first)
        return SCREE_OK;
    const bool vector = part->cols == 1 && part->kind && strncmp(part->kind, "vector", 6) == 0;
    if (vector) {
        c->vectors++;
        if (c->count == 0 && c->vectors == 1)
            snprintf(c->first, sizeof c->first, "%s", part->path);
        return SCREE_OK;
    }
    if (c->count++ == 0)
        snprintf(c->first, sizeof c->first, "%s", part->path);
    if (c->count <= 8)
        snprintf(c->all + used, sizeof c->all - used, "%s%.100s", used ? ", " : "", part->path);
    return SCREE_OK;
}

static scree_status choose(scree__hdf5_table *table, char part[SCREE__HDF5_PATH], scree_error *error)
{
    scree_status status = SCREE_OK;
    candidates c = {.count = 0};
    const char *file = table->file.name;
    TRY(scree__hdf5_list(&table->file, consider, &c, error));
    if (c.count > 1)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: holds %" PRId64 " datasets, %s%s: name one, as in %s:%.300s", file,
             c.count, c.all, c.count > 8 ? ", ..." : "", file, c.first);
    if (c.count == 0 && c.vectors > 1)
        FAIL(error, SCREE_ERR_ARGUMENT,
             "%s: holds %" PRId64 " datasets, each of one dimension: name one, as in %s:%.300s; scree ls %s lists them",
             file, c.vectors, file, c.first, file);
    if (c.count + c.vectors == 0)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: nothing in it is rows of numbers that can be read; scree ls %s says what there "
             "is",
             file, file);
    snprintf(part, SCREE__HDF5_PATH, "%s", c.first);
done:
    return status;
}

/* The dataset NAME_items beside NAME_values. */
static scree_status pandas_names(scree__hdf5_table *table, scree_error *error)
{
    static const char values[] = "_values", items[] = "_items";
    scree_status status = SCREE_OK;
    scree__hdf5_look look;
    char path[SCREE__HDF5_PATH];
    hid_t id = -1;
    snprintf(path, sizeof path, "%s", table->part);
    const size_t length = strlen(path);
    if (length < sizeof values || strcmp(path + length - strlen(values), values) != 0)
        return SCREE_OK;
    memcpy(path + length - strlen(values), items, sizeof items);
    TRY(scree__hdf5_find_dataset(&id, &table->file, -1, path, error));
    if (id <= 0)
        goto done;
    scree__hdf5_look_at(&look, id);
    if (look.dims == 1 && look.rows == table->cols && (look.text || look.numeric))
        TRY(scree__hdf5_names_read(&table->columns, &table->file, id, path, error));
done:
    scree__hdf5_release(id);
    return status;
}

/* Names that do not fit are no names of these columns. */
static scree_status find_names(scree__hdf5_table *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (table->sparse)
        return SCREE_OK;
    TRY(scree__hdf5_names_of_attribute(&table->columns, &table->file, table->values.id, "columns", error));
    if (table->columns.count == 0)
        TRY(pandas_names(table, error));
    if (table->columns.count != table->cols)
        scree__hdf5_names_clear(&table->columns);
done:
    return status;
}

scree_status scree__hdf5_plain_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    char part[SCREE__HDF5_PATH] = "";
    if (options->label || options->id)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: --%s names a column of text, and a dataset has none: leave it out",
             table->file.name, options->label ? "label" : "id");
    if (!options->dataset)
        TRY(choose(table, part, error));
    TRY(scree__hdf5_matrix_open(table, options->dataset ? options->dataset : part, error));
    if (!table->sparse && table->values.look.vector && options->row_width == table->rows && table->rows > 1) {
        table->cols = table->rows; /* one row */
        table->rows = 1;
    }
    TRY(find_names(table, error));
    snprintf(table->note, sizeof table->note, "HDF5, %.120s, %s", table->part,
             table->sparse ? "sparse" : table->values.look.stored);
done:
    return status;
}
