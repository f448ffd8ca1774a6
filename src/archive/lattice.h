/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_LATTICE_H
#define SCREE_ARCHIVE_LATTICE_H

/* Which lattice cells lie on, or may be moved to. */

#include "archive/arithmetic.h"

/* What all cells of a block have in common. */
typedef struct scree__cell_range {
    scree_type type;
    double grid;  /* all finite cells are whole numbers over this power of ten; 0: not */
    double least; /* of the finite cells; least > largest: there is none */
    double largest;
} scree__cell_range;

/* Cells on the coarsest power of ten from *grid on; *grid becomes 0 when there is none. */
void scree__grid_fit(double *grid, const double *row, int64_t cols, scree_type type);

/* The lattice that keeps cells within an error; 0: exactly, and false when no lattice can. */
bool scree__lattice_find(scree__lattice *lattice, const scree__cell_range *range, double max_error);

#endif
