/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_DESCRIPTOR_H
#define SCREE_DATA_DESCRIPTOR_H

/* An open file descriptor that is read whole pieces at a time, with errors in sentences. Plain files are read by
 * position, so that several may share one descriptor; pipes are read as they come. */

#include "base/error.h"

typedef struct scree__descriptor {
    int fd;        /* -1: not open */
    char *name;    /* for messages: the path, or "standard input" */
    bool regular;  /* a plain file: it has a size and positions */
    int64_t start; /* where its content begins: standard input may have been read from already */
    int64_t size;  /* from start; -1: not known */
    bool standard; /* standard input */
    bool part;     /* it ends after size bytes, whatever follows */
    int64_t at;    /* bytes from start that are read */
    bool ended;    /* live.h: nothing follows */
    bool cut;      /* by scree_input_stop: what was read last may be part of a row */
} scree__descriptor;

/* "-" is standard input. A missing file and a folder are errors. Close it also when this failed. */
scree_status scree__descriptor_open(scree__descriptor *descriptor, const char *path, scree_error *error);

/* Up to size bytes from where it stands; *got is less than size only at the end. */
scree_status scree__descriptor_read(scree__descriptor *descriptor, void *buffer, int64_t size, int64_t *got,
                                    scree_error *error);

/* A second one over the same plain file, with a position of its own, at the start. */
scree_status scree__descriptor_share(scree__descriptor *out, const scree__descriptor *descriptor, scree_error *error);

void scree__descriptor_close(scree__descriptor *descriptor);

#endif
