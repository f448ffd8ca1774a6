/* SPDX-License-Identifier: BSD-3-Clause */
/* Centring and scaling in a graph: c = (x - µ)/scale on the way in, x = c·scale + µ on the way out.
 *
 * In float a mean that is large beside what varies would lose digits twice: in x itself, which nobody can help, and in
 * µ. So µ is given as two floats there, µ = mean + rest, where rest matters: x - mean is exact for an x near µ, and
 * (x - mean) - rest is then as good as x. It matters when ‖rest/scale‖ > 10⁻⁶ of the spread, √Σ(variance/scale²), a
 * tenth of what is promised of codes. D operations a row and node. */

#include "model/onnx_frame.h"

#include "base/memory.h"
#include "model/kind.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double NEGLIGIBLE = 1e-6;

static double scale_of(const scree__onnx_frame *frame, int64_t j)
{
    return frame->scale ? frame->scale[j] : 1.0;
}

static scree_status check(const scree__onnx_frame *frame, const scree_model_view *view, int64_t j, const char *path,
                          scree_error *error)
{
    const double scale = scale_of(frame, j);
    char column[32];
    if (fabs(frame->mean[j]) <= FLT_MAX && scale <= FLT_MAX && scale >= FLT_MIN)
        return SCREE_OK;
    snprintf(column, sizeof column, "%lld", (long long)j + 1);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: column %s has mean %g and scale %g, which single precision cannot hold; export in double "
                       "(f8)",
                       path, view->columns ? view->columns[j] : column, frame->mean[j], scale);
}

scree_status scree__onnx_frame_make(scree__onnx_frame *frame, const scree_model *model, scree_type type,
                                    const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    double squares = 0.0;
    double spread = 0.0;
    *frame = (scree__onnx_frame){view->d, view->mean, view->scale, NULL, view->log1p};
    if (model->kind->onnx->frame)
        model->kind->onnx->frame(model, &frame->mean, &frame->scale);
    if (type != SCREE_F32)
        return status;
    SCREE_ALLOC(frame->rest, view->d, error);
    for (int64_t j = 0; j < view->d; j++) {
        SCREE_TRY(check(frame, view, j, path, error));
        frame->rest[j] = frame->mean[j] - (double)(float)frame->mean[j];
        const double scaled = frame->rest[j] / scale_of(frame, j);
        squares += scaled * scaled;
        spread += view->variances[j] / (scale_of(frame, j) * scale_of(frame, j));
    }
    if (squares <= NEGLIGIBLE * NEGLIGIBLE * spread)
        scree__onnx_frame_free(frame);
done:
    return status;
}

void scree__onnx_frame_free(scree__onnx_frame *frame)
{
    free(frame->rest);
    frame->rest = NULL;
}

void scree__onnx_frame_tensors(scree__onnx *onnx, const scree__onnx_frame *frame)
{
    scree__onnx_tensor(onnx, "mean", 0, frame->d, frame->mean, SCREE_F64);
    if (frame->rest)
        scree__onnx_tensor(onnx, "mean_rest", 0, frame->d, frame->rest, SCREE_F64);
    if (frame->scale)
        scree__onnx_tensor(onnx, "scale", 0, frame->d, frame->scale, SCREE_F64);
    if (frame->log1p)
        scree__onnx_number(onnx, "one", 1);
}

void scree__onnx_frame_enter(scree__onnx *onnx, const scree__onnx_frame *frame)
{
    const char *shifted = frame->scale ? "shifted" : "centred";
    const char *first = frame->log1p ? "logged" : "x";
    if (frame->log1p) {
        scree__onnx_node(onnx, "Add", "one_more", "x", "one");
        scree__onnx_node(onnx, "Log", "logged", "one_more", NULL);
    }
    if (frame->rest) {
        scree__onnx_node(onnx, "Sub", "nearly_shifted", first, "mean");
        scree__onnx_node(onnx, "Sub", shifted, "nearly_shifted", "mean_rest");
    } else {
        scree__onnx_node(onnx, "Sub", shifted, first, "mean");
    }
    if (frame->scale)
        scree__onnx_node(onnx, "Div", "centred", shifted, "scale");
}

void scree__onnx_frame_leave(scree__onnx *onnx, const scree__onnx_frame *frame)
{
    const char *last = "restored";
    if (frame->scale) {
        scree__onnx_node(onnx, "Mul", "rescaled", last, "scale");
        last = "rescaled";
    }
    if (frame->rest) {
        scree__onnx_node(onnx, "Add", "nearly_there", last, "mean_rest");
        last = "nearly_there";
    }
    scree__onnx_node(onnx, "Add", frame->log1p ? "logarithm" : "reconstruction", last, "mean");
    if (frame->log1p) {
        scree__onnx_node(onnx, "Exp", "one_too_much", "logarithm", NULL);
        scree__onnx_node(onnx, "Sub", "reconstruction", "one_too_much", "one");
    }
}
