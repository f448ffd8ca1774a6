/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_FEW_CELLS_H
#define SCREE_FIT_FEW_CELLS_H

/* Columns whose variance is that of a few cells, such as those that are nearly always 0: what is fitted to single cells
 * predicts nothing. With z the centred cells of a column, (Σz²)²/Σz⁴ of them count, and these are few when they are
 * fewer than 8 and than one of 30. */

#include <stdbool.h>

/* count: the cells of the column; squares, fourths: Σz², Σz⁴. */
static inline bool scree__few_cells(double count, double squares, double fourths)
{
    const double counting = fourths > 0 ? squares * squares / fourths : 0;
    return counting < 8 && counting * 30 < count;
}

#endif
