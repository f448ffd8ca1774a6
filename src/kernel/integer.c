/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and scatter of N rows of bytes without any error but a last rounding: with s = Σx and G = Σxxᵀ in 64-bit
 * integers (integer_sums.h),
 *
 *     µ = s/N,   Σ(x-µ)(x-µ)ᵀ/divisor = (N G - s sᵀ) / (N divisor),
 *
 * the numerator in 128 bits and the quotient rounded once (integer_quotient.h). N D² operations. */

#include "kernel/integer.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/integer_quotient.h"
#include "kernel/integer_sums.h"

enum { PANEL = SCREE__PANEL, BLOCK = SCREE__SQUARE };
static const int64_t BATCH_BYTES = INT64_C(4) << 20; /* rows to ask for at a time */

struct scree__integer {
    scree__integer_sums sums;
    int64_t cols;
    int64_t rows;
    int64_t divisor;
    const int64_t *s; /* at the end */
    double *mean;
    double *scatter;
};

int64_t scree__integer_rows(int64_t cols, int threads)
{
    const scree__integer_shape s = scree__integer_shape_of(cols, threads);
    const int64_t chunks = BATCH_BYTES / (cols * s.depth);
    return (chunks > s.lanes ? chunks : s.lanes) * s.depth;
}

int64_t scree__integer_memory(int64_t cols, int threads)
{
    return scree__integer_sums_memory(cols, threads) + 8 * cols * (cols + 1);
}

scree_status scree__integer_new(scree__integer **out, int64_t cols, int threads, const char *kernel, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__integer *w = NULL;
    SCREE_ALLOC(w, 1, error);
    w->cols = cols;
    SCREE_TRY(scree__integer_sums_init(&w->sums, cols, false, threads, kernel, error));
    SCREE_ALLOC(w->mean, cols, error);
    SCREE_ALLOC(w->scatter, cols * cols, error);
    *out = w;
    w = NULL;
done:
    scree__integer_free(w);
    return status;
}

void scree__integer_free(scree__integer *w)
{
    if (!w)
        return;
    scree__integer_sums_clear(&w->sums);
    free(w->mean);
    free(w->scatter);
    free(w);
}

void scree__integer_add(scree__integer *w, const scree__rows *x)
{
    scree__integer_sums_add(&w->sums, x);
    w->rows += x->rows;
}

/* Task: row i of the blocks; what all lanes have, as doubles in both triangles. */
static void finish_blocks(void *context, int64_t i, int worker)
{
    scree__integer *w = context;
    const scree__wide n = w->rows;
    (void)worker;
    scree__integer_sums_join(&w->sums, i);
    for (int64_t j = i; j < w->sums.shape.panels; j++) {
        const int64_t *gram = scree__integer_sums_block(&w->sums, i, j);
        for (int64_t at = 0; at < BLOCK; at++) {
            const int64_t row = i * PANEL + at / PANEL;
            const int64_t col = j * PANEL + at % PANEL;
            if (row >= w->cols || col >= w->cols)
                continue;
            const double value = scree__quotient(n * gram[at] - (scree__wide)w->s[row] * w->s[col], n * w->divisor);
            w->scatter[row * w->cols + col] = value;
            w->scatter[col * w->cols + row] = value;
        }
    }
}

void scree__integer_finish(scree__integer *w, int64_t divisor, double **mean, double **scatter)
{
    w->divisor = divisor;
    w->s = scree__integer_sums_of_lines(&w->sums);
    for (int64_t j = 0; j < w->cols && w->rows > 0; j++)
        w->mean[j] = scree__quotient(w->s[j], w->rows);
    if (w->rows > 0)
        scree__parallel(w->sums.threads, w->sums.shape.panels, finish_blocks, w);
    *mean = w->mean;
    *scatter = w->scatter;
}

void scree__integer_move(scree__integer *w, scree__snapshot *s)
{
    scree__snapshot_count(s, &w->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__integer_sums_move(&w->sums, s);
}
