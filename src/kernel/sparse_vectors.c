/* SPDX-License-Identifier: BSD-3-Clause */
/* U from V, for the eigenvectors V (N×k) of CCᵀ of sparse rows: U is CᵀV, orthonormalised by Householder's QR, since
 * small eigenvalues have lost orthogonality; and residuals ‖CᵀCu/divisor - λu‖. With A, r and h of sparse_turned.h,
 *
 *     CᵀV = AᵀV - h(rᵀV),    CU = AU - r(hᵀU),    2k flops an entry each.
 *
 * Columns go in blocks, whose results are their own, or in lanes of fixed columns with sums of their own, which are
 * joined in order: the same bits for any number of threads. */

#include "kernel/sparse_vectors.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/tall.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512, LANES = 8 };

typedef struct work {
    const scree__sparse_turned *turned;
    const scree__wide_pairs *pairs;
    double divisor;
    int64_t k;
    double *left;    /* N×k: V, later CU */
    double *sums;    /* k: rᵀ left */
    double *u;       /* D×k */
    double *y;       /* LANES×N×k: AU */
    double *offsets; /* LANES×k: hᵀU */
    double *line;    /* threads×k */
    double *squares; /* blocks×k: of residuals */
    bool checks;     /* residuals are wanted, and not U */
} work;

static int64_t blocks_of(int64_t cols)
{
    return (cols + BLOCK - 1) / BLOCK;
}

int64_t scree__sparse_vectors_memory(int64_t rows, int64_t cols, int64_t k)
{
    return 8 * k * (2 * cols + (LANES + 1) * (rows + 1) + blocks_of(cols) + 3 * k);
}

static void set_sums(work *w)
{
    for (int64_t l = 0; l < w->k; l++)
        w->sums[l] = 0;
    for (int64_t i = 0; i < w->turned->rows; i++)
        for (int64_t l = 0; l < w->k; l++)
            w->sums[l] += w->turned->root[i] * w->left[i * w->k + l];
}

/* out (k) = row j of Cᵀ left. */
static void column(const work *w, int64_t j, double *out)
{
    const scree__sparse_turned *t = w->turned;
    const int64_t k = w->k;
    for (int64_t l = 0; l < k; l++)
        out[l] = -t->mean[j] * w->sums[l];
    for (int64_t p = t->starts[j]; p < t->starts[j + 1]; p++) {
        const double value = t->value[p];
        const double *left = w->left + t->row[p] * k;
        for (int64_t l = 0; l < k; l++)
            out[l] += value * left[l];
    }
}

/* Task: a block of columns: rows of CᵀV, or their part of the residuals. */
static void back(void *context, int64_t block, int worker)
{
    const work *w = context;
    const int64_t k = w->k;
    const int64_t end = (block + 1) * BLOCK < w->turned->cols ? (block + 1) * BLOCK : w->turned->cols;
    const double unit = w->pairs->values[0] > 0 ? w->pairs->values[0] : 1;
    double *line = w->line + worker * k;
    for (int64_t j = block * BLOCK; j < end; j++) {
        column(w, j, w->checks ? line : w->u + j * k);
        for (int64_t l = 0; w->checks && l < k; l++) {
            const double r = (line[l] / w->divisor - w->pairs->values[l] * w->u[j * k + l]) / unit;
            w->squares[block * k + l] += r * r;
        }
    }
}

/* Some columns add to AU (y) and hᵀU (offset). */
static void add_columns(const work *w, int64_t first, int64_t end, double *y, double *offset)
{
    const scree__sparse_turned *t = w->turned;
    const int64_t k = w->k;
    for (int64_t j = first; j < end; j++) {
        const double *u = w->u + j * k;
        for (int64_t l = 0; l < k; l++)
            offset[l] += t->mean[j] * u[l];
        for (int64_t p = t->starts[j]; p < t->starts[j + 1]; p++)
            for (int64_t l = 0; l < k; l++)
                y[t->row[p] * k + l] += t->value[p] * u[l];
    }
}

/* Task: the columns of a lane, a block at a time: no sum of hᵀU is long. */
static void forward(void *context, int64_t lane, int worker)
{
    const work *w = context;
    const int64_t cols = w->turned->cols;
    const int64_t end = cols * (lane + 1) / LANES;
    double *line = w->line + worker * w->k;
    for (int64_t first = cols * lane / LANES; first < end; first += BLOCK) {
        memset(line, 0, (size_t)w->k * sizeof *line);
        add_columns(w, first, first + BLOCK < end ? first + BLOCK : end, w->y + lane * w->turned->rows * w->k, line);
        for (int64_t l = 0; l < w->k; l++)
            w->offsets[lane * w->k + l] += line[l];
    }
}

/* left = CU. */
static void join(work *w)
{
    const int64_t n = w->turned->rows;
    const int64_t k = w->k;
    for (int64_t lane = 1; lane < LANES; lane++)
        for (int64_t l = 0; l < k; l++)
            w->offsets[l] += w->offsets[lane * k + l];
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < k; l++) {
            double sum = 0;
            for (int64_t lane = 0; lane < LANES; lane++)
                sum += w->y[(lane * n + i) * k + l];
            w->left[i * k + l] = sum - w->turned->root[i] * w->offsets[l];
        }
}

static void find_residuals(work *w)
{
    const int64_t blocks = blocks_of(w->turned->cols);
    const double unit = w->pairs->values[0] > 0 ? w->pairs->values[0] : 1;
    w->checks = true;
    scree__parallel(w->turned->threads, blocks, back, w);
    for (int64_t l = 0; l < w->k; l++) {
        double squares = 0;
        for (int64_t block = 0; block < blocks; block++)
            squares += w->squares[block * w->k + l];
        w->pairs->residuals[l] = unit * sqrt(squares);
    }
}

static scree_status work_alloc(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sparse_turned *t = w->turned;
    SCREE_ALLOC(w->left, t->rows * w->k, error);
    SCREE_ALLOC(w->sums, w->k, error);
    SCREE_ALLOC(w->u, t->cols * w->k, error);
    SCREE_ALLOC(w->y, LANES * t->rows * w->k, error);
    SCREE_ALLOC(w->offsets, LANES * w->k, error);
    SCREE_ALLOC(w->line, t->threads * w->k, error);
    SCREE_ALLOC(w->squares, blocks_of(t->cols) * w->k, error);
done:
    return status;
}

static void work_clear(work *w)
{
    free(w->left);
    free(w->sums);
    free(w->u);
    free(w->y);
    free(w->offsets);
    free(w->line);
    free(w->squares);
}

scree_status scree__sparse_vectors(const scree__sparse_turned *t, double divisor, const scree__wide_pairs *pairs,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.turned = t, .pairs = pairs, .divisor = divisor, .k = pairs->k};
    SCREE_TRY(work_alloc(&w, error));
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t l = 0; l < w.k; l++)
            w.left[i * w.k + l] = pairs->v[l * t->rows + i];
    set_sums(&w);
    scree__parallel(t->threads, blocks_of(t->cols), back, &w);
    const scree__tall tall = {w.u, t->cols, w.k, w.k};
    SCREE_TRY(scree__tall_orthonormalise(&tall, NULL, t->threads, error));
    scree__parallel(t->threads, LANES, forward, &w);
    join(&w);
    set_sums(&w);
    find_residuals(&w);
    for (int64_t j = 0; j < t->cols; j++)
        for (int64_t l = 0; l < w.k; l++)
            pairs->u[l * t->cols + j] = w.u[j * w.k + l];
done:
    work_clear(&w);
    return status;
}

/* A number of CU has as many terms as the longest row, and hᵀU as many as a block; one of CᵀY has at most N. Norms
 * about 0 are at most twice those about the mean. */
double scree__sparse_vectors_rounding(const scree__sparse_turned *t)
{
    const double offsets = BLOCK + (double)t->cols / (LANES * BLOCK);
    return 8 * ((double)t->longest + offsets + 2 * (double)t->rows + LANES + 10) * 0x1p-53;
}
