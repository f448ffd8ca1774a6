/* SPDX-License-Identifier: BSD-3-Clause */
/* A network from a file (docs/format.md). The container has been checked when we get it; the texts say what shape the
 * network has, and every tensor must have the size that follows before memory is taken for it; every number must be
 * finite, and what was measured must be possible. */

#include "base/memory.h"
#include "kind/network/network.h"

#include <cJSON.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const reasons[] = {"epochs", "patience", "converged", "time", "cancelled", NULL};

/* The widths of row, hidden layers and code, from "784,1000,30". Returns how many; 0: it is something else. */
static int64_t read_widths(const char *text, int64_t *widths)
{
    int64_t count = 0;
    while (text && count <= SCREE__MAX_ENCODERS) {
        char *end = NULL;
        errno = 0;
        const long long width = strtoll(text, &end, 10);
        if (end == text || errno == ERANGE || width < 1 || width > INT32_MAX)
            return 0;
        widths[count++] = width;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

static scree_status get_shape(const scree__safetensors *file, scree__shape *shape, int64_t *widths, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *activation = scree__safetensors_text(file, "activation");
    const char *output = scree__safetensors_text(file, "output");
    shape->encoders = read_widths(scree__safetensors_text(file, "widths"), widths) - 1;
    shape->widths = widths;
    shape->activation = activation ? scree__activation_find(activation) : SCREE__ACTIVATIONS;
    shape->output = output ? scree__activation_find(output) : SCREE__ACTIVATIONS;
    if (shape->encoders < 1 || widths[shape->encoders] > widths[0])
        SCREE_TRY(scree__safetensors_refuse(file, error, "'widths' are not those of a network"));
    if (shape->activation == SCREE__ACTIVATIONS || shape->activation == SCREE__SIGMOID ||
        (shape->activation == SCREE__IDENTITY) != (shape->encoders == 1))
        SCREE_TRY(
            scree__safetensors_refuse(file, error, "'activation' is '%.40s'", activation ? activation : "missing"));
    if (shape->output != SCREE__IDENTITY && shape->output != SCREE__SIGMOID)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'output' is '%.40s'", output ? output : "missing"));
    SCREE_TRY(scree__field_flag(file, "tied", &shape->tied, error));
    SCREE_TRY(scree__field_flag(file, "bias", &shape->bias, error));
done:
    return status;
}

static void name_layer(char name[40], const scree__shape *shape, int64_t l, const char *what)
{
    const bool decodes = l >= shape->encoders;
    snprintf(name, 40, "%s.%" PRId64 ".%s", decodes ? "decoder" : "encoder", decodes ? l - shape->encoders : l, what);
}

/* Whether every tensor is as large as the widths announce, so that no lie makes the network large. */
static scree_status check_sizes(const scree__safetensors *file, const scree__shape *shape, scree_error *error)
{
    char name[40];
    for (int64_t l = 0; l < 2 * shape->encoders; l++) {
        const bool decodes = l >= shape->encoders;
        const int64_t in = shape->widths[decodes ? 2 * shape->encoders - l : l];
        const int64_t out = shape->widths[decodes ? 2 * shape->encoders - l - 1 : l + 1];
        name_layer(name, shape, l, "weight");
        if (!(decodes && shape->tied) && !scree__field_tensor(file, name, SCREE__DTYPE_F32, out, in, error))
            return SCREE_ERR_MODEL;
        name_layer(name, shape, l, "bias");
        if (shape->bias && !scree__field_tensor(file, name, SCREE__DTYPE_F32, 0, out, error))
            return SCREE_ERR_MODEL;
    }
    return SCREE_OK;
}

static scree_status get_layers(const scree__safetensors *file, const scree__shape *shape, scree__network *network,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    char name[40];
    float *parameters = NULL;
    float *at = NULL;
    SCREE_ALLOC(parameters, scree__network_parameters(network), error);
    at = parameters;
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        if (!(network->tied && l >= network->encoders)) {
            name_layer(name, shape, l, "weight");
            SCREE_TRY(scree__field_floats(file, name, layer->out, layer->in, at, error));
            at += layer->in * layer->out;
        }
        if (layer->bias) {
            name_layer(name, shape, l, "bias");
            SCREE_TRY(scree__field_floats(file, name, 0, layer->out, at, error));
            at += layer->out;
        }
    }
    scree__network_take(network, parameters);
done:
    free(parameters);
    return status;
}

static scree_status get_view(const scree__safetensors *file, scree_network_view *view, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *stopped = scree__safetensors_text(file, "stopped");
    int64_t seed = 0;
    SCREE_TRY(scree__field_integer(file, "seed", INT64_MIN, &seed, error));
    view->seed = (uint64_t)seed;
    SCREE_TRY(scree__field_integer(file, "training_rows", 1, &view->training_rows, error));
    SCREE_TRY(scree__field_integer(file, "validation_rows", 0, &view->validation_rows, error));
    SCREE_TRY(scree__field_integer(file, "epochs", 1, &view->epochs, error));
    SCREE_TRY(scree__field_integer(file, "best_epoch", 1, &view->best_epoch, error));
    if (view->best_epoch > view->epochs || view->epochs > INT32_MAX)
        SCREE_TRY(scree__safetensors_refuse(file, error, "epoch %" PRId64 " is the best of %" PRId64, view->best_epoch,
                                            view->epochs));
    SCREE_TRY(scree__field_number(file, "training_error", 0, &view->training_error, error));
    SCREE_TRY(scree__field_number(file, "pca_training_error", 0, &view->pca_training_error, error));
    view->validation_error = NAN;
    view->pca_validation_error = NAN;
    if (view->validation_rows > 0) {
        SCREE_TRY(scree__field_number(file, "validation_error", 0, &view->validation_error, error));
        SCREE_TRY(scree__field_number(file, "pca_validation_error", 0, &view->pca_validation_error, error));
    }
    view->stopped = NULL;
    for (int i = 0; stopped && reasons[i]; i++)
        if (strcmp(stopped, reasons[i]) == 0)
            view->stopped = reasons[i];
    if (!view->stopped)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'stopped' is '%.40s'", stopped ? stopped : "missing"));
done:
    return status;
}

/* Where a training was interrupted: all of it or nothing. */
static scree_status get_training(const scree__safetensors *file, scree__network *network, scree_error *error)
{
    static const char *const names[] = {"training.current", "training.first", "training.second"};
    scree_status status = SCREE_OK;
    scree__training *kept = &network->training;
    float **const arrays[] = {&kept->current, &kept->moments[0], &kept->moments[1]};
    const int64_t count = scree__network_parameters(network);
    SCREE_TRY(scree__field_number(file, "validation", 0, &kept->validation, error));
    if (kept->validation >= 1)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'validation' is %g", kept->validation));
    if (!scree__safetensors_tensor(file, names[0]))
        goto done;
    for (int i = 0; i < 3; i++) {
        if (!scree__field_tensor(file, names[i], SCREE__DTYPE_F32, 0, count, error)) {
            status = SCREE_ERR_MODEL;
            goto done;
        }
        SCREE_ALLOC(*arrays[i], count, error);
        SCREE_TRY(scree__field_floats(file, names[i], 0, count, *arrays[i], error));
    }
    SCREE_TRY(scree__field_integer(file, "training.step", 0, &kept->step, error));
    SCREE_TRY(scree__field_integer(file, "training.stale", 0, &kept->stale, error));
    SCREE_TRY(scree__field_number(file, "training.sum", 0, &kept->sum, error));
    SCREE_TRY(scree__field_integer(file, "training.seen", 0, &kept->seen, error));
    if (kept->seen > network->view.training_rows)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'training.seen' is %" PRId64 " of %" PRId64 " rows",
                                            kept->seen, network->view.training_rows));
    SCREE_TRY(scree__field_integer(file, "training.before", 0, &kept->before, error));
    if (kept->before > network->view.epochs)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'training.before' is %" PRId64 " of %" PRId64 " epochs",
                                            kept->before, network->view.epochs));
    SCREE_TRY(scree__field_integer(file, "training.epochs", 1, &kept->epochs, error));
    SCREE_TRY(scree__field_integer(file, "training.batch", 1, &kept->batch, error));
    SCREE_TRY(scree__field_integer(file, "training.patience", 1, &kept->patience, error));
    SCREE_TRY(scree__field_number(file, "training.rate", DBL_MIN, &kept->rate, error));
    SCREE_TRY(scree__field_number(file, "training.decay", 0, &kept->decay, error));
done:
    return status;
}

/* The model around the network: names, means, what the data was. */
static scree_status make_model(scree_model **out, const scree__safetensors *file, const scree__network *network,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    cJSON *array = NULL;
    const char **names = NULL;
    const int64_t d = network->widths[0];
    SCREE_TRY(scree__field_columns(file, d, &array, &names, error));
    SCREE_TRY(scree__model_new(out, d, network->widths[network->encoders], "autoencoder", false, names, error));
    scree_model_view *view = &(*out)->view;
    view->n = network->view.training_rows;
    view->weight = (double)view->n;
    view->passes = (int)network->view.epochs;
    view->converged = strcmp(network->view.stopped, "cancelled") != 0;
    if (__builtin_mul_overflow(view->n, d, &view->observed))
        view->observed = INT64_MAX;
    SCREE_TRY(scree__field_number(file, "total_variance", 0, &view->total_variance, error));
    SCREE_TRY(scree__field_integer(file, "image_rows", 0, &view->image_rows, error));
    SCREE_TRY(scree__field_integer(file, "image_cols", 0, &view->image_cols, error));
    SCREE_TRY(scree__field_reals(file, "mean", d, -INFINITY, (*out)->mean, error));
    SCREE_TRY(scree__field_reals(file, "variances", d, 0.0, (*out)->variances, error));
done:
    free(names);
    cJSON_Delete(array);
    return status;
}

scree_status scree__network_load(scree_model **out, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__shape shape = {0};
    int64_t widths[SCREE__MAX_ENCODERS + 2];
    scree__network *network = NULL;
    SCREE_TRY(get_shape(file, &shape, widths, error));
    SCREE_TRY(check_sizes(file, &shape, error));
    SCREE_TRY(scree__network_new(&network, &shape, error));
    SCREE_TRY(scree__field_reals(file, "offset", widths[0], -INFINITY, network->offset, error));
    SCREE_TRY(scree__field_reals(file, "range", widths[0], DBL_TRUE_MIN, network->range, error));
    SCREE_TRY(get_layers(file, &shape, network, error));
    SCREE_TRY(get_view(file, &network->view, error));
    SCREE_TRY(get_training(file, network, error));
    SCREE_TRY(make_model(out, file, network, error));
    scree__model_become(*out, &scree__kind_network, network);
    network = NULL;
done:
    scree__network_free(network);
    return status;
}
