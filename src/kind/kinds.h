/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KIND_KINDS_H
#define SCREE_KIND_KINDS_H

/* The kinds that there are, for the table in kinds.c; each is in a folder of its own. */

#include "model/kind.h"

extern const scree__kind scree__kind_pca;
extern const scree__kind scree__kind_network;
extern const scree__kind scree__kind_rotated;

#endif
