/* SPDX-License-Identifier: BSD-3-Clause */
/* Range asymmetric numeral systems (Duda 2009): a symbol of frequency f of 2¹², whose slots begin at b, turns a state x
 * into 2¹²⌊x/f⌋ + b + x mod f, which is larger by -log₂(f/2¹²) bits; what does not fit 32 bits goes out in words of 16.
 * Decoding undoes it in the opposite order, so encoding goes from the last symbol to the first. Four states take turns,
 * so that four chains of multiplications run side by side; short arrays have one, and save the others' bytes. A symbol
 * costs some nanoseconds either way.
 *
 * Frequencies are packed as quarters of octaves, each as an Elias gamma code of how it differs from the one before:
 * some three bits a symbol, and symbols cost less than 0.01 bit more than with exact ones. */

#include "archive/rans.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { BITS = 12, SCALE = 1 << BITS, STATES = 4, SYMBOLS = SCREE__RANS_SYMBOLS, RECIPROCAL = 44 };
enum { LEVELS = 4 * BITS + 1, SHORT = 1 << 14, MOST_GAMMA = 8 };

static const uint32_t lowest = UINT32_C(1) << 16;

/* Quarters of octaves from a frequency of 1 of SCALE on, 1 being the first; 0 for what does not occur. */
static void make_levels(const int64_t *counts, int64_t total, uint8_t *levels)
{
    for (int s = 0; s < SYMBOLS; s++) {
        const double level = counts[s] > 0 ? rint(4 * log2(SCALE * (double)counts[s] / (double)total)) + 1 : 0;
        levels[s] = (uint8_t)(counts[s] == 0 ? 0 : level < 1 ? 1 : level > LEVELS ? LEVELS : level);
    }
}

/* frequencies sum to SCALE, none that occurs is 0: shares rounded, what is left over goes to the largest. Integers
 * alone, for the decoder must come to the same. */
static bool make_frequencies(const uint8_t *levels, uint16_t *frequencies)
{
    static const uint64_t quarters[] = {16384, 19484, 23170, 27554}; /* 2¹⁴ times 2^0, 2^¼, 2^½, 2^¾ */
    uint64_t weights[SYMBOLS];
    uint64_t all = 0;
    int sum = 0;
    int largest = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        weights[s] = levels[s] > 0 ? quarters[(levels[s] - 1) % 4] << ((levels[s] - 1) / 4) : 0;
        all += weights[s];
        largest = weights[s] > weights[largest] ? s : largest;
    }
    if (all == 0)
        return false;
    for (int s = 0; s < SYMBOLS; s++) {
        const uint64_t share = (weights[s] * SCALE + all / 2) / all;
        frequencies[s] = (uint16_t)(weights[s] == 0 ? 0 : share > 0 ? share : 1);
        sum += frequencies[s];
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
    return true;
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

/* What is coded for a level that follows another: 1 for the same one, then up and down in turn. */
static unsigned difference(int before, int level)
{
    return level > before ? 2U * (unsigned)(level - before) : 2U * (unsigned)(before - level) + 1;
}

static int count_used(const uint8_t *levels)
{
    int used = SYMBOLS;
    while (used > 0 && levels[used - 1] == 0)
        used--;
    return used;
}

static void put_levels(scree__pack *pack, const uint8_t *levels)
{
    bit_writer w = {.pack = pack};
    const int used = count_used(levels);
    scree__pack_u8(pack, (unsigned)used);
    for (int s = 0; s < used; s++) {
        const unsigned value = difference(s > 0 ? levels[s - 1] : 0, levels[s]);
        const int bits = bits_below_top(value);
        for (int i = 0; i < bits; i++)
            put_bit(&w, 0);
        for (int i = bits; i >= 0; i--)
            put_bit(&w, value >> i & 1U);
    }
    while (w.count > 0)
        put_bit(&w, 0);
}

int scree__rans_table_bits(const int64_t *counts, int64_t total)
{
    uint8_t levels[SYMBOLS];
    int sum = 8;
    make_levels(counts, total, levels);
    for (int s = 0, used = count_used(levels); s < used; s++)
        sum += 2 * bits_below_top(difference(s > 0 ? levels[s - 1] : 0, levels[s])) + 1;
    return sum;
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

static void get_levels(scree__unpack *unpack, uint8_t *levels)
{
    bit_reader r = {.unpack = unpack};
    const int used = (int)scree__unpack_u8(unpack);
    int level = 0;
    memset(levels, 0, SYMBOLS * sizeof *levels);
    unpack->failed = unpack->failed || used > SYMBOLS;
    for (int s = 0; s < used && !unpack->failed; s++) {
        int bits = 0;
        unsigned value = 1;
        while (bits < MOST_GAMMA && !unpack->failed && get_bit(&r) == 0)
            bits++;
        for (int i = 0; i < bits; i++)
            value = value << 1 | get_bit(&r);
        level += value & 1U ? -(int)(value / 2) : (int)(value / 2);
        unpack->failed = unpack->failed || level < 0 || level > LEVELS;
        levels[s] = (uint8_t)level;
    }
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

static int states_of(int64_t count)
{
    return count < SHORT ? 1 : STATES;
}

/* Words that are coded, from the last symbol to the first: where they begin, the end being room + count + 1. */
static uint16_t *encode_all(const encoder *encoders, const uint8_t *symbols, int64_t count, uint32_t *states,
                            uint16_t *room)
{
    uint16_t *words = room + count + 1;
    if (states_of(count) == 1)
        for (int64_t i = count - 1; i >= 0; i--)
            states[0] = encode(&encoders[symbols[i]], states[0], &words);
    else
        for (int64_t i = count - 1; i >= 0; i--)
            states[i % STATES] = encode(&encoders[symbols[i]], states[i % STATES], &words);
    return words;
}

void scree__rans_put(scree__pack *pack, const uint8_t *symbols, int64_t count, const int64_t *counts)
{
    uint8_t levels[SYMBOLS];
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
    make_levels(counts, count, levels);
    make_frequencies(levels, frequencies);
    make_encoders(frequencies, encoders);
    put_levels(pack, levels);
    const uint16_t *words = encode_all(encoders, symbols, count, states, room);
    const int64_t made = room + count + 1 - words;
    for (int s = 0; s < states_of(count); s++)
        scree__pack_u32(pack, states[s]);
    scree__pack_u8(pack, (unsigned)made & UINT8_MAX);
    scree__pack_u8(pack, (unsigned)(made >> 8) & UINT8_MAX);
    if (count >= SHORT) {
        scree__pack_u8(pack, (unsigned)(made >> 16) & UINT8_MAX);
        scree__pack_u8(pack, (unsigned)(made >> 24) & UINT8_MAX);
    }
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

static const unsigned char *decode_all(const uint32_t *slots, uint8_t *symbols, int64_t count, uint32_t *x,
                                       const unsigned char *at, const unsigned char *end)
{
    int64_t i = 0;
    if (states_of(count) == 1) {
        for (; i < count; i++)
            x[0] = refill(decode(slots, x[0], &symbols[i]), &at, end);
        return at;
    }
    uint32_t a = x[0];
    uint32_t b = x[1];
    uint32_t c = x[2];
    uint32_t d = x[3];
    for (; i + STATES <= count; i += STATES) {
        a = decode(slots, a, &symbols[i]);
        b = decode(slots, b, &symbols[i + 1]);
        c = decode(slots, c, &symbols[i + 2]);
        d = decode(slots, d, &symbols[i + 3]);
        a = refill(a, &at, end);
        b = refill(b, &at, end);
        c = refill(c, &at, end);
        d = refill(d, &at, end);
    }
    x[0] = a;
    x[1] = b;
    x[2] = c;
    x[3] = d;
    for (; i < count; i++)
        x[i % STATES] = refill(decode(slots, x[i % STATES], &symbols[i]), &at, end);
    return at;
}

void scree__rans_get(scree__unpack *unpack, uint8_t *symbols, int64_t count)
{
    uint8_t levels[SYMBOLS];
    uint16_t frequencies[SYMBOLS];
    uint32_t slots[SCALE];
    uint32_t x[STATES] = {lowest, lowest, lowest, lowest};
    if (count == 0)
        return;
    get_levels(unpack, levels);
    for (int s = 0; s < states_of(count); s++)
        x[s] = scree__unpack_u32(unpack);
    int64_t size = scree__unpack_u8(unpack);
    size |= (int64_t)scree__unpack_u8(unpack) << 8;
    if (count >= SHORT) {
        size |= (int64_t)scree__unpack_u8(unpack) << 16;
        size |= (int64_t)scree__unpack_u8(unpack) << 24;
    }
    const unsigned char *from = scree__unpack_bytes(unpack, 2 * size);
    if (unpack->failed || !make_frequencies(levels, frequencies)) {
        unpack->failed = true;
        return;
    }
    make_slots(frequencies, slots);
    const unsigned char *end = from + 2 * size;
    const unsigned char *at = decode_all(slots, symbols, count, x, from, end);
    for (int s = 0; s < STATES; s++)
        unpack->failed = unpack->failed || x[s] != lowest;
    unpack->failed = unpack->failed || at != end;
}
