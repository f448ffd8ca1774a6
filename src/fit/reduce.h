/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_REDUCE_H
#define SCREE_FIT_REDUCE_H

/* The seam "reduce": what processes tell each other of their rows. A method is local passes over ranges of rows, a
 * tree that joins what these come to, and a small solve that every process does for itself. What is joined are arrays
 * of doubles: sums, which are added, or tallies (kernel/tally.h), laid out as below. */

#include "data/team.h"
#include "kernel/tally.h"

/* Tallies of D columns with a matrix of so many doubles: D, D×D, or D×D of triangles. */
typedef struct scree__parcel_shape {
    int64_t cols;
    int64_t size;
    int threads; /* that fill and join them */
} scree__parcel_shape;

/* rows, weight, lost; mean (D), rest (D), matrix. */
int64_t scree__parcel_doubles(const scree__parcel_shape *shape);
void scree__parcel_fill(const scree__parcel_shape *shape, const scree__tally *tally, double *parcel);
/* The same of a scatter of which the upper triangle counts; and in the end the lower one. */
void scree__parcel_fill_upper(const scree__parcel_shape *shape, const scree__tally *tally, double *parcel);
void scree__parcel_mirror(const scree__parcel_shape *shape, double *parcel);
double *scree__parcel_mean(const scree__parcel_shape *shape, double *parcel);
double *scree__parcel_rest(const scree__parcel_shape *shape, double *parcel);
double *scree__parcel_matrix(const scree__parcel_shape *shape, double *parcel);
/* Lent, with the matrix as high as it is wide. */
scree__tally scree__parcel_tally(const scree__parcel_shape *shape, double *parcel);

/* For scree__team_tree_new, with the shape: of scatters, the upper triangles alone, or their diagonals. */
scree_status scree__parcel_join_scatters(void *shape, double *into, double *from, scree_error *error);
/* Of triangles. */
scree_status scree__parcel_join_triangles(void *shape, double *into, double *from, scree_error *error);

#endif
