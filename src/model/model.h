/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_MODEL_H
#define SCREE_MODEL_MODEL_H

/* A model: what a fit found, complete, so that every answer needs the model and the row and nothing else.
 * Fits make one with scree__model_new, fill its arrays through the pointers here, and call scree__model_settle once. */

#include "base/error.h"
#include "model/rest.h"

typedef struct scree__relations scree__relations;
typedef struct scree__evidence scree__evidence;

/* What is proven of the components: M each. */
typedef struct scree__bounds {
    double *residuals;
    double *gaps;
    double *eigenvalue_bounds;
    double *angle_bounds;
    int64_t *cluster_first;
    int64_t *cluster_last;
} scree__bounds;

/* Whether those of component i of m are numbers that can be. Only a gap may be infinite: that of a component with
 * nothing beside it. */
bool scree__bounds_are_possible(const scree__bounds *bounds, int64_t i, int64_t m);

struct scree_model {
    scree_model_view view; /* what the user sees; its pointers are the ones below */
    char *solver;
    double *mean;        /* D */
    double *mean_rest;   /* D: what it has lost by rounding, where that matters; or NULL */
    double *scale;       /* D or NULL */
    double *variances;   /* D */
    double *eigenvalues; /* M */
    double *components;  /* M×D */
    scree__bounds bounds;
    scree__rest rest;                      /* eigenvalues beyond those, as far as the fit knew them */
    double *spare_values;                  /* view.spare_count: components that are not kept, but known (spare.c) */
    double *spare_components;              /* view.spare_count×D */
    char **columns;                        /* D or NULL */
    const char *stopped;                   /* one of scree__model_reasons, or NULL */
    const struct scree__kind *kind;        /* what it can answer (kind.h) */
    void *data;                            /* of the kind, which owns it */
    struct scree_model *distribution;      /* with view.latent components, owned; NULL: the model itself (latent.c) */
    char *name;                            /* the file it was read from, for messages; NULL: none */
    struct scree__sampling_kept *sampling; /* of kinds whose components are in order (sampling.h) */
    struct scree__bootstrap *bootstrap;    /* NULL: there was none (bootstrap.h) */
    struct scree__imputer *imputer;        /* NULL: gaps are filled from the components (imputer.h) */
    int64_t *kept_columns;                 /* D: of rows without names, those that are used; NULL: all */
    double *seen;                /* D: rows in which each column was observed; NULL: all, or not known (thin.h) */
    uint8_t *thin;               /* D: columns that were observed too seldom to judge rows by; NULL: none */
    scree__relations *relations; /* NULL: none is known (relations.h) */
    scree__evidence *evidence;   /* NULL: not known (evidence.h) */
};

/* Why an iteration may have stopped, NULL-terminated. */
extern const char *const scree__model_reasons[];
/* The rule of that name, a constant; NULL: there is none. */
const char *scree__model_rule(const char *name);

/* All arrays zeroed; scale allocated when with_scale; columns copied when not NULL. Of the first kind: see
 * scree__model_become. */
scree_status scree__model_new(scree_model **out, int64_t d, int64_t m, const char *solver, bool with_scale,
                              const char *const *columns, scree_error *error);

/* The mean of rows that were counted from an origin (data/wide.h) becomes that of the rows. */
scree_status scree__model_shift(scree_model *model, const double *origin, scree_error *error);

/* Which columns of rows without names are used, from 0, ascending: a copy. NULL: all. */
scree_status scree__model_keep_columns(scree_model *model, const int64_t *columns, scree_error *error);

/* N, and the divisor of the eigenvalues: of the rows of which something was observed. Weights count rows, and empty
 * rows are taken to have their share of them. Of rows that were not centred N + 1, so that N - 1 are always the degrees
 * of freedom. */
double scree__model_rows(const scree_model_view *view);
/* Whether small eigenvalues have kept their digits; up to which one is but rounding, over the first. */
bool scree__model_is_graded(const scree_model_view *view);
double scree__model_rounding(const scree_model_view *view);
double scree__model_divisor(const scree_model_view *view);

/* What follows from the parts: the shape of an image, N unless it is given, and what the kind adds. Call when all else
 * is set. */
scree_status scree__model_settle(scree_model *model, scree_error *error);

#endif
