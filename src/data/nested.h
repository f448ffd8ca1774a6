/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_NESTED_H
#define SCREE_DATA_NESTED_H

/* Files that hold several parts: which one is meant, by options.dataset or as FILE:PART. */

#include "data/formats.h"

/* A path, taken apart. Zeroed: nothing yet. */
typedef struct scree__nested {
    const char *file; /* to be opened */
    const char *part; /* NULL: none is named */
    char *own;        /* memory of both, where the path names a part */
} scree__nested;

/* A path that is no file's name, but is one up to a colon, names a part of that file: the longest such name. */
scree_status scree__nested_split(scree__nested *nested, const char *path, const scree_read_options *options,
                                 scree_error *error);
/* Fails where a part is named, and the format knows none. */
scree_status scree__nested_check(const scree__nested *nested, const scree__reader *reader, scree_error *error);
void scree__nested_clear(scree__nested *nested);

#endif
