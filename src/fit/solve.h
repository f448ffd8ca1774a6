/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SOLVE_H
#define SCREE_FIT_SOLVE_H

/* The ends of methods that see their rows once: from what these come to, however it was summed, to a solution. A fit
 * sums and solves; a state (src/state) sums now and solves later. rows and weight of the solution are set. */

#include "fit/job.h"

/* Sums of all rows. */
typedef struct scree__scattered {
    double *mean;
    double *scatter; /* becomes S */
    double divisor;  /* that still divides scatter */
    double rounding; /* of S, over its trace */
    bool in_float;   /* of products in float */
} scree__scattered;

scree_status scree__covariance_solve(const scree__job *job, scree__scattered *found, scree__solution *solution,
                                     scree_error *error);

/* r: D×D, column-major; r and mean are overwritten. */
scree_status scree__svd_solve(const scree__job *job, double *mean, double *r, scree__solution *solution,
                              scree_error *error);

/* A sketch (kernel/sketch.h): b, height×D, and squares (D) of columns are overwritten, and so is mean. */
typedef struct scree__sketched {
    double *mean;
    double *b;
    int64_t height;
    double *squares;
    double cut;
} scree__sketched;

scree_status scree__sketch_solve(const scree__job *job, scree__sketched *found, scree__solution *solution,
                                 scree_error *error);

enum { SCREE__TRIANGLE_FEW = 64 }; /* columns: up to here Jacobi's method is hardly slower */

/* What the singular values of an n×n triangle take, with it and one side of vectors. */
int64_t scree__triangle_memory(int64_t n);

/* σ and right (or left) singular vectors of the n×n triangle; both column-major. r is overwritten. run: of the fit that
 * it is the rest of; or NULL. */
scree_status scree__triangle_svd(double *r, int64_t n, double *sigma, double *left, double *right, const scree_run *run,
                                 scree_error *error);

/* Eigenvalues, k by share, the next eigenvalue and the bounds from n singular values of all centred rows. */
scree_status scree__svd_settle(const scree__job *job, const double *sigma, int64_t n, double share,
                               scree__solution *solution, scree_error *error);

#endif
