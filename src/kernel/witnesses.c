/* SPDX-License-Identifier: BSD-3-Clause */
/* What rests on few rows. That rows lie in a plane, or that a column never varies, is no more than what the rows at
 * hand say, and a row that came twice says it once. Counted are, row by row in their order, so that threads and blocks
 * do not matter:
 * Rows that differ from each other, by 64-bit keys of their values, up to as many as anybody asks for (D + 16, and 5
 * for each of up to 256 columns), among the first million. One that came ten times counts as often as it came.
 * Columns in which fewer than ten of these rows, and fewer than half, have another value than the others have, as an
 * indicator of something rare. If a column is such a one then more than half of the first 21 have the common value, so
 * these tell what it is; from then on the columns are watched in which ten have not been seen. Of continuous columns
 * that is none.
 *
 * The first D + 32 different rows are kept, for D up to 256, to see whether they repeat each other in some columns.
 * A row that is alone in differing in a column could as well not have been among the N: by Good and Turing, so many of
 * N that there are such rows, new ones differ in a column that seems constant. O(D) a row at first, then what is
 * watched.
 */

#include "kernel/witnesses.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { TELLING = 2 * SCREE__WITNESSES_ENOUGH + 1, SPARE = 16, A_COLUMN = 5, MOST_COLUMNS = 256, MORE_HELD = 32 };
enum { MOST_DISTINCT = 1 << 16, MOST_WATCHED = 1 << 12, MOST_ROWS = 1 << 20, MORE_THAN_PARTS = 5, COARSE = 4 };

static int64_t most_of(int64_t cols)
{
    const int64_t related = A_COLUMN * (int64_t)MOST_COLUMNS + SPARE;
    const int64_t most = cols + SPARE > related ? cols + SPARE : related;
    return most < MOST_DISTINCT ? most : MOST_DISTINCT;
}

static scree_status alloc_watch(scree__witnesses *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (w->cols > MOST_WATCHED)
        goto done;
    w->most_held = w->cols <= MOST_COLUMNS ? w->cols + MORE_HELD : TELLING;
    SCREE_ALLOC(w->first, w->most_held * w->cols, error);
    SCREE_ALLOC(w->numbers, w->most_held, error);
    SCREE_ALLOC(w->slots, w->most_held, error);
    SCREE_ALLOC(w->columns, w->cols, error);
    SCREE_ALLOC(w->values, w->cols, error);
    SCREE_ALLOC(w->differs, w->cols, error);
    SCREE_ALLOC(w->last, w->cols, error);
done:
    return status;
}

scree_status scree__witnesses_new(scree__witnesses **out, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__witnesses *w = NULL;
    SCREE_ALLOC(w, 1, error);
    w->cols = cols;
    w->most = most_of(cols);
    w->room = 4;
    while (w->room < 2 * w->most)
        w->room *= 2;
    SCREE_ALLOC(w->keys, w->room, error);
    SCREE_ALLOC(w->times, w->room, error);
    SCREE_ALLOC(w->row, cols, error);
    SCREE_TRY(alloc_watch(w, error));
    *out = w;
    w = NULL;
done:
    scree__witnesses_free(w);
    return status;
}

void scree__witnesses_free(scree__witnesses *w)
{
    if (!w)
        return;
    free(w->keys);
    free(w->times);
    free(w->row);
    free(w->first);
    free(w->numbers);
    free(w->slots);
    free(w->columns);
    free(w->values);
    free(w->differs);
    free(w->last);
    free(w);
}

void scree__witnesses_restart(scree__witnesses *w)
{
    w->rows = w->distinct = w->kinds = w->held = w->watched = 0;
    w->is_incomplete = w->has_many = w->is_settled = false;
    memset(w->keys, 0, (size_t)w->room * sizeof *w->keys);
    memset(w->times, 0, (size_t)w->room * sizeof *w->times);
}

static uint64_t mix(uint64_t key)
{
    key = (key ^ (key >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ (key >> 27)) * UINT64_C(0x94d049bb133111eb);
    return key ^ (key >> 31);
}

static uint64_t step(uint64_t key, double x)
{
    const double value = x + 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    key = (key ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ (key >> 32);
}

/* Every sixteenth value goes into the same of sixteen keys, so that no step waits for the one before. Two rows that
 * differ in one place have different keys: each step can be undone. 0 and -0 are one value. 0 marks a free place, and
 * is the key of no row. *gaps: whether a value is missing. */
SCREE_CLONES static uint64_t key_of(const double *x, int64_t cols, bool *gaps)
{
    enum { KEYS = 16 };
    uint64_t keys[KEYS];
    uint64_t missing[KEYS] = {0};
    uint64_t key = 0;
    int64_t j = 0;
    for (int l = 0; l < KEYS; l++)
        keys[l] = (uint64_t)(l + 1);
    for (; j + KEYS <= cols; j += KEYS)
        for (int l = 0; l < KEYS; l++) {
            keys[l] = step(keys[l], x[j + l]);
            missing[l] |= x[j + l] != x[j + l];
        }
    for (int l = 0; j < cols; j++, l++) {
        keys[l] = step(keys[l], x[j]);
        missing[l] |= x[j] != x[j];
    }
    for (int l = 0; l < KEYS; l++)
        key += (keys[l] ^ (keys[l] >> 29)) * (UINT64_C(0xbf58476d1ce4e5b9) + 2 * (uint64_t)l);
    for (int l = 1; l < KEYS; l++)
        missing[0] |= missing[l];
    *gaps = missing[0] != 0;
    key = mix(key);
    return key > 0 ? key : 1;
}

/* How many rows a row is that came so often. */
static int64_t worth(int64_t times)
{
    return times >= SCREE__WITNESSES_ENOUGH ? times : 1;
}

/* How many rows more there are by this one, as far as they are counted; *slot: of its key. */
static int64_t count_row(scree__witnesses *w, uint64_t key, int64_t *slot)
{
    if (w->has_many)
        return 1;
    int64_t at = (int64_t)(key & (uint64_t)(w->room - 1));
    while (w->keys[at] != 0 && w->keys[at] != key)
        at = (at + 1) & (w->room - 1);
    w->keys[at] = key;
    w->times[at]++;
    const int64_t more = w->times[at] == 1 ? 1 : worth(w->times[at]) - worth(w->times[at] - 1);
    w->distinct += more;
    w->kinds += w->times[at] == 1;
    w->has_many = w->kinds >= w->most || w->rows >= MOST_ROWS;
    *slot = at;
    return more;
}

/* The value that most of the rows held have, each counted for as many as it is. */
static double common_value(const scree__witnesses *w, int64_t column)
{
    int64_t best = 0;
    int64_t best_count = 0;
    for (int64_t i = 0; i < w->held; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < w->held; k++)
            if (w->first[k * w->cols + column] == w->first[i * w->cols + column])
                count += worth(w->times[w->slots[k]]);
        if (count > best_count) {
            best_count = count;
            best = i;
        }
    }
    return w->first[best * w->cols + column];
}

/* Whether enough of the first rows, all of different keys and so each worth one, differ in a column from whatever most
 * of them have: what most have would be more than half of them, and is then what is left when unequal ones are taken
 * out in pairs. */
static bool differs_enough(const scree__witnesses *w, int64_t column)
{
    const double *x = w->first + column;
    double common = 0;
    int64_t lead = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < w->held; i++) {
        if (w->times[w->slots[i]] >= SCREE__WITNESSES_ENOUGH)
            return false;
        const double value = x[i * w->cols];
        common = lead == 0 ? value : common;
        lead += value == common ? 1 : -1;
    }
    for (int64_t i = 0; i < w->held; i++)
        count += x[i * w->cols] == common;
    return w->held >= TELLING && w->held - count >= SCREE__WITNESSES_ENOUGH;
}

/* So many rows more differ in a column; whether that is enough. */
static bool count_more(scree__witnesses *w, int64_t column, int64_t number, int64_t more)
{
    w->last[column] = number;
    w->differs[column] += more;
    return w->differs[column] >= SCREE__WITNESSES_ENOUGH;
}

static void settle(scree__witnesses *w)
{
    w->is_settled = true;
    for (int64_t j = 0; j < w->cols; j++) {
        bool enough = false;
        w->differs[j] = 0;
        w->last[j] = -1;
        w->values[j] = 0;
        if (differs_enough(w, j)) {
            w->differs[j] = SCREE__WITNESSES_ENOUGH;
            continue;
        }
        w->values[j] = w->held > 0 ? common_value(w, j) : 0;
        for (int64_t i = 0; i < w->held && !enough; i++)
            enough = w->first[i * w->cols + j] != w->values[j] &&
                     count_more(w, j, w->numbers[i], worth(w->times[w->slots[i]]));
        if (!enough)
            w->columns[w->watched++] = j;
    }
}

static void watch(scree__witnesses *w, const double *x, int64_t more)
{
    int64_t left = 0;
    for (int64_t i = 0; i < w->watched; i++) {
        const int64_t j = w->columns[i];
        if (!(x[j] != w->values[j] && count_more(w, j, w->rows, more)))
            w->columns[left++] = j;
    }
    w->watched = left;
}

static void hold(scree__witnesses *w, const double *x, int64_t slot)
{
    memcpy(w->first + w->held * w->cols, x, (size_t)w->cols * sizeof *x);
    w->numbers[w->held] = w->rows;
    w->slots[w->held++] = slot;
    if (w->held == TELLING)
        settle(w);
}

static void see(scree__witnesses *w, const double *x)
{
    int64_t slot = -1;
    if (w->has_many && w->is_settled) {
        watch(w, x, 1);
        w->rows++;
        return;
    }
    bool gaps;
    const uint64_t key = key_of(x, w->cols, &gaps);
    w->is_incomplete = w->is_incomplete || gaps;
    const int64_t more = gaps ? 0 : count_row(w, key, &slot);
    if (w->is_settled && more > 0)
        watch(w, x, more);
    if (w->held < w->most_held && slot >= 0 && w->times[slot] == 1)
        hold(w, x, slot);
    w->rows++;
}

/* Whether nothing is left to see. */
static bool is_done(const scree__witnesses *w)
{
    return w->has_many && (!w->first || (w->is_settled && w->watched == 0));
}

void scree__witnesses_add(scree__witnesses *w, const scree__rows *x)
{
    for (int64_t i = 0; i < x->rows; i++) {
        if (is_done(w)) {
            w->rows += x->rows - i;
            return;
        }
        see(w, scree__rows_load(x, i, w->row));
    }
}

/* Of sparse rows every cell is looked at, until nothing is left to see. */
void scree__witnesses_add_entries(scree__witnesses *w, const scree__entries *x)
{
    for (int64_t i = 0; i < x->rows; i++) {
        if (is_done(w)) {
            w->rows += x->rows - i;
            return;
        }
        memset(w->row, 0, (size_t)x->cols * sizeof *w->row);
        for (int64_t p = x->starts[i]; p < x->starts[i + 1]; p++)
            w->row[x->indices[p]] = scree__entries_at(x, p);
        see(w, w->row);
    }
}

void scree__witnesses_finish(scree__witnesses *w)
{
    if (w->first && !w->is_settled)
        settle(w);
}

int64_t scree__witnesses_distinct(const scree__witnesses *w, int64_t rows)
{
    return w->has_many || w->distinct > rows ? rows : w->distinct;
}

bool scree__witnesses_are_few(const scree__witnesses *w, int64_t column)
{
    const int64_t differs = w->first ? w->differs[column] : 0;
    return differs > 0 && differs < SCREE__WITNESSES_ENOUGH && 2 * differs < w->distinct;
}

/* How many different values the rows held have in some columns, those of coefficients that are not 0: up to enough. */
static int64_t count_different(const scree__witnesses *w, const double *coefficients, int64_t p, int64_t enough)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->held && count < enough; i++) {
        bool is_new = true;
        for (int64_t k = 0; k < i && is_new; k++) {
            bool same = true;
            for (int64_t j = 0; j < w->cols && same; j++)
                same = (coefficients[j] == 0 && j != p) || w->first[i * w->cols + j] == w->first[k * w->cols + j];
            is_new = !same;
        }
        count += is_new;
    }
    return count;
}

/* Whether a column has so few values that rows repeat each other in it. */
static bool is_coarse(const scree__witnesses *w, int64_t column)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->held && COARSE * count <= w->held; i++) {
        bool is_new = true;
        for (int64_t k = 0; k < i && is_new; k++)
            is_new = w->first[i * w->cols + column] != w->first[k * w->cols + column];
        count += is_new;
    }
    return COARSE * count <= w->held;
}

bool scree__witnesses_repeat(const scree__witnesses *w, const double *coefficients, int64_t p)
{
    int64_t parts = 0;
    int64_t coarse = 0;
    for (int64_t j = 0; w->first && j < w->cols; j++) {
        if ((coefficients[j] == 0 && j != p) || scree__witnesses_are_few(w, j))
            continue;
        parts++;
        coarse += is_coarse(w, j);
    }
    const int64_t enough = parts + MORE_THAN_PARTS;
    return 2 * coarse <= parts && count_different(w, coefficients, p, enough) < enough;
}

int64_t scree__witnesses_alone(const scree__witnesses *w)
{
    int64_t count = 0;
    for (int64_t i = 0; w->first && i < w->watched; i++) {
        const int64_t row = w->last[w->columns[i]];
        bool counted = w->differs[w->columns[i]] != 1 || !scree__witnesses_are_few(w, w->columns[i]);
        for (int64_t k = 0; k < i && !counted; k++)
            counted = w->differs[w->columns[k]] == 1 && w->last[w->columns[k]] == row;
        count += !counted;
    }
    return count;
}

/* Whether what was read can be: keys in which a free place is always found, and places that there are. */
static bool is_possible(const scree__witnesses *w)
{
    int64_t kinds = 0;
    bool good = w->kinds <= w->room / 2 && w->is_settled == (w->held >= TELLING && w->first) &&
                (w->is_settled || w->watched == 0);
    for (int64_t i = 0; i < w->room; i++) {
        kinds += w->keys[i] != 0;
        good = good && w->times[i] >= 0 && w->times[i] <= SCREE__SNAPSHOT_MOST;
    }
    for (int64_t j = 0; w->is_settled && j < w->cols; j++)
        good = good && w->differs[j] >= 0 && w->differs[j] <= SCREE__SNAPSHOT_MOST;
    for (int64_t i = 0; i < w->held; i++)
        good = good && w->slots[i] >= 0 && w->slots[i] < w->room;
    for (int64_t i = 0; i < w->watched; i++)
        good = good && w->columns[i] >= 0 && w->columns[i] < w->cols;
    return good && kinds == w->kinds;
}

static void move_watch(scree__witnesses *w, scree__snapshot *s)
{
    const int64_t size = (int64_t)sizeof *w->columns;
    scree__snapshot_doubles(s, w->first, w->held * w->cols);
    scree__snapshot_bytes(s, w->numbers, w->held * size);
    scree__snapshot_bytes(s, w->slots, w->held * size);
    scree__snapshot_bytes(s, w->columns, w->watched * size);
    if (!w->is_settled)
        return;
    scree__snapshot_doubles(s, w->values, w->cols);
    scree__snapshot_bytes(s, w->differs, w->cols * size);
    scree__snapshot_bytes(s, w->last, w->cols * size);
}

void scree__witnesses_move(scree__witnesses *w, scree__snapshot *s)
{
    const int64_t size = (int64_t)sizeof *w->keys;
    scree__snapshot_same(s, w->cols);
    scree__snapshot_count(s, &w->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_flag(s, &w->is_incomplete);
    scree__snapshot_flag(s, &w->has_many);
    scree__snapshot_flag(s, &w->is_settled);
    scree__snapshot_count(s, &w->distinct, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_count(s, &w->kinds, 0, w->most);
    scree__snapshot_bytes(s, w->keys, w->room * size);
    scree__snapshot_bytes(s, w->times, w->room * size);
    scree__snapshot_count(s, &w->held, 0, w->first ? w->most_held : 0);
    scree__snapshot_count(s, &w->watched, 0, w->first ? w->cols : 0);
    if (w->first)
        move_watch(w, s);
    if (s->reads && s->status == SCREE_OK && !is_possible(w))
        scree__snapshot_refuse(s);
}
