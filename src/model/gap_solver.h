/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_GAP_SOLVER_H
#define SCREE_MODEL_GAP_SOLVER_H

/* How a distribution solves rows with gaps: one object a thread, of which only the kind knows what is in it. A pattern
 * of gaps is solved, then the rows that have it are filled; the questions of the same kind (density.h) read the rest
 * from the object. What is computed of a row depends on that row and on what the model is, never on other rows. That of
 * probabilistic PCA is in gaps.h. */

#include "base/error.h"

typedef struct scree__gap_solver {
    /* *gaps may be set on failure: it is closed. */
    scree_status (*open)(void **gaps, const scree_model *model, scree_error *error);
    void (*close)(void *gaps); /* safe on NULL */
    /* missing: D, 1 for a gap. whole: more is asked for than the row filled. Costs nothing when the pattern is the one
     * solved last. */
    scree_status (*solve)(void *gaps, const uint8_t *missing, bool whole, scree_error *error);
    /* x: D, (x - µ)/scale; its missing cells receive E[x_m|x_o]. */
    void (*fill)(void *gaps, double *x);
} scree__gap_solver;

#endif
