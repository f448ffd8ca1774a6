/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows into a new HDF5 file: the dataset data, rows by columns, with the names of its columns as its attribute columns;
 * and each column of text as a dataset of the group texts, in the order of the attribute texts. Values that the element
 * type cannot hold are errors: nothing is rounded to an integer or lost to infinity unseen. */

#include "module/hdf5/hdf5_write.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows_sink {
    char *path;
    char *name;
    scree_type type;
    hid_t file;
    scree__hdf5_out data;
    scree__hdf5_out *texts;
    int64_t text_count;
    const char **column; /* of one text column, for a block */
    int64_t room;
} rows_sink;

/* Smallest and largest values of the integer types, which doubles hold but for the last of 64 bits. */
static const double least[] = {
    [SCREE_U8] = 0,  [SCREE_I8] = -128,     [SCREE_I16] = -32768, [SCREE_U16] = 0, [SCREE_I32] = -2147483648.0,
    [SCREE_U32] = 0, [SCREE_I64] = -0x1p63, [SCREE_U64] = 0,      [SCREE_BOOL] = 0};
static const double most[] = {[SCREE_U8] = 255,     [SCREE_I8] = 127,           [SCREE_I16] = 32767,
                              [SCREE_U16] = 65535,  [SCREE_I32] = 2147483647.0, [SCREE_U32] = 4294967295.0,
                              [SCREE_I64] = 0x1p63, [SCREE_U64] = 0x1p64,       [SCREE_BOOL] = 1};

static bool holds(scree_type type, double value)
{
    if (type == SCREE_F64)
        return true;
    if (type == SCREE_F32)
        return !isfinite(value) || fabs(value) <= FLT_MAX;
    if (type == SCREE_F16)
        return !isfinite(value) || fabs(value) < 65520.0;
    const bool wide = type == SCREE_I64 || type == SCREE_U64;
    return value == floor(value) && value >= least[type] && (wide ? value < most[type] : value <= most[type]);
}

static scree_status check_values(const rows_sink *sink, const scree_block *rows, scree_error *error)
{
    const double *data = rows->data;
    const int64_t count = rows->rows * rows->cols;
    for (int64_t i = 0; sink->type != SCREE_F64 && i < count; i++)
        if (!holds(sink->type, data[i]))
            return scree__hdf5_fail(error, SCREE_ERR_VALUE,
                                    "%s: row %" PRId64 ", column %" PRId64
                                    ": %.17g cannot be held by this element type: write another one",
                                    sink->name, sink->data.rows + i / rows->cols + 1, i % rows->cols + 1, data[i]);
    return SCREE_OK;
}

/* A name of a dataset has no slash, and is not a point. */
static void dataset_name(char out[SCREE__HDF5_WORD], const char *name, int64_t index)
{
    snprintf(out, SCREE__HDF5_WORD, "%.200s", *name && strcmp(name, ".") != 0 ? name : "text");
    for (char *p = out; *p; p++)
        if (*p == '/')
            *p = '_';
    const size_t length = strlen(out);
    if (length != strlen(name) || strchr(name, '/'))
        snprintf(out + length, SCREE__HDF5_WORD - length, "_%" PRId64, index + 1);
}

static scree_status make_texts(rows_sink *sink, const char *const *names, scree_error *error)
{
    scree_status status = SCREE_OK;
    char(*made)[SCREE__HDF5_WORD] = scree__hdf5_alloc(sink->text_count, sizeof *made);
    const char **list = scree__hdf5_alloc(sink->text_count, sizeof *list);
    const hid_t group = scree__hdf5_make_group(sink->file, "texts");
    const hid_t type = scree__hdf5_text_type();
    sink->texts = scree__hdf5_alloc(sink->text_count, sizeof *sink->texts);
    if (!made || !list || !sink->texts)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->name);
    for (int64_t i = 0; i < sink->text_count; i++) {
        dataset_name(made[i], names[i], i);
        list[i] = made[i];
        sink->texts[i] = (scree__hdf5_out){.file = sink->name, .expected = sink->data.expected};
        TRY(scree__hdf5_out_make(&sink->texts[i], group, made[i], type, type, 0, error));
    }
    if (!scree__hdf5_put_texts(sink->data.id, "texts", list, sink->text_count))
        TRY(scree__hdf5_fail_write(sink->name, error));
done:
    H5Tclose(type);
    scree__hdf5_release(group);
    free(list);
    free(made);
    return status;
}

static scree_status begin_file(rows_sink *sink, int64_t cols, const char *const *columns, const char *const *text_names,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const hid_t type = scree__hdf5_element_type(sink->type);
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t plan = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(plan, false);   /* of the root */
    H5Pset_file_locking(how, false, true); /* the temporary file is locked by the library */
    H5Pset_fclose_degree(how, H5F_CLOSE_STRONG);
    H5Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V110); /* names of many columns are one large attribute */
    sink->file = H5Fcreate(sink->path, H5F_ACC_TRUNC, plan, how);
    if (sink->file < 0)
        TRY(scree__hdf5_fail_write(sink->name, error));
    TRY(scree__hdf5_out_make(&sink->data, sink->file, "data", type, sink->type == SCREE_BOOL ? type : H5T_NATIVE_DOUBLE,
                             cols, error));
    if (columns && !scree__hdf5_put_texts(sink->data.id, "columns", columns, cols))
        TRY(scree__hdf5_fail_write(sink->name, error));
    if (sink->text_count > 0)
        TRY(make_texts(sink, text_names, error));
done:
    H5Pclose(plan);
    H5Pclose(how);
    scree__hdf5_release(type);
    return status;
}

static scree_status begin(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error)
{
    rows_sink *sink = context;
    sink->data = (scree__hdf5_out){.file = sink->name, .expected = rows};
    sink->text_count = text_count;
    scree__hdf5_lock();
    const scree_status status = begin_file(sink, cols, columns, text_names, error);
    scree__hdf5_unlock();
    return status;
}

static scree_status add_texts(rows_sink *sink, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (rows->rows > sink->room) {
        free(sink->column);
        sink->column = scree__hdf5_alloc(rows->rows, sizeof *sink->column);
        sink->room = sink->column ? rows->rows : 0;
        if (!sink->column)
            FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->name);
    }
    for (int64_t j = 0; j < sink->text_count; j++) {
        for (int64_t i = 0; i < rows->rows; i++)
            sink->column[i] = rows->texts ? rows->texts[i * sink->text_count + j] : "";
        TRY(scree__hdf5_out_add(&sink->texts[j], sink->column, rows->rows, error));
    }
done:
    return status;
}

static scree_status add_numbers(rows_sink *sink, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = rows->rows * rows->cols;
    int8_t *truth = NULL;
    TRY(check_values(sink, rows, error));
    if (sink->type != SCREE_BOOL) {
        TRY(scree__hdf5_out_add(&sink->data, rows->data, rows->rows, error));
        goto done;
    }
    truth = scree__hdf5_alloc(count, 1);
    if (!truth)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", sink->name);
    for (int64_t i = 0; i < count; i++)
        truth[i] = ((const double *)rows->data)[i] != 0;
    TRY(scree__hdf5_out_add(&sink->data, truth, rows->rows, error));
done:
    free(truth);
    return status;
}

static scree_status add(void *context, const scree_block *rows, scree_error *error)
{
    scree__hdf5_lock();
    scree_status status = add_numbers(context, rows, error);
    if (status == SCREE_OK)
        status = add_texts(context, rows, error);
    scree__hdf5_unlock();
    return status;
}

static herr_t close_all(rows_sink *sink)
{
    const hid_t file = sink->file;
    scree__hdf5_out_close(&sink->data);
    for (int64_t j = 0; sink->texts && j < sink->text_count; j++)
        scree__hdf5_out_close(&sink->texts[j]);
    sink->file = -1;
    return file > 0 ? H5Fclose(file) : 0;
}

static scree_status finish(void *context, scree_error *error)
{
    rows_sink *sink = context;
    scree__hdf5_lock();
    const scree_status status = close_all(sink) >= 0 ? SCREE_OK : scree__hdf5_fail_write(sink->name, error);
    scree__hdf5_unlock();
    return status;
}

static void release(void *context)
{
    rows_sink *sink = context;
    scree__hdf5_lock();
    close_all(sink);
    scree__hdf5_unlock();
    free(sink->texts);
    free(sink->column);
    free(sink->path);
    free(sink->name);
    free(sink);
}

scree_status scree__hdf5_rows_write(scree_sink_calls *calls, const char *path, const char *name,
                                    const scree_write_options *options, scree_error *error)
{
    rows_sink *sink = scree__hdf5_alloc(1, sizeof *sink);
    if (sink) {
        *sink = (rows_sink){
            .file = -1, .type = options->type, .path = scree__hdf5_copy(path), .name = scree__hdf5_copy(name)};
        if (sink->path && sink->name) {
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
