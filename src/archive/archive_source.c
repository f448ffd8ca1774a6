/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows out of an archive: a source like any other. A frame is read for each thread, they are decoded side by side, and
 * lent as they are asked for. A plain file is read by its index, from any row on; a pipe frame after frame, and its
 * index is checked when it comes. Memory: a block of rows for each thread, and as much again as a block takes to be
 * decoded. */

#include "archive/archive_source.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RANGES = 8 }; /* that are named */

/* A frame that is read and decoded. */
typedef struct lane {
    unsigned char *bytes; /* fixed part and all */
    int64_t room;
    int64_t size;
    int64_t rows;
    char *text; /* strings of its rows, one after the other */
    bool failed;
    bool missed; /* for want of memory */
} lane;

typedef struct archive_source {
    scree_source base;
    scree__archive_file file;
    int threads;
    int64_t first; /* of the slice */
    int64_t at;    /* next row to lend, from first */
    lane *lanes;
    int lane_count;
    char *rows;        /* lane_count blocks */
    const char **text; /* of the rows */
    int64_t held_from; /* row of the archive that rows begins with */
    int64_t held;      /* how many there are */
    int64_t next;      /* frame that a pipe has come to */
    bool salvage;      /* damaged frames are filled */
} archive_source;

static scree_status fail_frame(const archive_source *a, int64_t frame, scree_error *error)
{
    const int64_t first = frame * a->file.head.block_rows;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: rows %" PRId64 " to %" PRId64
                       " are damaged, and the others can be read: copy the file again",
                       a->base.about.path, first + 1, first + scree__head_frame_rows(&a->file.head, frame));
}

/* Rows of a frame that is lost. */
static void fill(const archive_source *a, char *to, int64_t rows)
{
    const int64_t count = rows * a->base.about.cols;
    memset(to, 0, (size_t)(count * scree__type_size(a->base.about.type)));
    for (int64_t i = 0; a->base.about.type == SCREE_F32 && i < count; i++)
        ((float *)(void *)to)[i] = NAN;
    for (int64_t i = 0; a->base.about.type == SCREE_F64 && i < count; i++)
        ((double *)(void *)to)[i] = (double)NAN;
}

/* As many strings as there should be, of UTF-8. */
static bool check_text(const char *text, int64_t size, int64_t count)
{
    int64_t ends = 0;
    for (int64_t i = 0; i < size; i++)
        ends += text[i] == 0;
    return ends == count && (size == 0 || text[size - 1] == 0) && scree__utf8_valid(text, (size_t)size) == (size_t)size;
}

static void decode_lane(void *context, int64_t i, int worker)
{
    const archive_source *a = context;
    lane *l = &a->lanes[i];
    char *to = a->rows + i * a->file.head.block_rows * a->base.about.cols * scree__type_size(a->base.about.type);
    (void)worker;
    free(l->text);
    l->text = NULL;
    const bool before = scree__memory_watch();
    if (!l->failed) {
        scree__unpack unpack = {l->bytes + SCREE__FRAME_FIXED, l->size, false};
        int64_t size = 0;
        if (a->base.about.text_count > 0)
            l->text = scree__unsqueeze_text(&unpack, &size);
        if (a->base.about.text_count > 0 && !unpack.failed)
            unpack.failed = !check_text(l->text, size, l->rows * a->base.about.text_count);
        if (!unpack.failed)
            scree__block_get(&unpack, &a->file.head.code, to, l->rows);
        l->failed = unpack.failed || unpack.left != 0;
    }
    l->missed = scree__memory_missed(before);
    if (l->failed) {
        fill(a, to, l->rows);
        free(l->text);
        l->text = NULL;
    }
}

/* Space for a frame as it is stored. */
static scree_status reserve(const archive_source *a, lane *l, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__budget *budget = scree__bytes_budget(a->file.bytes);
    if (l->room >= size)
        return SCREE_OK;
    SCREE_TRY(scree__budget_take(budget, size - l->room, a->base.about.path, "its blocks", error));
    free(l->bytes);
    l->room = size;
    l->bytes = scree__alloc_raw(size, 1);
    if (!l->bytes)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for a block of %" PRId64 " bytes", a->base.about.path,
                   size);
done:
    l->room = l->bytes ? l->room : 0;
    return status;
}

/* The text of a frame says how long it is before it is made: it may be much longer than the frame. */
static scree_status check_text_size(const archive_source *a, const lane *l, scree_error *error)
{
    const scree__unpack unpack = {l->bytes + SCREE__FRAME_FIXED, l->size, false};
    if (l->failed || a->base.about.text_count == 0)
        return SCREE_OK;
    return scree__budget_check(scree__bytes_budget(a->file.bytes), a->lane_count * scree__text_size(&unpack),
                               a->base.about.path, "the texts of its rows", error);
}

/* The bytes of a frame, checked; what is wrong with them shows in l->failed, what went wrong in the status. */
static scree_status read_frame(archive_source *a, lane *l, int64_t frame, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char fixed[SCREE__FRAME_FIXED];
    scree__bytes *bytes = a->file.bytes;
    int64_t got = 0;
    l->rows = scree__head_frame_rows(&a->file.head, frame);
    l->failed = true;
    if (a->file.index.places) {
        if (a->file.index.places[frame] < 0)
            goto done; /* salvaged, and nothing was found */
        SCREE_TRY(scree__bytes_seek(bytes, a->file.index.places[frame], error));
    }
    SCREE_TRY(scree__bytes_read(bytes, fixed, sizeof fixed, &got, error));
    const scree__frame f = scree__frame_read(fixed);
    if (got < (int64_t)sizeof fixed || f.rows != l->rows ||
        (a->file.size >= 0 && f.size > a->file.size - SCREE__FRAME_FIXED))
        goto done;
    SCREE_TRY(reserve(a, l, SCREE__FRAME_FIXED + f.size, error));
    memcpy(l->bytes, fixed, sizeof fixed);
    SCREE_TRY(scree__bytes_read(bytes, l->bytes + SCREE__FRAME_FIXED, f.size, &got, error));
    l->size = f.size;
    l->failed = got < f.size || !scree__frame_is_whole(&f, fixed, l->bytes + SCREE__FRAME_FIXED);
    SCREE_TRY(check_text_size(a, l, error));
done:
    return status;
}

/* The strings of the rows that are held; lost ones are empty. */
static void lend_text(archive_source *a, int64_t lanes)
{
    const int64_t count = a->base.about.text_count;
    for (int64_t i = 0; i < lanes && count > 0; i++) {
        const char *at = a->lanes[i].text;
        const char **to = a->text + i * a->file.head.block_rows * count;
        for (int64_t k = 0; k < a->lanes[i].rows * count; k++) {
            to[k] = at ? at : "";
            at = at ? at + strlen(at) + 1 : NULL;
        }
    }
}

/* Decodes frames from the one of a row on. */
static scree_status hold(archive_source *a, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__head *head = &a->file.head;
    const int64_t from = row / head->block_rows;
    const int64_t end = (a->first + a->base.about.rows - 1) / head->block_rows + 1;
    const int64_t count = end - from < a->lane_count ? end - from : a->lane_count;
    a->held = 0;
    for (int64_t i = 0; i < count; i++) {
        SCREE_TRY(read_frame(a, &a->lanes[i], from + i, error));
        a->next = from + i + 1;
        if (a->lanes[i].failed && !a->salvage)
            SCREE_TRY(fail_frame(a, from + i, error));
    }
    scree__parallel(a->threads, count, decode_lane, a);
    for (int64_t i = 0; i < count; i++) {
        if (a->lanes[i].missed)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for restoring a block of %" PRId64 " rows",
                       a->base.about.path, a->lanes[i].rows);
        if (a->lanes[i].failed && !a->salvage)
            SCREE_TRY(fail_frame(a, from + i, error));
        a->held += a->lanes[i].rows;
    }
    lend_text(a, count);
    a->held_from = from * head->block_rows;
done:
    return status;
}

static scree_status archive_next(scree_source *source, scree__block *block, scree_error *error)
{
    archive_source *a = (archive_source *)source;
    scree_status status = SCREE_OK;
    const int64_t row = a->first + a->at;
    const int64_t left = source->about.rows - a->at;
    if (left == 0 && !a->file.index.places && a->next == scree__head_frames(&a->file.head)) {
        SCREE_TRY(scree__archive_end(&a->file, error));
        a->next++;
    }
    if (left == 0)
        return SCREE_OK;
    if (row < a->held_from || row >= a->held_from + a->held)
        SCREE_TRY(hold(a, row, error));
    const int64_t inside = row - a->held_from;
    const int64_t there = a->held - inside;
    block->rows = there < left ? there : left;
    block->rows = block->rows < source->block_rows ? block->rows : source->block_rows;
    block->data = a->rows + inside * source->about.cols * scree__type_size(source->about.type);
    block->first = a->at;
    block->text = source->about.text_count > 0 ? a->text + inside * source->about.text_count : NULL;
    a->at += block->rows;
done:
    return status;
}

static scree_status archive_rewind(scree_source *source, scree_error *error)
{
    archive_source *a = (archive_source *)source;
    a->at = 0;
    if (a->file.index.places)
        return SCREE_OK;
    a->next = 0;
    a->held = 0;
    return scree__archive_restart(&a->file, error);
}

static void archive_close(scree_source *source)
{
    archive_source *a = (archive_source *)source;
    for (int i = 0; a->lanes && i < a->lane_count; i++) {
        free(a->lanes[i].bytes);
        free(a->lanes[i].text);
    }
    free(a->lanes);
    free(a->rows);
    free(a->text);
    scree__archive_close(&a->file);
}

static scree_status archive_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                  scree_error *error)
{
    const archive_source *a = (const archive_source *)source;
    scree_status status = SCREE_OK;
    scree__bytes *shared = NULL;
    scree_source *made = NULL;
    if (first < 0 || count < 0 || first > source->about.rows - count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: rows %" PRId64 " to %" PRId64 " were asked for, and there are %" PRId64 ": ask for fewer",
                   source->about.path, first + 1, first + count, source->about.rows);
    SCREE_TRY(scree__bytes_share(&shared, a->file.bytes, error));
    SCREE_TRY(scree__archive_source(&made, shared, a->threads, a->salvage, error));
    shared = NULL;
    archive_source *part = (archive_source *)made;
    part->first = a->first + first;
    part->base.about.rows = count;
    part->base.about.rows_estimate = count;
    *out = made;
done:
    scree__bytes_close(shared);
    return status;
}

static const scree__source_table archive_table = {
    .name = "screez", .next = archive_next, .rewind = archive_rewind, .slice = archive_slice, .close = archive_close};

/* Bytes that a lane takes to hold a block, and to decode it. */
static int64_t lane_bytes(const scree__head *head)
{
    const int64_t cols = head->code.cols;
    const int64_t chunk =
        head->code.coding == SCREE__CODING_MODEL ? 8 * SCREE__CHUNK * (2 * cols + head->code.components) : 0;
    return head->block_rows * (cols * (scree__type_size(head->code.lattice.type) + 16) + 8 * head->text_count) + chunk;
}

/* As many lanes as there is memory for, at most one for each frame and thread. */
static scree_status make_lanes(archive_source *a, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__head *head = &a->file.head;
    scree__budget *budget = scree__bytes_budget(a->file.bytes);
    const int64_t frames = scree__head_frames(head);
    const int64_t one = lane_bytes(head);
    const int64_t fit = scree__budget_left(budget) / 2 / one;
    const int64_t most = frames < a->threads ? frames : a->threads;
    char what[96];
    snprintf(what, sizeof what, "blocks of %" PRId64 " rows and %" PRId64 " columns", head->block_rows,
             head->code.cols);
    a->lane_count = (int)(most <= fit ? most : fit > 0 ? fit : 1);
    SCREE_TRY(scree__budget_take(budget, a->lane_count * one, a->base.about.path, what, error));
    a->base.memory = a->lane_count * one;
    SCREE_ALLOC(a->lanes, a->lane_count, error);
    a->rows = scree__alloc_raw(a->lane_count * head->block_rows,
                               (size_t)(head->code.cols * scree__type_size(a->base.about.type)));
    a->text = scree__alloc_raw(a->lane_count * head->block_rows * a->base.about.text_count, sizeof *a->text);
    if (!a->rows || !a->text)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for blocks of %" PRId64 " rows", a->base.about.path,
                   head->block_rows);
done:
    return status;
}

/* What all sources say of themselves. */
static scree_status describe(archive_source *a, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__head *head = &a->file.head;
    scree_source *base = &a->base;
    const bool seek = a->file.index.places != NULL;
    base->about.type = head->code.lattice.type;
    base->about.element = head->code.lattice.element;
    base->about.rows = head->rows;
    base->about.rows_estimate = head->rows;
    base->about.cols = head->code.cols;
    base->can = (scree__bytes_can_rewind(a->file.bytes) ? SCREE__CAN_REWIND : 0u) | (seek ? SCREE__CAN_SLICE : 0u);
    base->block_rows = head->block_rows;
    base->about.text_count = head->text_count;
    base->about.image_rows = head->image_rows;
    base->about.image_cols = head->image_cols;
    base->about.is_vector = head->is_vector;
    base->about.columns = scree__strings_copy((const char *const *)head->columns, base->about.cols);
    base->about.text_names = scree__strings_copy((const char *const *)head->text_names, base->about.text_count);
    if ((head->columns && !base->about.columns) || (head->text_names && !base->about.text_names))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", base->about.path);
    SCREE_TRY(make_lanes(a, error));
done:
    return status;
}

scree_status scree__archive_source(scree_source **out, scree__bytes *bytes, int threads, bool salvage,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    archive_source *a = NULL;
    SCREE_ALLOC(a, 1, error);
    a->base.table = &archive_table;
    a->base.about.path = scree__strdup(scree__bytes_name(bytes));
    a->threads = scree__threads(threads);
    a->salvage = salvage;
    if (!a->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    SCREE_TRY(scree__archive_open(&a->file, bytes, salvage, error));
    SCREE_TRY(describe(a, error));
    *out = &a->base;
    a = NULL;
done:
    if (a) {
        a->file.bytes = NULL; /* still the caller's */
        scree_source_free(&a->base);
    }
    return status;
}

void scree__archive_release(scree_source *source)
{
    ((archive_source *)source)->file.bytes = NULL;
    scree_source_free(source);
}

int64_t scree__archive_lost(const scree_source *source)
{
    const archive_source *a = (const archive_source *)source;
    int64_t lost = 0;
    for (int64_t i = 0; i < a->file.index.count; i++)
        lost += a->file.index.places[i] < 0 ? scree__head_frame_rows(&a->file.head, i) : 0;
    return lost;
}

char *scree__archive_lost_rows(const scree_source *source)
{
    const archive_source *a = (const archive_source *)source;
    const scree__index *index = &a->file.index;
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "rows ");
    int64_t ranges = 0;
    for (int64_t i = 0; i < index->count; i++) {
        const int64_t first = i * a->file.head.block_rows;
        if (index->places[i] >= 0)
            continue;
        while (i + 1 < index->count && index->places[i + 1] < 0)
            i++;
        const int64_t end = i * a->file.head.block_rows + scree__head_frame_rows(&a->file.head, i);
        if (++ranges <= MOST_RANGES)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64 " to %" PRId64,
                                     ranges > 1 ? ", " : "", first + 1, end);
    }
    if (ranges > MOST_RANGES)
        snprintf(text + used, sizeof text - used, " and %" PRId64 " ranges more", ranges - MOST_RANGES);
    return ranges > 0 ? scree__strdup(text) : NULL;
}
