/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_REFERENCE_H
#define SCREE_TESTS_REFERENCE_H

/* The principal components of small data by the plainest means, and what a model must satisfy beside them: covariance
 * in two passes and Jacobi's rotations, both in long double, with none of the library's code. */

#include "scree.h"
#include "support/rows.h"

typedef struct reference {
    int64_t n;
    int64_t d;
    int64_t count; /* eigenpairs known: D, or all whose eigenvalue is not 0 */
    double total;
    double *mean;            /* D */
    double *scale;           /* D; ones without scaling */
    long double *values;     /* count, descending */
    long double *vectors;    /* count×D, rows */
    long double *covariance; /* D×D, or NULL when it was not formed */
    long double *centred;    /* N×D over √divisor, of wide data, else NULL */
} reference;

typedef struct reference_options {
    int ddof;
    bool unit;      /* columns divided by their standard deviations, constant ones left alone */
    int64_t copies; /* of wide data: the columns are so many copies of the first; 0: 1 */
} reference_options;

/* Of x, n×d, contiguous. */
reference *reference_of(const double *x, int64_t n, int64_t d, reference_options options);

/* The same from the matrix of inner products of the rows, for n far below d, and only the first k eigenvectors;
 * eigenvalues below 1e-16 of the first are taken for 0. */
reference *reference_of_wide(const double *x, int64_t n, int64_t d, int64_t k, reference_options options);

/* Of data whose eigenvalues (descending) and unit eigenvectors are known by construction; the rest are 0. */
reference *reference_known(int64_t n, int64_t d, int64_t count, const double *values, const double *vectors);

void reference_free(reference *r);

/* All of it: order, orthonormality, total variance, J_M; and in each component the true errors of eigenvalue, residual
 * and angle against those reported, clusters as clusters. label is for messages. */
void reference_expect(const reference *r, const scree_model *model, const char *label);

/* sin of the angle between u and the space of eigenvectors first .. last. */
double reference_sine(const reference *r, const double *u, int64_t first, int64_t last);

/* All that is said of errors is the same, bit for bit. */
void accuracy_expect_same(const scree_model_view *a, const scree_model_view *b, const char *label);

/* The same bits in every number of the models. */
void models_expect_same(const scree_model *a, const scree_model *b, const char *label);

/* The model that each of these runs makes of the rows, the same bits; it converged, and the reference agrees. */
scree_model *reference_expect_runs(const reference *r, const rows *x, const scree_fit_options *options,
                                   const scree_run *runs, int count, const char *label);

#endif
