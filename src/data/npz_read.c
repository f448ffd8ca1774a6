/* SPDX-License-Identifier: BSD-3-Clause */
/* NPZ, NumPy's archive of several arrays: a zip archive of NPY files. One member is read: the one that is named, or the
 * only one of two dimensions with numbers; an archive that scipy.sparse.save_npz has written is one sparse array. A
 * member that is not compressed is read like a file of its own, wherever in it a row is. */

#include "base/memory.h"
#include "data/formats.h"
#include "data/npy_header.h"
#include "data/npz.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LIST_BYTES = 400, LOCAL_NAME = 30 };

/* The name less .npy, as users know it. */
static size_t shown_length(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".npy") == 0 ? length - 4 : length;
}

const scree__zip_member *scree__npz_find(const scree__zip *zip, const char *name)
{
    const scree__zip_member *found = NULL;
    for (int64_t i = 0; i < zip->count && !found; i++) {
        const char *member = zip->members[i].name;
        if (strcmp(member, name) == 0 ||
            (shown_length(member) == strlen(name) && strncmp(member, name, strlen(name)) == 0))
            found = &zip->members[i];
    }
    return found;
}

/* The header of a member; what is no array of numbers fails. */
static scree_status look_at(scree__layout *layout, const scree__bytes *bytes, const scree__zip_member *member,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *content = NULL;
    *layout = (scree__layout){.format = "NPY"};
    SCREE_TRY(scree__zip_open(&content, bytes, member, error));
    SCREE_TRY(scree__npy_begin(content, layout, error));
done:
    scree__bytes_close(content);
    return status;
}

/* One more name, as far as there is room. */
static void append(char list[LIST_BYTES], const char *name)
{
    const size_t used = strlen(list);
    const size_t left = LIST_BYTES - used;
    if (left > 40)
        snprintf(list + used, left, "%s%.*s", used > 0 ? ", " : "",
                 (int)(shown_length(name) < 60 ? shown_length(name) : 60), name);
    else if (left > 10 && strcmp(list + used - 3, "...") != 0)
        snprintf(list + used, left, ", ...");
}

/* Whether a member has numbers in two dimensions. A disk or memory that fails says nothing about that. */
static scree_status is_matrix(bool *out, const scree__bytes *bytes, const scree__zip_member *member, scree_error *error)
{
    scree_error said = SCREE_ERROR_INIT;
    scree__layout layout;
    const scree_status looked = look_at(&layout, bytes, member, &said);
    *out = looked == SCREE_OK && layout.dimensions == 2;
    if (looked != SCREE_ERR_IO && looked != SCREE_ERR_MEMORY)
        return SCREE_OK;
    return scree__fail(error, looked, "%s", said.text);
}

/* The only member of two dimensions. */
static scree_status choose(const scree__zip_member **out, const scree__bytes *bytes, const scree__zip *zip,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = scree__bytes_name(bytes);
    char list[LIST_BYTES] = "";
    int64_t found = 0;
    for (int64_t i = 0; i < zip->count; i++) {
        bool fits = false;
        append(list, zip->members[i].name);
        SCREE_TRY(is_matrix(&fits, bytes, &zip->members[i], error));
        if (!fits)
            continue;
        *out = &zip->members[i];
        found++;
    }
    if (zip->count == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the archive has no members: write it again", file);
    if (found != 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: has %s of two dimensions with numbers among its members (%s); name one as %s:NAME", file,
                   found == 0 ? "none" : "several arrays", list, file);
done:
    return status;
}

static scree_status pick(const scree__zip_member **out, const scree__bytes *bytes, const scree__zip *zip,
                         const char *name, scree_error *error)
{
    char list[LIST_BYTES] = "";
    if (!name)
        return choose(out, bytes, zip, error);
    *out = scree__npz_find(zip, name);
    for (int64_t i = 0; !*out && i < zip->count; i++)
        append(list, zip->members[i].name);
    return *out ? SCREE_OK
                : scree__fail(error, SCREE_ERR_ARGUMENT, "%s: has no member '%.200s', but %s; name one of these",
                              scree__bytes_name(bytes), name, zip->count > 0 ? list : "none at all");
}

static bool npz_matches(const unsigned char *head, int64_t size)
{
    if (size < LOCAL_NAME || memcmp(head, "PK\3\4", 4) != 0)
        return false;
    const int64_t length = head[26] + 256 * head[27];
    return length > 4 && LOCAL_NAME + length <= size && memcmp(head + LOCAL_NAME + length - 4, ".npy", 4) == 0;
}

static scree_status npz_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__zip zip = {0};
    scree__bytes *content = NULL;
    const scree__zip_member *member = NULL;
    SCREE_TRY(scree__bytes_make_plain(bytes, false, error));
    SCREE_TRY(scree__zip_read(&zip, bytes, error));
    if (!options->dataset && scree__npz_is_sparse(&zip)) {
        SCREE_TRY(scree__npz_open_sparse(out, bytes, &zip, options, error));
        goto done;
    }
    SCREE_TRY(pick(&member, bytes, &zip, options->dataset, error));
    SCREE_TRY(scree__zip_open(&content, bytes, member, error));
    SCREE_TRY(scree__reader_npy.open(out, content, options, error));
    content = NULL;
    scree__bytes_close(bytes);
done:
    scree__bytes_close(content);
    scree__zip_clear(&zip);
    return status;
}

static const char *type_name(scree__element element, char name[4])
{
    snprintf(name, 4, "%c%d",
             element.kind == SCREE__FLOAT      ? 'f'
             : element.kind == SCREE__SIGNED   ? 'i'
             : element.kind == SCREE__UNSIGNED ? 'u'
                                               : 'b',
             element.size);
    return name;
}

/* A member as scree ls shows it. */
static scree_status list_member(const scree__bytes *bytes, const scree__zip_member *member, bool meant,
                                scree_part_fn visit, void *context, scree_error *error)
{
    scree_part part = SCREE_PART_INIT;
    scree__layout layout;
    scree_error why = SCREE_ERROR_INIT;
    char type[4];
    char path[256];
    snprintf(path, sizeof path, "%.*s", (int)(shown_length(member->name) < 250 ? shown_length(member->name) : 250),
             member->name);
    part.path = path;
    part.kind = member->method == SCREE__ZIP_STORED ? "dense" : "deflated";
    part.meant = meant;
    if (look_at(&layout, bytes, member, &why) == SCREE_OK) {
        part.rows = layout.shape[0];
        part.cols = 1;
        for (int d = 1; d < layout.dimensions; d++)
            part.cols *= layout.shape[d];
        part.type = type_name(layout.element, type);
    } else {
        part.closed = true;
        part.note = why.text;
    }
    return visit(context, &part, error);
}

static scree_status npz_list(scree__bytes *bytes, const scree_read_options *options, scree_part_fn visit, void *context,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__zip zip = {0};
    scree__npz_shape shape;
    scree_part part = SCREE_PART_INIT;
    const scree__zip_member *meant = NULL;
    char type[4];
    (void)options;
    SCREE_TRY(scree__bytes_make_plain(bytes, false, error));
    SCREE_TRY(scree__zip_read(&zip, bytes, error));
    if (scree__npz_is_sparse(&zip)) {
        SCREE_TRY(scree__npz_look(&shape, bytes, &zip, error));
        for (char *c = shape.format; *c; c++)
            *c = (char)(*c - ('a' - 'A'));
        part.rows = shape.rows;
        part.cols = shape.cols;
        part.type = type_name(shape.element, type);
        part.kind = shape.format;
        part.meant = true;
        SCREE_TRY(visit(context, &part, error));
        goto done;
    }
    if (choose(&meant, bytes, &zip, NULL) != SCREE_OK)
        meant = NULL;
    for (int64_t i = 0; i < zip.count; i++)
        SCREE_TRY(list_member(bytes, &zip.members[i], meant == &zip.members[i], visit, context, error));
done:
    scree__zip_clear(&zip);
    return status;
}

static const char *const npz_extensions[] = {"npz", NULL};

const scree__reader scree__reader_npz = {
    "npz", npz_extensions, npz_matches, npz_open, "NumPy archive, one array, or a sparse array of SciPy",
    false, true,           npz_list};
