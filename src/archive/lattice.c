/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid: x is n/10^s for a whole n exactly when dividing gives the very same number, in the element type. What lies on
 * one grid lies on all finer ones, so one pass over the cells, in which the grid only gets finer, finds the coarsest.
 *
 * Cells on a grid come back exactly, or as multiples of an odd number of its steps; others as multiples of twice the
 * error. */

#include "archive/lattice.h"

#include <float.h>
#include <math.h>

enum { MOST_GRID_ERROR = 64 };

static bool is_on(double x, double grid, scree_type type)
{
    const double n = rint(x * grid);
    const double back = type == SCREE_F32 ? (double)(float)(n / grid) : n / grid;
    return back == x && fabs(n) <= 0x1p46;
}

void scree__grid_fit(double *grid, const double *row, int64_t cols, scree_type type)
{
    const double finest = type == SCREE_F64 ? 1e9 : 1e6;
    for (int64_t j = 0; *grid > 0 && j < cols; j++)
        while (*grid > 0 && isfinite(row[j]) && !is_on(row[j], *grid, type))
            *grid = *grid < finest ? *grid * 10 : 0;
}

/* Between neighbouring numbers of the type, at x. */
static double gap_at(double x, scree_type type)
{
    return type == SCREE_F32 ? fabs(x) * (double)FLT_EPSILON : fabs(x) * DBL_EPSILON;
}

bool scree__lattice_find(scree__lattice *lattice, const scree__cell_range *range, double max_error)
{
    const bool any = range->least <= range->largest;
    const double gap = any ? gap_at(fmax(fabs(range->least), fabs(range->largest)), range->type) : 0;
    const double grid = range->grid;
    /* Whole numbers are exact, decimal fractions are not: their differences may be off by a rounding. */
    const double room = grid > 1 ? max_error - 2 * gap : max_error;
    const double steps = room > 0 ? floor(room * grid) : 0;
    *lattice = (scree__lattice){.type = range->type, .element = range->element};
    if (grid > 0 && (range->type == SCREE_U8 || steps < MOST_GRID_ERROR)) {
        lattice->grid = grid;
        lattice->low = any ? rint(range->least * grid) : 0;
        lattice->high = any ? rint(range->largest * grid) : 0;
        lattice->width = 2 * fmin(steps, UINT8_MAX + MOST_GRID_ERROR) + 1;
        lattice->bound = steps == 0 ? 0 : grid > 1 ? nextafter(max_error, 0) : max_error;
        return true;
    }
    lattice->width = fmax(2 * fmin(max_error, DBL_MAX / 4) - gap, fmin(max_error, DBL_MAX / 4));
    lattice->bound = nextafter(max_error, 0); /* what differs by no more, as doubles subtract, is within max_error */
    return max_error > 0 && lattice->bound > 0;
}
