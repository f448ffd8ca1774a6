/* SPDX-License-Identifier: BSD-3-Clause */
/* Long division in digits of 32 bits until there are more bits than a double holds; what remains only decides ties, and
 * is noted in the lowest bit. Then one rounding. */

#include "kernel/integer_quotient.h"

#include <math.h>

enum { DIGIT = 32, ENOUGH = 55 }; /* bits: of a digit; 53, one to round by, and one that says whether more follow */

double scree__wide_quotient(scree__wide dividend, scree__wide divisor)
{
    const unsigned __int128 by = (unsigned __int128)divisor;
    const unsigned __int128 of = dividend < 0 ? -(unsigned __int128)dividend : (unsigned __int128)dividend;
    unsigned __int128 quotient = of / by;
    unsigned __int128 rest = of % by;
    int shift = 0;
    while (rest != 0 && quotient >> ENOUGH == 0) {
        rest <<= DIGIT;
        quotient = quotient << DIGIT | rest / by;
        rest %= by;
        shift += DIGIT;
    }
    const double nearest = ldexp((double)(quotient | (rest != 0)), -shift);
    return dividend < 0 ? -nearest : nearest;
}
