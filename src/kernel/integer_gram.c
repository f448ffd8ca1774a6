/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gram matrix of N centred rows of bytes without any error but a last rounding: with G = XXᵀ in 64-bit integers
 * (integer_sums.h), its sums g_i = Σ_l G_il and g = Σ g_i,
 *
 *     (CCᵀ)_ij / divisor = (N² G_ij - N g_i - N g_j + g) / (N² divisor),
 *
 * the numerator in 128 bits, which hold N² D up to 2^111, and the quotient rounded once. N² D operations. Columns
 * alike: from s = Σx and q = Σx², mean s/N and variance (N q - s²) / (N divisor). */

#include "kernel/integer_gram.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/integer_quotient.h"
#include "kernel/integer_sums.h"

enum { PANEL = SCREE__PANEL, BLOCK = SCREE__SQUARE, GROUP = 512, FLUSH = 1 << 15 /* rows that 32 bits hold */ };

typedef struct gram {
    scree__integer_sums sums;
    int64_t rows;
    int64_t divisor;
    scree__wide *of_rows; /* g_i */
    scree__wide all;      /* g */
    double *out;
} gram;

typedef struct columns {
    const scree__rows *x;
    int64_t divisor;
    double *mean;
    double *variance;
} columns;

int64_t scree__integer_gram_memory(int64_t rows, int threads)
{
    return scree__integer_sums_memory(rows, threads) + 8 * rows * rows + (int64_t)sizeof(scree__wide) * rows;
}

/* Task: a row of blocks has the sums of all lanes. */
static void join_blocks(void *context, int64_t i, int worker)
{
    gram *w = context;
    (void)worker;
    scree__integer_sums_join(&w->sums, i);
}

/* Task: g of the rows of panel i. Rows that are not there are zeros. */
static void sum_panel(void *context, int64_t i, int worker)
{
    gram *w = context;
    scree__wide sums[PANEL] = {0};
    (void)worker;
    for (int64_t j = 0; j < w->sums.shape.panels; j++) {
        const int64_t *block = scree__integer_sums_block(&w->sums, i < j ? i : j, i < j ? j : i);
        for (int64_t at = 0; at < BLOCK; at++)
            sums[j < i ? at % PANEL : at / PANEL] += block[at];
    }
    for (int64_t row = i * PANEL; row < w->rows && row < (i + 1) * PANEL; row++)
        w->of_rows[row] = sums[row - i * PANEL];
}

/* Task: row i of the blocks as doubles, in both triangles. */
static void finish_blocks(void *context, int64_t i, int worker)
{
    gram *w = context;
    const scree__wide n = w->rows;
    (void)worker;
    for (int64_t j = i; j < w->sums.shape.panels; j++) {
        const int64_t *block = scree__integer_sums_block(&w->sums, i, j);
        for (int64_t at = 0; at < BLOCK; at++) {
            const int64_t row = i * PANEL + at / PANEL;
            const int64_t col = j * PANEL + at % PANEL;
            if (row >= w->rows || col >= w->rows)
                continue;
            const scree__wide centred = n * (n * block[at] - w->of_rows[row] - w->of_rows[col]) + w->all;
            const double value = scree__quotient(centred, n * n * w->divisor);
            w->out[row * w->rows + col] = value;
            w->out[col * w->rows + row] = value;
        }
    }
}

scree_status scree__integer_gram(double **out, const scree__rows *x, int64_t divisor, int threads, const char *kernel,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    gram w = {.rows = x->rows, .divisor = divisor};
    SCREE_TRY(scree__integer_sums_init(&w.sums, x->rows, true, threads, kernel, error));
    SCREE_ALLOC(w.of_rows, x->rows, error);
    SCREE_ALLOC(w.out, x->rows * x->rows, error);
    scree__integer_sums_add(&w.sums, x);
    scree__integer_sums_of_lines(&w.sums);
    scree__parallel(threads, w.sums.shape.panels, join_blocks, &w);
    scree__parallel(threads, w.sums.shape.panels, sum_panel, &w);
    for (int64_t i = 0; i < x->rows; i++)
        w.all += w.of_rows[i];
    scree__parallel(threads, w.sums.shape.panels, finish_blocks, &w);
    *out = w.out;
    w.out = NULL;
done:
    scree__integer_sums_clear(&w.sums);
    free(w.of_rows);
    free(w.out);
    return status;
}

/* s and q of so many columns gain those of at most FLUSH rows. */
SCREE_CLONES static void add_rows(const scree__rows *x, uint32_t *restrict s, uint32_t *restrict q)
{
    const uint8_t *row = x->data;
    for (int64_t i = 0; i < x->rows; i++, row += x->stride)
        for (int64_t j = 0; j < x->cols; j++) {
            s[j] += row[j];
            q[j] += (uint32_t)row[j] * row[j];
        }
}

/* Task: a group of columns. */
static void measure(void *context, int64_t index, int worker)
{
    const columns *c = context;
    const int64_t first = index * GROUP;
    const int64_t cols = c->x->cols - first < GROUP ? c->x->cols - first : GROUP;
    const scree__rows x = scree__rows_columns(c->x, first, cols);
    const scree__wide n = x.rows;
    uint64_t s[GROUP] = {0};
    uint64_t q[GROUP] = {0};
    (void)worker;
    for (int64_t row = 0; row < x.rows; row += FLUSH) {
        const scree__rows part = scree__rows_slice(&x, row, x.rows - row < FLUSH ? x.rows - row : FLUSH);
        uint32_t some[GROUP] = {0};
        uint32_t squares[GROUP] = {0};
        add_rows(&part, some, squares);
        for (int64_t j = 0; j < cols; j++) {
            s[j] += some[j];
            q[j] += squares[j];
        }
    }
    for (int64_t j = 0; j < cols; j++) {
        c->mean[first + j] = scree__quotient((scree__wide)s[j], n);
        c->variance[first + j] = scree__quotient(n * (scree__wide)q[j] - (scree__wide)s[j] * s[j], n * c->divisor);
    }
}

void scree__integer_columns(const scree__rows *x, int64_t divisor, int threads, double *mean, double *variance)
{
    columns c = {x, divisor, mean, variance};
    scree__parallel(threads, (x->cols + GROUP - 1) / GROUP, measure, &c);
}
