/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ZIP_WRITE_H
#define SCREE_DATA_ZIP_WRITE_H

/* Zip archives of NPY files, as NumPy reads them: members that are stored, one after the other, of any size, into a
 * file that can be changed. A member begins with an NPY header, which is written again at its end, for only then it is
 * known how many rows there are. */

#include "base/atomic_file.h"
#include "data/npy_header.h"

enum { SCREE__ZIP_MOST = 8 };

typedef struct scree__zip_written {
    const char *name; /* with .npy; lent */
    int64_t offset;   /* of its own header */
    int64_t size;     /* of the content; while it is written: less the NPY header */
    unsigned long crc;
} scree__zip_written;

/* Zeroed but for the file: nothing yet. */
typedef struct scree__zip_writer {
    scree__atomic_file *file; /* lent */
    int64_t written;          /* bytes */
    int64_t count;
    scree__zip_written members[SCREE__ZIP_MOST];
} scree__zip_writer;

/* A member begins; name lives as long as the writer. */
scree_status scree__zip_begin(scree__zip_writer *zip, const char *name, scree_error *error);
/* Content of the member that has begun. */
scree_status scree__zip_put(scree__zip_writer *zip, const void *data, int64_t size, scree_error *error);
/* It is complete, with this in front. */
scree_status scree__zip_end(scree__zip_writer *zip, const char header[SCREE__NPY_HEADER_BYTES], scree_error *error);
/* All of them are there: the directory. */
scree_status scree__zip_finish(scree__zip_writer *zip, scree_error *error);

#endif
