/* SPDX-License-Identifier: BSD-3-Clause */
/* The weights that a training starts from.
 *
 * Random ones keep the size of what goes through them: variance 2/in before a hidden layer's activation, which halves
 * it, else 1/in (He et al. 2015); tied ones are used both ways. Biases are 0; those of a sigmoid give the mean.
 *
 * A network that has the room starts as PCA, for it should never be the worse: f(a) - f(-a) = a for gelu and relu, so
 * that 2M units of each hidden layer, a and -a, carry the M components through it as they are,
 *
 *     first layer [U, -U]ᵀ,   between [I, -I; -I, I],   code [I, -I],   and back the same transposed.
 *
 * The other units are random and are listened to by none of these: training decides what they add. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>

static const double SURE = 0.01; /* how near to its ends a sigmoid may start */

static double variance_of(const scree__trainer *t, const scree__dense *layer)
{
    const bool halves = layer->f == SCREE__GELU || layer->f == SCREE__RELU;
    if (t->options.linear) /* rows of length 1 on both sides: what one makes larger the other must make smaller */
        return 1.0 / (double)(layer->in > layer->out ? layer->in : layer->out);
    if (t->network->tied)
        return 2.0 / (double)(layer->in + layer->out);
    return (halves ? 2.0 : 1.0) / (double)layer->in;
}

static scree_status draw_weights(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *row = NULL;
    int64_t widest = 0;
    for (int64_t l = 0; l < t->stack.count; l++)
        widest = t->stack.layers[l].in > widest ? t->stack.layers[l].in : widest;
    SCREE_ALLOC(row, widest, error);
    for (int64_t l = 0; l < t->stack.count; l++) {
        const scree__dense *layer = &t->stack.layers[l];
        const double size = sqrt(variance_of(t, layer));
        for (int64_t i = 0; !layer->flipped && i < layer->out; i++) {
            scree__normals(t->options.seed, SCREE__STREAM_START + (uint64_t)l, i * layer->in, layer->in, row);
            for (int64_t j = 0; j < layer->in; j++)
                t->current[layer->weights + i * layer->in + j] = (float)(size * row[j]);
        }
    }
done:
    free(row);
    return status;
}

/* Whether components go through every hidden layer as they are. */
static bool has_room(const scree__trainer *t)
{
    const scree__activation f = t->stack.layers[0].f;
    bool room = t->network->encoders > 1 && (f == SCREE__GELU || f == SCREE__RELU) &&
                t->stack.layers[t->stack.count - 1].f == SCREE__IDENTITY;
    for (int64_t l = 1; l < t->network->encoders; l++)
        room &= t->network->widths[l] >= 2 * t->options.code;
    return room;
}

/* Component i at a unit: 1 at unit i, -1 at unit M + i where there are two for each, else 0. */
static float sign_at(int64_t unit, int64_t i, int64_t m)
{
    return unit == i ? 1.0F : unit == m + i ? -1.0F : 0.0F;
}

/* The weights of output unit `out`, which carries component out % M, upright or (out ≥ M) turned round. */
static void carry(const scree__trainer *t, int64_t l, int64_t out, const scree_model_view *pca, float *row)
{
    const scree__dense *layer = &t->stack.layers[l];
    const int64_t m = t->options.code;
    const int64_t i = out % m;
    const float sign = out < m ? 1.0F : -1.0F;
    for (int64_t j = 0; j < layer->in; j++) {
        if (l == 0)
            row[j] = i < pca->m ? sign * (float)pca->components[i * pca->d + j] : 0.0F;
        else if (l + 1 == t->stack.count) /* a row of the data: out is a column of it */
            row[j] = j < 2 * m && j % m < pca->m ? sign_at(j, j % m, m) * (float)pca->components[j % m * pca->d + out]
                                                 : 0.0F;
        else
            row[j] = sign * sign_at(j, i, m);
    }
}

static void start_as_pca(scree__trainer *t, const scree_model_view *pca)
{
    for (int64_t l = 0; l < t->stack.count; l++) {
        const scree__dense *layer = &t->stack.layers[l];
        const bool last = l + 1 == t->stack.count;
        const int64_t carriers = last                            ? layer->out
                                 : l + 1 == t->network->encoders ? t->options.code
                                                                 : 2 * t->options.code;
        for (int64_t out = 0; !layer->flipped && out < carriers; out++)
            carry(t, l, out, pca, t->current + layer->weights + out * layer->in);
    }
}

/* A sigmoid that gives the mean of each column before it has learned anything. */
static void start_at_mean(scree__trainer *t, const scree_model_view *pca)
{
    const scree__dense *layer = &t->stack.layers[t->stack.count - 1];
    for (int64_t j = 0; layer->bias >= 0 && layer->f == SCREE__SIGMOID && j < layer->out; j++) {
        const double share = (pca->mean[j] - t->network->offset[j]) / t->network->range[j];
        const double p = fmin(fmax(share, SURE), 1 - SURE);
        t->current[layer->bias + j] = (float)log(p / (1 - p));
    }
}

scree_status scree__trainer_start(scree__trainer *t, const scree_model_view *pca, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(draw_weights(t, error));
    if (has_room(t))
        start_as_pca(t, pca);
    start_at_mean(t, pca);
done:
    return status;
}
