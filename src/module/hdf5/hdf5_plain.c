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

/* Which of the text columns is meant by an option; 0 where none is given. */
static scree_status choose_text(const scree__hdf5_table *table, const char *option, const char *name, int *which,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int i = 0; name && i < table->text_count; i++)
        if (strcmp(table->text_names[i], name) == 0)
            *which = i + 1;
    if (name && *which == 0)
        FAIL(error, SCREE_ERR_ARGUMENT,
             "%s: --%s names the column %.100s, and its rows have no such text: leave it out", table->file.name, option,
             name);
done:
    return status;
}

/* The columns of text beside the dataset, as scree writes them: the first few. */
static scree_status find_texts(scree__hdf5_table *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_names names = {0};
    hid_t group = -1;
    if (table->sparse || table->values.look.vector)
        return SCREE_OK;
    TRY(scree__hdf5_names_of_attribute(&names, &table->file, table->values.id, "texts", error));
    if (names.count > 0)
        TRY(scree__hdf5_find_group(&group, &table->file, -1, "texts", error));
    for (int64_t i = 0; group > 0 && i < names.count && i < SCREE__HDF5_TEXTS; i++) {
        scree__hdf5_column *column = &table->texts[table->text_count];
        TRY(scree__hdf5_column_open(column, &table->file, group, "texts", names.names[i], error));
        if (column->rows != table->rows)
            FAIL(error, SCREE_ERR_FORMAT,
                 "%s: %s has %" PRId64 " elements, and %s has %" PRId64 " rows: the file is damaged", table->file.name,
                 column->path, column->rows, table->part, table->rows);
        snprintf(table->text_names[table->text_count++], SCREE__HDF5_WORD, "%.250s", names.names[i]);
    }
done:
    scree__hdf5_release(group);
    scree__hdf5_names_clear(&names);
    return status;
}

scree_status scree__hdf5_plain_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    char part[SCREE__HDF5_PATH] = "";
    if (!options->dataset)
        TRY(choose(table, part, error));
    TRY(scree__hdf5_matrix_open(table, options->dataset ? options->dataset : part, error));
    if (!table->sparse && table->values.look.vector && options->row_width == table->rows && table->rows > 1) {
        table->cols = table->rows; /* one row */
        table->rows = 1;
    }
    TRY(find_names(table, error));
    TRY(find_texts(table, error));
    TRY(choose_text(table, "label", options->label, &table->text_label, error));
    TRY(choose_text(table, "id", options->id, &table->text_id, error));
    snprintf(table->note, sizeof table->note, "HDF5, %.120s, %s", table->part,
             table->sparse ? "sparse" : table->values.look.stored);
done:
    return status;
}
