/* SPDX-License-Identifier: BSD-3-Clause */
/* A sketch of wide rows: B, at most h×D, with BᵀB about S = Σ w (x-µ)(x-µ)ᵀ.
 *
 * Centred rows are put under B, with the row that joins their mean to that of the rows before (chunk.c). When there is
 * no more room, B = UΣVᵀ is cut to its r largest singular values, and the rest is lost: E_i of norm σ²_{r+1}. All E_i
 * are positive semidefinite, so that, in exact arithmetic,
 *
 *     0 ≤ S - BᵀB = Σ E_i,    ‖S - BᵀB‖ ≤ min(Σ ‖E_i‖, tr S - tr BᵀB),
 *
 * the trace being known from the squares of all columns. That is incremental SVD (Brand 2002) with the certificate of
 * Frequent Directions (Ghashami, Liberty, Phillips, Woodruff 2016). Nothing is lost while the rows fit. A decomposition
 * rounds, too: ‖E_i‖ gains a few ε √h σ₁², and the difference of the traces their own rounding.
 * Cost: 2 D h² flops for every h - r rows; (h + 1)×D doubles twice over. */

#include "kernel/sketch.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { ROOM = 128 }; /* rows beside the rank, at least, where there are so many columns */

static const double CUT_ROUNDING = 0x1p-50; /* of a decomposition, by σ₁² √h: eight times the unit of rounding */
static const double TRACE_ROUNDING = 1e-12; /* of sums of squares, and of what decompositions did to their sum */

struct scree__sketch {
    int64_t cols;
    int64_t rank;
    int64_t height; /* of B, at most */
    int64_t held;   /* rows of B now */
    int64_t rows;   /* seen */
    double weight;
    double cut; /* Σ ‖E_i‖, rounding included */
    double *origin;
    double *mean;    /* from the origin */
    double *squares; /* of all that was put under B, by columns */
    double *step;    /* D: of the rows that come */
    double *sigma;   /* height */
    double *b;       /* height×D */
};

int64_t scree__sketch_height(int64_t cols, int64_t rank)
{
    const int64_t height = rank + (rank > ROOM ? rank : ROOM);
    return height < cols - 1 ? height : cols - 1; /* one row more still has a QR of its transpose */
}

int64_t scree__sketch_memory(int64_t cols, int64_t rank)
{
    const int64_t height = scree__sketch_height(cols, rank);
    return 8 * (2 * height * cols + 4 * height * height + 6 * cols);
}

scree_status scree__sketch_new(scree__sketch **out, int64_t cols, int64_t rank, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sketch *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->cols = cols;
    s->rank = rank;
    s->height = scree__sketch_height(cols, rank);
    SCREE_ALLOC(s->origin, cols, error);
    SCREE_ALLOC(s->mean, cols, error);
    SCREE_ALLOC(s->squares, cols, error);
    SCREE_ALLOC(s->step, cols, error);
    SCREE_ALLOC(s->sigma, s->height, error);
    SCREE_ALLOC(s->b, s->height * cols, error);
    *out = s;
    s = NULL;
done:
    scree__sketch_free(s);
    return status;
}

void scree__sketch_free(scree__sketch *s)
{
    if (!s)
        return;
    free(s->origin);
    free(s->mean);
    free(s->squares);
    free(s->step);
    free(s->sigma);
    free(s->b);
    free(s);
}

/* UΣVᵀ of a triangle, column-major, U in its place: by Jacobi's method to all digits of each value, or at a tenth of
 * the cost to those of the largest. */
static int triangle_svd(double *r, int64_t n, double *sigma, double *work, bool exact)
{
    if (!exact)
        return scree__dgesdd('O', n, n, r, n, sigma, NULL, n, work, n);
    const int info = scree__dgejsv(n, n, r, n, sigma, work, n, NULL, n);
    memcpy(r, work, (size_t)(n * n) * sizeof *r);
    return info;
}

/* Rows are the columns of a D×n matrix QR, and R = UΣVᵀ: the vectors are QU. The first keep of them. */
static scree_status decompose(double *b, int64_t n, int64_t d, int64_t keep, bool exact, double *sigma,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    double *tau = NULL;
    double *r = NULL;
    double *work = NULL;
    double *vectors = NULL;
    int info;
    SCREE_ALLOC(tau, n, error);
    SCREE_ALLOC(r, n * n, error);
    SCREE_ALLOC(work, n * n, error);
    SCREE_ALLOC(vectors, keep * d, error);
    scree__blas_enter();
    info = scree__dgeqrf(d, n, b, d, tau);
    for (int64_t j = 0; j < n; j++)
        memcpy(r + j * n, b + j * d, (size_t)(j + 1) * sizeof *r);
    info = scree__blas_first(info, info ? 0 : triangle_svd(r, n, sigma, work, exact));
    for (int64_t j = 0; j < keep; j++)
        memcpy(vectors + j * d, r + j * n, (size_t)n * sizeof *r);
    info = scree__blas_first(info, info ? 0 : scree__dormqr('L', 'N', d, keep, n, b, d, tau, vectors, d));
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition of a matrix", n, error));
    memcpy(b, vectors, (size_t)(keep * d) * sizeof *b);
done:
    free(tau);
    free(r);
    free(work);
    free(vectors);
    return status;
}

scree_status scree__sketch_svd(double *b, int64_t height, int64_t cols, double *sigma, scree_error *error)
{
    return decompose(b, height, cols, height, true, sigma, error);
}

double scree__sketch_lost(const double *b, int64_t height, int64_t cols, const double *squares, double cut)
{
    double rest = 0;
    double total = 0;
    if (!squares || cut <= 0)
        return 0;
    for (int64_t j = 0; j < cols; j++) {
        double kept = 0;
        total += squares[j];
        for (int64_t i = 0; i < height; i++)
            kept += b[i * cols + j] * b[i * cols + j];
        rest += fmax(squares[j] - kept, 0);
    }
    return fmin(cut, rest + TRACE_ROUNDING * total);
}

/* B is cut to its rank, so that there is room. */
static scree_status cut(scree__sketch *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = s->cols;
    const int64_t keep = s->held < s->rank ? s->held : s->rank;
    SCREE_TRY(decompose(s->b, s->held, d, keep, false, s->sigma, error));
    if (s->held > keep)
        s->cut += s->sigma[keep] * s->sigma[keep];
    s->cut += CUT_ROUNDING * sqrt((double)s->height) * s->sigma[0] * s->sigma[0];
    s->held = keep;
    for (int64_t i = 0; i < s->held; i++)
        for (int64_t j = 0; j < d; j++)
            s->b[i * d + j] *= s->sigma[i];
done:
    return status;
}

/* What stands from a row of B on counts in the squares. */
static void count_squares(scree__sketch *s, int64_t from)
{
    for (int64_t i = from; i < s->held; i++)
        for (int64_t j = 0; j < s->cols; j++)
            s->squares[j] += s->b[i * s->cols + j] * s->b[i * s->cols + j];
}

/* The row that joins rows of that weight and mean, which step is, from the origin. */
static void join(scree__sketch *s, double weight)
{
    const bool is_first = !(s->weight > 0);
    scree__lane lane = {s->weight, s->mean};
    scree__chunk_join(&lane, weight, s->step, s->cols);
    s->weight = lane.weight;
    if (is_first)
        return;
    memcpy(s->b + s->held * s->cols, s->step, (size_t)s->cols * sizeof *s->step);
    s->held++;
}

scree_status scree__sketch_add(scree__sketch *s, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t at = 0, n = 0; at < x->rows; at += n) {
        if (s->height - s->held < 2)
            SCREE_TRY(cut(s, error));
        const int64_t room = s->height - s->held - 1;
        n = x->rows - at < room ? x->rows - at : room;
        const scree__rows part = scree__rows_slice(x, at, n);
        if (s->rows == 0)
            scree__chunk_origin(&part, s->origin);
        if (!scree__chunk_centre(&scree__ops_f64, &part, s->origin, s->step, s->b + s->held * s->cols))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large");
        const int64_t from = s->held;
        s->held += n;
        join(s, scree__rows_weight(&part));
        s->rows += n;
        count_squares(s, from);
    }
done:
    return status;
}

/* A column that never varied has no squares; what B has of it is the rounding of a decomposition. */
static void clear_constant(scree__sketch *s)
{
    for (int64_t j = 0; j < s->cols; j++)
        for (int64_t i = 0; s->squares[j] == 0 && i < s->held; i++)
            s->b[i * s->cols + j] = 0;
}

void scree__sketch_tally(scree__sketch *s, double *mean, double *rest, scree__tally *tally)
{
    for (int64_t j = 0; j < s->cols; j++)
        scree__two_sum(s->origin[j], s->mean[j], &mean[j], &rest[j]);
    clear_constant(s);
    *tally = (scree__tally){.rows = s->rows,
                            .weight = s->weight,
                            .mean = mean,
                            .rest = rest,
                            .matrix = s->b,
                            .height = s->held,
                            .squares = s->squares,
                            .lost = s->cut};
}

scree_status scree__sketch_gain(scree__sketch *s, const scree__tally *tally, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = s->cols;
    if (!(tally->weight > 0))
        return SCREE_OK;
    if (s->rows == 0)
        memcpy(s->origin, tally->mean, (size_t)d * sizeof *s->origin);
    for (int64_t i = 0; i < tally->height; i++) {
        if (s->held == s->height)
            SCREE_TRY(cut(s, error));
        memcpy(s->b + s->held++ * d, tally->matrix + i * d, (size_t)d * sizeof *s->b);
    }
    if (s->held == s->height && s->weight > 0)
        SCREE_TRY(cut(s, error));
    const int64_t from = s->held;
    for (int64_t j = 0; j < d; j++)
        s->step[j] = scree__tally_from(tally, s->origin, j);
    join(s, tally->weight);
    count_squares(s, from);
    for (int64_t j = 0; j < d; j++)
        s->squares[j] += tally->squares[j];
    s->cut += tally->lost;
    s->rows += tally->rows;
done:
    return status;
}

void scree__sketch_fade(scree__sketch *s, double factor)
{
    for (int64_t i = 0; i < s->held * s->cols; i++)
        s->b[i] *= sqrt(factor);
    for (int64_t j = 0; j < s->cols; j++)
        s->squares[j] *= factor;
    s->weight *= factor;
    s->cut *= factor;
}
