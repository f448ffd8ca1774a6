/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments, written down and read back between pieces: the lanes, upper triangles of theirs, and how many rows are in
 * them. Which groups the lanes have gained follows from that. 4 D² bytes for each lane. */

#include "kernel/moments.h"
#include "kernel/moments_groups.h"

static int64_t parts_of(int64_t count, int64_t each)
{
    return count / each + (count % each > 0);
}

/* Each turn of a lane is at the number of groups that it has gained. */
static void set_turns(scree__moments *m)
{
    m->chunks = parts_of(m->rows, m->chunk_rows);
    m->groups = parts_of(m->rows, scree__moments_group_rows(m));
    const int64_t used = m->by_groups ? m->strips : m->pairs;
    for (int64_t lane = 0; lane < m->lanes; lane++) {
        const int64_t gained = m->groups > lane ? (m->groups - lane - 1) / m->lanes + 1 : 0;
        for (int64_t i = 0; i < used; i++)
            atomic_store(&m->turns[lane * used + i], gained);
    }
}

void scree__moments_move(scree__moments *m, scree__snapshot *s)
{
    scree__snapshot_same(s, m->cols);
    scree__snapshot_same(s, m->ops->type);
    scree__snapshot_same(s, m->lanes);
    scree__snapshot_same(s, m->diagonal);
    scree__snapshot_count(s, &m->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_flag(s, &m->weighted);
    scree__snapshot_doubles(s, m->origin, m->cols);
    scree__snapshot_doubles(s, m->lane_means, m->lanes * m->cols);
    scree__snapshot_doubles(s, m->lane_weights, m->lanes * m->strips);
    scree__moments_ready(m, m->lanes);
    if (m->diagonal)
        scree__snapshot_doubles(s, m->scatter, m->lanes * m->size);
    for (int64_t i = 0; !m->diagonal && i < m->lanes * m->cols; i++) {
        const int64_t row = i % m->cols;
        scree__snapshot_doubles(s, m->scatter + i * m->cols + row, m->cols - row);
    }
    if (s->reads && s->status == SCREE_OK)
        set_turns(m);
}
