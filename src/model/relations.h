/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_RELATIONS_H
#define SCREE_MODEL_RELATIONS_H

/* Linear relations between columns that held in all rows that were fitted, exactly or nearly. With y = (x - µ)/scale,
 * as questions load rows,
 *
 *     y_p = b + Σ_j a_j y_j + e
 *
 * where no j is such a p, and e is rounding, or has a variance. kernel/dependent.h finds them. */

#include "model/fields.h"
#include "model/model.h"

struct scree__relations {
    int64_t d;
    int64_t count;
    int64_t loose;        /* after them: exact in the few rows in which their columns vary, and no more than that */
    int64_t *columns;     /* count, and loose: p, ascending */
    double *coefficients; /* (count + loose)×D: a */
    double *offsets;      /* count, and loose: b */
    double *variances;    /* count, and loose: of e; 0: the relation is exact */
    int64_t *decimals;    /* D: that the fitted cells of a column have at most; -1: many, or not known */
    scree_relations_view view;
};

/* Room for so many, and nothing in it. */
scree_status scree__relations_new(scree__relations **out, int64_t count, int64_t loose, int64_t d, scree_error *error);
void scree__relations_free(scree__relations *relations); /* NULL-safe */
scree_status scree__relations_copy(scree_model *to, const scree_model *from, scree_error *error);

/* How many are exact; 0 of NULL. */
int64_t scree__relations_exact(const scree__relations *relations);

void scree__relations_save(const scree_model *model, scree__draft *draft);
scree_status scree__relations_load(const scree__safetensors *file, scree_model *model, scree_error *error);

/* The first exact relation that y breaks by more than rounding; -1: none. missing: D, or NULL; a relation that has a
 * missing cell cannot be told to be broken, and neither can it in a row that differs from nearly all others in a column
 * of it (evidence.h). See relations_row.c. */
int64_t scree__relations_broken(const scree_model *model, const double *y, const uint8_t *missing);

/* The first relation that holds but for errors, from which y is further than errors are; -1: none. */
int64_t scree__relations_strained(const scree_model *model, const double *y);

/* What exact relations say of the observed cells of a row: 0 = b + Σ_j a_j y_j. */
typedef struct scree__equations {
    int64_t count;
    double *a;     /* count×D */
    double *b;     /* count */
    int64_t *from; /* count: a relation that each comes from */
} scree__equations;

/* missing: D. Cleared with scree__equations_clear, safe on a zeroed struct, also after a failure. */
scree_status scree__equations_observed(scree__equations *equations, const scree_model *model, const uint8_t *missing,
                                       scree_error *error);
void scree__equations_clear(scree__equations *equations);
/* A relation whose equation y breaks; -1: none. */
int64_t scree__equations_broken(const scree__equations *equations, const scree_model *model, const double *y);

/* count×D: orthonormal directions in which the exact relations let no row vary, or none of the fitted ones, the loose
 * ones among them. *count: how many. */
scree_status scree__relations_directions(double **out, int64_t *count, const scree__relations *relations, bool loose,
                                         scree_error *error);

/* Vectors of D, so many, become orthonormal ones of the same span, in place. How many these are. */
int64_t scree__relations_orthonormal(double *units, int64_t count, int64_t d);

#endif
