/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary files that leave nothing behind.
 *
 * A kill leaves the file, so each is recognisable, .scree-HOST-PID-START-COUNT.tmp, and held by flock while its process
 * lives: whoever can lock one has found garbage. The first temporary file that a process makes in a folder is preceded
 * by such a search. O_TMPFILE would not do without it, since a file that has no name cannot be renamed over another
 * one: it needs a name for a moment. Nothing that lives is removed:
 * - A file exists before it is locked. Its maker therefore looks, when it has the lock, whether the name still leads to
 *   the file, and takes another name if not: a searcher who was faster has removed it.
 * - Where another machine keeps the files, locks may be missing (flock then fails for the searcher, too, and nothing
 *   is removed), or known to one machine only: names of other hosts are left alone. Locks may also be those of the
 *   process, not of the open file: names that begin like one's own are left alone, too.
 * - Only regular files of one's own user are removed (root, who gives files back to their owners, may remove any), and
 *   symbolic links are not followed.
 * - A second name of somebody's file, .scree-….old, is not locked, for that would lock their file: it goes when there
 * is no process of its number any more. If all this were deceived, the commit of the other process would fail in a
 * sentence; no file could become wrong.
 *
 * A signal handler cannot ask who is writing, so every name stands in a table of atomic pointers before its file
 * exists. Whoever takes a pointer out of the table owns the name: the writer frees it, the handler unlinks it and
 * leaves the memory to the end of the process. A forked process leaves the files of its parent alone. */

#include "base/temporary_file.h"

#include "base/file_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { PREFIX_BYTES = 80, NAME_BYTES = 32, NAME_TRIES = 100, FOLDERS = 16, PATIENCE = 2000 /* milliseconds */ };

#define MARK ".scree-"
#define ENDING ".tmp"
#define LINK_ENDING ".old"

static _Atomic(char *) live_names[SCREE__TEMPORARY_MOST];
static _Atomic(char *) removed_names[SCREE__TEMPORARY_MOST]; /* a handler cannot free: these stay reachable */
static atomic_int committing;                                /* threads that do */
static atomic_int removing;                                  /* handlers that do, or wait to */

bool scree__temporary_commit_begin(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    atomic_fetch_add(&committing, 1);
    if (atomic_load(&removing) == 0)
        return true;
    scree__temporary_commit_end(before);
    return false;
}

void scree__temporary_commit_end(const sigset_t *before)
{
    atomic_fetch_sub(&committing, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* The number of the process that a file belongs to, by its name without the folder; 0: it has none. A handler may ask.
 */
static pid_t process_of(const char *name)
{
    const char *at = name + sizeof MARK "00000000-" - 1;
    pid_t number = 0;
    for (; *at >= '0' && *at <= '9' && number < INT_MAX / 10; at++)
        number = 10 * number + (*at - '0');
    return *at == '-' ? number : 0;
}

/* Whether the file is of this process, not of the one that it was forked from. */
static bool is_own(const char *path)
{
    return process_of(strrchr(path, '/') + 1) == getpid();
}

/* The thread that commits takes no signals, so this one is another, and waits for a few renames: not for ever, since a
 * thread that was committing when this process was forked is not here to say that it has. */
void scree__temporary_remove_all(void)
{
    const int saved = errno;
    atomic_fetch_add(&removing, 1);
    for (int i = 0; i < PATIENCE && atomic_load(&committing) > 0; i++)
        poll(NULL, 0, 1);
    for (int i = 0; i < SCREE__TEMPORARY_MOST; i++) {
        char *name = atomic_exchange(&live_names[i], NULL);
        if (name) {
            if (is_own(name))
                unlink(name);
            atomic_store(&removed_names[i], name);
        }
    }
    atomic_fetch_sub(&removing, 1);
    errno = saved;
}

static int enter_name(char *name)
{
    for (int i = 0; i < SCREE__TEMPORARY_MOST; i++) {
        char *expected = NULL;
        if (atomic_compare_exchange_strong(&live_names[i], &expected, name))
            return i;
    }
    return -1;
}

/* Takes the name out of the table and frees it, unless a handler was faster and has it now. */
void scree__temporary_forget(scree__temporary *file)
{
    char *expected = file->name;
    if (file->slot < 0 || atomic_compare_exchange_strong(&live_names[file->slot], &expected, NULL))
        free(file->name);
    file->name = NULL;
    file->slot = -1;
}

void scree__temporary_remove(scree__temporary *file)
{
    if (file->name) {
        if (is_own(file->name))
            unlink(file->name);
        scree__temporary_forget(file);
    }
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* When this process made its first temporary file, in nanoseconds: with its number, a name for it. */
static uint64_t start_of_process(void)
{
    static _Atomic uint64_t start;
    struct timespec now = {0};
    uint64_t known = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t mine = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) | 1u;
    return atomic_compare_exchange_strong(&start, &known, mine) ? mine : known;
}

/* What all names of this host begin with; returns its length. */
static int write_host(char prefix[PREFIX_BYTES])
{
    struct utsname about = {0};
    uint32_t hash = 2166136261u; /* FNV-1a: names of hosts may be long */
    (void)uname(&about);
    for (const char *at = about.nodename; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return snprintf(prefix, PREFIX_BYTES, MARK "%08" PRIx32 "-", hash);
}

/* What all names of this process begin with. */
static void write_prefix(char prefix[PREFIX_BYTES])
{
    const int length = write_host(prefix);
    snprintf(prefix + length, (size_t)(PREFIX_BYTES - length), "%ld-%" PRIx64 "-", (long)getpid(), start_of_process());
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Removes what nobody holds. It is opened for writing, since file systems that lock ranges of bytes want that. */
static void remove_unheld(int folder, const char *name, const struct stat *named)
{
    struct stat opened;
    const int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 && is_same(named, &opened))
        (void)unlinkat(folder, name, 0);
    close(fd);
}

static void remove_stale(int folder, const char *name)
{
    struct stat named;
    if (fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(named.st_mode) ||
        (named.st_uid != geteuid() && geteuid() != 0))
        return;
    if (ends_with(name, ENDING))
        remove_unheld(folder, name, &named);
    else if (ends_with(name, LINK_ENDING) && kill(process_of(name), 0) != 0 && errno == ESRCH)
        (void)unlinkat(folder, name, 0);
}

/* Whether this process has searched the folder before; if not, it has now. The last folders are remembered. */
static bool was_searched(int folder)
{
    static _Atomic uint64_t searched[FOLDERS];
    struct stat about;
    if (fstat(folder, &about) != 0)
        return true;
    const uint64_t key = ((uint64_t)about.st_dev << 40) ^ (uint64_t)about.st_ino;
    return atomic_exchange(&searched[key % FOLDERS], key) == key;
}

static void remove_stale_files(const char *folder)
{
    char host[PREFIX_BYTES];
    char own[PREFIX_BYTES];
    DIR *list = opendir(folder);
    if (!list)
        return;
    write_host(host);
    write_prefix(own);
    if (!was_searched(dirfd(list)))
        for (const struct dirent *entry; (entry = readdir(list));)
            if (begins_with(entry->d_name, host) && !begins_with(entry->d_name, own))
                remove_stale(dirfd(list), entry->d_name);
    closedir(list);
}

/* A free name, entered in the table before its file is made. */
static int take_name(scree__temporary *file, const char *folder, const char *ending)
{
    static atomic_uint counter;
    char prefix[PREFIX_BYTES];
    write_prefix(prefix);
    const size_t size = strlen(folder) + sizeof prefix + NAME_BYTES;
    file->name = malloc(size);
    if (!file->name)
        return ENOMEM;
    snprintf(file->name, size, "%s/%s%u%s", folder, prefix, atomic_fetch_add(&counter, 1u), ending);
    file->slot = enter_name(file->name);
    if (file->slot >= 0)
        return 0;
    scree__temporary_forget(file);
    return EUSERS;
}

/* Whether the name still stands in the table. A handler that took it before its file was made unlinked nothing, and
 * nobody would unlink the file. */
static bool is_entered(const scree__temporary *file)
{
    return atomic_load(&live_names[file->slot]) == file->name;
}

/* Whether the open file is still the one that has the name, and nobody else's to remove. */
static bool is_held(const scree__temporary *file)
{
    struct stat named;
    struct stat opened;
    if (!is_entered(file))
        return false;
    if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(file->fd, &opened) == 0 && lstat(file->name, &named) == 0 && is_same(&named, &opened);
}

int scree__temporary_make(scree__temporary *out, const char *folder, mode_t mode)
{
    int reason = EEXIST;
    remove_stale_files(folder);
    for (int i = 0; i < NAME_TRIES && reason == EEXIST; i++) {
        scree__temporary file = SCREE__TEMPORARY_INIT;
        reason = take_name(&file, folder, ENDING);
        if (reason != 0)
            break;
        file.fd = scree__call_open(file.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file.fd >= 0 && is_held(&file)) {
            *out = file;
            return 0;
        }
        reason = file.fd >= 0 ? EEXIST : errno;
        if (file.fd >= 0)
            scree__temporary_remove(&file);
        else
            scree__temporary_forget(&file);
    }
    return reason;
}

int scree__temporary_link(scree__temporary *out, const char *folder, const char *path)
{
    scree__temporary file = SCREE__TEMPORARY_INIT;
    int reason = take_name(&file, folder, LINK_ENDING);
    if (reason == 0 && link(path, file.name) != 0) {
        reason = errno;
        scree__temporary_forget(&file);
    }
    if (reason == 0 && !is_entered(&file)) {
        reason = EINTR;
        scree__temporary_remove(&file);
    }
    if (reason == 0)
        *out = file;
    return reason;
}
