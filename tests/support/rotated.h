/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ROTATED_H
#define SCREE_TESTS_ROTATED_H

/* A kind of model that only the tests have; see rotated.c. */

#include "model/kind.h"

#define ROTATED_COSINE 0.6
#define ROTATED_SINE 0.8

extern const scree__kind support_rotated;

#endif
