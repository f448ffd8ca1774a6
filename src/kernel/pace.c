/* SPDX-License-Identifier: BSD-3-Clause */
/* The pace of an iteration, counted in columns that its operator is applied to.
 *
 * A look at Ritz pairs costs more than a step, so that there are few: the next one is where the residuals, falling as
 * they did between the last two, come near the goal. They fall ever faster, so that it is taken somewhat earlier.
 *
 * An iteration does not know the spectrum before, and so not how long it takes. Another way with a known cost bounds
 * it: when as much has been spent as that costs and half of it is still to come, or half of it was spent and twice of
 * it is to come, the other way is taken; in any case when twice of it was spent. So no spectrum makes a fit much more
 * than three times as dear as the better way.
 * All is counted, nothing timed: the same data go the same way. */

#include "kernel/pace.h"

#include <math.h>

static const double EARLY = 0.7;    /* of the columns that seem to be left */
static const double FARTHEST = 0.5; /* of the columns so far: a guess is not trusted beyond */

scree__pace scree__pace_from(int64_t first_look)
{
    return (scree__pace){.left = HUGE_VAL, .next = first_look};
}

void scree__pace_look(scree__pace *p, int64_t columns, int64_t step, double excess)
{
    const double rate = p->seen > 0 ? log(p->excess / excess) / (double)(columns - p->seen) : 0;
    double ahead = (double)step;
    p->left = HUGE_VAL;
    if (excess <= 1)
        p->left = 0;
    else if (rate > 0 && isfinite(rate)) {
        p->left = log(excess) / rate;
        ahead = fmin(EARLY * p->left, FARTHEST * (double)columns);
    }
    p->seen = columns;
    p->excess = excess;
    p->next = columns + (ahead > (double)step ? (int64_t)ahead : step);
}

bool scree__pace_gives_way(const scree__pace *p, double worth)
{
    const double spent = (double)p->seen;
    if (!(worth > 0))
        return false;
    return (spent >= worth && p->left > 0.5 * worth) || (spent >= 0.5 * worth && p->left > 2 * worth) ||
           (spent >= 2 * worth && p->left > 0);
}
