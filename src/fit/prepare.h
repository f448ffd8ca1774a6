/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PREPARE_H
#define SCREE_FIT_PREPARE_H

/* What is done to rows before a fit sees them: divided by their sums, logarithms taken, columns chosen. */

#include "data/source.h"

struct scree_model;

typedef struct scree__preparing {
    double normalize; /* as in scree_fit_options */
    bool log1p;
    int64_t top_variance;
    const double *scales; /* of all columns of the source; NULL: none are given */
    const scree_run *run;
    bool shape_only; /* for plans: nothing is read, and any columns will do */
} scree__preparing;

/* The rows as the fit is to see them. Zeroed: nothing is open. */
typedef struct scree__prepared {
    scree_source *rows; /* the source itself, or the last of those around it */
    scree_source *source;
    scree_source *changed; /* divided by sums, logarithms, or both; NULL: neither */
    scree_source *chosen;  /* some columns of these; NULL: all */
    double target;         /* what rows are brought to in sum; 0: they are not */
    bool log1p;
    int64_t *kept;  /* the columns that were chosen, ascending; NULL: all */
    double *scales; /* of these; NULL: there are none */
    int passes;     /* over the rows before those of the fit */
} scree__prepared;

/* The source is borrowed, and must outlive what is prepared. */
scree_status scree__prepare(scree__prepared *prepared, scree_source *source, const scree__preparing *how,
                            scree_error *error);
/* What a model of the prepared rows has to know, so that it takes rows as they come. */
scree_status scree__prepared_tell(const scree__prepared *prepared, scree_model *model, scree_error *error);
void scree__prepared_close(scree__prepared *prepared); /* safe on a zeroed struct */

/* The count columns of largest variance, ascending, of those that vary alike the first; *index is the caller's to
 * free. One pass; missing cells are passed over. */
scree_status scree__top_variance(int64_t **index, int64_t count, scree_source *source, const scree_run *run,
                                 scree_error *error);

#endif
