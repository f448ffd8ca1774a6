/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tallies become that of all their rows (Chan, Golub and LeVeque 1983): with δ = µ_b - µ_a,
 *
 *     Σ(x-µ)(x-µ)ᵀ = S_a + S_b + (n_a n_b / n) δδᵀ,    µ = µ_a + (n_b / n) δ.
 *
 * Means are in two doubles, so that means of 1e8 leave all digits of δ. Triangles are folded into each other instead,
 * with the row √(n_a n_b / n) δ (tsqr.c): D³ flops. */

#include "fit/reduce.h"

#include "base/threads.h"
#include "kernel/tsqr.h"

#include <string.h>

enum { HEAD = 3, MIRROR = 64 };
static const double ROUND_OFF = 0x1p-53;

int64_t scree__parcel_doubles(const scree__parcel_shape *shape)
{
    return HEAD + 2 * shape->cols + shape->size;
}

double *scree__parcel_mean(const scree__parcel_shape *shape, double *parcel)
{
    (void)shape;
    return parcel + HEAD;
}

double *scree__parcel_rest(const scree__parcel_shape *shape, double *parcel)
{
    return parcel + HEAD + shape->cols;
}

double *scree__parcel_matrix(const scree__parcel_shape *shape, double *parcel)
{
    return parcel + HEAD + 2 * shape->cols;
}

static void fill_head(const scree__parcel_shape *shape, const scree__tally *t, double *parcel)
{
    const size_t cols = (size_t)shape->cols * sizeof *parcel;
    parcel[0] = (double)t->rows;
    parcel[1] = t->weight;
    parcel[2] = t->lost;
    memcpy(scree__parcel_mean(shape, parcel), t->mean, cols);
    memcpy(scree__parcel_rest(shape, parcel), t->rest, cols);
}

void scree__parcel_fill(const scree__parcel_shape *shape, const scree__tally *t, double *parcel)
{
    fill_head(shape, t, parcel);
    memcpy(scree__parcel_matrix(shape, parcel), t->matrix, (size_t)shape->size * sizeof *parcel);
}

/* A scatter that is copied, or made symmetric. */
typedef struct copying {
    const scree__parcel_shape *shape;
    const double *from;
    double *to;
} copying;

/* Task: row i of the upper triangle. */
static void copy_row(void *context, int64_t i, int worker)
{
    const copying *c = context;
    const int64_t d = c->shape->cols;
    (void)worker;
    memcpy(c->to + i * d + i, c->from + i * d + i, (size_t)(d - i) * sizeof *c->to);
}

void scree__parcel_fill_upper(const scree__parcel_shape *shape, const scree__tally *t, double *parcel)
{
    copying c = {shape, t->matrix, scree__parcel_matrix(shape, parcel)};
    fill_head(shape, t, parcel);
    scree__parallel(scree__threads_for(shape->threads, (double)shape->size), shape->cols, copy_row, &c);
}

/* Task: a band of rows of the lower triangle, tile by tile. */
static void mirror_band(void *context, int64_t band, int worker)
{
    const copying *c = context;
    const int64_t d = c->shape->cols;
    const int64_t first = band * MIRROR;
    const int64_t end = first + MIRROR < d ? first + MIRROR : d;
    (void)worker;
    for (int64_t left = 0; left <= first; left += MIRROR)
        for (int64_t i = first; i < end; i++)
            for (int64_t j = left; j < i && j < left + MIRROR; j++)
                c->to[i * d + j] = c->to[j * d + i];
}

void scree__parcel_mirror(const scree__parcel_shape *shape, double *parcel)
{
    copying c = {.shape = shape, .to = scree__parcel_matrix(shape, parcel)};
    scree__parallel(scree__threads_for(shape->threads, (double)shape->size), (shape->cols + MIRROR - 1) / MIRROR,
                    mirror_band, &c);
}

scree__tally scree__parcel_tally(const scree__parcel_shape *shape, double *parcel)
{
    return (scree__tally){.rows = (int64_t)parcel[0],
                          .weight = parcel[1],
                          .lost = parcel[2],
                          .mean = scree__parcel_mean(shape, parcel),
                          .rest = scree__parcel_rest(shape, parcel),
                          .matrix = scree__parcel_matrix(shape, parcel),
                          .height = shape->cols};
}

/* into's mean becomes that of both, and from's what was between them: δ. */
static void join_means(const scree__parcel_shape *shape, double *into, double *from)
{
    double *mean = scree__parcel_mean(shape, into);
    double *rest = scree__parcel_rest(shape, into);
    double *step = scree__parcel_mean(shape, from);
    const double *from_rest = scree__parcel_rest(shape, from);
    const double share = from[1] / (into[1] + from[1]);
    for (int64_t j = 0; j < shape->cols; j++) {
        step[j] = (step[j] - mean[j]) + (from_rest[j] - rest[j]);
        scree__two_sum(mean[j], rest[j] + share * step[j], &mean[j], &rest[j]);
    }
}

/* Scatters that join. */
typedef struct joining {
    const scree__parcel_shape *shape;
    double *into;
    const double *from;
    const double *step; /* δ */
    double weight;      /* of δδᵀ */
} joining;

/* Task: row i of the upper triangle, or the whole diagonal. */
static void join_row(void *context, int64_t i, int worker)
{
    const joining *all = context;
    const int64_t d = all->shape->cols;
    const bool is_diagonal = all->shape->size == d;
    (void)worker;
    for (int64_t j = is_diagonal ? 0 : i; j < d; j++)
        all->into[i * d + j] += all->from[i * d + j] + all->weight * all->step[is_diagonal ? j : i] * all->step[j];
}

scree_status scree__parcel_join_scatters(void *context, double *into, double *from, scree_error *error)
{
    const scree__parcel_shape *shape = context;
    const int64_t d = shape->cols;
    double *scatter = scree__parcel_matrix(shape, into);
    const double *add = scree__parcel_matrix(shape, from);
    const double *step = scree__parcel_mean(shape, from);
    (void)error;
    if (!(from[1] > 0))
        return SCREE_OK;
    if (!(into[1] > 0)) {
        memcpy(into, from, (size_t)scree__parcel_doubles(shape) * sizeof *into);
        return SCREE_OK;
    }
    const double weight = into[1] * (from[1] / (into[1] + from[1]));
    double trace = 0;
    join_means(shape, into, from);
    joining rows = {shape, scatter, add, step, weight};
    scree__parallel(scree__threads_for(shape->threads, (double)shape->size), shape->size / d, join_row, &rows);
    for (int64_t j = 0; j < d; j++)
        trace += scatter[shape->size == d ? j : j * d + j];
    into[0] += from[0];
    into[1] += from[1];
    into[2] += from[2] + 4 * ROUND_OFF * trace;
    return SCREE_OK;
}

scree_status scree__parcel_join_triangles(void *context, double *into, double *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__parcel_shape *shape = context;
    const scree__tally a = scree__parcel_tally(shape, into);
    const scree__tally b = scree__parcel_tally(shape, from);
    scree__tsqr *both = NULL;
    scree__tally joined;
    if (!(b.weight > 0))
        return SCREE_OK;
    SCREE_TRY(scree__tsqr_new_few(&both, shape->cols, 1, 1, error));
    SCREE_TRY(scree__tsqr_gain(both, &a, error));
    SCREE_TRY(scree__tsqr_gain(both, &b, error));
    SCREE_TRY(
        scree__tsqr_tally(both, scree__parcel_mean(shape, into), scree__parcel_rest(shape, into), &joined, error));
    into[0] = (double)joined.rows;
    into[1] = joined.weight;
    memcpy(scree__parcel_matrix(shape, into), joined.matrix, (size_t)shape->size * sizeof *into);
done:
    scree__tsqr_free(both);
    return status;
}
