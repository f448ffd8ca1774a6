/* SPDX-License-Identifier: BSD-3-Clause */
/* How complete files get their names, one or several together: each is synced and renamed over its target, then the
 * folder is synced, so that a crash at any moment leaves the old file or the new one. A file that is written again
 * keeps its permissions and, where that is allowed, its owner and group; it is a new file, so that hard links to the
 * old one keep what they had.
 *
 * Several files: all that can fail for want of space, rights or memory is done before the first rename. A rename that
 * fails nevertheless undoes those before it, whose old files have kept a second name until then; where there are no
 * hard links, it says what stays. Signals wait. What is left is kill -9, or the power, in the microseconds between two
 * renames: then the first files are new and the others old, each whole, and the temporary files go with the next run.
 * No call of the system renames two files, and a journal for a later run would let it overwrite, unasked, what may have
 * changed since. */

#include "base/atomic_file.h"

#include "base/atomic_parts.h"
#include "base/file_calls.h"
#include "base/held_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Sets the permissions, the owner and the group of the file that is replaced, as far as the file system and the rights
 * of the process allow. A group that cannot be kept leaves no more rights than others have. */
static void keep_rights(const scree__atomic_file *file)
{
    const struct stat *old = &file->path.about;
    struct stat now;
    mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (!file->path.exists || fstat(file->fd, &now) != 0)
        return;
    if (now.st_uid != old->st_uid)
        (void)!fchown(file->fd, old->st_uid, (gid_t)-1);
    if (now.st_gid != old->st_gid && fchown(file->fd, (uid_t)-1, old->st_gid) != 0)
        mode &= (mode_t)~S_IRWXG | (mode & S_IRWXO) << 3;
    (void)fchmod(file->fd, mode);
}

/* Everything that can fail for want of space. */
static scree_status complete(scree__atomic_file *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__atomic_flush(file, error));
    if (!file->temporary.name)
        goto done;
    keep_rights(file);
    if (scree__call_sync(file->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        SCREE_TRY(scree__atomic_fail_write(file, errno, error));
done:
    return status;
}

/* A second name for the file that will be replaced; not every file system can. */
static void keep_old(scree__atomic_file *file)
{
    if (file->temporary.name)
        file->is_new = scree__temporary_link(&file->old, file->path.folder, file->path.target) == ENOENT;
}

/* Takes the name of a file away from it again; false: it could not be. */
static bool undo(scree__atomic_file *file)
{
    if (!file->is_renamed)
        return true;
    if (file->is_new)
        return unlink(file->path.target) == 0;
    if (!file->old.name || rename(file->old.name, file->path.target) != 0)
        return false;
    scree__temporary_forget(&file->old);
    return true;
}

static scree_status rename_all(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    for (int64_t i = 0; i < count; i++) {
        scree__atomic_file *file = files[i];
        if (!file->temporary.name)
            continue;
        file->is_renamed = rename(file->temporary.name, file->path.target) == 0;
        if (!file->is_renamed) {
            const int reason = errno;
            const char *stays = NULL;
            for (int64_t j = i - 1; j >= 0; j--)
                if (!undo(files[j]))
                    stays = files[j]->name;
            return scree__fail(error, SCREE_ERR_IO,
                               "%s: the finished file cannot get its name (%s)%s%s: write to another place", file->name,
                               strerror(reason), stays ? ", and the new file stays in " : "", stays ? stays : "");
        }
    }
    for (int64_t i = 0; i < count; i++)
        if (files[i]->is_renamed)
            scree__temporary_forget(&files[i]->temporary);
    return SCREE_OK;
}

/* The new name lasts through a power failure only when the folder is synced too; not every file system can. */
static void sync_folder(const char *folder)
{
    int fd = scree__call_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0) {
        (void)scree__call_sync(fd);
        close(fd);
    }
}

static scree_status commit_complete(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    sigset_t before;
    for (int64_t i = 0; i + 1 < count; i++)
        keep_old(files[i]);
    if (!scree__temporary_commit_begin(&before))
        return scree__fail(error, SCREE_ERR_IO, "%s: the finished file was removed by scree_cleanup: write it again",
                           files[0]->name);
    scree_status status = rename_all(files, count, error);
    scree__temporary_commit_end(&before);
    for (int64_t i = 0; i < count; i++) {
        const char *last = i > 0 ? files[i - 1]->path.folder : NULL;
        scree__temporary_remove(&files[i]->old);
        if (files[i]->is_renamed && (!last || strcmp(files[i]->path.folder, last) != 0))
            sync_folder(files[i]->path.folder);
    }
    return status;
}

/* What the name of a file that is written leads to at present; false: to nothing. */
static bool find_present(const scree__atomic_file *file, struct stat *about)
{
    return (file->path.target ? stat(file->path.target, about) : fstat(file->fd, about)) == 0;
}

static bool is_same_inode(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

scree_status scree__atomic_distinct(const scree__atomic_file *one, const scree__atomic_file *other, scree_error *error)
{
    struct stat a;
    struct stat b;
    const bool one_exists = find_present(one, &a);
    const bool other_exists = find_present(other, &b);
    bool same = one_exists && other_exists && is_same_inode(&a, &b);
    if (!one_exists && !other_exists && stat(one->path.folder, &a) == 0 && stat(other->path.folder, &b) == 0) {
        const char *slash = strrchr(one->path.target, '/');
        const char *other_slash = strrchr(other->path.target, '/');
        same = is_same_inode(&a, &b) &&
               strcmp(slash ? slash + 1 : one->path.target, other_slash ? other_slash + 1 : other->path.target) == 0;
    }
    if (!same)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s and %s are the same file: give another name for one of them",
                       one->name, other->name);
}

static scree_status check_distinct(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++)
            SCREE_TRY(scree__atomic_distinct(files[j], files[i], error));
done:
    return status;
}

scree_status scree__atomic_publish(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    const scree_status status = check_distinct(files, count, error);
    return status == SCREE_OK ? commit_complete(files, count, error) : status;
}

scree_status scree__atomic_commit_all(scree__atomic_file *const *files, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(check_distinct(files, count, error));
    for (int64_t i = 0; i < count; i++)
        SCREE_TRY(complete(files[i], error));
    SCREE_TRY(scree__files_wait() ? scree__files_keep(files, count, error) : commit_complete(files, count, error));
done:
    return status;
}

scree_status scree__atomic_commit_at_once(scree__atomic_file *file, scree_error *error)
{
    const scree_status status = complete(file, error);
    return status == SCREE_OK ? commit_complete(&file, 1, error) : status;
}

scree_status scree__atomic_commit(scree__atomic_file *file, scree_error *error)
{
    return scree__atomic_commit_all(&file, 1, error);
}
