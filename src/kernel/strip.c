/* SPDX-License-Identifier: BSD-3-Clause */
/* Four small symmetric matrices at a time: n³/3 flops each for a factor, 2n³/3 more for an inverse. Entries are found
 * two rows by four columns at a time, so that eight sums share six loads; what is left over at the diagonal is found
 * entry by entry. Each sum has the order that it would have alone. */

#include "kernel/strip.h"

#include "kernel/observed.h"

#include <math.h>

enum { V = SCREE__STRIP, COLS = 4 };

typedef double lanes __attribute__((vector_size(V * sizeof(double)), aligned(sizeof(double)), may_alias));

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("fma", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

/* Row i of the packed triangles. */
INLINE lanes *row(double *a, int64_t i)
{
    return (lanes *)a + scree__pairs(i);
}

INLINE const lanes *const_row(const double *a, int64_t i)
{
    return (const lanes *)a + scree__pairs(i);
}

/* Entries j .. j+3 of rows x0 and x1 less what the columns before j take away. */
INLINE void reduce_block(const double *a, lanes *x0, lanes *x1, int64_t j)
{
    const lanes *y[COLS];
    lanes s0[COLS];
    lanes s1[COLS];
#pragma GCC unroll 4
    for (int c = 0; c < COLS; c++) {
        y[c] = const_row(a, j + c);
        s0[c] = x0[j + c];
        s1[c] = x1[j + c];
    }
    for (int64_t k = 0; k < j; k++) {
#pragma GCC unroll 4
        for (int c = 0; c < COLS; c++) {
            s0[c] -= x0[k] * y[c][k];
            s1[c] -= x1[k] * y[c][k];
        }
    }
#pragma GCC unroll 4
    for (int c = 0; c < COLS; c++) {
        x0[j + c] = s0[c];
        x1[j + c] = s1[c];
    }
}

/* Entry j of a row less what columns from .. j-1 take away, over the pivot. */
INLINE void finish_entry(const double *a, lanes *x, int64_t from, int64_t j)
{
    const lanes *y = const_row(a, j);
    lanes sum = x[j];
    for (int64_t k = from; k < j; k++)
        sum -= x[k] * y[k];
    x[j] = sum * y[j];
}

/* The diagonal entry of row i. */
INLINE void finish_pivot(lanes *x, int64_t i, const double *more, double least, double *logdet)
{
    const lanes whole = x[i];
    lanes sum = x[i];
    for (int64_t k = 0; k < i; k++)
        sum -= x[k] * x[k];
    for (int s = 0; s < V; s++) {
        const double added = more[i * V + s];
        const double pivot = fmax((sum[s] > 0 ? sum[s] : 0) + added, least * (whole[s] + added));
        logdet[s] += log(pivot);
        x[i][s] = 1 / sqrt(pivot);
    }
}

CLONES void scree__strip_factor(double *a, const double *more, double least, int64_t n, double *logdet)
{
    for (int s = 0; s < V; s++)
        logdet[s] = 0;
    for (int64_t i = 0; i < n; i += 2) {
        const int64_t rows = n - i < 2 ? n - i : 2;
        lanes *x0 = row(a, i);
        lanes *x1 = rows > 1 ? row(a, i + 1) : x0;
        int64_t j = 0;
        for (; rows > 1 && j + COLS <= i; j += COLS) {
            reduce_block(a, x0, x1, j);
            for (int c = 0; c < COLS; c++) {
                finish_entry(a, x0, j, j + c);
                finish_entry(a, x1, j, j + c);
            }
        }
        for (int64_t c = j; c < i; c++)
            finish_entry(a, x0, 0, c);
        finish_pivot(x0, i, more, least, logdet);
        for (int64_t c = j; rows > 1 && c <= i; c++)
            finish_entry(a, x1, 0, c);
        if (rows > 1)
            finish_pivot(x1, i + 1, more, least, logdet);
    }
}

CLONES void scree__strip_solve(const double *l, int64_t n, double *x)
{
    lanes *v = (lanes *)x;
    for (int64_t i = 0; i < n; i++) {
        const lanes *y = const_row(l, i);
        lanes sum = v[i];
        for (int64_t k = 0; k < i; k++)
            sum -= y[k] * v[k];
        v[i] = sum * y[i];
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const lanes *y = const_row(l, i);
        v[i] *= y[i];
        for (int64_t k = 0; k < i; k++)
            v[k] -= y[k] * v[i];
    }
}

/* Columns j .. j+count-1 of L⁻¹ in row i: x_ij = -x_ii Σ_{j≤k<i} l_ik x_kj, the rows above being inverted already. */
INLINE void invert_some(double *a, int64_t i, int64_t j, const int count)
{
    lanes *x = row(a, i);
    const lanes pivot = x[i];
    lanes sum[COLS] = {{0}};
    for (int c = 0; c < count; c++)
        for (int64_t k = j + c; k < j + count - 1; k++)
            sum[c] += x[k] * const_row(a, k)[j + c];
    const lanes *y = const_row(a, j + count - 1) + j;
    for (int64_t k = j + count - 1; k < i; k++) {
#pragma GCC unroll 4
        for (int c = 0; c < count; c++)
            sum[c] += x[k] * y[c];
        y += k + 1;
    }
#pragma GCC unroll 4
    for (int c = 0; c < count; c++)
        x[j + c] = -sum[c] * pivot;
}

/* (LL')⁻¹ from L⁻¹: entry (i, j) = Σ_{k≥i} x_ki x_kj, of rows i and i+1, columns j .. j+count-1. */
INLINE void square_some(double *a, int64_t n, int64_t i, int64_t j, const int count)
{
    lanes *x0 = row(a, i);
    lanes *x1 = x0 + i + 1;
    const lanes *y = x1;
    lanes s0[COLS];
    lanes s1[COLS] = {{0}};
#pragma GCC unroll 4
    for (int c = 0; c < count; c++)
        s0[c] = x0[i] * x0[j + c];
    for (int64_t k = i + 1; k < n; k++) {
#pragma GCC unroll 4
        for (int c = 0; c < count; c++) {
            s0[c] += y[i] * y[j + c];
            s1[c] += y[i + 1] * y[j + c];
        }
        y += k + 1;
    }
#pragma GCC unroll 4
    for (int c = 0; c < count; c++) {
        x0[j + c] = s0[c];
        x1[j + c] = s1[c];
    }
}

CLONES void scree__strip_invert(double *l, int64_t n)
{
    int64_t i = 1;
    for (; i < n; i++) {
        int64_t j = 0;
        for (; j + COLS <= i; j += COLS)
            invert_some(l, i, j, COLS);
        for (; j < i; j++)
            invert_some(l, i, j, 1);
    }
    for (i = 0; i + 1 < n; i += 2) {
        int64_t j = 0;
        for (; j + COLS <= i; j += COLS)
            square_some(l, n, i, j, COLS);
        for (; j <= i; j++)
            square_some(l, n, i, j, 1);
        lanes *last = row(l, i + 1) + i + 1;
        const lanes *y = last;
        lanes sum = {0};
        for (int64_t k = i + 1; k < n; k++) {
            sum += *y * *y;
            y += k + 1;
        }
        *last = sum;
    }
    for (int64_t j = 0; i < n && j <= i; j++) /* the last row of an odd order */
        row(l, i)[j] *= row(l, i)[i];
}
