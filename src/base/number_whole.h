/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_WHOLE_H
#define SCREE_BASE_NUMBER_WHOLE_H

/* Whole numbers in a text that a double may round: nothing but a sign and digits. One with a point or an exponent is a
 * measurement, and the nearest double is as good as it is. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct scree__whole {
    uint64_t magnitude;
    bool negative;
} scree__whole;

/* A sign or none, and digits only. */
bool scree__is_whole_text(const char *text, const char *end);

/* Whether the double that was read from a text may be another number than the text says. */
static inline bool scree__may_be_rounded(const char *text, const char *end, double value)
{
    return fabs(value) >= 0x1p53 && scree__is_whole_text(text, end);
}

/* False: not whole, or more than 64 bits. */
bool scree__whole_parse(scree__whole *whole, const char *text, const char *end);

/* Of any length: the double that was read from it is the number itself. */
bool scree__whole_is_double(const char *text, const char *end, double value);

#endif
