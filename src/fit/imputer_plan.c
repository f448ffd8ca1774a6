/* SPDX-License-Identifier: BSD-3-Clause */
/* How large an imputer may be. Components: min(N - 2, D - 1, 24), fewer where the covariances of the loadings, D k²/2
 * numbers a fit, would take too much of a model file; and none where too few would be left. Rows: all of a small table,
 * a sample of a large one, the smaller one for what is fitted more often; and no imputer where so little is observed
 * that a sample would say nothing of the columns. */

#include "fit/imputer.h"

#include "kernel/dense.h"

enum { MOST_COMPONENTS = 24, FEWEST_COMPONENTS = 6, FEWEST_ROWS = 4, SAMPLE_ROWS = 256, CELLS_A_COMPONENT = 2 };
enum { STEPS = 120, FINAL_STEPS = 40, STEPS_LARGE = 30, FINAL_STEPS_LARGE = 4 }; /* of all fits, as a rule */
static const int64_t MODEL_BYTES = INT64_C(96) << 20;
static const int64_t HELD_CELLS = INT64_C(1) << 18;
static const int64_t FINAL_CELLS = INT64_C(1) << 20;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t rows_of(int64_t cells, int64_t rows, int64_t d)
{
    const int64_t some = cells / d > SAMPLE_ROWS ? cells / d : SAMPLE_ROWS;
    return least(rows, some);
}

/* Beside the tables. */
static int64_t work_memory(const scree__job *job, int64_t k)
{
    const int64_t d = job->cols;
    const int64_t starting = d <= 2048 ? 16 * d * d + scree__dense_memory(d, k) : 48 * d * (k + 8);
    const int64_t states = 8 * 5 * d * (scree__pairs(k + 1) + k + 4);
    return scree__em_memory(job, k + 8, true) + starting + states + scree__imputer_memory(d, k);
}

scree__imputer_plan scree__imputer_plan_of(const scree__job *job, int64_t rows, double observed, int64_t room)
{
    const int64_t d = job->cols;
    const scree__imputer_plan none = {0};
    scree__imputer_plan plan = {.k = least(MOST_COMPONENTS, least(rows - 2, d - 1))};
    const int64_t fewest = least(plan.k, FEWEST_COMPONENTS);
    if (job->options->no_imputer || rows < FEWEST_ROWS || d < 2 || d > MODEL_BYTES)
        return none;
    while (plan.k > 0 && scree__imputer_memory(d, plan.k) > MODEL_BYTES)
        plan.k--;
    if (plan.k < fewest)
        return none;
    plan.held_rows = rows_of(HELD_CELLS, rows, d);
    plan.final_rows = rows_of(FINAL_CELLS, rows, d);
    plan.large = plan.held_rows < rows || plan.held_rows * d > 2 * HELD_CELLS;
    if (plan.held_rows < rows && observed * (double)plan.held_rows < (double)(CELLS_A_COMPONENT * plan.k))
        return none;
    for (;;) {
        /* held-out cells are a fifth of a table at most, and take eight numbers each */
        plan.memory = work_memory(job, plan.k) + 8 * d * (plan.final_rows + 3 * plan.held_rows);
        plan.steps = (double)d * ((double)plan.held_rows * (plan.large ? STEPS_LARGE : STEPS) +
                                  (double)plan.final_rows * (plan.large ? FINAL_STEPS_LARGE : FINAL_STEPS));
        if (plan.memory <= room)
            return plan;
        if (plan.final_rows > plan.held_rows)
            plan.final_rows = plan.held_rows;
        else if (plan.k > fewest)
            plan.k = plan.k - 4 > fewest ? plan.k - 4 : fewest;
        else
            return none;
    }
}
