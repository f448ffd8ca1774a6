/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_RESOLUTION_H
#define SCREE_MODEL_RESOLUTION_H

/* How finely the cells of a row were written down: see resolution.c. */

#include "model/model.h"

/* 0 = b + Σ_j a_j y_j - y_p, or without the last where p is -1. */
typedef struct scree__equation {
    const double *a; /* D */
    double b;
    int64_t p;
} scree__equation;

/* What the cells of an equation may together be off by, as far as their digits tell: they were rounded. None of them
 * may be missing. */
double scree__relation_allowance(const scree_model *model, const double *y, const scree__equation *equation);

#endif
