/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of an array in Fortran order as columns of rows: where each is stored, and groups of them transposed, so that
 * the rows that are written and the columns that are read both stay in the cache. */

#include "data/array.h"

int64_t scree__array_column(const scree__layout *layout, int64_t column)
{
    int64_t digits[SCREE__MAX_DIMENSIONS] = {0};
    int64_t at = 0;
    for (int i = layout->dimensions - 1; i > 0; i--) {
        digits[i] = column % layout->shape[i];
        column /= layout->shape[i];
    }
    for (int i = layout->dimensions - 1; i > 0; i--)
        at = at * layout->shape[i] + digits[i];
    return at;
}

static void transpose_1(uint8_t *to, const uint8_t *from, int64_t count, int64_t n, int64_t cols)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < count; k++)
            to[i * cols + k] = from[k * n + i];
}

static void transpose_4(float *to, const float *from, int64_t count, int64_t n, int64_t cols)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < count; k++)
            to[i * cols + k] = from[k * n + i];
}

static void transpose_8(double *to, const double *from, int64_t count, int64_t n, int64_t cols)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < count; k++)
            to[i * cols + k] = from[k * n + i];
}

void scree__array_transpose(void *to, const void *from, scree_type type, int64_t count, int64_t n, int64_t cols)
{
    switch (type) {
    case SCREE_U8:
        transpose_1(to, from, count, n, cols);
        break;
    case SCREE_F32:
        transpose_4(to, from, count, n, cols);
        break;
    case SCREE_F64:
    default:
        transpose_8(to, from, count, n, cols);
        break;
    }
}
