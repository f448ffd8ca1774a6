/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets that grow and attributes, as both kinds of output have them. */

#include "module/hdf5/hdf5_write.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 1 << 18, MOST_CHUNK_ROWS = 1 << 15 };

scree_status scree__hdf5_fail_write(const char *file, scree_error *error)
{
    char reason[SCREE__HDF5_REASON];
    return scree__hdf5_fail(error, SCREE_ERR_IO, "%s: writing failed (%s): write to another place", file,
                            scree__hdf5_reason(reason));
}

hid_t scree__hdf5_text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* IEEE 754 of 16 bits: sign, 5 bits of exponent, 10 of fraction. */
static hid_t half_type(void)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

/* As h5py has them. */
static hid_t truth_type(void)
{
    const hid_t type = H5Tenum_create(H5T_STD_I8LE);
    const int8_t no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

hid_t scree__hdf5_element_type(scree_type type)
{
    switch (type) {
    case SCREE_F32:
        return H5Tcopy(H5T_IEEE_F32LE);
    case SCREE_F64:
        return H5Tcopy(H5T_IEEE_F64LE);
    case SCREE_U8:
        return H5Tcopy(H5T_STD_U8LE);
    case SCREE_I8:
        return H5Tcopy(H5T_STD_I8LE);
    case SCREE_I16:
        return H5Tcopy(H5T_STD_I16LE);
    case SCREE_U16:
        return H5Tcopy(H5T_STD_U16LE);
    case SCREE_I32:
        return H5Tcopy(H5T_STD_I32LE);
    case SCREE_U32:
        return H5Tcopy(H5T_STD_U32LE);
    case SCREE_I64:
        return H5Tcopy(H5T_STD_I64LE);
    case SCREE_U64:
        return H5Tcopy(H5T_STD_U64LE);
    case SCREE_F16:
        return half_type();
    case SCREE_BOOL:
        return truth_type();
    }
    return -1;
}

/* Some 256 KiB, and no more than there will be. */
static int64_t chunk_rows(const scree__hdf5_out *out, int64_t row_bytes)
{
    int64_t rows = CHUNK_BYTES / row_bytes > 1 ? CHUNK_BYTES / row_bytes : 1;
    if (out->expected > 0 && rows > out->expected)
        rows = out->expected;
    return rows < MOST_CHUNK_ROWS ? rows : MOST_CHUNK_ROWS;
}

hid_t scree__hdf5_make_group(hid_t from, const char *name)
{
    const hid_t plan = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(plan, false);
    const hid_t id = H5Gcreate2(from, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    return id;
}

hid_t scree__hdf5_make_dataset(hid_t group, const char *name, hid_t type, hid_t space)
{
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    const hid_t id = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    return id;
}

scree_status scree__hdf5_out_make(scree__hdf5_out *out, hid_t group, const char *name, hid_t type, hid_t type_in,
                                  int64_t cols, scree_error *error)
{
    const int dims = cols > 0 ? 2 : 1;
    const hsize_t size[2] = {0, (hsize_t)cols};
    const hsize_t most[2] = {H5S_UNLIMITED, (hsize_t)cols};
    const hsize_t chunk[2] = {(hsize_t)chunk_rows(out, (cols > 0 ? cols : 1) * (int64_t)H5Tget_size(type)),
                              (hsize_t)cols};
    const hid_t space = H5Screate_simple(dims, size, most);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, dims, chunk);
    H5Pset_obj_track_times(plan, false);
    out->dims = dims;
    out->cols = cols;
    out->rows = 0;
    out->type = H5Tcopy(type_in);
    out->id = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    H5Sclose(space);
    return out->id > 0 ? SCREE_OK : scree__hdf5_fail_write(out->file, error);
}

scree_status scree__hdf5_out_add(scree__hdf5_out *out, const void *data, int64_t rows, scree_error *error)
{
    const hsize_t start[2] = {(hsize_t)out->rows, 0};
    const hsize_t count[2] = {(hsize_t)rows, (hsize_t)out->cols};
    const hsize_t grown[2] = {(hsize_t)(out->rows + rows), (hsize_t)out->cols};
    bool done = H5Dset_extent(out->id, grown) >= 0;
    const hid_t to = H5Dget_space(out->id);
    const hid_t from = H5Screate_simple(out->dims, count, NULL);
    done = done && H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
           H5Dwrite(out->id, out->type, from, to, H5P_DEFAULT, data) >= 0;
    H5Sclose(from);
    scree__hdf5_release(to);
    out->rows += rows;
    return done ? SCREE_OK : scree__hdf5_fail_write(out->file, error);
}

void scree__hdf5_out_close(scree__hdf5_out *out)
{
    scree__hdf5_release(out->id);
    scree__hdf5_release(out->type);
    *out = (scree__hdf5_out){0};
}

static bool put(hid_t object, const char *name, hid_t type, hid_t space, const void *data)
{
    if (H5Aexists(object, name) > 0)
        H5Adelete(object, name);
    const hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = id > 0 && H5Awrite(id, type, data) >= 0;
    scree__hdf5_release(id);
    H5Sclose(space);
    return done;
}

bool scree__hdf5_put_text(hid_t object, const char *name, const char *text)
{
    const hid_t type = scree__hdf5_text_type();
    const bool done = put(object, name, type, H5Screate(H5S_SCALAR), &text);
    H5Tclose(type);
    return done;
}

bool scree__hdf5_put_texts(hid_t object, const char *name, const char *const *texts, int64_t count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t type = scree__hdf5_text_type();
    const bool done = put(object, name, type, H5Screate_simple(1, &size, NULL), texts);
    H5Tclose(type);
    return done;
}
