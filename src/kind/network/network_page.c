/* SPDX-License-Identifier: BSD-3-Clause */
/* The decoder of an auto-encoder as JSON, so that a page decodes codes by itself: for each layer its sizes, its
 * activation, weights out×in and bias as base64 of floats; offset and range of the columns as doubles. Four bytes a
 * weight, a third more as base64. */

#include "kind/network/network.h"

#include <cJSON.h>
#include <stdlib.h>

static int64_t decoder_bytes(const scree__network *network)
{
    int64_t bytes = 16 * network->widths[0];
    for (int64_t l = network->encoders; l < network->count; l++)
        bytes += 4 * (network->layers[l].in + 1) * network->layers[l].out;
    return bytes / 3 * 4;
}

static bool put_bytes(cJSON *object, const char *name, const void *data, int64_t size)
{
    char *text = scree__base64(data, size);
    const bool fine = text && cJSON_AddStringToObject(object, name, text);
    free(text);
    return fine;
}

static bool put_layer(cJSON *layers, const scree__layer *layer)
{
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(layers, object)) {
        cJSON_Delete(object);
        return false;
    }
    return cJSON_AddNumberToObject(object, "in", (double)layer->in) &&
           cJSON_AddNumberToObject(object, "out", (double)layer->out) &&
           cJSON_AddStringToObject(object, "activation", scree__activation_names[layer->activation]) &&
           put_bytes(object, "weights", layer->weights, layer->in * layer->out * (int64_t)sizeof *layer->weights) &&
           (!layer->bias || put_bytes(object, "bias", layer->bias, layer->out * (int64_t)sizeof *layer->bias));
}

static bool put_network(cJSON *object, const scree__network *network, bool with_decoder)
{
    const int64_t columns = network->widths[0] * (int64_t)sizeof(double);
    cJSON *layers = with_decoder ? cJSON_AddArrayToObject(object, "layers") : cJSON_AddNullToObject(object, "layers");
    bool fine = layers != NULL;
    for (int64_t l = network->encoders; fine && with_decoder && l < network->count; l++)
        fine = put_layer(layers, &network->layers[l]);
    return fine && put_bytes(object, "offset", network->offset, columns) &&
           put_bytes(object, "range", network->range, columns) &&
           cJSON_AddNumberToObject(object, "bytes", (double)decoder_bytes(network)) &&
           cJSON_AddNumberToObject(object, "epochs", (double)network->view.epochs) &&
           cJSON_AddNumberToObject(object, "error", network->view.training_error) &&
           cJSON_AddNumberToObject(object, "pcaError", network->view.pca_training_error);
}

scree_status scree__network_page(const scree_model *model, int64_t limit, char **json, scree_error *error)
{
    const scree__network *network = scree__network_of(model);
    cJSON *object = cJSON_CreateObject();
    if (object && put_network(object, network, decoder_bytes(network) <= limit))
        *json = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return *json ? SCREE_OK : scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the decoder of a page");
}
