/* SPDX-License-Identifier: BSD-3-Clause */
/* The two inner loops of a sweep (panel.h), for vectors of VECTOR bytes: 2·rows·cols·width flops each. Included by the
 * files panel_*.c, which say what VECTOR, TARGET and WIDE_SUMS are.
 *
 * A panel is one or two vectors wide. So many rows (forward) or columns (backward) of C are multiplied by it at a time
 * that the sums fill the registers. A step takes one row of the panel, and one element of C for each sum: the
 * processor starts as many fused multiply-adds as it can, since loads are fewer than these. Sums over a tile are in the
 * table's type, those over tiles in double. */

#include "kernel/panel.h"
#include "kernel/typed/real.h"

enum { LANES = VECTOR / sizeof(real), NARROW_SUMS = 12, MOST_SUMS = 12, LINE = 64 };

typedef real vector __attribute__((vector_size(VECTOR), aligned(sizeof(real)), may_alias));

/* Where the elements of C lie that the steps take, run after run. */
typedef struct walk {
    const real *c;
    int64_t step; /* elements from one step to the next, from one sum to the next, from one run to the next */
    int64_t sum;
    int64_t run;
    int64_t runs; /* of SCREE__BLOCK steps */
} walk;

#define INLINE static inline __attribute__((always_inline)) TARGET

/* out (sums×vectors) += the sums of a walk with the rows of a panel. Before each run, as many rows are brought nearer
 * as there are sums; ahead is NULL, or its rows are. */
INLINE void add_up(walk w, const vector *restrict panel, int sums, int vectors, double *restrict out,
                   const scree__panel_ahead *ahead)
{
    vector s[MOST_SUMS][2] = {0};
    for (int64_t run = 0; run < w.runs; run++, w.c += w.run) {
        const real *restrict c = w.c;
        for (int r = 0; ahead && ahead->rows && r < sums; r++)
            for (int64_t line = 0; line < SCREE__BLOCK * ahead->size; line += LINE)
                __builtin_prefetch(ahead->rows + r * ahead->apart + run * SCREE__BLOCK * ahead->size + line, 0, 2);
        for (int i = 0; i < SCREE__BLOCK; i++, c += w.step, panel += vectors)
#pragma GCC unroll 12
            for (int r = 0; r < sums; r++)
#pragma GCC unroll 2
                for (int v = 0; v < vectors; v++)
                    s[r][v] += panel[v] * c[r * w.sum];
    }
    real lanes[MOST_SUMS * 2 * LANES];
#pragma GCC unroll 12
    for (int r = 0; r < sums; r++)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            *(vector *)(lanes + (r * vectors + v) * LANES) = s[r][v];
    for (int l = 0; l < sums * vectors * LANES; l++)
        out[l] += (double)lanes[l];
}

INLINE void forward(const scree__panel_tile *t, const void *q, int sums, int vectors, double *y)
{
    scree__panel_ahead ahead = t->ahead;
    for (int64_t row = 0; row < t->rows; row += sums) {
        const walk w = {.c = (const real *)t->c + row * SCREE__BLOCK,
                        .step = 1,
                        .sum = SCREE__BLOCK,
                        .run = t->apart,
                        .runs = t->cols / SCREE__BLOCK};
        add_up(w, q, sums, vectors, y + row * vectors * LANES, &ahead);
        ahead.rows += ahead.rows ? sums * ahead.apart : 0;
    }
}

INLINE void backward(const scree__panel_tile *t, const void *y, int sums, int vectors, double *w)
{
    for (int64_t col = 0; col < t->cols; col += sums) {
        const walk along = {.c = (const real *)t->c + col / SCREE__BLOCK * t->apart + col % SCREE__BLOCK,
                            .step = SCREE__BLOCK,
                            .sum = 1,
                            .run = SCREE__BLOCK * SCREE__BLOCK,
                            .runs = t->rows / SCREE__BLOCK};
        add_up(along, y, sums, vectors, w + col * vectors * LANES, NULL);
    }
}

TARGET static void wide_forward(const scree__panel_tile *t, const void *q, double *y)
{
    forward(t, q, WIDE_SUMS, 2, y);
}

TARGET static void wide_backward(const scree__panel_tile *t, const void *y, double *w)
{
    backward(t, y, WIDE_SUMS, 2, w);
}

TARGET static void narrow_forward(const scree__panel_tile *t, const void *q, double *y)
{
    forward(t, q, NARROW_SUMS, 1, y);
}

TARGET static void narrow_backward(const scree__panel_tile *t, const void *y, double *w)
{
    backward(t, y, NARROW_SUMS, 1, w);
}
