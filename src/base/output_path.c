/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the name of an output leads: to an open descriptor (/dev/stdout, /dev/fd/3), to something that is written
 * straight through (a device, a named pipe), or to a regular file or a free name. Symbolic links are followed, also
 * when the last of them leads to a name that is still free: what is written appears there, and the links stay.
 *
 * Links may change meanwhile. Those to a file have been followed by the system, which refuses the ones that it
 * distrusts, such as links of others in /tmp: what realpath finds has to be that file. Those to a free name are
 * followed here, and only if they belong to the user or to root. */

#include "base/output_path.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as the system has it */

char *scree__folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return scree__strdup(".");
    char *folder = scree__strdup(path);
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

/* The descriptor that a name stands for; -1: it is a name like any other. Opened by its name, one that leads to a
 * regular file would be replaced by the rename, or written from its start again. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const size_t length = strlen(folders[i]);
        char *end = NULL;
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        const long number = strtol(path + length, &end, 10);
        if (*end == '\0' && number <= INT_MAX)
            return (int)number;
    }
    return -1;
}

/* What a link contains, from the folder that it is in; NULL: see errno. */
static char *read_link(const char *path)
{
    char content[PATH_MAX];
    const ssize_t length = readlink(path, content, sizeof content - 1);
    if (length < 0)
        return NULL;
    content[length] = '\0';
    char *folder = scree__folder_of(path);
    const size_t size = (folder ? strlen(folder) : 0) + (size_t)length + 2;
    char *joined = folder ? scree__alloc_raw((int64_t)size, 1) : NULL;
    if (joined)
        snprintf(joined, size, "%s%s%s", *content == '/' ? "" : folder, *content == '/' ? "" : "/", content);
    free(folder);
    if (!joined)
        errno = ENOMEM;
    return joined;
}

/* Replaces the name of a link by what it contains. */
static scree_status follow_link(char **target, const struct stat *about, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *next = NULL;
    if (about->st_uid != geteuid() && about->st_uid != 0)
        SCREE_FAIL(error, SCREE_ERR_IO,
                   "%s: leads through a symbolic link of another user to a file that does not exist: write to another "
                   "place",
                   path);
    next = read_link(*target);
    if (!next && errno == ENOMEM)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    if (!next)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: the symbolic link cannot be read (%s): write to another place", path,
                   strerror(errno));
    free(*target);
    *target = next;
done:
    return status;
}

/* The free name that a path leads to through links whose last one leads nowhere. */
static scree_status follow_links(char **out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    char *target = scree__strdup(path);
    if (!target)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    for (int i = 0; i < MOST_LINKS && lstat(target, &about) == 0 && S_ISLNK(about.st_mode); i++)
        SCREE_TRY(follow_link(&target, &about, path, error));
    if (lstat(target, &about) == 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: another program has just written there: run it again", path);
    *out = target;
    target = NULL;
done:
    free(target);
    return status;
}

static scree_status find_existing(scree__output_path *out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat found;
    if (S_ISDIR(out->about.st_mode))
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: is a folder: give the name of a file in it", path);
    if (access(path, W_OK) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be written to (%s): change its permissions or its name", path,
                   strerror(errno));
    if (!S_ISREG(out->about.st_mode))
        goto done;
    out->target = realpath(path, NULL);
    if (!out->target)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be found any more (%s): write to another place", path,
                   strerror(errno));
    if (stat(out->target, &found) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be found any more (%s): write to another place", path,
                   strerror(errno));
    if (found.st_dev != out->about.st_dev || found.st_ino != out->about.st_ino)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: another program has just written there: run it again", path);
done:
    return status;
}

/* reason: why the system does not find it; of links, it followed those to a free name only. */
static scree_status find_free(scree__output_path *out, const char *path, int reason, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    if (reason != ENOENT && lstat(path, &about) == 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: %s cannot be reached (%s): write to another place", path,
                   S_ISLNK(about.st_mode) ? "is a symbolic link to a place that" : "the file", strerror(reason));
    SCREE_TRY(follow_links(&out->target, path, error));
done:
    return status;
}

scree_status scree__output_path_find(scree__output_path *out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    *out = (scree__output_path){.descriptor = descriptor_of(path)};
    if (out->descriptor >= 0)
        goto done;
    out->exists = stat(path, &out->about) == 0;
    if (out->exists)
        SCREE_TRY(find_existing(out, path, error));
    else
        SCREE_TRY(find_free(out, path, errno, error));
    if (!out->target)
        goto done;
    out->folder = scree__folder_of(out->target);
    if (!out->folder)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
done:
    return status;
}

void scree__output_path_free(scree__output_path *path)
{
    free(path->target);
    free(path->folder);
    path->target = NULL;
    path->folder = NULL;
}
