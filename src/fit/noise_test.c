/* SPDX-License-Identifier: BSD-3-Clause */
/* What m components leave is noise of n-m rows and d-m directions, whose largest eigenvalue follows the Tracy-Widom law
 * (white_noise.c; its level as in Kritchman and Nadler 2008). O(m). */

#include "fit/noise_test.h"

#include "fit/criterion.h"
#include "model/white_noise.h"

#include <math.h>

enum { ROUNDS = 20 };

double scree__noise_variance(const double *values, int64_t m, double left, double n, double d)
{
    const scree__noise_beside beside = {.values = values, .m = m, .left = left, .directions = d - (double)m, .n = n};
    return beside.directions > 0 && left > 0 && n > (double)m ? scree__noise_level(&beside, 0, ROUNDS) : 0;
}

double scree__noise_log_chance(const double *values, int64_t m, double left, double n, double d)
{
    const double rows = n - (double)m;
    const double directions = d - (double)m;
    const double noise = scree__noise_variance(values, m, left, n, d);
    double centre;
    double scale;
    if (!(rows > 1.5 && directions > 1.5 && noise > 0))
        return NAN;
    scree__noise_largest(rows, directions, &centre, &scale);
    return scree__log_tracy_widom_tail((n * values[m] / noise - centre) / scale);
}
