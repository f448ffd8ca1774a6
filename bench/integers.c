/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of rows of bytes without rounding: G = XᵀX and s = Xᵀ1 in 64 bits, N·G - ssᵀ in 128, and each entry,
 * over N(N-ddof), the double nearest to the true quotient. Plain loops, the other way round than any fast one: a
 * product of two columns at a time. N D²/2 products; it is the reference for the exact covariance. */

#include "bench.h"

#include "base/memory.h"
#include "base/threads.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

typedef struct columns {
    const unsigned char *by_column; /* D×N */
    int64_t rows;
    int64_t cols;
    int ddof;
    const int64_t *sums; /* D */
    double *s;           /* D×D */
} columns;

/* The double nearest to value/divisor, ties to even, by long division of 64 bits and a sticky last one. */
static double nearest_quotient(wide value, int64_t divisor)
{
    unsigned_wide rest = (unsigned_wide)(value < 0 ? -value : value);
    const unsigned_wide by = (uint64_t)divisor;
    int shift = 0;
    if (rest == 0)
        return 0;
    /* rest·2^shift with its top bit at 126: the quotient has at least 127-63 = 64 bits. */
    while (!(rest >> 126)) {
        rest <<= 1;
        shift++;
    }
    unsigned_wide quotient = rest / by;
    bool is_sticky = rest % by != 0;
    while (quotient >> 55) { /* 53 bits, one to round by, one that is sticky */
        is_sticky = is_sticky || (quotient & 1);
        quotient >>= 1;
        shift--;
    }
    double result = (double)((uint64_t)quotient | (is_sticky ? 1 : 0)); /* one rounding */
    for (; shift > 0; shift--)
        result *= 0.5;
    for (; shift < 0; shift++)
        result *= 2;
    return value < 0 ? -result : result;
}

/* Task: one row of S and the same column. */
static void fill_row(void *context, int64_t i, int worker)
{
    const columns *c = context;
    const int64_t n = c->rows;
    const unsigned char *a = c->by_column + i * n;
    (void)worker;
    for (int64_t j = i; j < c->cols; j++) {
        const unsigned char *b = c->by_column + j * n;
        int64_t sum = 0;
        for (int64_t first = 0; first < n; first += 32768) { /* 32768·255² fits in 32 bits */
            const int64_t last = first + 32768 < n ? first + 32768 : n;
            uint32_t part = 0;
            for (int64_t r = first; r < last; r++)
                part += (uint32_t)a[r] * b[r];
            sum += part;
        }
        const wide value = (wide)n * sum - (wide)c->sums[i] * c->sums[j];
        c->s[i * c->cols + j] = c->s[j * c->cols + i] = nearest_quotient(value, n * (n - c->ddof));
    }
}

scree_status bench_integer_covariance(const unsigned char *bytes, const bench_matrix *shape, int ddof, int threads,
                                      double *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t rows = shape->rows;
    const int64_t cols = shape->cols;
    unsigned char *by_column = NULL;
    int64_t *sums = NULL;
    SCREE_ALLOC(by_column, rows * cols, error);
    SCREE_ALLOC(sums, cols, error);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            by_column[j * rows + i] = bytes[i * cols + j];
            sums[j] += bytes[i * cols + j];
        }
    columns c = {by_column, rows, cols, ddof, sums, s};
    scree__parallel(threads, cols, fill_row, &c);
done:
    free(by_column);
    free(sums);
    return status;
}
