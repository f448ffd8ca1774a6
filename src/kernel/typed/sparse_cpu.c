/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a sparse product: y = fQᵀv - mᵀfQ for a row v of V, then W gains v yᵀ; 4 flops an entry and column. A row's
 * entries are laid out once, in the type of the arithmetic, and used twice while they are in the cache. Sixteen columns
 * of Q are a cache line or two; four sums take turns, for one addition waits for the one before. */

#include "kernel/sparse_step.h"

#include "base/cpu.h"
#include "kernel/rows.h"
#include "kernel/typed/real.h"

enum { LANE = SCREE__SPARSE_LANE, TURNS = 4 };

#define INLINE static inline __attribute__((always_inline))

/* Entries of -µ for the heavy columns from number *next on, up to number end, which are absent. */
INLINE int64_t fill_absent(const scree__sparse_centring *c, int64_t *next, int64_t end, int32_t *index, real *value)
{
    int64_t count = 0;
    for (; *next < end; (*next)++, count++) {
        index[count] = c->heavy[*next];
        value[count] = (real)-c->mean[c->heavy[*next]];
    }
    return count;
}

/* A row of which some columns are heavy: entries stay in order. */
INLINE int64_t load_heavy(const scree__sparse_centring *c, const scree__entries *x, int64_t i, int32_t *index,
                          real *value)
{
    const scree__rows values = {x->value, x->type, 1, 1, 1, NULL};
    int64_t count = 0;
    int64_t next = 0;
    for (int64_t p = x->starts[i]; p < x->starts[i + 1]; p++) {
        const int32_t j = x->indices[p];
        /* absent heavy columns before this one */
        while (next < c->heavy_count && c->heavy[next] < j)
            count += fill_absent(c, &next, next + 1, index + count, value + count);
        if (next < c->heavy_count && c->heavy[next] == j)
            next++;
        index[count] = j;
        value[count++] = (real)(scree__rows_at(&values, p) - c->mean[j]);
    }
    return count + fill_absent(c, &next, c->heavy_count, index + count, value + count);
}

int64_t FN(sparse_load)(const scree__sparse_centring *c, const scree__entries *x, int64_t i, int32_t *index,
                        real *value)
{
    const int64_t first = x->starts[i];
    const int64_t count = x->starts[i + 1] - first;
    if (c->heavy_count > 0)
        return load_heavy(c, x, i, index, value);
    for (int64_t e = 0; e < count; e++)
        index[e] = x->indices[first + e];
    if (x->type == SCREE_F64)
        for (int64_t e = 0; e < count; e++)
            value[e] = (real)((const double *)x->value)[first + e];
    else if (x->type == SCREE_F32)
        for (int64_t e = 0; e < count; e++)
            value[e] = (real)((const float *)x->value)[first + e];
    else
        for (int64_t e = 0; e < count; e++)
            value[e] = (real)((const uint8_t *)x->value)[first + e];
    return count;
}

/* LANE columns of y = Σ value·q[index] - rest. */
INLINE void forward(const int32_t *index, const real *value, int64_t count, const real *q, int64_t wide,
                    const real *rest, real *y)
{
    real sums[TURNS][LANE] = {{0}};
    int64_t e = 0;
    for (; e + TURNS <= count; e += TURNS)
        for (int t = 0; t < TURNS; t++) {
            const real *from = q + index[e + t] * wide;
            for (int l = 0; l < LANE; l++)
                sums[t][l] += value[e + t] * from[l];
        }
    for (; e < count; e++) {
        const real *from = q + index[e] * wide;
        for (int l = 0; l < LANE; l++)
            sums[0][l] += value[e] * from[l];
    }
    for (int l = 0; l < LANE; l++)
        y[l] = (sums[0][l] + sums[1][l]) + (sums[2][l] + sums[3][l]) - rest[l];
}

/* LANE columns of W += v yᵀ. */
INLINE void backward(const int32_t *index, const real *value, int64_t count, const real *y, int64_t wide, real *w)
{
    real mine[LANE];
    for (int l = 0; l < LANE; l++)
        mine[l] = y[l];
    for (int64_t e = 0; e < count; e++) {
        real *to = w + index[e] * wide;
        for (int l = 0; l < LANE; l++)
            to[l] += value[e] * mine[l];
    }
}

SCREE_CLONES void FN(sparse_step)(const scree__sparse_step *s)
{
    const real *q = s->q;
    const real *rest = s->rest;
    real *w = s->w;
    real *y = s->y;
    for (int64_t i = s->first; i < s->end; i++) {
        const int64_t count = FN(sparse_load)(s->centring, s->x, i, s->index, s->value);
        const real weight = s->x->weights ? (real)s->x->weights[i] : 1;
        for (int64_t col = 0; col < s->wide; col += LANE) {
            forward(s->index, s->value, count, q + col, s->wide, rest + col, y + col);
            for (int l = 0; l < LANE; l++) {
                y[col + l] *= weight;
                s->sums[col + l] += (double)y[col + l];
            }
            backward(s->index, s->value, count, y + col, s->wide, w + col);
        }
    }
}
