/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_RANGE_H
#define SCREE_ARCHIVE_RANGE_H

/* Binary range coding (Martin 1979; with the carry of LZMA) by probabilities that learn: a chance is a probability of
 * 22 bits and a count of 10, and moves towards each bit by 1/(count + 1.5), so that few bits teach it quickly and many
 * slowly. Integers alone: decoder and encoder come to the same. About five nanoseconds a bit.
 *
 * One text serves both directions: scree__range_bit takes the bit to be written, or returns the bit that was. */

#include "base/error.h"

enum { SCREE__RANGE_SLOWEST = 255, SCREE__RANGE_ZEROS = 4 /* that may be left out at the end */ };

typedef uint32_t scree__chance; /* that a bit is 1 */

static const scree__chance scree__chance_even = UINT32_C(1) << 31;

typedef struct scree__range {
    unsigned char *at; /* next byte to write or to read */
    unsigned char *end;
    uint64_t low;
    uint32_t range;
    uint32_t value;   /* read: what is left of the bytes taken in */
    uint64_t pending; /* written: bytes that a carry may still change */
    unsigned char cache;
    bool first; /* written: the byte that is left out is still to come */
    bool over;  /* written: there was no room; read: more was asked for than there is */
} scree__range;

/* Writes at most size bytes; more sets over, and nothing is written any more. */
void scree__range_write(scree__range *r, unsigned char *to, int64_t size);
/* The last bytes; returns how many there are in all. */
int64_t scree__range_finish(scree__range *r, const unsigned char *to);
/* Reads; behind the last byte there are zeros, and more than a few of them set over. */
void scree__range_read(scree__range *r, const unsigned char *from, int64_t size);

/* 2¹⁴/(2n + 3) */
extern const uint16_t scree__range_rates[SCREE__RANGE_SLOWEST + 1];

#define SCREE__RANGE_INLINE static inline __attribute__((always_inline))

SCREE__RANGE_INLINE void scree__range_put(scree__range *r, unsigned byte)
{
    if (r->first)
        r->first = false;
    else if (r->at < r->end)
        *r->at++ = (unsigned char)byte;
    else
        r->over = true;
}

SCREE__RANGE_INLINE void scree__range_shift(scree__range *r)
{
    if (r->low < UINT64_C(0xff000000) || r->low >> 32) {
        const unsigned carry = (unsigned)(r->low >> 32);
        scree__range_put(r, r->cache + carry);
        for (; r->pending > 1; r->pending--)
            scree__range_put(r, 0xff + carry);
        r->cache = (unsigned char)(r->low >> 24);
        r->pending = 0;
    }
    r->pending++;
    r->low = (r->low & 0xffffff) << 8;
}

SCREE__RANGE_INLINE void scree__range_next(scree__range *r, bool writing)
{
    while (r->range < UINT32_C(1) << 24) {
        r->range <<= 8;
        if (writing) {
            scree__range_shift(r);
        } else {
            r->over = r->over || r->at - r->end > SCREE__RANGE_ZEROS;
            r->value = r->value << 8 | (r->at < r->end ? *r->at : 0U);
            r->at++;
        }
    }
}

SCREE__RANGE_INLINE unsigned scree__range_bit(scree__range *r, bool writing, scree__chance *chance, unsigned bit)
{
    const uint32_t c = *chance;
    const uint32_t bound = (r->range >> 16) * (c >> 16 | 1U);
    const uint32_t count = c & 1023U;
    if (!writing)
        bit = r->value < bound;
    if (bit) {
        r->range = bound;
    } else {
        if (writing)
            r->low += bound;
        else
            r->value -= bound;
        r->range -= bound;
    }
    const int32_t off = (int32_t)(bit << 22) - (int32_t)(c >> 10);
    *chance = c + (((uint32_t)((off >> 3) * (int32_t)scree__range_rates[count])) & ~UINT32_C(1023)) +
              (count < SCREE__RANGE_SLOWEST);
    scree__range_next(r, writing);
    return bit;
}

/* Bits that are as often 0 as 1, at most 16 of them. */
SCREE__RANGE_INLINE uint32_t scree__range_plain(scree__range *r, bool writing, int bits, uint32_t value)
{
    const uint32_t part = r->range >> bits;
    if (!writing) {
        value = r->value / part;
        value = value >> bits ? (1U << bits) - 1 : value;
        r->value -= value * part;
    } else {
        r->low += (uint64_t)part * value;
    }
    r->range = part;
    scree__range_next(r, writing);
    return value;
}

#endif
