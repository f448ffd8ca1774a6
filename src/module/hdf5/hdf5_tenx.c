/* SPDX-License-Identifier: BSD-3-Clause */
/* The .h5 files of 10x: a matrix of genes by cells, stored cell by cell, so that cells are the rows. Of the third
 * generation it is the group matrix, with features; of the second a group named after the genome, with genes and
 * gene_names, and there may be several. Names of genes that occur several times get -1, -2, ... from the second on, as
 * scanpy's var_names_make_unique gives them. Of several types of features, gene expression alone is taken, as by
 * scanpy's gex_only, unless another type is named. */

#include "module/hdf5/hdf5_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char genes_type[] = "Gene Expression";

typedef struct genomes {
    char first[SCREE__HDF5_WORD];
    char all[400];
    int count;
} genomes;

static bool is_genome(hid_t group)
{
    return scree__hdf5_has(group, "genes") && scree__hdf5_has(group, "gene_names") &&
           scree__hdf5_has(group, "barcodes") && scree__hdf5_has(group, "data") && scree__hdf5_has(group, "indptr");
}

static herr_t add_genome(hid_t root, const char *name, const H5L_info_t *info, void *context)
{
    genomes *all = context;
    const hid_t group = info->type == H5L_TYPE_HARD ? H5Oopen(root, name, H5P_DEFAULT) : -1;
    if (group > 0 && H5Iget_type(group) == H5I_GROUP && is_genome(group) && strlen(name) < SCREE__HDF5_WORD) {
        const size_t used = strlen(all->all);
        if (all->count++ == 0)
            snprintf(all->first, sizeof all->first, "%s", name);
        snprintf(all->all + used, sizeof all->all - used, "%s%.100s", used ? ", " : "", name);
    }
    scree__hdf5_release(group);
    return 0;
}

static bool is_third(hid_t root)
{
    const hid_t matrix = scree__hdf5_has(root, "matrix") ? H5Oopen(root, "matrix", H5P_DEFAULT) : -1;
    const bool is = matrix > 0 && H5Iget_type(matrix) == H5I_GROUP && scree__hdf5_has(matrix, "features") &&
                    scree__hdf5_has(matrix, "barcodes") && scree__hdf5_has(matrix, "indptr");
    scree__hdf5_release(matrix);
    return is;
}

static void find_genomes(genomes *all, hid_t root)
{
    *all = (genomes){.count = 0};
    H5Literate(root, H5_INDEX_NAME, H5_ITER_INC, NULL, add_genome, all);
}

bool scree__hdf5_is_tenx(const scree__hdf5 *file)
{
    genomes all;
    const hid_t root = H5Oopen(file->id, "/", H5P_DEFAULT);
    H5L_info_t info;
    const bool linked = H5Lget_info(root, "matrix", &info, H5P_DEFAULT) >= 0 && info.type != H5L_TYPE_HARD;
    find_genomes(&all, root);
    const bool is = all.count > 0 || (!linked && is_third(root));
    scree__hdf5_release(root);
    return is;
}

/* ---- names of genes ---- */

typedef struct place {
    const char *name;
    int64_t at;
} place;

static int by_name(const void *a, const void *b)
{
    const place *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : one->at < other->at ? -1 : one->at > other->at;
}

static bool is_taken(const place *sorted, int64_t count, const char *name)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const int order = strcmp(sorted[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

scree_status scree__hdf5_names_number(scree__hdf5_names *names, const char *file, int64_t *renamed, scree_error *error)
{
    scree_status status = SCREE_OK;
    place *sorted = scree__hdf5_alloc(names->count, sizeof *sorted);
    if (!sorted)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file);
    for (int64_t i = 0; i < names->count; i++)
        sorted[i] = (place){names->names[i], i};
    qsort(sorted, (size_t)names->count, sizeof *sorted, by_name);
    int64_t next = 1;
    for (int64_t i = 1; i < names->count; i++) {
        const char *name = sorted[i].name;
        if (strcmp(name, sorted[i - 1].name) != 0) {
            next = 1;
            continue;
        }
        const size_t size = strlen(name) + 24;
        char *made = scree__hdf5_arena_take(&names->arena, size);
        if (!made)
            FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file);
        do
            snprintf(made, size, "%s-%" PRId64, name, next++);
        while (is_taken(sorted, names->count, made));
        names->names[sorted[i].at] = made;
        ++*renamed;
    }
done:
    free(sorted);
    return status;
}

static scree_status read_names(scree__hdf5_names *names, const scree__hdf5_table *table, hid_t group, const char *path,
                               bool needed, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t id = -1;
    TRY(scree__hdf5_find_dataset(&id, &table->file, group, path, error));
    if (id <= 0 && needed)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s/%s: is not there: the file is damaged", table->file.name, table->part,
             path);
    if (id > 0)
        TRY(scree__hdf5_names_read(names, &table->file, id, path, error));
    if (id > 0 && names->count != table->file_cols)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s/%s: has %" PRId64 " elements, and there are %" PRId64 " features: the file is damaged",
             table->file.name, table->part, path, names->count, table->file_cols);
done:
    scree__hdf5_release(id);
    return status;
}

/* Of features of several types, those of the one that is wanted: gene expression, where none is named. */
static scree_status choose_genes(scree__hdf5_table *table, const scree__hdf5_names *types, const char *wanted,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t kept = 0;
    const char *type = wanted ? wanted : genes_type;
    for (int64_t j = 0; j < types->count; j++)
        kept += strcmp(types->names[j], type) == 0;
    if (kept == 0 && wanted)
        FAIL(error, SCREE_ERR_ARGUMENT,
             "%s: there is neither a part nor a type of features '%.100s' in it; the first feature is of the type "
             "'%.100s'",
             table->file.name, wanted, types->count > 0 ? types->names[0] : "");
    if (kept == 0 || kept == types->count)
        goto done;
    table->place = scree__hdf5_alloc(table->file_cols, sizeof *table->place);
    if (!table->place)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", table->file.name);
    table->cols = 0;
    for (int64_t j = 0; j < types->count; j++) {
        const bool gene = strcmp(types->names[j], type) == 0;
        table->place[j] = gene ? table->cols : -1;
        if (gene)
            table->columns.names[table->cols++] = table->columns.names[j];
    }
    table->columns.count = table->cols;
done:
    return status;
}

static scree_status open_genes(scree__hdf5_table *table, hid_t group, bool third, const char *wanted,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_names types = {0};
    int64_t renamed = 0;
    table->file_cols = table->cols;
    TRY(read_names(&table->columns, table, group, third ? "features/name" : "gene_names", true, error));
    if (third) {
        TRY(read_names(&types, table, group, "features/feature_type", false, error));
        TRY(choose_genes(table, &types, wanted, error));
    }
    TRY(scree__hdf5_names_number(&table->columns, table->file.name, &renamed, error));
    const int used = snprintf(table->note, sizeof table->note, "10x, %.100s", table->part);
    int more = 0;
    if (table->place)
        more = snprintf(table->note + used, sizeof table->note - (size_t)used,
                        ", %.60s alone, %" PRId64 " of %" PRId64 " features", wanted ? wanted : genes_type, table->cols,
                        table->file_cols);
    if (renamed > 0)
        snprintf(table->note + used + more, sizeof table->note - (size_t)(used + more),
                 ", %" PRId64 " repeated name%s numbered", renamed, renamed == 1 ? "" : "s");
done:
    scree__hdf5_names_clear(&types);
    return status;
}

/* ---- opening ---- */

/* *type becomes the type of features that wanted is, where it is the name of nothing in the file. */
static scree_status choose_genome(scree__hdf5_table *table, const char *wanted, bool *third, const char **type,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    genomes all;
    hid_t root = H5Oopen(table->file.id, "/", H5P_DEFAULT);
    *third = is_third(root);
    find_genomes(&all, root);
    if (!wanted && !*third && all.count > 1)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: has %d genomes, %s: name one, as in %s:%s", table->file.name, all.count,
             all.all, table->file.name, all.first);
    if (wanted)
        wanted += strspn(wanted, "/");
    *type = *third && wanted && !strchr(wanted, '/') && !scree__hdf5_has(root, wanted) ? wanted : NULL;
    *third = *third && (!wanted || *type || strcmp(wanted, "matrix") == 0);
    snprintf(table->part, sizeof table->part, "%s", *third ? "matrix" : wanted ? wanted : all.first);
done:
    scree__hdf5_release(root);
    return status;
}

/* A feature is a row of the file, and a cell a column; shape says so, in this order. */
static scree_status read_shape(scree__hdf5_table *table, hid_t group, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_data data = {0};
    hid_t id = -1;
    int64_t shape[2] = {-1, -1};
    TRY(scree__hdf5_find_dataset(&id, &table->file, group, "shape", error));
    if (id <= 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s/shape: is not there: the file is damaged", table->file.name, table->part);
    TRY(scree__hdf5_data_open(&data, &table->file, id, "shape", H5T_NATIVE_INT64, error));
    if (!data.look.vector || data.look.rows != 2)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s/shape: has not two elements: the file is damaged", table->file.name,
             table->part);
    TRY(scree__hdf5_data_read(&data, 0, 2, shape, error));
    table->rows = shape[1];
    table->cols = shape[0];
done:
    scree__hdf5_data_close(&data);
    return status;
}

scree_status scree__hdf5_tenx_open(scree__hdf5_table *table, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t group = -1, barcodes = -1;
    scree__hdf5_look look;
    bool third = false;
    const char *type = NULL;
    if (options->label)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: a 10x file has no labels of its cells: leave out --label",
             table->file.name);
    if (options->id)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: the barcodes of a 10x file are the ids of its rows: leave out --id",
             table->file.name);
    TRY(choose_genome(table, options->dataset, &third, &type, error));
    TRY(scree__hdf5_find_group(&group, &table->file, -1, table->part, error));
    if (group <= 0 || !(third || is_genome(group))) {
        TRY(scree__hdf5_plain_open(table, options, error)); /* something else in it */
        goto done;
    }
    TRY(read_shape(table, group, error));
    TRY(scree__hdf5_entries_open(table, group, error));
    TRY(open_genes(table, group, third, type, error));
    TRY(scree__hdf5_find_dataset(&barcodes, &table->file, group, "barcodes", error));
    if (barcodes <= 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s/barcodes: is not there: the file is damaged", table->file.name,
             table->part);
    scree__hdf5_look_at(&look, barcodes);
    if (look.dims != 1 || look.rows != table->rows)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: has %" PRId64 " barcodes, and there are %" PRId64 " cells: the file is damaged", table->file.name,
             table->part, look.rows, table->rows);
    table->texts[0] = (scree__hdf5_column){
        .file = &table->file, .path = scree__hdf5_copy("barcodes"), .values = barcodes, .mask = -1, .rows = look.rows};
    barcodes = -1;
    if (!table->texts[0].path)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", table->file.name);
    snprintf(table->text_names[0], SCREE__HDF5_WORD, "barcode");
    table->text_count = table->text_id = 1;
done:
    scree__hdf5_release(barcodes);
    scree__hdf5_release(group);
    return status;
}
