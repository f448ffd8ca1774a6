/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading rows of float, double or uint8 as doubles; column sums and sums of squares; the search for a bad cell. Each
 * is one read of the rows. */

#include "kernel/rows.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

enum { STRIP = 256 }; /* columns that are weighted at a time */

static const int64_t sizes[] = {[SCREE_F32] = 4, [SCREE_F64] = 8, [SCREE_U8] = 1};

scree__rows scree__rows_slice(const scree__rows *x, int64_t first, int64_t count)
{
    scree__rows part = *x;
    part.data = (const char *)x->data + first * x->stride * sizes[x->type];
    part.rows = count;
    part.weights = x->weights ? x->weights + first : NULL;
    return part;
}

scree__rows scree__rows_columns(const scree__rows *x, int64_t first, int64_t count)
{
    scree__rows part = *x;
    part.data = (const char *)x->data + first * sizes[x->type];
    part.cols = count;
    return part;
}

SCREE_CLONES static void widen_f32(const float *x, int64_t n, double *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (double)x[j];
}

SCREE_CLONES static void widen_u8(const uint8_t *x, int64_t n, double *out)
{
    for (int64_t j = 0; j < n; j++)
        out[j] = (double)x[j];
}

const double *scree__rows_load(const scree__rows *x, int64_t i, double *buffer)
{
    switch (x->type) {
    case SCREE_F32:
        widen_f32((const float *)x->data + i * x->stride, x->cols, buffer);
        return buffer;
    case SCREE_U8:
        widen_u8((const uint8_t *)x->data + i * x->stride, x->cols, buffer);
        return buffer;
    case SCREE_F64:
    default:
        return (const double *)x->data + i * x->stride;
    }
}

SCREE_CLONES static void add(const double *x, int64_t n, double *sums)
{
    for (int64_t j = 0; j < n; j++)
        sums[j] += x[j];
}

SCREE_CLONES static void add_times(const double *x, double weight, int64_t n, double *sums)
{
    for (int64_t j = 0; j < n; j++)
        sums[j] += weight * x[j];
}

double scree__rows_weight(const scree__rows *x)
{
    double sum = 0;
    if (!x->weights)
        return (double)x->rows;
    for (int64_t i = 0; i < x->rows; i++)
        sum += x->weights[i];
    return sum;
}

SCREE_CLONES static void add_weighted(const double *x, const double *origin, double weight, int64_t n, double *sums)
{
    for (int64_t j = 0; j < n; j++)
        sums[j] += weight * (x[j] - origin[j]);
}

/* A few columns at a time, so that a row as doubles needs no room of the caller's. */
static void sum_weighted(const scree__rows *x, const double *origin, double *sums)
{
    double buffer[STRIP];
    for (int64_t first = 0; first < x->cols; first += STRIP) {
        const scree__rows part = scree__rows_columns(x, first, x->cols - first < STRIP ? x->cols - first : STRIP);
        for (int64_t i = 0; i < part.rows; i++)
            add_weighted(scree__rows_load(&part, i, buffer), origin + first, part.weights[i], part.cols, sums + first);
    }
}

void scree__rows_sum(const scree__rows *x, double *sums, double *buffer)
{
    for (int64_t i = 0; i < x->rows; i++)
        if (x->weights)
            add_times(scree__rows_load(x, i, buffer), x->weights[i], x->cols, sums);
        else
            add(scree__rows_load(x, i, buffer), x->cols, sums);
}

/* Four rows at a time: the sums are loaded and stored a quarter as often. */
#define SUM_ROWS(name, type)                                                                                           \
    SCREE_CLONES static void name(const scree__rows *x, const double *origin, double *restrict sums)                   \
    {                                                                                                                  \
        const type *row = x->data;                                                                                     \
        int64_t i = 0;                                                                                                 \
        for (; i + 4 <= x->rows; i += 4, row += 4 * x->stride)                                                         \
            for (int64_t j = 0; j < x->cols; j++)                                                                      \
                sums[j] +=                                                                                             \
                    ((double)row[j] - origin[j] + ((double)row[x->stride + j] - origin[j])) +                          \
                    ((double)row[2 * x->stride + j] - origin[j] + ((double)row[3 * x->stride + j] - origin[j]));       \
        for (; i < x->rows; i++, row += x->stride)                                                                     \
            for (int64_t j = 0; j < x->cols; j++)                                                                      \
                sums[j] += (double)row[j] - origin[j];                                                                 \
    }

SUM_ROWS(sum_f32, float)
SUM_ROWS(sum_f64, double)
SUM_ROWS(sum_u8, uint8_t)

void scree__rows_sum_from(const scree__rows *x, const double *origin, double *sums)
{
    if (x->weights) {
        sum_weighted(x, origin, sums);
        return;
    }
    switch (x->type) {
    case SCREE_F32:
        sum_f32(x, origin, sums);
        break;
    case SCREE_U8:
        sum_u8(x, origin, sums);
        break;
    case SCREE_F64:
    default:
        sum_f64(x, origin, sums);
        break;
    }
}

SCREE_CLONES static void add_squares(const double *x, int64_t n, double *squares)
{
    for (int64_t j = 0; j < n; j++)
        squares[j] += x[j] * x[j];
}

void scree__rows_squares(const scree__rows *x, double *squares, double *buffer)
{
    for (int64_t i = 0; i < x->rows; i++)
        add_squares(scree__rows_load(x, i, buffer), x->cols, squares);
}

/* Bits of an exponent that is all ones: a branch for each cell would take several times as long. */
SCREE_CLONES static bool row_is_finite_f32(const char *row, int64_t n)
{
    uint32_t bad = 0;
    for (int64_t j = 0; j < n; j++) {
        uint32_t bits;
        memcpy(&bits, row + j * (int64_t)sizeof bits, sizeof bits);
        bad |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return bad == 0;
}

SCREE_CLONES static bool row_is_finite_f64(const char *row, int64_t n)
{
    uint64_t bad = 0;
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        memcpy(&bits, row + j * (int64_t)sizeof bits, sizeof bits);
        bad |= (bits & 0x7ff0000000000000u) == 0x7ff0000000000000u;
    }
    return bad == 0;
}

bool scree__rows_are_finite(const scree__rows *x)
{
    bool finite = true;
    for (int64_t i = 0; finite && x->type != SCREE_U8 && i < x->rows; i++) {
        const char *row = (const char *)x->data + i * x->stride * sizes[x->type];
        finite = x->type == SCREE_F32 ? row_is_finite_f32(row, x->cols) : row_is_finite_f64(row, x->cols);
    }
    return finite;
}

bool scree__rows_find_bad(const scree__rows *x, int64_t *row, int64_t *col, double *value)
{
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t j = 0; j < x->cols; j++) {
            int64_t at = i * x->stride + j;
            double cell = x->type == SCREE_F64   ? ((const double *)x->data)[at]
                          : x->type == SCREE_F32 ? (double)((const float *)x->data)[at]
                                                 : 0.0;
            if (!isfinite(cell)) {
                *row = i;
                *col = j;
                *value = cell;
                return true;
            }
        }
    }
    return false;
}
