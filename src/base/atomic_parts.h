/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_ATOMIC_PARTS_H
#define SCREE_BASE_ATOMIC_PARTS_H

/* What atomic_file.c, which opens and writes, and atomic_commit.c share. */

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "base/temporary_file.h"

struct scree__atomic_file {
    int fd;
    char *name; /* for messages */
    scree__output_path path;
    scree__temporary temporary; /* without a name: written straight through, or renamed */
    scree__temporary old;       /* a second name of the file that is replaced, while several are renamed */
    bool appends;               /* what is written is added to the file of that name */
    bool is_new;                /* no file is replaced */
    bool is_renamed;
    bool is_waiting; /* complete, and held_files.c has it */
    unsigned char *buffer;
    int64_t held;    /* bytes in the buffer */
    int64_t written; /* bytes handed to the system */
};

/* Renames complete files, all of them or none. */
scree_status scree__atomic_publish(scree__atomic_file *const *files, int64_t count, scree_error *error);
scree_status scree__atomic_fail_write(const scree__atomic_file *file, int reason, scree_error *error);

#endif
