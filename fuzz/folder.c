/* SPDX-License-Identifier: BSD-3-Clause */
/* Two folders: `kept` has the files, `work` a link to each of them. Commands replace files by renaming, so what is kept
 * stays as it is, whatever they do to the links. */

#define _GNU_SOURCE /* nftw */

#include "folder.h"

#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[PATH_MAX - 300];
static char kept[PATH_MAX];
static char work[PATH_MAX];
static int home = -1;
static pid_t owner;

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_all(void)
{
    if (getpid() == owner)
        remove_tree(top);
}

static void make(void (*prepare)(void))
{
    const char *parent = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/scree-fuzz-XXXXXX", parent && *parent ? parent : "/tmp");
    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fuzz_require(home >= 0 && mkdtemp(top) != NULL, "a folder can be made in TMPDIR");
    owner = getpid();
    atexit(remove_all);
    snprintf(kept, sizeof kept, "%s/kept", top);
    snprintf(work, sizeof work, "%s/work", top);
    fuzz_require(mkdir(kept, 0700) == 0 && chdir(kept) == 0, "a folder can be made in TMPDIR");
    prepare();
}

static void link_all(void)
{
    char from[PATH_MAX + NAME_MAX + 2];
    char to[PATH_MAX + NAME_MAX + 2];
    DIR *folder = opendir(kept);
    for (const struct dirent *entry = NULL; folder && (entry = readdir(folder));) {
        snprintf(from, sizeof from, "%s/%s", kept, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", work, entry->d_name);
        if (entry->d_name[0] != '.' && link(from, to) != 0)
            fuzz_require(0, "a file can be linked");
    }
    if (folder)
        closedir(folder);
}

void fuzz_folder_enter(void (*prepare)(void))
{
    if (home < 0)
        make(prepare);
    remove_tree(work);
    fuzz_require(mkdir(work, 0700) == 0, "a folder can be made in TMPDIR");
    link_all();
    fuzz_require(chdir(work) == 0, "the folder can be entered");
}

void fuzz_folder_leave(void)
{
    fuzz_require(fchdir(home) == 0, "the folder can be left");
}
