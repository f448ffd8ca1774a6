/* SPDX-License-Identifier: BSD-3-Clause */
/* Counter-based random numbers: Philox 4×32-10 (Salmon, Moraes, Dror, Shaw 2011), and normals from it by the
 * Box–Muller transform, two for each block of four words. */

#include "base/random.h"

#include <math.h>

enum { ROUNDS = 10 };

void scree__philox(uint64_t seed, uint64_t stream, uint64_t block, uint32_t out[4])
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c[0];
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ key[0], (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ key[1],
                            (uint32_t)p0};
        for (int i = 0; i < 4; i++)
            c[i] = next[i];
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

/* In (0,1), never 0 or 1: 53 bits of two words and a half. */
static double uniform(uint32_t high, uint32_t low)
{
    uint64_t bits = ((uint64_t)high << 32 | low) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

static void normal_pair(uint64_t seed, uint64_t stream, int64_t pair, double out[2])
{
    uint32_t words[4];
    scree__philox(seed, stream, (uint64_t)pair, words);
    double radius = sqrt(-2.0 * log(uniform(words[0], words[1])));
    double angle = 6.283185307179586477 * uniform(words[2], words[3]);
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

void scree__normals(uint64_t seed, uint64_t stream, int64_t first, int64_t count, double *out)
{
    double pair[2];
    for (int64_t i = 0; i < count; i++) {
        int64_t position = first + i;
        if (i == 0 || position % 2 == 0)
            normal_pair(seed, stream, position / 2, pair);
        out[i] = pair[position % 2];
    }
}
