/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of rows. Dense rows are read by whole chunks and lent piece by piece. Of sparse rows as many are taken as have
 * about 260,000 entries together, one at least; their order within a row and repeated cells are the library's to see
 * to, places are checked here. */

#include "module/hdf5/hdf5_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ENTRIES = 1 << 18, BLOCK_LINES = 1 << 15 };

static scree_status fail_memory(const scree__hdf5_source *source, int64_t bytes, scree_error *error)
{
    return scree__hdf5_fail(error, SCREE_ERR_MEMORY, "%s: out of memory: cannot allocate %" PRId64 " bytes",
                            source->table.file.name, bytes);
}

scree_status scree__hdf5_source_texts(scree__hdf5_source *source, int64_t first, int64_t count,
                                      const char *const **texts, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_table *table = &source->table;
    const int64_t wanted = count * table->text_count;
    if (wanted == 0)
        return SCREE_OK;
    if (wanted > source->text_room) {
        free(source->texts);
        source->texts = scree__hdf5_alloc(wanted, sizeof *source->texts);
        source->text_room = source->texts ? wanted : 0;
        if (!source->texts)
            TRY(fail_memory(source, wanted * 8, error));
    }
    scree__hdf5_arena_clear(&source->arena);
    source->arena.limit = table->file.limit;
    for (int i = 0; i < table->text_count; i++)
        TRY(scree__hdf5_column_read(&table->texts[i], first, count, &source->arena, source->texts + i,
                                    table->text_count, error));
    *texts = (const char *const *)source->texts;
done:
    return status;
}

static scree_status fill(scree__hdf5_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_table *table = &source->table;
    const int64_t left = table->values.look.rows - source->at;
    int64_t step = scree__hdf5_data_step(&table->values);
    if (table->rows == 1 && table->cols > 1) /* also of a vector that is one row */
        step = table->values.look.rows;
    const int64_t count = step < left ? step : left;
    const int64_t bytes = count * table->values.look.cols * table->values.size;
    TRY(scree__hdf5_within(&table->file, bytes, 1, table->part, "what is read", error));
    if (bytes > source->room) {
        free(source->buffer);
        source->buffer = scree__hdf5_alloc(bytes, 1);
        source->room = source->buffer ? bytes : 0;
        if (!source->buffer)
            TRY(fail_memory(source, bytes, error));
    }
    TRY(scree__hdf5_data_read(&table->values, source->at, count, source->buffer, error));
    source->first = source->at;
    source->end = source->at + (table->rows == 1 ? 1 : count);
done:
    return status;
}

scree_status scree__hdf5_dense_next(scree__hdf5_source *source, int64_t max_rows, scree_block *block,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_table *table = &source->table;
    if (source->at >= table->rows)
        return SCREE_OK;
    if (source->at >= source->end || source->at < source->first)
        TRY(fill(source, error));
    const int64_t left = source->end - source->at;
    const int64_t count = left < max_rows ? left : max_rows;
    block->data = source->buffer + (source->at - source->first) * table->cols * table->values.size;
    block->type = table->values.look.read;
    block->cols = table->cols;
    TRY(scree__hdf5_source_texts(source, source->at, count, &block->texts, error));
    block->rows = count;
    source->at += count;
done:
    return status;
}

/* ---- sparse ---- */

static int64_t lines_of(const scree__hdf5_table *table)
{
    return table->by_columns ? table->cols : table->rows;
}

/* The starts of the next lines, and how many of them have no more entries together than a block may. */
static scree_status read_starts(scree__hdf5_source *source, int64_t max, int64_t *count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_table *table = &source->table;
    const char *what = table->by_columns ? "column" : "row";
    int64_t lines = lines_of(table) - source->at;
    lines = lines < max ? lines : max;
    lines = lines < BLOCK_LINES ? lines : BLOCK_LINES;
    if (lines + 1 > source->start_room) {
        free(source->starts);
        source->starts = scree__hdf5_alloc(lines + 1, sizeof *source->starts);
        source->start_room = source->starts ? lines + 1 : 0;
        if (!source->starts)
            TRY(fail_memory(source, (lines + 1) * 8, error));
    }
    TRY(scree__hdf5_data_read(&table->starts, source->at, lines + 1, source->starts, error));
    for (int64_t i = 0; i <= lines; i++)
        if (source->starts[i] < 0 || source->starts[i] > table->entries ||
            (i > 0 && source->starts[i] < source->starts[i - 1]))
            FAIL(error, SCREE_ERR_FORMAT,
                 "%s: %s: indptr of %s %" PRId64 " is %" PRId64 ", which is less than before or beyond the %" PRId64
                 " entries: the file is damaged",
                 table->file.name, table->part, what, source->at + i, source->starts[i], table->entries);
    for (*count = 1; *count < lines && source->starts[*count + 1] - source->starts[0] <= BLOCK_ENTRIES;)
        ++*count;
done:
    return status;
}

static scree_status reserve(scree__hdf5_source *source, int64_t entries, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = source->table.values.size;
    if (entries <= source->entry_room)
        return SCREE_OK;
    TRY(scree__hdf5_within(&source->table.file, entries, size + 4, source->table.part, "the entries of a row", error));
    const int64_t room = entries > BLOCK_ENTRIES ? entries : BLOCK_ENTRIES;
    free(source->buffer);
    free(source->indices);
    source->buffer = scree__hdf5_alloc(room, size);
    source->indices = scree__hdf5_alloc(room, sizeof *source->indices);
    source->entry_room = source->buffer && source->indices ? room : 0;
    if (source->entry_room == 0)
        TRY(fail_memory(source, room * (size + 4), error));
done:
    return status;
}

static void release_entries(scree__hdf5_source *source)
{
    free(source->buffer);
    free(source->indices);
    source->buffer = NULL;
    source->indices = NULL;
    source->entry_room = 0;
}

/* Places are within the matrix; those that are not taken are left out. */
static scree_status check_places(scree__hdf5_source *source, int64_t count, scree_error *error)
{
    const scree__hdf5_table *table = &source->table;
    const int64_t most = table->by_columns ? table->rows : table->place ? table->file_cols : table->cols;
    const int64_t size = table->values.size;
    int64_t kept = 0, p = 0;
    for (int64_t i = 0; i < count; i++) {
        for (; p < source->starts[i + 1]; p++) {
            const int64_t at = source->indices[p];
            if (at < 0 || at >= most)
                return scree__hdf5_fail(error, SCREE_ERR_FORMAT,
                                        "%s: %s: an index in %s %" PRId64 " is %" PRId64
                                        ", and they go from 0 to %" PRId64 ": the file is damaged",
                                        table->file.name, table->part, table->by_columns ? "column" : "row",
                                        source->at + i + 1, at, most - 1);
            if (!table->place || table->place[at] >= 0) {
                source->indices[kept] = table->place ? (int32_t)table->place[at] : (int32_t)at;
                memmove(source->buffer + kept * size, source->buffer + p * size, (size_t)size);
                kept++;
            }
        }
        source->starts[i + 1] = kept;
    }
    return SCREE_OK;
}

/* Doubles do not have all integers of 64 bits. */
static scree_status check_values(const scree__hdf5_source *source, int64_t entries, scree_error *error)
{
    const scree__hdf5_table *table = &source->table;
    const double *values = (const double *)(const void *)source->buffer;
    const double most = 9007199254740992.0;
    const bool wide = table->values.look.read == SCREE_I64 || table->values.look.read == SCREE_U64;
    for (int64_t p = 0; wide && p < entries; p++)
        if (values[p] > most || values[p] < -most)
            return scree__hdf5_fail(
                error, SCREE_ERR_VALUE,
                "%s: %s: an entry is about %.17g, and integers beyond 2^53 are no doubles: write them "
                "as smaller numbers",
                table->file.name, table->part, values[p]);
    return SCREE_OK;
}

scree_status scree__hdf5_sparse_next(scree__hdf5_source *source, int64_t max_rows, scree_block *block,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__hdf5_table *table = &source->table;
    int64_t count = 0;
    if (source->at >= lines_of(table))
        release_entries(source); /* for what comes between two passes, if there is another */
    if (max_rows < 1 || source->at >= lines_of(table))
        return SCREE_OK;
    TRY(read_starts(source, max_rows, &count, error));
    const int64_t first = source->starts[0], entries = source->starts[count] - first;
    for (int64_t i = 0; i <= count; i++)
        source->starts[i] -= first;
    TRY(reserve(source, entries > 0 ? entries : 1, error));
    if (entries > 0) {
        TRY(scree__hdf5_data_read(&table->indices, first, entries, source->indices, error));
        TRY(scree__hdf5_data_read(&table->values, first, entries, source->buffer, error));
    }
    TRY(check_values(source, entries, error));
    TRY(check_places(source, count, error));
    if (!table->by_columns)
        TRY(scree__hdf5_source_texts(source, source->at, count, &block->texts, error));
    block->data = source->buffer;
    block->indices = source->indices;
    block->starts = source->starts;
    block->type = table->values.size == 4 ? SCREE_F32 : SCREE_F64;
    block->cols = table->by_columns ? table->rows : table->cols;
    block->rows = count;
    source->at += count;
done:
    return status;
}

void scree__hdf5_source_free(scree__hdf5_source *source)
{
    if (!source)
        return;
    scree__hdf5_table_close(&source->table);
    scree__hdf5_arena_clear(&source->arena);
    free(source->buffer);
    free(source->indices);
    free(source->starts);
    free(source->texts);
    free(source);
}
