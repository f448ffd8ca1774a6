/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in a cache folder. A text is written to a file with a name of its
 * own and then linked to its place, which fails when there is one already: nobody reads half a text, and what stands
 * there once is not changed by others who were as late. The text is synced, for a full disk may be told only then; its
 * name is not: after a power failure it may be gone. Its reader must check it. */

#include "base/cache_file.h"

#include "base/file_calls.h"

#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

static bool fits(int length, size_t size)
{
    return length > 0 && (size_t)length < size;
}

static bool path_of(char *path, const char *folder, const char *name)
{
    return fits(snprintf(path, PATH_BYTES, "%s/%s", folder, name), PATH_BYTES);
}

bool scree__cache_read(const char *folder, const char *name, char *text, size_t size)
{
    char path[PATH_BYTES];
    if (!path_of(path, folder, name))
        return false;
    const int fd =
        scree__call_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); /* whatever stands there, opening must not wait */
    if (fd < 0)
        return false;
    const int64_t count = scree__call_read(fd, text, (int64_t)size);
    close(fd);
    if (count < 0 || (size_t)count >= size)
        return false;
    text[count] = '\0';
    return true;
}

bool scree__cache_make(const char *folder)
{
    char parent[PATH_BYTES];
    if (!fits(snprintf(parent, sizeof parent, "%s", folder), sizeof parent))
        return false;
    if (mkdir(folder, 0700) != 0 && errno == ENOENT) {
        char *slash = strrchr(parent, '/');
        if (slash)
            *slash = '\0';
        (void)mkdir(parent, 0700);
        (void)mkdir(folder, 0700);
    }
    return access(folder, R_OK | W_OK | X_OK) == 0;
}

static bool write_all(int fd, const char *text)
{
    int64_t left = (int64_t)strlen(text);
    while (left > 0) {
        const int64_t count = scree__call_write(fd, text, left);
        if (count <= 0)
            return false;
        text += count;
        left -= count;
    }
    return true;
}

void scree__cache_keep(const char *folder, const char *name, const char *text)
{
    char path[PATH_BYTES];
    scree__temporary own = SCREE__TEMPORARY_INIT;
    if (!path_of(path, folder, name) || scree__temporary_make(&own, folder, S_IRUSR | S_IWUSR) != 0)
        return;
    const bool whole = write_all(own.fd, text) && scree__call_sync(own.fd) == 0;
    if (whole && link(own.name, path) != 0 && errno != EEXIST && access(path, F_OK) != 0)
        (void)rename(own.name, path); /* a file system without links */
    scree__temporary_remove(&own);
}

void scree__cache_remove(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    if (path_of(path, folder, name))
        unlink(path);
}
