/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of kinds of models: a new kind is a folder beside this file and a line here. Files that name no kind are of
 * the first. It stands alone, so that a program linked with the static library may bring a table of its own. */

#include "kind/kinds.h"

const scree__kind *const scree__kinds[] = {&scree__kind_pca, &scree__kind_network, &scree__kind_rotated, NULL};
