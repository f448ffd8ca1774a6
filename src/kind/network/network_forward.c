/* SPDX-License-Identifier: BSD-3-Clause */
/* A network at work on rows: h_l = f_l(h_{l-1} W_lᵀ + b_l), layer by layer, each one product and one pass for bias and
 * activation. 2 flops a weight and row. The height of a call is that of a chunk, which is fixed, so that the answer to
 * a row does not depend on the rows that came with it. */

#include "kernel/blas.h"
#include "kind/network/network.h"

#include <string.h>

/* The widest of what stands between layers. */
static int64_t widest(const scree__network *network)
{
    int64_t width = 0;
    for (int64_t l = 0; l <= network->count; l++)
        width = network->widths[l] > width ? network->widths[l] : width;
    return width;
}

int64_t scree__network_work(const scree__network *network)
{
    return 2 * widest(network);
}

void scree__network_forward(const scree__network *network, int64_t first, int64_t last, int64_t rows, const float *in,
                            float *out, float *work)
{
    float *const between[2] = {work, work + rows * widest(network)};
    for (int64_t l = first; l < last; l++) {
        const scree__layer *layer = &network->layers[l];
        float *y = l + 1 == last ? out : between[l % 2];
        const scree__activate job = {layer->activation, rows, layer->out, layer->out, layer->bias, y, NULL};
        scree__sgemm(false, true, rows, layer->out, layer->in, 1, in, layer->in, layer->weights, layer->in, 0, y,
                     layer->out);
        scree__activate_f32(&job);
        in = y;
    }
}

int64_t scree__network_room(const scree__network *network)
{
    return 2 * widest(network); /* doubles: as many floats for input and output, and twice for what is between */
}

/* Layers first .. last-1, in double at both ends. */
static void run(const scree__network *network, int64_t first, int64_t last, int64_t rows, const double *x, double *y,
                double *work)
{
    const int64_t width = widest(network);
    float *in = (float *)work;
    float *out = in + rows * width;
    for (int64_t i = 0; i < rows * network->widths[first]; i++)
        in[i] = (float)x[i];
    scree__network_forward(network, first, last, rows, in, out, out + rows * width);
    for (int64_t i = 0; i < rows * network->widths[last]; i++)
        y[i] = (double)out[i];
}

void scree__network_encode(const scree__network *network, int64_t rows, const double *x, double *codes, double *work)
{
    run(network, 0, network->encoders, rows, x, codes, work);
}

void scree__network_decode(const scree__network *network, int64_t rows, const double *codes, double *x, double *work)
{
    run(network, network->encoders, network->count, rows, codes, x, work);
}
