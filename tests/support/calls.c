/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the public header in the shape that tests want: what is asked of the library is the same, and all of it. */

#include "support/calls.h"

#include "base/memory.h"
#include "support/checks.h"

#include <stdlib.h>

const scree_run run_plain = SCREE_RUN_INIT;

scree_run run_with_threads(int threads)
{
    return SIZED(scree_run, .threads = threads);
}

scree_run run_with_memory(int64_t bytes)
{
    return SIZED(scree_run, .memory = bytes);
}

scree_run run_with_blocks(int threads, int64_t block_rows)
{
    return SIZED(scree_run, .threads = threads, .block_rows = block_rows);
}

scree_facts facts_of(const scree_model *model)
{
    scree_facts facts = SCREE_FACTS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_facts(model, &facts, &error), error);
    return facts;
}

scree_rate rate_of(const scree_model *model, double distortion)
{
    scree_rate rate = SCREE_RATE_INIT;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_model_rate(model, distortion, &rate, &error), error);
    return rate;
}

scree_gaps gaps_of(const scree_source *source)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_gaps(source, &gaps, &error), error);
    return gaps;
}

scree_status sample_of(scree_source **out, const scree_model *model, int64_t rows, uint64_t seed, int threads,
                       scree_error *error)
{
    const scree_run run = run_with_threads(threads);
    scree_sample_options options = SCREE_SAMPLE_OPTIONS_INIT;
    options.rows = rows;
    options.seed = seed;
    options.run = &run;
    return scree_source_sample(out, model, &options, error);
}

scree_status score_rows(const scree_scorer *scorer, const scree_block *rows, row_score *scores, scree_error *error)
{
    const int64_t n = rows->rows > 0 ? rows->rows : 0;
    double *memory = scree__alloc(6 * n + 1, sizeof *memory);
    assert_non_null(memory);
    const scree_scores out = SIZED(scree_scores, .loglik = memory, .t2 = memory + n, .q = memory + 2 * n,
                                   .p_t2 = memory + 3 * n, .p_q = memory + 4 * n, .p_value = memory + 5 * n);
    const scree_status status = scree_scorer_score_rows(scorer, rows, &out, NULL, error);
    for (int64_t i = 0; status == SCREE_OK && i < n; i++)
        scores[i] = (row_score){out.loglik[i], out.t2[i], out.q[i], out.p_t2[i], out.p_q[i], out.p_value[i]};
    free(memory);
    return status;
}
