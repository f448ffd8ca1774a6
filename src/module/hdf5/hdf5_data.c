/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a dataset, by blocks. libhdf5 keeps the chunks that a block ends in, so that they are decompressed once: the
 * cache has room for all chunks that lie beside each other, where the limit of memory allows it. */

#include "module/hdf5/hdf5_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BYTES = 4 << 20, SLOTS = 12421 };

/* The type in memory of what is read as it is stored, in the order of this machine. */
static hid_t memory_type(const scree__hdf5_look *look)
{
    switch (look->read) {
    case SCREE_F32:
        return H5T_NATIVE_FLOAT;
    case SCREE_F64:
        return H5T_NATIVE_DOUBLE;
    case SCREE_U8:
        return H5T_NATIVE_UINT8;
    case SCREE_I8:
        return H5T_NATIVE_INT8;
    case SCREE_I16:
        return H5T_NATIVE_INT16;
    case SCREE_U16:
        return H5T_NATIVE_UINT16;
    case SCREE_I32:
        return H5T_NATIVE_INT32;
    case SCREE_U32:
        return H5T_NATIVE_UINT32;
    case SCREE_I64:
        return H5T_NATIVE_INT64;
    default:
        return H5T_NATIVE_UINT64;
    }
}

static int64_t across(const scree__hdf5_look *look)
{
    return look->chunk_cols > 0 ? (look->cols + look->chunk_cols - 1) / look->chunk_cols : 1;
}

/* Opens it once more, with a cache for its chunks. */
static void reopen(scree__hdf5_data *data)
{
    const scree__hdf5_look *look = &data->look;
    int64_t wanted = 0;
    char name[1024];
    if (look->chunk_bytes == 0 || H5Iget_name(data->id, name, sizeof name) <= 0 || strlen(name) + 1 >= sizeof name)
        return;
    if (__builtin_mul_overflow(look->chunk_bytes, across(look) + 1, &wanted) || wanted > data->file->limit / 4)
        wanted = look->chunk_bytes;
    if (wanted <= 1 << 20)
        return;
    const hid_t how = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(how, SLOTS, (size_t)wanted, 1.0);
    const hid_t again = H5Dopen2(data->file->id, name, how);
    if (again > 0) {
        H5Dclose(data->id);
        data->id = again;
    }
    H5Pclose(how);
}

scree_status scree__hdf5_data_open(scree__hdf5_data *data, const scree__hdf5 *file, hid_t dataset, const char *path,
                                   hid_t wanted, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_look *look = &data->look;
    *data = (scree__hdf5_data){.file = file, .id = dataset, .path = scree__hdf5_copy(path)};
    if (!data->path)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->name);
    scree__hdf5_look_at(&data->look, dataset);
    if (look->closed[0])
        FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %s %s: %s", file->name, path, look->closed, look->advice);
    data->type = H5Tcopy(wanted > 0 ? wanted : memory_type(look));
    data->size = (int64_t)H5Tget_size(data->type);
    TRY(scree__hdf5_within(file, look->chunk_bytes, 1, path, "a chunk", error));
    TRY(scree__hdf5_within(file, look->cols, data->size, path, "a row", error));
    reopen(data);
done:
    if (status != SCREE_OK)
        scree__hdf5_data_close(data);
    return status;
}

int64_t scree__hdf5_data_step(const scree__hdf5_data *data)
{
    const scree__hdf5_look *look = &data->look;
    const int64_t row = look->cols * data->size;
    const int64_t most = data->file->limit / 4 / row > 1 ? data->file->limit / 4 / row : 1;
    int64_t step = STEP_BYTES / row > 1 ? STEP_BYTES / row : 1;
    if (look->chunk_rows > 0)
        step = (step + look->chunk_rows - 1) / look->chunk_rows * look->chunk_rows;
    if (step > most)
        step = look->chunk_rows > 0 && most >= look->chunk_rows ? most / look->chunk_rows * look->chunk_rows : most;
    return step < look->rows ? step : look->rows;
}

/* An enumeration has no conversion to other types: it is read as what it is, and its integers converted then. */
static hid_t reading_type(const scree__hdf5_data *data)
{
    const hid_t stored = H5Dget_type(data->id);
    const hid_t native =
        stored > 0 && H5Tget_class(stored) == H5T_ENUM ? H5Tget_native_type(stored, H5T_DIR_ASCEND) : -1;
    scree__hdf5_release(stored);
    return native > 0 ? native : H5Tcopy(data->type);
}

/* In place, as there is room for the larger type. */
static bool convert(const scree__hdf5_data *data, hid_t type, int64_t count, void *values)
{
    if (H5Tget_class(type) != H5T_ENUM)
        return true;
    const hid_t whole = H5Tget_super(type);
    const bool done = whole > 0 && H5Tconvert(whole, data->type, (size_t)count, values, NULL, H5P_DEFAULT) >= 0;
    scree__hdf5_release(whole);
    return done;
}

scree_status scree__hdf5_data_read(const scree__hdf5_data *data, int64_t first, int64_t count, void *to,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    char reason[SCREE__HDF5_REASON];
    const hsize_t start[2] = {(hsize_t)first, 0};
    const hsize_t size[2] = {(hsize_t)count, (hsize_t)data->look.cols};
    const hid_t from = H5Dget_space(data->id);
    const hid_t into = H5Screate_simple(data->look.dims, size, NULL);
    const hid_t type = reading_type(data);
    if (H5Tget_size(type) > (size_t)data->size)
        FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %s: is an enumeration, and cannot be read as numbers here",
             data->file->name, data->path);
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, size, NULL) < 0 ||
        H5Dread(data->id, type, into, from, H5P_DEFAULT, to) < 0 || !convert(data, type, count * data->look.cols, to))
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: rows %" PRId64 " to %" PRId64 " cannot be read (%s): the file is damaged or incomplete",
             data->file->name, data->path, first + 1, first + count, scree__hdf5_reason(reason));
done:
    scree__hdf5_release(from);
    scree__hdf5_release(into);
    scree__hdf5_release(type);
    return status;
}

void scree__hdf5_data_close(scree__hdf5_data *data)
{
    scree__hdf5_release(data->id);
    scree__hdf5_release(data->type);
    free(data->path);
    *data = (scree__hdf5_data){0};
}
