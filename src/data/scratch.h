/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SCRATCH_H
#define SCREE_DATA_SCRATCH_H

/* A file for what memory does not hold, in $TMPDIR, /var/tmp or /tmp; it goes with its owner. */

#include "base/error.h"
#include "base/temporary_file.h"

typedef struct scree__scratch {
    scree__temporary temporary;
    const char *file; /* whose rows they are, for messages; lent */
    const char *why;  /* "turning its columns into rows" */
    int64_t size;     /* bytes written */
} scree__scratch;

/* clang-format off */
#define SCREE__SCRATCH_INIT {SCREE__TEMPORARY_INIT, NULL, NULL, 0}
/* clang-format on */

scree_status scree__scratch_open(scree__scratch *scratch, const char *file, const char *why, scree_error *error);
/* At its end. */
scree_status scree__scratch_write(scree__scratch *scratch, const void *from, int64_t size, scree_error *error);
/* All that read gives, as scree__bytes_read does. */
scree_status scree__scratch_fill(scree__scratch *scratch,
                                 scree_status (*read)(void *context, void *to, int64_t size, int64_t *got,
                                                      scree_error *error),
                                 void *context, scree_error *error);
/* All of size bytes from offset on. */
scree_status scree__scratch_read(const scree__scratch *scratch, void *to, int64_t size, int64_t offset,
                                 scree_error *error);
bool scree__scratch_is_open(const scree__scratch *scratch);
void scree__scratch_close(scree__scratch *scratch); /* safe on one that is not open, or zeroed */

#endif
