/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_POSSIBLE_H
#define SCREE_MODEL_POSSIBLE_H

/* Whether numbers are such as a fit could have found: asked by all that take a model from outside, files and arrays. */

#include "base/error.h"
#include "scree.h"

/* What is wrong, in words. */
typedef struct scree__fault {
    char text[160];
} scree__fault;

/* Rows of length 1. what: "component". */
bool scree__lengths_are_possible(const char *what, const double *rows, int64_t count, int64_t d, scree__fault *fault);

/* The part of the spectrum that is not kept: spare_ and rest_, which may be missing, beside m eigenvalues. All are
 * known to be finite and not negative. */
bool scree__spare_is_possible(const scree_model_view *view, scree__fault *fault);
bool scree__rest_is_possible(const scree_model_view *view, scree__fault *fault);

/* mean_rest, beside a mean of d columns: what rounding has taken from a number is less than its last digit. */
bool scree__mean_rest_is_possible(const double *rest, const double *mean, int64_t d, scree__fault *fault);

/* What rows are brought to in sum, over at least d columns, and which columns of rows without names are used. */
bool scree__counts_are_possible(const scree_model_view *view, scree__fault *fault);

#endif
