/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all. Bytes go through one buffer into a temporary file beside the target; commit
 * syncs it, renames it over the target and syncs the folder, so that a crash at any moment leaves the old file or the
 * new one. A target that is no regular file (standard output, a device, a named pipe), or that names a descriptor,
 * cannot be renamed over and is written straight through. A file that is written again keeps its permissions.
 *
 * A signal handler cannot ask who is writing, so every temporary name stands in a table of atomic pointers before its
 * file exists. Whoever takes a pointer out of the table owns the name: the writer frees it, the handler unlinks it and
 * leaves the memory to the end of the process. */

#include "base/atomic_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, MAX_LIVE = 256, NAME_TRIES = 100 };

struct scree__atomic_file {
    int fd;
    char *name;      /* for messages */
    char *target;    /* symbolic links resolved */
    char *folder;    /* of the target */
    char *temporary; /* NULL: written straight through */
    int slot;        /* in the table of live names; -1: none */
    unsigned char *buffer;
    int64_t held;    /* bytes in the buffer */
    int64_t written; /* bytes handed to the system */
};

static _Atomic(char *) live_names[MAX_LIVE];
static _Atomic(char *) removed_names[MAX_LIVE]; /* a handler cannot free: what it took stays reachable here */

void scree__atomic_remove_all(void)
{
    int saved = errno;
    for (int i = 0; i < MAX_LIVE; i++) {
        char *name = atomic_exchange(&live_names[i], NULL);
        if (name) {
            unlink(name);
            atomic_store(&removed_names[i], name);
        }
    }
    errno = saved;
}

void scree_cleanup(void)
{
    scree__atomic_remove_all();
}

static int enter_name(char *name)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        char *expected = NULL;
        if (atomic_compare_exchange_strong(&live_names[i], &expected, name))
            return i;
    }
    return -1;
}

/* Takes the name out of the table and frees it, unless scree_cleanup was faster and has it now. */
static void leave_name(scree__atomic_file *file)
{
    char *expected = file->temporary;
    if (file->slot < 0 || atomic_compare_exchange_strong(&live_names[file->slot], &expected, NULL))
        free(file->temporary);
    file->temporary = NULL;
    file->slot = -1;
}

static scree_status fail_write(const scree__atomic_file *file, int reason, scree_error *error)
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
                           file->folder);
    if (reason == ENOSPC || reason == EDQUOT)
        return fail_write(file, reason, error);
    return scree__fail(
        error, SCREE_ERR_IO,
        "%s: the folder '%s' cannot be written to (%s): change its permissions or write to another place", file->name,
        file->folder, strerror(reason));
}

/* Everything before the last slash; "." when there is none. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return scree__strdup(".");
    char *folder = scree__strdup(path);
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

/* A name that no other writer uses: process, count and clock. It is entered in the table before its file is made. */
static scree_status name_temporary(scree__atomic_file *file, scree_error *error)
{
    static atomic_uint counter;
    scree_status status = SCREE_OK;
    struct timespec now = {0};
    size_t size = strlen(file->folder) + 80;
    char *name = malloc(size);
    if (!name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->name);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, size, "%s/.scree-%ld-%u-%lx.tmp", file->folder, (long)getpid(), atomic_fetch_add(&counter, 1u),
             (unsigned long)now.tv_nsec);
    file->slot = enter_name(name);
    if (file->slot < 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: %d files are being written already: finish some of them first",
                   file->name, MAX_LIVE);
    file->temporary = name;
    name = NULL;
done:
    free(name);
    return status;
}

static scree_status create_temporary(scree__atomic_file *file, scree_error *error)
{
    int reason = EEXIST;
    for (int i = 0; i < NAME_TRIES && reason == EEXIST; i++) {
        scree_status status = name_temporary(file, error);
        if (status != SCREE_OK)
            return status;
        file->fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0)
            return SCREE_OK;
        reason = errno;
        leave_name(file);
    }
    return fail_create(file, reason, error);
}

/* The descriptor that a name stands for, such as /dev/stdout or /dev/fd/3; -1: it is a name like any other. Opened by
 * its name, one that leads to a regular file would be replaced by the rename, or written from its start again. */
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

static scree_status open_descriptor(scree__atomic_file *file, int descriptor, scree_error *error)
{
    file->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (file->fd < 0)
        return scree__fail(error, SCREE_ERR_IO, "%s: cannot be opened for writing (%s): write to another place",
                           file->name, strerror(errno));
    return SCREE_OK;
}

/* Decides how the path is written: over a regular file or a free name by renaming, into anything else directly. */
static scree_status open_path(scree__atomic_file *file, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    const int descriptor = descriptor_of(path);
    if (descriptor >= 0)
        return open_descriptor(file, descriptor, error);
    const bool exists = stat(path, &about) == 0;
    if (exists) {
        if (S_ISDIR(about.st_mode))
            SCREE_FAIL(error, SCREE_ERR_IO, "%s: is a folder: give the name of a file in it", path);
        if (access(path, W_OK) != 0)
            SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be written to (%s): change its permissions or its name", path,
                       strerror(errno));
        if (!S_ISREG(about.st_mode)) {
            file->fd = open(path, O_WRONLY | O_CLOEXEC);
            if (file->fd < 0)
                SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be opened for writing (%s): write to another place", path,
                           strerror(errno));
            goto done;
        }
        file->target = realpath(path, NULL);
    } else {
        file->target = scree__strdup(path);
    }
    file->folder = file->target ? folder_of(file->target) : NULL;
    if (!file->folder)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY(create_temporary(file, error));
    if (exists)
        (void)fchmod(file->fd, about.st_mode & 07777); /* not every file system can */
done:
    return status;
}

scree_status scree__atomic_open(scree__atomic_file **out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    bool standard = path && strcmp(path, "-") == 0;
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the output has no name: give a file, or - for standard output");
    SCREE_ALLOC(file, 1, error);
    file->fd = -1;
    file->slot = -1;
    file->name = scree__strdup(standard ? "standard output" : path);
    file->buffer = scree__alloc_raw(BUFFER_BYTES, 1);
    if (!file->name || !file->buffer)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    if (standard)
        file->fd = STDOUT_FILENO;
    else
        SCREE_TRY(open_path(file, path, error));
    *out = file;
    file = NULL;
done:
    scree__atomic_free(file);
    return status;
}

static scree_status write_out(scree__atomic_file *file, const unsigned char *data, int64_t size, scree_error *error)
{
    while (size > 0) {
        ssize_t count = write(file->fd, data, (size_t)size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail_write(file, errno, error);
        data += count;
        size -= count;
        file->written += count;
    }
    return SCREE_OK;
}

static scree_status flush(scree__atomic_file *file, scree_error *error)
{
    scree_status status = write_out(file, file->buffer, file->held, error);
    file->held = 0;
    return status;
}

scree_status scree__atomic_write(scree__atomic_file *file, const void *data, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (size > BUFFER_BYTES - file->held)
        SCREE_TRY(flush(file, error));
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
    SCREE_TRY(flush(file, error));
    if (offset < 0 || size < 0 || offset > file->written - size)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: bytes %" PRId64 " to %" PRId64 " are not written yet", file->name,
                   offset, offset + size);
    while (size > 0) {
        ssize_t count = pwrite(file->fd, from, (size_t)size, (off_t)offset);
        if (count < 0 && errno == EINTR)
            continue;
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

bool scree__atomic_seekable(const scree__atomic_file *file)
{
    return file->temporary != NULL;
}

/* The new name lasts through a power failure only when the folder is synced too; not every file system can. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

scree_status scree__atomic_commit(scree__atomic_file *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(flush(file, error));
    if (!file->temporary)
        goto done;
    if (fsync(file->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        SCREE_TRY(fail_write(file, errno, error));
    if (rename(file->temporary, file->target) != 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: the finished file cannot get its name (%s): write to another place",
                   file->name, strerror(errno));
    leave_name(file);
    sync_folder(file->folder);
done:
    return status;
}

void scree__atomic_free(scree__atomic_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0 && file->fd != STDOUT_FILENO)
        close(file->fd);
    if (file->temporary) {
        unlink(file->temporary);
        leave_name(file);
    }
    free(file->buffer);
    free(file->folder);
    free(file->target);
    free(file->name);
    free(file);
}
