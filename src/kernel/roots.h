/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ROOTS_H
#define SCREE_KERNEL_ROOTS_H

/* Roots of the secular equation 1/ρ + Σ_j z_j²/(δ_j - λ) = 0; see roots.c. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__poles {
    int64_t count;
    const double *poles;   /* δ, ascending, all different */
    const double *squares; /* z², none of them 0 */
    double rho;            /* > 0 */
} scree__poles;

/* The root between poles i and i + 1, i < count - 1; distances (count): δ_j - λ, each to all its digits. false where it
 * comes to no end. */
bool scree__root_between(const scree__poles *p, int64_t i, double *distances, double *value);

#endif
