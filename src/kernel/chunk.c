/* SPDX-License-Identifier: BSD-3-Clause */
/* One-pass centring. Rows are first taken from an origin near them, the rounded mean of the first chunk: rows far from
 * zero then have means as exact as their deviations. That mean is summed from the first row: equal values have exactly
 * their own, and variance 0. A chunk is centred by its own mean, and joined to what came before
 * by the pairwise formula of Chan, Golub and LeVeque (1983),
 *
 *     M_ab = M_a + M_b + w wᵀ,   w = √(n_a n_b / (n_a + n_b)) (µ_b - µ_a),
 *
 * whose last term is that of one more row. Rows with weights w count for Σw rows in n and µ, and are centred and
 * multiplied by √w. */

#include "kernel/chunk.h"

#include <math.h>
#include <string.h>

/* 512 rows, and one that joins them, would fall badly into the blocks that BLAS libraries cut. */
enum { CHUNK_ROWS = 448, FEWEST_ROWS = 28, STRIP = 256 };
static const int64_t CHUNK_BYTES = INT64_C(16) << 20; /* wide rows come in chunks of fewer */

int64_t scree__chunk_rows(int64_t row_bytes)
{
    int64_t rows = CHUNK_ROWS;
    while (rows > FEWEST_ROWS && (rows + 1) * row_bytes > CHUNK_BYTES)
        rows /= 2;
    return rows;
}

void scree__chunk_origin(const scree__rows *x, double *origin)
{
    double buffer[STRIP];
    const double weight = scree__rows_weight(x);
    memset(origin, 0, (size_t)x->cols * sizeof *origin);
    for (int64_t at = 0; at < x->cols; at += STRIP) {
        const scree__rows part = scree__rows_columns(x, at, x->cols - at < STRIP ? x->cols - at : STRIP);
        const double *first = scree__rows_load(&part, 0, buffer);
        scree__rows_sum_from(&part, first, origin + at);
        for (int64_t j = 0; j < part.cols; j++)
            origin[at + j] = first[j] + origin[at + j] / weight;
    }
}

bool scree__chunk_mean(const scree__rows *x, const double *origin, double *mean)
{
    const double weight = scree__rows_weight(x);
    bool finite = true;
    memset(mean, 0, (size_t)x->cols * sizeof *mean);
    scree__rows_sum_from(x, origin, mean);
    for (int64_t j = 0; j < x->cols; j++) {
        mean[j] /= weight;
        finite = finite && isfinite(mean[j]);
    }
    return finite;
}

bool scree__chunk_centre(const scree__ops *ops, const scree__rows *x, const double *origin, double *mean, void *packed)
{
    const bool finite = scree__chunk_mean(x, origin, mean);
    ops->centre(x, origin, mean, packed);
    return finite;
}

void scree__chunk_join(scree__lane *lane, double weight, double *mean, int64_t cols)
{
    const double total = lane->weight + weight;
    const double root = sqrt(lane->weight * weight / total);
    const double part = weight / total;
    for (int64_t j = 0; j < cols; j++) {
        const double step = mean[j] - lane->mean[j];
        lane->mean[j] += step * part;
        mean[j] = root * step;
    }
    lane->weight = total;
}
