/* SPDX-License-Identifier: BSD-3-Clause */
/* y = Ax for a symmetric A of which the upper triangle is stored by rows: each entry is read once and used twice, for
 * y_i += a_ij x_j and y_j += a_ij x_i. n² multiply-adds, n²/2 entries read: memory bounds it.
 *
 * The triangle is cut into tiles, of a shape for each order and wherever the first row is. What a tile adds is kept
 * apart and summed afterwards in one order: the same bits for any number of threads. Four rows are taken at a time, so
 * that y is loaded and stored once for four entries of A. A matrix that no cache holds is read in longer rows. */

#include "kernel/triangle.h"

#include <stdbool.h>
#include <string.h>

enum { ROWS = 4, LANES = 4 };
enum { BAND = 128, LARGE_BAND = 64, LARGE_STRETCH = 4 * SCREE__STRETCH, LARGE_FROM = 2500 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Four rows of A, ld apart, over n columns: y += Aᵀ left, dots = A right. */
typedef void rows_fn(const double *a, int64_t ld, int64_t n, const double *left, const double *right, double *y,
                     double *dots);

static void four_rows_plain(const double *a, int64_t ld, int64_t n, const double *left, const double *right,
                            double *restrict y, double *dots)
{
    double sums[ROWS] = {0};
    for (int64_t j = 0; j < n; j++) {
        double down = y[j];
        for (int r = 0; r < ROWS; r++) {
            down += a[r * ld + j] * left[r];
            sums[r] += a[r * ld + j] * right[j];
        }
        y[j] = down;
    }
    memcpy(dots, sums, sizeof sums);
}

#if defined(__x86_64__) && defined(__GNUC__)

#define AVX2_FMA __attribute__((target("avx2,fma")))

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

AVX2_FMA static void four_rows_avx2(const double *a, int64_t ld, int64_t n, const double *left, const double *right,
                                    double *restrict y, double *dots)
{
    lanes even[ROWS] = {{0}};
    lanes odd[ROWS] = {{0}};
    int64_t j = 0;
    for (; j + 2 * LANES <= n; j += 2 * LANES) {
        const lanes x0 = *(const lanes *)(right + j);
        const lanes x1 = *(const lanes *)(right + j + LANES);
        lanes y0 = *(lanes *)(y + j);
        lanes y1 = *(lanes *)(y + j + LANES);
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) {
            __builtin_prefetch(a + (r + ROWS) * ld + j, 0, 2); /* the next four: rows are too short to be guessed */
            const lanes a0 = *(const lanes *)(a + r * ld + j);
            const lanes a1 = *(const lanes *)(a + r * ld + j + LANES);
            y0 += a0 * left[r];
            y1 += a1 * left[r];
            even[r] += a0 * x0;
            odd[r] += a1 * x1;
        }
        *(lanes *)(y + j) = y0;
        *(lanes *)(y + j + LANES) = y1;
    }
    four_rows_plain(a + j, ld, n - j, left, right + j, y + j, dots);
    for (int r = 0; r < ROWS; r++) {
        const lanes sum = even[r] + odd[r];
        dots[r] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

static rows_fn *four_rows(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? four_rows_avx2 : four_rows_plain;
}

#else

static rows_fn *four_rows(void)
{
    return four_rows_plain;
}

#endif

void scree__triangle_shape(scree__triangle *t)
{
    t->band = t->n < LARGE_FROM ? BAND : LARGE_BAND;
    t->stretch = t->n < LARGE_FROM ? SCREE__STRETCH : LARGE_STRETCH;
}

int64_t scree__triangle_bands(const scree__triangle *t)
{
    return (t->n + t->band - 1) / t->band;
}

int64_t scree__triangle_stretches(const scree__triangle *t)
{
    return (t->n + t->stretch - 1) / t->stretch;
}

int64_t scree__triangle_tiles(const scree__triangle *t)
{
    const int64_t stretches = scree__triangle_stretches(t);
    int64_t count = 0;
    for (int64_t band = t->first / t->band; band * t->band < t->n; band++)
        count += stretches - band * t->band / t->stretch;
    return count;
}

typedef struct tile {
    int64_t row; /* the first, and the one after the last */
    int64_t last;
    int64_t begin; /* the same of columns */
    int64_t end;
    double *down;
    double *across;
} tile;

static tile find(const scree__triangle *t, int64_t index)
{
    const int64_t stretches = scree__triangle_stretches(t);
    int64_t band = t->first / t->band;
    int64_t stretch = band * t->band / t->stretch + index;
    while (stretch >= stretches) {
        band++;
        stretch += band * t->band / t->stretch - stretches;
    }
    return (tile){.row = larger(band * t->band, t->first),
                  .last = smaller((band + 1) * t->band, t->n),
                  .begin = larger(stretch * t->stretch, t->first),
                  .end = smaller((stretch + 1) * t->stretch, t->n),
                  .down = t->down + band * t->n,
                  .across = t->across + stretch * t->n};
}

/* The corner of rows i .. to on the diagonal, both triangles of it. */
static void corner(const scree__triangle *t, int64_t i, int64_t to, double *down, double *dots)
{
    for (int64_t r = i; r < to; r++) {
        dots[r - i] += t->a[r * t->n + r] * t->x[r];
        for (int64_t j = r + 1; j < to; j++) {
            dots[r - i] += t->a[r * t->n + j] * t->x[j];
            down[j] += t->a[r * t->n + j] * t->x[r];
        }
    }
}

void scree__triangle_tile(const scree__triangle *t, int64_t index)
{
    const tile at = find(t, index);
    rows_fn *rows = four_rows();
    memset(at.down + at.begin, 0, (size_t)(at.end - at.begin) * sizeof *at.down);
    for (int64_t i = at.row; i < at.last; i += ROWS) {
        const int64_t to = smaller(i + ROWS, at.last);
        const int64_t from = i >= at.begin ? to : at.begin; /* right of the corner */
        double dots[ROWS] = {0};
        if (to - i == ROWS)
            rows(t->a + i * t->n + from, t->n, at.end - from, t->x + i, t->x + from, at.down + from, dots);
        else
            for (int64_t r = i; r < to; r++)
                for (int64_t j = from; j < at.end; j++) {
                    dots[r - i] += t->a[r * t->n + j] * t->x[j];
                    at.down[j] += t->a[r * t->n + j] * t->x[r];
                }
        if (i >= at.begin)
            corner(t, i, to, at.down, dots);
        memcpy(at.across + i, dots, (size_t)(to - i) * sizeof *dots);
    }
}

void scree__triangle_sum(const scree__triangle *t, int64_t from, int64_t to, double *y)
{
    const int64_t stretches = scree__triangle_stretches(t);
    memset(y + from, 0, (size_t)(to - from) * sizeof *y);
    for (int64_t band = t->first / t->band; band * t->band < to; band++)
        for (int64_t i = from; i < to; i++)
            y[i] += t->down[band * t->n + i];
    for (int64_t stretch = from / t->stretch; stretch < stretches; stretch++)
        for (int64_t i = from; i < to; i++)
            y[i] += t->across[stretch * t->n + i];
}
