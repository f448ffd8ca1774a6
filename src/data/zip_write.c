/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip out (PKWARE's APPNOTE, 4.3 to 4.5): each member has a header, written when it begins and again when its size and
 * check sum are known, so that a reader needs nothing that stands behind the content. Headers have the sizes of 64
 * bits, as NumPy's own do; lines of the directory and the record at the end only where 32 bits do not hold them. The
 * check sum of a member is that of its NPY header, as it ends up, and of the rest, combined. Dates are 1980-01-01, as
 * NumPy's are: the same rows make the same bytes. */

#include "data/zip_write.h"

#include <string.h>
#include <zlib.h>

enum {
    HEADER_BYTES = 30,
    HEADER_EXTRA = 20, /* its mark and length, both sizes */
    LINE_BYTES = 46,
    LINE_EXTRA = 28, /* its mark and length, both sizes, the offset */
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    END_BYTES = 22,
    NAME_BYTES = 64,
    VERSION = 20,
    VERSION64 = 45,
    DATE = 1 << 5 | 1
};

static const int64_t in_extra = 0xFFFFFFFF;

/* Bytes that are put one number after the other, little-endian. */
typedef struct record {
    unsigned char bytes[END64_BYTES + LOCATOR_BYTES + END_BYTES + NAME_BYTES];
    int64_t size;
} record;

static void add(record *to, int64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to->bytes[to->size++] = (unsigned char)(i < 8 ? (uint64_t)value >> (8 * i) : 0);
}

static void add_name(record *to, const char *name)
{
    const size_t length = strlen(name);
    memcpy(to->bytes + to->size, name, length);
    to->size += (int64_t)length;
}

static int64_t or_extra(int64_t value)
{
    return value < in_extra ? value : in_extra;
}

static scree_status put_record(scree__zip_writer *zip, const record *from, scree_error *error)
{
    zip->written += from->size;
    return scree__atomic_write(zip->file, from->bytes, from->size, error);
}

static record header_of(const scree__zip_written *member)
{
    record header = {.size = 0};
    add(&header, 0x04034b50, 4);
    add(&header, VERSION64, 2);
    add(&header, 0, 2 + 2 + 2); /* flags; stored; the time */
    add(&header, DATE, 2);
    add(&header, (int64_t)member->crc, 4);
    add(&header, in_extra, 4);
    add(&header, in_extra, 4);
    add(&header, (int64_t)strlen(member->name), 2);
    add(&header, HEADER_EXTRA, 2);
    add_name(&header, member->name);
    add(&header, 1, 2);
    add(&header, HEADER_EXTRA - 4, 2);
    add(&header, member->size, 8);
    add(&header, member->size, 8);
    return header;
}

scree_status scree__zip_begin(scree__zip_writer *zip, const char *name, scree_error *error)
{
    static const char nothing[SCREE__NPY_HEADER_BYTES];
    scree_status status = SCREE_OK;
    scree__zip_written *member = &zip->members[zip->count];
    *member = (scree__zip_written){.name = name, .offset = zip->written, .crc = crc32_z(0, NULL, 0)};
    const record header = header_of(member);
    SCREE_TRY(put_record(zip, &header, error));
    SCREE_TRY(scree__atomic_write(zip->file, nothing, sizeof nothing, error));
    zip->written += (int64_t)sizeof nothing;
    zip->count++;
done:
    return status;
}

scree_status scree__zip_put(scree__zip_writer *zip, const void *data, int64_t size, scree_error *error)
{
    scree__zip_written *member = &zip->members[zip->count - 1];
    member->crc = size > 0 ? crc32_z(member->crc, data, (size_t)size) : member->crc;
    member->size += size;
    zip->written += size;
    return scree__atomic_write(zip->file, data, size, error);
}

scree_status scree__zip_end(scree__zip_writer *zip, const char header[SCREE__NPY_HEADER_BYTES], scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__zip_written *member = &zip->members[zip->count - 1];
    const unsigned long front = crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)header, SCREE__NPY_HEADER_BYTES);
    member->crc = crc32_combine(front, member->crc, (z_off_t)member->size);
    member->size += SCREE__NPY_HEADER_BYTES;
    const record own = header_of(member);
    SCREE_TRY(scree__atomic_patch(zip->file, member->offset, own.bytes, own.size, error));
    SCREE_TRY(scree__atomic_patch(zip->file, member->offset + own.size, header, SCREE__NPY_HEADER_BYTES, error));
done:
    return status;
}

static record line_of(const scree__zip_written *member)
{
    const bool is_large = member->size >= in_extra || member->offset >= in_extra;
    record line = {.size = 0};
    add(&line, 0x02014b50, 4);
    add(&line, VERSION64, 2);
    add(&line, is_large ? VERSION64 : VERSION, 2);
    add(&line, 0, 2 + 2 + 2); /* flags; stored; the time */
    add(&line, DATE, 2);
    add(&line, (int64_t)member->crc, 4);
    add(&line, is_large ? in_extra : member->size, 4);
    add(&line, is_large ? in_extra : member->size, 4);
    add(&line, (int64_t)strlen(member->name), 2);
    add(&line, is_large ? LINE_EXTRA : 0, 2);
    add(&line, 0, 2 + 2 + 2 + 4); /* no comment, one file, attributes */
    add(&line, is_large ? in_extra : member->offset, 4);
    add_name(&line, member->name);
    if (is_large) {
        add(&line, 1, 2);
        add(&line, LINE_EXTRA - 4, 2);
        add(&line, member->size, 8);
        add(&line, member->size, 8);
        add(&line, member->offset, 8);
    }
    return line;
}

/* What tells where a directory is that lies beyond 4 GiB. */
static void add_large_end(record *to, const scree__zip_writer *zip, int64_t directory)
{
    add(to, 0x06064b50, 4);
    add(to, END64_BYTES - 12, 8);
    add(to, VERSION64, 2);
    add(to, VERSION64, 2);
    add(to, 0, 4 + 4); /* of one file */
    add(to, zip->count, 8);
    add(to, zip->count, 8);
    add(to, zip->written - directory, 8);
    add(to, directory, 8);
    add(to, 0x07064b50, 4);
    add(to, 0, 4);
    add(to, zip->written, 8);
    add(to, 1, 4);
}

scree_status scree__zip_finish(scree__zip_writer *zip, scree_error *error)
{
    scree_status status = SCREE_OK;
    record end = {.size = 0};
    const int64_t directory = zip->written;
    for (int64_t i = 0; i < zip->count; i++) {
        const record line = line_of(&zip->members[i]);
        SCREE_TRY(put_record(zip, &line, error));
    }
    if (directory >= in_extra)
        add_large_end(&end, zip, directory);
    add(&end, 0x06054b50, 4);
    add(&end, 0, 2 + 2); /* of one file */
    add(&end, zip->count, 2);
    add(&end, zip->count, 2);
    add(&end, zip->written - directory, 4);
    add(&end, or_extra(directory), 4);
    add(&end, 0, 2); /* no comment */
    SCREE_TRY(put_record(zip, &end, error));
done:
    return status;
}
