/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the file as bytes: head, frames, index. Every byte of the file is under a checksum, so that a bit that
 * changed anywhere is noticed, and a frame depends on nothing but the head, so that it is noticed there alone. */

#include "archive/archive.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <string.h>

enum { MOST_TEXTS = 1 << 20 };

const unsigned char scree__archive_magic[8] = {0x89, 'S', 'C', 'R', 'E', 'E', 'Z', '\n'};

static void put_strings(scree__pack *pack, char *const *strings, int64_t count)
{
    scree__pack joined = {0};
    for (int64_t i = 0; i < count; i++)
        scree__pack_bytes(&joined, strings[i], (int64_t)strlen(strings[i]) + 1);
    pack->failed = pack->failed || joined.failed;
    scree__squeeze_text(pack, (const char *)joined.data, joined.size);
    scree__pack_free(&joined);
}

enum { STRING_BYTES = 80 }; /* of a short string and where it is, here and in the source */

static char **get_strings(scree__unpack *unpack, scree__code *code, int64_t count)
{
    int64_t size = scree__text_size(unpack);
    if (size < count || !scree__code_may_take(code, 2 * size + STRING_BYTES * count)) {
        unpack->failed = true;
        return NULL;
    }
    char *text = scree__unsqueeze_text(unpack, &size);
    int64_t ends = 0;
    for (int64_t i = 0; text && i < size; i++)
        ends += text[i] == 0;
    const bool whole = text && ends == count && scree__utf8_valid(text, (size_t)size) == (size_t)size;
    char **strings = whole ? scree__alloc(count, sizeof *strings) : NULL;
    const char *at = text;
    for (int64_t i = 0; strings && i < count; i++, at += strlen(at) + 1) {
        strings[i] = scree__strdup(at);
        if (!strings[i]) {
            scree__strings_free(strings, count);
            strings = NULL;
        }
    }
    unpack->failed = unpack->failed || !strings;
    free(text);
    return strings;
}

/* Numbers of version 1 have eight bytes each. */
static int64_t whole(scree__unpack *unpack, bool compact)
{
    return compact ? scree__unpack_number(unpack) : scree__unpack_i64(unpack);
}

static double real(scree__unpack *unpack, bool compact)
{
    return compact ? scree__unpack_real(unpack) : scree__unpack_f64(unpack);
}

void scree__head_put(scree__pack *pack, const scree__head *head)
{
    const int64_t begun = pack->size;
    scree__pack_bytes(pack, scree__archive_magic, sizeof scree__archive_magic);
    scree__pack_u32(pack, head->code.lattice.element ? SCREE__ARCHIVE_VERSION : SCREE__ARCHIVE_PLAIN);
    scree__pack_u32(pack, 0);
    scree__pack_number(pack, head->rows);
    scree__pack_number(pack, head->block_rows);
    scree__pack_number(pack, head->image_rows);
    scree__pack_number(pack, head->is_vector ? 1 : head->image_cols);
    scree__pack_number(pack, head->text_count);
    scree__pack_u8(pack, head->columns ? 1 : 0);
    scree__code_put(pack, &head->code);
    if (head->code.lattice.element)
        scree__pack_u8(pack, (unsigned)head->code.lattice.element);
    if (head->columns)
        put_strings(pack, head->columns, head->code.cols);
    if (head->text_count > 0)
        put_strings(pack, head->text_names, head->text_count);
    scree__pack_patch(pack, begun + 12, (uint32_t)(pack->size - begun - SCREE__HEAD_FIXED));
    if (!pack->failed)
        scree__pack_u32(pack, scree__checksum(0, pack->data + begun, pack->size - begun));
}

/* Which types may be stored as others is the reader's business: bytes are bytes, booleans too, and half precision is
 * float. */
static void get_element(scree__unpack *unpack, scree__lattice *lattice)
{
    const unsigned element = scree__unpack_u8(unpack);
    const bool half = element == 1 + SCREE_F16;
    const bool boolean = element == 1 + SCREE_BOOL;
    const bool whole = element > 1 + SCREE_U8 && element <= 1 + SCREE_U64;
    const bool fits = (half && lattice->type == SCREE_F32) || (whole && lattice->type == SCREE_F64) ||
                      (boolean && lattice->type == SCREE_U8);
    unpack->failed = unpack->failed || !fits;
    lattice->element = (int)element;
}

void scree__head_get(scree__unpack *unpack, scree__head *head, uint32_t version)
{
    const int64_t most = INT64_C(1) << 50;
    const bool compact = version > 1;
    head->rows = whole(unpack, compact);
    head->block_rows = whole(unpack, compact);
    head->image_rows = whole(unpack, compact);
    head->image_cols = whole(unpack, compact);
    head->text_count = whole(unpack, compact);
    const bool names = scree__unpack_u8(unpack) != 0;
    unpack->failed = unpack->failed || head->rows < 0 || head->rows > most || head->block_rows < 1 ||
                     head->block_rows > UINT32_MAX || head->text_count < 0 || head->text_count > MOST_TEXTS;
    if (!unpack->failed)
        scree__code_get(unpack, &head->code, compact);
    if (!unpack->failed && version > SCREE__ARCHIVE_PLAIN)
        get_element(unpack, &head->code.lattice);
    /* Blocks are small, so that a small file cannot ask for much memory. */
    unpack->failed =
        unpack->failed || (head->block_rows > 1 && head->block_rows > SCREE__BLOCK_CELLS_MOST / head->code.cols);
    head->is_vector = !unpack->failed && head->image_rows == 0 && head->image_cols == 1 && head->code.cols == 1;
    if (!unpack->failed && (head->image_rows < 1 || head->code.cols % head->image_rows != 0 ||
                            head->code.cols / head->image_rows != head->image_cols))
        head->image_rows = head->image_cols = 0;
    if (!unpack->failed && names)
        head->columns = get_strings(unpack, &head->code, head->code.cols);
    if (!unpack->failed && head->text_count > 0)
        head->text_names = get_strings(unpack, &head->code, head->text_count);
}

void scree__head_clear(scree__head *head)
{
    scree__strings_free(head->columns, head->code.cols);
    scree__strings_free(head->text_names, head->text_count);
    scree__code_clear(&head->code);
    *head = (scree__head){0};
}

int64_t scree__head_frames(const scree__head *head)
{
    return head->rows / head->block_rows + (head->rows % head->block_rows > 0);
}

int64_t scree__head_frame_rows(const scree__head *head, int64_t i)
{
    const int64_t left = head->rows - i * head->block_rows;
    return left < head->block_rows ? left : head->block_rows;
}

/* ---- frames ---- */

int64_t scree__frame_begin(scree__pack *pack)
{
    const int64_t begun = pack->size;
    scree__pack_room(pack, SCREE__FRAME_FIXED);
    return begun;
}

static uint32_t frame_checksum(const unsigned char *fixed, const unsigned char *bytes, int64_t size)
{
    return scree__checksum(scree__checksum(0, fixed, SCREE__FRAME_FIXED - 4), bytes, size);
}

void scree__frame_end(scree__pack *pack, int64_t begun, int64_t rows)
{
    const int64_t size = pack->size - begun - SCREE__FRAME_FIXED;
    if (pack->failed || size > UINT32_MAX) {
        pack->failed = true;
        return;
    }
    scree__pack_patch(pack, begun, (uint32_t)rows);
    scree__pack_patch(pack, begun + 4, (uint32_t)size);
    const unsigned char *fixed = pack->data + begun;
    scree__pack_patch(pack, begun + 8, frame_checksum(fixed, fixed + SCREE__FRAME_FIXED, size));
}

scree__frame scree__frame_read(const unsigned char fixed[SCREE__FRAME_FIXED])
{
    scree__unpack unpack = {fixed, SCREE__FRAME_FIXED, false};
    scree__frame frame;
    frame.rows = scree__unpack_u32(&unpack);
    frame.size = scree__unpack_u32(&unpack);
    frame.checksum = scree__unpack_u32(&unpack);
    return frame;
}

bool scree__frame_is_whole(const scree__frame *frame, const unsigned char fixed[SCREE__FRAME_FIXED],
                           const unsigned char *bytes)
{
    return frame_checksum(fixed, bytes, frame->size) == frame->checksum;
}

/* ---- the index ---- */

void scree__index_put(scree__pack *pack, const scree__index *index, int64_t place)
{
    const scree__outcome *o = &index->outcome;
    const int64_t begun = scree__frame_begin(pack);
    scree__pack_number(pack, o->cells);
    scree__pack_real(pack, o->worst);
    scree__pack_real(pack, o->squares);
    scree__pack_real(pack, o->code_noise);
    scree__pack_number(pack, o->code_bytes);
    scree__pack_number(pack, o->corrected);
    scree__pack_number(pack, o->raw);
    scree__pack_real(pack, index->code_bound);
    for (int64_t i = 0; i < index->count; i++)
        scree__pack_number(pack, index->places[i] - (i > 0 ? index->places[i - 1] : 0));
    scree__frame_end(pack, begun, 0);
    const int64_t tail = pack->size;
    scree__pack_i64(pack, place);
    if (!pack->failed)
        scree__pack_u32(pack, scree__checksum(0, pack->data + tail, 8));
    scree__pack_u32(pack, SCREE__TAIL_MAGIC);
}

void scree__index_get(scree__unpack *unpack, scree__index *index, int64_t count, bool compact)
{
    scree__outcome *o = &index->outcome;
    o->cells = whole(unpack, compact);
    o->worst = real(unpack, compact);
    o->squares = real(unpack, compact);
    o->code_noise = real(unpack, compact);
    o->code_bytes = whole(unpack, compact);
    o->corrected = whole(unpack, compact);
    o->raw = whole(unpack, compact);
    index->code_bound = real(unpack, compact);
    const bool fits = compact ? count <= unpack->left : count == unpack->left / 8 && unpack->left % 8 == 0;
    unpack->failed = unpack->failed || !fits;
    index->places = unpack->failed ? NULL : scree__alloc(count, sizeof *index->places);
    unpack->failed = unpack->failed || !index->places;
    for (int64_t i = 0; i < count && !unpack->failed; i++)
        index->places[i] =
            (int64_t)((uint64_t)whole(unpack, compact) + (compact && i > 0 ? (uint64_t)index->places[i - 1] : 0));
    unpack->failed = unpack->failed || unpack->left != 0;
    index->count = unpack->failed ? 0 : count;
}
