/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SPECIAL_H
#define SCREE_BASE_SPECIAL_H

/* Tails of distributions, as logarithms, so that a chance of 1e-400 is still a number. */

/* ln P(G ≥ x), G gamma with shape a and scale 1. χ² with n degrees of freedom: a = n/2 at x/2. */
double scree__log_gamma_tail(double a, double x);

/* ln P(T ≥ x), T beta with shapes a and b; y = 1 - x, given apart so that neither loses digits. */
double scree__log_beta_tail(double a, double b, double x, double y);

/* ln of the gamma density, and of the beta density. */
double scree__log_gamma_density(double a, double x);
double scree__log_beta_density(double a, double b, double x, double y);

/* ln Γ(a), a > 0: the C library's writes to a global. */
double scree__log_gamma(double a);

/* The standard normal quantile: P(Z ≤ result) = p, 0 < p < 1. */
double scree__normal_quantile(double p);

/* The 97.5 % quantile of Student's law over that of the normal one: what few degrees of freedom widen an interval by;
 * fewer than 2 count as 2. */
double scree__student_widening(double freedom);

#endif
