/* SPDX-License-Identifier: BSD-3-Clause */
/* The decimals of a number: the least k with which 10^k x is whole, up to what rounding made of it. That tells
 * something only while the doubt in 10^k x is far below 1, or any number would be whole. */

#include "kernel/decimals.h"

#include <math.h>

static const double TELLING = 1e-3; /* of a unit: the doubt */

int64_t scree__decimals(double x, double doubt, int64_t least)
{
    double power = pow(10, (double)least);
    for (int64_t k = least; least >= 0 && k <= SCREE__DECIMALS_MOST && doubt * power < TELLING; k++) {
        if (fabs(x * power - nearbyint(x * power)) <= doubt * power)
            return k;
        power *= 10;
    }
    return -1;
}
