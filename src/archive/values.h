/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_VALUES_H
#define SCREE_ARCHIVE_VALUES_H

/* Whole numbers of which small ones are frequent, near the entropy of their histogram; see values.c. */

#include "archive/rans.h"

enum {
    SCREE__VALUE_MOST = (1 << 24) - 1, /* the largest magnitude */
    SCREE__VALUE_RAW = 1 << 25,        /* a cell that is stored as it is */
    SCREE__VALUE_NAN,                  /* a cell that is the usual NaN */
};

/* How often each token occurs, and the bits that follow them. */
typedef struct scree__tally {
    int64_t counts[SCREE__RANS_SYMBOLS];
    int64_t total;
    int64_t extra;
} scree__tally; /* zeroed: empty */

void scree__tally_add(scree__tally *tally, const int32_t *values, int64_t count);
void scree__tally_join(scree__tally *tally, const scree__tally *other);
/* Bits that they take, the table of frequencies included. */
double scree__tally_bits(const scree__tally *tally);
/* The entropy alone: no code that looks at one value at a time takes fewer. */
double scree__tally_entropy(const scree__tally *tally);

void scree__values_put(scree__pack *pack, const int32_t *values, int64_t count);
void scree__values_get(scree__unpack *unpack, int32_t *values, int64_t count);

#endif
