/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_NAMES_H
#define SCREE_DATA_NAMES_H

/* Names that are met again and again, each numbered when it is met first; see names.c. */

#include "base/error.h"

typedef struct scree__names {
    char *text;       /* all of them, a zero after each */
    int64_t used;     /* bytes of it */
    int64_t size;     /* bytes there are */
    int64_t *at;      /* count: where each begins */
    uint64_t *keys;   /* count: their hashes */
    int64_t count;    /* different names */
    int64_t capacity; /* names that there is space for */
    int32_t *slots;   /* number of a name + 1; 0: free */
    int64_t slot_count;
} scree__names; /* zeroed: empty */

/* The number of a name, from 0, a new one when it was not met before; -1: out of memory, or 2³¹ of them. */
int64_t scree__names_number(scree__names *names, const char *name);

const char *scree__names_at(const scree__names *names, int64_t number);

/* Bytes that it holds. */
int64_t scree__names_memory(const scree__names *names);

/* When all names are whole numbers without leading zeros: place[i] becomes the rank of name i among them, and true is
 * returned. scratch: count pairs of int64_t. */
bool scree__names_rank(const scree__names *names, int32_t *place, int64_t *scratch);

void scree__names_clear(scree__names *names);

#endif
