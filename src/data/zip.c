/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip (PKWARE's APPNOTE, 4.3): a record at the end says where the directory is, which has a line for each member; each
 * member has a header of its own before its content, whose lengths alone matter. With zip64, numbers of 32 bits that
 * are all ones stand in an extra field or record instead. Whatever a number says, nothing is believed that reaches past
 * the file, and a deflated content is at most 1032 times its size there. The directory is read whole: its size is that
 * of bytes that are in the file. */

#include "data/zip.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    END_BYTES = 22,
    LOCATOR_BYTES = 20,
    END64_BYTES = 56,
    LINE_BYTES = 46,
    HEADER_BYTES = 30,
    COMMENT_BYTES = 1 << 16,
    DEFLATE_RATIO = 1032,
    DEFLATE_MORE = 64
};

static const uint32_t end_mark = 0x06054b50;
static const uint32_t locator_mark = 0x07064b50;
static const uint32_t end64_mark = 0x06064b50;
static const uint32_t line_mark = 0x02014b50;
static const uint32_t header_mark = 0x04034b50;
static const int64_t in_extra = 0xFFFFFFFF;

/* A number of some bytes, little-endian; of 8 bytes beyond 2^63 - 1 it is negative. */
static int64_t number(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | from[i];
    return (int64_t)value;
}

static bool is_mark(const unsigned char *from, uint32_t mark)
{
    return number(from, 4) == (int64_t)mark;
}

static scree_status fail_damaged(const scree__bytes *bytes, const char *what, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: the zip archive is damaged or truncated, %s: copy it again",
                       scree__bytes_name(bytes), what);
}

/* All of so many bytes. */
static scree_status read_at(const scree__bytes *bytes, void *to, int64_t offset, int64_t size, const char *what,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    if (offset < 0 || size < 0 || offset > scree__bytes_size(bytes) - size)
        return fail_damaged(bytes, what, error);
    SCREE_TRY(scree__bytes_read_at(bytes, to, offset, size, &got, error));
    if (got < size)
        SCREE_TRY(fail_damaged(bytes, what, error));
done:
    return status;
}

typedef struct directory {
    int64_t count;
    int64_t size;
    int64_t offset;
} directory;

/* The record of zip64 before the end, where there is one. */
static scree_status look_for_large(const scree__bytes *bytes, int64_t end, directory *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char locator[LOCATOR_BYTES];
    unsigned char record[END64_BYTES];
    if (end < LOCATOR_BYTES)
        return SCREE_OK;
    SCREE_TRY(read_at(bytes, locator, end - LOCATOR_BYTES, LOCATOR_BYTES, "its end is missing", error));
    if (!is_mark(locator, locator_mark))
        return SCREE_OK;
    SCREE_TRY(read_at(bytes, record, number(locator + 8, 8), END64_BYTES, "its last record is missing", error));
    if (!is_mark(record, end64_mark))
        SCREE_TRY(fail_damaged(bytes, "its last record is missing", error));
    *found = (directory){number(record + 32, 8), number(record + 40, 8), number(record + 48, 8)};
done:
    return status;
}

/* Where the directory is, by the record at the end, behind which there may be a comment. */
static scree_status find_directory(const scree__bytes *bytes, directory *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = scree__bytes_size(bytes);
    const int64_t look = size < COMMENT_BYTES + END_BYTES ? size : COMMENT_BYTES + END_BYTES;
    unsigned char *tail = scree__alloc_raw(look + 1, 1);
    if (!tail)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    SCREE_TRY(read_at(bytes, tail, size - look, look, "its end is missing", error));
    int64_t at = look - END_BYTES;
    while (at >= 0 && !is_mark(tail + at, end_mark))
        at--;
    if (at < 0)
        SCREE_TRY(fail_damaged(bytes, "its end is missing", error));
    *found = (directory){number(tail + at + 10, 2), number(tail + at + 12, 4), number(tail + at + 16, 4)};
    SCREE_TRY(look_for_large(bytes, size - look + at, found, error));
    if (found->count < 0 || found->size < 0 || found->count > found->size / LINE_BYTES)
        SCREE_TRY(fail_damaged(bytes, "its directory is shorter than it says", error));
done:
    free(tail);
    return status;
}

/* Numbers that are all ones, from the extra fields of a line. */
static bool take_extra(const unsigned char *extra, int64_t size, scree__zip_member *m)
{
    int64_t *const large[] = {&m->size, &m->packed, &m->offset};
    while (size >= 4) {
        const int64_t length = number(extra + 2, 2);
        if (length > size - 4)
            return false;
        if (number(extra, 2) == 1) {
            int64_t at = 0;
            for (int i = 0; i < 3; i++) {
                if (*large[i] != in_extra)
                    continue;
                if (at + 8 > length)
                    return false;
                *large[i] = number(extra + 4 + at, 8);
                at += 8;
            }
            return true;
        }
        extra += 4 + length;
        size -= 4 + length;
    }
    return true;
}

/* One line of the directory; *at moves to the next. */
static scree_status take_line(const scree__bytes *bytes, const unsigned char *lines, int64_t size, int64_t *at,
                              scree__zip_member *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const unsigned char *line = lines + *at;
    if (size - *at < LINE_BYTES || !is_mark(line, line_mark))
        return fail_damaged(bytes, "a line of its directory is none", error);
    const int64_t name = number(line + 28, 2);
    const int64_t extra = number(line + 30, 2);
    const int64_t all = LINE_BYTES + name + extra + number(line + 32, 2);
    if (all > size - *at)
        return fail_damaged(bytes, "a line of its directory is cut", error);
    *m = (scree__zip_member){.method = (int)number(line + 10, 2),
                             .crc = (uint32_t)number(line + 16, 4),
                             .packed = number(line + 20, 4),
                             .size = number(line + 24, 4),
                             .offset = number(line + 42, 4)};
    if (!take_extra(line + LINE_BYTES + name, extra, m) || m->packed < 0 || m->size < 0 || m->offset < 0 ||
        m->packed > scree__bytes_size(bytes) ||
        (m->method == SCREE__ZIP_STORED ? m->size != m->packed : m->size > DEFLATE_RATIO * m->packed + DEFLATE_MORE))
        return fail_damaged(bytes, "a member has an impossible size", error);
    if ((number(line + 8, 2) & 1) != 0)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: the zip archive is encrypted: write it again without",
                           scree__bytes_name(bytes));
    SCREE_ALLOC(m->name, name + 1, error);
    memcpy(m->name, line + LINE_BYTES, (size_t)name);
    *at += all;
done:
    return status;
}

scree_status scree__zip_read(scree__zip *zip, const scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    directory found = {0};
    unsigned char *lines = NULL;
    int64_t at = 0;
    SCREE_TRY(find_directory(bytes, &found, error));
    if (found.size > scree__bytes_size(bytes))
        SCREE_TRY(fail_damaged(bytes, "its directory is longer than the file", error));
    SCREE_ALLOC(zip->members, found.count, error);
    SCREE_ALLOC(lines, found.size + 1, error);
    SCREE_TRY(read_at(bytes, lines, found.offset, found.size, "its directory is not where it should be", error));
    for (; zip->count < found.count; zip->count++)
        SCREE_TRY(take_line(bytes, lines, found.size, &at, &zip->members[zip->count], error));
done:
    free(lines);
    return status;
}

/* "archive.npz:x" */
static char *name_of(const scree__bytes *bytes, const scree__zip_member *member)
{
    const size_t length = strlen(member->name);
    const size_t shown = length > 4 && strcmp(member->name + length - 4, ".npy") == 0 ? length - 4 : length;
    const size_t size = strlen(scree__bytes_name(bytes)) + shown + 2;
    char *name = scree__alloc((int64_t)size, 1);
    if (name)
        snprintf(name, size, "%s:%.*s", scree__bytes_name(bytes), (int)shown, member->name);
    return name;
}

scree_status scree__zip_open(scree__bytes **out, const scree__bytes *bytes, const scree__zip_member *member,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char header[HEADER_BYTES];
    char *name = name_of(bytes, member);
    if (!name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    if (member->method != SCREE__ZIP_STORED && member->method != SCREE__ZIP_DEFLATED)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is compressed by method %d of zip, and stored and deflated members are read; write it again "
                   "with numpy.savez",
                   name, member->method);
    SCREE_TRY(read_at(bytes, header, member->offset, HEADER_BYTES, "a member is not where it should be", error));
    const int64_t offset = member->offset + HEADER_BYTES + number(header + 26, 2) + number(header + 28, 2);
    if (!is_mark(header, header_mark) || offset > scree__bytes_size(bytes) - member->packed)
        SCREE_TRY(fail_damaged(bytes, "a member is not where it should be", error));
    if (member->size == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: is empty: write the archive again", name);
    const scree__bytes_piece piece = {.offset = offset,
                                      .size = member->packed,
                                      .deflated = member->method == SCREE__ZIP_DEFLATED,
                                      .crc = member->crc,
                                      .content = member->size};
    SCREE_TRY(scree__bytes_open_piece(out, bytes, &piece, name, error));
done:
    free(name);
    return status;
}

void scree__zip_clear(scree__zip *zip)
{
    for (int64_t i = 0; i < zip->count; i++)
        free(zip->members[i].name);
    free(zip->members);
    *zip = (scree__zip){0};
}
