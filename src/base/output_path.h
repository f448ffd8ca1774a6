/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_OUTPUT_PATH_H
#define SCREE_BASE_OUTPUT_PATH_H

/* Where the name of an output leads. */

#include "base/error.h"

#include <sys/stat.h>

typedef struct scree__output_path {
    int descriptor; /* the path names this open descriptor; -1: it names a file */
    bool exists;
    struct stat about; /* where it exists */
    char *target;      /* a regular file or a free name, symbolic links followed; NULL: written straight through */
    char *folder;      /* of the target */
} scree__output_path;

/* Fails on folders, files that cannot be written, and links to places that cannot be reached. The caller frees what is
 * in out. */
scree_status scree__output_path_find(scree__output_path *out, const char *path, scree_error *error);
void scree__output_path_free(scree__output_path *path);

/* Everything before the last slash, to be freed; "." when there is none. */
char *scree__folder_of(const char *path);

#endif
