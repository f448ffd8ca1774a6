/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_GATHER_SUMS_H
#define SCREE_DATA_GATHER_SUMS_H

/* What processes tell each other beside the rows (scree_communicator), before and after they are a team. */

#include "base/error.h"

#include <stdint.h>

/* x becomes its sum over all processes, in all of them. All of them fail where one has failed before. with NULL: there
 * is one. */
scree_status scree__gather_sums(const scree_communicator *with, scree_status failed, int64_t *x, int64_t count,
                                scree_error *error);

#endif
