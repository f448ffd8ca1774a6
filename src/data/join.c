/* SPDX-License-Identifier: BSD-3-Clause */
/* Several files as one source: the rows of the first, then those of the second, as if they were one file.
 *
 * A part is opened when its turn comes, by the thread that reads ahead, and closed when it ends: a thousand files take
 * the memory and the descriptor of one. Blocks are the part's own, lent on; only where the whole is of a wider type are
 * rows copied, element by element. A block never reaches from one file into the next. start of each part is written by
 * the thread that reads and looked at by the one that reports an error. */

#include "data/join.h"

#include "base/memory.h"
#include "data/gather_sums.h"
#include "data/live.h"
#include "data/wide.h"

#include <inttypes.h>
#include <string.h>

/* Opens a part that was seen before, and makes sure that it is still what it was. */
static scree_status enter(scree__join *join, scree__part *part, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *whole = NULL;
    scree_source *slice = NULL;
    if (!part->source) {
        SCREE_TRY(scree__file_open(&whole, part->path, &join->options, join->base.faults, error));
        SCREE_TRY(scree__join_agrees(join, whole, error));
        const bool other_rows =
            part->count < 0 && part->rows >= 0 && whole->about.rows >= 0 && whole->about.rows != part->rows;
        if (other_rows || scree__type_size(whole->about.type) > scree__type_size(join->base.about.type))
            SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: was replaced while it was read; start again", part->name);
        if (part->count >= 0)
            SCREE_TRY(whole->table->slice(&slice, whole, part->first, part->count, error));
        part->source = slice ? slice : whole;
        whole = slice ? whole : NULL;
    }
    atomic_store(&part->start, join->row);
done:
    scree_source_free(whole);
    return status;
}

static void leave(scree__part *part)
{
    if (part->keep)
        return;
    scree_source_free(part->source);
    part->source = NULL;
}

static void widen(void *to, scree_type type, const scree__block *block, int64_t cols)
{
    for (int64_t i = 0; i < block->rows; i++) {
        const int64_t from = i * block->stride;
        const int64_t into = i * cols;
        if (type == SCREE_F32)
            for (int64_t j = 0; j < cols; j++)
                ((float *)to)[into + j] = ((const uint8_t *)block->data)[from + j];
        else if (block->type == SCREE_F32)
            for (int64_t j = 0; j < cols; j++)
                ((double *)to)[into + j] = (double)((const float *)block->data)[from + j];
        else
            for (int64_t j = 0; j < cols; j++)
                ((double *)to)[into + j] = ((const uint8_t *)block->data)[from + j];
    }
}

/* Whole numbers counted from the origin of a part, from that of the first part, where they are not the same. */
static scree_status recount(scree__join *join, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = join->base.about.cols;
    if (join->row == 0)
        join->counts = block->origin != NULL;
    if (join->row == 0 && block->origin && !join->origin) {
        SCREE_ALLOC(join->origin, cols, error);
        memcpy(join->origin, block->origin, (size_t)cols * sizeof *join->origin);
    }
    const double *origin = join->counts ? join->origin : NULL;
    const bool same = (!block->origin && !origin) ||
                      (block->origin && origin && memcmp(block->origin, origin, (size_t)cols * sizeof *origin) == 0);
    if (!same) {
        SCREE_TRY(scree__buffer_reserve(&join->counted, block->rows * cols * (int64_t)sizeof(double),
                                        join->base.about.path, error));
        double *to = (double *)(void *)join->counted.data;
        for (int64_t i = 0; i < block->rows; i++)
            scree__wide_recount((const double *)block->data + i * block->stride, block->origin, origin, cols,
                                to + i * cols);
        block->data = to;
        block->stride = cols;
        block->marked = true;
    }
    block->origin = origin;
done:
    return status;
}

/* A block of a part becomes one of the whole. */
static scree_status lend(scree__join *join, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *base = &join->base;
    if (block->type != base->about.type) {
        scree__buffer *buffer = base->buffer ? base->buffer : &join->own;
        const int64_t size = block->rows * base->about.cols * scree__type_size(base->about.type);
        SCREE_TRY(scree__buffer_reserve(buffer, size, base->about.path, error));
        widen(buffer->data, base->about.type, block, base->about.cols);
        block->data = buffer->data;
        block->stride = base->about.cols;
        block->type = base->about.type;
    }
    if (base->about.type == SCREE_F64)
        SCREE_TRY(recount(join, block, error));
    if (base->about.text_count > 0 && !block->text) {
        const int64_t count = block->rows * base->about.text_count;
        SCREE_TRY(scree__buffer_reserve(&join->none, count * (int64_t)sizeof(char *), base->about.path, error));
        const char **texts = (const char **)(void *)join->none.data;
        for (int64_t i = 0; i < count; i++)
            texts[i] = "";
        block->text = texts;
    }
    block->first = join->row;
    join->row += block->rows;
done:
    return status;
}

static scree_status join_next(scree_source *source, scree__block *block, scree_error *error)
{
    scree__join *join = (scree__join *)source;
    scree_status status = SCREE_OK;
    for (; join->at < join->count; join->at++) {
        scree__part *part = &join->parts[join->at];
        if (part->empty)
            continue;
        if (!part->source || !part->source->started)
            SCREE_TRY(enter(join, part, error));
        part->source->buffer = part->source->about.type == source->about.type ? source->buffer : NULL;
        part->source->single_pass = source->single_pass;
        part->source->takes_origin = source->takes_origin;
        part->source->takes_totals = source->takes_totals;
        part->source->takes_sparse = source->takes_sparse && source->sparse;
        part->source->group_bytes =
            source->about.rows_estimate * source->about.cols * scree__type_size(source->about.type);
        part->source->block_rows = source->block_rows;
        SCREE_TRY(scree__source_next(part->source, block, error));
        if (block->rows > 0)
            return lend(join, block, error);
        SCREE_TRY(scree__join_add_late(join, join->at, part->source, error));
        const bool stopped = part->source->live && scree__input_stopped();
        leave(part);
        if (stopped) /* the input ends, and not only this part */
            break;
    }
    block->rows = 0;
done:
    return status;
}

static scree_status join_rewind(scree_source *source, scree_error *error)
{
    scree__join *join = (scree__join *)source;
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < join->count; i++) {
        leave(&join->parts[i]);
        if (join->parts[i].source)
            SCREE_TRY(scree__source_restart(join->parts[i].source, error));
    }
    join->at = 0;
    join->row = 0;
done:
    return status;
}

static scree_status join_seek(scree_source *source, int64_t row, scree_error *error)
{
    scree__join *join = (scree__join *)source;
    scree_status status = SCREE_OK;
    int64_t start = 0;
    SCREE_TRY(join_rewind(source, error));
    for (join->at = 0; join->at < join->count; start += join->parts[join->at++].rows) {
        scree__part *part = &join->parts[join->at];
        atomic_store(&part->start, part->empty ? -1 : start);
        if (!part->empty && row < start + part->rows)
            break;
    }
    join->row = start;
    if (join->at < join->count) {
        SCREE_TRY(enter(join, &join->parts[join->at], error));
        SCREE_TRY(scree__source_seek(join->parts[join->at].source, row - start, error));
    }
    join->row = row;
    join->told = join->count; /* notes would be about some of the rows */
done:
    return status;
}

/* Rows of a part, by this process or by all. */
static scree_status count_part(scree__join *join, scree__part *part, const scree_communicator *with, int64_t *rows,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    if (!part->source)
        status = scree__file_open(&source, part->path, &join->options, join->base.faults, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    scree_source *opened = part->source ? part->source : source;
    *rows = opened->about.rows;
    if (*rows < 0 && scree__source_can_seek(opened))
        status = scree__source_count(opened, with, rows, error);
done:
    scree_source_free(source);
    return status;
}

/* Parts are dealt out to the processes; all look at each together where parts are few. */
static scree_status join_count(scree_source *source, const scree_communicator *with, int64_t *rows, scree_error *error)
{
    enum { FEW = 4 };
    scree__join *join = (scree__join *)source;
    scree_status status = SCREE_OK;
    int64_t *counts = scree__alloc(join->count, sizeof *counts);
    const int64_t ranks = with ? with->ranks : 1;
    const bool together = with && join->count < FEW * ranks;
    *rows = -1;
    if (!counts)
        status = scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory to count its rows", source->about.path);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    for (int64_t i = 0; i < join->count; i++) {
        scree__part *part = &join->parts[i];
        const bool mine = together || i % ranks == (with ? with->rank : 0);
        if (part->rows >= 0 || part->empty || !mine || status != SCREE_OK)
            continue;
        status = count_part(join, part, together ? with : NULL, &counts[i], error);
    }
    SCREE_TRY(scree_communicator_agree(with, status, error));
    if (!together)
        SCREE_TRY(scree__gather_sums(with, SCREE_OK, counts, join->count, error));
    int64_t sum = 0;
    for (int64_t i = 0; i < join->count; i++) {
        scree__part *part = &join->parts[i];
        if (part->empty)
            part->rows = 0;
        if (part->rows < 0 && counts[i] >= 0)
            part->rows = counts[i];
        sum = sum < 0 || part->rows < 0 ? -1 : sum + part->rows;
    }
    *rows = sum;
done:
    free(counts);
    return status;
}

static const char *join_locate(const scree_source *source, int64_t *row)
{
    const scree__join *join = (const scree__join *)source;
    for (int64_t i = join->count - 1; i >= 0; i--) {
        const scree__part *part = &join->parts[i];
        const int64_t start = atomic_load(&part->start);
        if (start < 0 || start > *row)
            continue;
        *row += part->first - start;
        return part->name;
    }
    return source->about.path;
}

/* The part of a part that lies in rows first .. first+count-1 of the whole, where it begins at row start. */
static scree_status cut(scree__part *to, const scree__part *from, int64_t start, int64_t first, int64_t count)
{
    const int64_t begin = first > start ? first - start : 0;
    const int64_t end = first + count < start + from->rows ? first + count - start : from->rows;
    to->path = scree__strdup(from->path);
    to->name = scree__strdup(from->name);
    to->first = from->first + begin;
    to->count = to->rows = end - begin;
    to->start = -1;
    to->empty = from->empty;
    return to->path && to->name ? SCREE_OK : SCREE_ERR_MEMORY;
}

static scree_status join_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                               scree_error *error)
{
    const scree__join *join = (const scree__join *)source;
    scree_status status = SCREE_OK;
    scree__join *slice = NULL;
    if (first < 0 || count < 0 || first > source->about.rows - count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: a slice of %" PRId64 " rows after the first %" PRId64 " reaches past the last of %" PRId64
                   " rows",
                   source->about.path, count, first, source->about.rows);
    SCREE_TRY(scree__join_new(&slice, join->count, &join->options, error));
    SCREE_TRY(scree__source_around(&slice->base, source, error));
    scree__text_columns_clear(&slice->base.about.texts); /* which file they are from is not known here */
    slice->base.locate = join_locate;
    slice->base.about.rows = slice->base.about.rows_estimate = count;
    slice->count = 0;
    for (int64_t i = 0, start = 0; i < join->count; start += join->parts[i++].rows) {
        const scree__part *part = &join->parts[i];
        if (first + count <= start || first >= start + part->rows)
            continue;
        if (cut(&slice->parts[slice->count++], part, start, first, count) != SCREE_OK)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for a slice", source->about.path);
    }
    slice->leader = slice->count > 0 ? 0 : -1;
    slice->named_by = slice->base.about.columns && slice->count > 0 ? 0 : -1;
    slice->texts_by = slice->base.about.text_count > 0 && slice->count > 0 ? 0 : -1;
    *out = &slice->base;
    slice = NULL;
done:
    scree_source_free(slice ? &slice->base : NULL);
    return status;
}

static void join_close(scree_source *source)
{
    scree__join *join = (scree__join *)source;
    for (int64_t i = 0; join->parts && i < join->count; i++) {
        scree_source_free(join->parts[i].source);
        free(join->parts[i].path);
        free(join->parts[i].name);
    }
    free(join->parts);
    for (int64_t i = 0; i < join->kind_count; i++)
        free(join->kinds[i].note);
    free((char *)(uintptr_t)join->options.format);
    free((char *)(uintptr_t)join->options.columns);
    free((char *)(uintptr_t)join->options.label);
    free((char *)(uintptr_t)join->options.id);
    free((char *)(uintptr_t)join->options.weights);
    free((char *)(uintptr_t)join->options.encoding);
    free((char *)(uintptr_t)join->options.exclude);
    free((char *)(uintptr_t)join->options.na);
    scree__buffer_free(&join->own);
    scree__buffer_free(&join->none);
    scree__buffer_free(&join->counted);
    free(join->origin);
}

static const scree__source_table join_table = {.name = "join",
                                               .next = join_next,
                                               .rewind = join_rewind,
                                               .slice = join_slice,
                                               .close = join_close,
                                               .seek = join_seek,
                                               .count = join_count};

scree_status scree__join_new(scree__join **out, int64_t count, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__join *join = NULL;
    SCREE_ALLOC(join, 1, error);
    join->base.table = &join_table;
    join->base.locate = join_locate;
    join->leader = -1;
    join->named_by = -1;
    join->texts_by = -1;
    join->options = *options;
    join->options.format = scree__strdup(options->format);
    join->options.columns = scree__strdup(options->columns);
    join->options.label = scree__strdup(options->label);
    join->options.id = scree__strdup(options->id);
    join->options.weights = scree__strdup(options->weights);
    join->options.encoding = scree__strdup(options->encoding);
    join->options.exclude = scree__strdup(options->exclude);
    join->options.na = scree__strdup(options->na);
    SCREE_ALLOC(join->parts, count, error);
    join->count = count;
    for (int64_t i = 0; i < count; i++) {
        join->parts[i].count = join->parts[i].rows = -1;
        atomic_init(&join->parts[i].start, -1);
    }
    if ((options->format && !join->options.format) || (options->columns && !join->options.columns) ||
        (options->label && !join->options.label) || (options->id && !join->options.id) ||
        (options->weights && !join->options.weights) || (options->encoding && !join->options.encoding) ||
        (options->exclude && !join->options.exclude) || (options->na && !join->options.na))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory to open several files");
    *out = join;
    join = NULL;
done:
    scree_source_free(join ? &join->base : NULL);
    return status;
}
