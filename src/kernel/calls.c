/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of the four codes of a variant, 32 calls to a word: with lo and hi the low and the high bits of the calls,
 * |lo ∧ hi| have no copy of A1, |hi| less these have one, |lo| less these are missing, and the others have two. Means
 * and squares follow from whole numbers, and are rounded once or twice. */

#include "kernel/calls.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

enum { WORD_CALLS = 32, WORD_BYTES = 8 };
static const uint64_t LOW_BITS = UINT64_C(0x5555555555555555);

typedef struct bits {
    int64_t low;
    int64_t high;
    int64_t both;
} bits;

static inline void add_word(bits *sum, uint64_t word)
{
    const uint64_t low = word & LOW_BITS;
    const uint64_t high = word >> 1 & LOW_BITS;
    sum->low += __builtin_popcountll(low);
    sum->high += __builtin_popcountll(high);
    sum->both += __builtin_popcountll(low & high);
}

SCREE_CLONES static void add_words(bits *sum, const uint8_t *packed, int64_t words)
{
    bits s = *sum;
    for (int64_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, packed + i * WORD_BYTES, WORD_BYTES);
        add_word(&s, word);
    }
    *sum = s;
}

scree__call_counts scree__calls_count(const uint8_t *packed, int64_t n)
{
    const int64_t words = n / WORD_CALLS;
    const int64_t rest = n % WORD_CALLS;
    bits sum = {0};
    uint64_t last = 0;
    add_words(&sum, packed, words);
    for (int64_t i = 0; i < rest; i++) /* what fills the last byte up is no call */
        last |= (uint64_t)(packed[words * WORD_BYTES + i / 4] >> i % 4 * 2 & 3) << i * 2;
    add_word(&sum, last);
    return (scree__call_counts){{[SCREE__CALL_TWO] = n - sum.low - sum.high + sum.both,
                                 [SCREE__CALL_MISSING] = sum.low - sum.both,
                                 [SCREE__CALL_ONE] = sum.high - sum.both,
                                 [SCREE__CALL_NONE] = sum.both}};
}

int64_t scree__calls_present(const scree__call_counts *c)
{
    return c->of[SCREE__CALL_TWO] + c->of[SCREE__CALL_ONE] + c->of[SCREE__CALL_NONE];
}

double scree__calls_mean(const scree__call_counts *c)
{
    const int64_t present = scree__calls_present(c);
    const int64_t copies = 2 * c->of[SCREE__CALL_TWO] + c->of[SCREE__CALL_ONE];
    return present > 0 ? (double)copies / (double)present : 0;
}

/* (nΣx² - (Σx)²)/n, of which the difference is the sum of n_i n_j (i - j)² over pairs of codes: nothing cancels. */
double scree__calls_squares(const scree__call_counts *c)
{
    const double none = (double)c->of[SCREE__CALL_NONE];
    const double one = (double)c->of[SCREE__CALL_ONE];
    const double two = (double)c->of[SCREE__CALL_TWO];
    const double present = none + one + two;
    return present > 0 ? (none * one + one * two + 4 * none * two) / present : 0;
}

double scree__calls_scale(double mean)
{
    const double squared = mean * (1 - mean / 2);
    return squared > 0 ? sqrt(squared) : 1;
}
