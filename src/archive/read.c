/* SPDX-License-Identifier: BSD-3-Clause */
/* The head and the index of an archive, read and checked. Where the index is damaged and the rows shall be saved all
 * the same, frames are found one behind the other; of those that the index names, the damaged ones are told apart by
 * their checksums. */

#include "archive/archive_source.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HEAD = 1 << 30 };

static scree_status fail_head(const scree__bytes *bytes, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: the head of this archive is damaged, without which no row can be read: copy the file again",
                       scree__bytes_name(bytes));
}

static scree_status fail_end(const scree__bytes *bytes, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: the index of this archive is damaged or missing, and its rows may be whole: copy the file "
                       "again",
                       scree__bytes_name(bytes));
}

static scree_status fail_memory(const scree__bytes *bytes, const char *what, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for %s", scree__bytes_name(bytes), what);
}

/* Its columns are more than may be read. */
static scree_status fail_wide(scree__budget *budget, const scree__bytes *bytes, const scree__head *head,
                              scree_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "the model and names of %" PRId64 " columns", head->code.cols);
    return scree__budget_check(budget, head->code.refused, scree__bytes_name(bytes), what, error);
}

/* From the start of the file to its first frame, whose place is *end; *head may be NULL. */
static scree_status read_head(scree__bytes *bytes, int64_t file_size, scree__head *head, int64_t *end,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char fixed[SCREE__HEAD_FIXED];
    unsigned char *data = NULL;
    int64_t got = 0;
    scree__budget *budget = scree__bytes_budget(bytes);
    SCREE_TRY(scree__bytes_read(bytes, fixed, sizeof fixed, &got, error));
    if (got < (int64_t)sizeof fixed || memcmp(fixed, scree__archive_magic, sizeof scree__archive_magic) != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not an archive of scree, or its first bytes are damaged: give one that scree made",
                   scree__bytes_name(bytes));
    scree__unpack start = {fixed + sizeof scree__archive_magic, 8, false};
    const uint32_t version = scree__unpack_u32(&start);
    const int64_t size = scree__unpack_u32(&start);
    if (size > MOST_HEAD || (file_size >= 0 && size > file_size))
        SCREE_TRY(fail_head(bytes, error));
    SCREE_TRY(scree__budget_check(budget, size + 4, scree__bytes_name(bytes), "its head", error));
    SCREE_ALLOC(data, size + 4, error);
    SCREE_TRY(scree__bytes_read(bytes, data, size + 4, &got, error));
    scree__unpack sum = {data + size, 4, false};
    const uint32_t found = scree__checksum(scree__checksum(0, fixed, sizeof fixed), data, size);
    if (got < size + 4 || scree__unpack_u32(&sum) != found)
        SCREE_TRY(fail_head(bytes, error));
    if (version < 1 || version > SCREE__ARCHIVE_VERSION)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is an archive of version %" PRIu32 ", and versions up to %d are known: use a newer scree",
                   scree__bytes_name(bytes), version, SCREE__ARCHIVE_VERSION);
    scree__unpack unpack = {data, size, false};
    if (head) {
        head->code.budget = scree__bytes_budget(bytes);
        const bool before = scree__memory_watch();
        scree__head_get(&unpack, head, version);
        if (scree__memory_missed(before))
            SCREE_TRY(fail_memory(bytes, "its head", error));
    }
    if (head && head->code.refused > 0)
        SCREE_TRY(fail_wide(budget, bytes, head, error));
    if (head && (unpack.failed || unpack.left != 0))
        SCREE_TRY(fail_head(bytes, error));
    *end = SCREE__HEAD_FIXED + size + 4;
done:
    free(data);
    return status;
}

/* The frame that bytes stand at, as an index, and the tail behind it. */
static scree_status read_index(scree__archive_file *file, int64_t place, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char fixed[SCREE__FRAME_FIXED];
    unsigned char *data = NULL;
    int64_t got = 0;
    const int64_t count = scree__head_frames(&file->head);
    SCREE_TRY(scree__bytes_read(file->bytes, fixed, sizeof fixed, &got, error));
    const scree__frame frame = scree__frame_read(fixed);
    if (got < (int64_t)sizeof fixed || frame.rows != 0 || frame.size < count || frame.size / 10 > count + 64 ||
        (file->size >= 0 && frame.size > file->size))
        SCREE_TRY(fail_end(file->bytes, error));
    SCREE_TRY(scree__budget_check(scree__bytes_budget(file->bytes), frame.size, scree__bytes_name(file->bytes),
                                  "its index", error));
    SCREE_ALLOC(data, frame.size + SCREE__TAIL_BYTES + 1, error);
    SCREE_TRY(scree__bytes_read(file->bytes, data, frame.size + SCREE__TAIL_BYTES + 1, &got, error));
    scree__unpack tail = {data + frame.size, SCREE__TAIL_BYTES, false};
    const uint32_t sum = scree__checksum(0, data + frame.size, 8);
    const int64_t told = scree__unpack_i64(&tail);
    const bool fine = got == frame.size + SCREE__TAIL_BYTES && scree__frame_is_whole(&frame, fixed, data) &&
                      scree__unpack_u32(&tail) == sum && scree__unpack_u32(&tail) == SCREE__TAIL_MAGIC &&
                      (place < 0 || told == place);
    scree__unpack unpack = {data, frame.size, !fine};
    const bool before = scree__memory_watch();
    scree__index_get(&unpack, &file->index, count, file->head.code.tagged);
    if (scree__memory_missed(before))
        SCREE_TRY(fail_memory(file->bytes, "its index", error));
    for (int64_t i = 0; i < file->index.count && file->size >= 0; i++)
        unpack.failed = unpack.failed || file->index.places[i] < 0 || file->index.places[i] >= file->size;
    if (unpack.failed)
        SCREE_TRY(fail_end(file->bytes, error));
done:
    free(data);
    return status;
}

static scree_status find_index(scree__archive_file *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char tail[SCREE__TAIL_BYTES];
    int64_t got = 0;
    if (file->size < SCREE__TAIL_BYTES)
        return fail_end(file->bytes, error);
    SCREE_TRY(scree__bytes_seek(file->bytes, file->size - SCREE__TAIL_BYTES, error));
    SCREE_TRY(scree__bytes_read(file->bytes, tail, sizeof tail, &got, error));
    scree__unpack unpack = {tail, sizeof tail, false};
    const int64_t place = scree__unpack_i64(&unpack);
    if (place < 0 || place > file->size)
        return fail_end(file->bytes, error);
    SCREE_TRY(scree__bytes_seek(file->bytes, place, error));
    SCREE_TRY(read_index(file, place, error));
done:
    return status;
}

/* ---- saving what can be saved ---- */

/* Whether a whole frame of so many rows lies at a place; *next becomes the place behind it, as far as it says. */
static scree_status look_at(scree__archive_file *file, int64_t place, int64_t rows, bool *whole, int64_t *next,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char fixed[SCREE__FRAME_FIXED];
    unsigned char *data = NULL;
    int64_t got = 0;
    *whole = false;
    SCREE_TRY(scree__bytes_seek(file->bytes, place, error));
    SCREE_TRY(scree__bytes_read(file->bytes, fixed, sizeof fixed, &got, error));
    const scree__frame frame = scree__frame_read(fixed);
    if (got < (int64_t)sizeof fixed || frame.size > file->size - place)
        goto done;
    SCREE_TRY(scree__budget_check(scree__bytes_budget(file->bytes), frame.size, scree__bytes_name(file->bytes),
                                  "the bytes of a block", error));
    SCREE_ALLOC(data, frame.size, error);
    SCREE_TRY(scree__bytes_read(file->bytes, data, frame.size, &got, error));
    *whole = got == frame.size && frame.rows == rows && scree__frame_is_whole(&frame, fixed, data);
    *next = place + SCREE__FRAME_FIXED + frame.size;
done:
    free(data);
    return status;
}

/* place: of the first frame, for an index that is lost. */
static scree_status salvage_frames(scree__archive_file *file, int64_t place, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__index *index = &file->index;
    const bool lost = !index->places;
    const int64_t count = scree__head_frames(&file->head);
    bool whole = false;
    if (lost && count > file->size) /* no such file has a tenth of them */
        SCREE_TRY(fail_end(file->bytes, error));
    if (lost) {
        SCREE_TRY(scree__budget_check(scree__bytes_budget(file->bytes), 8 * count, scree__bytes_name(file->bytes),
                                      "the places of its blocks", error));
        SCREE_ALLOC(index->places, count, error);
    }
    index->count = count;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = lost ? place : index->places[i];
        if (at < file->size)
            SCREE_TRY(look_at(file, at, scree__head_frame_rows(&file->head, i), &whole, &place, error));
        index->places[i] = whole && at < file->size ? at : -1;
    }
done:
    return status;
}

/* ---- what others call ---- */

scree_status scree__archive_open(scree__archive_file *file, scree__bytes *bytes, bool salvage, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t end = 0;
    file->bytes = bytes;
    file->size = scree__bytes_can_seek(bytes) ? scree__bytes_size(bytes) : -1;
    if (file->size >= 0)
        SCREE_TRY(scree__bytes_seek(bytes, 0, error));
    SCREE_TRY(read_head(bytes, file->size, &file->head, &end, error));
    if (file->size < 0)
        goto done;
    status = find_index(file, error);
    if (!salvage || (status != SCREE_OK && status != SCREE_ERR_FORMAT))
        goto done;
    if (status != SCREE_OK) {
        free(file->index.places);
        file->index = (scree__index){.count = 0};
    }
    SCREE_TRY(salvage_frames(file, end, error));
done:
    return status;
}

void scree__archive_close(scree__archive_file *file)
{
    scree__bytes_close(file->bytes);
    scree__head_clear(&file->head);
    free(file->index.places);
}

scree_status scree__archive_end(scree__archive_file *file, scree_error *error)
{
    scree__archive_file copy = *file; /* a pipe keeps no places */
    scree_status status = read_index(&copy, -1, error);
    free(copy.index.places);
    return status;
}

scree_status scree__archive_restart(scree__archive_file *file, scree_error *error)
{
    int64_t end = 0;
    scree_status status = scree__bytes_rewind(file->bytes, error);
    return status == SCREE_OK ? read_head(file->bytes, file->size, NULL, &end, error) : status;
}
