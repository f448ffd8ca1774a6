/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules by which columns become whole numbers. Tables that people keep have columns of a few decimals, each its own
 * number of them, columns of few values, and columns that never change: doubles hide that, whole numbers show it.
 *
 *     grid    n = round(x·10^s) over the width, s the least that all cells agree on
 *     bins    n = round(x/w), w twice the error
 *     table   n = place of x among the values of the column; worth it when these are few
 *     raw     none of them
 *
 * What a rule brings back is compared with x, so a rule need not hold for all cells. Costs some ten nanoseconds a
 * cell, and sorting where a table is tried. */

#include "archive/numbers.h"

#include "archive/block.h"
#include "archive/lattice.h"
#include "archive/squeeze.h"
#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 16, LOOK = 512, MOST_EXPONENT = 9 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts, and drops what occurs before; how many are left. */
static int64_t distinct(double *values, int64_t count)
{
    int64_t kept = count > 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    for (int64_t i = 1; i < count; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static int64_t finite_of(const double *x, int64_t count, double *to)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(x[i]))
            to[kept++] = x[i];
    return kept;
}

void scree__column_load(const scree__rows *rows, int64_t j, double *x)
{
    for (int64_t i = 0; i < rows->rows; i++) {
        const int64_t at = i * rows->stride + j;
        x[i] = rows->type == SCREE_F64   ? ((const double *)rows->data)[at]
               : rows->type == SCREE_F32 ? (double)((const float *)rows->data)[at]
                                         : ((const unsigned char *)rows->data)[at];
    }
}

/* Appends the table of a column where it is worth it: its size, else 0. */
static int64_t find_table(const double *x, int64_t rows, double *to)
{
    const int64_t look = rows < LOOK ? rows : LOOK;
    if (rows < LEAST_ROWS)
        return 0;
    const int64_t first = finite_of(x, look, to);
    if (4 * distinct(to, first) > 3 * first)
        return 0;
    const int64_t all = finite_of(x, rows, to);
    const int64_t kept = distinct(to, all);
    return 4 * kept <= 3 * all ? kept : 0;
}

/* x: the cells of the column. The table goes to the end of the numbers' values. */
static void find_rule(scree__numbers *n, scree__column *c, const double *x, int64_t rows, double max_error)
{
    double grid = 1;
    double least = HUGE_VAL;
    double largest = -HUGE_VAL;
    for (int64_t i = 0; i < rows; i++) {
        least = x[i] < least && x[i] > -HUGE_VAL ? x[i] : least;
        largest = x[i] > largest && x[i] < HUGE_VAL ? x[i] : largest;
    }
    scree__grid_fit(&grid, x, rows, n->type);
    const scree__cell_range range = {n->type, grid, least, largest, n->element};
    const bool found = least <= largest && scree__lattice_find(&c->lattice, &range, max_error);
    c->rule = found ? c->lattice.grid > 0 ? SCREE__RULE_GRID : SCREE__RULE_BINS : SCREE__RULE_RAW;
    c->base = found ? scree__number(&c->lattice, least) : 0;
    c->lattice.low += 0.0; /* no negative zeros: they are packed as whole numbers */
    c->lattice.high += 0.0;
    if (found && !(scree__number(&c->lattice, largest) - c->base < INT32_MAX))
        c->rule = SCREE__RULE_RAW;
    if (c->rule != SCREE__RULE_RAW)
        return;
    c->count = find_table(x, rows, n->values + n->value_count);
    if (c->count > 0) {
        c->rule = SCREE__RULE_TABLE;
        n->value_count += c->count;
    }
}

/* Tables lie one behind the other, in the order of columns. */
static void place_tables(scree__numbers *n)
{
    double *at = n->values;
    for (int64_t j = 0; j < n->cols; j++) {
        n->columns[j].table = at;
        at += n->columns[j].count;
    }
}

bool scree__numbers_find(scree__numbers *numbers, const scree__rows *rows, int element, double max_error)
{
    const int64_t d = rows->cols;
    *numbers = (scree__numbers){.cols = d, .type = rows->type, .element = element};
    numbers->columns = scree__alloc(d, sizeof *numbers->columns);
    if (!numbers->columns)
        return false;
    if (rows->type == SCREE_U8) {
        const scree__cell_range bytes = {SCREE_U8, 1, 0, UINT8_MAX, 0};
        for (int64_t j = 0; j < d; j++)
            scree__lattice_find(&numbers->columns[j].lattice, &bytes, max_error);
        return true;
    }
    double *x = scree__alloc_raw(rows->rows, sizeof *x);
    numbers->values = scree__alloc_raw((d + 1) * rows->rows, sizeof *x);
    if (!x || !numbers->values) {
        free(x);
        return false;
    }
    for (int64_t j = 0; j < d; j++) {
        scree__column_load(rows, j, x);
        find_rule(numbers, &numbers->columns[j], x, rows->rows, max_error);
    }
    free(x);
    place_tables(numbers);
    return true;
}

bool scree__numbers_any(const scree__numbers *numbers)
{
    for (int64_t j = 0; j < numbers->cols; j++)
        if (numbers->columns[j].rule != SCREE__RULE_RAW)
            return true;
    return false;
}

void scree__numbers_clear(scree__numbers *numbers)
{
    free(numbers->columns);
    free(numbers->values);
    *numbers = (scree__numbers){0};
}

/* ---- cells ---- */

static int32_t place_of(const scree__column *c, double x)
{
    const double *found = bsearch(&x, c->table, (size_t)c->count, sizeof x, compare);
    return found && memcmp(found, &x, sizeof x) == 0 ? (int32_t)(found - c->table) : -1;
}

void scree__column_apply(const scree__column *column, const double *x, int32_t *cells, double *back, int64_t count)
{
    if (column->rule == SCREE__RULE_TABLE) {
        for (int64_t i = 0; i < count; i++) {
            cells[i] = isnan(x[i]) ? -1 : place_of(column, x[i]);
            back[i] = x[i];
        }
        return;
    }
    scree__to_numbers(&column->lattice, column->base, x, cells, back, count);
}

bool scree__column_undo(const scree__column *column, const int32_t *cells, double *back, int64_t count)
{
    if (column->rule != SCREE__RULE_TABLE) {
        scree__from_numbers(&column->lattice, column->base, cells, back, count);
        return true;
    }
    for (int64_t i = 0; i < count; i++) {
        if (cells[i] >= column->count)
            return false;
        back[i] = column->table[cells[i]];
    }
    return true;
}

/* ---- in the block ---- */

static unsigned exponent_of(double grid)
{
    unsigned exponent = 0;
    double power = 1;
    while (power < grid) {
        power *= 10;
        exponent++;
    }
    return exponent;
}

/* Elements of the type, which a table's values are. */
static void put_tables(scree__pack *pack, const scree__numbers *n)
{
    const int size = (int)scree__type_size(n->type);
    void *elements = scree__alloc_raw(n->value_count, (size_t)size);
    if (elements) {
        scree__row_store(n->values, n->type, elements, n->value_count);
        scree__squeeze(pack, elements, n->value_count, size);
    } else {
        pack->failed = true;
    }
    free(elements);
}

void scree__numbers_put(scree__pack *pack, const scree__numbers *n)
{
    const bool bytes = n->type == SCREE_U8;
    double width = 0; /* of bins, which all columns share */
    for (int64_t j = 0; j < (bytes ? 1 : n->cols); j++) {
        const scree__column *c = &n->columns[j];
        const scree__lattice *l = &c->lattice;
        scree__pack_u8(pack, c->rule | (c->rule == SCREE__RULE_GRID ? exponent_of(l->grid) << 2 : 0));
        if (c->rule == SCREE__RULE_TABLE)
            scree__pack_number(pack, c->count);
        if (c->rule == SCREE__RULE_GRID || c->rule == SCREE__RULE_BINS)
            scree__pack_number(pack, (int64_t)c->base);
        if (c->rule == SCREE__RULE_GRID) {
            scree__pack_number(pack, (int64_t)l->width);
            scree__pack_number(pack, (int64_t)l->low);
            scree__pack_number(pack, (int64_t)(l->high - l->low));
        }
        if (c->rule == SCREE__RULE_BINS && l->width != width) {
            scree__pack_u8(pack, 1);
            scree__pack_f64(pack, width = l->width);
        } else if (c->rule == SCREE__RULE_BINS) {
            scree__pack_u8(pack, 0);
        }
    }
    if (n->value_count > 0)
        put_tables(pack, n);
}

static bool is_number(int64_t value)
{
    return value >= -(INT64_C(1) << 50) && value <= INT64_C(1) << 50;
}

static void get_grid(scree__unpack *unpack, scree__column *c, unsigned exponent)
{
    scree__lattice *l = &c->lattice;
    const int64_t width = scree__unpack_number(unpack);
    const int64_t low = scree__unpack_number(unpack);
    const int64_t span = scree__unpack_number(unpack);
    unpack->failed = unpack->failed || exponent > MOST_EXPONENT || width < 1 || !is_number(width) || !is_number(low) ||
                     !is_number(span) || span < 0;
    l->grid = 1;
    for (unsigned i = 0; i < exponent && i < MOST_EXPONENT; i++)
        l->grid *= 10;
    l->width = (double)width;
    l->low = unpack->failed ? 0 : (double)low;
    l->high = unpack->failed ? 0 : (double)(low + span);
}

static void get_column(scree__unpack *unpack, scree__column *c, const scree__numbers *n, double *width)
{
    const unsigned rule = scree__unpack_u8(unpack);
    c->rule = rule & 3U;
    c->lattice.type = n->type;
    c->lattice.element = n->element;
    unpack->failed = unpack->failed || (c->rule != SCREE__RULE_GRID && rule >> 2);
    if (c->rule == SCREE__RULE_TABLE) {
        c->count = scree__unpack_number(unpack);
        unpack->failed = unpack->failed || c->count < 1;
    }
    if (c->rule == SCREE__RULE_GRID || c->rule == SCREE__RULE_BINS) {
        const int64_t base = scree__unpack_number(unpack);
        unpack->failed = unpack->failed || !is_number(base);
        c->base = (double)base;
    }
    if (c->rule == SCREE__RULE_GRID)
        get_grid(unpack, c, rule >> 2);
    if (c->rule == SCREE__RULE_BINS) {
        *width = scree__unpack_u8(unpack) ? scree__unpack_f64(unpack) : *width;
        unpack->failed = unpack->failed || !(*width > 0 && *width < HUGE_VAL);
        c->lattice.width = *width;
    }
}

static void get_tables(scree__unpack *unpack, scree__numbers *n)
{
    const int size = (int)scree__type_size(n->type);
    double *row = NULL;
    void *elements = scree__alloc_raw(n->value_count, (size_t)size);
    n->values = scree__alloc_raw(n->value_count, sizeof *n->values);
    if (elements && n->values)
        scree__unsqueeze(unpack, elements, n->value_count, size);
    else
        unpack->failed = true;
    if (!unpack->failed) {
        const scree__rows rows = {elements, n->type, 1, n->value_count, n->value_count, NULL};
        row = n->values;
        const double *lent = scree__rows_load(&rows, 0, row);
        if (lent != row)
            memcpy(row, lent, (size_t)n->value_count * sizeof *row);
        place_tables(n);
    }
    free(elements);
}

void scree__numbers_get(scree__unpack *unpack, scree__numbers *numbers, int64_t rows, int64_t cols,
                        const scree__lattice *lattice)
{
    const bool bytes = lattice->type == SCREE_U8;
    double width = 0;
    *numbers = (scree__numbers){.cols = cols, .type = lattice->type, .element = lattice->element};
    numbers->columns = scree__alloc(cols, sizeof *numbers->columns);
    unpack->failed = unpack->failed || !numbers->columns;
    for (int64_t j = 0; j < cols && !unpack->failed; j++) {
        scree__column *c = &numbers->columns[j];
        if (bytes && j > 0)
            *c = numbers->columns[0];
        else
            get_column(unpack, c, numbers, &width);
        unpack->failed = unpack->failed || (bytes && c->rule != SCREE__RULE_GRID);
        unpack->failed = unpack->failed || c->count > rows;
        numbers->value_count += c->count;
    }
    if (!unpack->failed && numbers->value_count > 0)
        get_tables(unpack, numbers);
}
