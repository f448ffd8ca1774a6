/* SPDX-License-Identifier: BSD-3-Clause */
/* Range asymmetric numeral systems (Duda 2009): a symbol of frequency f of 2¹², whose slots begin at b, turns a state x
 * into 2¹²⌊x/f⌋ + b + x mod f, which is larger by -log₂(f/2¹²) bits; what does not fit 32 bits goes out in words of 16.
 * Decoding undoes it in the opposite order, so encoding goes from the last symbol to the first. Four states take turns,
 * so that four chains of multiplications run side by side. A symbol costs some nanoseconds either way.
 *
 * Frequencies are packed as Elias gamma codes of f + 1: about one bit for each symbol that does not occur. */

#include "archive/rans.h"

#include "base/memory.h"

#include <string.h>

enum { BITS = 12, SCALE = 1 << BITS, STATES = 4, SYMBOLS = SCREE__RANS_SYMBOLS, RECIPROCAL = 44 };

static const uint32_t lowest = UINT32_C(1) << 16;

/* frequencies sum to SCALE, none that occurs is 0: shares rounded, what is left over goes to the largest. */
static void make_frequencies(const int64_t *counts, int64_t total, uint16_t *frequencies)
{
    int sum = 0;
    int largest = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        const double share = (double)counts[s] / (double)total * SCALE;
        const int rounded = (int)(share + 0.5);
        frequencies[s] = (uint16_t)(counts[s] == 0 ? 0 : rounded > 0 ? rounded : 1);
        sum += frequencies[s];
        largest = counts[s] > counts[largest] ? s : largest;
    }
    /* Rare symbols rounded up may sum to more than the largest can spare: then the next ones give. */
    for (int over = sum - SCALE; over != 0;) {
        if (over < 0 || frequencies[largest] > over) {
            frequencies[largest] = (uint16_t)(frequencies[largest] - over);
            break;
        }
        over -= frequencies[largest] - 1;
        frequencies[largest] = 1;
        for (int s = 0; s < SYMBOLS; s++)
            largest = frequencies[s] > frequencies[largest] ? s : largest;
    }
}

/* ---- the table of frequencies, as bits ---- */

typedef struct bit_writer {
    scree__pack *pack;
    uint32_t held;
    int count;
} bit_writer;

static void put_bit(bit_writer *w, unsigned bit)
{
    w->held |= bit << w->count;
    if (++w->count == 8) {
        scree__pack_u8(w->pack, w->held);
        w->held = 0;
        w->count = 0;
    }
}

static int bits_below_top(unsigned value)
{
    int bits = 0;
    while (value >> (bits + 1))
        bits++;
    return bits;
}

static void put_frequencies(scree__pack *pack, const uint16_t *frequencies)
{
    bit_writer w = {.pack = pack};
    int used = SYMBOLS;
    while (used > 0 && frequencies[used - 1] == 0)
        used--;
    scree__pack_u8(pack, (unsigned)used);
    for (int s = 0; s < used; s++) {
        const unsigned value = frequencies[s] + 1U;
        const int bits = bits_below_top(value);
        for (int i = 0; i < bits; i++)
            put_bit(&w, 0);
        for (int i = bits; i >= 0; i--)
            put_bit(&w, value >> i & 1U);
    }
    while (w.count > 0)
        put_bit(&w, 0);
}

typedef struct bit_reader {
    scree__unpack *unpack;
    unsigned held;
    int count;
} bit_reader;

static unsigned get_bit(bit_reader *r)
{
    if (r->count == 0) {
        r->held = scree__unpack_u8(r->unpack);
        r->count = 8;
    }
    const unsigned bit = r->held & 1U;
    r->held >>= 1;
    r->count--;
    return bit;
}

static void get_frequencies(scree__unpack *unpack, uint16_t *frequencies)
{
    bit_reader r = {.unpack = unpack};
    const int used = (int)scree__unpack_u8(unpack);
    int sum = 0;
    memset(frequencies, 0, SYMBOLS * sizeof *frequencies);
    for (int s = 0; s < used && s < SYMBOLS && !unpack->failed; s++) {
        int bits = 0;
        unsigned value = 1;
        while (bits <= BITS && !unpack->failed && get_bit(&r) == 0)
            bits++;
        for (int i = 0; i < bits && i <= BITS; i++)
            value = value << 1 | get_bit(&r);
        frequencies[s] = (uint16_t)(value - 1);
        sum += frequencies[s] <= SCALE ? frequencies[s] : SCALE + 1;
    }
    unpack->failed = unpack->failed || used > SYMBOLS || sum != SCALE;
}

/* ---- symbols ---- */

typedef struct encoder {
    uint64_t reciprocal;
    uint32_t frequency;
    uint32_t begin;
} encoder;

static void make_encoders(const uint16_t *frequencies, encoder *encoders)
{
    uint32_t begin = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        const uint64_t f = frequencies[s];
        /* ⌊x/f⌋ = x·reciprocal >> 44 for all x < 2³²: the excess of the reciprocal is less than f ≤ 2¹². */
        encoders[s] = (encoder){f ? ((UINT64_C(1) << RECIPROCAL) + f - 1) / f : 0, (uint32_t)f, begin};
        begin += frequencies[s];
    }
}

static uint32_t encode(const encoder *e, uint32_t x, uint16_t **words)
{
    if (x >= (uint64_t)e->frequency << (32 - BITS)) {
        *--*words = (uint16_t)x;
        x >>= 16;
    }
    const uint32_t quotient = (uint32_t)((unsigned __int128)x * e->reciprocal >> RECIPROCAL);
    return (quotient << BITS) + e->begin + (x - quotient * e->frequency);
}

void scree__rans_put(scree__pack *pack, const uint8_t *symbols, int64_t count, const int64_t *counts)
{
    uint16_t frequencies[SYMBOLS];
    encoder encoders[SYMBOLS];
    uint32_t states[STATES] = {lowest, lowest, lowest, lowest};
    if (count == 0)
        return;
    uint16_t *room = scree__alloc_raw(count + 1, sizeof *room);
    if (!room) {
        pack->failed = true;
        return;
    }
    make_frequencies(counts, count, frequencies);
    make_encoders(frequencies, encoders);
    put_frequencies(pack, frequencies);
    uint16_t *words = room + count + 1;
    for (int64_t i = count - 1; i >= 0; i--)
        states[i % STATES] = encode(&encoders[symbols[i]], states[i % STATES], &words);
    const int64_t made = room + count + 1 - words;
    for (int s = 0; s < STATES; s++)
        scree__pack_u32(pack, states[s]);
    scree__pack_u32(pack, (uint32_t)made);
    unsigned char *to = scree__pack_room(pack, 2 * made);
    for (int64_t i = 0; to && i < made; i++) {
        to[2 * i] = (unsigned char)words[i];
        to[2 * i + 1] = (unsigned char)(words[i] >> 8);
    }
    free(room);
}

/* A slot: the symbol, its frequency less 1, and how far the slot is from its first. */
static void make_slots(const uint16_t *frequencies, uint32_t *slots)
{
    int at = 0;
    for (int s = 0; s < SYMBOLS; s++)
        for (int i = 0; i < frequencies[s]; i++)
            slots[at++] = (uint32_t)s << 24 | (uint32_t)(frequencies[s] - 1) << 12 | (uint32_t)i;
}

static uint32_t decode(const uint32_t *slots, uint32_t x, uint8_t *symbol)
{
    const uint32_t slot = slots[x & (SCALE - 1)];
    *symbol = (uint8_t)(slot >> 24);
    return ((slot >> 12 & (SCALE - 1)) + 1) * (x >> BITS) + (slot & (SCALE - 1));
}

static uint32_t refill(uint32_t x, const unsigned char **at, const unsigned char *end)
{
    if (x < lowest && end - *at >= 2) {
        x = x << 16 | (uint32_t)(*at)[0] | (uint32_t)(*at)[1] << 8;
        *at += 2;
    }
    return x;
}

void scree__rans_get(scree__unpack *unpack, uint8_t *symbols, int64_t count)
{
    uint16_t frequencies[SYMBOLS];
    uint32_t slots[SCALE];
    uint32_t x[STATES];
    if (count == 0)
        return;
    get_frequencies(unpack, frequencies);
    for (int s = 0; s < STATES; s++)
        x[s] = scree__unpack_u32(unpack);
    const int64_t size = 2 * (int64_t)scree__unpack_u32(unpack);
    const unsigned char *at = scree__unpack_bytes(unpack, size);
    if (unpack->failed)
        return;
    make_slots(frequencies, slots);
    const unsigned char *end = at + size;
    int64_t i = 0;
    for (; i + STATES <= count; i += STATES) {
        for (int s = 0; s < STATES; s++)
            x[s] = decode(slots, x[s], &symbols[i + s]);
        for (int s = 0; s < STATES; s++)
            x[s] = refill(x[s], &at, end);
    }
    for (; i < count; i++)
        x[i % STATES] = refill(decode(slots, x[i % STATES], &symbols[i]), &at, end);
    for (int s = 0; s < STATES; s++)
        unpack->failed = unpack->failed || x[s] != lowest;
    unpack->failed = unpack->failed || at != end;
}
