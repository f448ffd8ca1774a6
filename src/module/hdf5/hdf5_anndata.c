/* SPDX-License-Identifier: BSD-3-Clause */
/* AnnData: X, layers/NAME, raw/X or obsm/NAME; the names of the cells by obs, those of the columns by var; a label from
 * obs, and a choice of columns from var. Versions differ in how they mark their parts: 0.7 and later by encoding-type,
 * before by h5sparse_format, and the file itself not at all; so it is known by its groups, too. */

#include "module/hdf5/hdf5_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scree__hdf5_is_anndata(const scree__hdf5 *file)
{
    char word[SCREE__HDF5_WORD];
    const hid_t root = H5Oopen(file->id, "/", H5P_DEFAULT);
    const bool is = (scree__hdf5_word(root, "encoding-type", word) && strcmp(word, "anndata") == 0) ||
                    (scree__hdf5_has(root, "obs") && scree__hdf5_has(root, "var") &&
                     (scree__hdf5_has(root, "X") || scree__hdf5_has(root, "layers") || scree__hdf5_has(root, "obsm")));
    scree__hdf5_release(root);
    return is;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The table that names the columns of a part; NULL: none does. */
static const char *columns_table(const char *part)
{
    if (begins(part, "raw/"))
        return "raw/var";
    return strcmp(part, "X") == 0 || begins(part, "layers/") ? "var" : NULL;
}

static bool is_of_cells(const char *part)
{
    return columns_table(part) || begins(part, "obsm/");
}

static scree_status find_table(hid_t *out, const scree__hdf5_table *table, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t dataset = -1;
    TRY(scree__hdf5_find_group(out, &table->file, -1, name, error));
    if (*out <= 0)
        TRY(scree__hdf5_find_dataset(&dataset, &table->file, -1, name, error));
    if (dataset > 0)
        FAIL(error, SCREE_ERR_UNSUPPORTED,
             "%s: %s: is a table as anndata before 0.7 wrote it: read the file with anndata and write it again",
             table->file.name, name);
    if (*out <= 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: is not there: the file is damaged, or not AnnData", table->file.name,
             name);
done:
    scree__hdf5_release(dataset);
    return status;
}

static scree_status check_rows(const scree__hdf5_table *table, const scree__hdf5_column *column, int64_t rows,
                               const char *what, scree_error *error)
{
    if (column->rows == rows)
        return SCREE_OK;
    return scree__hdf5_fail(error, SCREE_ERR_FORMAT,
                            "%s: %s has %" PRId64 " elements, and %s has %" PRId64 " %s: the file is damaged",
                            table->file.name, column->path, column->rows, table->part, rows, what);
}

/* Names of the columns, and those to be kept. */
static scree_status open_columns(scree__hdf5_table *table, const char *name, const char *wanted, int64_t *renamed,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    char word[SCREE__HDF5_WORD];
    scree__hdf5_column column = {.values = -1, .mask = -1};
    hid_t var = -1;
    int64_t count = 0;
    TRY(find_table(&var, table, name, error));
    TRY(scree__hdf5_index_open(&column, &table->file, var, name, word, error));
    if (column.values > 0) {
        TRY(check_rows(table, &column, table->cols, "columns", error));
        table->columns = (scree__hdf5_names){.count = table->cols, .arena.limit = table->file.limit};
        TRY(scree__hdf5_within(&table->file, table->cols, 40, column.path, "a list of names", error));
        table->columns.names = scree__hdf5_alloc(table->cols, sizeof *table->columns.names);
        if (!table->columns.names)
            FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", table->file.name);
        TRY(scree__hdf5_column_read(&column, 0, table->cols, &table->columns.arena, table->columns.names, 1, error));
        TRY(scree__hdf5_names_number(&table->columns, table->file.name, renamed, error));
    }
    if (!wanted)
        goto done;
    scree__hdf5_column_close(&column);
    TRY(scree__hdf5_column_open(&column, &table->file, var, name, begins(wanted, "var/") ? wanted + 4 : wanted, error));
    table->kept = scree__hdf5_alloc(table->cols, 1);
    if (!table->kept)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", table->file.name);
    TRY(scree__hdf5_column_truth(&column, table->kept, table->cols, error));
    for (int64_t j = 0; j < table->cols; j++)
        count += table->kept[j];
    if (count == 0)
        FAIL(error, SCREE_ERR_VALUE, "%s: %s: is true of no column: name another", table->file.name, column.path);
done:
    scree__hdf5_column_close(&column);
    scree__hdf5_release(var);
    return status;
}

static scree_status add_texts(scree__hdf5_table *table, hid_t obs, const char *name, int *which, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_column *column = &table->texts[table->text_count];
    if (begins(name, "obs/"))
        name += 4;
    for (int i = 0; i < table->text_count; i++)
        if (strcmp(name, table->text_names[i]) == 0) {
            *which = i + 1;
            goto done;
        }
    TRY(scree__hdf5_column_open(column, &table->file, obs, "obs", name, error));
    TRY(check_rows(table, column, table->rows, "rows", error));
    snprintf(table->text_names[table->text_count], SCREE__HDF5_WORD, "%.250s", name);
    *which = ++table->text_count;
done:
    return status;
}

/* The names of the cells, or another column that was asked for as id; and a label. */
static scree_status open_texts(scree__hdf5_table *table, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    char word[SCREE__HDF5_WORD];
    hid_t obs = -1;
    TRY(find_table(&obs, table, "obs", error));
    if (options->id) {
        TRY(add_texts(table, obs, options->id, &table->text_id, error));
    } else {
        TRY(scree__hdf5_index_open(&table->texts[0], &table->file, obs, "obs", word, error));
        if (table->texts[0].values > 0) {
            TRY(check_rows(table, &table->texts[0], table->rows, "rows", error));
            const bool plain = strcmp(word, "_index") == 0 || strcmp(word, "index") == 0;
            snprintf(table->text_names[0], SCREE__HDF5_WORD, "%s", plain ? "cell" : word);
            table->text_count = table->text_id = 1;
        }
    }
    if (options->label)
        TRY(add_texts(table, obs, options->label, &table->text_label, error));
done:
    scree__hdf5_release(obs);
    return status;
}

/* Whether scanpy's log1p has been at X; what a layer or raw has is not known. */
static bool is_logged(const scree__hdf5_table *table, hid_t root)
{
    bool logged = false;
    hid_t uns = -1;
    scree_error none = SCREE_ERROR_INIT;
    if (strcmp(table->part, "X") == 0 && scree__hdf5_has(root, "uns") &&
        scree__hdf5_find_group(&uns, &table->file, -1, "uns", &none) == SCREE_OK && uns > 0)
        logged = scree__hdf5_has(uns, "log1p");
    scree__hdf5_release(uns);
    return logged;
}

static void make_note(scree__hdf5_table *table, int64_t renamed, bool logged)
{
    int64_t count = 0;
    for (int64_t j = 0; table->kept && j < table->cols; j++)
        count += table->kept[j];
    size_t used = (size_t)snprintf(table->note, sizeof table->note, "AnnData, %.150s%s", table->part,
                                   table->sparse ? table->by_columns ? ", sparse by columns" : ", sparse" : "");
    if (table->kept && used < sizeof table->note)
        used += (size_t)snprintf(table->note + used, sizeof table->note - used, ", %" PRId64 " of %" PRId64 " columns",
                                 count, table->cols);
    if (renamed > 0 && used < sizeof table->note)
        used += (size_t)snprintf(table->note + used, sizeof table->note - used,
                                 ", %" PRId64 " repeated name%s numbered", renamed, renamed == 1 ? "" : "s");
    if (logged && used < sizeof table->note)
        snprintf(table->note + used, sizeof table->note - used,
                 "; uns/log1p says that these are logarithms already, which --normalize and --log1p are not for");
}

scree_status scree__hdf5_anndata_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *part = options->dataset ? options->dataset + strspn(options->dataset, "/") : "X";
    hid_t root = H5Oopen(table->file.id, "/", H5P_DEFAULT);
    int64_t renamed = 0;
    if (strcmp(part, "raw") == 0)
        part = "raw/X";
    if (!options->dataset && !scree__hdf5_has(root, "X"))
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: has no X: name a layer, as in %s:layers/counts; scree ls %s lists them",
             table->file.name, table->file.name, table->file.name);
    TRY(scree__hdf5_matrix_open(table, part, error));
    const char *var = columns_table(part);
    if (options->columns_from && !var)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: --columns-from is for X, layers and raw/X, and %s has no table of columns",
             table->file.name, part);
    if (var)
        TRY(open_columns(table, var, options->columns_from, &renamed, error));
    if (is_of_cells(part))
        TRY(open_texts(table, options, error));
    else if (options->label || options->id)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: %s: its rows are not cells: leave out --label and --id", table->file.name,
             part);
    make_note(table, renamed, is_logged(table, root));
done:
    scree__hdf5_release(root);
    return status;
}
