/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_NOISE_TEST_H
#define SCREE_FIT_NOISE_TEST_H

/* Whether an eigenvalue stands out from white noise, the larger ones being components. Values are eigenvalues,
 * descending, with any common divisor; left is the sum of all eigenvalues after the first m; n is the number of rows
 * less one for the mean, d the number of directions in which rows can vary. */

#include <stdint.h>

/* σ² of the noise, given m components; 0 where nothing is left. */
double scree__noise_variance(const double *values, int64_t m, double left, double n, double d);

/* ln of the chance that noise alone has an eigenvalue as large as values[m]; NaN where there is too little noise to
 * compare with. */
double scree__noise_log_chance(const double *values, int64_t m, double left, double n, double d);

#endif
