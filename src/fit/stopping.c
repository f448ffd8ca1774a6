/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of a sample are off those of the population, however exactly they are computed. With θ descending, for
 * N rows of about normal data (Anderson 1963),
 *
 *     se_j  = θ_j √(2/N)                                                      of the eigenvalue,
 *     dir_j = (Σ_{i≠j} θ_iθ_j/(θ_i-θ_j)² / N)^½                                of the direction, an angle.
 *
 * A component that stands apart, by more than 3 se from its neighbours, is good enough when what its residual r proves
 * is at most a tenth of both: min(r, r²/gap) ≤ se/10 and r/gap ≤ dir/10. Those that do not, inside a bulk of noise or a
 * cluster, are not told apart by the data: r ≤ 0.3 se, and no angle. There Ritz values are off by about r²/(range of
 * the bulk), far less than r: a hundredth of se is usual, and the variance captured is that of the best directions.
 *
 * Of eigenvalues that are not known, (tr S - Σθ) in all, each counts in dir as if it were far below. */

#include "fit/stopping.h"

#include <math.h>

static const double APART = 3;        /* standard errors */
static const double SHARE = 0.08;     /* a tenth, less what residuals of neighbours take from the gap */
static const double BULK_SHARE = 0.3; /* of se */
static const double MOST_ANGLE = 0.4; /* so that neighbours stay further apart than ten of their residuals */

static double gap_of(const double *values, int64_t known, int64_t j)
{
    const double above = j > 0 ? values[j - 1] - values[j] : HUGE_VAL;
    const double below = j + 1 < known ? values[j] - values[j + 1] : 0;
    return fmin(above, below);
}

static double direction_error(const scree__sampling_goal *g, const double *values, int64_t known, int64_t j)
{
    double sum = 0;
    double rest = g->total;
    for (int64_t i = 0; i < known; i++) {
        const double apart = values[i] - values[j];
        rest -= values[i];
        if (i != j)
            sum += values[i] / apart * (values[j] / apart);
    }
    return sqrt((sum + fmax(rest, 0) / values[j]) / g->rows);
}

static void allow(const scree__goal *goal, const double *values, int64_t known, int64_t k, double *allowed)
{
    const scree__sampling_goal *g = (const scree__sampling_goal *)goal;
    for (int64_t j = 0; j < k; j++) {
        const double error = values[j] * sqrt(2 / g->rows);
        const double gap = gap_of(values, known, j);
        allowed[j] = BULK_SHARE * error;
        if (gap > APART * error) {
            const double angle = fmin(direction_error(g, values, known, j), MOST_ANGLE);
            allowed[j] = fmin(sqrt(SHARE * error * gap), SHARE * gap * angle);
        }
        allowed[j] = fmax(allowed[j], SCREE__GOAL_ROUNDING * values[0]);
    }
}

scree__sampling_goal scree__goal_sampling(double rows, double total)
{
    return (scree__sampling_goal){{allow}, rows, total};
}

scree__stopping scree__stopping_of(const scree__job *job, const scree__solution *s, double unit)
{
    const double asked = job->options->tolerance;
    return (scree__stopping){.relative = scree__goal_relative(asked),
                             .sampling = scree__goal_sampling(fmax(s->weight, (double)s->rows), s->total / unit),
                             .rule = asked > 0 ? "tolerance" : "sampling"};
}

const scree__goal *scree__stopping_goal(const scree__stopping *stopping)
{
    return stopping->relative.tolerance > 0 ? &stopping->relative.goal : &stopping->sampling.goal;
}

const scree__goal *scree__stopping_dense(const scree__stopping *stopping, int64_t n)
{
    return n < SCREE__SMALL_ORDER ? NULL : scree__stopping_goal(stopping);
}
