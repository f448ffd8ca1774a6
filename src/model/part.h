/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_PART_H
#define SCREE_MODEL_PART_H

/* The covariance of the columns that a row with gaps has observed, as far as a model knows it: see part.c. */

#include "model/gaps.h"
#include "model/model_law.h"

/* What all rows share. */
typedef struct scree__parts {
    const scree_model_view *model; /* with all components that were kept */
    int64_t known;                 /* K: directions */
    double *values;                /* K: variances along them */
    const double *directions;      /* K×D */
    double *own_directions;        /* where there are spare ones among them; or NULL */
    double *noise;                 /* D: Ψ, variances of the noise beyond them */
    double *middle;                /* K×K: A */
    int64_t related;               /* R: exact relations between columns */
    double *relations;             /* R×D: orthonormal directions that they leave no row */
    double reach;                  /* see scree__part */
    double edge;                   /* the largest variance of a direction that is none of the components, about */
    double links;                  /* Σ of squared covariances of columns beyond them, of other noise */
} scree__parts;

/* For a distribution of so many latent dimensions. */
scree_status scree__parts_make(scree__parts *parts, const scree_model *kept, int64_t latent, bool fitted,
                               scree_error *error);
void scree__parts_clear(scree__parts *parts); /* safe on a zeroed struct */

/* Of one row, in one allocation. */
typedef struct scree__part_row {
    scree__part part;
    double *axes;    /* r×o: orthonormal */
    double *codes;   /* r, of the row */
    double *gains;   /* r + 1, of columns scaled anew */
    double q;        /* what the row has beyond the axes, its square */
    int64_t *places; /* of the o columns among those observed: all that vary */
    double *memory;
} scree__part_row;

/* The covariance of the observed columns, and a row in it: x as in gaps.h. */
scree_status scree__part_find(scree__part_row *row, const scree__parts *parts, const scree__gaps *gaps, const double *x,
                              scree_error *error);
/* Codes, gains and q with the row among those that scaled the columns. */
void scree__part_rescale(scree__part_row *row, const scree__gaps *gaps, const double *x);
void scree__part_clear(scree__part_row *row); /* safe on a zeroed struct */

/* What one row works with. */
typedef struct scree__part_desk {
    int64_t o;      /* observed columns */
    int64_t r;      /* axes */
    int64_t k;      /* directions */
    double *u;      /* K×o */
    double *b;      /* K×o: Ψ times these */
    double *noise;  /* o */
    double *image;  /* max(r, 1)×o */
    double *turned; /* 2 rK */
    double *square; /* 5 max(r, K)² */
    double *values; /* r */
} scree__part_desk;

/* How many relations hold between the observed columns: see part_relations.c. */
scree_status scree__part_related(int64_t *related, const scree__parts *parts, const scree__gaps *gaps,
                                 scree_error *error);

/* The sum and the squares of a part: see part_rest.c; the directions are used up. 0, or what the BLAS wrapper
 * returned. */
int scree__part_rest(scree__part *part, const scree__parts *parts, const scree__part_desk *desk, const double *axes);

#endif
