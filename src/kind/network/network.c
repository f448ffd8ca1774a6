/* SPDX-License-Identifier: BSD-3-Clause */
/* What a network is, before it is asked anything: making one, its parameters as one array, and the table of the kind.
 * It has no order of its numbers and no density: what needs them is refused. Memory: 4 bytes a weight, twice for tied
 * ones, whose transposed copies let every layer be multiplied alike. */

#include "kind/network/network.h"

#include "base/memory.h"

#include <string.h>

static void layer_free(scree__layer *layer)
{
    free(layer->weights);
    free(layer->bias);
}

void scree__network_free(scree__network *network)
{
    if (!network)
        return;
    for (int64_t l = 0; network->layers && l < network->count; l++)
        layer_free(&network->layers[l]);
    free(network->layers);
    free(network->widths);
    free(network->offset);
    free(network->range);
    free(network->training.current);
    free(network->training.moments[0]);
    free(network->training.moments[1]);
    free(network);
}

static scree_status make_layer(scree__network *network, int64_t l, const scree__shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__layer *layer = &network->layers[l];
    int64_t cells;
    layer->in = network->widths[l];
    layer->out = network->widths[l + 1];
    layer->activation = shape->activation;
    if (l + 1 == network->encoders)
        layer->activation = SCREE__IDENTITY;
    else if (l + 1 == network->count)
        layer->activation = shape->output;
    if (layer->in < 1 || layer->out < 1 || __builtin_mul_overflow(layer->in, layer->out, &cells))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a layer of %lld by %lld weights cannot be made; ask for smaller ones",
                   (long long)layer->out, (long long)layer->in);
    SCREE_ALLOC(layer->weights, cells, error);
    if (shape->bias)
        SCREE_ALLOC(layer->bias, layer->out, error);
done:
    return status;
}

scree_status scree__network_new(scree__network **out, const scree__shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__network *network = NULL;
    const int64_t encoders = shape->encoders;
    if (encoders < 1 || encoders > SCREE__MAX_ENCODERS)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a network cannot have %lld hidden layers; ask for at most %d",
                   (long long)encoders - 1, SCREE__MAX_ENCODERS - 1);
    SCREE_ALLOC(network, 1, error);
    network->count = 2 * encoders;
    network->encoders = encoders;
    network->tied = shape->tied;
    SCREE_ALLOC(network->layers, network->count, error);
    SCREE_ALLOC(network->widths, network->count + 1, error);
    for (int64_t l = 0; l <= encoders; l++)
        network->widths[l] = network->widths[network->count - l] = shape->widths[l];
    for (int64_t l = 0; l < network->count; l++)
        SCREE_TRY(make_layer(network, l, shape, error));
    SCREE_ALLOC(network->offset, network->widths[0], error);
    SCREE_ALLOC(network->range, network->widths[0], error);
    for (int64_t j = 0; j < network->widths[0]; j++)
        network->range[j] = 1.0;
    network->view = (scree_network_view){.size = sizeof network->view,
                                         .layers = network->count,
                                         .encoder_layers = encoders,
                                         .widths = network->widths,
                                         .activation = scree__activation_names[encoders > 1 ? shape->activation : 0],
                                         .output = scree__activation_names[shape->output],
                                         .tied = shape->tied,
                                         .stopped = "epochs"};
    *out = network;
    network = NULL;
done:
    scree__network_free(network);
    return status;
}

/* Whether the layer's weights are a copy of another's. */
static bool is_copy(const scree__network *network, int64_t l)
{
    return network->tied && l >= network->encoders;
}

int64_t scree__network_parameters(const scree__network *network)
{
    int64_t count = 0;
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        count += is_copy(network, l) ? 0 : layer->in * layer->out;
        count += layer->bias ? layer->out : 0;
    }
    return count;
}

void scree__network_give(const scree__network *network, float *parameters)
{
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        const int64_t weights = is_copy(network, l) ? 0 : layer->in * layer->out;
        const int64_t bias = layer->bias ? layer->out : 0;
        memcpy(parameters, layer->weights, (size_t)weights * sizeof *parameters);
        if (bias)
            memcpy(parameters + weights, layer->bias, (size_t)bias * sizeof *parameters);
        parameters += weights + bias;
    }
}

void scree__network_take(scree__network *network, const float *parameters)
{
    for (int64_t l = 0; l < network->count; l++) {
        scree__layer *layer = &network->layers[l];
        const scree__layer *twin = &network->layers[network->count - 1 - l];
        const int64_t weights = is_copy(network, l) ? 0 : layer->in * layer->out;
        const int64_t bias = layer->bias ? layer->out : 0;
        memcpy(layer->weights, parameters, (size_t)weights * sizeof *parameters);
        for (int64_t i = 0; is_copy(network, l) && i < layer->out; i++)
            for (int64_t j = 0; j < layer->in; j++)
                layer->weights[i * layer->in + j] = twin->weights[j * layer->out + i];
        if (bias)
            memcpy(layer->bias, parameters + weights, (size_t)bias * sizeof *parameters);
        parameters += weights + bias;
    }
}

scree_status scree__network_copy(scree__network **out, const scree__network *network, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__network *copy = NULL;
    float *parameters = NULL;
    const size_t columns = (size_t)network->widths[0] * sizeof(double);
    const scree__shape shape = {.widths = network->widths,
                                .encoders = network->encoders,
                                .activation = network->layers[0].activation,
                                .output = network->layers[network->count - 1].activation,
                                .tied = network->tied,
                                .bias = network->layers[0].bias != NULL};
    SCREE_TRY(scree__network_new(&copy, &shape, error));
    SCREE_ALLOC(parameters, scree__network_parameters(network), error);
    scree__network_give(network, parameters);
    scree__network_take(copy, parameters);
    memcpy(copy->offset, network->offset, columns);
    memcpy(copy->range, network->range, columns);
    *out = copy;
    copy = NULL;
done:
    scree__network_free(copy);
    free(parameters);
    return status;
}

const scree_network_view *scree_model_network(const scree_model *model)
{
    return scree__is_network(model) ? &scree__network_of(model)->view : NULL;
}

static scree_status fit(scree_model **out, scree_source *source, const scree_fit_options *options, scree_error *error)
{
    (void)out;
    (void)source;
    (void)options;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                       "an auto-encoder is not fitted but trained, with options of its own; use 'scree autoencode', or "
                       "scree_model_autoencode");
}

static scree_status settle(scree_model *model, scree_error *error)
{
    scree__network *network = scree__network_of(model);
    model->view.reconstruction_error = network->view.training_error;
    model->view.noise_variance = 0.0; /* it is no distribution */
    scree__network_describe(network);
    (void)error;
    return SCREE_OK;
}

static void free_data(void *data)
{
    scree__network_free(data);
}

const scree__kind scree__kind_network = {
    .name = "network",
    .text = "auto-encoders: networks that make a code of a row, and a row of a code",
    .noun = "an auto-encoder",
    .advice = "a PCA model, make one with 'scree fit'",
    .code_prefix = "z",
    .fit = fit,
    .save = scree__network_save,
    .load = scree__network_load,
    .settle = settle,
    .free = free_data,
    .project = scree__network_project,
    .reconstruct = scree__network_reconstruct,
    .round_trip = scree__network_round_trip,
    .onnx = &scree__network_onnx,
    .fact = scree__network_fact,
    .page = scree__network_page,
};
