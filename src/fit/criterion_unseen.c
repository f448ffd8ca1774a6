/* SPDX-License-Identifier: BSD-3-Clause */
/* The two criteria that judge by data not seen, as the folds gave them (select_unseen.c): the mean log-likelihood of
 * rows that were not fitted, and the squared error of cells predicted from other rows and other columns. */

#include "fit/criterion.h"

#include <math.h>
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

/* It sees half of the columns, or of the rows: where the error still falls at the last M that they allow, more might be
 * better, and that M is no choice. */
static int64_t choose_smallest_within(const scree__spectrum *s, const double *value)
{
    const int64_t best = scree__choose_smallest(s, value);
    return best >= 0 && best < s->max_components && isnan(value[best + 1]) ? -1 : best;
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
                                                   .silence = "it sees half of the table, and the error falls to "
                                                              "the last number that this allows",
                                                   .votes = true,
                                                   .defined = bicross_defined,
                                                   .evaluate = bicross,
                                                   .choose = choose_smallest_within};
