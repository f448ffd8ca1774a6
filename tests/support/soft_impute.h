/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_SOFT_IMPUTE_H
#define SCREE_TESTS_SOFT_IMPUTE_H

/* Soft-impute, for comparison: singular values of the filled table less a threshold, and again, until nothing moves
 * (Mazumder, Hastie and Tibshirani 2010). */

#include <stdint.h>

/* Of a table n×d, NaN for what is missing, in columns standardised by what is there: the root mean square error of what
 * is missing, whole being the table without gaps, with the threshold that makes it least. No cross-validation can do
 * better. */
double soft_impute_least(const double *x, const double *whole, int64_t n, int64_t d);

/* The same error of a table that was filled, and of column means. */
double filled_error(const double *x, const double *whole, const double *filled, int64_t n, int64_t d);
double means_error(const double *x, const double *whole, int64_t n, int64_t d);

#endif
