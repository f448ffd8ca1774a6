/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_SAME_MODEL_H
#define SCREE_TESTS_SAME_MODEL_H

/* Two models of the same rows by different ways are the same bits. Include after cmocka.h. */

#include "scree.h"

#include <string.h>

static inline scree_model *fit_of(scree_source *source, const char *solver, int64_t block_rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    run.block_rows = block_rows;
    options.components = 2;
    options.solver = solver;
    options.run = &run;
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    return model;
}

static inline void expect_same_model(const scree_model *one, const scree_model *other)
{
    const scree_model_view *a = scree_model_get(one);
    const scree_model_view *b = scree_model_get(other);
    const size_t d = (size_t)a->d * sizeof(double);
    const size_t m = (size_t)a->m * sizeof(double);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->d, b->d);
    assert_int_equal(a->m, b->m);
    assert_string_equal(a->solver, b->solver);
    assert_memory_equal(a->mean, b->mean, d);
    assert_memory_equal(a->variances, b->variances, d);
    assert_memory_equal(a->eigenvalues, b->eigenvalues, m);
    assert_memory_equal(a->components, b->components, m * (size_t)a->d);
    assert_memory_equal(a->eigenvalue_bounds, b->eigenvalue_bounds, m);
    assert_memory_equal(&a->noise_variance, &b->noise_variance, sizeof a->noise_variance);
}

#endif
