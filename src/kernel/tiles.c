/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as tiles of centred elements, and thin matrices as panels. One read and one write of each element.
 *
 * X - 1µ'ᵀ must be exact where it matters, which is where it is small beside X: floats are centred in float by µ' =
 * float(µ), bytes by the whole number nearest to µ, both without error there. What is left of the mean, d = µ - µ',
 * goes by CQ = (X - 1µ'ᵀ)Q - 1(dᵀQ), in double; |d| is at most a deviation of its column, so no digits are lost.
 * Doubles are centred in double by µ itself. */

#include "kernel/tiles.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LINE = 64 };

int64_t scree__tiles_element(scree_type type)
{
    return type == SCREE_F32 ? (int64_t)sizeof(float) : type == SCREE_F64 ? (int64_t)sizeof(double) : 1;
}

int64_t scree__tiles_filled(int64_t n)
{
    return (n + SCREE__BLOCK - 1) / SCREE__BLOCK * SCREE__BLOCK;
}

/* A line more, so that blocks do not all fall on the same sets of the cache. */
int64_t scree__tiles_apart(int64_t height, const scree__ops *ops)
{
    return height * SCREE__BLOCK + LINE / ops->size;
}

int64_t scree__tiles_memory(int64_t cols)
{
    return 2 * cols * (int64_t)sizeof(double);
}

/* µ' of the panels' type, and d. */
static void set_narrow(scree__tiles *t, scree_type type, const double *shift)
{
    for (int64_t j = 0; j < t->cols; j++)
        t->rest[j] = type == SCREE_U8 ? rint(shift[j]) : shift[j];
    t->ops->narrow(t->rest, t->cols, t->shift);
    for (int64_t j = 0; j < t->cols; j++)
        t->rest[j] = shift[j] - (t->ops->type == SCREE_F32 ? (double)((const float *)(const void *)t->shift)[j]
                                                           : ((const double *)(const void *)t->shift)[j]);
}

scree_status scree__tiles_init(scree__tiles *t, int64_t cols, scree_type type, const scree__ops *ops,
                               const double *shift, const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    *t = (scree__tiles){.ops = ops,
                        .panels = ops->type == SCREE_F32 ? scree__panels_best_f32() : scree__panels_best_f64(),
                        .cols = cols,
                        .padded = scree__tiles_filled(cols),
                        .factor = factor,
                        .shift_size = type == SCREE_F64 ? (int64_t)sizeof(double) : ops->size};
    t->shift = scree__alloc_raw(cols, sizeof(double));
    if (!t->shift)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld doubles", (long long)cols);
    if (type == SCREE_F64) {
        memcpy(t->shift, shift, (size_t)cols * sizeof(double));
    } else {
        SCREE_ALLOC(t->rest, cols, error);
        set_narrow(t, type, shift);
    }
done:
    return status;
}

void scree__tiles_clear(scree__tiles *t)
{
    free(t->shift);
    free(t->rest);
    t->shift = NULL;
    t->rest = NULL;
}

void scree__tiles_lay(const scree__tiles *t, const scree__rows *x, int64_t first, const scree__panel_tile *tile)
{
    const int64_t left = t->cols - first;
    const scree__rows part = scree__rows_columns(x, first, left < tile->cols ? left : tile->cols);
    t->panels->lay(tile, &part, t->shift + first * t->shift_size);
}

void scree__tiles_split(const scree__tiles *t, const scree__thin *q, int64_t first, int64_t count,
                        const scree__paneled *to)
{
    const int64_t known = q->n - first < count ? q->n - first : count;
    for (int64_t col = 0; col < to->wide;) {
        const int64_t width = scree__panels_at(t->panels, col, to->wide)->width;
        char *panel = to->x + (col * to->height + first * width) * t->ops->size;
        const scree__thin part = {q->x + first * q->ld + col, q->factor ? q->factor + first : NULL, known, q->ld};
        t->panels->split(&part, to->b - col < width ? to->b - col : width, width, panel);
        memset(panel + known * width * t->ops->size, 0, (size_t)((count - known) * width * t->ops->size));
        col += width;
    }
}

void scree__tiles_rest(const scree__tiles *t, const double *q, int64_t b, double *out)
{
    memset(out, 0, (size_t)b * sizeof *out);
    for (int64_t j = 0; t->rest && j < t->cols; j++) {
        const double d = t->rest[j] * (t->factor ? t->factor[j] : 1);
        for (int64_t l = 0; l < b; l++)
            out[l] += d * q[j * b + l];
    }
}
