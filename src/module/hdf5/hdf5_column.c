/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the tables of AnnData, in the encodings of its versions: a dataset of numbers or texts; a group of codes
 * and categories (categorical), or, before 0.7, a dataset of codes whose categories are in the group __categories
 * beside it; a group of values and a mask (nullable). */

#include "module/hdf5/hdf5_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t length_of(hid_t dataset)
{
    scree__hdf5_look look;
    if (dataset <= 0)
        return -1;
    scree__hdf5_look_at(&look, dataset);
    return look.dims == 1 ? look.rows : -1;
}

typedef struct listing {
    char text[400];
    int64_t count;
} listing;

static herr_t add_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    listing *list = context;
    const size_t used = strlen(list->text);
    (void)group, (void)info;
    if (name[0] == '_')
        return 0;
    if (list->count++ < 20)
        snprintf(list->text + used, sizeof list->text - used, "%s%.60s", used ? ", " : "", name);
    return 0;
}

static scree_status fail_missing(const scree__hdf5 *file, hid_t table, const char *table_path, const char *name,
                                 scree_error *error)
{
    listing list = {.count = 0};
    H5Literate(table, H5_INDEX_NAME, H5_ITER_INC, NULL, add_name, &list);
    return scree__hdf5_fail(error, SCREE_ERR_ARGUMENT, "%s: %s has no column '%.100s': it has %s%s", file->name,
                            table_path, name, list.count ? list.text : "none", list.count > 20 ? ", ..." : "");
}

/* Categories of codes that are a dataset: as versions before 0.8 have them. */
static scree_status find_old_categories(scree__hdf5_column *column, hid_t table, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[1100];
    hid_t categories = -1;
    snprintf(path, sizeof path, "__categories/%.1000s", name);
    if (H5Aexists(column->values, "categories") > 0 && scree__hdf5_has(table, "__categories"))
        TRY(scree__hdf5_find_dataset(&categories, column->file, table, path, error));
    if (categories > 0) {
        TRY(scree__hdf5_names_read(&column->categories, column->file, categories, path, error));
        column->coded = true;
    }
done:
    scree__hdf5_release(categories);
    return status;
}

static scree_status open_group(scree__hdf5_column *column, hid_t group, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t categories = -1;
    TRY(scree__hdf5_find_dataset(&column->values, column->file, group, "codes", error));
    if (column->values > 0) {
        TRY(scree__hdf5_find_dataset(&categories, column->file, group, "categories", error));
        if (categories <= 0)
            FAIL(error, SCREE_ERR_FORMAT, "%s: %s: has codes and no categories: the file is damaged",
                 column->file->name, column->path);
        TRY(scree__hdf5_names_read(&column->categories, column->file, categories, column->path, error));
        column->coded = true;
        goto done;
    }
    TRY(scree__hdf5_find_dataset(&column->values, column->file, group, "values", error));
    TRY(scree__hdf5_find_dataset(&column->mask, column->file, group, "mask", error));
    if (column->values <= 0 || column->mask <= 0)
        FAIL(error, SCREE_ERR_UNSUPPORTED,
             "%s: %s: is neither numbers, texts, categories nor values with a mask: name another column",
             column->file->name, column->path);
    if (length_of(column->values) != length_of(column->mask))
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: has another number of values than of places in its mask: the file is "
             "damaged",
             column->file->name, column->path);
done:
    scree__hdf5_release(categories);
    return status;
}

scree_status scree__hdf5_column_open(scree__hdf5_column *column, const scree__hdf5 *file, hid_t table,
                                     const char *table_path, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    char path[1200];
    hid_t object = -1;
    snprintf(path, sizeof path, "%s/%.1000s", table_path, name);
    *column = (scree__hdf5_column){.file = file, .path = scree__hdf5_copy(path), .values = -1, .mask = -1};
    if (!column->path)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->name);
    if (!strchr(name, '/'))
        TRY(scree__hdf5_find(&object, file, table, name, error));
    if (object <= 0)
        TRY(fail_missing(file, table, table_path, name, error));
    if (H5Iget_type(object) == H5I_DATASET) {
        column->values = object;
        object = -1;
        TRY(find_old_categories(column, table, name, error));
    } else {
        TRY(open_group(column, object, error));
    }
    column->rows = length_of(column->values);
    if (column->rows < 0)
        FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %s: is not a column of one value a row: name another", file->name,
             path);
done:
    scree__hdf5_release(object);
    if (status != SCREE_OK)
        scree__hdf5_column_close(column);
    return status;
}

scree_status scree__hdf5_index_open(scree__hdf5_column *column, const scree__hdf5 *file, hid_t table,
                                    const char *table_path, char word[SCREE__HDF5_WORD], scree_error *error)
{
    *column = (scree__hdf5_column){.values = -1, .mask = -1};
    if (!scree__hdf5_word(table, "_index", word))
        snprintf(word, SCREE__HDF5_WORD, "%s", scree__hdf5_has(table, "index") ? "index" : "_index");
    return scree__hdf5_has(table, word) ? scree__hdf5_column_open(column, file, table, table_path, word, error)
                                        : SCREE_OK;
}

static scree_status read_codes(const scree__hdf5_column *column, int64_t first, int64_t count, const char **out,
                               int64_t stride, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_data data = {0};
    int64_t *codes = scree__hdf5_alloc(count, sizeof *codes);
    if (!codes)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", column->file->name);
    H5Iinc_ref(column->values);
    TRY(scree__hdf5_data_open(&data, column->file, column->values, column->path, H5T_NATIVE_INT64, error));
    TRY(scree__hdf5_data_read(&data, first, count, codes, error));
    for (int64_t i = 0; i < count; i++) {
        if (codes[i] < -1 || codes[i] >= column->categories.count)
            FAIL(error, SCREE_ERR_FORMAT,
                 "%s: %s: row %" PRId64 " has the code %" PRId64 ", and there are %" PRId64
                 " categories: the file is damaged",
                 column->file->name, column->path, first + i + 1, codes[i], column->categories.count);
        out[i * stride] = codes[i] < 0 ? "" : column->categories.names[codes[i]];
    }
done:
    scree__hdf5_data_close(&data);
    free(codes);
    return status;
}

/* Booleans, or whole numbers. */
static scree_status read_mask(const scree__hdf5 *file, hid_t dataset, const char *path, int64_t first, int64_t count,
                              uint8_t *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_data data = {0};
    H5Iinc_ref(dataset);
    TRY(scree__hdf5_data_open(&data, file, dataset, path, -1, error));
    if (data.size != 1 || data.look.dims != 1)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: is not a column of true and false: the file is damaged", file->name,
             path);
    TRY(scree__hdf5_data_read(&data, first, count, out, error));
done:
    scree__hdf5_data_close(&data);
    return status;
}

scree_status scree__hdf5_column_read(const scree__hdf5_column *column, int64_t first, int64_t count,
                                     scree__hdf5_arena *arena, const char **out, int64_t stride, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint8_t *mask = NULL;
    if (column->coded)
        return read_codes(column, first, count, out, stride, error);
    TRY(scree__hdf5_texts_read(column->file, column->values, column->path, first, count, arena, out, stride, error));
    if (column->mask <= 0)
        goto done;
    mask = scree__hdf5_alloc(count, 1);
    if (!mask)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", column->file->name);
    TRY(read_mask(column->file, column->mask, column->path, first, count, mask, error));
    for (int64_t i = 0; i < count; i++)
        if (mask[i])
            out[i * stride] = "";
done:
    free(mask);
    return status;
}

scree_status scree__hdf5_column_truth(const scree__hdf5_column *column, uint8_t *out, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_arena arena = {.limit = column->file->limit};
    const char **texts = scree__hdf5_alloc(rows, sizeof *texts);
    if (!texts)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", column->file->name);
    if (column->rows != rows)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: has %" PRId64 " values, and there are %" PRId64 " columns",
             column->file->name, column->path, column->rows, rows);
    TRY(scree__hdf5_column_read(column, 0, rows, &arena, texts, 1, error));
    for (int64_t i = 0; i < rows; i++) {
        char *end = NULL;
        const double number = strtod(texts[i], &end);
        const bool yes = strcmp(texts[i], "True") == 0 || (*texts[i] && !*end && number != 0);
        if (!yes && strcmp(texts[i], "False") != 0 && *end)
            FAIL(error, SCREE_ERR_VALUE, "%s: %s: '%.60s' is neither true, false nor a number: name another column",
                 column->file->name, column->path, texts[i]);
        out[i] = yes;
    }
done:
    scree__hdf5_arena_clear(&arena);
    free(texts);
    return status;
}

void scree__hdf5_column_close(scree__hdf5_column *column)
{
    scree__hdf5_release(column->values);
    scree__hdf5_release(column->mask);
    scree__hdf5_names_clear(&column->categories);
    free(column->path);
    *column = (scree__hdf5_column){.values = -1, .mask = -1};
}
