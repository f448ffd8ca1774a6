/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_STATE_STATE_PARCEL_H
#define SCREE_STATE_STATE_PARCEL_H

/* What states and ranges of rows have come to, as arrays of doubles that a fixed tree joins (data/team.h), and that
 * processes send each other; see state_parcel.c. */

#include "state/state.h"

typedef struct scree__state_shape {
    scree_state like; /* its method, columns, rank, half-life and threads; nothing of it is owned */
    bool in_order;    /* the rows of the second of two have come after those of the first, which fade by then */
} scree__state_shape;

scree__state_shape scree__state_shape_of(const scree_state *state, int threads, bool in_order);

/* rows, weight, lost, height; mean (D), rest (D), squares (D) where the method has them, the matrix. */
int64_t scree__state_parcel_doubles(const scree__state_shape *shape);
void scree__state_parcel_fill(const scree__state_shape *shape, const scree__tally *tally, double *parcel);
scree__tally scree__state_parcel_tally(const scree__state_shape *shape, double *parcel); /* lent */

/* For scree__team_tree_new, with the shape. */
scree_status scree__state_parcel_join(void *shape, double *into, double *from, scree_error *error);

#endif
