/* SPDX-License-Identifier: BSD-3-Clause */
/* Components beyond those asked for, where there are so few rows that p-values of new ones need them, or sampling
 * errors of scaled columns do (model/spare.c): methods that diagonalise a whole matrix find them on their way. They are
 * computed as if they had been asked for, and set apart when all is done. */

#include "fit/job.h"

#include "model/spare.h"

#include <math.h>

enum { COPIES = 4 }; /* of spare components, at a time */
static const double ROUND_OFF = 0x1p-53;
static const double NOTHING = 1e-12; /* of the first eigenvalue: what is below is taken for rounding */

static int64_t spare_of(const scree__job *job, int64_t rows, int64_t k)
{
    const int64_t rank = rows - 1 < job->cols ? rows - 1 : job->cols;
    const bool scaled = job->options->scale != SCREE_SCALE_NONE;
    return job->share > 0 || rank <= k ? 0 : scree__spare_wanted(rows, job->cols, rank, k, scaled);
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

void scree__solution_set_apart(scree__solution *s, int64_t cols)
{
    if (s->spare == 0)
        return;
    s->k -= s->spare;
    s->next = s->values[s->k] + 8 * sqrt((double)(s->rows > cols ? s->rows : cols)) * ROUND_OFF * s->values[0];
    while (s->spare > 0 && !(s->values[s->k + s->spare - 1] > NOTHING * s->values[0]))
        s->spare--;
}
