/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a 10x folder as sparse rows. Where the file has its entries cell after cell, they are lent as they are read,
 * and nothing is kept but the names; features of a cell may come in any order, as older files have them descending.
 * Where it has not, the file is read twice more, and its entries are put in order in memory or a scratch file
 * (turned.h). Barcodes are the ids of the rows. */

#include "data/tenx.h"

#include "base/memory.h"
#include "base/threads.h"
#include "data/formats.h"
#include "data/turned.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, FIRST_ROOM = 1 << 12 };

/* An entry of one cell. */
typedef struct counted {
    double value;
    int32_t column;
} counted;

typedef struct tenx_source {
    scree_source base;
    scree__tenx_matrix matrix;
    scree__tenx_features features;
    scree__tenx_texts barcodes;
    const char **text; /* of the cells */
    int64_t at;        /* next cell */
    scree__tenx_entry entry;
    bool there; /* entry was read and is not used yet */
    bool ended;
    scree__buffer starts; /* of the block */
    scree__buffer pairs;  /* entries of a cell, to be sorted */
    int32_t *indices;
    double *values;
    int64_t room;   /* entries of the block that there is memory for */
    bool is_turned; /* they came in another order: */
    scree__turned turned;
    int64_t kept; /* entries of columns */
    int64_t lent; /* of these, in this pass */
} tenx_source;

static scree_status make_room(tenx_source *t, int64_t count, scree_error *error)
{
    if (count < t->room)
        return SCREE_OK;
    const int64_t room = t->room > 0 ? 2 * t->room : FIRST_ROOM;
    int32_t *indices = realloc(t->indices, (size_t)room * sizeof *indices);
    if (indices)
        t->indices = indices;
    double *values = indices ? realloc(t->values, (size_t)room * sizeof *values) : NULL;
    if (!values)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for %" PRId64 " entries", t->base.about.path,
                           room);
    t->values = values;
    t->room = room;
    return SCREE_OK;
}

static scree_status fail_twice(const tenx_source *t, int64_t cell, int64_t column, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: cell '%.100s' has two counts of '%.100s'; copy the file again",
                       t->matrix.lines.file, t->text[cell], t->features.names[column]);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = ((const counted *)a)->column;
    const int32_t y = ((const counted *)b)->column;
    return (x > y) - (x < y);
}

/* How many of the entries from first on stand in the order of their columns. */
static int64_t ordered(const int32_t *column, int64_t first, int64_t end)
{
    int64_t i = first + 1;
    while (i < end && column[i] > column[i - 1])
        i++;
    return i - first;
}

/* The entries of a cell, from first on, by column: most are so already. */
static scree_status order_cell(tenx_source *t, int64_t cell, int64_t first, int64_t end, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = end - first;
    if (count < 2 || ordered(t->indices, first, end) == count)
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&t->pairs, count * (int64_t)sizeof(counted), t->base.about.path, error));
    counted *pairs = (counted *)(void *)t->pairs.data;
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (counted){t->values[first + i], t->indices[first + i]};
    qsort(pairs, (size_t)count, sizeof *pairs, by_column);
    for (int64_t i = 0; i < count; i++) {
        t->values[first + i] = pairs[i].value;
        t->indices[first + i] = pairs[i].column;
    }
    const int64_t fine = ordered(t->indices, first, end);
    if (fine < count)
        SCREE_TRY(fail_twice(t, cell, t->indices[first + fine], error));
done:
    return status;
}

/* The next entry, if there is one. */
static scree_status look_at_entry(tenx_source *t, scree_error *error)
{
    if (t->there || t->ended)
        return SCREE_OK;
    const scree_status status = scree__tenx_matrix_next(&t->matrix, &t->entry, &t->there, error);
    t->ended = status == SCREE_OK && !t->there;
    return status;
}

/* The entries of one cell, behind those of the block so far. */
static scree_status read_cell(tenx_source *t, int64_t cell, int64_t *count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t first = *count;
    for (;;) {
        SCREE_TRY(look_at_entry(t, error));
        if (!t->there || t->entry.cell > cell)
            break;
        if (t->entry.cell < cell)
            SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                       "%s: line %" PRId64 " is of cell %" PRId64 " again, after cell %" PRId64
                       "; write the file in the order of its cells, as Cell Ranger does",
                       t->matrix.lines.file, t->matrix.lines.number, t->entry.cell + 1, cell + 1);
        const int32_t column = t->features.place[t->entry.feature];
        t->there = false;
        if (column < 0)
            continue;
        SCREE_TRY(make_room(t, *count, error));
        t->indices[*count] = column;
        t->values[(*count)++] = t->entry.value;
    }
    SCREE_TRY(order_cell(t, cell, first, *count, error));
done:
    return status;
}

static scree_status stream_cells(tenx_source *t, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t count = 0;
    SCREE_TRY(make_room(t, 0, error));
    SCREE_TRY(scree__buffer_reserve(&t->starts, (block->rows + 1) * 8, t->base.about.path, error));
    int64_t *starts = (int64_t *)(void *)t->starts.data;
    starts[0] = 0;
    for (int64_t i = 0; i < block->rows; i++) {
        SCREE_TRY(read_cell(t, t->at + i, &count, error));
        starts[i + 1] = count;
    }
    if (t->at + block->rows == t->base.about.rows)
        SCREE_TRY(look_at_entry(t, error)); /* the file has to end here */
    block->starts = starts;
    block->indices = t->indices;
    block->data = t->values;
done:
    return status;
}

/* Rows that were put in order, in which entries of the same place were added up: none may have been. */
static scree_status lend_turned(tenx_source *t, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = block->rows;
    SCREE_TRY(scree__turned_next(&t->turned, rows, block, error));
    t->lent += block->starts[block->rows] - block->starts[0];
    if (t->at + block->rows == t->base.about.rows && t->lent < t->kept)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: entries that name a cell and a feature again: %" PRId64 "; copy the file again",
                   t->matrix.lines.file, t->kept - t->lent);
done:
    return status;
}

static scree_status tenx_next(scree_source *source, scree__block *block, scree_error *error)
{
    tenx_source *t = (tenx_source *)source;
    scree_status status = SCREE_OK;
    const int64_t left = source->about.rows - t->at;
    block->rows = left < source->block_rows ? left : source->block_rows;
    if (block->rows > 0)
        SCREE_TRY(t->is_turned ? lend_turned(t, block, error) : stream_cells(t, block, error));
    block->first = t->at;
    block->text = t->text + t->at;
    t->at += block->rows;
done:
    return status;
}

static scree_status tenx_rewind(scree_source *source, scree_error *error)
{
    tenx_source *t = (tenx_source *)source;
    t->at = 0;
    t->lent = 0;
    t->there = t->ended = false;
    if (t->is_turned)
        scree__turned_rewind(&t->turned);
    return t->is_turned ? SCREE_OK : scree__tenx_matrix_rewind(&t->matrix, error);
}

static void tenx_close(scree_source *source)
{
    tenx_source *t = (tenx_source *)source;
    scree__tenx_matrix_close(&t->matrix);
    scree__tenx_features_clear(&t->features);
    scree__tenx_texts_clear(&t->barcodes);
    scree__turned_clear(&t->turned);
    scree__buffer_free(&t->starts);
    scree__buffer_free(&t->pairs);
    free(t->text);
    free(t->indices);
    free(t->values);
}

static const scree__source_table tenx_table = {
    .name = "10x", .next = tenx_next, .rewind = tenx_rewind, .close = tenx_close};

/* All entries, once: counted, or handed over to be put in order. */
static scree_status hand_over(tenx_source *t, bool count, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool there = true;
    for (;;) {
        SCREE_TRY(scree__tenx_matrix_next(&t->matrix, &t->entry, &there, error));
        if (!there)
            break;
        const int32_t column = t->features.place[t->entry.feature];
        t->turned.budget.seen = scree__bytes_budget(t->matrix.lines.bytes)->seen;
        t->kept += column >= 0 && count;
        if (column >= 0)
            SCREE_TRY(count ? scree__turned_count(&t->turned, t->entry.cell, error)
                            : scree__turned_add(&t->turned, t->entry.cell, column, t->entry.value, error));
    }
    SCREE_TRY(scree__tenx_matrix_rewind(&t->matrix, error));
done:
    return status;
}

static scree_status put_in_order(tenx_source *t, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    t->turned = (scree__turned){.file = t->matrix.lines.file,
                                .rows = t->base.about.rows,
                                .cols = t->base.about.cols,
                                .type = SCREE_F64,
                                .budget = *scree__bytes_budget(t->matrix.lines.bytes),
                                .threads = scree__threads(options->threads)};
    t->is_turned = true;
    SCREE_TRY(hand_over(t, true, error));
    SCREE_TRY(scree__turned_counted(&t->turned, error));
    SCREE_TRY(hand_over(t, false, error));
    SCREE_TRY(scree__turned_finish(&t->turned, error));
    t->base.memory += scree__turned_memory(&t->turned);
done:
    return status;
}

/* Names of the cells, as ids of the rows. */
static scree_status name_cells(tenx_source *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(t->text, t->barcodes.count, error);
    for (int64_t i = 0; i < t->barcodes.count; i++)
        t->text[i] = scree__tenx_text(&t->barcodes, i);
    SCREE_ALLOC(t->base.about.text_names, 1, error);
    t->base.about.text_names[0] = scree__strdup("barcode");
    if (!t->base.about.text_names[0])
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", t->base.about.path);
    t->base.about.text_count = 1;
    t->base.about.text_id = 1;
done:
    return status;
}

static scree_status note(tenx_source *t, scree_error *error)
{
    char text[400];
    const double all = (double)t->matrix.cells * (double)t->matrix.features;
    const int64_t others = t->features.count - t->features.cols;
    size_t used =
        (size_t)scree__format(text, sizeof text, "%" PRId64 " cells, %" PRId64 " features, %.3g %% of all counts not 0",
                              t->matrix.cells, t->matrix.features, 100 * (double)t->matrix.entries / all);
    if (others > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "; %" PRId64 " features that are not '%s' left out",
                                 others, t->features.type);
    else if (t->features.type)
        used += (size_t)snprintf(text + used, sizeof text - used, "; all features are '%s'", t->features.type);
    if (t->features.renamed > 0)
        snprintf(text + used, sizeof text - used, "; %" PRId64 " repeated name%s numbered", t->features.renamed,
                 t->features.renamed == 1 ? "" : "s");
    t->base.about.note = scree__strdup(text);
    return t->base.about.note ? SCREE_OK
                              : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", t->base.about.path);
}

static scree_status describe(tenx_source *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__about *about = &t->base.about;
    about->type = SCREE_F64;
    about->rows = about->rows_estimate = t->barcodes.count;
    about->cols = t->features.cols;
    about->columns = scree__strings_copy((const char *const *)t->features.names, t->features.cols);
    if (!about->columns)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns", about->path);
    SCREE_TRY(name_cells(t, error));
    SCREE_TRY(note(t, error));
    t->base.can = SCREE__CAN_REWIND;
    t->base.sparse = true;
    t->base.entries = t->matrix.entries;
    t->base.block_rows = scree__source_rows_in(&t->base, BLOCK_BYTES);
    t->base.memory = t->barcodes.size + 16 * t->barcodes.room + 64 * t->features.count;
done:
    return status;
}

/* Barcodes are the only text that there is. */
static scree_status check_options(const char *folder, const scree_read_options *options, scree_error *error)
{
    const char *const asked[] = {options->label, options->id};
    for (int i = 0; i < 2; i++)
        if (asked[i] && strcmp(asked[i], "barcode") != 0)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "%s: cells of a 10x folder have no text but their barcodes, so that there is no %s "
                               "column '%.100s'; leave the %s out",
                               folder, i ? "id" : "label", asked[i], i ? "id" : "label");
    if (options->columns_from)
        return scree__fail(
            error, SCREE_ERR_ARGUMENT,
            "%s: a 10x folder says of its features only what they are called, so that there is no '%.100s'; "
            "choose by --columns or --top-variance",
            folder, options->columns_from);
    return SCREE_OK;
}

scree_status scree__tenx_open(scree_source **out, const char *folder, const scree_read_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tenx_files files = {0};
    tenx_source *t = NULL;
    bool streams = false;
    SCREE_TRY(check_options(folder, options, error));
    SCREE_TRY(scree__tenx_find(&files, folder, error));
    SCREE_ALLOC(t, 1, error);
    t->base.table = &tenx_table;
    t->base.about.path = scree__strdup(folder);
    if (!t->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", folder);
    SCREE_TRY(scree__tenx_features_read(&t->features, files.features, options->dataset, options, error));
    SCREE_TRY(scree__tenx_barcodes_read(&t->barcodes, files.barcodes, options, error));
    SCREE_TRY(scree__tenx_matrix_open(&t->matrix, files.matrix, t->features.count, t->barcodes.count, &streams, options,
                                      error));
    SCREE_TRY(describe(t, error));
    if (!streams)
        SCREE_TRY(put_in_order(t, options, error));
    SCREE_TRY(scree__select_by_options(out, &t->base, options, error));
    t = NULL;
done:
    scree_source_free(t ? &t->base : NULL);
    scree__tenx_files_clear(&files);
    return status;
}

/* A file of its own is not enough. */
static scree_status open_file(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                              scree_error *error)
{
    (void)out;
    (void)options;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: 10x counts are a folder of three files; give the folder's name",
                       scree__bytes_name(bytes));
}

const scree__reader scree__reader_tenx = {
    .name = "10x", .open = open_file, .text = "folders of 10x counts: matrix.mtx, features.tsv, barcodes.tsv"};
