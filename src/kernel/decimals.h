/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_DECIMALS_H
#define SCREE_KERNEL_DECIMALS_H

/* How many decimals a number has: see decimals.c. */

#include "base/error.h"

enum { SCREE__DECIMALS_MOST = 15 };

/* The fewest decimals, least or more, that x is a number of; -1: more than can be told where x is known up to doubt, or
 * least is -1. */
int64_t scree__decimals(double x, double doubt, int64_t least);

#endif
