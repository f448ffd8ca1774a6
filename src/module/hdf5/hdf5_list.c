/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file holds: datasets but for texts and single values, and sparse groups, with why those that cannot be opened
 * cannot. Groups are entered once
 * each, however many hard links lead to them, so that circles end; soft links inside of the file lead to what is listed
 * anyway, and are passed over. Depth and number have bounds. */

#include "module/hdf5/hdf5_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_OBJECTS = 100000 };

typedef struct listing {
    const scree__hdf5 *file;
    scree_part_fn visit;
    void *context;
    scree_error *error;
    scree_status status;
    bool anndata;
    bool tenx;
    char path[SCREE__HDF5_PATH];
    int depth;
    int64_t objects;
    haddr_t *seen; /* addresses of groups */
    int64_t seen_count;
    int64_t seen_room;
} listing;

static void show(listing *list, scree_part *part)
{
    part->path = list->path;
    part->meant = list->anndata && strcmp(list->path, "X") == 0;
    list->status = list->visit(list->context, part, list->error);
}

static void show_dataset(listing *list, hid_t dataset)
{
    scree__hdf5_look look;
    scree_part part = SCREE_PART_INIT;
    char kind[140];
    scree__hdf5_look_at(&look, dataset);
    if (look.text || look.dims == 0) /* names and single values go with something else */
        return;
    snprintf(kind, sizeof kind, "%s, %s", look.dims == 1 ? "vector" : "dense", look.stored);
    part.rows = look.rows;
    part.cols = look.cols;
    part.type = look.type;
    part.kind = kind;
    part.closed = look.closed[0] != '\0';
    part.note = part.closed ? look.closed : NULL;
    show(list, &part);
}

static void show_sparse(listing *list, hid_t group, const char *kind, const int64_t shape[2])
{
    scree__hdf5_look look = {.type = "?"};
    scree_part part = SCREE_PART_INIT;
    const hid_t data = H5Dopen2(group, "data", H5P_DEFAULT);
    if (data > 0)
        scree__hdf5_look_at(&look, data);
    scree__hdf5_release(data);
    part.rows = shape[0];
    part.cols = shape[1];
    part.type = look.type;
    part.kind = strcmp(kind, "csc") == 0 ? "sparse by columns (CSC)" : "sparse (CSR)";
    part.closed = data <= 0 || look.closed[0];
    part.note = part.closed ? look.closed : NULL;
    show(list, &part);
}

/* The group of a matrix of 10x. */
static bool show_tenx(listing *list, hid_t group)
{
    scree_part part = SCREE_PART_INIT;
    int64_t shape[2] = {-1, -1};
    if (!list->tenx || !scree__hdf5_has(group, "barcodes") || !scree__hdf5_has(group, "indptr") ||
        !scree__hdf5_has(group, "shape"))
        return false;
    const hid_t id = H5Dopen2(group, "shape", H5P_DEFAULT);
    scree__hdf5_look look = {.type = "?"};
    if (id > 0)
        scree__hdf5_look_at(&look, id);
    if (id > 0 && look.vector && look.rows == 2 && !look.closed[0])
        H5Dread(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, shape);
    scree__hdf5_release(id);
    part.rows = shape[1];
    part.cols = shape[0];
    part.kind = "10x, sparse (CSR)";
    part.note = "cells by genes";
    show(list, &part);
    return true;
}

/* False: the group was entered before, or there are too many. */
static bool enter(listing *list, hid_t group)
{
    H5O_info_t info;
    if (H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0)
        return false;
    for (int64_t i = 0; i < list->seen_count; i++)
        if (list->seen[i] == info.addr)
            return false;
    if (list->seen_count == list->seen_room) {
        const int64_t room = list->seen_room ? 2 * list->seen_room : 64;
        haddr_t *more = room <= MOST_OBJECTS ? realloc(list->seen, (size_t)room * sizeof *more) : NULL;
        if (!more)
            return false;
        list->seen = more;
        list->seen_room = room;
    }
    list->seen[list->seen_count++] = info.addr;
    return true;
}

static herr_t see(hid_t group, const char *name, const H5L_info_t *info, void *context);

/* Groups that hold the parts of what is one thing are not looked into. */
static bool is_closed_table(const listing *list)
{
    return list->anndata &&
           (strcmp(list->path, "obs") == 0 || strcmp(list->path, "var") == 0 || strcmp(list->path, "raw/var") == 0);
}

static void see_group(listing *list, hid_t group)
{
    int64_t shape[2];
    const char *kind = scree__hdf5_sparse_kind(group, shape);
    if (*kind)
        show_sparse(list, group, kind, shape);
    else if (!show_tenx(list, group) && !is_closed_table(list) && list->depth < MOST_DEPTH && enter(list, group)) {
        list->depth++;
        H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, see, list);
        list->depth--;
    }
}

static void see_link(listing *list)
{
    scree_part part = SCREE_PART_INIT;
    part.kind = "link";
    part.closed = true;
    part.note = "leads out of the file, and is not followed";
    show(list, &part);
}

static herr_t see(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    listing *list = context;
    const size_t before = strlen(list->path);
    const size_t length = strlen(name);
    if (++list->objects > MOST_OBJECTS || before + length + 2 > sizeof list->path)
        return 0;
    snprintf(list->path + before, sizeof list->path - before, "%s%s", before ? "/" : "", name);
    if (info->type == H5L_TYPE_HARD) {
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        const H5I_type_t kind = object > 0 ? H5Iget_type(object) : H5I_BADID;
        if (kind == H5I_DATASET)
            show_dataset(list, object);
        else if (kind == H5I_GROUP)
            see_group(list, object);
        scree__hdf5_release(object);
    } else if (info->type != H5L_TYPE_SOFT) {
        see_link(list);
    }
    list->path[before] = '\0';
    return list->status == SCREE_OK ? 0 : 1;
}

scree_status scree__hdf5_list(const scree__hdf5 *file, scree_part_fn visit, void *context, scree_error *error)
{
    listing list = {.file = file, .visit = visit, .context = context, .error = error};
    char reason[SCREE__HDF5_REASON];
    const hid_t root = H5Oopen(file->id, "/", H5P_DEFAULT);
    list.anndata = scree__hdf5_is_anndata(file);
    list.tenx = !list.anndata && scree__hdf5_is_tenx(file);
    const bool entered = root > 0 && enter(&list, root);
    if (!entered || H5Literate(root, H5_INDEX_NAME, H5_ITER_INC, NULL, see, &list) < 0)
        list.status = scree__hdf5_fail(error, SCREE_ERR_FORMAT, "%s: cannot be listed (%s): the file is damaged",
                                       file->name, scree__hdf5_reason(reason));
    scree__hdf5_release(root);
    free(list.seen);
    return list.status;
}
