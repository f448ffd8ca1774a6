/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ROTATION_H
#define SCREE_KERNEL_ROTATION_H

/* Rotations of loadings A, d×k, row by row, to a simple form: B = A M, with M k×k. Orthogonal ones have Mᵀ = M⁻¹;
 * oblique ones make factors of variance 1 with the correlations Φ = (MᵀM)⁻¹, diagonal 1. */

#include "base/error.h"

typedef enum scree__simplicity { SCREE__VARIMAX, SCREE__QUARTIMAX, SCREE__PROMAX, SCREE__OBLIMIN } scree__simplicity;

typedef struct scree__rotate {
    const double *a; /* d×k */
    int64_t d;
    int64_t k;
    scree__simplicity method;
    bool kaiser;    /* rows are rotated as if all had length 1 */
    double power;   /* of promax */
    double gamma;   /* of oblimin: 0 is quartimin, and less is less oblique */
    int64_t starts; /* random ones, beside that from A itself */
    uint64_t seed;
} scree__rotate;

/* m: k×k. *converged: the criterion is at an optimum, to rounding. */
scree_status scree__rotate_run(const scree__rotate *rotate, double *m, bool *converged, scree_error *error);

/* The inverse of an n×n matrix, by its singular values; ERR_NUMERIC where it has none. */
scree_status scree__small_inverse(const double *a, int64_t n, double *inverse, scree_error *error);

/* C (n×p) = op(A) B, all row by row: A is n×q, or q×n when trans. */
void scree__small_product(bool trans, int64_t n, int64_t p, int64_t q, const double *a, const double *b, double *c);

/* rotation_orthogonal.c and rotation_oblique.c: from the start in m (k×k), which is replaced by what was found; *value
 * is the criterion there, the less the better. rough: only so far that starts can be compared. a is scaled so that its
 * rows are of length 1 or less. */
scree_status scree__orthomax(const scree__rotate *rotate, const double *a, bool rough, double *m, double *value,
                             bool *converged, scree_error *error);
scree_status scree__oblimin(const scree__rotate *rotate, const double *a, bool rough, double *m, double *value,
                            bool *converged, scree_error *error);

#endif
