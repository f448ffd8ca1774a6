/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_RANS_H
#define SCREE_ARCHIVE_RANS_H

/* Symbols of known frequencies in as many bits as their entropy says, within a hundredth; see rans.c. */

#include "archive/pack.h"

enum { SCREE__RANS_SYMBOLS = 128 };

/* Packs the frequencies and the symbols, each less than SCREE__RANS_SYMBOLS. counts: how often each occurs. */
void scree__rans_put(scree__pack *pack, const uint8_t *symbols, int64_t count, const int64_t *counts);

/* Bits that the frequencies take. */
int scree__rans_table_bits(const int64_t *counts, int64_t total);

/* count symbols back. */
void scree__rans_get(scree__unpack *unpack, uint8_t *symbols, int64_t count);

#endif
