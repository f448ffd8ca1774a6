/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_AGREEMENT_H
#define SCREE_TESTS_AGREEMENT_H

/* How far two models of the same data are apart. */

#include "scree.h"

/* The largest |λ_a - λ_b| / λ_b. */
double models_eigenvalue_distance(const scree_model *a, const scree_model *b);

/* sin of the largest angle between the spaces of all their components: the largest singular value of A - (AB')B, rows
 * of A and B orthonormal. */
double models_subspace_sine(const scree_model *a, const scree_model *b);

#endif
