/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARRAY_H
#define SCREE_DATA_ARRAY_H

/* A file that is a header and then one array of numbers: what NPY and IDX have in common. */

#include "data/bytes.h"
#include "data/elements.h"
#include "data/source.h"

enum { SCREE__MAX_DIMENSIONS = 32 };

typedef struct scree__layout {
    const char *format; /* for messages: "NPY" */
    scree__element element;
    int64_t offset; /* of the first element */
    int dimensions; /* at least 1; the first counts rows, the others are flattened into columns, the last fastest */
    int64_t shape[SCREE__MAX_DIMENSIONS];
    bool column_major; /* Fortran order: the first dimension fastest */
    bool open;         /* how many rows there are shows at the end: shape[0] is as many as there may be */
} scree__layout;

/* The next size bytes of a header, of which the bytes before offset are read; an error when the file ends inside. */
scree_status scree__array_head(scree__bytes *bytes, void *to, int64_t size, int64_t offset, const char *format,
                               scree_error *error);

/* The bytes stand at the first element, and belong to the source on success. Checks that the file has the size that
 * the layout announces, now for plain files, when the end is reached for others. */
scree_status scree__array_open(scree_source **out, scree__bytes *bytes, const scree__layout *layout,
                               const scree_read_options *options, scree_error *error);

#endif
