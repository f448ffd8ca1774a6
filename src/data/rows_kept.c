/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample of a pipe: which rows are drawn is known when it has ended, so that the rows that are drawn so far are kept
 * in memory, each where the one was that it takes the place of. Everything is read when the source is opened, and its
 * rows can then be read as often as is wanted. Memory: the rows of the sample. */

#include "base/memory.h"
#include "data/entries.h"
#include "data/some_rows.h"

#include <inttypes.h>
#include <string.h>

typedef struct rows_kept {
    scree_source base;
    scree_source *inner; /* knows the names of files */
    scree__draw draw;    /* in the order of the rows, with the slots where they are */
    scree__budget budget;
    char *rows;     /* slots × cols */
    char **text;    /* slots × text columns */
    double *weight; /* slots */
    uint8_t *bad;   /* slots */
    int64_t room;   /* slots */
    bool marked;
    bool any_bad;
    int64_t at;
    scree__buffer out;
    scree__buffer out_text;
    scree__buffer out_weight;
    scree__buffer out_bad;
} rows_kept;

static const char *locate(const scree_source *base, int64_t *row)
{
    const rows_kept *k = (const rows_kept *)base;
    *row = k->draw.heap[*row].row;
    return scree__source_locate(k->inner, row);
}

static bool resize(void **place, int64_t before, int64_t after, int64_t size)
{
    char *larger = realloc(*place, (size_t)(after * size + 1));
    if (!larger)
        return false;
    memset(larger + before * size, 0, (size_t)((after - before) * size));
    *place = larger;
    return true;
}

static scree_status grow(rows_kept *k, int64_t slots, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &k->base.about;
    const int64_t size = about->cols * scree__type_size(about->type);
    const int64_t twice = k->room > 0 ? 2 * k->room : 64;
    const int64_t room = twice < slots ? slots : twice < k->draw.wanted ? twice : k->draw.wanted;
    SCREE_TRY(scree__budget_take(&k->budget, (room - k->room) * (size + 8 * about->text_count + 9), about->path,
                                 "the rows of a sample, kept from a pipe,", error));
    if (!resize((void **)&k->rows, k->room, room, size) ||
        !resize((void **)&k->text, k->room, room, 8 * about->text_count) ||
        !resize((void **)&k->weight, k->room, room, 8) || !resize((void **)&k->bad, k->room, room, 1))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for a sample of %" PRId64 " rows", about->path, room);
    k->room = room;
done:
    return status;
}

static scree_status keep(rows_kept *k, const scree__block *block, int64_t i, int64_t slot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &k->base.about;
    const int64_t element = scree__type_size(about->type);
    if (slot >= k->room)
        SCREE_TRY(grow(k, slot + 1, error));
    memcpy(k->rows + slot * about->cols * element, (const char *)block->data + i * block->stride * element,
           (size_t)(about->cols * element));
    for (int64_t t = 0; t < about->text_count; t++) {
        char **text = &k->text[slot * about->text_count + t];
        free(*text);
        *text = scree__strdup(block->text ? block->text[i * about->text_count + t] : "");
        if (!*text)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the texts of rows", about->path);
    }
    k->weight[slot] = block->weights ? block->weights[i] : 1;
    k->bad[slot] = block->bad ? block->bad[i] : 0;
    k->any_bad = k->any_bad || k->bad[slot];
done:
    return status;
}

static scree_status read_all(rows_kept *k, scree_source *inner, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block = {0};
    const int64_t end = options->last_row > 0 ? options->last_row : INT64_MAX;
    int64_t row = 0;
    inner->takes_origin = false;
    inner->single_pass = true;
    while (row < end) {
        SCREE_TRY(scree__source_next(inner, &block, error));
        if (block.rows == 0)
            break;
        k->marked = k->marked || block.marked;
        for (int64_t i = 0; i < block.rows && row < end; i++, row++) {
            int64_t slot = -1;
            if (row + 1 >= options->first_row)
                SCREE_TRY(scree__draw_offer(&k->draw, row, &slot, error));
            if (slot >= 0)
                SCREE_TRY(keep(k, &block, i, slot, error));
        }
    }
    if (k->draw.count < options->sample || (options->last_row > 0 && row < options->last_row))
        SCREE_TRY(scree__some_rows_fail(inner, row, options, error));
    scree__draw_sort(&k->draw);
done:
    return status;
}

static scree_status kept_next(scree_source *base, scree__block *block, scree_error *error)
{
    rows_kept *k = (rows_kept *)base;
    scree_status status = SCREE_OK;
    const scree__about *about = &base->about;
    const int64_t left = k->draw.count - k->at;
    const int64_t rows = left < base->block_rows ? left : base->block_rows;
    const int64_t size = about->cols * scree__type_size(about->type);
    const int64_t texts = about->text_count;
    scree__buffer *out = base->buffer ? base->buffer : &k->out;
    block->first = k->at;
    if (rows == 0)
        goto done;
    SCREE_TRY(scree__buffer_reserve(out, rows * size, about->path, error));
    SCREE_TRY(scree__buffer_reserve(&k->out_text, rows * texts * 8, about->path, error));
    SCREE_TRY(scree__buffer_reserve(&k->out_weight, rows * 8, about->path, error));
    SCREE_TRY(scree__buffer_reserve(&k->out_bad, rows, about->path, error));
    for (int64_t i = 0; i < rows; i++) {
        const int64_t slot = k->draw.heap[k->at + i].slot;
        memcpy(out->data + i * size, k->rows + slot * size, (size_t)size);
        for (int64_t t = 0; t < texts; t++)
            ((const char **)(void *)k->out_text.data)[i * texts + t] = k->text[slot * texts + t];
        ((double *)(void *)k->out_weight.data)[i] = k->weight[slot];
        k->out_bad.data[i] = (char)k->bad[slot];
    }
    block->rows = rows;
    block->data = out->data;
    block->stride = about->cols;
    block->marked = k->marked;
    block->text = texts > 0 ? (const char *const *)(const void *)k->out_text.data : NULL;
    block->weights = about->weighted ? (const double *)(const void *)k->out_weight.data : NULL;
    block->bad = k->any_bad ? (const uint8_t *)k->out_bad.data : NULL;
    k->at += rows;
done:
    return status;
}

static scree_status kept_rewind(scree_source *base, scree_error *error)
{
    (void)error;
    ((rows_kept *)base)->at = 0;
    return SCREE_OK;
}

static void kept_close(scree_source *base)
{
    rows_kept *k = (rows_kept *)base;
    for (int64_t t = 0; t < k->room * base->about.text_count; t++)
        free(k->text[t]);
    scree_source_free(k->inner);
    free(k->text);
    free(k->rows);
    free(k->weight);
    free(k->bad);
    scree__draw_clear(&k->draw);
    scree__buffer_free(&k->out);
    scree__buffer_free(&k->out_text);
    scree__buffer_free(&k->out_weight);
    scree__buffer_free(&k->out_bad);
}

static const scree__source_table kept_table = {
    .name = "kept rows", .next = kept_next, .rewind = kept_rewind, .close = kept_close};

scree_status scree__rows_kept_open(scree_source **out, scree_source *inner, const scree_read_options *options,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    rows_kept *k = NULL;
    SCREE_ALLOC(k, 1, error);
    k->base.table = &kept_table;
    SCREE_TRY(scree__source_around(&k->base, inner, error));
    k->budget = (scree__budget){.given = options->memory, .held = options->held, .seen = INT64_MAX / 32};
    k->draw = (scree__draw){
        .seed = options->sample_seed, .wanted = options->sample, .budget = &k->budget, .file = k->base.about.path};
    SCREE_TRY(read_all(k, inner, options, error));
    k->base.sparse = false;
    k->base.live = false;
    k->base.can = SCREE__CAN_REWIND | SCREE__IN_STEP;
    k->base.about.rows = k->base.about.rows_estimate = k->draw.count;
    k->base.memory += k->budget.taken;
    k->base.locate = locate;
    k->inner = inner;
    *out = &k->base;
    k = NULL;
done:
    scree_source_free(k ? &k->base : NULL);
    return status;
}
