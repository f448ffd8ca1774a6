/* SPDX-License-Identifier: BSD-3-Clause */
/* What a dataset is: its shape, the type of its elements, how they are stored, and whether they can be read. Refused
 * are elements that are no numbers, numbers that lie in other files (external storage, virtual datasets), and filters
 * that nobody here knows. */

#include "module/hdf5/hdf5_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 8 };

static void refuse(scree__hdf5_look *look, const char *reason, const char *advice)
{
    if (look->closed[0])
        return;
    snprintf(look->closed, sizeof look->closed, "%s", reason);
    snprintf(look->advice, sizeof look->advice, "%s", advice);
}

static scree_type integer_type(size_t size, bool is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? SCREE_I8 : SCREE_U8;
    case 2:
        return is_signed ? SCREE_I16 : SCREE_U16;
    case 3:
    case 4:
        return is_signed ? SCREE_I32 : SCREE_U32;
    default:
        return is_signed ? SCREE_I64 : SCREE_U64;
    }
}

static void look_at_integer(scree__hdf5_look *look, hid_t type, size_t size)
{
    const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
    look->numeric = true;
    look->read = integer_type(size, is_signed);
    snprintf(look->type, sizeof look->type, "%c%zu", is_signed ? 'i' : 'u', size);
    if (size > 8)
        refuse(look, "has integers of more than 64 bits", "write it as f8");
}

static void look_at_float(scree__hdf5_look *look, size_t size)
{
    look->numeric = true;
    look->read = size <= 4 ? SCREE_F32 : SCREE_F64;
    snprintf(look->type, sizeof look->type, "f%zu", size);
    if (size > 8)
        refuse(look, "has floating-point numbers of more than 64 bits", "write it as f8");
}

static void look_at_enum(scree__hdf5_look *look, hid_t type)
{
    const hid_t of = H5Tget_super(type);
    const size_t size = of > 0 ? H5Tget_size(of) : 0;
    if (of > 0 && H5Tget_class(of) == H5T_INTEGER)
        look_at_integer(look, of, size);
    if (size == 1 && H5Tget_nmembers(type) == 2)
        snprintf(look->type, sizeof look->type, "b1");
    scree__hdf5_release(of);
}

static void look_at_type(scree__hdf5_look *look, hid_t type)
{
    static const struct {
        H5T_class_t class;
        const char *name;
        const char *reason;
    } others[] = {
        {H5T_STRING, "text", "is text, not numbers"},
        {H5T_COMPOUND, "record", "has records of several fields (compound)"},
        {H5T_REFERENCE, "reference", "has references, not numbers"},
        {H5T_OPAQUE, "opaque", "has bytes of an unknown meaning (opaque)"},
        {H5T_VLEN, "list", "has lists of varying length"},
        {H5T_ARRAY, "array", "has an array in each element"},
        {H5T_BITFIELD, "bits", "has bit fields"},
        {H5T_TIME, "time", "has times, not numbers"},
    };
    const size_t size = H5Tget_size(type);
    const H5T_class_t class = H5Tget_class(type);
    snprintf(look->type, sizeof look->type, "?");
    if (class == H5T_INTEGER)
        look_at_integer(look, type, size);
    if (class == H5T_FLOAT)
        look_at_float(look, size);
    if (class == H5T_ENUM)
        look_at_enum(look, type);
    look->text = class == H5T_STRING;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (class == others[i].class) {
            snprintf(look->type, sizeof look->type, "%s", others[i].name);
            refuse(look, others[i].reason, "give a dataset of numbers");
        }
    if (!look->numeric)
        refuse(look, "has elements of an unknown type", "give a dataset of numbers");
}

static void look_at_shape(scree__hdf5_look *look, hid_t dataset)
{
    hsize_t size[H5S_MAX_RANK] = {0};
    char reason[80];
    const hid_t space = H5Dget_space(dataset);
    look->dims = space > 0 ? H5Sget_simple_extent_ndims(space) : 0;
    if (look->dims < 1 || H5Sget_simple_extent_dims(space, size, NULL) < 1) {
        look->dims = 0;
        refuse(look, "is a single value or empty", "give a dataset of rows");
    }
    scree__hdf5_release(space);
    look->rows = look->dims > 0 ? (int64_t)size[0] : 0;
    look->cols = look->dims > 1 ? (int64_t)size[1] : look->dims;
    look->vector = look->dims == 1;
    if (look->dims > 2) {
        snprintf(reason, sizeof reason, "has %d dimensions, and rows of numbers have two", look->dims);
        refuse(look, reason, "write it with two, such as x.reshape(len(x), -1)");
    }
    if (look->dims > 0 && (look->rows == 0 || look->cols == 0))
        refuse(look, "has no elements", "give one that has some");
    if (look->rows < 0 || look->cols < 0)
        refuse(look, "has an impossible shape", "write it again");
}

static void add(scree__hdf5_look *look, const char *text)
{
    const size_t used = strlen(look->stored);
    snprintf(look->stored + used, sizeof look->stored - used, "%s%s", used ? ", " : "", text);
}

static void look_at_filters(scree__hdf5_look *look, hid_t plan)
{
    const int filters = H5Pget_nfilters(plan);
    for (int i = 0; i < filters; i++) {
        char name[40] = "";
        char reason[160];
        unsigned flags = 0;
        unsigned does = 0;
        unsigned values[MOST_VALUES] = {0};
        size_t count = MOST_VALUES;
        const H5Z_filter_t filter = H5Pget_filter2(plan, (unsigned)i, &flags, &count, values, sizeof name, name, &does);
        name[sizeof name - 1] = '\0';
        add(look, name[0] ? name : filter == 1 ? "deflate" : "filter");
        if (filter < 0 || H5Zfilter_avail(filter) <= 0) {
            snprintf(reason, sizeof reason, "is compressed by the filter %d%s%s, which libhdf5 does not know here",
                     (int)filter, name[0] ? ", " : "", name);
            refuse(look, reason, "install its plug-in, or use h5repack -f GZIP=4");
        }
    }
}

/* Chunks that were never written are read as zeros: what announces far more than its bytes could decompress to is not
 * believed. The best that deflate does is 1032 to 1. */
static void look_at_size(scree__hdf5_look *look, hid_t dataset, int64_t size)
{
    const double most = 1100.0 * (double)H5Dget_storage_size(dataset) + ((int64_t)1 << 30);
    if (look->dims > 0 && (double)look->rows * (double)look->cols * (double)size > most)
        refuse(look, "announces far more elements than the file can hold", "write it again, as large as it is");
}

static void look_at_storage(scree__hdf5_look *look, hid_t dataset, hid_t type)
{
    hsize_t chunk[H5S_MAX_RANK] = {0};
    char text[80];
    const hid_t plan = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = plan > 0 ? H5Pget_layout(plan) : H5D_LAYOUT_ERROR;
    if (layout == H5D_VIRTUAL)
        refuse(look, "is a virtual dataset, whose numbers are elsewhere",
               "read it with h5py, and write it as a dataset of its own");
    else if (plan > 0 && H5Pget_external_count(plan) > 0)
        refuse(look, "has its numbers in another file (external storage)",
               "read it with h5py, and write it as a dataset of its own");
    else if (layout == H5D_CHUNKED && look->dims > 0 && H5Pget_chunk(plan, H5S_MAX_RANK, chunk) == look->dims) {
        look->chunk_rows = (int64_t)chunk[0];
        look->chunk_cols = look->dims > 1 ? (int64_t)chunk[1] : 1;
        if (__builtin_mul_overflow(look->chunk_rows, look->chunk_cols, &look->chunk_bytes) ||
            __builtin_mul_overflow(look->chunk_bytes, (int64_t)H5Tget_size(type), &look->chunk_bytes))
            look->chunk_bytes = INT64_MAX;
        snprintf(text, sizeof text, look->dims > 1 ? "chunks of %" PRId64 " x %" PRId64 : "chunks of %" PRId64,
                 look->chunk_rows, look->chunk_cols);
        add(look, text);
        look_at_filters(look, plan);
        look_at_size(look, dataset, (int64_t)H5Tget_size(type));
    } else if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) {
        refuse(look, "is stored in a way that is not known", "write it again");
    }
    if (layout == H5D_CONTIGUOUS)
        look_at_size(look, dataset, (int64_t)H5Tget_size(type));
    scree__hdf5_release(plan);
}

void scree__hdf5_look_at(scree__hdf5_look *look, hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset);
    memset(look, 0, sizeof *look);
    look_at_type(look, type);
    look_at_shape(look, dataset);
    look_at_storage(look, dataset, type);
    if (type > 0 && H5Tget_class(type) != H5T_STRING && H5Tget_order(type) == H5T_ORDER_BE)
        add(look, "big-endian");
    if (!look->stored[0])
        add(look, "contiguous");
    scree__hdf5_release(type);
}
