/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries to rows. Counted entries that fit into the budget go straight to their places: 4 bytes and a value each, and
 * 8 a row. Others are gathered as triplets (triplets_sort.c) until these fill half of the budget; then they are dealt
 * to their rows and written to a scratch file as a run, and gathering goes on. Rows are read from all runs together:
 * a block of n rows is three reads from each, and its entries are put one run behind the other, in the order in which
 * they came. When the runs are one that was never written, rows lie in memory. Disk: 12 bytes an entry and 8 a row and
 * run. */

#include "data/turned.h"

#include "base/memory.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LEAST_RUN = SCREE__WINDOW(16), /* entries */
    CELL_PEAK = 28,                /* bytes of an entry while a run is dealt */
    BLOCK_BYTES = 4 << 20,
    START_BYTES = 1 << 20, /* of the starts of all runs, for a block */
    FIRST_ROWS = 1 << 12,
    RUN_WORDS = 2
};

static scree_status fail_memory(const scree__turned *t, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the entries of %" PRId64 " rows", t->file,
                       t->rows);
}

/* Counts of rows up to this one. */
static scree_status reserve_counts(scree__turned *t, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t room = t->start_room;
    char what[64];
    while (room < row + 2)
        room = room > 0 ? 2 * room : FIRST_ROWS;
    room = room < t->rows + 1 ? room : t->rows + 1;
    snprintf(what, sizeof what, "%" PRId64 " rows", t->rows);
    SCREE_TRY(scree__budget_take(&t->budget, 8 * (room - t->start_room), t->file, what, error));
    int64_t *starts = realloc(t->starts, (size_t)room * sizeof *starts);
    if (!starts)
        SCREE_TRY(fail_memory(t, error));
    t->starts = starts;
    memset(starts + t->start_room, 0, (size_t)(room - t->start_room) * sizeof *starts);
    t->start_room = room;
done:
    return status;
}

scree_status scree__turned_count(scree__turned *t, int64_t row, scree_error *error)
{
    if (row + 2 > t->start_room) {
        t->budget.seen = 12 * t->entries > t->budget.seen ? 12 * t->entries : t->budget.seen;
        const scree_status status = reserve_counts(t, row, error);
        if (status != SCREE_OK)
            return status;
    }
    t->starts[row + 1]++;
    t->entries++;
    return SCREE_OK;
}

/* Bytes of the entries as rows. */
static int64_t entry_bytes(const scree__turned *t)
{
    return t->entries * (scree__type_size(t->type) + (int64_t)sizeof *t->indices);
}

scree_status scree__turned_counted(scree__turned *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = scree__type_size(t->type);
    t->budget.seen = 12 * t->entries > t->budget.seen ? 12 * t->entries : t->budget.seen;
    t->placing = entry_bytes(t) <= scree__budget_left(&t->budget) / 2;
    if (t->placing) {
        SCREE_TRY(reserve_counts(t, t->rows - 1, error));
        SCREE_TRY(scree__budget_take(&t->budget, entry_bytes(t), t->file, "its entries", error));
        t->indices = scree__alloc_raw(t->entries + 1, sizeof *t->indices);
        t->values = scree__alloc_raw(t->entries + 1, (size_t)size);
        if (!t->indices || !t->values)
            SCREE_TRY(fail_memory(t, error));
        for (int64_t i = 0; i < t->rows; i++)
            t->starts[i + 1] += t->starts[i];
    } else {
        free(t->starts);
        t->starts = NULL;
        scree__budget_give(&t->budget, 8 * t->start_room);
        t->start_room = 0;
    }
    t->entries = 0;
done:
    return status;
}

/* What was gathered becomes a run. */
static scree_status write_run(scree__turned *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__triplets *cells = &t->cells;
    scree__triplets_order order = {.rows = t->rows, .threads = t->threads, .unsorted = true};
    int64_t *runs = realloc(t->runs, (size_t)(t->run_count + 1) * RUN_WORDS * sizeof *runs);
    if (!runs)
        return fail_memory(t, error);
    t->runs = runs;
    if (!scree__scratch_is_open(&t->scratch))
        SCREE_TRY(scree__scratch_open(&t->scratch, t->file, "turning its entries into rows", error));
    SCREE_TRY(scree__triplets_sort(cells, &order, error));
    runs[RUN_WORDS * t->run_count] = t->scratch.size;
    runs[RUN_WORDS * t->run_count + 1] = cells->count;
    SCREE_TRY(scree__scratch_write(&t->scratch, cells->start, 8 * (t->rows + 1), error));
    SCREE_TRY(scree__scratch_write(&t->scratch, cells->column, 4 * cells->count, error));
    SCREE_TRY(scree__scratch_write(&t->scratch, cells->value, 8 * cells->count, error));
    t->run_count++;
    scree__triplets_clear(cells);
done:
    return status;
}

/* How many entries may be gathered, as things are. */
static int64_t most_cells(scree__turned *t)
{
    scree__budget budget = t->budget;
    budget.seen = 12 * t->entries > budget.seen ? 12 * t->entries : budget.seen;
    const int64_t most = (scree__budget_left(&budget) / 2 - 12 * t->rows) / CELL_PEAK;
    return most > LEAST_RUN ? most : LEAST_RUN;
}

static void set_value(scree__turned *t, int64_t p, double value)
{
    if (t->type == SCREE_F64)
        ((double *)t->values)[p] = value;
    else if (t->type == SCREE_F32)
        ((float *)t->values)[p] = (float)value;
    else
        ((uint8_t *)t->values)[p] = (uint8_t)value;
}

scree_status scree__turned_add(scree__turned *t, int64_t row, int64_t column, double value, scree_error *error)
{
    scree_status status = SCREE_OK;
    t->entries++;
    if (t->placing) {
        const int64_t p = t->starts[row]++;
        t->indices[p] = (int32_t)column;
        set_value(t, p, value);
        return SCREE_OK;
    }
    if (t->cells.count == t->cells.most) {
        t->cells.most = most_cells(t);
        if (t->cells.count >= t->cells.most) {
            SCREE_TRY(write_run(t, error));
            t->cells.most = most_cells(t);
        }
        SCREE_TRY(scree__budget_check(&t->budget, 20 * t->rows, t->file, "the starts of its rows", error));
        t->cells.file = t->file;
        t->cells.budget.given = INT64_MAX; /* counted here */
    }
    SCREE_TRY(scree__triplets_add(&t->cells, row, column, value, error));
done:
    return status;
}

/* Rows that were placed: the starts have moved to the ends. */
static void unshift(scree__turned *t)
{
    for (int64_t i = t->rows; i > 0; i--)
        t->starts[i] = t->starts[i - 1];
    t->starts[0] = 0;
}

/* Rows of doubles from the cells; narrower values go to the front of their own memory. */
static scree_status take_cells(scree__turned *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__triplets_order order = {.rows = t->rows, .threads = t->threads, .unsorted = true};
    t->cells.file = t->file;
    t->cells.budget.given = INT64_MAX;
    SCREE_TRY(scree__budget_check(&t->budget, 12 * t->rows, t->file, "the starts of its rows", error));
    SCREE_TRY(scree__triplets_sort(&t->cells, &order, error));
    free(t->starts);
    t->starts = t->cells.start;
    t->indices = t->cells.column;
    t->values = t->cells.value;
    for (int64_t p = 0; t->type != SCREE_F64 && p < t->cells.count; p++)
        set_value(t, p, ((const double *)t->values)[p]);
    t->cells.start = NULL;
    t->cells.column = NULL;
    t->cells.value = NULL;
    scree__triplets_clear(&t->cells);
done:
    return status;
}

scree_status scree__turned_finish(scree__turned *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (t->placing) {
        unshift(t);
    } else if (t->run_count > 0) {
        t->cells.file = t->file;
        t->cells.budget.given = INT64_MAX;
        SCREE_TRY(write_run(t, error));
        goto done;
    } else {
        SCREE_TRY(take_cells(t, error));
    }
    scree__loose_rows rows = {t->rows, t->starts, t->indices, t->values, t->type, 0, t->file};
    SCREE_TRY(scree__entries_settle(&rows, error));
    t->entries = t->starts[t->rows];
    t->in_memory = true;
done:
    return status;
}

/* Rows from t->at on whose entries, from all runs, are about a block; their starts are in run_starts. */
static scree_status look_ahead(scree__turned *t, int64_t *rows, int64_t *count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t most = START_BYTES / 8 / t->run_count - 1;
    const int64_t stride = *rows + 1 < most + 1 ? *rows + 1 : most > 1 ? most + 1 : 2;
    *rows = stride - 1;
    SCREE_TRY(scree__buffer_reserve(&t->run_starts, 8 * stride * t->run_count, t->file, error));
    int64_t *starts = (int64_t *)(void *)t->run_starts.data;
    for (int64_t r = 0; r < t->run_count; r++)
        SCREE_TRY(scree__scratch_read(&t->scratch, starts + r * stride, 8 * stride, t->runs[RUN_WORDS * r] + 8 * t->at,
                                      error));
    for (;; *rows = *rows / 2) {
        *count = 0;
        for (int64_t r = 0; r < t->run_count; r++)
            *count += starts[r * stride + *rows] - starts[r * stride];
        if (*rows == 1 || *count * (scree__type_size(t->type) + 4) <= BLOCK_BYTES)
            break;
    }
    for (int64_t r = 1; r < t->run_count; r++) /* side by side */
        memmove(starts + r * (*rows + 1), starts + r * stride, (size_t)(*rows + 1) * sizeof *starts);
done:
    return status;
}

/* The entries of a run, each behind those of its row from earlier runs; ends: where each row has come to. */
static scree_status place_run(scree__turned *t, int64_t r, int64_t rows, int64_t *ends, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t *starts = (const int64_t *)(void *)t->run_starts.data + r * (rows + 1);
    const int64_t count = starts[rows] - starts[0];
    const int64_t columns = t->runs[RUN_WORDS * r] + 8 * (t->rows + 1);
    const int64_t values = columns + 4 * t->runs[RUN_WORDS * r + 1];
    int32_t *out = (int32_t *)(void *)t->out_indices.data;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&t->piece, 12 * count, t->file, error));
    const double *value = (const double *)(void *)t->piece.data;
    const int32_t *column = (const int32_t *)(const void *)(value + count);
    SCREE_TRY(scree__scratch_read(&t->scratch, t->piece.data, 8 * count, values + 8 * starts[0], error));
    SCREE_TRY(scree__scratch_read(&t->scratch, t->piece.data + 8 * count, 4 * count, columns + 4 * starts[0], error));
    for (int64_t i = 0; i < rows; i++) {
        const int64_t from = starts[i] - starts[0];
        const int64_t n = starts[i + 1] - starts[i];
        memcpy(out + ends[i], column + from, (size_t)n * sizeof *out);
        scree__strided_store(t->type, value + from, n, t->out_values.data + ends[i] * scree__type_size(t->type), 1);
        ends[i] += n;
    }
done:
    return status;
}

/* A block of rows from the runs. */
static scree_status merge(scree__turned *t, int64_t rows, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t count = 0;
    SCREE_TRY(look_ahead(t, &rows, &count, error));
    SCREE_TRY(scree__budget_check(&t->budget, count * (scree__type_size(t->type) + 16), t->file, "entries of one row",
                                  error));
    SCREE_TRY(scree__buffer_reserve(&t->out, 16 * (rows + 1), t->file, error));
    SCREE_TRY(scree__buffer_reserve(&t->out_indices, 4 * count, t->file, error));
    SCREE_TRY(scree__buffer_reserve(&t->out_values, 8 * count, t->file, error));
    int64_t *out = (int64_t *)(void *)t->out.data;
    int64_t *ends = out + rows + 1;
    const int64_t *starts = (const int64_t *)(void *)t->run_starts.data;
    out[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        ends[i] = out[i];
        out[i + 1] = out[i];
        for (int64_t r = 0; r < t->run_count; r++)
            out[i + 1] += starts[r * (rows + 1) + i + 1] - starts[r * (rows + 1) + i];
    }
    for (int64_t r = 0; r < t->run_count; r++)
        SCREE_TRY(place_run(t, r, rows, ends, error));
    scree__loose_rows loose = {rows,  out,    (int32_t *)(void *)t->out_indices.data, t->out_values.data, t->type,
                               t->at, t->file};
    SCREE_TRY(scree__entries_settle(&loose, error));
    block->starts = out;
    block->indices = loose.indices;
    block->data = loose.values;
    block->rows = rows;
done:
    return status;
}

scree_status scree__turned_next(scree__turned *t, int64_t max_rows, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t left = t->rows - t->at;
    const int64_t rows = left < max_rows ? left : max_rows;
    block->type = t->type;
    block->first = t->at;
    if (rows < 1)
        goto done;
    if (t->in_memory) {
        block->starts = t->starts + t->at;
        block->indices = t->indices;
        block->data = t->values;
        block->rows = rows;
    } else {
        SCREE_TRY(merge(t, rows, block, error));
    }
    t->at += block->rows;
done:
    return status;
}

void scree__turned_rewind(scree__turned *t)
{
    t->at = 0;
}

int64_t scree__turned_memory(const scree__turned *t)
{
    return t->in_memory ? entry_bytes(t) + 8 * (t->rows + 1) : 2 * BLOCK_BYTES + START_BYTES;
}

void scree__turned_clear(scree__turned *t)
{
    free(t->starts);
    free(t->indices);
    free(t->values);
    free(t->runs);
    scree__triplets_clear(&t->cells);
    scree__scratch_close(&t->scratch);
    scree__buffer_free(&t->run_starts);
    scree__buffer_free(&t->piece);
    scree__buffer_free(&t->out);
    scree__buffer_free(&t->out_indices);
    scree__buffer_free(&t->out_values);
    *t = (scree__turned){0};
}
