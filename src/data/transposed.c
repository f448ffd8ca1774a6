/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a source as rows: files of genes × samples. The header becomes the ids of the rows, and the texts
 * beside the rows the names of the columns.
 *
 * How many columns there will be shows only at the end of the file. So it is read once, when it is opened, in panels of
 * b rows that are turned and written to a scratch file one after the other, C×b each; the rows at .. at+n-1 of all that
 * lie together in every panel. A block of n rows is then one read of n·b elements from each panel. With panels and
 * blocks of some megabytes that are reads of kilobytes, however large the file; memory is two panels while it is read,
 * and a block and a piece of a panel afterwards. The scratch file is as large as the numbers, in $TMPDIR, /var/tmp or
 * /tmp, and goes with the source. */

#include "data/source.h"

#include "base/memory.h"
#include "data/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PANEL_BYTES = 4 << 20, LEAST_PANEL = 64 << 10 };

typedef struct transposed_source {
    scree_source base;      /* cols: rows of the file */
    scree__scratch scratch; /* panels */
    int64_t panel;          /* rows of the file in a panel, b; the last has fewer */
    int64_t size;           /* of an element */
    int64_t at;             /* next row */
    char **ids;             /* a row each, or NULL */
    bool marked;            /* some elements are whole numbers that no double is */
    scree__buffer own;      /* for blocks, where the driver offers none */
    scree__buffer piece;    /* of a panel */
} transposed_source;

/* While the file is read. */
typedef struct turning {
    transposed_source *to;
    scree_source *inner;
    char *rows;     /* b×C, as they come */
    char *turned;   /* C×b */
    int64_t filled; /* rows of the panel */
    int64_t count;  /* rows in all */
    int64_t room;   /* for names */
    char **names;   /* of the rows, or NULL */
    int64_t text;   /* the column of texts that names them; -1: none */
} turning;

/* rows×cols elements become cols×rows. */
static void turn(const char *from, char *to, int64_t rows, int64_t cols, int64_t size)
{
    for (int64_t i = 0; i < rows; i++) {
        const char *at = from + i * cols * size;
        char *place = to + i * size;
        for (int64_t j = 0; size == 8 && j < cols; j++)
            memcpy(place + j * rows * 8, at + j * 8, 8);
        for (int64_t j = 0; size == 4 && j < cols; j++)
            memcpy(place + j * rows * 4, at + j * 4, 4);
        for (int64_t j = 0; size == 1 && j < cols; j++)
            place[j * rows] = at[j];
    }
}

/* The panel goes to the scratch file. */
static scree_status flush(turning *t, scree_error *error)
{
    const int64_t cols = t->inner->about.cols;
    const int64_t bytes = t->filled * cols * t->to->size;
    turn(t->rows, t->turned, t->filled, cols, t->to->size);
    const scree_status status = scree__scratch_write(&t->to->scratch, t->turned, bytes, error);
    t->filled = 0;
    return status;
}

static scree_status keep_name(turning *t, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (t->count == t->room) {
        const int64_t room = t->room > 0 ? 2 * t->room : 1024;
        char **names = NULL;
        SCREE_ALLOC(names, room, error);
        if (t->names)
            memcpy(names, t->names, (size_t)t->count * sizeof *names);
        free(t->names);
        t->names = names;
        t->room = room;
    }
    t->names[t->count] = scree__strdup(name ? name : "");
    if (!t->names[t->count])
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", t->inner->about.path);
done:
    return status;
}

static scree_status take_block(turning *t, const scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t row_bytes = t->inner->about.cols * t->to->size;
    for (int64_t i = 0; i < block->rows; i++) {
        if (t->text >= 0)
            SCREE_TRY(keep_name(t, block->text ? block->text[i * t->inner->about.text_count + t->text] : NULL, error));
        memcpy(t->rows + t->filled * row_bytes, (const char *)block->data + i * block->stride * t->to->size,
               (size_t)row_bytes);
        t->count++;
        if (++t->filled == t->to->panel)
            SCREE_TRY(flush(t, error));
    }
    t->to->marked = t->to->marked || block->marked;
done:
    return status;
}

static scree_status read_all(turning *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block = {0};
    const int64_t bytes = t->to->panel * t->inner->about.cols * t->to->size;
    SCREE_ALLOC(t->rows, bytes, error);
    SCREE_ALLOC(t->turned, bytes, error);
    SCREE_TRY(scree__scratch_open(&t->to->scratch, t->to->base.about.path, "turning its columns into rows", error));
    t->inner->takes_origin = false;
    t->inner->single_pass = true;
    do {
        SCREE_TRY(scree__source_next(t->inner, &block, error));
        SCREE_TRY(take_block(t, &block, error));
    } while (block.rows > 0);
    if (t->filled > 0)
        SCREE_TRY(flush(t, error));
    if (t->count == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: there are no rows to turn into columns; give a file with some",
                   t->inner->about.path);
done:
    free(t->rows);
    free(t->turned);
    return status;
}

/* The texts that name rows: an id, a label, or what comes first. */
static int64_t naming_text(const scree__about *about)
{
    return about->text_count == 0  ? -1
           : about->text_id > 0    ? about->text_id - 1
           : about->text_label > 0 ? about->text_label - 1
                                   : 0;
}

/* Shape and names, the other way round. */
static scree_status describe(turning *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    transposed_source *to = t->to;
    scree__about *about = &to->base.about;
    const scree__about *from = &t->inner->about;
    const size_t length = from->note ? strlen(from->note) + 32 : 32;
    about->rows = about->rows_estimate = from->cols;
    about->cols = t->count;
    about->columns = t->names;
    t->names = NULL;
    SCREE_ALLOC(about->note, (int64_t)length, error);
    snprintf(about->note, length, "%s%stransposed", from->note ? from->note : "", from->note ? ", " : "");
    if (!from->columns)
        goto done;
    SCREE_ALLOC(to->ids, from->cols, error);
    for (int64_t j = 0; j < from->cols; j++) {
        to->ids[j] = scree__strdup(from->columns[j]);
        if (!to->ids[j])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", from->path);
    }
    SCREE_ALLOC(about->text_names, 1, error);
    about->text_count = 1;
    about->text_id = 1;
    about->text_names[0] = scree__strdup("id");
    if (!about->text_names[0])
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", from->path);
done:
    return status;
}

/* n rows of a panel into the columns of a block that are its own. */
static scree_status place_panel(transposed_source *source, int64_t first, int64_t n, char *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = source->base.about.cols;
    const int64_t width = cols - first < source->panel ? cols - first : source->panel;
    const int64_t bytes = n * width * source->size;
    const int64_t offset = (first * source->base.about.rows + source->at * width) * source->size;
    SCREE_TRY(scree__buffer_reserve(&source->piece, bytes, source->base.about.path, error));
    SCREE_TRY(scree__scratch_read(&source->scratch, source->piece.data, bytes, offset, error));
    for (int64_t i = 0; i < n; i++)
        memcpy(to + (i * cols + first) * source->size, source->piece.data + i * width * source->size,
               (size_t)(width * source->size));
done:
    return status;
}

static scree_status transposed_next(scree_source *base, scree__block *block, scree_error *error)
{
    transposed_source *source = (transposed_source *)base;
    scree_status status = SCREE_OK;
    const int64_t left = base->about.rows - source->at;
    const int64_t rows = left < base->block_rows ? left : base->block_rows;
    scree__buffer *buffer = base->buffer ? base->buffer : &source->own;
    *block = (scree__block){.type = base->about.type, .stride = base->about.cols, .first = source->at};
    if (rows == 0)
        goto done;
    SCREE_TRY(scree__buffer_reserve(buffer, rows * base->about.cols * source->size, base->about.path, error));
    for (int64_t first = 0; first < base->about.cols; first += source->panel)
        SCREE_TRY(place_panel(source, first, rows, buffer->data, error));
    block->data = buffer->data;
    block->rows = rows;
    block->marked = source->marked;
    block->text = source->ids ? (const char *const *)source->ids + source->at : NULL;
    source->at += rows;
done:
    return status;
}

static scree_status transposed_rewind(scree_source *base, scree_error *error)
{
    (void)error;
    ((transposed_source *)base)->at = 0;
    return SCREE_OK;
}

static void transposed_close(scree_source *base)
{
    transposed_source *source = (transposed_source *)base;
    scree__scratch_close(&source->scratch);
    scree__strings_free(source->ids, base->about.rows);
    scree__buffer_free(&source->own);
    scree__buffer_free(&source->piece);
}

static const scree__source_table transposed_table = {
    .name = "transposed", .next = transposed_next, .rewind = transposed_rewind, .close = transposed_close};

/* Rows of a panel: some megabytes, or a share of a limit that was given. */
static int64_t panel_rows(const scree_source *inner, int64_t size, int64_t memory)
{
    const int64_t share = memory > 0 && memory / 32 < PANEL_BYTES ? memory / 32 : PANEL_BYTES;
    const int64_t bytes = share > LEAST_PANEL ? share : LEAST_PANEL;
    const int64_t rows = bytes / (inner->about.cols * size);
    return rows > 1 ? rows : 1;
}

scree_status scree__transposed_open(scree_source **out, scree_source *inner, int64_t memory, scree_error *error)
{
    scree_status status = SCREE_OK;
    transposed_source *source = NULL;
    turning t = {.inner = inner, .text = naming_text(&inner->about)};
    SCREE_ALLOC(source, 1, error);
    source->scratch = (scree__scratch)SCREE__SCRATCH_INIT;
    source->base.table = &transposed_table;
    source->base.about.path = scree__strdup(inner->about.path);
    if (!source->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", inner->about.path);
    source->base.about.type = inner->about.type;
    source->base.about.element = inner->about.element;
    source->size = scree__type_size(inner->about.type);
    source->panel = panel_rows(inner, source->size, memory);
    t.to = source;
    SCREE_TRY(read_all(&t, error));
    SCREE_TRY(describe(&t, error));
    source->base.can = SCREE__CAN_REWIND;
    source->base.block_rows = scree__source_rows_in(&source->base, PANEL_BYTES);
    source->base.memory = 2 * source->panel * inner->about.cols * source->size;
    for (int64_t j = 0; source->base.about.columns && j < t.count; j++)
        source->base.memory += (int64_t)strlen(source->base.about.columns[j]) + 32;
    *out = &source->base;
    source = NULL;
    scree_source_free(inner);
done:
    if (t.names)
        scree__strings_free(t.names, t.count);
    scree_source_free(source ? &source->base : NULL);
    return status;
}
