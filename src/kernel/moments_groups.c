/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads share the work of moments.c. A group is a few chunks in a row, and the unit that a lane gains: their
 * products, gathered in the type of the rows, and the outer product of the row w that joins the group to the lane
 * (chunk.c), added up in double. Lanes gain their groups in order, so that who computes a group makes no difference.
 *
 * Narrow rows go by groups: one thread centres a chunk and multiplies it while it is in its cache, and waits for nobody
 * but whoever adds to the same lane. Variances alone are found in the same way, of a strip of columns at a time. Wide
 * rows, whose scatter is too large for each thread to have one, go by tiles: some groups are centred by all threads,
 * the means of columns first, then the rows; then a task is one tile of the scatter of one group. Both ways do the same
 * operations on the same shapes: the bits do not tell which one it was. */

#include "kernel/moments_groups.h"

#include <string.h>

enum { MEAN_COLS = 512, CENTRE_ROWS = 32 };

int64_t scree__moments_chunk_bytes(const scree__moments *m)
{
    return (m->chunk_rows + 1) * m->strip_cols * m->ops->size;
}

int64_t scree__moments_tile_start(const scree__moments *m, int64_t tile)
{
    return tile * m->cols / m->tiles;
}

int64_t scree__moments_group_rows(const scree__moments *m)
{
    return m->group_chunks * m->chunk_rows;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows from number first on of the batch, a chunk at most; none past the end. */
static scree__rows chunk_at(const scree__moments *m, int64_t chunk)
{
    const int64_t first = chunk * m->chunk_rows;
    const int64_t left = m->batch->rows - first;
    return scree__rows_slice(m->batch, first, left < 0 ? 0 : at_most(left, m->chunk_rows));
}

static void note(bool *flag)
{
    __atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

/* The lane of a group of the batch, and how many groups it has gained before. */
static int64_t lane_of(const scree__moments *m, int64_t group)
{
    return (m->groups + group) % m->lanes;
}

static int64_t turn_of(const scree__moments *m, int64_t group)
{
    return (m->groups + group) / m->lanes;
}

/* A lane, or a strip of it. */
static scree__lane lane_at(const scree__moments *m, int64_t lane, int64_t strip)
{
    return (scree__lane){m->lane_weights[lane * m->strips + strip],
                         m->lane_means + lane * m->cols + strip * m->strip_cols};
}

/* A tile of a lane's scatter, and its first row and column. */
typedef struct part {
    scree__tile tile;
    int64_t i;
    int64_t j;
} part;

/* The tile of a pair, between panels of packed rows. */
static part part_at(const scree__moments *m, int64_t lane, int64_t pair, const char *packed)
{
    int64_t row = 0;
    for (; pair >= m->tiles - row; row++)
        pair -= m->tiles - row;
    const int64_t i = scree__moments_tile_start(m, row);
    const int64_t j = scree__moments_tile_start(m, row + pair);
    return (part){.tile = {.a = packed + i * m->ops->size,
                           .b = packed + j * m->ops->size,
                           .lda = m->cols,
                           .ldb = m->cols,
                           .m = scree__moments_tile_start(m, row + 1) - i,
                           .n = scree__moments_tile_start(m, row + pair + 1) - j,
                           .acc = m->scatter + lane * m->size + i * m->cols + j,
                           .ldacc = m->cols},
                  .i = i,
                  .j = j};
}

/* The chunk joins its group; what joins it follows its rows, of which there are then so many. */
static int64_t join_chunk(const scree__moments *m, scree__lane *group, const scree__rows *x, double *mean, char *packed)
{
    const bool is_first = group->weight == 0;
    scree__chunk_join(group, scree__rows_weight(x), mean, x->cols);
    if (!is_first)
        m->ops->narrow(mean, x->cols, packed + x->rows * x->cols * m->ops->size);
    return x->rows + (is_first ? 0 : 1);
}

/* ---- by groups ---- */

/* The tile of a pair, with its place in the scratch of a worker. */
static part own_part(const scree__moments *m, int64_t lane, int64_t pair, int worker)
{
    part p = part_at(m, lane, pair, m->packed + worker * scree__moments_chunk_bytes(m));
    p.tile.scratch = m->scratch + worker * m->scratch_size + (p.i * m->cols + p.tile.m * p.j) * m->ops->size;
    return p;
}

static void gather_chunk(scree__moments *m, int64_t lane, const scree__rows *x, bool more, int worker)
{
    for (int64_t pair = 0; !m->diagonal && pair < m->pairs; pair++) {
        part p = own_part(m, lane, pair, worker);
        p.tile.k = x->rows;
        if (m->ops->gather(&p.tile, more) != 0)
            note(&m->failed);
    }
    if (m->diagonal) {
        double *squares = (double *)(void *)(m->scratch + worker * m->scratch_size);
        if (!more)
            memset(squares, 0, (size_t)x->cols * sizeof *squares);
        scree__rows_squares(x, squares, squares + m->strip_cols);
    }
}

/* The chunks of a group, from column first on, into scratch; false when a cell is not finite. */
static bool gather_group(scree__moments *m, int64_t index, int64_t first, scree__lane *group, int worker)
{
    char *packed = m->packed + worker * scree__moments_chunk_bytes(m);
    double *mean = m->means + worker * m->cols;
    for (int64_t c = 0; c < m->group_chunks; c++) {
        const scree__rows all = chunk_at(m, index * m->group_chunks + c);
        const scree__rows x = scree__rows_columns(&all, first, at_most(m->strip_cols, m->cols - first));
        if (x.rows == 0)
            break;
        if (!scree__chunk_centre(m->ops, &x, m->origin + first, mean, packed))
            return false;
        const int64_t rows = join_chunk(m, group, &x, mean, packed);
        const scree__rows centred = {packed, m->ops->type, rows, x.cols, x.cols, NULL};
        gather_chunk(m, lane_of(m, index), &centred, c > 0, worker);
    }
    return true;
}

/* A strip of a lane gains what a worker has gathered; w joins it. */
static void gain_group(const scree__moments *m, int64_t lane, int64_t first, const double *w, int worker)
{
    const double *squares = (const double *)(const void *)(m->scratch + worker * m->scratch_size);
    for (int64_t pair = 0; !m->diagonal && pair < m->pairs; pair++) {
        const part p = own_part(m, lane, pair, worker);
        m->ops->gain(&p.tile, w + p.i, w + p.j);
    }
    for (int64_t j = 0; m->diagonal && j < at_most(m->strip_cols, m->cols - first); j++)
        m->scatter[lane * m->size + first + j] += squares[j] + w[j] * w[j];
}

/* Task: a group, or a strip of one. */
static void add_group(void *context, int64_t task, int worker)
{
    scree__moments *m = context;
    const int64_t index = task / m->strips;
    const int64_t strip = task % m->strips;
    const int64_t first = strip * m->strip_cols;
    const int64_t lane = lane_of(m, index);
    scree__turn *turn = &m->turns[lane * m->strips + strip];
    scree__lane group = {0, m->group_means + worker * m->cols};
    memset(group.mean, 0, (size_t)m->strip_cols * sizeof *group.mean);
    const bool fine = gather_group(m, index, first, &group, worker);
    if (!fine)
        note(&m->bad);
    scree__turn_wait(turn, turn_of(m, index));
    if (fine) {
        scree__lane into = lane_at(m, lane, strip);
        scree__chunk_join(&into, group.weight, group.mean, at_most(m->strip_cols, m->cols - first));
        m->lane_weights[lane * m->strips + strip] = into.weight;
        gain_group(m, lane, first, group.mean, worker);
    }
    scree__turn_done(turn);
}

static int64_t groups_in(const scree__moments *m)
{
    return (m->batch->rows + scree__moments_group_rows(m) - 1) / scree__moments_group_rows(m);
}

void scree__moments_by_groups(scree__moments *m)
{
    scree__parallel(m->threads, groups_in(m) * m->strips, add_group, m);
}

/* ---- by tiles ---- */

static char *place_of(const scree__moments *m, int64_t chunk)
{
    return m->packed + chunk * scree__moments_chunk_bytes(m);
}

static int64_t mean_strips(const scree__moments *m)
{
    return (m->cols + MEAN_COLS - 1) / MEAN_COLS;
}

/* Task: the means of some columns of a chunk. */
static void take_means(void *context, int64_t task, int worker)
{
    scree__moments *m = context;
    const scree__rows all = chunk_at(m, task / mean_strips(m));
    const int64_t first = task % mean_strips(m) * MEAN_COLS;
    const scree__rows x = scree__rows_columns(&all, first, at_most(MEAN_COLS, m->cols - first));
    (void)worker;
    if (!scree__chunk_mean(&x, m->origin + first, m->means + task / mean_strips(m) * m->cols + first))
        note(&m->bad);
}

/* Task: some rows of a chunk, less its mean. */
static void take_rows(void *context, int64_t task, int worker)
{
    const scree__moments *m = context;
    const int64_t pieces = (m->chunk_rows + CENTRE_ROWS - 1) / CENTRE_ROWS;
    const scree__rows all = chunk_at(m, task / pieces);
    const int64_t first = task % pieces * CENTRE_ROWS;
    (void)worker;
    if (first >= all.rows)
        return;
    const scree__rows x = scree__rows_slice(&all, first, at_most(CENTRE_ROWS, all.rows - first));
    m->ops->centre(&x, m->origin, m->means + task / pieces * m->cols,
                   place_of(m, task / pieces) + first * m->cols * m->ops->size);
}

/* Chunks join their groups, and these their lanes. */
static void join_groups(scree__moments *m)
{
    for (int64_t g = 0; g < groups_in(m); g++) {
        const int64_t lane = lane_of(m, g);
        scree__lane group = {0, m->group_means + g * m->cols};
        scree__lane into = lane_at(m, lane, 0);
        memset(group.mean, 0, (size_t)m->cols * sizeof *group.mean);
        for (int64_t c = g * m->group_chunks; c < (g + 1) * m->group_chunks; c++) {
            const scree__rows x = chunk_at(m, c);
            if (x.rows > 0)
                join_chunk(m, &group, &x, m->means + c * m->cols, place_of(m, c));
        }
        scree__chunk_join(&into, group.weight, group.mean, m->cols);
        m->lane_weights[lane] = into.weight;
    }
}

/* Task: a tile of what a group contributes. */
static void add_tile(void *context, int64_t task, int worker)
{
    scree__moments *m = context;
    const int64_t group = task / m->pairs;
    const int64_t pair = task % m->pairs;
    const int64_t lane = lane_of(m, group);
    scree__turn *turn = &m->turns[lane * m->pairs + pair];
    part p = part_at(m, lane, pair, m->packed);
    for (int64_t c = group * m->group_chunks; c < (group + 1) * m->group_chunks; c++) {
        const int64_t rows = chunk_at(m, c).rows;
        const bool is_first = c == group * m->group_chunks;
        if (rows == 0)
            break;
        p = part_at(m, lane, pair, place_of(m, c));
        p.tile.scratch = m->scratch + worker * m->scratch_size;
        p.tile.k = rows + (is_first ? 0 : 1);
        if (m->ops->gather(&p.tile, !is_first) != 0)
            note(&m->failed);
    }
    scree__turn_wait(turn, turn_of(m, group));
    m->ops->gain(&p.tile, m->group_means + group * m->cols + p.i, m->group_means + group * m->cols + p.j);
    scree__turn_done(turn);
}

void scree__moments_by_tiles(scree__moments *m)
{
    const int64_t chunks = (m->batch->rows + m->chunk_rows - 1) / m->chunk_rows;
    scree__parallel(m->threads, chunks * mean_strips(m), take_means, m);
    if (m->bad)
        return;
    scree__parallel(m->threads, chunks * ((m->chunk_rows + CENTRE_ROWS - 1) / CENTRE_ROWS), take_rows, m);
    join_groups(m);
    scree__parallel(m->threads, groups_in(m) * m->pairs, add_tile, m);
}
