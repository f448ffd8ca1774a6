/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean µ and Σ(x-µ)² of each column of sparse rows, in one read of their entries.
 *
 * Of the entries that are there, weight w, mean m and squares q about m follow each other as in Welford 1962 and, with
 * weights, West 1979, of entries less the first one: no digit is lost to a large mean, nor to its own rounding. Rows
 * are cut into groups at fixed places and these dealt to lanes, joined in order (Chan, Golub and LeVeque 1983): the
 * same bits for any number of threads. In the end the absent cells, of weight w₀ and value 0, join in the same way: µ =
 * wm/(w+w₀), and the squares gain ww₀/(w+w₀)·m². */

#include "kernel/sparse_columns.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>

enum { MOST_LANES = 16, GROUP = 256 };
static const int64_t LANES_BYTES = INT64_C(32) << 20;

/* A column, of the rows of a lane: kept together, for an entry changes all three. */
typedef struct column {
    double weight;
    double first;
    double mean; /* less the first */
    double squares;
} column;

struct scree__sparse_columns {
    int64_t cols;
    int64_t lanes;
    int threads;
    int64_t rows;
    int64_t groups;  /* before this piece */
    column *columns; /* lanes×D */
    double *weights; /* lanes: of all rows */
    double *mean;
    double *rest;
    double *squares;
    const scree__entries *x;
    bool bad;
};

static int64_t lanes_of(int64_t cols)
{
    int64_t lanes = MOST_LANES;
    while (lanes > 1 && lanes * cols * (int64_t)sizeof(column) > LANES_BYTES)
        lanes /= 2;
    return lanes;
}

int64_t scree__sparse_columns_rows(int64_t cols)
{
    return GROUP * lanes_of(cols);
}

int64_t scree__sparse_columns_memory(int64_t cols)
{
    return cols * (lanes_of(cols) * (int64_t)sizeof(column) + 3 * (int64_t)sizeof(double));
}

scree_status scree__sparse_columns_new(scree__sparse_columns **out, int64_t cols, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sparse_columns *c = NULL;
    SCREE_ALLOC(c, 1, error);
    c->cols = cols;
    c->lanes = lanes_of(cols);
    c->threads = threads;
    SCREE_ALLOC(c->columns, c->lanes * cols, error);
    SCREE_ALLOC(c->weights, c->lanes, error);
    SCREE_ALLOC(c->mean, cols, error);
    SCREE_ALLOC(c->rest, cols, error);
    SCREE_ALLOC(c->squares, cols, error);
    *out = c;
    c = NULL;
done:
    scree__sparse_columns_free(c);
    return status;
}

void scree__sparse_columns_free(scree__sparse_columns *c)
{
    if (!c)
        return;
    free(c->columns);
    free(c->weights);
    free(c->mean);
    free(c->rest);
    free(c->squares);
    free(c);
}

static void gain(column *to, double x, double weight)
{
    if (to->weight == 0)
        to->first = x;
    x -= to->first;
    const double off = x - to->mean;
    to->weight += weight;
    to->mean += off * weight / to->weight;
    to->squares += weight * off * (x - to->mean);
}

/* One row; false when an entry is not finite. */
static bool add_row(column *columns, const scree__entries *x, int64_t i)
{
    const double weight = x->weights ? x->weights[i] : 1;
    double check = 0;
    for (int64_t p = x->starts[i]; p < x->starts[i + 1]; p++) {
        const double value = scree__entries_at(x, p);
        check += value * 0;
        gain(&columns[x->indices[p]], value, weight);
    }
    return check == 0;
}

/* Task: the groups of this piece that are one lane's. */
static void add_lane(void *context, int64_t index, int worker)
{
    scree__sparse_columns *c = context;
    const scree__entries *x = c->x;
    const int64_t lane = (c->groups + index) % c->lanes;
    column *columns = c->columns + lane * c->cols;
    bool good = true;
    (void)worker;
    for (int64_t g = index; g * GROUP < x->rows; g += c->lanes) {
        const int64_t end = (g + 1) * GROUP < x->rows ? (g + 1) * GROUP : x->rows;
        for (int64_t i = g * GROUP; i < end; i++) {
            good = add_row(columns, x, i) && good;
            c->weights[lane] += x->weights ? x->weights[i] : 1;
        }
    }
    if (!good)
        __atomic_store_n(&c->bad, true, __ATOMIC_RELAXED);
}

bool scree__sparse_columns_add(scree__sparse_columns *c, const scree__entries *x)
{
    const int64_t groups = (x->rows + GROUP - 1) / GROUP;
    c->x = x;
    scree__parallel(c->threads, groups < c->lanes ? groups : c->lanes, add_lane, c);
    c->groups += groups;
    c->rows += x->rows;
    return !c->bad;
}

/* to gains what from has. */
static void join(column *to, const column *from)
{
    const double weight = to->weight + from->weight;
    const double off = (from->first - to->first) + (from->mean - to->mean);
    if (from->weight == 0)
        return;
    if (to->weight == 0) {
        *to = *from;
        return;
    }
    to->squares += from->squares + off * off * (to->weight * (from->weight / weight));
    to->mean += off * (from->weight / weight);
    to->weight = weight;
}

void scree__sparse_columns_finish(scree__sparse_columns *c, scree__sparse_found *found)
{
    double weight = 0;
    for (int64_t lane = 0; lane < c->lanes; lane++)
        weight += c->weights[lane];
    for (int64_t j = 0; j < c->cols; j++) {
        column all = c->columns[j];
        for (int64_t lane = 1; lane < c->lanes; lane++)
            join(&all, &c->columns[lane * c->cols + j]);
        const column absent = {fmax(weight - all.weight, 0), 0, 0, 0};
        join(&all, &absent);
        c->mean[j] = all.first + all.mean;
        c->rest[j] = (all.first - c->mean[j]) + all.mean;
        c->squares[j] = fmax(all.squares, 0);
    }
    *found = (scree__sparse_found){c->rows, weight, c->mean, c->rest, c->squares};
}

void scree__sparse_columns_move(scree__sparse_columns *c, scree__snapshot *s)
{
    scree__snapshot_same(s, c->cols);
    scree__snapshot_same(s, c->lanes);
    scree__snapshot_count(s, &c->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_count(s, &c->groups, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_bytes(s, c->columns, c->lanes * c->cols * (int64_t)sizeof *c->columns);
    scree__snapshot_doubles(s, c->weights, c->lanes);
}
