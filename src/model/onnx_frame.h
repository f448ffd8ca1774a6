/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ONNX_FRAME_H
#define SCREE_MODEL_ONNX_FRAME_H

/* The way of a row into a model and out of it, as nodes: c = (x - µ)/scale and x = c·scale + µ. */

#include "model/onnx_graph.h"

/* What is wanted of a model. */
typedef struct scree__onnx_part {
    bool encode; /* x to codes */
    bool decode; /* codes to reconstruction */
} scree__onnx_part;

typedef struct scree__onnx_frame {
    int64_t d;
    const double *mean;  /* D */
    const double *scale; /* D, or NULL: 1 */
    double *rest;        /* D: what float leaves of the mean; NULL: too little to matter */
    bool log1p;          /* log(1 + x) comes first, and exp(x) - 1 last */
} scree__onnx_frame;

/* From mean and scale of the view, or what the model's kind has in their place; fails where a number is too large or
 * too small for the type of path, the file. Freed by scree__onnx_frame_free, which is safe on a zeroed struct. */
scree_status scree__onnx_frame_make(scree__onnx_frame *frame, const scree_model *model, scree_type type,
                                    const char *path, scree_error *error);
void scree__onnx_frame_free(scree__onnx_frame *frame);

/* Its tensors, once; then "x" becomes "centred", and "restored" becomes "reconstruction". */
void scree__onnx_frame_tensors(scree__onnx *onnx, const scree__onnx_frame *frame);
void scree__onnx_frame_enter(scree__onnx *onnx, const scree__onnx_frame *frame);
void scree__onnx_frame_leave(scree__onnx *onnx, const scree__onnx_frame *frame);

#endif
