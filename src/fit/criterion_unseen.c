/* SPDX-License-Identifier: BSD-3-Clause */
/* The two criteria that judge by data not seen, as the folds gave them (select_unseen.c): the mean log-likelihood of
 * rows that were not fitted, and the squared error of cells predicted from other rows and other columns. */

#include "fit/criterion.h"

#include <stdio.h>
#include <string.h>

static bool is_there(const scree__spectrum *s, const double *values, char *reason)
{
    if (!values)
        snprintf(reason, SCREE__REASON, "%s", s->unseen);
    return values;
}

static bool heldout_defined(const scree__spectrum *s, char *reason)
{
    return is_there(s, s->heldout, reason);
}

static bool bicross_defined(const scree__spectrum *s, char *reason)
{
    return is_there(s, s->bicross, reason);
}

static scree_status heldout(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    memcpy(value, s->heldout, (size_t)(s->max_components + 1) * sizeof *value);
    return SCREE_OK;
}

static scree_status bicross(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    memcpy(value, s->bicross, (size_t)(s->max_components + 1) * sizeof *value);
    return SCREE_OK;
}

const scree__criterion scree__criterion_heldout = {.name = "heldout",
                                                   .title = "log-likelihood of rows held out",
                                                   .rule = "largest",
                                                   .votes = true,
                                                   .defined = heldout_defined,
                                                   .evaluate = heldout,
                                                   .choose = scree__choose_largest};

const scree__criterion scree__criterion_bicross = {.name = "bicross",
                                                   .title = "bi-cross-validation",
                                                   .rule = "smallest",
                                                   .votes = true,
                                                   .defined = bicross_defined,
                                                   .evaluate = bicross,
                                                   .choose = scree__choose_smallest};
