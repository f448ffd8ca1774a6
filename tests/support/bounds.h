/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_BOUNDS_H
#define SCREE_TESTS_BOUNDS_H

/* Room for what is proven of a few components, where tests ask for it without a model. */

#include "model/model.h"

enum { BOUNDS_MOST = 6 };

typedef struct bounds_found {
    double residuals[BOUNDS_MOST];
    double gaps[BOUNDS_MOST];
    double eigenvalue_bounds[BOUNDS_MOST];
    double angle_bounds[BOUNDS_MOST];
    int64_t cluster_first[BOUNDS_MOST];
    int64_t cluster_last[BOUNDS_MOST];
} bounds_found;

static inline scree__bounds bounds_into(bounds_found *a)
{
    return (scree__bounds){a->residuals,    a->gaps,          a->eigenvalue_bounds,
                           a->angle_bounds, a->cluster_first, a->cluster_last};
}

#endif
