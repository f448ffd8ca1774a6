/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_IN_MODEL_H
#define SCREE_VIEW_IN_MODEL_H

/* Cells as the model's own numbers are: their logarithms where it was fitted to log(1 + x). */

#include "scree.h"

#include <math.h>

static inline double scree__in_model(const scree_model_view *view, double x)
{
    return view->log1p ? log1p(x) : x;
}

#endif
