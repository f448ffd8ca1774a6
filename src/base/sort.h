/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_SORT_H
#define SCREE_BASE_SORT_H

#include <stdint.h>

/* Ascending, in place. */
void scree__sort_doubles(double *x, int64_t count);

#endif
