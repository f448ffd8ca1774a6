/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_TEMPORARY_FILE_H
#define SCREE_BASE_TEMPORARY_FILE_H

/* A file with a name that nobody else uses, in the folder of the file that it will become. It goes with its process,
 * however that ends: by scree__temporary_remove, by a signal's handler, or, after a kill, by the next process that
 * makes a temporary file in that folder. */

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct scree__temporary {
    int fd;     /* -1: not open */
    char *name; /* NULL: there is none */
    int slot;   /* in the table of live names */
} scree__temporary;

/* clang-format off */
#define SCREE__TEMPORARY_INIT {-1, NULL, -1}
/* clang-format on */

enum { SCREE__TEMPORARY_MOST = 256 }; /* at a time in a process */

/* Makes an empty file in the folder, open for reading and writing, with the rights of mode as open takes them. Returns
 * 0 or the errno of what failed; EUSERS: SCREE__TEMPORARY_MOST are in use. */
int scree__temporary_make(scree__temporary *out, const char *folder, mode_t mode);

/* The file at path under a second name in the folder, not open. Returns 0 or errno: not every file system can. */
int scree__temporary_link(scree__temporary *out, const char *folder, const char *path);

/* The name is that of no file any more: it was renamed. The file stays open. */
void scree__temporary_forget(scree__temporary *file);

/* Closes and removes it, unless it was renamed. Safe on one that was not made. */
void scree__temporary_remove(scree__temporary *file);

/* Removes the files of all live names; async-signal-safe. Waits until nobody commits. */
void scree__temporary_remove_all(void);

/* Between these two calls, files get their names: no signal interrupts the thread, and scree__temporary_remove_all
 * waits. False: the latter is at work, and nothing was begun. before: what signals were blocked. */
bool scree__temporary_commit_begin(sigset_t *before);
void scree__temporary_commit_end(const sigset_t *before);

#endif
