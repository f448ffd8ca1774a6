/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_LIMIT_H
#define SCREE_VIEW_LIMIT_H

/* What is far out. */

#include "model/tail_table.h"

/* The x that a share alpha of a distribution lies beyond; NaN for a distribution that is none. */
double scree__limit_of(const scree__tail *tail, double alpha);

#endif
