/* SPDX-License-Identifier: BSD-3-Clause */
/* A network as a file (docs/format.md): the shape and what was measured as texts, a tensor for each layer's weights and
 * one for its bias. Of tied layers only the encoder's weights are written. A training that was interrupted adds what it
 * needs to go on: three arrays of all parameters. */

#include "kind/network/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 40, WIDTHS_SIZE = 24 * (SCREE__MAX_ENCODERS + 1) };

static void add_errors(scree__draft *file, const scree_network_view *view)
{
    scree__draft_real(file, "training_error", view->training_error);
    scree__draft_real(file, "pca_training_error", view->pca_training_error);
    if (view->validation_rows > 0) {
        scree__draft_real(file, "validation_error", view->validation_error);
        scree__draft_real(file, "pca_validation_error", view->pca_validation_error);
    }
}

static scree_status add_widths(scree__draft *file, const scree__network *network, scree_error *error)
{
    char text[WIDTHS_SIZE];
    size_t used = 0;
    for (int64_t l = 0; l <= network->encoders; l++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, l ? "," : "", network->widths[l]);
    const char *kept = scree__draft_keep(file, text, error);
    if (!kept)
        return SCREE_ERR_MEMORY;
    scree__draft_text(file, "widths", kept);
    return SCREE_OK;
}

static void add_texts(scree__draft *file, const scree_model *model)
{
    const scree__network *network = scree__network_of(model);
    const scree_network_view *view = &network->view;
    scree__draft_text(file, "activation", view->activation);
    scree__draft_text(file, "output", view->output);
    scree__draft_text(file, "tied", view->tied ? "true" : "false");
    scree__draft_text(file, "bias", network->layers[0].bias ? "true" : "false");
    scree__draft_integer(file, "seed", (int64_t)view->seed);
    scree__draft_integer(file, "training_rows", view->training_rows);
    scree__draft_integer(file, "validation_rows", view->validation_rows);
    scree__draft_integer(file, "epochs", view->epochs);
    scree__draft_integer(file, "best_epoch", view->best_epoch);
    scree__draft_text(file, "stopped", view->stopped);
    add_errors(file, view);
    scree__draft_real(file, "total_variance", model->view.total_variance);
    scree__draft_integer(file, "image_rows", model->view.image_rows);
    scree__draft_integer(file, "image_cols", model->view.image_cols);
    scree__draft_real(file, "validation", network->training.validation);
}

/* Where it was interrupted. */
static void add_training(scree__draft *file, const scree__network *network)
{
    const scree__training *kept = &network->training;
    const int64_t count = scree__network_parameters(network);
    if (!kept->current)
        return;
    scree__draft_integer(file, "training.step", kept->step);
    scree__draft_integer(file, "training.stale", kept->stale);
    scree__draft_real(file, "training.sum", kept->sum);
    scree__draft_integer(file, "training.seen", kept->seen);
    scree__draft_integer(file, "training.before", kept->before);
    scree__draft_integer(file, "training.epochs", kept->epochs);
    scree__draft_integer(file, "training.batch", kept->batch);
    scree__draft_integer(file, "training.patience", kept->patience);
    scree__draft_real(file, "training.rate", kept->rate);
    scree__draft_real(file, "training.decay", kept->decay);
    scree__draft_tensor(file, "training.current", SCREE__DTYPE_F32, 0, count, kept->current);
    scree__draft_tensor(file, "training.first", SCREE__DTYPE_F32, 0, count, kept->moments[0]);
    scree__draft_tensor(file, "training.second", SCREE__DTYPE_F32, 0, count, kept->moments[1]);
}

static scree_status add_layer(scree__draft *file, const scree__network *network, int64_t l, scree_error *error)
{
    const scree__layer *layer = &network->layers[l];
    const bool decodes = l >= network->encoders;
    const char *half = decodes ? "decoder" : "encoder";
    const int64_t number = decodes ? l - network->encoders : l;
    char name[NAME_SIZE];
    snprintf(name, NAME_SIZE, "%s.%" PRId64 ".weight", half, number);
    const char *weights = scree__draft_keep(file, name, error);
    snprintf(name, NAME_SIZE, "%s.%" PRId64 ".bias", half, number);
    const char *bias = scree__draft_keep(file, name, error);
    if (!weights || !bias)
        return SCREE_ERR_MEMORY;
    if (!decodes || !network->tied)
        scree__draft_tensor(file, weights, SCREE__DTYPE_F32, layer->out, layer->in, layer->weights);
    if (layer->bias)
        scree__draft_tensor(file, bias, SCREE__DTYPE_F32, 0, layer->out, layer->bias);
    return SCREE_OK;
}

scree_status scree__network_save(const scree_model *model, scree__draft *draft, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    const scree__network *network = scree__network_of(model);
    SCREE_TRY(add_widths(draft, network, error));
    add_texts(draft, model);
    if (view->columns)
        SCREE_TRY(scree__draft_columns(draft, view->columns, view->d, error));
    scree__draft_tensor(draft, "mean", SCREE__DTYPE_F64, 0, view->d, view->mean);
    scree__draft_tensor(draft, "variances", SCREE__DTYPE_F64, 0, view->d, view->variances);
    scree__draft_tensor(draft, "offset", SCREE__DTYPE_F64, 0, view->d, network->offset);
    scree__draft_tensor(draft, "range", SCREE__DTYPE_F64, 0, view->d, network->range);
    for (int64_t l = 0; l < network->count; l++)
        SCREE_TRY(add_layer(draft, network, l, error));
    add_training(draft, network);
done:
    return status;
}
