/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers of an auto-encoder as nodes: h_l = f_l(h_{l-1} W_lᵀ + b_l), one product each and one to seven nodes for
 * f_l (kernel/activation.h). GELU is written out, x s(2c(x + 0.044715 x³)), so that every runtime computes the form
 * that the network was trained with. A decoder that is tied to an encoder in the same file takes the encoder's weights
 * as they are: its product is h W in place of h Wᵀ, and nothing is stored twice. */

#include "kind/network/network.h"

#include <stdio.h>

enum { NAME_SIZE = 48 };

typedef char value_name[NAME_SIZE];

static const double GELU_CUBIC = 0.044715;
static const double GELU_SLOPE = 1.59576912160573071176; /* 2√(2/π) */

/* "encoder.0": layers are counted from 0 in each half. */
static void name_layer(value_name name, const scree__network *network, int64_t l, const char *what)
{
    const bool decoder = l >= network->encoders;
    snprintf(name, NAME_SIZE, "%s.%lld%s", decoder ? "decoder" : "encoder",
             (long long)(decoder ? l - network->encoders : l), what);
}

static void put_gelu(scree__onnx *onnx, const char *out, const char *x)
{
    static const char *const steps[] = {".square", ".cube", ".little", ".bent", ".steep", ".gate"};
    value_name names[sizeof steps / sizeof *steps];
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        snprintf(names[i], NAME_SIZE, "%.30s%s", x, steps[i]);
    scree__onnx_node(onnx, "Mul", names[0], x, x);
    scree__onnx_node(onnx, "Mul", names[1], names[0], x);
    scree__onnx_node(onnx, "Mul", names[2], names[1], "gelu.cubic");
    scree__onnx_node(onnx, "Add", names[3], names[2], x);
    scree__onnx_node(onnx, "Mul", names[4], names[3], "gelu.slope");
    scree__onnx_node(onnx, "Sigmoid", names[5], names[4], NULL);
    scree__onnx_node(onnx, "Mul", out, names[5], x);
}

static void put_activation(scree__onnx *onnx, scree__activation f, const char *out, const char *x)
{
    static const char *const operators[SCREE__ACTIVATIONS] = {
        [SCREE__RELU] = "Relu", [SCREE__TANH] = "Tanh", [SCREE__SIGMOID] = "Sigmoid"};
    if (f == SCREE__GELU)
        put_gelu(onnx, out, x);
    else
        scree__onnx_node(onnx, operators[f], out, x, NULL);
}

static void put_layer(scree__onnx *onnx, const scree__network *network, int64_t l, const char *in, const char *out,
                      bool tied)
{
    const scree__layer *layer = &network->layers[l];
    value_name weights;
    value_name bias;
    value_name sum;
    name_layer(weights, network, tied ? network->count - 1 - l : l, ".weight");
    name_layer(bias, network, l, ".bias");
    name_layer(sum, network, l, ".sum");
    if (!tied)
        scree__onnx_tensor(onnx, weights, layer->out, layer->in, layer->weights, SCREE_F32);
    if (layer->bias)
        scree__onnx_tensor(onnx, bias, 0, layer->out, layer->bias, SCREE_F32);
    const bool identity = layer->activation == SCREE__IDENTITY;
    scree__onnx_product(onnx, identity ? out : sum, in, weights, !tied, layer->bias ? bias : NULL);
    if (!identity)
        put_activation(onnx, layer->activation, out, sum);
}

static void nodes(scree__onnx *onnx, const scree_model *model, scree__onnx_part part)
{
    const scree__network *network = scree__network_of(model);
    const int64_t first = part.encode ? 0 : network->encoders;
    const int64_t last = part.decode ? network->count : network->encoders;
    value_name in;
    value_name out;
    snprintf(in, NAME_SIZE, "%s", part.encode ? "centred" : "codes");
    bool gelu = false;
    for (int64_t l = first; l < last; l++)
        gelu = gelu || network->layers[l].activation == SCREE__GELU;
    if (gelu) {
        scree__onnx_number(onnx, "gelu.cubic", GELU_CUBIC);
        scree__onnx_number(onnx, "gelu.slope", GELU_SLOPE);
    }
    for (int64_t l = first; l < last; l++) {
        name_layer(out, network, l, "");
        if (l + 1 == network->encoders || l + 1 == network->count)
            snprintf(out, NAME_SIZE, "%s", l < network->encoders ? "codes" : "restored");
        put_layer(onnx, network, l, in, out, network->tied && part.encode && l >= network->encoders);
        snprintf(in, NAME_SIZE, "%s", out);
    }
}

static int64_t numbers(const scree_model *model)
{
    return scree__network_parameters(scree__network_of(model));
}

static void frame(const scree_model *model, const double **mean, const double **scale)
{
    *mean = scree__network_of(model)->offset;
    *scale = scree__network_of(model)->range;
}

const scree__onnx_kind scree__network_onnx = {
    .doc = "Auto-encoder: codes = encoder((x - mean) / scale), "
           "reconstruction = decoder(codes) * scale + mean.",
    .unit = "layers",
    .numbers = numbers,
    .frame = frame,
    .nodes = nodes,
};
