/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_UNIFORM_H
#define SCREE_ANSWER_UNIFORM_H

/* Whether p-values are spread evenly: what scree_private.h does not show of it. */

#include "scree_private.h"

void scree__uniform_join(scree__uniform *all, const scree__uniform *other);

#endif
