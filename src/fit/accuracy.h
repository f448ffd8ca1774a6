/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_ACCURACY_H
#define SCREE_FIT_ACCURACY_H

/* What is proven of each component; see accuracy.c. */

#include "fit/job.h"
#include "model/model.h"

/* to: arrays of solution->k. cols: D. */
void scree__accuracy(const scree__bounds *to, const scree__solution *solution, int64_t cols);

#endif
