/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_CALLS_H
#define SCREE_TESTS_CALLS_H

/* Calls as tests want to write them: structs with their size in one expression, results by value, scores a row each.
 * What is returned by value is of a call that succeeded; the test fails where it does not. */

#include "scree.h"

/* A struct with its size set, and some fields: &SIZED(scree_read_options, .header = 1). */
#define SIZED(type, ...)                                                                                               \
    (type)                                                                                                             \
    {                                                                                                                  \
        .size = sizeof(type), __VA_ARGS__                                                                              \
    }

/* A block of rows in memory, to be given to a call: elements one after the other, or stride from row to row. */
#define BLOCK(from, of, n, d) (&SIZED(scree_block, .data = (from), .type = (of), .rows = (n), .cols = (d)))
#define BLOCK_STRIDED(from, of, n, d, stride)                                                                          \
    (&SIZED(scree_block, .data = (from), .type = (of), .rows = (n), .cols = (d), .row_stride = (stride)))

/* What NULL stands for, to functions inside the library: those get options whose run is resolved. */
extern const scree_run run_plain;
scree_run run_with_threads(int threads);
scree_run run_with_memory(int64_t bytes);
scree_run run_with_blocks(int threads, int64_t block_rows);

scree_facts facts_of(const scree_model *model);
scree_rate rate_of(const scree_model *model, double distortion);
scree_gaps gaps_of(const scree_source *source);

/* scree_source_sample with its options as parameters. */
scree_status sample_of(scree_source **out, const scree_model *model, int64_t rows, uint64_t seed, int threads,
                       scree_error *error);

/* The scores of a row, all of them. */
typedef struct row_score {
    double loglik;
    double t2;
    double q;
    double p_t2;
    double p_q;
    double p_value;
} row_score;

/* scree_scorer_score_rows with every array wanted. On failure scores are left alone. */
scree_status score_rows(const scree_scorer *scorer, const scree_block *rows, row_score *scores, scree_error *error);

#endif
