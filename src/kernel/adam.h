/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ADAM_H
#define SCREE_KERNEL_ADAM_H

/* One update of many parameters by Adam, with weights that decay by themselves. */

#include <stdint.h>

typedef struct scree__adam {
    float *values;
    const float *gradient;
    float *first;  /* running mean of the gradient */
    float *second; /* and of its square */
    int64_t count;
    int64_t step; /* this one, from 1 */
    double rate;
    double decay;
} scree__adam;

void scree__adam_update(const scree__adam *update, int threads);

#endif
