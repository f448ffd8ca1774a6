/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of scales that columns are divided by: one list makes the words of model files, and one question tells
 * standard deviations, which make every variance 1, from scales that leave variances as different as they are. */

#include "model/scaling.h"

#include <string.h>

static const char *const names[] = {
    [SCREE_SCALE_NONE] = "none",     [SCREE_SCALE_UNIT] = "unit",   [SCREE_SCALE_RANGE] = "range",
    [SCREE_SCALE_PARETO] = "pareto", [SCREE_SCALE_GIVEN] = "given", [SCREE_SCALE_BINOMIAL] = "binomial"};

const char *scree__scaling_name(scree_scale scaling)
{
    return names[scaling];
}

bool scree__scaling_named(const char *name, scree_scale *scaling)
{
    for (int i = SCREE_SCALE_NONE; i <= SCREE_SCALE_BINOMIAL; i++) {
        if (strcmp(names[i], name) == 0) {
            *scaling = (scree_scale)i;
            return true;
        }
    }
    return false;
}

bool scree__is_standardised(const scree_model_view *view)
{
    return view->scale && (view->scaling == SCREE_SCALE_UNIT || view->scaling == SCREE_SCALE_NONE);
}
