/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_STACK_H
#define SCREE_KERNEL_STACK_H

/* Layers on top of each other, a batch of rows on its way through them, and the gradient of the squared error on its
 * way back. h₀ is the batch; layer l makes h_{l+1} = f_l(h_l W_lᵀ + b_l); the error compares the last with h₀:
 *
 *     E = Σ_rows Σ_j weight_j (h_count - h₀)_j²,     δ_l = ∂E/∂(sums of layer l)
 *
 * One float text and one double text (typed/stack_cpu.c): training is in float, and the gradient is checked in double.
 * The same bits for any number of threads: work is cut into tiles by its shape alone. */

#include "base/error.h"
#include "kernel/activation.h"

enum { SCREE__STACK_DEEPEST = 24 };

/* Where a layer's numbers stand among the parameters. */
typedef struct scree__dense {
    int64_t in;
    int64_t out;
    scree__activation f;
    int64_t weights; /* out×in; or, flipped, in×out: those of another layer, used transposed */
    bool flipped;
    int64_t bias; /* -1: none */
} scree__dense;

typedef struct scree__stack {
    scree__dense layers[SCREE__STACK_DEEPEST];
    int64_t count;
    int64_t parameters; /* P */
    int64_t capacity;   /* rows that a batch may have */
    int threads;
    /* Elements of the stack's type. */
    void *values;                      /* P: weights and biases; the caller's */
    void *gradient;                    /* P: ∂E/∂ them */
    void *weight;                      /* of each column in E; NULL: 1 */
    void *h[SCREE__STACK_DEEPEST + 1]; /* capacity×width each */
    void *slope[SCREE__STACK_DEEPEST]; /* f' at the sums of layer l */
    void *delta[SCREE__STACK_DEEPEST]; /* δ of layer l */
    double *errors;                    /* capacity: of each row */
} scree__stack;

/* Takes memory for h, slope, delta, gradient and errors; layers, count, parameters, capacity are set. Freed by
 * scree__stack_clear, also after a failure; it leaves values and weight alone. size: bytes an element. */
scree_status scree__stack_alloc(scree__stack *stack, int64_t size, scree_error *error);
void scree__stack_clear(scree__stack *stack);

/* Bytes that scree__stack_alloc takes. */
int64_t scree__stack_memory(const scree__stack *stack, int64_t size);

/* From h[0], rows of it, to h[count], and the error of each row. slopes: keep f', for a gradient. Returns E. */
double scree__stack_forward_f32(scree__stack *stack, int64_t rows, bool slopes);
double scree__stack_forward_f64(scree__stack *stack, int64_t rows, bool slopes);

/* After a forward with slopes: factor · ∂E/∂parameters into gradient, or added to what is there. */
void scree__stack_backward_f32(scree__stack *stack, int64_t rows, double factor, bool add);
void scree__stack_backward_f64(scree__stack *stack, int64_t rows, double factor, bool add);

#endif
