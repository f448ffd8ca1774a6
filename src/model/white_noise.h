/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_WHITE_NOISE_H
#define SCREE_MODEL_WHITE_NOISE_H

/* What white noise does to eigenvalues: how much a component's grow by it, how large it is beside components, and how
 * large its own become. n is the number of rows less one for the mean. */

#include <stdint.h>

/* The variance of a component whose eigenvalue is given, in noise of the given level and ratio γ of directions to rows;
 * at the threshold of what can be seen where the eigenvalue is below what that becomes. */
double scree__without_noise(double value, double level, double gamma);

/* σ², given m components: values are their eigenvalues, left the sum of all others, which have so many directions.
 * guess: where to start, 0: from what is left. At most so many rounds. */
typedef struct scree__noise_beside {
    const double *values;
    int64_t m;
    double left;
    double directions;
    double n;
} scree__noise_beside;
double scree__noise_level(const scree__noise_beside *beside, double guess, int rounds);

/* n/σ² times the largest eigenvalue of noise follows Tracy and Widom's law with this centre and scale. */
void scree__noise_largest(double n, double directions, double *centre, double *scale);

#endif
