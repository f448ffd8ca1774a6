/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ACTIVATION_H
#define SCREE_KERNEL_ACTIVATION_H

/* What is applied to the sums of a layer, entry by entry.
 *
 *     identity  x
 *     gelu      x s(2c(x + 0.044715 x³)),  s the sigmoid, c = √(2/π): ½x(1 + tanh(c(x + 0.044715 x³)))
 *     relu      max(x, 0)
 *     tanh      tanh x
 *     sigmoid   s(x) = 1/(1 + e^-x)
 */

#include <stdint.h>

typedef enum scree__activation {
    SCREE__IDENTITY,
    SCREE__GELU,
    SCREE__RELU,
    SCREE__TANH,
    SCREE__SIGMOID,
    SCREE__ACTIVATIONS
} scree__activation;

/* "gelu"; of the identity "linear". */
extern const char *const scree__activation_names[SCREE__ACTIVATIONS];

/* The activation of that name; SCREE__ACTIVATIONS: there is none. */
scree__activation scree__activation_find(const char *name);

/* y = f(x + bias) of rows×n sums, in place; bias NULL is 0. slope, when not NULL, receives f'. ld: from row to row. */
typedef struct scree__activate {
    scree__activation f;
    int64_t rows;
    int64_t n;
    int64_t ld;
    const void *bias; /* n */
    void *y;          /* rows×ld */
    void *slope;      /* rows×ld, or NULL */
} scree__activate;

void scree__activate_f32(const scree__activate *job);
void scree__activate_f64(const scree__activate *job);

#endif
