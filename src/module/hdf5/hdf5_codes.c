/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes into a copy of an AnnData file, under the names that scanpy's pca gives them: obsm/X_pca, a row for each cell;
 * varm/PCs, a row for each gene, 0 where the model does not have it; uns/pca with variance and variance_ratio. What had
 * these names is replaced, and nothing else is touched. Codes of unit variance are obsm/X_pca_whitened, those of models
 * that are not PCA obsm/X_scree, without the others. Genes are found by their names; those of a model of raw/X go to
 * raw/varm. */

#include "module/hdf5/hdf5_table.h"
#include "module/hdf5/hdf5_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct codes_sink {
    scree__hdf5 file;
    char *path;
    scree_type type;
    const scree_model_view *model; /* lent; NULL: no PCA */
    char key[40];
    int64_t cells;
    scree__hdf5_out codes;
} codes_sink;

/* ---- parts as anndata marks them ---- */

static bool mark(hid_t object, const char *type, const char *version)
{
    return scree__hdf5_put_text(object, "encoding-type", type) &&
           scree__hdf5_put_text(object, "encoding-version", version);
}

static void forget(hid_t group, const char *name)
{
    if (H5Lexists(group, name, H5P_DEFAULT) > 0)
        H5Ldelete(group, name, H5P_DEFAULT);
}

/* The group of that name, which is made where there is none. */
static scree_status open_dict(hid_t *out, const codes_sink *sink, hid_t from, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    TRY(scree__hdf5_find_group(out, &sink->file, from, name, error));
    if (*out > 0)
        goto done;
    *out = scree__hdf5_make_group(from > 0 ? from : sink->file.id, name);
    if (*out < 0 || !mark(*out, "dict", "0.1.0"))
        TRY(scree__hdf5_fail_write(sink->file.name, error));
done:
    return status;
}

static scree_status put_numbers(const codes_sink *sink, hid_t group, const char *name, const double *data, int64_t rows,
                                int64_t cols, scree_error *error)
{
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)cols};
    const hid_t space = H5Screate_simple(cols > 0 ? 2 : 1, size, NULL);
    forget(group, name);
    const hid_t id = scree__hdf5_make_dataset(group, name, H5T_IEEE_F64LE, space);
    const bool done = id > 0 && H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
                      mark(id, "array", "0.2.0");
    scree__hdf5_release(id);
    H5Sclose(space);
    return done ? SCREE_OK : scree__hdf5_fail_write(sink->file.name, error);
}

/* ---- genes ---- */

typedef struct gene {
    const char *name;
    int64_t at;
} gene;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const gene *)a)->name, ((const gene *)b)->name);
}

/* The names of the genes of var or raw/var; none: *names stays empty. */
static scree_status read_genes(scree__hdf5_names *names, const codes_sink *sink, const char *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    char word[SCREE__HDF5_WORD];
    scree__hdf5_column column = {.values = -1, .mask = -1};
    hid_t var = -1;
    int64_t renamed = 0;
    *names = (scree__hdf5_names){.arena.limit = sink->file.limit};
    TRY(scree__hdf5_find_group(&var, &sink->file, -1, table, error));
    if (var <= 0)
        goto done;
    TRY(scree__hdf5_index_open(&column, &sink->file, var, table, word, error));
    if (column.values <= 0)
        goto done;
    TRY(scree__hdf5_within(&sink->file, column.rows, 40, table, "a list of names", error));
    names->names = scree__hdf5_alloc(column.rows, sizeof *names->names);
    if (!names->names)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->file.name);
    names->count = column.rows;
    TRY(scree__hdf5_column_read(&column, 0, column.rows, &names->arena, names->names, 1, error));
    TRY(scree__hdf5_names_number(names, sink->file.name, &renamed, error)); /* as columns are called that are read */
done:
    scree__hdf5_column_close(&column);
    scree__hdf5_release(var);
    return status;
}

/* Where each column of the model is among the genes; false: one of them is not. */
static bool place_genes(int64_t *place, const scree_model_view *model, const scree__hdf5_names *names)
{
    gene *sorted = model->columns ? scree__hdf5_alloc(names->count, sizeof *sorted) : NULL;
    bool all = names->count > 0 && (sorted || (!model->columns && model->d == names->count));
    for (int64_t i = 0; sorted && i < names->count; i++)
        sorted[i] = (gene){names->names[i], i};
    if (sorted)
        qsort(sorted, (size_t)names->count, sizeof *sorted, by_name);
    for (int64_t j = 0; all && j < model->d; j++) {
        const gene wanted = {sorted ? model->columns[j] : NULL, 0};
        const gene *found = sorted ? bsearch(&wanted, sorted, (size_t)names->count, sizeof *sorted, by_name) : NULL;
        all = !sorted || found;
        place[j] = found ? found->at : j;
    }
    free(sorted);
    return all;
}

/* varm/PCs, or raw/varm/PCs. */
static scree_status put_loadings(const codes_sink *sink, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *model = sink->model;
    static const char *const tables[] = {"var", "raw/var"}, *const groups[] = {"varm", "raw/varm"};
    int64_t *place = scree__hdf5_alloc(model->d, sizeof *place);
    scree__hdf5_names names = {0};
    double *loadings = NULL;
    hid_t varm = -1;
    int which = 0;
    if (!place)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->file.name);
    for (which = 0; which < 2; which++) {
        TRY(read_genes(&names, sink, tables[which], error));
        if (place_genes(place, model, &names))
            break;
        scree__hdf5_names_clear(&names);
    }
    if (which == 2)
        FAIL(error, SCREE_ERR_SHAPE,
             "%s: the columns of the model are not all among its genes, so that varm/PCs cannot be written: write the "
             "codes to another file, such as codes.csv",
             sink->file.name);
    loadings = scree__hdf5_alloc(names.count * model->m, sizeof *loadings);
    if (!loadings)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->file.name);
    for (int64_t j = 0; j < model->d; j++)
        for (int64_t i = 0; i < model->m; i++)
            loadings[place[j] * model->m + i] = model->components[i * model->d + j];
    TRY(open_dict(&varm, sink, -1, groups[which], error));
    TRY(put_numbers(sink, varm, "PCs", loadings, names.count, model->m, error));
done:
    scree__hdf5_release(varm);
    scree__hdf5_names_clear(&names);
    free(loadings);
    free(place);
    return status;
}

/* uns/pca/params, as scanpy has it: whether columns were centred. */
static scree_status put_params(const codes_sink *sink, hid_t pca, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int8_t centred = !sink->model->uncentred;
    const hid_t type = scree__hdf5_element_type(SCREE_BOOL);
    const hid_t space = H5Screate(H5S_SCALAR);
    hid_t params = -1, id = -1;
    TRY(open_dict(&params, sink, pca, "params", error));
    id = scree__hdf5_make_dataset(params, "zero_center", type, space);
    if (id < 0 || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &centred) < 0 ||
        !mark(id, "numeric-scalar", "0.2.0"))
        TRY(scree__hdf5_fail_write(sink->file.name, error));
done:
    scree__hdf5_release(id);
    scree__hdf5_release(params);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

static scree_status put_variances(const codes_sink *sink, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *model = sink->model;
    double *ratio = scree__hdf5_alloc(model->m, sizeof *ratio);
    hid_t uns = -1, pca = -1;
    if (!ratio)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->file.name);
    for (int64_t i = 0; i < model->m; i++)
        ratio[i] = model->eigenvalues[i] / model->total_variance;
    TRY(open_dict(&uns, sink, -1, "uns", error));
    forget(sink->file.id, "uns/pca");
    TRY(open_dict(&pca, sink, -1, "uns/pca", error));
    TRY(put_numbers(sink, pca, "variance", model->eigenvalues, model->m, 0, error));
    TRY(put_numbers(sink, pca, "variance_ratio", ratio, model->m, 0, error));
    TRY(put_params(sink, pca, error));
done:
    scree__hdf5_release(pca);
    scree__hdf5_release(uns);
    free(ratio);
    return status;
}

/* ---- the sink ---- */

static scree_status open_file(codes_sink *sink, scree_error *error)
{
    scree_status status = SCREE_OK;
    char word[SCREE__HDF5_WORD];
    char reason[SCREE__HDF5_REASON];
    scree__hdf5_column index = {.values = -1, .mask = -1};
    hid_t obs = -1;
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(how, false, true); /* the temporary file is locked by the library */
    H5Pset_fclose_degree(how, H5F_CLOSE_STRONG);
    sink->file.id = H5Fopen(sink->path, H5F_ACC_RDWR, how);
    if (sink->file.id < 0 || !scree__hdf5_is_anndata(&sink->file))
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: codes go into a copy of DATA, which has to be an AnnData file (.h5ad) for that, and is not (%s): "
             "write another format, such as .csv or .h5",
             sink->file.name, sink->file.id < 0 ? scree__hdf5_reason(reason) : "it is HDF5 of another kind");
    TRY(scree__hdf5_find_group(&obs, &sink->file, -1, "obs", error));
    if (obs > 0)
        TRY(scree__hdf5_index_open(&index, &sink->file, obs, "obs", word, error));
    if (index.values <= 0)
        FAIL(error, SCREE_ERR_UNSUPPORTED,
             "%s: obs has no names of cells as anndata 0.7 and later write them: read the "
             "file with anndata and write it again",
             sink->file.name);
    sink->cells = index.rows;
done:
    scree__hdf5_column_close(&index);
    scree__hdf5_release(obs);
    H5Pclose(how);
    return status;
}

static scree_status begin_codes(codes_sink *sink, int64_t cols, const char *const *columns, scree_error *error)
{
    scree_status status = SCREE_OK;
    hid_t obsm = -1;
    const hid_t type = scree__hdf5_element_type(sink->type);
    if (sink->type != SCREE_F32 && sink->type != SCREE_F64)
        FAIL(error, SCREE_ERR_ARGUMENT, "%s: codes in an AnnData file are f4 or f8; give one as --type",
             sink->file.name);
    TRY(open_file(sink, error));
    const bool whitened = columns && columns[0][0] == 'w';
    const scree_model_view *model = sink->model;
    if (model &&
        (model->m != cols || !model->components || !model->eigenvalues || strcmp(model->code_prefix, "pc") != 0))
        sink->model = NULL;
    snprintf(sink->key, sizeof sink->key, "%s", !sink->model ? "X_scree" : whitened ? "X_pca_whitened" : "X_pca");
    TRY(open_dict(&obsm, sink, -1, "obsm", error));
    forget(obsm, sink->key);
    sink->codes = (scree__hdf5_out){.file = sink->file.name, .expected = sink->cells};
    TRY(scree__hdf5_out_make(&sink->codes, obsm, sink->key, type, H5T_NATIVE_DOUBLE, cols, error));
    if (!mark(sink->codes.id, "array", "0.2.0"))
        TRY(scree__hdf5_fail_write(sink->file.name, error));
done:
    scree__hdf5_release(type);
    scree__hdf5_release(obsm);
    return status;
}

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    (void)rows, (void)text_names, (void)text_count;
    scree__hdf5_lock();
    const scree_status status = begin_codes(context, cols, columns, error);
    scree__hdf5_unlock();
    return status;
}

static scree_status add(void *context, const scree_block *rows, scree_error *error)
{
    codes_sink *sink = context;
    scree__hdf5_lock();
    const scree_status status = scree__hdf5_out_add(&sink->codes, rows->data, rows->rows, error);
    scree__hdf5_unlock();
    return status;
}

static scree_status finish_codes(codes_sink *sink, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (sink->codes.rows != sink->cells)
        FAIL(error, SCREE_ERR_SHAPE,
             "%s: has %" PRId64 " cells, and there are codes of %" PRId64
             " rows: project all of its cells, or write another format",
             sink->file.name, sink->cells, sink->codes.rows);
    if (sink->model)
        TRY(put_loadings(sink, error));
    if (sink->model)
        TRY(put_variances(sink, error));
    scree__hdf5_out_close(&sink->codes);
    const hid_t file = sink->file.id;
    sink->file.id = -1;
    if (H5Fclose(file) < 0)
        TRY(scree__hdf5_fail_write(sink->file.name, error));
done:
    return status;
}

static scree_status finish(void *context, scree_error *error)
{
    scree__hdf5_lock();
    const scree_status status = finish_codes(context, error);
    scree__hdf5_unlock();
    return status;
}

static void release(void *context)
{
    codes_sink *sink = context;
    scree__hdf5_lock();
    scree__hdf5_out_close(&sink->codes);
    scree__hdf5_close(&sink->file);
    scree__hdf5_unlock();
    free(sink->path);
    free(sink);
}

scree_status scree__hdf5_codes_write(scree_sink_calls *calls, const char *path, const char *name,
                                     const scree_write_options *options, scree_error *error)
{
    codes_sink *sink = scree__hdf5_alloc(1, sizeof *sink);
    if (sink) {
        *sink = (codes_sink){.file = {.id = -1, .name = scree__hdf5_copy(name), .limit = INT64_MAX / 4},
                             .path = scree__hdf5_copy(path),
                             .type = options->type,
                             .model = options->model};
        if (sink->path && sink->file.name) {
            calls->context = sink;
            calls->begin = begin;
            calls->write = add;
            calls->finish = finish;
            calls->release = release;
            return SCREE_OK;
        }
        release(sink);
    }
    return scree__hdf5_fail(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
}
