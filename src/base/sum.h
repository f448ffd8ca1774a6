/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SUM_H
#define SCREE_BASE_SUM_H

/* A long sum, as good for 10⁹ terms as for ten: what rounding takes from each addition is carried along (Neumaier's
 * variant of Kahan's sum). The order of the terms alone decides its bits. */

#include <math.h>

typedef struct scree__sum {
    double sum;
    double lost; /* what rounding has taken from sum */
} scree__sum;

static inline void scree__sum_add(scree__sum *total, double term)
{
    const double sum = total->sum + term;
    total->lost += fabs(total->sum) >= fabs(term) ? (total->sum - sum) + term : (term - sum) + total->sum;
    total->sum = sum;
}

/* An infinite sum stays infinite: what is lost of it is not a number. */
static inline double scree__sum_total(const scree__sum *total)
{
    return isfinite(total->sum) ? total->sum + total->lost : total->sum;
}

#endif
