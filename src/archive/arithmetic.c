/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of decompressed values. It must come out the same to the last bit wherever it is done, so this file is
 * compiled without fused multiply-adds, each sum runs over the components in order, and nothing is used but + - × ÷ and
 * comparisons of doubles, which IEEE 754 defines exactly. Vectors run across columns, which changes no order.
 *
 *     predicted x̃ = µ + Σ_j q_j A_j             A_j = scale_j · whole numbers
 *     any values  y = x̃ + kw
 *     on a grid   y = (round(clamp(x̃g)) + kw)/g   clamped to the least and the largest value once more
 *
 * Costs 2M flops a cell: four rows of sixteen columns are summed in registers. */

#include "archive/arithmetic.h"

#include "archive/values.h"
#include "base/cpu.h"
#include "base/half.h"

#include <math.h>
#include <string.h>

enum { GROUP = 4 };

typedef double wide __attribute__((vector_size(8 * SCREE__TILE / 2), aligned(8), may_alias));

int64_t scree__tiles_size(int64_t cols, int64_t components)
{
    return (cols + SCREE__TILE - 1) / SCREE__TILE * SCREE__TILE * (components + 1);
}

void scree__tiles_make(double *tiles, const double *mean, const int32_t *basis, const double *scales, int64_t cols,
                       int64_t components)
{
    for (int64_t first = 0; first < cols; first += SCREE__TILE) {
        double *tile = tiles + first * (components + 1);
        for (int64_t c = 0; c < SCREE__TILE; c++) {
            const bool there = first + c < cols;
            tile[c] = there ? mean[first + c] : 0;
            for (int64_t j = 0; j < components; j++)
                tile[(j + 1) * SCREE__TILE + c] = there ? scales[j] * (double)basis[j * cols + first + c] : 0;
        }
    }
}

/* One tile of columns and GROUP rows of codes; out: GROUP×SCREE__TILE. */
static inline __attribute__((always_inline)) void predict_tile(const double *tile, const double *const codes[GROUP],
                                                               double *out, int64_t components)
{
    wide sums[GROUP][2];
    for (int r = 0; r < GROUP; r++) {
        memcpy(&sums[r][0], tile, sizeof(wide));
        memcpy(&sums[r][1], tile + SCREE__TILE / 2, sizeof(wide));
    }
    for (int64_t j = 0; j < components; j++) {
        const wide left = *(const wide *)(tile + (j + 1) * SCREE__TILE);
        const wide right = *(const wide *)(tile + (j + 1) * SCREE__TILE + SCREE__TILE / 2);
        for (int r = 0; r < GROUP; r++) {
            sums[r][0] += left * codes[r][j];
            sums[r][1] += right * codes[r][j];
        }
    }
    memcpy(out, sums, sizeof sums);
}

SCREE_CLONES void scree__predict(const double *tiles, const double *codes, double *predicted, int64_t rows,
                                 int64_t cols, int64_t components)
{
    double out[GROUP * SCREE__TILE];
    for (int64_t first = 0; first < cols; first += SCREE__TILE) {
        const int64_t width = cols - first < SCREE__TILE ? cols - first : SCREE__TILE;
        for (int64_t i = 0; i < rows; i += GROUP) {
            const double *lent[GROUP];
            for (int r = 0; r < GROUP; r++)
                lent[r] = codes + (i + r < rows ? i + r : rows - 1) * components;
            predict_tile(tiles + first * (components + 1), lent, out, components);
            for (int r = 0; r < GROUP && i + r < rows; r++)
                memcpy(predicted + (i + r) * cols + first, out + r * SCREE__TILE, (size_t)width * sizeof *out);
        }
    }
}

/* ---- cells: small functions that the loops below take in whole ---- */

#define INLINE static inline __attribute__((always_inline))

/* The nearest whole number, ties to even, for magnitudes below 2⁵¹: the sum has no bits left for a fraction. */
INLINE double rounded(double x)
{
    const double big = 0x1.8p52;
    return (x + big) - big;
}

INLINE double clamped(double x, double low, double high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

/* The nearest value of a type that is not worked on: whole numbers of their range, or half precision. */
static double as_stored(scree_type type, double y)
{
    static const struct {
        double low;
        double high;
    } ranges[] = {
        [SCREE_I8] = {-0x1p7, 0x1p7 - 1}, [SCREE_I16] = {-0x1p15, 0x1p15 - 1},
        [SCREE_U16] = {0, 0x1p16 - 1},    [SCREE_I32] = {-0x1p31, 0x1p31 - 1},
        [SCREE_U32] = {0, 0x1p32 - 1},    [SCREE_I64] = {-0x1p63, 0x1p63 - 1024},
        [SCREE_U64] = {0, 0x1p64 - 2048}, [SCREE_BOOL] = {0, 1},
    };
    if (type == SCREE_F16)
        return scree__half_nearest(y);
    return clamped(rint(y), ranges[type].low, ranges[type].high) + 0.0; /* no negative zero */
}

/* type: that elements are stored as. */
INLINE double as_type(scree_type type, double y)
{
    if (type == SCREE_F64 || type == SCREE_U8)
        return y;
    return type == SCREE_F32 ? (double)(float)y : as_stored(type, y);
}

INLINE double restored(const scree__lattice *l, scree_type type, double predicted, double k)
{
    if (l->grid == 0)
        return as_type(type, predicted + k * l->width);
    const double base = rounded(clamped(predicted * l->grid, l->low, l->high));
    return as_type(type, clamped(base + k * l->width, l->low, l->high) / l->grid);
}

INLINE bool is_near(const scree__lattice *l, double x, double y)
{
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return l->bound > 0 ? fabs(x - y) <= l->bound : a == b;
}

INLINE int32_t mark_of(const scree__lattice *l, double x)
{
    const double usual = (double)NAN;
    return isnan(x) && (l->bound > 0 || is_near(l, x, usual)) ? SCREE__VALUE_NAN : SCREE__VALUE_RAW;
}

/* The whole number of widths from the prediction to x. */
INLINE double distance(const scree__lattice *l, double x, double predicted)
{
    if (l->grid == 0)
        return rounded(clamped((x - predicted) / l->width, -0x1p40, 0x1p40));
    const double base = rounded(clamped(predicted * l->grid, l->low, l->high));
    return rounded(clamped((rounded(clamped(x * l->grid, -0x1p50, 0x1p50)) - base) / l->width, -0x1p40, 0x1p40));
}

INLINE void correct_typed(const scree__lattice *l, scree_type type, const double *x, const double *predicted,
                          int32_t *k, double *back, int64_t count)
{
    const scree__lattice lattice = *l;
    for (int64_t i = 0; i < count; i++) {
        const double most = SCREE__VALUE_MOST;
        const double plain = restored(&lattice, type, predicted[i], 0);
        const double steps = distance(&lattice, x[i], predicted[i]);
        const double moved = restored(&lattice, type, predicted[i], steps);
        const bool none = is_near(&lattice, x[i], plain);
        const bool done = none || (is_near(&lattice, x[i], moved) && fabs(steps) <= most);
        back[i] = none ? plain : moved;
        k[i] = (int32_t)(none ? 0 : done ? steps : (double)SCREE__VALUE_RAW);
    }
    for (int64_t i = 0; i < count; i++)
        if (k[i] == SCREE__VALUE_RAW)
            k[i] = mark_of(l, x[i]);
}

SCREE_CLONES static void correct_f32(const scree__lattice *l, const double *x, const double *predicted, int32_t *k,
                                     double *back, int64_t count)
{
    correct_typed(l, SCREE_F32, x, predicted, k, back, count);
}

SCREE_CLONES static void correct_f64(const scree__lattice *l, const double *x, const double *predicted, int32_t *k,
                                     double *back, int64_t count)
{
    correct_typed(l, SCREE_F64, x, predicted, k, back, count);
}

scree_type scree__lattice_element(const scree__lattice *lattice)
{
    return lattice->element > 0 ? (scree_type)(lattice->element - 1) : lattice->type;
}

void scree__correct(const scree__lattice *lattice, const double *x, const double *predicted, int32_t *k, double *back,
                    int64_t count)
{
    if (lattice->element > 0)
        correct_typed(lattice, scree__lattice_element(lattice), x, predicted, k, back, count);
    else if (lattice->type == SCREE_F32)
        correct_f32(lattice, x, predicted, k, back, count);
    else
        correct_f64(lattice, x, predicted, k, back, count);
}

SCREE_CLONES void scree__restore(const scree__lattice *l, const double *predicted, const int32_t *k, double *back,
                                 int64_t count)
{
    const scree__lattice lattice = *l;
    const scree_type element = scree__lattice_element(l);
    if (lattice.element > 0)
        for (int64_t i = 0; i < count; i++)
            back[i] = restored(&lattice, element, predicted[i], k[i]);
    else if (lattice.type == SCREE_F32)
        for (int64_t i = 0; i < count; i++)
            back[i] = restored(&lattice, SCREE_F32, predicted[i], k[i]);
    else
        for (int64_t i = 0; i < count; i++)
            back[i] = restored(&lattice, SCREE_F64, predicted[i], k[i]);
}

/* ---- without a model ---- */

/* The lattice number nearest to x, and the value of a lattice number. */
INLINE double number_of(const scree__lattice *l, double x)
{
    const double scaled = l->grid == 0 ? x / l->width : rounded(clamped(x * l->grid, -0x1p50, 0x1p50)) / l->width;
    return rounded(clamped(scaled, -0x1p50, 0x1p50));
}

INLINE double value_of(const scree__lattice *l, double u)
{
    if (l->grid == 0)
        return as_type(scree__lattice_element(l), u * l->width);
    return as_type(scree__lattice_element(l), clamped(u * l->width, l->low, l->high) / l->grid);
}

/* What column j is predicted to be, from the numbers u before it and above it. */
INLINE double beside(scree__neighbour neighbour, const double *above, const double *u, int64_t j)
{
    if (neighbour == SCREE__NEIGHBOUR_NONE || (!above && j == 0))
        return 0;
    if (!above || (neighbour == SCREE__NEIGHBOUR_LEFT && j > 0))
        return u[j - 1];
    if (neighbour == SCREE__NEIGHBOUR_BOTH && j > 0)
        return u[j - 1] + above[j] - above[j - 1];
    return above[j];
}

void scree__correct_beside(const scree__lattice *lattice, scree__neighbour neighbour, const double *x,
                           const double *above, double *u, int32_t *k, double *back, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) {
        const double predicted = beside(neighbour, above, u, j);
        u[j] = isfinite(x[j]) ? number_of(lattice, x[j]) : predicted;
        const double steps = u[j] - predicted;
        back[j] = value_of(lattice, u[j]);
        const bool done = is_near(lattice, x[j], back[j]) && fabs(steps) <= SCREE__VALUE_MOST;
        k[j] = done ? (int32_t)steps : mark_of(lattice, x[j]);
    }
}

void scree__restore_beside(const scree__lattice *lattice, scree__neighbour neighbour, const double *above, double *u,
                           const int32_t *k, double *back, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) {
        const double predicted = beside(neighbour, above, u, j);
        if (k[j] >= SCREE__VALUE_RAW) {
            u[j] = isfinite(back[j]) ? number_of(lattice, back[j]) : predicted;
        } else {
            u[j] = predicted + k[j];
            back[j] = value_of(lattice, u[j]);
        }
    }
}

/* ---- whole numbers from 0 on ---- */

double scree__number(const scree__lattice *lattice, double x)
{
    return number_of(lattice, x);
}

SCREE_CLONES void scree__to_numbers(const scree__lattice *l, double base, const double *x, int32_t *cells, double *back,
                                    int64_t count)
{
    const scree__lattice lattice = *l;
    for (int64_t i = 0; i < count; i++) {
        const double number = number_of(&lattice, x[i]);
        const double from = number - base;
        back[i] = value_of(&lattice, number);
        cells[i] = is_near(&lattice, x[i], back[i]) && from >= 0 && from <= INT32_MAX ? (int32_t)from : -1;
    }
}

SCREE_CLONES void scree__from_numbers(const scree__lattice *l, double base, const int32_t *cells, double *back,
                                      int64_t count)
{
    const scree__lattice lattice = *l;
    for (int64_t i = 0; i < count; i++)
        back[i] = value_of(&lattice, base + cells[i]);
}
