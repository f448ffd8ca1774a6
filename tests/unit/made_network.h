/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_MADE_NETWORK_H
#define SCREE_TESTS_MADE_NETWORK_H

/* An auto-encoder without a training, for tests of what networks can do: random weights of a size that keeps sums near
 * 1, random biases, offset and range of chosen size. Include after cmocka.h. */

#include "base/memory.h"
#include "base/random.h"
#include "kind/network/network.h"

#include <math.h>

static inline void made_layers(scree__network *network)
{
    const int64_t count = scree__network_parameters(network);
    double *normals = scree__alloc(count, sizeof *normals);
    float *parameters = scree__alloc(count, sizeof *parameters);
    assert_non_null(normals);
    assert_non_null(parameters);
    scree__normals(76, 1, 0, count, normals);
    int64_t at = 0;
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        const int64_t weights = network->tied && l >= network->encoders ? 0 : layer->in * layer->out;
        for (int64_t i = 0; i < weights; i++, at++)
            parameters[at] = (float)(normals[at] / sqrt((double)layer->in));
        for (int64_t i = 0; layer->bias && i < layer->out; i++, at++)
            parameters[at] = (float)(0.3 * normals[at]);
    }
    assert_int_equal(at, count);
    scree__network_take(network, parameters);
    free(normals);
    free(parameters);
}

static inline scree_model *made_network(const scree__shape *shape, double offset, double range)
{
    scree_model *model = NULL;
    const int64_t d = shape->widths[0];
    assert_int_equal(scree__model_new(&model, d, shape->widths[shape->encoders], "autoencoder", false, NULL, NULL),
                     SCREE_OK);
    scree__network *network = NULL;
    assert_int_equal(scree__network_new(&network, shape, NULL), SCREE_OK);
    scree__model_become(model, &scree__kind_network, network);
    made_layers(network);
    for (int64_t j = 0; j < d; j++) {
        network->offset[j] = model->mean[j] = offset * (double)(j % 5 + 1);
        network->range[j] = range * (double)(j % 3 + 1);
        model->variances[j] = network->range[j] * network->range[j];
        model->view.total_variance += model->variances[j];
    }
    model->view.n = 1000;
    model->view.passes = 1;
    model->view.converged = true;
    assert_int_equal(scree__model_settle(model, NULL), SCREE_OK);
    return model;
}

#endif
