/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_ACCURACY_H
#define SCREE_FIT_ACCURACY_H

/* What is proven of each component; see accuracy.c. */

#include "fit/job.h"

/* accuracy: solution->k of them. cols: D. */
void scree__accuracy(scree_accuracy *accuracy, const scree__solution *solution, int64_t cols);

#endif
