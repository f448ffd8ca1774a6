/* SPDX-License-Identifier: BSD-3-Clause */
/* File descriptors: open, read until full, share, close. Interrupted and short reads are carried on here, so that
 * nobody above sees them. */

#include "data/descriptor.h"

#include "base/file_calls.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

scree_status scree__descriptor_open(scree__descriptor *descriptor, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    *descriptor = (scree__descriptor){.fd = -1, .size = -1};
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the input has no name: give a file, or - for standard input");
    bool standard = strcmp(path, "-") == 0;
    descriptor->standard = standard;
    descriptor->name = scree__strdup(standard ? "standard input" : path);
    if (!descriptor->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    descriptor->fd =
        standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : scree__call_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (descriptor->fd < 0 || fstat(descriptor->fd, &about) != 0)
        return scree__fail_open(descriptor->name, errno, error);
    if (S_ISDIR(about.st_mode))
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: is a folder: give the name of a file in it", descriptor->name);
    off_t start = S_ISREG(about.st_mode) ? lseek(descriptor->fd, 0, SEEK_CUR) : -1;
    if (S_ISREG(about.st_mode) && start < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: its place cannot be told (%s): check the disk", descriptor->name,
                   strerror(errno));
    /* A file that claims no bytes may yet give some, as those of /proc do: it is read like a pipe. */
    descriptor->regular = start >= 0 && about.st_size > start;
    if (descriptor->regular) {
        descriptor->start = start;
        descriptor->size = about.st_size - start;
        (void)posix_fadvise(descriptor->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
done:
    return status;
}

scree_status scree__descriptor_read(scree__descriptor *descriptor, void *buffer, int64_t size, int64_t *got,
                                    scree_error *error)
{
    unsigned char *to = buffer;
    *got = 0;
    while (*got < size && !descriptor->ended) {
        const int64_t left = descriptor->part ? descriptor->size - descriptor->at : INT64_MAX;
        const int64_t want = size - *got < left ? size - *got : left;
        if (want <= 0)
            break;
        const int64_t count =
            descriptor->regular ? scree__call_pread(descriptor->fd, to + *got, want, descriptor->start + descriptor->at)
                                : scree__call_read(descriptor->fd, to + *got, want);
        if (count < 0)
            return scree__fail(error, SCREE_ERR_IO, "%s: reading failed at byte %" PRId64 " (%s): check the disk",
                               descriptor->name, descriptor->at, strerror(errno));
        if (count == 0)
            break;
        *got += count;
        descriptor->at += count;
    }
    return SCREE_OK;
}

scree_status scree__descriptor_share(scree__descriptor *out, const scree__descriptor *descriptor, scree_error *error)
{
    *out = *descriptor;
    out->at = 0;
    out->name = scree__strdup(descriptor->name);
    out->fd = fcntl(descriptor->fd, F_DUPFD_CLOEXEC, 0);
    if (!out->name)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for opening it again", descriptor->name);
    if (out->fd < 0)
        return scree__fail(error, SCREE_ERR_IO, "%s: cannot be opened again (%s): close some files", descriptor->name,
                           strerror(errno));
    return SCREE_OK;
}

void scree__descriptor_close(scree__descriptor *descriptor)
{
    if (descriptor->fd >= 0)
        close(descriptor->fd);
    free(descriptor->name);
    *descriptor = (scree__descriptor){.fd = -1, .size = -1};
}
