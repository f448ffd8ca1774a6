/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch through a stack of layers and back (stack.h): three products a layer, 6 flops a weight and row in all.
 *
 *     forward    h_{l+1} = f(h_l Wᵀ + b)             tiles of rows × outputs, bias, f and f' while the tile is warm
 *     back       δ_{l-1} = (δ_l W) ∘ f'_{l-1}        tiles of rows × inputs
 *     gradient   ∂E/∂W = δ_lᵀ h_l, ∂E/∂b = δ_lᵀ 1    tiles of outputs, over all rows of the batch
 *
 * A tile is one product in one thread; tiles are cut by the shapes alone, so that the same bits come out for any number
 * of threads. */

#include "kernel/stack.h"

#include "base/cpu.h"
#include "base/threads.h"
#include "kernel/typed/real.h"

#include <string.h>

enum { TILE_ROWS = 256, TILE_COLS = 256, GRAIN = 16, LANES = 8 };
enum { PLAIN = 8 }; /* operations worth an element of what is no product: it waits for memory */

/* How a side of a matrix is cut: into pieces of one length, but for the last. */
typedef struct cut {
    int64_t length;
    int64_t piece;
    int64_t count;
} cut;

static cut cut_into(int64_t length, int64_t most)
{
    const int64_t pieces = (length + most - 1) / most;
    int64_t piece = (length + pieces - 1) / pieces;
    piece = (piece + GRAIN - 1) / GRAIN * GRAIN;
    return (cut){length, piece, (length + piece - 1) / piece};
}

static int64_t piece_size(const cut *c, int64_t index)
{
    const int64_t left = c->length - index * c->piece;
    return left < c->piece ? left : c->piece;
}

typedef struct job {
    scree__stack *stack;
    const scree__dense *layer;
    int64_t l;
    int64_t rows;
    cut down;   /* of rows */
    cut across; /* of outputs, or of inputs */
    bool slopes;
    bool add;   /* to the gradient that is there */
    bool share; /* to that of a layer with the same weights */
    real factor;
} job;

static const real *weights_of(const job *j)
{
    return (const real *)j->stack->values + j->layer->weights;
}

/* Task: a tile of h_{l+1}. */
static void forward_tile(void *context, int64_t index, int worker)
{
    const job *j = context;
    const scree__dense *layer = j->layer;
    const int64_t row = index / j->across.count * j->down.piece;
    const int64_t col = index % j->across.count * j->across.piece;
    const int64_t rows = piece_size(&j->down, index / j->across.count);
    const int64_t cols = piece_size(&j->across, index % j->across.count);
    const real *w = weights_of(j) + (layer->flipped ? col : col * layer->in);
    const real *x = (const real *)j->stack->h[j->l] + row * layer->in;
    const int64_t at = row * layer->out + col;
    real *y = (real *)j->stack->h[j->l + 1] + at;
    real *slope = j->slopes ? (real *)j->stack->slope[j->l] + at : NULL;
    const real *bias = layer->bias >= 0 ? (const real *)j->stack->values + layer->bias + col : NULL;
    const scree__activate activate = {layer->f, rows, cols, layer->out, bias, y, slope};
    (void)worker;
    REAL_GEMM(false, !layer->flipped, rows, cols, layer->in, 1, x, layer->in, w,
              layer->flipped ? layer->out : layer->in, 0, y, layer->out);
    FN(activate)(&activate);
}

SCREE_CLONES static void multiply(real *restrict y, const real *restrict slope, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] *= slope[i];
}

/* Task: a tile of δ_{l-1}. */
static void back_tile(void *context, int64_t index, int worker)
{
    const job *j = context;
    const scree__dense *layer = j->layer;
    const int64_t row = index / j->across.count * j->down.piece;
    const int64_t col = index % j->across.count * j->across.piece;
    const int64_t rows = piece_size(&j->down, index / j->across.count);
    const int64_t cols = piece_size(&j->across, index % j->across.count);
    const real *w = weights_of(j) + (layer->flipped ? col * layer->out : col);
    const real *delta = (const real *)j->stack->delta[j->l] + row * layer->out;
    const int64_t at = row * layer->in + col;
    real *before = (real *)j->stack->delta[j->l - 1] + at;
    (void)worker;
    REAL_GEMM(false, layer->flipped, rows, cols, layer->out, 1, delta, layer->out, w,
              layer->flipped ? layer->out : layer->in, 0, before, layer->in);
    for (int64_t i = 0; i < rows && j->stack->layers[j->l - 1].f != SCREE__IDENTITY; i++)
        multiply(before + i * layer->in, (const real *)j->stack->slope[j->l - 1] + at + i * layer->in, cols);
}

/* out_j (+)= Σ_i x_ij. */
SCREE_CLONES static void add_rows(const real *restrict x, int64_t rows, int64_t n, int64_t ld, bool add,
                                  real *restrict out)
{
    if (!add)
        memset(out, 0, (size_t)n * sizeof *out);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++)
            out[j] += x[i * ld + j];
}

/* Task: the gradient of the weights and biases of some outputs. A flipped layer adds to what its twin, whose turn comes
 * after it, will add to as well; the weights of some outputs are then columns. */
static void gradient_tile(void *context, int64_t index, int worker)
{
    const job *j = context;
    const scree__dense *layer = j->layer;
    const int64_t first = index * j->across.piece;
    const int64_t outs = piece_size(&j->across, index);
    const real *delta = (const real *)j->stack->delta[j->l] + first;
    const real *h = j->stack->h[j->l];
    real *gradient = (real *)j->stack->gradient + layer->weights;
    const real keep = j->add || j->share ? 1 : 0;
    (void)worker;
    if (layer->flipped)
        REAL_GEMM(true, false, layer->in, outs, j->rows, 1, h, layer->in, delta, layer->out, keep, gradient + first,
                  layer->out);
    else
        REAL_GEMM(true, false, outs, layer->in, j->rows, 1, delta, layer->out, h, layer->in, keep,
                  gradient + first * layer->in, layer->in);
    if (layer->bias >= 0)
        add_rows(delta, j->rows, outs, layer->out, j->add, (real *)j->stack->gradient + layer->bias + first);
}

/* Σ_j weight_j (y_j - x_j)², in lanes that are added up in a fixed order. */
static double row_error(const real *y, const real *x, const real *weight, int64_t n)
{
    double lanes[LANES] = {0};
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        const double off = (double)(y[j] - x[j]);
        lanes[j % LANES] += (weight ? (double)weight[j] : 1.0) * off * off;
    }
    for (int k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

/* Task: the errors of some rows. */
static void error_rows(void *context, int64_t index, int worker)
{
    const job *j = context;
    const int64_t n = j->layer->out;
    const real *y = j->stack->h[j->stack->count];
    const real *x = j->stack->h[0];
    (void)worker;
    for (int64_t i = index * j->down.piece; i < index * j->down.piece + piece_size(&j->down, index); i++)
        j->stack->errors[i] = row_error(y + i * n, x + i * n, j->stack->weight, n);
}

/* Threads for a product of the layer, and for its outputs one by one. Small ones are done sooner by one. */
static int for_product(const job *j)
{
    return scree__threads_for(j->stack->threads, 2.0 * (double)j->rows * (double)j->layer->in * (double)j->layer->out);
}

static int for_outputs(const job *j)
{
    return scree__threads_for(j->stack->threads, PLAIN * (double)j->rows * (double)j->layer->out);
}

double FN(stack_forward)(scree__stack *stack, int64_t rows, bool slopes)
{
    double sum = 0;
    job j = {.stack = stack, .rows = rows, .down = cut_into(rows, TILE_ROWS), .slopes = slopes};
    for (j.l = 0; j.l < stack->count; j.l++) {
        j.layer = &stack->layers[j.l];
        j.across = cut_into(j.layer->out, TILE_COLS);
        scree__parallel(for_product(&j), j.down.count * j.across.count, forward_tile, &j);
    }
    j.down = cut_into(rows, GRAIN);
    j.layer = &stack->layers[stack->count - 1];
    scree__parallel(for_outputs(&j), j.down.count, error_rows, &j);
    for (int64_t i = 0; i < rows; i++)
        sum += stack->errors[i];
    return sum;
}

SCREE_CLONES static void last_delta(const real *restrict y, const real *restrict x, const real *restrict slope,
                                    real factor, int64_t n, real *restrict delta)
{
    for (int64_t j = 0; j < n; j++)
        delta[j] = factor * (y[j] - x[j]) * slope[j];
}

/* Task: δ of the last layer, some rows: 2 factor weight (y - x) f'. */
static void start_rows(void *context, int64_t index, int worker)
{
    const job *j = context;
    const int64_t n = j->layer->out;
    const int64_t last = j->stack->count - 1;
    const real *weight = j->stack->weight;
    (void)worker;
    for (int64_t i = index * j->down.piece; i < index * j->down.piece + piece_size(&j->down, index); i++) {
        real *delta = (real *)j->stack->delta[last] + i * n;
        last_delta((const real *)j->stack->h[last + 1] + i * n, (const real *)j->stack->h[0] + i * n,
                   (const real *)j->stack->slope[last] + i * n, 2 * j->factor, n, delta);
        if (weight)
            multiply(delta, weight, n);
    }
}

/* Layers that share weights are added up: the last of them, which comes first, starts. */
static bool adds_to(const scree__stack *stack, int64_t l)
{
    for (int64_t other = l + 1; other < stack->count; other++)
        if (stack->layers[other].weights == stack->layers[l].weights)
            return true;
    return false;
}

void FN(stack_backward)(scree__stack *stack, int64_t rows, double factor, bool add)
{
    job j = {.stack = stack,
             .layer = &stack->layers[stack->count - 1],
             .rows = rows,
             .down = cut_into(rows, GRAIN),
             .add = add,
             .factor = (real)factor};
    scree__parallel(for_outputs(&j), j.down.count, start_rows, &j);
    j.down = cut_into(rows, TILE_ROWS);
    for (j.l = stack->count - 1; j.l >= 0; j.l--) {
        j.layer = &stack->layers[j.l];
        j.across = cut_into(j.layer->in, TILE_COLS);
        if (j.l > 0)
            scree__parallel(for_product(&j), j.down.count * j.across.count, back_tile, &j);
        j.across = cut_into(j.layer->out, TILE_COLS);
        j.share = adds_to(stack, j.l);
        scree__parallel(for_product(&j), j.across.count, gradient_tile, &j);
    }
}
