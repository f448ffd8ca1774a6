/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in ascending order; none of them NaN. */

#include "base/sort.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

void scree__sort_doubles(double *x, int64_t count)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
}
