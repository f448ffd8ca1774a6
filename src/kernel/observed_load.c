/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk of rows with gaps, made ready: cells centred and scaled, 0 where missing, a mask of zeros and ones for each
 * pattern of gaps. Equal patterns are found by a sum of random words over the missing columns, then compared, so that
 * complete rows cost one pattern a chunk. A chunk with less than a tenth of its cells is kept as a list of cells. One
 * read of the rows. */

#include "kernel/observed.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/strip.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 248, FEWEST_ROWS = 8, SPARSE = 10, RESIDUAL_ROWS = 32 };
/* Rows are no power of two: entries that lie so far apart would share the same few places of the cache. */
static const int64_t CHUNK_BYTES = INT64_C(8) << 20;

int64_t scree__observed_height(int64_t cols)
{
    const int64_t rows = CHUNK_BYTES / (16 * cols) / FEWEST_ROWS * FEWEST_ROWS;
    return rows > MOST_ROWS ? MOST_ROWS : rows < FEWEST_ROWS ? FEWEST_ROWS : rows;
}

static int64_t work_size(int64_t cols, int64_t m, int64_t height)
{
    const int64_t codes = (m + 1) * height + scree__pairs(m + 1);
    const int64_t residuals = RESIDUAL_ROWS * cols;
    const int64_t strip = SCREE__STRIP * (scree__pairs(m) + m);
    return codes + residuals > strip ? codes + residuals : strip;
}

int64_t scree__observed_memory(int64_t cols, int64_t m)
{
    const int64_t h = scree__observed_height(cols);
    return 8 *
           (2 * h * cols + scree__pairs(m + 1) * (3 * h + 1) + (m + 1) * h + work_size(cols, m, h) + 8 * h + 4 * cols);
}

/* What holds the rows. */
static scree_status open_rows(scree__observed *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t h = o->height;
    const int64_t cols = o->cols;
    SCREE_ALLOC(o->x, h * cols, error);
    SCREE_ALLOC(o->mask, h * cols, error);
    SCREE_ALLOC(o->start, h + 1, error);
    SCREE_ALLOC(o->pattern, h, error);
    SCREE_ALLOC(o->seen, h, error);
    SCREE_ALLOC(o->members, h, error);
    SCREE_ALLOC(o->ones, cols, error);
    SCREE_ALLOC(o->zeros, cols, error);
    SCREE_ALLOC(o->keys, cols, error);
    o->column = (int32_t *)(void *)o->mask; /* there is one or the other */
    for (int64_t j = 0; j < cols; j++) {
        uint32_t word[4];
        scree__philox(1, 0, (uint64_t)j, word);
        o->keys[j] = (uint64_t)word[0] << 32 | word[1];
        o->ones[j] = 1;
    }
done:
    return status;
}

scree_status scree__observed_open(scree__observed *o, int64_t cols, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t h = scree__observed_height(cols);
    *o = (scree__observed){.cols = cols, .m = m, .height = h};
    SCREE_TRY(open_rows(o, error));
    SCREE_ALLOC(o->inverse, scree__pairs(m + 1) * h, error);
    SCREE_ALLOC(o->logdet, h, error);
    SCREE_ALLOC(o->z, (m + 1) * h, error);
    SCREE_ALLOC(o->square, h, error);
    SCREE_ALLOC(o->density, h, error);
    SCREE_ALLOC(o->sums, scree__pairs(m + 1) * h, error);
    SCREE_ALLOC(o->total, scree__pairs(m + 1), error);
    SCREE_ALLOC(o->spread, scree__pairs(m + 1) * h, error);
    SCREE_ALLOC(o->work, work_size(cols, m, h), error);
done:
    return status;
}

scree_status scree__observed_weigh(scree__observed *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(o->heavy, (o->m + 1) * o->height, error);
done:
    return status;
}

scree_status scree__observed_choose(scree__observed *o, const scree__chosen *chosen, scree_error *error)
{
    scree_status status = SCREE_OK;
    o->chosen = chosen;
    SCREE_ALLOC(o->row, chosen->width, error);
done:
    return status;
}

void scree__observed_close(scree__observed *o)
{
    free(o->row);
    free(o->heavy);
    free(o->x);
    free(o->mask);
    free(o->start);
    free(o->pattern);
    free(o->seen);
    free(o->members);
    free(o->inverse);
    free(o->logdet);
    free(o->z);
    free(o->square);
    free(o->density);
    free(o->sums);
    free(o->total);
    free(o->spread);
    free(o->work);
    free(o->ones);
    free(o->zeros);
    free(o->keys);
}

SCREE_CLONES static int64_t count_seen(const double *x, int64_t n)
{
    int64_t seen = 0;
    for (int64_t j = 0; j < n; j++)
        seen += x[j] == x[j];
    return seen;
}

/* Row i, the chosen columns of it: in work, or where it lies. */
static const double *read_row(scree__observed *o, const scree__rows *x, int64_t i)
{
    if (!o->chosen)
        return scree__rows_load(x, i, o->work);
    const double *all = scree__rows_load(x, i, o->row);
    for (int64_t j = 0; j < o->cols; j++)
        o->work[j] = all[o->chosen->column[j]];
    return o->work;
}

/* Where a column of the rows is among those chosen, or -1. */
static int64_t place_in(const scree__observed *o, int32_t column)
{
    return o->chosen ? o->chosen->place[column] : column;
}

/* A row made ready; its missing columns' key; false when a cell is not finite. */
typedef struct row_at_work {
    const double *x;
    const double *shift;
    const double *offset;
    const double *factor;
    const uint64_t *keys;
    int64_t n;
} row_at_work;

SCREE_CLONES static bool load_row(const row_at_work *r, double *restrict x, double *restrict mask, uint64_t *key)
{
    const double *restrict from = r->x;
    uint64_t sum = 0;
    int64_t bad = 0;
    for (int64_t j = 0; j < r->n; j++) {
        const bool is_there = from[j] == from[j];
        const double scaled = (from[j] - r->shift[j]) * r->factor[j] - r->offset[j];
        mask[j] = is_there ? 1.0 : 0.0;
        x[j] = is_there ? scaled : 0.0;
        sum += is_there ? 0 : r->keys[j];
        bad |= !(x[j] - x[j] == 0.0);
    }
    *key = sum;
    return bad == 0;
}

/* The place of the pattern whose mask stands after the others: that of an equal one, or its own. */
static int64_t place_of(scree__observed *o, const uint64_t *keys, uint64_t key)
{
    const double *mask = o->mask + o->patterns * o->cols;
    for (int64_t p = o->patterns - 1; p >= 0; p--)
        if (keys[p] == key && memcmp(o->mask + p * o->cols, mask, (size_t)o->cols * sizeof *mask) == 0)
            return p;
    return o->patterns;
}

/* Row i, as r has it, among the dense ones; keys: those of the patterns so far. */
static bool take_row(scree__observed *o, const row_at_work *r, int64_t i, uint64_t *keys)
{
    uint64_t key = 0;
    if (!load_row(r, o->x + i * o->cols, o->mask + o->patterns * o->cols, &key))
        return false;
    const int64_t p = place_of(o, keys, key);
    if (p == o->patterns) {
        keys[p] = key;
        o->members[p] = 0;
        o->seen[p] = count_seen(r->x, o->cols);
        o->patterns++;
    }
    o->members[p] += o->weights ? o->weights[i] : 1;
    o->pattern[i] = (int32_t)p;
    return true;
}

static row_at_work begin_dense(scree__observed *o, const scree__loadings *l)
{
    o->sparse = false;
    o->patterns = 0;
    return (row_at_work){.shift = l->shift,
                         .offset = l->offset ? l->offset : o->zeros,
                         .factor = l->factor ? l->factor : o->ones,
                         .keys = o->keys,
                         .n = o->cols};
}

static bool load_dense(scree__observed *o, const scree__loadings *l, const scree__rows *x)
{
    uint64_t keys[MOST_ROWS];
    row_at_work r = begin_dense(o, l);
    for (int64_t i = 0; i < x->rows; i++) {
        r.x = read_row(o, x, i);
        if (!take_row(o, &r, i, keys))
            return false;
    }
    return true;
}

/* Row i is what cells there are, and a pattern of its own. */
static void close_row(scree__observed *o, int64_t i, int64_t cells)
{
    o->start[i + 1] = cells;
    o->seen[i] = cells - o->start[i];
    o->members[i] = o->weights ? o->weights[i] : 1;
    o->pattern[i] = (int32_t)i;
}

static bool load_sparse(scree__observed *o, const scree__loadings *l, const scree__rows *x)
{
    const double *factor = l->factor ? l->factor : o->ones;
    const double *offset = l->offset ? l->offset : o->zeros;
    int64_t at = 0;
    bool fine = true;
    o->sparse = true;
    o->patterns = x->rows;
    o->start[0] = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double *row = read_row(o, x, i);
        for (int64_t j = 0; j < o->cols; j++) {
            if (isnan(row[j]))
                continue;
            o->column[at] = (int32_t)j;
            o->x[at] = (row[j] - l->shift[j]) * factor[j] - offset[j];
            fine = fine && isfinite(o->x[at]);
            at++;
        }
        close_row(o, i, at);
    }
    return fine;
}

static bool is_sparse(const scree__observed *o, int64_t cells)
{
    return cells * SPARSE < o->rows * o->cols && o->cols <= INT32_MAX;
}

bool scree__observed_load(scree__observed *o, const scree__loadings *l, const scree__rows *x)
{
    int64_t cells = 0;
    o->rows = x->rows;
    o->weights = x->weights;
    for (int64_t i = 0; i < x->rows; i++)
        cells += count_seen(read_row(o, x, i), o->cols);
    return is_sparse(o, cells) ? load_sparse(o, l, x) : load_dense(o, l, x);
}

/* Row i of the cells, NaN where there is none. */
static void spread_row(const scree__observed *o, const scree__csr *cells, int64_t i, double *row)
{
    for (int64_t j = 0; j < o->cols; j++)
        row[j] = NAN;
    for (int64_t c = cells->start[i]; c < cells->start[i + 1]; c++)
        if (place_in(o, cells->column[c]) >= 0)
            row[place_in(o, cells->column[c])] = cells->value[c];
}

/* Cells of rows first .. first+rows-1, in the chosen columns. */
static int64_t count_cells(const scree__observed *o, const scree__csr *cells, int64_t first)
{
    const int64_t end = cells->start[first + o->rows];
    int64_t count = end - cells->start[first];
    for (int64_t c = cells->start[first]; o->chosen && c < end; c++)
        count -= place_in(o, cells->column[c]) < 0;
    return count;
}

static bool load_cells_dense(scree__observed *o, const scree__loadings *l, const scree__csr *cells, int64_t first)
{
    uint64_t keys[MOST_ROWS];
    row_at_work r = begin_dense(o, l);
    r.x = o->work;
    for (int64_t i = 0; i < o->rows; i++) {
        spread_row(o, cells, first + i, o->work);
        if (!take_row(o, &r, i, keys))
            return false;
    }
    return true;
}

bool scree__observed_load_cells(scree__observed *o, const scree__loadings *l, const scree__csr *cells, int64_t first,
                                int64_t count)
{
    const double *factor = l->factor ? l->factor : o->ones;
    const double *offset = l->offset ? l->offset : o->zeros;
    bool fine = true;
    o->rows = count;
    o->weights = NULL;
    if (!is_sparse(o, count_cells(o, cells, first)))
        return load_cells_dense(o, l, cells, first);
    o->sparse = true;
    o->patterns = count;
    o->start[0] = 0;
    for (int64_t i = 0, at = 0; i < count; i++) {
        for (int64_t c = cells->start[first + i]; c < cells->start[first + i + 1]; c++) {
            const int64_t j = place_in(o, cells->column[c]);
            if (j < 0)
                continue;
            o->column[at] = (int32_t)j;
            o->x[at] = (cells->value[c] - l->shift[j]) * factor[j] - offset[j];
            fine = fine && isfinite(o->x[at]);
            at++;
        }
        close_row(o, i, at);
    }
    return fine;
}
