/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a sparse product: y = fQᵀv - mᵀfQ for a row v of V, then W gains v yᵀ; 4 flops an entry and column. What
 * takes the time is to fetch a row of Q and one of W for each entry: a panel of them is a cache line wide, so that all
 * rows of both stay as near as they can. Entries are used as they lie, but where columns are heavy. Four sums take
 * turns, for one addition waits for the one before. */

#include "kernel/sparse_step.h"

#include "base/cpu.h"
#include "kernel/typed/real.h"

enum { LANE = SCREE__SPARSE_PANEL / (int)sizeof(real), TURNS = 4 };

/* A row of a panel; on machines of shorter vectors, several of them. */
typedef real panel __attribute__((vector_size(SCREE__SPARSE_PANEL)));

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
        value[count++] = (real)(scree__entries_at(x, p) - c->mean[j]);
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
    for (int64_t e = 0; e < count; e++)
        value[e] = (real)scree__entries_at(x, first + e);
    return count;
}

/* A row of V, as it lies. */
typedef struct line {
    const int32_t *index;
    const void *value;
    int64_t count;
} line;

/* Entry e of a line; the type is known where this is compiled. */
INLINE real entry(const void *value, scree_type type, int64_t e)
{
    return type == SCREE_F64   ? (real)((const double *)value)[e]
           : type == SCREE_F32 ? (real)((const float *)value)[e]
           : type == SCREE_I32 ? (real)((const int32_t *)value)[e]
                               : (real)((const uint8_t *)value)[e];
}

INLINE double entry_double(const void *value, scree_type type, int64_t e)
{
    return type == SCREE_F64   ? ((const double *)value)[e]
           : type == SCREE_F32 ? (double)((const float *)value)[e]
           : type == SCREE_I32 ? (double)((const int32_t *)value)[e]
                               : (double)((const uint8_t *)value)[e];
}

/* y = Σ value·q[index] - rest. */
INLINE void forward(const line *v, scree_type type, const panel *q, const real *rest, panel *y)
{
    panel a = {0};
    panel b = {0};
    panel c = {0};
    panel d = {0};
    int64_t e = 0;
    for (; e + TURNS <= v->count; e += TURNS) {
        a += entry(v->value, type, e) * q[v->index[e]];
        b += entry(v->value, type, e + 1) * q[v->index[e + 1]];
        c += entry(v->value, type, e + 2) * q[v->index[e + 2]];
        d += entry(v->value, type, e + 3) * q[v->index[e + 3]];
    }
    for (; e < v->count; e++)
        a += entry(v->value, type, e) * q[v->index[e]];
    *y = (a + b) + (c + d);
    for (int l = 0; l < LANE; l++)
        (*y)[l] -= rest[l];
}

/* W += v yᵀ. */
INLINE void backward(const line *v, scree_type type, const panel *y, panel *w)
{
    const panel mine = *y;
    for (int64_t e = 0; e < v->count; e++)
        w[v->index[e]] += entry(v->value, type, e) * mine;
}

INLINE void row(const scree__sparse_step *s, int64_t i, const line *v, scree_type type)
{
    const real weight = s->x->weights ? (real)s->x->weights[i] : 1;
    panel y;
    forward(v, type, s->q, s->rest, &y);
    y *= weight;
    for (int l = 0; l < LANE; l++)
        s->sums[l] += (double)y[l];
    backward(v, type, &y, s->w);
}

/* Row i of V, in any order: entries of heavy columns less their mean, and those that are absent behind the others. */
INLINE line lay(const scree__sparse_step *s, int64_t i, scree_type type, const void *values)
{
    const scree__sparse_centring *c = s->centring;
    const int64_t first = s->x->starts[i];
    const int32_t *index = s->x->indices + first;
    real *value = s->value;
    line v = {index, value, s->x->starts[i + 1] - first};
    const int64_t count = v.count;
    int64_t heavy = 0;
    for (int64_t e = 0; e < count; e++) {
        const double mean = c->mean[index[e]]; /* never 0 where a column is heavy */
        heavy += mean != 0;
        value[e] = (real)(entry_double(values, type, first + e) - mean);
    }
    if (heavy == c->heavy_count)
        return v;
    for (int64_t e = 0; e < count; e++)
        s->index[e] = index[e];
    for (int64_t h = 0, e = 0; h < c->heavy_count; h++) {
        while (e < count && index[e] < c->heavy[h])
            e++;
        if (e == count || index[e] != c->heavy[h]) {
            s->index[v.count] = c->heavy[h];
            value[v.count++] = (real)-c->mean[c->heavy[h]];
        }
    }
    v.index = s->index;
    return v;
}

/* Without heavy columns, entries are used where they lie. */
INLINE void rows(const scree__sparse_step *s, scree_type type, int64_t size)
{
    const scree__entries *x = s->x;
    for (int64_t i = s->first; i < s->end; i++) {
        if (s->centring->heavy_count > 0) {
            const line v = lay(s, i, type, x->value);
            row(s, i, &v, REAL_TYPE);
        } else {
            const line v = {x->indices + x->starts[i], (const char *)x->value + x->starts[i] * size,
                            x->starts[i + 1] - x->starts[i]};
            row(s, i, &v, type);
        }
    }
}

SCREE_CLONES void FN(sparse_step)(const scree__sparse_step *s)
{
    if (s->x->type == SCREE_F64)
        rows(s, SCREE_F64, sizeof(double));
    else if (s->x->type == SCREE_F32)
        rows(s, SCREE_F32, sizeof(float));
    else if (s->x->type == SCREE_I32)
        rows(s, SCREE_I32, sizeof(int32_t));
    else
        rows(s, SCREE_U8, sizeof(uint8_t));
}
