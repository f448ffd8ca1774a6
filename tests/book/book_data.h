/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_BOOK_DATA_H
#define SCREE_TESTS_BOOK_DATA_H

/* Data for the tests of the book's equations: correlated normals around a mean that is not zero, and the model of it.
 * Include after cmocka.h. */

#include "base/random.h"
#include "scree.h"
#include "support/calls.h"

#include <math.h>

enum { BOOK_N = 200, BOOK_D = 8 };

/* x_ij = 5j + Σ_{k≤j} ε_ik/(k+1): columns share their noise, so that components are no axes. */
static inline void book_rows(double *x)
{
    double noise[BOOK_N * BOOK_D];
    scree__normals(10, 3, 0, BOOK_N * BOOK_D, noise);
    for (int i = 0; i < BOOK_N; i++) {
        double sum = 0.0;
        for (int j = 0; j < BOOK_D; j++) {
            sum += noise[i * BOOK_D + j] / (j + 1);
            x[i * BOOK_D + j] = 5.0 * j + sum;
        }
    }
}

static inline scree_source *book_source(const double *x)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, BOOK_N, BOOK_D), NULL), SCREE_OK);
    return source;
}

static inline scree_model *book_model(const double *x, int64_t m, const char *solver, scree_scale scale)
{
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_source *source = book_source(x);
    options.components = m;
    options.solver = solver;
    options.scale = scale;
    if (scree_model_fit(&model, source, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    scree_source_free(source);
    return model;
}

static inline void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

#endif
