/* SPDX-License-Identifier: BSD-3-Clause */
/* A block without a model: each column becomes whole numbers by its own rule (numbers.c), and these are coded by their
 * contexts (contexts.c), or, where they repeat rather than follow from their neighbours, by zstd, in the narrowest
 * integers that hold them. Where a rule does not hold for a cell, and where a column has none, elements are stored as
 * they are: first those of whole columns, then those of single cells, which a mark for each cell tells. */

#include "archive/block.h"
#include "archive/numbers.h"
#include "archive/squeeze.h"

#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <string.h>

enum { SOME_MARKED = 1, REPEATS = 2 };

/* A block while it is coded. */
typedef struct work {
    scree__numbers numbers;
    int32_t *room; /* pad, then cells */
    int32_t *cells;
    double *x;    /* a column */
    double *back; /* as it comes back */
    int32_t *column;
    scree__pack raws;
    int64_t marked;
} work;

static bool work_open(work *w, int64_t rows, int64_t cols, int64_t pad)
{
    w->room = scree__alloc_raw(pad + rows * cols, sizeof *w->room);
    w->cells = w->room ? w->room + pad : NULL;
    w->x = scree__alloc_raw(rows, sizeof *w->x);
    w->back = scree__alloc_raw(rows, sizeof *w->back);
    w->column = scree__alloc_raw(rows, sizeof *w->column);
    return w->room && w->x && w->back && w->column;
}

static void work_close(work *w)
{
    scree__numbers_clear(&w->numbers);
    scree__pack_free(&w->raws);
    free(w->room);
    free(w->x);
    free(w->back);
    free(w->column);
}

static void keep_raw(work *w, const scree__rows *rows, int64_t i, int64_t j)
{
    const int64_t size = scree__type_size(rows->type);
    scree__pack_bytes(&w->raws, (const char *)rows->data + (i * rows->stride + j) * size, size);
}

/* ---- bytes: one rule for all columns, 256 cases ---- */

static void number_bytes(work *w, const scree__rows *rows, scree__outcome *outcome)
{
    const unsigned char *from = rows->data;
    int64_t counts[UINT8_MAX + 1] = {0};
    double x[UINT8_MAX + 1];
    double back[UINT8_MAX + 1];
    int32_t cells[UINT8_MAX + 1];
    for (int v = 0; v <= UINT8_MAX; v++)
        x[v] = v;
    scree__column_apply(&w->numbers.columns[0], x, cells, back, UINT8_MAX + 1);
    for (int64_t i = 0; i < rows->rows; i++)
        for (int64_t j = 0; j < rows->cols; j++) {
            const unsigned char v = from[i * rows->stride + j];
            w->cells[i * rows->cols + j] = cells[v];
            counts[v]++;
        }
    for (int v = 0; v <= UINT8_MAX; v++) {
        const double off = fabs(x[v] - back[v]);
        outcome->worst = counts[v] > 0 && off > outcome->worst ? off : outcome->worst;
        outcome->squares += (double)counts[v] * off * off;
        outcome->cells += counts[v];
    }
}

/* ---- other types ---- */

static void count_errors(const work *w, int64_t rows, scree__outcome *outcome)
{
    for (int64_t i = 0; i < rows; i++) {
        const double off = w->column[i] < 0 ? 0 : fabs(w->x[i] - w->back[i]);
        outcome->worst = off > outcome->worst ? off : outcome->worst;
        outcome->squares += off * off;
        outcome->cells += isfinite(w->x[i]) ? 1 : 0;
        outcome->raw += w->column[i] < 0;
    }
}

static void number_columns(work *w, const scree__rows *rows, scree__outcome *outcome)
{
    for (int64_t j = 0; j < rows->cols; j++) {
        const scree__column *c = &w->numbers.columns[j];
        const bool raw = c->rule == SCREE__RULE_RAW;
        scree__column_load(rows, j, w->x);
        if (!raw)
            scree__column_apply(c, w->x, w->column, w->back, rows->rows);
        for (int64_t i = 0; i < rows->rows; i++) {
            w->column[i] = raw ? -1 : w->column[i];
            w->cells[i * rows->cols + j] = raw ? 0 : w->column[i];
            w->marked += !raw && w->column[i] < 0;
            if (raw)
                keep_raw(w, rows, i, j);
        }
        count_errors(w, rows->rows, outcome);
    }
}

/* Cells that are marked: their elements, and a one for each where others have a zero; in cells they become what is
 * above them, or 0. */
static bool put_marks(scree__pack *pack, work *w, const scree__rows *rows)
{
    const int64_t count = rows->rows * rows->cols;
    const scree__contexts how = {.mode = SCREE__CONTEXT_VALUES,
                                 .near = 1,
                                 .far =
                                     rows->cols > 1 && rows->cols <= SCREE__CONTEXT_FARTHEST ? (int32_t)rows->cols : 2};
    const int64_t pad = scree__contexts_pad(&how);
    int32_t *marks = scree__alloc_raw(pad + count, sizeof *marks);
    if (!marks)
        return false;
    for (int64_t t = 0; t < count; t++) {
        marks[pad + t] = w->cells[t] < 0;
        if (w->cells[t] < 0) {
            keep_raw(w, rows, t / rows->cols, t % rows->cols);
            w->cells[t] = t >= rows->cols ? w->cells[t - rows->cols] : 0; /* of the same column */
        }
    }
    const bool done = scree__contexts_put(pack, &how, marks + pad, rows->rows, rows->cols, count + 16);
    free(marks);
    return done;
}

/* ---- numbers by zstd ---- */

static int size_of(const int32_t *cells, int64_t count)
{
    int32_t all = 0;
    for (int64_t t = 0; t < count; t++)
        all |= cells[t];
    return all <= UINT8_MAX ? 1 : all <= UINT16_MAX ? 2 : 4;
}

/* Low bytes first. */
static unsigned char *narrow(const int32_t *cells, int64_t count, int size)
{
    unsigned char *bytes = scree__alloc_raw(count, (size_t)size);
    for (int64_t t = 0; bytes && t < count; t++)
        for (int b = 0; b < size; b++)
            bytes[t * size + b] = (unsigned char)((uint32_t)cells[t] >> (8 * b));
    return bytes;
}

static void get_repeats(scree__unpack *unpack, int32_t *cells, int64_t count)
{
    const unsigned size = scree__unpack_u8(unpack);
    unsigned char *bytes = size == 1 || size == 2 || size == 4 ? scree__alloc_raw(count, size) : NULL;
    unpack->failed = unpack->failed || !bytes;
    if (!unpack->failed)
        scree__unsqueeze_hard(unpack, bytes, count * size, 1);
    for (int64_t t = 0; t < count && !unpack->failed; t++) {
        uint32_t value = 0;
        for (unsigned b = 0; b < size; b++)
            value |= (uint32_t)bytes[t * size + b] << (8 * b);
        unpack->failed = value > INT32_MAX;
        cells[t] = (int32_t)value;
    }
    free(bytes);
}

/* ---- the block ---- */

static bool put_all(scree__pack *pack, const scree__code *code, work *w, const scree__rows *rows,
                    scree__outcome *outcome)
{
    const int64_t count = rows->rows * rows->cols;
    const int64_t size = scree__type_size(rows->type);
    const int64_t flags = pack->size;
    scree__pack_u8(pack, w->marked > 0 ? SOME_MARKED : 0);
    scree__numbers_put(pack, &w->numbers);
    if (w->marked > 0 && !put_marks(pack, w, rows))
        return false;
    const int64_t begun = pack->size;
    if (!scree__contexts_put(pack, &code->contexts, w->cells, rows->rows, rows->cols, count * size + 16))
        return false;
    const int narrowest = size_of(w->cells, count);
    unsigned char *bytes = narrow(w->cells, count, narrowest);
    const scree__harder harder = {bytes, count * narrowest, 1, (unsigned)narrowest};
    if (bytes && scree__block_harder(pack, begun, code, &harder, outcome))
        pack->data[flags] |= REPEATS;
    free(bytes);
    scree__squeeze(pack, w->raws.data, w->raws.size / size, (int)size);
    return !w->raws.failed;
}

int32_t *scree__block_numbers(const scree__rows *rows, int element, double max_error)
{
    work w = {.room = NULL};
    scree__outcome outcome = {0};
    const int64_t count = rows->rows * rows->cols;
    int32_t *cells = NULL;
    if (work_open(&w, rows->rows, rows->cols, 0) && scree__numbers_find(&w.numbers, rows, element, max_error) &&
        scree__numbers_any(&w.numbers)) {
        if (rows->type == SCREE_U8)
            number_bytes(&w, rows, &outcome);
        else
            number_columns(&w, rows, &outcome);
        cells = w.room;
        w.room = NULL;
        for (int64_t t = 0; t < count; t++)
            cells[t] = cells[t] < 0 ? 0 : cells[t];
    }
    work_close(&w);
    return cells;
}

double scree__block_gain(const int32_t *cells, int64_t count, double most)
{
    const int size = size_of(cells, count);
    unsigned char *bytes = narrow(cells, count, size);
    const bool may = bytes && scree__squeeze_estimate(bytes, count * size, scree__best_gain) < 1.3 * most;
    const double gain = may ? scree__squeeze_gain(bytes, count * size) : scree__best_gain;
    free(bytes);
    return gain;
}

static bool put_numbers(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    work w = {.room = NULL};
    const bool open = work_open(&w, rows->rows, rows->cols, scree__contexts_pad(&code->contexts)) &&
                      scree__numbers_find(&w.numbers, rows, code->lattice.element, code->max_error);
    bool done = false;
    if (open && !scree__numbers_any(&w.numbers)) {
        done = false; /* elements alone: another coding's business */
    } else if (open) {
        if (rows->type == SCREE_U8)
            number_bytes(&w, rows, outcome);
        else
            number_columns(&w, rows, outcome);
        done = put_all(pack, code, &w, rows, outcome);
    } else {
        pack->failed = true;
    }
    work_close(&w);
    return done;
}

/* Elements that are stored as they are, in their places; cells tell which, where marks is not NULL. */
static void place_raws(scree__unpack *unpack, const work *w, const int32_t *marks, char *data, int64_t rows)
{
    const int64_t d = w->numbers.cols;
    const int64_t size = scree__type_size(w->numbers.type);
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++)
        count += w->numbers.columns[j].rule == SCREE__RULE_RAW ? rows : 0;
    for (int64_t t = 0; marks && t < rows * d; t++)
        count += marks[t] != 0;
    char *raws = scree__alloc_raw(count, (size_t)size);
    const char *at = raws;
    unpack->failed = unpack->failed || !raws;
    scree__unsqueeze(unpack, raws, count, (int)size);
    for (int64_t j = 0; raws && j < d && !unpack->failed; j++)
        for (int64_t i = 0; i < rows && w->numbers.columns[j].rule == SCREE__RULE_RAW; i++, at += size)
            memcpy(data + (i * d + j) * size, at, (size_t)size);
    for (int64_t t = 0; raws && marks && t < rows * d && !unpack->failed; t++)
        if (marks[t] != 0) {
            memcpy(data + t * size, at, (size_t)size);
            at += size;
        }
    free(raws);
}

static void undo_columns(scree__unpack *unpack, work *w, char *data, int64_t rows)
{
    const int64_t d = w->numbers.cols;
    const int64_t size = scree__type_size(w->numbers.type);
    for (int64_t j = 0; j < d && !unpack->failed; j++) {
        const scree__column *c = &w->numbers.columns[j];
        for (int64_t i = 0; i < rows; i++)
            w->column[i] = w->cells[i * d + j];
        if (c->rule == SCREE__RULE_RAW)
            continue;
        unpack->failed = !scree__column_undo(c, w->column, w->back, rows);
        for (int64_t i = 0; i < rows && !unpack->failed; i++)
            scree__row_store(&w->back[i], w->numbers.type, data + (i * d + j) * size, 1);
    }
}

/* As contexts tell, into memory that has room for what stands before them; to be freed. */
static int32_t *get_cells(scree__unpack *unpack, int32_t **cells, int64_t rows, int64_t cols)
{
    scree__contexts how;
    scree__contexts_get_head(unpack, &how);
    const int64_t pad = scree__contexts_pad(&how);
    int32_t *room = unpack->failed ? NULL : scree__alloc_raw(pad + rows * cols, sizeof *room);
    unpack->failed = unpack->failed || !room;
    *cells = room ? room + pad : NULL;
    if (!unpack->failed)
        scree__contexts_get(unpack, &how, *cells, rows, cols);
    return room;
}

static void get_numbers(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    const int64_t d = code->cols;
    work w = {.room = NULL};
    int32_t *mark_room = NULL;
    int32_t *marks = NULL;
    const unsigned flags = scree__unpack_u8(unpack);
    scree__numbers_get(unpack, &w.numbers, rows, d, &code->lattice);
    unpack->failed = unpack->failed || flags > (SOME_MARKED | REPEATS);
    if (flags & SOME_MARKED)
        mark_room = get_cells(unpack, &marks, rows, d);
    if (flags & REPEATS) {
        w.room = w.cells = unpack->failed ? NULL : scree__alloc_raw(rows * d, sizeof *w.room);
        unpack->failed = unpack->failed || !w.room;
        if (!unpack->failed)
            get_repeats(unpack, w.cells, rows * d);
    } else {
        w.room = get_cells(unpack, &w.cells, rows, d);
    }
    w.back = scree__alloc_raw(rows, sizeof *w.back);
    w.column = scree__alloc_raw(rows, sizeof *w.column);
    unpack->failed = unpack->failed || !w.back || !w.column;
    undo_columns(unpack, &w, data, rows);
    if (!unpack->failed)
        place_raws(unpack, &w, marks, data, rows);
    free(mark_room);
    work_close(&w);
}

const scree__coding_calls scree__coding_numbers = {"numbers", put_numbers, get_numbers};
