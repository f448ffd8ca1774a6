/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_SHORTEN_H
#define SCREE_VIEW_SHORTEN_H

/* Names that begin or end alike, without what they share: "…no_3…" for one of many instrument columns. */

#include <stddef.h>
#include <stdint.h>

typedef struct scree__shared {
    int64_t front; /* bytes that all names begin with; 0: too few to leave out */
    int64_t back;  /* bytes that all names end with */
} scree__shared;

/* names: count of them, NULL: none. */
scree__shared scree__shared_of(const char *const *names, int64_t count);
void scree__shorten(char *out, size_t size, const char *name, const scree__shared *shared);

#endif
