/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all: how they are opened and written. Bytes go through one buffer into a temporary
 * file beside the target (base/temporary_file.h), which gets its name when it is complete (base/atomic_commit.c). A
 * target that is no regular file (standard output, a device, a named pipe), or that names a descriptor, cannot be
 * renamed over and is written straight through. So is a log, a file that rows are added to. */

#include "base/atomic_file.h"

#include "base/atomic_parts.h"
#include "base/file_calls.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20 };

void scree_cleanup(void)
{
    scree__temporary_remove_all();
}

scree_status scree__atomic_fail_write(const scree__atomic_file *file, int reason, scree_error *error)
{
    if (reason == ENOSPC || reason == EDQUOT)
        return scree__fail(error, SCREE_ERR_IO,
                           "%s: the disk is full after %" PRId64 " bytes: free some space or write to another disk",
                           file->name, file->written);
    return scree__fail(error, SCREE_ERR_IO, "%s: writing failed after %" PRId64 " bytes (%s): write to another place",
                       file->name, file->written, strerror(reason));
}

static scree_status fail_create(const scree__atomic_file *file, int reason, scree_error *error)
{
    if (reason == ENOENT || reason == ENOTDIR)
        return scree__fail(error, SCREE_ERR_IO,
                           "%s: the folder '%s' does not exist: make it first or write to another place", file->name,
                           file->path.folder);
    if (reason == ENOSPC || reason == EDQUOT)
        return scree__atomic_fail_write(file, reason, error);
    return scree__fail(
        error, SCREE_ERR_IO,
        "%s: the folder '%s' cannot be written to (%s): change its permissions or write to another place", file->name,
        file->path.folder, strerror(reason));
}

/* The file is made for its owner alone where it will replace one that others may not read: it gets its rights when it
 * is complete. */
static scree_status make_temporary(scree__atomic_file *file, scree_error *error)
{
    const mode_t mode = file->path.exists ? S_IRUSR | S_IWUSR : 0666;
    const int reason = scree__temporary_make(&file->temporary, file->path.folder, mode);
    if (reason == ENOMEM)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", file->name);
    if (reason == EUSERS)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: too many files are being written (at most %d): finish some of them first", file->name,
                           SCREE__TEMPORARY_MOST);
    if (reason != 0)
        return fail_create(file, reason, error);
    file->fd = file->temporary.fd;
    return SCREE_OK;
}

/* Decides how the path is written: over a regular file or a free name by renaming, into anything else directly. */
static scree_status open_path(scree__atomic_file *file, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__output_path_find(&file->path, path, error));
    if (file->path.target)
        return make_temporary(file, error);
    file->fd = file->path.descriptor >= 0 ? fcntl(file->path.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                          : scree__call_open(path, O_WRONLY | O_CLOEXEC, 0);
    if (file->fd < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be opened for writing (%s): write to another place", path,
                   strerror(errno));
done:
    return status;
}

static scree_status open_append(scree__atomic_file *file, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    file->appends = true;
    file->fd = scree__call_open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file->fd < 0 || fstat(file->fd, &about) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be opened to add rows (%s): write to another place", path,
                   strerror(errno));
    if (!S_ISREG(about.st_mode))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: is no plain file that rows could be added to: write without append",
                   path);
done:
    return status;
}

scree_status scree__atomic_begins(const scree__atomic_file *file, const void *data, int64_t size, bool *empty,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about = {0};
    char *head = NULL;
    char last = 0;
    *empty = true;
    if (!file->appends || (fstat(file->fd, &about) == 0 && about.st_size == 0))
        return SCREE_OK;
    *empty = false;
    SCREE_ALLOC(head, size + 1, error);
    if (scree__call_pread(file->fd, head, size, 0) != size || memcmp(head, data, (size_t)size) != 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: begins with another header than these rows have: add them to a file of their own", file->name);
    if (scree__call_pread(file->fd, &last, 1, about.st_size - 1) != 1 || last != '\n')
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: its last line is not complete: complete or remove that line",
                   file->name);
done:
    free(head);
    return status;
}

static scree_status open_file(scree__atomic_file **out, const char *path, bool append, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    bool standard = path && strcmp(path, "-") == 0;
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the output has no name: give a file, or - for standard output");
    SCREE_ALLOC(file, 1, error);
    file->fd = -1;
    file->temporary = (scree__temporary)SCREE__TEMPORARY_INIT;
    file->old = (scree__temporary)SCREE__TEMPORARY_INIT;
    file->path.descriptor = -1;
    file->name = scree__strdup(standard ? "standard output" : path);
    file->buffer = scree__alloc_raw(BUFFER_BYTES, 1);
    if (!file->name || !file->buffer)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    if (standard)
        file->fd = STDOUT_FILENO;
    else
        SCREE_TRY(append ? open_append(file, path, error) : open_path(file, path, error));
    *out = file;
    file = NULL;
done:
    scree__atomic_free(file);
    return status;
}

scree_status scree__atomic_open(scree__atomic_file **out, const char *path, scree_error *error)
{
    return open_file(out, path, false, error);
}

scree_status scree__atomic_open_append(scree__atomic_file **out, const char *path, scree_error *error)
{
    return open_file(out, path, true, error);
}

/* Takes back what was added to a log by a call that failed: its rows stay whole. */
static void take_back(const scree__atomic_file *file, int64_t size)
{
    struct stat about;
    if (file->appends && size > 0 && fstat(file->fd, &about) == 0 && about.st_size >= size)
        (void)!ftruncate(file->fd, about.st_size - size);
}

static scree_status write_out(scree__atomic_file *file, const unsigned char *data, int64_t size, scree_error *error)
{
    int64_t done = 0;
    while (done < size) {
        const int64_t count = scree__call_write(file->fd, data + done, size - done);
        if (count < 0) {
            const int reason = errno;
            take_back(file, done);
            return scree__atomic_fail_write(file, reason, error);
        }
        done += count;
        file->written += count;
    }
    return SCREE_OK;
}

scree_status scree__atomic_flush(scree__atomic_file *file, scree_error *error)
{
    scree_status status = write_out(file, file->buffer, file->held, error);
    file->held = 0;
    return status;
}

scree_status scree__atomic_write(scree__atomic_file *file, const void *data, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (size > BUFFER_BYTES - file->held)
        SCREE_TRY(scree__atomic_flush(file, error));
    if (size >= BUFFER_BYTES)
        return write_out(file, data, size, error);
    if (size > 0)
        memcpy(file->buffer + file->held, data, (size_t)size);
    file->held += size;
done:
    return status;
}

scree_status scree__atomic_patch(scree__atomic_file *file, int64_t offset, const void *data, int64_t size,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const unsigned char *from = data;
    if (!scree__atomic_seekable(file))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: what is written cannot be changed: write to a file", file->name);
    SCREE_TRY(scree__atomic_flush(file, error));
    if (offset < 0 || size < 0 || offset > file->written - size)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: bytes %" PRId64 " to %" PRId64 " are not written yet", file->name,
                   offset, offset + size);
    while (size > 0) {
        const int64_t count = scree__call_pwrite(file->fd, from, size, offset);
        if (count < 0)
            SCREE_FAIL(error, SCREE_ERR_IO, "%s: writing at byte %" PRId64 " failed (%s): write to another place",
                       file->name, offset, strerror(errno));
        from += count;
        offset += count;
        size -= count;
    }
done:
    return status;
}

bool scree__atomic_waits(const scree__atomic_file *file)
{
    return file->is_waiting;
}

bool scree__atomic_seekable(const scree__atomic_file *file)
{
    return file->temporary.name != NULL;
}

const char *scree__atomic_temporary(const scree__atomic_file *file)
{
    return file->temporary.name;
}

bool scree__atomic_is_terminal(const scree__atomic_file *file)
{
    return isatty(file->fd);
}

void scree__atomic_free(scree__atomic_file *file)
{
    if (!file || file->is_waiting)
        return;
    if (file->fd >= 0 && file->fd != STDOUT_FILENO && file->fd != file->temporary.fd)
        close(file->fd);
    scree__temporary_remove(&file->temporary);
    scree__temporary_remove(&file->old);
    scree__output_path_free(&file->path);
    free(file->buffer);
    free(file->name);
    free(file);
}
