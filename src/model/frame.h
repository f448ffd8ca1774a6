/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_FRAME_H
#define SCREE_MODEL_FRAME_H

/* The way of one cell into a model, y = (f(x) - µ)/scale, and out of it; f(x) is x, or log(1 + x) where the model has
 * that. */

#include "base/error.h"

#include <math.h>

/* log(1 + x); -∞ for all that has none, and NaN for a gap. */
static inline double scree__log1p(double x)
{
    return x > -1 || isnan(x) ? log1p(x) : -HUGE_VAL;
}

static inline double scree__frame_enter(const scree_model_view *view, int64_t j, double x)
{
    const double value = view->log1p ? scree__log1p(x) : x;
    return (value - view->mean[j]) / (view->scale ? view->scale[j] : 1);
}

/* y·scale + µ, and back from the logarithm. */
static inline double scree__frame_leave(const scree_model_view *view, int64_t j, double y)
{
    const double value = y * (view->scale ? view->scale[j] : 1) + view->mean[j];
    return view->log1p ? expm1(value) : value;
}

/* The standard deviation of a cell that is normal in the model with centre y and deviation sd: of a logarithm, that of
 * the log-normal cell. */
static inline double scree__frame_deviation(const scree_model_view *view, int64_t j, double y, double sd)
{
    const double scale = view->scale ? view->scale[j] : 1;
    const double s = sd * scale;
    return view->log1p ? exp(y * scale + view->mean[j] + s * s / 2) * sqrt(expm1(s * s)) : s;
}

/* Rows of D, as they left the model but for the logarithm. */
void scree__frame_expand(const scree_model_view *view, double *x, int64_t rows);

#endif
