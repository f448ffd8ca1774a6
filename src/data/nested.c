/* SPDX-License-Identifier: BSD-3-Clause */
/* FILE:PART. A file whose name has a colon is a file first; only of a name that nothing has, what stands before a colon
 * is tried, from the last colon to the first, since paths of parts may have colons and so may names of files. Nothing
 * is opened for it. */

#include "data/nested.h"

#include "base/memory.h"

#include <string.h>
#include <sys/stat.h>

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* A file, or a pipe; a folder has no parts. */
static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

scree_status scree__nested_split(scree__nested *nested, const char *path, const scree_read_options *options,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    *nested = (scree__nested){.file = path, .part = options->dataset};
    if (!path || !strchr(path, ':') || is_there(path))
        goto done;
    nested->own = scree__strdup(path);
    if (!nested->own)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    for (char *colon = strrchr(nested->own, ':'); colon; colon = strrchr(nested->own, ':')) {
        *colon = 0;
        if (!is_file(nested->own))
            continue;
        nested->file = nested->own;
        nested->part = path + (colon + 1 - nested->own);
        break;
    }
    if (nested->file == path || !options->dataset)
        goto done;
    SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
               "%s: names a part of the file %s, and so does --dataset %s; leave one of them out", path, nested->file,
               options->dataset);
done:
    return status;
}

scree_status scree__nested_check(const scree__nested *nested, const scree__reader *reader, scree_error *error)
{
    if (!nested->part || reader->parts)
        return SCREE_OK;
    if (nested->own)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s:%s: there is no such file, and %s is read as %s, which has no parts to name; give the "
                           "name of a file",
                           nested->file, nested->part, nested->file, reader->name);
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: is read as %s, which has no parts, and --dataset names one; leave it out", nested->file,
                       reader->name);
}

void scree__nested_clear(scree__nested *nested)
{
    free(nested->own);
    *nested = (scree__nested){0};
}
