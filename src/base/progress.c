/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a pass: how much of it is done, and how long it and those after it will take, by how long it has
 * taken so far. */

#include "base/progress.h"

#include <time.h>

double scree__seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

scree_status scree__progress_tell(const scree_run *run, scree_progress p, double began, scree_error *error)
{
    if (!run || !run->progress)
        return SCREE_OK;
    p.size = sizeof p;
    p.done = p.rows_total > 0 ? (double)p.rows / (double)p.rows_total : -1;
    p.seconds_left = -1;
    if (began > 0 && p.passes > 0 && p.done > 0)
        p.seconds_left = (scree__seconds() - began) * (p.passes - p.pass + 1 - p.done) / p.done;
    return run->progress(run->progress_context, &p) == 0 ? SCREE_OK
                                                         : scree__fail(error, SCREE_ERR_CANCELLED, "cancelled");
}
