/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over draws, taken from where their mean should be, so that a large mean costs no digits. O(D²) a draw. */

#include "support/drawn.h"

#include "base/memory.h"
#include "data/source.h"
#include "support/checks.h"

static const double ERRORS = 5; /* standard ones: once in two million times by chance */

static void add(drawn *sums, double *off, const double *row, const double *centre)
{
    const int64_t d = sums->d;
    for (int64_t i = 0; i < d; i++)
        off[i] = row[i] - centre[i];
    for (int64_t i = 0; i < d; i++) {
        sums->mean[i] += off[i];
        for (int64_t j = 0; j < d; j++)
            sums->covariance[i * d + j] += off[i] * off[j];
    }
    sums->n++;
}

drawn drawn_from(scree_source *source, int64_t first, int64_t d, const double *centre)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__block block = {0};
    double *off = scree__alloc(d, sizeof *off);
    drawn sums = {0, d, scree__alloc(d, sizeof *sums.mean), scree__alloc(d * d, sizeof *sums.covariance)};
    assert_true(off && sums.mean && sums.covariance);
    do {
        EXPECT_OK(scree__source_next(source, &block, &error), error);
        for (int64_t i = 0; i < block.rows; i++)
            add(&sums, off, (const double *)block.data + i * block.stride + first, centre);
    } while (block.rows > 0);
    for (int64_t i = 0; i < d; i++)
        sums.mean[i] = centre[i] + sums.mean[i] / (double)sums.n;
    for (int64_t i = 0; i < d * d; i++)
        sums.covariance[i] /= (double)sums.n;
    free(off);
    return sums;
}

void drawn_free(drawn *x)
{
    free(x->mean);
    free(x->covariance);
}

void drawn_expect(const drawn *x, const double *mean, const double *covariance)
{
    const int64_t d = x->d;
    const double n = (double)x->n;
    for (int64_t i = 0; i < d; i++) {
        const double variance = covariance[i * d + i];
        EXPECT_NEAR(x->mean[i], mean[i], ERRORS * sqrt(variance / n));
        for (int64_t j = 0; j < d; j++) {
            const double c = covariance[i * d + j];
            EXPECT_NEAR(x->covariance[i * d + j], c, ERRORS * sqrt((variance * covariance[j * d + j] + c * c) / n));
        }
    }
}
