/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells in any order become rows. While they come row after row, only where each row begins is noted: 12 bytes a cell
 * and nothing to be sorted. From the first cell that comes back to an earlier row on, the row of each is kept, and in
 * the end they are dealt to their rows by counting, in the order in which they came: 28 bytes a cell for that time.
 * Then each row is sorted by column, unless it is already; rows are shared out among the threads. O(cells log row). */

#include "data/triplets.h"

#include "base/memory.h"
#include "base/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 80, FIRST_CAPACITY = 1 << 16, GROUP_ROWS = 256, CELL_BYTES = 12, NAMED_BYTES = 16, COLUMN_BYTES = 128 };

typedef struct pair {
    int32_t column;
    double value;
} pair;

typedef struct sorting {
    scree__triplets *t;
    int64_t rows;
    int64_t longest;
    pair *pairs;   /* longest for each thread */
    int64_t twice; /* the first place of a cell that is there twice, or count */
} sorting;

static scree_status fail_memory(const scree__triplets *t, int64_t cells, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY,
                       "%s: out of memory: %" PRId64
                       " cells and more do not fit; use fewer rows, or a machine with more memory",
                       t->file, cells);
}

/* Bytes more, for the cells. */
static scree_status take(scree__triplets *t, int64_t bytes, scree_error *error)
{
    char what[WORDS];
    snprintf(what, sizeof what, "%" PRId64 " cells and more", t->count);
    return scree__budget_take(&t->budget, bytes, t->file, what, error);
}

scree_status scree__triplets_expect(scree__triplets *t, int64_t rows, int64_t cols, scree_error *error)
{
    char what[WORDS];
    snprintf(what, sizeof what, "%" PRId64 " rows and %" PRId64 " columns", rows, cols);
    return scree__budget_check(&t->budget, 8 * (rows + cols), t->file, what, error);
}

scree_status scree__triplets_believe(scree__triplets *t, int64_t cols, scree_error *error)
{
    char what[WORDS];
    snprintf(what, sizeof what, "%" PRId64 " columns", cols);
    return t->budget.given > 0 ? SCREE_OK : scree__budget_check(&t->budget, COLUMN_BYTES * cols, t->file, what, error);
}

/* Room for more cells. */
static scree_status grow(scree__triplets *t, scree_error *error)
{
    const int64_t usual = t->capacity > 0 ? t->capacity + t->capacity / 2 : FIRST_CAPACITY;
    const int64_t capacity = t->most > 0 && usual > t->most ? t->most : usual;
    const scree_status status = take(t, (capacity - t->capacity) * (t->row ? NAMED_BYTES : CELL_BYTES), error);
    if (status != SCREE_OK)
        return status;
    int32_t *column = realloc(t->column, (size_t)capacity * sizeof *column);
    if (!column)
        return fail_memory(t, t->count, error);
    t->column = column;
    double *value = realloc(t->value, (size_t)capacity * sizeof *value);
    if (!value)
        return fail_memory(t, t->count, error);
    t->value = value;
    if (t->row) {
        int32_t *row = realloc(t->row, (size_t)capacity * sizeof *row);
        if (!row)
            return fail_memory(t, t->count, error);
        t->row = row;
    }
    t->capacity = capacity;
    return SCREE_OK;
}

/* From now on every cell says its row. */
static scree_status name_rows(scree__triplets *t, scree_error *error)
{
    const scree_status status = take(t, t->capacity * (int64_t)sizeof *t->row, error);
    if (status != SCREE_OK)
        return status;
    t->row = malloc((size_t)t->capacity * sizeof *t->row);
    if (!t->row)
        return fail_memory(t, t->count, error);
    for (int64_t i = 0; i < t->rows; i++) {
        const int64_t end = i + 1 < t->rows ? t->start[i + 1] : t->count;
        for (int64_t c = t->start[i]; c < end; c++)
            t->row[c] = (int32_t)i;
    }
    return SCREE_OK;
}

static scree_status reserve_starts(scree__triplets *t, int64_t rows, scree_error *error)
{
    if (rows < t->start_capacity)
        return SCREE_OK;
    const int64_t capacity = rows + rows / 2 + FIRST_CAPACITY;
    char what[WORDS];
    snprintf(what, sizeof what, "%" PRId64 " rows", rows);
    const scree_status status =
        scree__budget_take(&t->budget, 8 * (capacity - t->start_capacity), t->file, what, error);
    if (status != SCREE_OK)
        return status;
    int64_t *start = realloc(t->start, (size_t)capacity * sizeof *start);
    if (!start)
        return fail_memory(t, t->count, error);
    t->start = start;
    t->start_capacity = capacity;
    return SCREE_OK;
}

scree_status scree__triplets_begin(scree__triplets *t, int64_t row, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (row < t->rows)
        return SCREE_OK;
    SCREE_TRY(reserve_starts(t, row + 1, error));
    for (int64_t i = t->rows; i <= row; i++)
        t->start[i] = t->count;
    t->rows = row + 1;
done:
    return status;
}

scree_status scree__triplets_add(scree__triplets *t, int64_t row, int64_t column, double value, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (t->count == t->capacity)
        SCREE_TRY(grow(t, error));
    if (row + 1 < t->rows && !t->row)
        SCREE_TRY(name_rows(t, error));
    if (row >= t->rows)
        SCREE_TRY(scree__triplets_begin(t, row, error));
    if (t->row)
        t->row[t->count] = (int32_t)row;
    t->column[t->count] = (int32_t)column;
    t->value[t->count++] = value;
done:
    return status;
}

/* Columns get their new numbers, and cells of those that are left out go. */
static void renumber(scree__triplets *t, const int32_t *place)
{
    int64_t kept = 0;
    int64_t row = 0;
    for (int64_t c = 0; c < t->count; c++) {
        for (; !t->row && row < t->rows && t->start[row] <= c; row++)
            t->start[row] = kept;
        if (place[t->column[c]] < 0)
            continue;
        t->column[kept] = place[t->column[c]];
        t->value[kept] = t->value[c];
        if (t->row)
            t->row[kept] = t->row[c];
        kept++;
    }
    for (; !t->row && row < t->rows; row++)
        t->start[row] = kept;
    t->count = kept;
}

/* Cells to their rows, by counting. */
static scree_status deal(scree__triplets *t, scree_error *error)
{
    const scree_status status = take(t, (t->count + 1) * CELL_BYTES, error);
    if (status != SCREE_OK)
        return status;
    int32_t *column = malloc((size_t)(t->count + 1) * sizeof *column);
    double *value = malloc((size_t)(t->count + 1) * sizeof *value);
    if (!column || !value) {
        free(column);
        free(value);
        return fail_memory(t, t->count, error);
    }
    memset(t->start, 0, (size_t)(t->rows + 1) * sizeof *t->start);
    for (int64_t c = 0; c < t->count; c++)
        t->start[t->row[c] + 1]++;
    for (int64_t i = 0; i < t->rows; i++)
        t->start[i + 1] += t->start[i];
    for (int64_t c = 0; c < t->count; c++) {
        const int64_t at = t->start[t->row[c]]++;
        column[at] = t->column[c];
        value[at] = t->value[c];
    }
    for (int64_t i = t->rows; i > 0; i--)
        t->start[i] = t->start[i - 1];
    t->start[0] = 0;
    free(t->row);
    free(t->column);
    free(t->value);
    t->row = NULL;
    t->column = column;
    t->value = value;
    scree__budget_give(&t->budget, t->capacity * NAMED_BYTES);
    t->capacity = t->count;
    return SCREE_OK;
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = ((const pair *)a)->column;
    const int32_t y = ((const pair *)b)->column;
    return x < y ? -1 : x > y;
}

/* The place of the first cell that does not stand after its neighbour, in columns first .. end; end: there is none. */
static int64_t disorder(const int32_t *column, int64_t first, int64_t end)
{
    for (int64_t c = first + 1; c < end; c++)
        if (column[c] <= column[c - 1])
            return c;
    return end;
}

static void note_twice(sorting *s, int64_t place)
{
    int64_t before = __atomic_load_n(&s->twice, __ATOMIC_RELAXED);
    while (place < before &&
           !__atomic_compare_exchange_n(&s->twice, &before, place, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Task: some rows. */
static void sort_rows(void *context, int64_t group, int worker)
{
    sorting *s = context;
    scree__triplets *t = s->t;
    pair *pairs = s->pairs + worker * s->longest;
    for (int64_t i = group * GROUP_ROWS; i < (group + 1) * GROUP_ROWS && i < s->rows; i++) {
        const int64_t first = t->start[i];
        const int64_t end = t->start[i + 1];
        if (disorder(t->column, first, end) == end)
            continue;
        for (int64_t c = first; c < end; c++)
            pairs[c - first] = (pair){t->column[c], t->value[c]};
        qsort(pairs, (size_t)(end - first), sizeof *pairs, by_column);
        for (int64_t c = first; c < end; c++) {
            t->column[c] = pairs[c - first].column;
            t->value[c] = pairs[c - first].value;
        }
        const int64_t place = disorder(t->column, first, end);
        if (place < end)
            note_twice(s, place);
    }
}

/* Rows up to the last, with a start after it. */
static scree_status close_rows(scree__triplets *t, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(reserve_starts(t, rows + 1, error));
    for (int64_t i = t->rows; i <= rows; i++)
        t->start[i] = t->count;
    t->rows = rows;
done:
    return status;
}

scree_status scree__triplets_sort(scree__triplets *t, scree__triplets_order *order, scree_error *error)
{
    scree_status status = SCREE_OK;
    sorting s = {.t = t, .rows = order->rows, .longest = 1};
    order->twice = order->row = -1;
    if (order->place)
        renumber(t, order->place);
    SCREE_TRY(close_rows(t, order->rows, error));
    if (t->row)
        SCREE_TRY(deal(t, error));
    if (order->unsorted)
        goto done;
    s.twice = t->count;
    for (int64_t i = 0; i < s.rows; i++)
        if (t->start[i + 1] - t->start[i] > s.longest)
            s.longest = t->start[i + 1] - t->start[i];
    const int64_t fit = scree__budget_left(&t->budget) / (s.longest * (int64_t)sizeof *s.pairs);
    const int threads = fit < 1 ? 1 : fit < order->threads ? (int)fit : order->threads;
    SCREE_TRY(scree__budget_check(&t->budget, threads * s.longest * (int64_t)sizeof *s.pairs, t->file,
                                  "its cells, to be sorted,", error));
    SCREE_ALLOC(s.pairs, threads * s.longest, error);
    scree__parallel(threads, (s.rows + GROUP_ROWS - 1) / GROUP_ROWS, sort_rows, &s);
    if (s.twice < t->count) {
        order->twice = s.twice;
        while (t->start[order->row + 1] <= s.twice)
            order->row++;
    }
done:
    free(s.pairs);
    return status;
}

void scree__triplets_clear(scree__triplets *t)
{
    free(t->row);
    free(t->column);
    free(t->value);
    free(t->start);
    *t = (scree__triplets){0};
}
