/* SPDX-License-Identifier: BSD-3-Clause */
/* What rows come to, laid out as one array of doubles, whichever method keeps it, so that a tree can join such arrays
 * and processes can send them. Two are joined by the sums of the method, which gain the one and then the other
 * (kernel/tally.h): D² flops for scatters, D³ for triangles, a cut for sketches that have no more room. With a
 * half-life H, those whose rows came first count 2^(-m/H) times by then, m being the rows of the others: whatever the
 * ranges, a row fades by the number of rows after it. */

#include "state/state_parcel.h"

#include "kernel/sketch.h"

#include <string.h>

enum { HEAD = 4 };

scree__state_shape scree__state_shape_of(const scree_state *s, int threads, bool in_order)
{
    return (scree__state_shape){.like = {.method = s->method,
                                         .cols = s->cols,
                                         .rank = s->rank,
                                         .forget = s->forget,
                                         .threads = threads,
                                         .expected = 1},
                                .in_order = in_order && s->forget > 0};
}

static int64_t most_height(const scree__state_shape *shape)
{
    const scree_state *s = &shape->like;
    return s->method->is_square ? s->cols : scree__sketch_height(s->cols, s->rank);
}

static int64_t squares_of(const scree__state_shape *shape)
{
    return shape->like.method->has_squares ? shape->like.cols : 0;
}

int64_t scree__state_parcel_doubles(const scree__state_shape *shape)
{
    const int64_t d = shape->like.cols;
    return HEAD + 2 * d + squares_of(shape) + most_height(shape) * d;
}

void scree__state_parcel_fill(const scree__state_shape *shape, const scree__tally *t, double *parcel)
{
    const int64_t d = shape->like.cols;
    const size_t line = (size_t)d * sizeof *parcel;
    double *squares = parcel + HEAD + 2 * d;
    double *matrix = squares + squares_of(shape);
    parcel[0] = (double)t->rows;
    parcel[1] = t->weight;
    parcel[2] = t->lost;
    parcel[3] = (double)t->height;
    memmove(parcel + HEAD, t->mean, line);
    memmove(parcel + HEAD + d, t->rest, line);
    if (squares_of(shape) > 0)
        memcpy(squares, t->squares, line);
    if (t->height > 0)
        memcpy(matrix, t->matrix, (size_t)t->height * line);
    memset(matrix + t->height * d, 0, (size_t)(most_height(shape) - t->height) * line);
}

scree__tally scree__state_parcel_tally(const scree__state_shape *shape, double *parcel)
{
    const int64_t d = shape->like.cols;
    return (scree__tally){.rows = (int64_t)parcel[0],
                          .weight = parcel[1],
                          .lost = parcel[2],
                          .height = (int64_t)parcel[3],
                          .mean = parcel + HEAD,
                          .rest = parcel + HEAD + d,
                          .squares = squares_of(shape) > 0 ? parcel + HEAD + 2 * d : NULL,
                          .matrix = parcel + HEAD + 2 * d + squares_of(shape)};
}

scree_status scree__state_parcel_join(void *context, double *into, double *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__state_shape *shape = context;
    const scree_state *like = &shape->like;
    const int64_t d = like->cols;
    const scree__tally a = scree__state_parcel_tally(shape, into);
    const scree__tally b = scree__state_parcel_tally(shape, from);
    void *sums = NULL;
    scree__tally both;
    SCREE_TRY(scree__state_check_rows(a.rows, b.rows, error));
    SCREE_TRY(like->method->create(&sums, like, error));
    SCREE_TRY(like->method->gain(sums, &a, error));
    if (shape->in_order && a.rows > 0 && b.rows > 0)
        scree__state_fade(like, sums, b.rows);
    SCREE_TRY(like->method->gain(sums, &b, error));
    SCREE_TRY(like->method->tally(sums, into + HEAD, into + HEAD + d, &both, error));
    both.rows = a.rows + b.rows;
    scree__state_parcel_fill(shape, &both, into);
done:
    if (sums)
        like->method->free(sums);
    return status;
}
