/* SPDX-License-Identifier: BSD-3-Clause */
/* A value k becomes u = 2|k| - (k > 0), which is small where k is, and u becomes a token: itself below 16, above that
 * its octave and the two bits below the leading one, four tokens an octave, while the bits further below follow as they
 * are. Over a quarter of an octave a smooth distribution is flat enough for that to cost less than 0.01 bit. Tokens are
 * coded by rans.c with the frequencies that they have in the array.
 *
 * Where most values are zero, what is coded are the others and the number of zeros before each: then the work, and the
 * smallest cost of a value, go with the values that are not zero. */

#include "archive/values.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    DIRECT = 16,
    FIRST_OCTAVE = 4,
    TOKEN_RAW = 104,
    TOKEN_NAN = 105,
    TOKENS = 106,
    SPARSE_SHARE = 12 /* fewer than one in so many is not zero */
};
enum { ZEROS, DENSE, SPARSE };

static uint32_t fold(int32_t value)
{
    return value > 0 ? 2U * (uint32_t)value - 1 : 2U * (0U - (uint32_t)value);
}

static int32_t unfold(uint32_t u)
{
    return u & 1U ? (int32_t)(u / 2) + 1 : -(int32_t)(u / 2);
}

static int top_bit(uint32_t u)
{
    return 31 - __builtin_clz(u);
}

static uint8_t token_of(int32_t value)
{
    if (value >= SCREE__VALUE_RAW)
        return value == SCREE__VALUE_RAW ? TOKEN_RAW : TOKEN_NAN;
    const uint32_t u = fold(value);
    if (u < DIRECT)
        return (uint8_t)u;
    const int octave = top_bit(u);
    return (uint8_t)(DIRECT + 4 * (octave - FIRST_OCTAVE) + (int)(u >> (octave - 2) & 3U));
}

/* Bits that follow a token. */
static int extra_of(int token)
{
    return token < DIRECT || token >= TOKEN_RAW ? 0 : (token - DIRECT) / 4 + FIRST_OCTAVE - 2;
}

void scree__tally_add(scree__tally *tally, const int32_t *values, int64_t count)
{
    int64_t parts[4][SCREE__RANS_SYMBOLS] = {{0}}; /* in turn, so that equal values do not wait for each other */
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int s = 0; s < 4; s++)
            parts[s][token_of(values[i + s])]++;
    for (; i < count; i++)
        parts[0][token_of(values[i])]++;
    for (int t = 0; t < TOKENS; t++) {
        const int64_t found = parts[0][t] + parts[1][t] + parts[2][t] + parts[3][t];
        tally->counts[t] += found;
        tally->extra += found * extra_of(t);
    }
    tally->total += count;
}

void scree__tally_join(scree__tally *tally, const scree__tally *other)
{
    for (int t = 0; t < TOKENS; t++)
        tally->counts[t] += other->counts[t];
    tally->total += other->total;
    tally->extra += other->extra;
}

double scree__tally_entropy(const scree__tally *tally)
{
    double bits = (double)tally->extra;
    for (int t = 0; t < TOKENS; t++)
        if (tally->counts[t] > 0)
            bits -= (double)tally->counts[t] * log2((double)tally->counts[t] / (double)tally->total);
    return bits;
}

double scree__tally_bits(const scree__tally *tally)
{
    const double fixed = 70; /* a state, a length, the kind, the number of codes */
    if (tally->counts[0] == tally->total)
        return 8;
    return fixed + scree__rans_table_bits(tally->counts, tally->total) + scree__tally_entropy(tally);
}

/* ---- the bits behind tokens ---- */

static void put_extra(scree__pack *pack, const int32_t *values, const uint8_t *tokens, int64_t count, int64_t bits)
{
    const int64_t bytes = (bits + 7) / 8;
    unsigned char *to = scree__pack_room(pack, bytes);
    uint64_t held = 0;
    int have = 0;
    for (int64_t i = 0; to && bits > 0 && i < count; i++) {
        const int extra = extra_of(tokens[i]);
        if (extra == 0)
            continue;
        held |= (uint64_t)(fold(values[i]) & ((1U << extra) - 1)) << have;
        for (have += extra; have >= 8; have -= 8, held >>= 8)
            *to++ = (unsigned char)held;
    }
    if (to && have > 0)
        *to = (unsigned char)held;
}

static int32_t value_of(int token, uint32_t low)
{
    if (token >= TOKEN_RAW)
        return token == TOKEN_RAW ? SCREE__VALUE_RAW : SCREE__VALUE_NAN;
    if (token < DIRECT)
        return unfold((uint32_t)token);
    const int octave = (token - DIRECT) / 4 + FIRST_OCTAVE;
    const uint32_t top = 4U + (uint32_t)((token - DIRECT) & 3);
    return unfold(top << (octave - 2) | low);
}

static void get_extra(scree__unpack *unpack, const uint8_t *tokens, int32_t *values, int64_t count)
{
    int64_t bits = 0;
    for (int64_t i = 0; i < count; i++)
        bits += extra_of(tokens[i]);
    const unsigned char *from = scree__unpack_bytes(unpack, (bits + 7) / 8);
    uint64_t held = 0;
    int have = 0;
    if (!from)
        return;
    for (int64_t i = 0; i < count; i++) {
        const int extra = extra_of(tokens[i]);
        for (; have < extra; have += 8)
            held |= (uint64_t)*from++ << have;
        values[i] = value_of(tokens[i], (uint32_t)(held & ((UINT64_C(1) << extra) - 1)));
        held >>= extra;
        have -= extra;
    }
}

static void put_dense(scree__pack *pack, const int32_t *values, int64_t count, const scree__tally *tally)
{
    uint8_t *tokens = scree__alloc_raw(count, 1);
    if (!tokens) {
        pack->failed = true;
        return;
    }
    for (int64_t i = 0; i < count; i++)
        tokens[i] = token_of(values[i]);
    scree__rans_put(pack, tokens, count, tally->counts);
    put_extra(pack, values, tokens, count, tally->extra);
    free(tokens);
}

static void get_dense(scree__unpack *unpack, int32_t *values, int64_t count)
{
    uint8_t *tokens = scree__alloc_raw(count, 1);
    if (tokens)
        scree__rans_get(unpack, tokens, count);
    for (int64_t i = 0; tokens && !unpack->failed && i < count; i++)
        unpack->failed = tokens[i] >= TOKENS;
    if (tokens && !unpack->failed)
        get_extra(unpack, tokens, values, count);
    unpack->failed = unpack->failed || !tokens;
    free(tokens);
}

/* ---- mostly zeros ---- */

static void put_sparse(scree__pack *pack, const int32_t *values, int64_t count, int64_t some)
{
    int32_t *gaps = scree__alloc_raw(2 * some, sizeof *gaps);
    int32_t *kept = gaps ? gaps + some : NULL;
    int64_t at = 0;
    if (!gaps) {
        pack->failed = true;
        return;
    }
    for (int64_t i = 0, last = -1; i < count; i++)
        if (values[i] != 0) {
            gaps[at] = (int32_t)(i - last - 1);
            kept[at++] = values[i];
            last = i;
        }
    scree__pack_u32(pack, (uint32_t)some);
    scree__values_put(pack, gaps, some);
    scree__values_put(pack, kept, some);
    free(gaps);
}

static void get_sparse(scree__unpack *unpack, int32_t *values, int64_t count)
{
    const int64_t some = scree__unpack_u32(unpack);
    /* As few as are written so: gaps, which may be sparse again, nest no deeper than that allows. */
    if (some == 0 || some >= count / SPARSE_SHARE) {
        unpack->failed = true;
        return;
    }
    int32_t *gaps = scree__alloc(2 * some, sizeof *gaps);
    if (!gaps) {
        unpack->failed = true;
        return;
    }
    scree__values_get(unpack, gaps, some);
    scree__values_get(unpack, gaps + some, some);
    memset(values, 0, (size_t)count * sizeof *values);
    for (int64_t i = 0, at = 0; i < some && !unpack->failed; i++, at++) {
        at += gaps[i];
        unpack->failed = gaps[i] < 0 || at >= count;
        if (!unpack->failed)
            values[at] = gaps[some + i];
    }
    free(gaps);
}

void scree__values_put(scree__pack *pack, const int32_t *values, int64_t count)
{
    scree__tally tally = {0};
    if (count == 0)
        return;
    scree__tally_add(&tally, values, count);
    const int64_t some = count - tally.counts[0];
    const bool sparse = some > 0 && some < count / SPARSE_SHARE && count <= SCREE__VALUE_MOST;
    scree__pack_u8(pack, some == 0 ? ZEROS : sparse ? SPARSE : DENSE);
    if (sparse)
        put_sparse(pack, values, count, some);
    else if (some > 0)
        put_dense(pack, values, count, &tally);
}

void scree__values_get(scree__unpack *unpack, int32_t *values, int64_t count)
{
    if (count == 0)
        return;
    switch (scree__unpack_u8(unpack)) {
    case ZEROS:
        memset(values, 0, (size_t)count * sizeof *values);
        break;
    case DENSE:
        get_dense(unpack, values, count);
        break;
    case SPARSE:
        get_sparse(unpack, values, count);
        break;
    default:
        unpack->failed = true;
    }
}
