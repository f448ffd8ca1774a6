/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_UNEQUAL_H
#define SCREE_MODEL_UNEQUAL_H

/* Noise that differs from column to column, as it is left beyond known directions: see unequal.c. */

#include "model/model.h"

/* Directions that are known, with their variances. */
typedef struct scree__unequal {
    const scree_model_view *view;
    int64_t known;            /* K */
    const double *values;     /* K */
    const double *directions; /* K×D */
} scree__unequal;

/* noise: D, in scaled units, with a mean of 1 beyond the directions, in columns that vary; 0 in others; all 1 where the
 * model does not say. */
void scree__unequal_noise(const scree__unequal *known, double *noise);

/* UᵀΨU into products (K×K), and tr (PΨP)². */
double scree__unequal_squares(const scree__unequal *known, const double *noise, double *products);

#endif
