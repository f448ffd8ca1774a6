/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ZIP_H
#define SCREE_DATA_ZIP_H

/* Zip archives, as far as NumPy writes them: members that are stored or deflated, larger than 4 GiB where they must be
 * (zip64), neither encrypted nor in several files. */

#include "data/bytes.h"

typedef struct scree__zip_member {
    char *name;
    int method; /* SCREE__ZIP_STORED or SCREE__ZIP_DEFLATED are read */
    uint32_t crc;
    int64_t packed; /* bytes in the archive */
    int64_t size;   /* of the content */
    int64_t offset; /* of its own header */
} scree__zip_member;

enum { SCREE__ZIP_STORED = 0, SCREE__ZIP_DEFLATED = 8 };

/* Zeroed: nothing yet. */
typedef struct scree__zip {
    scree__zip_member *members;
    int64_t count;
} scree__zip;

/* Which members there are, by the directory at the end of a plain file. Sizes are at most what the bytes that are there
 * can hold. */
scree_status scree__zip_read(scree__zip *zip, const scree__bytes *bytes, scree_error *error);

/* The content of a member, as a file of its own that is called ARCHIVE:MEMBER without the .npy: stored content can be
 * sought in. */
scree_status scree__zip_open(scree__bytes **out, const scree__bytes *bytes, const scree__zip_member *member,
                             scree_error *error);

void scree__zip_clear(scree__zip *zip);

#endif
