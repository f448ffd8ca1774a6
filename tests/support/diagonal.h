/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_DIAGONAL_H
#define SCREE_TESTS_DIAGONAL_H

/* Kinds of models that only the tests have: their noise differs by column; see diagonal.c. */

#include "model/kind.h"

/* Brings posteriors, scores and rows with gaps. */
extern const scree__kind support_diagonal;
/* The same, but that its density has no solver of gaps. */
extern const scree__kind support_gapless;

/* Of column j in the scaled columns: what such a model has in place of σ². */
double diagonal_noise(int64_t j);

#endif
