/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows of a chunk add to the normal equations of every column: with z̃ = [z; 1],
 *
 *     A_d += Σ_{rows that observed d} ⟨z̃z̃'⟩,   b_d += Σ x_d z̃,      ⟨zz'⟩ = zz' + σ²A_p⁻¹.
 *
 * each row times its weight where it has one. ⟨z̃z̃'⟩ is summed over the rows of a pattern first; then A is one product
 * of the masks with these sums, u D M² flops for u patterns, and b one of the cells with the codes. */

#include "kernel/observed.h"

#include "base/cpu.h"
#include "kernel/blas.h"
#include "kernel/packed.h"

#include <string.h>

/* The lines of a sparse chunk are added cell by cell: by pattern then, each in one place. */
static void spread(scree__observed *o)
{
    const int64_t width = scree__pairs(o->m + 1);
    for (int64_t p = 0; p < o->patterns; p++)
        for (int64_t e = 0; e < width; e++)
            o->spread[p * width + e] = o->sums[e * o->height + p];
}

/* sum = σ² members inverse + Σ ab over the rows of each pattern; inverse NULL: 0. Where there are as many patterns as
 * rows, each row is the pattern of its own number. */
SCREE_CLONES static void sum_pair(const scree__observed *o, double noise, const double *restrict inverse,
                                  const double *restrict a, const double *restrict b, double *restrict sum)
{
    const double *restrict members = o->members;
    const int32_t *restrict pattern = o->pattern;
    const int64_t patterns = o->patterns;
    for (int64_t p = 0; p < patterns; p++)
        sum[p] = inverse ? members[p] * noise * inverse[p] : 0;
    if (patterns == o->rows) {
        for (int64_t n = 0; n < patterns; n++)
            sum[n] += a[n] * b[n];
        return;
    }
    for (int64_t n = 0; n < o->rows; n++)
        sum[pattern[n]] += a[n] * b[n];
}

void scree__observed_sums(scree__observed *o, const scree__loadings *l)
{
    const int64_t h = o->height;
    const double *heavy = o->weights ? o->heavy : o->z;
    double *something = o->work; /* whether it was observed, of each pattern */
    for (int64_t p = 0; p < o->patterns; p++)
        something[p] = o->seen[p] > 0 ? 1 : 0;
    for (int64_t i = 0; i <= o->m; i++)
        for (int64_t j = 0; j <= i; j++) {
            const int64_t at = scree__pair(i, j) * h;
            sum_pair(o, l->noise, i < o->m ? o->inverse + at : NULL, heavy + i * h, o->z + j * h, o->sums + at);
            o->total[scree__pair(i, j)] = scree__packed_dot(o->sums + at, something, o->patterns);
        }
    if (o->sparse)
        spread(o);
}

SCREE_CLONES static void add_line(double *restrict sum, const double *restrict line, int64_t n)
{
    for (int64_t e = 0; e < n; e++)
        sum[e] += line[e];
}

/* Where the cells of row n from column on begin. */
static int64_t cells_from(const scree__observed *o, int64_t n, int64_t column)
{
    int64_t low = o->start[n];
    int64_t high = o->start[n + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (o->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_cells(const scree__observed *o, const scree__observed_part *part, double *a, double *b)
{
    const int64_t width = scree__pairs(o->m + 1);
    const double *heavy = o->weights ? o->heavy : o->z;
    for (int64_t n = 0; n < o->rows; n++) {
        const int64_t end = cells_from(o, n, part->first + part->count);
        for (int64_t c = cells_from(o, n, part->first); c < end; c++) {
            double *into = b + o->column[c] * (o->m + 1);
            if (a)
                add_line(a + o->column[c] * width + part->entry, o->spread + n * width + part->entry, part->entries);
            for (int64_t i = 0; part->entry == 0 && i <= o->m; i++)
                into[i] += o->x[c] * heavy[i * o->height + n];
        }
    }
}

int scree__observed_add(const scree__observed *o, const scree__observed_part *part, double *a, double *b)
{
    const int64_t first = part->first;
    const int64_t width = scree__pairs(o->m + 1);
    const double *heavy = o->weights ? o->heavy : o->z;
    int info = 0;
    if (o->sparse) {
        add_cells(o, part, a, b);
        return 0;
    }
    if (a)
        info = scree__dgemm(true, true, part->count, part->entries, o->patterns, 1, o->mask + first, o->cols,
                            o->sums + part->entry * o->height, o->height, 1, a + first * width + part->entry, width);
    if (info == 0 && part->entry == 0)
        info = scree__dgemm(true, true, part->count, o->m + 1, o->rows, 1, o->x + first, o->cols, heavy, o->height, 1,
                            b + first * (o->m + 1), o->m + 1);
    return info;
}
