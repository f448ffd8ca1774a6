/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_UNIFORM_H
#define SCREE_ANSWER_UNIFORM_H

/* Whether p-values are spread evenly, as those of rows of the model are. Counts add up to the same in any order. */

#include "base/error.h"

enum { SCREE__UNIFORM_BINS = 100 };

typedef struct scree__uniform {
    int64_t counts[SCREE__UNIFORM_BINS];
    int64_t none; /* rows without a p-value */
} scree__uniform;

void scree__uniform_add(scree__uniform *all, double p);
void scree__uniform_join(scree__uniform *all, const scree__uniform *other);

/* False where they are not: see uniform.c. fitted: how many rows the model of new ones was fitted to, HUGE_VAL for
 * those rows themselves. */
bool scree__uniform_fits(const scree__uniform *all, double fitted);

#endif
