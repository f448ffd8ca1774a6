/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ONNX_GRAPH_H
#define SCREE_MODEL_ONNX_GRAPH_H

/* A graph of operators as an ONNX file: named values, of which nodes make others. Operator set 13 and file version 7,
 * which runtimes read since 2020. Parts may come in any order, but nodes after those whose values they take. */

#include "model/onnx_wire.h"

typedef struct scree__onnx {
    scree__wire wire;
    scree_type type; /* of every tensor: SCREE_F32 or SCREE_F64 */
} scree__onnx;

/* What a file says of itself. */
typedef struct scree__onnx_entry {
    const char *key;
    const char *value; /* NULL: left out */
} scree__onnx_entry;

/* Begins a graph, of about size bytes; everything below goes into it. */
void scree__onnx_open(scree__onnx *onnx, scree_type type, int64_t size, const char *doc);

/* Rows of cols numbers, as many as are given. */
void scree__onnx_input(scree__onnx *onnx, const char *name, int64_t cols, const char *doc);
void scree__onnx_output(scree__onnx *onnx, const char *name, int64_t cols, const char *doc);

/* A tensor of rows×cols, or of cols numbers when rows is 0. values are of the type from, and row by row. */
void scree__onnx_tensor(scree__onnx *onnx, const char *name, int64_t rows, int64_t cols, const void *values,
                        scree_type from);
void scree__onnx_number(scree__onnx *onnx, const char *name, double value); /* without dimensions */

/* out = op(a, b); b may be NULL. */
void scree__onnx_node(scree__onnx *onnx, const char *op, const char *out, const char *a, const char *b);

/* out = x w, or x wᵀ, plus a bias, which may be NULL. */
void scree__onnx_product(scree__onnx *onnx, const char *out, const char *x, const char *w, bool transposed,
                         const char *bias);

/* Ends graph and model. entries end with a NULL key. */
void scree__onnx_close(scree__onnx *onnx, const scree__onnx_entry *entries);

#endif
