/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of an ONNX file, by the numbers that its definition gives to their fields:
 *
 *     model    1 file version, 2 producer, 3 its version, 6 text, 7 graph, 8 operator sets, 14 entries {1 key, 2 value}
 *     graph    1 nodes, 2 name, 5 tensors, 11 inputs, 12 outputs
 *     node     1 inputs, 2 outputs, 3 name, 4 operator, 5 attributes {1 name, 3 integer, 20 kind}
 *     tensor   1 dimensions, 2 element type, 8 name, 9 bytes
 *     value    1 name, 2 type {1 tensor {1 element type, 2 shape {1 dimension {1 size, 2 name}}}}, 3 text
 *
 * A number costs what it takes to copy it. */

#include "model/onnx_graph.h"

#include <string.h>

enum {
    FILE_VERSION = 7,
    OPERATOR_SET = 13,
    MODEL_GRAPH = 7,
    GRAPH_NODE = 1,
    GRAPH_TENSOR = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    TYPE_FLOAT = 1,
    TYPE_DOUBLE = 11,
    ATTRIBUTE_INTEGER = 2,
};

static int64_t element_type(const scree__onnx *onnx)
{
    return onnx->type == SCREE_F32 ? TYPE_FLOAT : TYPE_DOUBLE;
}

void scree__onnx_open(scree__onnx *onnx, scree_type type, int64_t size, const char *doc)
{
    scree__wire *wire = &onnx->wire;
    onnx->type = type;
    scree__wire_open(wire, size);
    scree__wire_integer(wire, 1, FILE_VERSION);
    scree__wire_text(wire, 2, "scree");
    scree__wire_text(wire, 3, scree_version());
    scree__wire_text(wire, 6, doc);
    scree__wire_begin(wire, 8);
    scree__wire_text(wire, 1, ""); /* the operators of ONNX itself */
    scree__wire_integer(wire, 2, OPERATOR_SET);
    scree__wire_end(wire);
    scree__wire_begin(wire, MODEL_GRAPH);
    scree__wire_text(wire, 2, "scree");
}

static void put_value(scree__onnx *onnx, int field, const char *name, int64_t cols, const char *doc)
{
    scree__wire *wire = &onnx->wire;
    scree__wire_begin(wire, field);
    scree__wire_text(wire, 1, name);
    scree__wire_begin(wire, 2);
    scree__wire_begin(wire, 1);
    scree__wire_integer(wire, 1, element_type(onnx));
    scree__wire_begin(wire, 2);
    scree__wire_begin(wire, 1);
    scree__wire_text(wire, 2, "N");
    scree__wire_end(wire);
    scree__wire_begin(wire, 1);
    scree__wire_integer(wire, 1, cols);
    scree__wire_end(wire);
    scree__wire_end(wire);
    scree__wire_end(wire);
    scree__wire_end(wire);
    scree__wire_text(wire, 3, doc);
    scree__wire_end(wire);
}

void scree__onnx_input(scree__onnx *onnx, const char *name, int64_t cols, const char *doc)
{
    put_value(onnx, GRAPH_INPUT, name, cols, doc);
}

void scree__onnx_output(scree__onnx *onnx, const char *name, int64_t cols, const char *doc)
{
    put_value(onnx, GRAPH_OUTPUT, name, cols, doc);
}

/* Bytes have no alignment: numbers go in through memcpy. */
static void put_numbers(const scree__onnx *onnx, unsigned char *place, const void *values, scree_type from,
                        int64_t count)
{
    const size_t size = onnx->type == SCREE_F32 ? sizeof(float) : sizeof(double);
    if (from == onnx->type) {
        memcpy(place, values, (size_t)count * size);
        return;
    }
    for (int64_t i = 0; i < count; i++, place += size) {
        if (onnx->type == SCREE_F32) {
            const float narrow = (float)((const double *)values)[i];
            memcpy(place, &narrow, size);
        } else {
            const double wide = (double)((const float *)values)[i];
            memcpy(place, &wide, size);
        }
    }
}

static void put_tensor(scree__onnx *onnx, const char *name, const int64_t shape[2], int rank, const void *values,
                       scree_type from)
{
    scree__wire *wire = &onnx->wire;
    int64_t count = 1;
    scree__wire_begin(wire, GRAPH_TENSOR);
    for (int i = 0; i < rank; i++) {
        scree__wire_integer(wire, 1, shape[i]);
        count *= shape[i];
    }
    scree__wire_integer(wire, 2, element_type(onnx));
    scree__wire_text(wire, 8, name);
    const int64_t size = onnx->type == SCREE_F32 ? sizeof(float) : sizeof(double);
    unsigned char *place = scree__wire_bytes(wire, 9, count * size);
    if (place)
        put_numbers(onnx, place, values, from, count);
    scree__wire_end(wire);
}

void scree__onnx_tensor(scree__onnx *onnx, const char *name, int64_t rows, int64_t cols, const void *values,
                        scree_type from)
{
    const int64_t shape[2] = {rows > 0 ? rows : cols, cols};
    put_tensor(onnx, name, shape, rows > 0 ? 2 : 1, values, from);
}

void scree__onnx_number(scree__onnx *onnx, const char *name, double value)
{
    const int64_t shape[2] = {1, 1};
    put_tensor(onnx, name, shape, 0, &value, SCREE_F64);
}

/* A node is named as what it makes. Its message stays open, for attributes. */
static void begin_node(scree__onnx *onnx, const char *op, const char *out, const char *const inputs[3])
{
    scree__wire *wire = &onnx->wire;
    scree__wire_begin(wire, GRAPH_NODE);
    for (int i = 0; i < 3 && inputs[i]; i++)
        scree__wire_text(wire, 1, inputs[i]);
    scree__wire_text(wire, 2, out);
    scree__wire_text(wire, 3, out);
    scree__wire_text(wire, 4, op);
}

void scree__onnx_node(scree__onnx *onnx, const char *op, const char *out, const char *a, const char *b)
{
    const char *const inputs[3] = {a, b, NULL};
    begin_node(onnx, op, out, inputs);
    scree__wire_end(&onnx->wire);
}

void scree__onnx_product(scree__onnx *onnx, const char *out, const char *x, const char *w, bool transposed,
                         const char *bias)
{
    scree__wire *wire = &onnx->wire;
    const char *const inputs[3] = {x, w, bias};
    begin_node(onnx, "Gemm", out, inputs);
    if (transposed) {
        scree__wire_begin(wire, 5);
        scree__wire_text(wire, 1, "transB");
        scree__wire_integer(wire, 3, 1);
        scree__wire_integer(wire, 20, ATTRIBUTE_INTEGER);
        scree__wire_end(wire);
    }
    scree__wire_end(wire);
}

void scree__onnx_close(scree__onnx *onnx, const scree__onnx_entry *entries)
{
    scree__wire *wire = &onnx->wire;
    scree__wire_end(wire);
    for (; entries->key; entries++) {
        if (!entries->value)
            continue;
        scree__wire_begin(wire, 14);
        scree__wire_text(wire, 1, entries->key);
        scree__wire_text(wire, 2, entries->value);
        scree__wire_end(wire);
    }
}
