/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a training: checked, and what was left open decided, by the source and, once it is known how many rows
 * there are, by these. A network learns by updates, not by epochs: few rows come in smaller batches and more epochs, so
 * that there are enough of them. The narrower its layers, the longer are the steps that it stands: rate ∝ 1/√width, as
 * sums over a layer grow when all its weights move alike. An interrupted training goes on with the options that it was
 * begun with, so that it ends as if it had not been interrupted. */

#include "kind/network/autoencode.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { EPOCHS = 100, EPOCHS_MOST = 1000, EPOCHS_LINEAR = 500 };
enum { BATCH = 256, BATCH_LEAST = 16, UPDATES = 32 }; /* of an epoch, where batches can be small enough */

static const double RATE = 1e-3; /* for layers of WIDTH units or more */
static const double RATE_MOST = 5e-3;
static const double WIDTH = 1000;
static const double VALIDATION = 0.1;

static scree_status check_layers(const scree_autoencode_options *o, const scree_source *source, scree_error *error)
{
    if (o->code < 1 || o->code > source->about.cols)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: a code of %" PRId64 " numbers was asked for rows of %" PRId64
                           " columns; ask for 1 to %" PRId64,
                           source->about.path, o->code, source->about.cols, source->about.cols);
    if (o->hidden_count < 0 || o->hidden_count >= SCREE__MAX_ENCODERS)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%" PRId64 " hidden layers were asked for; ask for 0 to %d",
                           o->hidden_count, SCREE__MAX_ENCODERS - 1);
    for (int64_t l = 0; l < o->hidden_count; l++)
        if (o->hidden[l] < 1 || o->hidden[l] > INT32_MAX)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "a hidden layer of %" PRId64 " units cannot be; ask for 1 or more", o->hidden[l]);
    if (o->linear && o->hidden_count > 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "a linear auto-encoder has no hidden layers; leave either linear or hidden out");
    return SCREE_OK;
}

static scree_status check_names(const scree_autoencode_options *o, scree_error *error)
{
    const scree__activation f = scree__activation_find(o->activation);
    if (f != SCREE__GELU && f != SCREE__RELU && f != SCREE__TANH)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "activation '%.40s' is not known; use gelu, relu or tanh",
                           o->activation);
    if (strcmp(o->output, "linear") != 0 && (strcmp(o->output, "sigmoid") != 0 || o->linear))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "output '%.40s' cannot be had here; use linear%s", o->output,
                           o->linear ? "" : " or sigmoid");
    return SCREE_OK;
}

static scree_status check_numbers(const scree_autoencode_options *o, scree_error *error)
{
    if (o->epochs < 0 || o->epochs > INT32_MAX || o->batch < 0 || o->patience < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "epochs, batch and patience must be 1 or more, or 0 to have them chosen");
    if (!(o->rate > 0 && isfinite(o->rate)) || !(o->decay >= 0 && o->decay < 1))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "the rate must be positive, the decay in [0, 1)");
    if (!(o->validation < 1) || !(o->seconds >= 0))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "the share of rows for validation must be in [0, 1), the time not negative");
    return SCREE_OK;
}

/* The shape is the network's; and all the rest where it was interrupted. */
static scree_status settle_resumed(scree_autoencode_options *o, const scree_source *source, scree_error *error)
{
    const scree__network *network = scree__network_of(o->resume);
    if (!scree__is_network(o->resume))
        return scree__fail(
            error, SCREE_ERR_UNSUPPORTED,
            "the model is %s; only an auto-encoder can be trained further, make one with 'scree autoencode'",
            o->resume->kind->noun);
    if (network->widths[0] != source->about.cols)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has %" PRId64 " columns, and the network was trained on %" PRId64
                           "; give it the same rows",
                           source->about.path, source->about.cols, network->widths[0]);
    o->code = network->widths[network->encoders];
    o->hidden = network->widths + 1;
    o->hidden_count = network->encoders - 1;
    o->linear = network->encoders == 1 && !network->layers[0].bias;
    o->tied = network->tied;
    o->activation = NULL;
    if (network->encoders > 1)
        o->activation = network->view.activation;
    o->output = network->view.output;
    o->seed = network->view.seed;
    o->validation = network->training.validation;
    if (network->training.current) {
        o->epochs = network->training.epochs;
        o->batch = network->training.batch;
        o->rate = network->training.rate;
        o->decay = network->training.decay;
        o->patience = network->training.patience;
    }
    return SCREE_OK;
}

static double rate_for(const scree_autoencode_options *o)
{
    double widest = 1;
    for (int64_t l = 0; l < o->hidden_count; l++)
        widest = fmax(widest, (double)o->hidden[l]);
    return o->hidden_count > 0 ? fmin(RATE_MOST, RATE * sqrt(fmax(1, WIDTH / widest))) : RATE;
}

scree_status scree__autoencode_settle(scree_autoencode_options *o, const scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (source->about.weighted || source->weights)
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: its rows have weights, and networks are trained on rows that count alike; leave the weights out",
            source->about.path);
    if (o->resume)
        SCREE_TRY(settle_resumed(o, source, error));
    SCREE_TRY(check_layers(o, source, error));
    if (o->tied < 0)
        o->tied = o->linear;
    if (!o->activation)
        o->activation = scree__activation_names[SCREE__GELU];
    if (!o->output)
        o->output = scree__activation_names[source->about.type == SCREE_U8 && o->hidden_count > 0 ? SCREE__SIGMOID
                                                                                                  : SCREE__IDENTITY];
    if (o->rate == 0)
        o->rate = rate_for(o);
    if (o->validation < 0)
        o->validation = o->linear ? 0 : VALIDATION;
    SCREE_TRY(check_names(o, error));
    SCREE_TRY(check_numbers(o, error));
done:
    return status;
}

static int64_t between(int64_t least, int64_t value, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

void scree__autoencode_settle_rows(scree_autoencode_options *o, int64_t rows)
{
    if (o->batch == 0)
        o->batch = o->linear ? BATCH : between(BATCH_LEAST, rows / UPDATES, BATCH);
    const int64_t updates = rows > o->batch ? rows / o->batch : 1;
    if (o->epochs == 0)
        o->epochs = o->linear ? EPOCHS_LINEAR : between(EPOCHS, EPOCHS * UPDATES / updates, EPOCHS_MOST);
    if (o->patience == 0)
        o->patience = (o->epochs + 4) / 5;
}
