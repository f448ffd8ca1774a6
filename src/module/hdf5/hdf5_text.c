/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of datasets and attributes, of fixed and of varying length. What libhdf5 allocates for those of varying length
 * comes from an arena with a limit, so that a damaged length takes no more than that, and goes with it. */

#include "module/hdf5/hdf5_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 16, STRIP = 4096, NUMBER_BYTES = 40, MOST_TEXT = 1 << 20 };

typedef struct scree__hdf5_piece {
    struct scree__hdf5_piece *before;
    size_t used;
    size_t size;
    _Alignas(16) char bytes[];
} piece;

void *scree__hdf5_arena_take(scree__hdf5_arena *arena, size_t size)
{
    const size_t wanted = (size + 15) & ~(size_t)15;
    if (size > INT32_MAX)
        return NULL;
    if (!arena->last || arena->last->size - arena->last->used < wanted) {
        const size_t room = wanted > PIECE_BYTES ? wanted : PIECE_BYTES;
        if (arena->limit > 0 && arena->taken + (int64_t)room > arena->limit)
            return NULL;
        piece *p = malloc(sizeof *p + room);
        if (!p)
            return NULL;
        *p = (piece){.before = arena->last, .size = room};
        arena->last = p;
        arena->taken += (int64_t)room;
    }
    void *out = arena->last->bytes + arena->last->used;
    arena->last->used += wanted;
    return out;
}

void scree__hdf5_arena_clear(scree__hdf5_arena *arena)
{
    while (arena->last) {
        piece *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->taken = 0;
}

static void *take(size_t size, void *arena)
{
    return scree__hdf5_arena_take(arena, size);
}

static void give(void *memory, void *arena)
{
    (void)memory, (void)arena; /* goes with the arena */
}

static const char *keep(scree__hdf5_arena *arena, const char *text, size_t length)
{
    char *copy = scree__hdf5_arena_take(arena, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- what is read at once: count elements of a dataset, or all of an attribute ---- */

typedef struct reading {
    const scree__hdf5 *file;
    const char *path;
    hid_t dataset;
    hid_t attribute; /* instead */
    hid_t space;     /* in the file, with what is read chosen */
    int64_t count;
    scree__hdf5_arena *arena;
    const char **out;
    int64_t stride;
} reading;

static herr_t read_as(const reading *r, hid_t type, void *to)
{
    herr_t done = -1;
    const hsize_t size = (hsize_t)r->count;
    if (r->attribute > 0)
        return H5Aread(r->attribute, type, to);
    const hid_t into = H5Screate_simple(1, &size, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_vlen_mem_manager(how, take, r->arena, give, r->arena);
    done = H5Dread(r->dataset, type, into, r->space, how, to);
    H5Pclose(how);
    H5Sclose(into);
    return done;
}

static scree_status fail_read(const reading *r, scree_error *error)
{
    char reason[SCREE__HDF5_REASON];
    return scree__hdf5_fail(error, SCREE_ERR_FORMAT,
                            "%s: %s: its texts cannot be read (%s): the file is damaged, or they take too much memory",
                            r->file->name, r->path, scree__hdf5_reason(reason));
}

/* Those of an attribute are allocated by libhdf5 itself, and are copied. */
static scree_status read_varying(const reading *r, hid_t stored, scree_error *error)
{
    scree_status status = SCREE_OK;
    char **texts = scree__hdf5_alloc(r->count, sizeof *texts);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(stored));
    if (!texts)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", r->file->name);
    if (read_as(r, type, texts) < 0)
        TRY(fail_read(r, error));
    for (int64_t i = 0; i < r->count; i++) {
        const char *text = texts[i] ? texts[i] : "";
        r->out[i * r->stride] = r->attribute > 0 ? keep(r->arena, text, strlen(text)) : text;
        if (!r->out[i * r->stride])
            TRY(fail_read(r, error));
    }
done:
    for (int64_t i = 0; texts && r->attribute > 0 && i < r->count; i++)
        if (texts[i])
            H5free_memory(texts[i]);
    H5Tclose(type);
    free(texts);
    return status;
}

static scree_status read_fixed(const reading *r, hid_t stored, scree_error *error)
{
    scree_status status = SCREE_OK;
    const size_t size = H5Tget_size(stored);
    char *texts = NULL;
    if (size == 0 || size > MOST_TEXT)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %s: its texts have %zu bytes each: the file is damaged", r->file->name,
             r->path, size);
    TRY(scree__hdf5_within(r->file, r->count, (int64_t)size, r->path, "its texts", error));
    texts = scree__hdf5_alloc(r->count, (int64_t)size);
    if (!texts)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", r->file->name);
    if (read_as(r, stored, texts) < 0)
        TRY(fail_read(r, error));
    for (int64_t i = 0; i < r->count; i++) {
        const char *text = texts + (size_t)i * size;
        size_t length = strnlen(text, size);
        while (H5Tget_strpad(stored) == H5T_STR_SPACEPAD && length > 0 && text[length - 1] == ' ')
            length--;
        r->out[i * r->stride] = keep(r->arena, text, length);
        if (!r->out[i * r->stride])
            TRY(fail_read(r, error));
    }
done:
    free(texts);
    return status;
}

/* The shortest of some ways to print it that reads back as the same. */
static int print_float(char text[NUMBER_BYTES], double value, bool narrow)
{
    int length = 0;
    for (int digits = 6; digits <= 17; digits++) {
        length = snprintf(text, NUMBER_BYTES, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (back == value || (narrow && (float)back == (float)value))
            break;
    }
    return length;
}

static scree_status read_numbers(const reading *r, const scree__hdf5_look *look, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool whole = look->type[0] == 'i', plain = look->type[0] == 'u', truth = look->type[0] == 'b';
    void *values = scree__hdf5_alloc(r->count, 8);
    if (!values)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", r->file->name);
    if (!truth && read_as(r, whole ? H5T_NATIVE_INT64 : plain ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE, values) < 0)
        TRY(fail_read(r, error));
    if (truth) {
        const hid_t stored = H5Dget_type(r->dataset);
        const herr_t done = read_as(r, stored, values); /* of one byte */
        scree__hdf5_release(stored);
        if (done < 0)
            TRY(fail_read(r, error));
    }
    for (int64_t i = 0; i < r->count; i++) {
        char text[NUMBER_BYTES] = "";
        const char *out = text;
        if (truth)
            out = ((const int8_t *)values)[i] ? "True" : "False";
        else if (whole)
            snprintf(text, sizeof text, "%" PRId64, ((const int64_t *)values)[i]);
        else if (plain)
            snprintf(text, sizeof text, "%" PRIu64, ((const uint64_t *)values)[i]);
        else if (((const double *)values)[i] == ((const double *)values)[i]) /* NaN is missing */
            print_float(text, ((const double *)values)[i], look->read == SCREE_F32);
        r->out[i * r->stride] = keep(r->arena, out, strlen(out));
        if (!r->out[i * r->stride])
            TRY(fail_read(r, error));
    }
done:
    free(values);
    return status;
}

scree_status scree__hdf5_texts_read(const scree__hdf5 *file, hid_t dataset, const char *path, int64_t first,
                                    int64_t count, scree__hdf5_arena *arena, const char **out, int64_t stride,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_look look;
    const hsize_t start = (hsize_t)first, size = (hsize_t)count;
    const hid_t stored = H5Dget_type(dataset);
    reading r = {file, path, dataset, -1, H5Dget_space(dataset), count, arena, out, stride};
    scree__hdf5_look_at(&look, dataset);
    if (look.dims != 1 || (look.closed[0] && !look.text))
        FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %s: %s, and is needed as a column of texts or numbers", file->name,
             path, look.closed[0] ? look.closed : "has several dimensions");
    if (first + count > look.rows)
        FAIL(error, SCREE_ERR_FORMAT,
             "%s: %s: has %" PRId64 " elements, and %" PRId64 " are needed: the file is damaged", file->name, path,
             look.rows, first + count);
    TRY(scree__hdf5_within(file, look.chunk_bytes, 1, path, "a chunk", error));
    TRY(scree__hdf5_within(file, count, 24, path, "its texts", error));
    if (count == 0)
        goto done;
    H5Sselect_hyperslab(r.space, H5S_SELECT_SET, &start, NULL, &size, NULL);
    TRY(look.text && H5Tis_variable_str(stored) > 0 ? read_varying(&r, stored, error)
        : look.text                                 ? read_fixed(&r, stored, error)
                                                    : read_numbers(&r, &look, error));
done:
    scree__hdf5_release(stored);
    scree__hdf5_release(r.space);
    return status;
}

/* ---- all of them ---- */

static scree_status names_room(scree__hdf5_names *names, const scree__hdf5 *file, int64_t count, const char *path,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    *names = (scree__hdf5_names){.count = count, .arena.limit = file->limit};
    TRY(scree__hdf5_within(file, count, 40, path, "a list of names", error));
    names->names = scree__hdf5_alloc(count, sizeof *names->names);
    if (!names->names)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->name);
done:
    return status;
}

scree_status scree__hdf5_names_read(scree__hdf5_names *names, const scree__hdf5 *file, hid_t dataset, const char *path,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_look look;
    scree__hdf5_look_at(&look, dataset);
    TRY(names_room(names, file, look.rows, path, error));
    for (int64_t at = 0; at < look.rows; at += STRIP) {
        const int64_t count = look.rows - at < STRIP ? look.rows - at : STRIP;
        TRY(scree__hdf5_texts_read(file, dataset, path, at, count, &names->arena, names->names + at, 1, error));
    }
done:
    if (status != SCREE_OK)
        scree__hdf5_names_clear(names);
    return status;
}

scree_status scree__hdf5_names_of_attribute(scree__hdf5_names *names, const scree__hdf5 *file, hid_t object,
                                            const char *attribute, scree_error *error)
{
    scree_status status = SCREE_OK;
    const hid_t id = H5Aexists(object, attribute) > 0 ? H5Aopen(object, attribute, H5P_DEFAULT) : -1;
    const hid_t type = id > 0 ? H5Aget_type(id) : -1;
    const hid_t space = id > 0 ? H5Aget_space(id) : -1;
    const int64_t count = space > 0 && H5Sget_simple_extent_ndims(space) == 1 ? H5Sget_simple_extent_npoints(space) : 0;
    *names = (scree__hdf5_names){0};
    if (type > 0 && H5Tget_class(type) == H5T_STRING && count > 0) {
        TRY(names_room(names, file, count, attribute, error));
        const reading r = {file, attribute, -1, id, -1, count, &names->arena, names->names, 1};
        TRY(H5Tis_variable_str(type) > 0 ? read_varying(&r, type, error) : read_fixed(&r, type, error));
    }
done:
    scree__hdf5_release(space);
    scree__hdf5_release(type);
    scree__hdf5_release(id);
    if (status != SCREE_OK)
        scree__hdf5_names_clear(names);
    return status;
}

void scree__hdf5_names_clear(scree__hdf5_names *names)
{
    free(names->names);
    scree__hdf5_arena_clear(&names->arena);
    *names = (scree__hdf5_names){0};
}
