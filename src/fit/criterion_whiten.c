/* SPDX-License-Identifier: BSD-3-Clause */
/* The criterion that does not take noise to be white, as the rows gave it (whiten.c): at M the chance that noise,
 * whitened as M-1 components leave it, has an eigenvalue as large as the next one. */

#include "fit/criterion.h"

#include <math.h>
#include <stdio.h>

static bool defined(const scree__spectrum *s, char *reason)
{
    if (!s->whitened.log_chance)
        snprintf(reason, SCREE__REASON, "%s", s->unwhitened);
    return s->whitened.log_chance;
}

static scree_status evaluate(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    for (int64_t m = 0; m <= s->max_components; m++)
        value[m] = exp(s->whitened.log_chance[m]);
    return SCREE_OK;
}

static int64_t choose(const scree__spectrum *s, const double *value)
{
    (void)value;
    return s->whitened.choice;
}

const scree__criterion scree__criterion_whiten = {.name = "whiten",
                                                  .title = "Tracy and Widom's test of whitened noise",
                                                  .rule = "eigenvalues with a chance below 1 %",
                                                  .silence = "each number that can be believed leaves more than noise",
                                                  .votes = true,
                                                  .defined = defined,
                                                  .evaluate = evaluate,
                                                  .choose = choose};
