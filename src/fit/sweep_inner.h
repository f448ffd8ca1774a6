/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SWEEP_INNER_H
#define SCREE_FIT_SWEEP_INNER_H

/* Inside of a sweep: what sweep.c and sweep_together.c share. */

#include "fit/kept.h"
#include "fit/packed_sweep.h"
#include "fit/sweep.h"
#include "kernel/inplace.h"
#include "kernel/product.h"
#include "kernel/sparse_product.h"

struct scree__sweep {
    scree__sweeps *all;
    const scree__ops *ops;
    int64_t width;
    scree__product *product;
    scree__inplace *inplace; /* only by rows */
    scree__rows x;           /* where they lie in memory */
    scree__kept kept;
    bool keeps;                    /* rows, as soon as some are seen */
    scree__sparse_product *sparse; /* of sparse rows, instead of all the others */
    scree__packed_sweep *packed;   /* of genotypes, instead */
    double *y;                     /* of these N×width: Cq */
    scree__team_tree *tree;        /* of the sweep at work, where several processes share the rows: */
    int64_t range;                 /* at work, the first of so many of rows in memory */
    int64_t at_once;
    const double *q;
    int64_t b;
};

/* One more pass is over. */
scree_status scree__sweep_report(const scree__sweeps *all, scree_error *error);
/* Rows to the product of the sweep, dense and sparse ones. */
scree_status scree__sweep_visit(void *context, const scree__batch *batch, scree_error *error);
scree_status scree__sweep_visit_entries(void *context, const scree__batch *batch, scree_error *error);
/* Rows that were kept in a pass are all that there are: multiplied where they lie from now on. */
scree_status scree__sweep_use_kept(scree__sweep *s, scree_error *error);

/* W = CᵀCq by all processes. */
scree_status scree__sweep_apply_together(scree__sweep *s, const double *q, int64_t b, double *image,
                                         scree_error *error);

#endif
