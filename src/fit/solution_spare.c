/* SPDX-License-Identifier: BSD-3-Clause */
/* Components beyond those asked for, where there are so few rows that p-values of new ones need them, or sampling
 * errors of scaled columns do (model/spare.c): methods that diagonalise a whole matrix find them on their way. They are
 * computed as if they had been asked for, and set apart when all is done; where a share of the variance was asked for
 * all are computed, and then counted. */

#include "fit/job.h"

#include "model/spare.h"

#include <math.h>

enum { COPIES = 4 }; /* of spare components, at a time */
static const double ROUND_OFF = 0x1p-53;
static const double NOTHING = 1e-12; /* of the first eigenvalue: what is below is taken for rounding, unless graded */

static int64_t wanted(int64_t rows, int64_t cols, int64_t k, bool scaled)
{
    const int64_t rank = rows - 1 < cols ? rows - 1 : cols;
    return rank <= k ? 0 : scree__spare_wanted(rows, cols, rank, k, scaled);
}

static bool is_scaled(const scree__job *job)
{
    return job->options->scale == SCREE_SCALE_UNIT;
}

/* Where a share decides, room is made for all. */
static int64_t spare_of(const scree__job *job, int64_t rows, int64_t k)
{
    return job->share > 0 ? 0 : wanted(rows, job->cols, k, is_scaled(job));
}

double scree__solution_share(const scree__solution *s, const scree__job *job)
{
    return wanted(s->rows, job->cols, 1, is_scaled(job)) > 0 ? 0 : job->share;
}

int64_t scree__solution_spare_memory(const scree__job *job, int64_t rows, int64_t k)
{
    return COPIES * 8 * spare_of(job, rows, k) * job->cols;
}

scree_status scree__solution_alloc_spare(scree__solution *s, const scree__job *job, int64_t k, scree_error *error)
{
    const int64_t spare = spare_of(job, s->rows, k);
    const scree_status status = scree__solution_alloc(s, job, k + spare, error);
    s->spare = spare;
    return status;
}

/* Of all that were computed the fewest that hold the share, and spare ones. */
static void count_for_share(scree__solution *s, const scree__job *job)
{
    const int64_t all = s->k;
    double total = 0;
    double sum = s->values[0];
    for (int64_t j = 0; j < all; j++)
        total += s->values[j];
    for (s->k = 1; s->k < all && sum < job->share * total; s->k++)
        sum += s->values[s->k];
    s->spare = wanted(s->rows, job->cols, s->k, is_scaled(job));
    if (s->spare == 0 && s->k < all)
        s->spare = 1; /* for the bound of the next */
    s->spare = s->spare < all - s->k ? s->spare : all - s->k;
    s->k += s->spare;
}

void scree__solution_set_apart(scree__solution *s, const scree__job *job)
{
    const int64_t cols = job->cols;
    if (job->share > 0 && scree__solution_share(s, job) == 0)
        count_for_share(s, job);
    if (s->spare == 0)
        return;
    s->k -= s->spare;
    s->next = s->values[s->k] + 8 * sqrt((double)(s->rows > cols ? s->rows : cols)) * ROUND_OFF * s->values[0];
    const double nothing = s->graded ? 0 : NOTHING * s->values[0];
    while (s->spare > 0 && !(s->values[s->k + s->spare - 1] > nothing))
        s->spare--;
}
