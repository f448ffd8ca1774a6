/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a range code, and the bytes that a carry may still change: a run of 255s is held back with the byte
 * before it until it is known whether there is one. The first byte is always 0, and is left out, and so are zeros at
 * the end. */

#include "archive/range.h"

#define RATE(n) (uint16_t)(16384 / (2 * (n) + 3))
#define RATES4(n) RATE(n), RATE((n) + 1), RATE((n) + 2), RATE((n) + 3)
#define RATES16(n) RATES4(n), RATES4((n) + 4), RATES4((n) + 8), RATES4((n) + 12)
#define RATES64(n) RATES16(n), RATES16((n) + 16), RATES16((n) + 32), RATES16((n) + 48)

const uint16_t scree__range_rates[SCREE__RANGE_SLOWEST + 1] = {RATES64(0), RATES64(64), RATES64(128), RATES64(192)};

void scree__range_write(scree__range *r, unsigned char *to, int64_t size)
{
    *r = (scree__range){.at = to, .end = to + size, .range = UINT32_MAX, .pending = 1, .first = true};
}

int64_t scree__range_finish(scree__range *r, const unsigned char *to)
{
    for (int i = 0; i < 5; i++)
        scree__range_shift(r);
    for (int i = 0; i < SCREE__RANGE_ZEROS && r->at > to && r->at[-1] == 0; i++)
        r->at--;
    return r->at - to;
}

void scree__range_read(scree__range *r, const unsigned char *from, int64_t size)
{
    *r = (scree__range){.at = (unsigned char *)from, .end = (unsigned char *)from + size, .range = UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        r->value = r->value << 8 | (r->at < r->end ? *r->at : 0U);
        r->at++;
    }
}
