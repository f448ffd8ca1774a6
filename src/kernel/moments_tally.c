/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments that go on: lanes are joined into the first, as at the end, and the others begin anew. What other rows come
 * to joins the first lane like a group: its scatter is added, and the outer product of w = √(n_a n_b/n) (µ_b - µ_a).
 * Means are of rows less the origin, so that means of 1e8 leave the digits of their differences. */

#include "kernel/moments.h"

#include "kernel/moments_groups.h"

#include <math.h>
#include <string.h>

enum { LANE_GROUPS = 8 }; /* that one more lane is worth */
static const double ROUND_OFF = 0x1p-53;

/* Task: a lane behind the first is zero again, if it was not. */
static void clear_lane(void *context, int64_t lane, int worker)
{
    const scree__moments *m = context;
    (void)worker;
    if (lane > 0 && m->lane_weights[lane * m->strips] > 0)
        memset(m->scatter + lane * m->size, 0, (size_t)m->size * sizeof *m->scatter);
}

/* All rows in the first lane. */
static void settle(scree__moments *m)
{
    scree__moments_join(m);
    if (m->lanes == 1)
        return;
    scree__parallel(scree__threads_for(m->threads, (double)(m->lanes * m->size)), m->lanes, clear_lane, m);
    memset(m->lane_means + m->cols, 0, (size_t)((m->lanes - 1) * m->cols) * sizeof *m->lane_means);
    memset(m->lane_weights + m->strips, 0, (size_t)((m->lanes - 1) * m->strips) * sizeof *m->lane_weights);
}

static double trace_of(const scree__moments *m)
{
    double trace = 0;
    for (int64_t i = 0; i < m->cols; i++)
        trace += m->scatter[m->diagonal ? i : i * m->cols + i];
    return trace;
}

/* Of rows that were added by their products and sums (moments.c), of what was gained by the sums alone. */
static double lost_of(const scree__moments *m)
{
    const double own = fmax(trace_of(m) - m->gained, 0);
    const double sums = (double)m->groups / (double)m->lanes + (double)m->lanes;
    if (m->groups == 0)
        return m->lost;
    return scree__moments_rounding(m) * own + sums * ROUND_OFF * m->gained + m->lost;
}

static void describe(const scree__moments *m, double *mean, double *rest, scree__tally *tally)
{
    for (int64_t j = 0; j < m->cols; j++)
        scree__two_sum(m->origin[j], m->lane_means[j], &mean[j], &rest[j]);
    *tally = (scree__tally){.rows = m->rows,
                            .weight = m->lane_weights[0],
                            .mean = mean,
                            .rest = rest,
                            .matrix = m->scatter,
                            .height = m->cols};
    tally->lost = lost_of(m);
}

void scree__moments_expect(scree__moments *m, int64_t rows)
{
    while (m->lanes > 1 && rows < m->lanes * LANE_GROUPS * scree__moments_group_rows(m))
        m->lanes /= 2;
}

void scree__moments_tally(scree__moments *m, double *mean, double *rest, scree__tally *tally)
{
    settle(m);
    describe(m, mean, rest, tally);
}

void scree__moments_end(scree__moments *m, double *mean, double *rest, scree__tally *tally)
{
    scree__moments_join_upper(m);
    describe(m, mean, rest, tally);
}

/* The first rows are others: near them is the origin. */
static void begin(scree__moments *m, const scree__tally *tally)
{
    memcpy(m->origin, tally->mean, (size_t)m->cols * sizeof *m->origin);
    memcpy(m->lane_means, tally->rest, (size_t)m->cols * sizeof *m->lane_means);
    memcpy(m->scatter, tally->matrix, (size_t)m->size * sizeof *m->scatter);
    m->lane_weights[0] = tally->weight;
}

void scree__moments_gain(scree__moments *m, const scree__tally *tally)
{
    scree__lane lane = {m->lane_weights[0], m->lane_means};
    const bool is_first = m->rows == 0;
    double before = 0;
    double *w = m->group_means; /* not in use between rows */
    if (!(tally->weight > 0))
        return;
    if (is_first) {
        begin(m, tally);
    } else {
        settle(m);
        before = trace_of(m);
        lane.weight = m->lane_weights[0];
        for (int64_t j = 0; j < m->cols; j++)
            w[j] = scree__tally_from(tally, m->origin, j);
        scree__chunk_join(&lane, tally->weight, w, m->cols);
        m->lane_weights[0] = lane.weight;
        for (int64_t i = 0; i < m->cols; i++)
            for (int64_t j = 0; j < m->cols; j++)
                m->scatter[i * m->cols + j] += tally->matrix[i * m->cols + j] + w[i] * w[j];
    }
    m->rows += tally->rows;
    m->lost += tally->lost + (is_first ? 0 : 4 * ROUND_OFF * trace_of(m));
    m->gained += trace_of(m) - before;
}

void scree__moments_restart(scree__moments *m)
{
    m->ready = 0;
    scree__moments_ready(m, 1);
    memset(m->lane_means, 0, (size_t)(m->lanes * m->cols) * sizeof *m->lane_means);
    memset(m->lane_weights, 0, (size_t)(m->lanes * m->strips) * sizeof *m->lane_weights);
    memset(m->turns, 0, (size_t)(m->lanes * (m->strips > m->pairs ? m->strips : m->pairs)) * sizeof *m->turns);
    m->rows = m->chunks = m->groups = 0;
    m->lost = m->gained = 0;
}

void scree__moments_fade(scree__moments *m, double factor)
{
    settle(m);
    for (int64_t i = 0; i < m->size; i++)
        m->scatter[i] *= factor;
    m->lane_weights[0] *= factor;
    m->gained *= factor;
    m->lost = m->lost * factor + 2 * ROUND_OFF * trace_of(m);
}
