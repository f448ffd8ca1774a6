/* SPDX-License-Identifier: BSD-3-Clause */
/* A network as a file (docs/format.md): the shape and what was measured as texts, a tensor for each layer's weights and
 * one for its bias. Of tied layers only the encoder's weights are written. A training that was interrupted adds what it
 * needs to go on: three arrays of all parameters. */

#include "base/memory.h"
#include "model/network.h"
#include "model/network_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 40, WIDTHS_SIZE = 24 * (SCREE__MAX_ENCODERS + 1) };

typedef struct draft {
    scree__draft file;
    char names[4 * SCREE__MAX_ENCODERS][NAME_SIZE];
    char widths[WIDTHS_SIZE];
} draft;

static void add_errors(scree__draft *file, const scree_network_view *view)
{
    scree__draft_real(file, "training_error", view->training_error);
    scree__draft_real(file, "pca_training_error", view->pca_training_error);
    if (view->validation_rows > 0) {
        scree__draft_real(file, "validation_error", view->validation_error);
        scree__draft_real(file, "pca_validation_error", view->pca_validation_error);
    }
}

static void add_texts(draft *made, const scree_model *model)
{
    scree__draft *file = &made->file;
    const scree__network *network = model->network;
    const scree_network_view *view = &network->view;
    size_t used = 0;
    for (int64_t l = 0; l <= network->encoders; l++)
        used += (size_t)snprintf(made->widths + used, sizeof made->widths - used, "%s%" PRId64, l ? "," : "",
                                 network->widths[l]);
    scree__draft_text(file, "format", "scree");
    scree__draft_text(file, "format_version", "1");
    scree__draft_text(file, "kind", "network");
    scree__draft_text(file, "scree_version", scree_version());
    scree__draft_text(file, "widths", made->widths);
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

static void add_layers(draft *made, const scree__network *network)
{
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        const bool decodes = l >= network->encoders;
        char *weights = made->names[2 * l];
        char *bias = made->names[2 * l + 1];
        const char *half = decodes ? "decoder" : "encoder";
        const int64_t number = decodes ? l - network->encoders : l;
        snprintf(weights, NAME_SIZE, "%s.%" PRId64 ".weight", half, number);
        snprintf(bias, NAME_SIZE, "%s.%" PRId64 ".bias", half, number);
        if (!decodes || !network->tied)
            scree__draft_tensor(&made->file, weights, SCREE__DTYPE_F32, layer->out, layer->in, layer->weights);
        if (layer->bias)
            scree__draft_tensor(&made->file, bias, SCREE__DTYPE_F32, 0, layer->out, layer->bias);
    }
}

scree_status scree__network_save(const scree_model *model, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    const scree__network *network = model->network;
    draft *made = NULL;
    SCREE_ALLOC(made, 1, error);
    add_texts(made, model);
    if (view->columns)
        SCREE_TRY(scree__draft_columns(&made->file, view->columns, view->d, error));
    scree__draft_tensor(&made->file, "mean", SCREE__DTYPE_F64, 0, view->d, view->mean);
    scree__draft_tensor(&made->file, "variances", SCREE__DTYPE_F64, 0, view->d, view->variances);
    scree__draft_tensor(&made->file, "offset", SCREE__DTYPE_F64, 0, view->d, network->offset);
    scree__draft_tensor(&made->file, "range", SCREE__DTYPE_F64, 0, view->d, network->range);
    add_layers(made, network);
    add_training(&made->file, network);
    SCREE_TRY(scree__safetensors_write(path, &made->file.contents, error));
done:
    if (made)
        scree__draft_clear(&made->file);
    free(made);
    return status;
}
