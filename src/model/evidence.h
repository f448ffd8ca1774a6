/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_EVIDENCE_H
#define SCREE_MODEL_EVIDENCE_H

/* What a fit without gaps knows of how many rows bear out that they lie in a plane, or that a column never varies
 * (kernel/witnesses.h). See evidence.c. */

#include "model/fields.h"
#include "model/model.h"

struct scree__evidence {
    int64_t d;
    int64_t distinct; /* rows that differ from each other */
    int64_t alone;    /* those that are the only one to differ from the others in some column */
    int64_t count;    /* columns that vary, but in fewer than SCREE__WITNESSES_ENOUGH of these */
    int64_t *columns; /* count, ascending */
    double *values;   /* count: what the other rows have there, as questions load rows: (x - µ)/scale */
    double *places;   /* D: the same for each column; NaN where a column varies in enough rows */
};

/* Room for so many columns, and nothing in it. */
scree_status scree__evidence_new(scree__evidence **out, int64_t count, int64_t d, scree_error *error);
void scree__evidence_free(scree__evidence *evidence); /* NULL-safe */
/* Once columns and values are set. */
void scree__evidence_settle(scree__evidence *evidence);
/* In the model's view. */
void scree__evidence_show(scree_model *model);
scree_status scree__evidence_copy(scree_model *to, const scree_model *from, scree_error *error);
void scree__evidence_save(const scree_model *model, scree__draft *draft);
scree_status scree__evidence_load(const scree__safetensors *file, scree_model *model, scree_error *error);

/* That of a view with arrays, for a model that is made of it. */
scree_status scree__evidence_adopt(scree_model *model, const scree_model_view *arrays, scree_error *error);

/* Whether y differs from nearly all fitted rows in a column in which only a few fitted rows differ: too few to say how
 * such rows behave. */
bool scree__evidence_is_rare(const scree_model *model, const double *y, int64_t column);

/* Whether rows were enough to say that all rows lie in a plane of so many directions, where no relations between
 * columns are known: five different rows a direction, and no column that varies in a few of them only. */
bool scree__evidence_of_plane(const scree_model *model, int64_t directions);

/* Different rows over all, where many repeat others; else 1. */
double scree__evidence_share(const scree_model *model);

/* How likely a new row is to differ in a column that never varied; 0: there is no reason to think that one can, as no
 * column varies in a few rows only. */
double scree__evidence_chance(const scree_model *model);

#endif
