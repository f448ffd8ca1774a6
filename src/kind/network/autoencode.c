/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_autoencode: an auto-encoder for rows, beside the PCA with as many components.
 *
 *     minimise (1/N) Σ ‖x - g(f(x))‖²   (10.76)     f the encoder, g the decoder
 *
 * The rows are read (autoencode_feed.c), PCA is fitted to those for training, the network gets weights to start
 * from (autoencode_start.c) and is trained (autoencode_train.c; linear ones autoencode_whole.c), and what was best
 * becomes a model. Columns are brought to where networks like them by one offset each and a range: the mean, and one
 * range for all, so that errors weigh as they do in the data; for a sigmoid, which ends at 0 and 1, their lowest value
 * and their own range. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/size_text.h"
#include "base/sized.h"
#include "base/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PASS_ROWS = 256 }; /* that are looked at together */

/* PCA of the rows for training, and its errors. */
static scree_status fit_pca(scree_model **out, scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *rows = NULL;
    scree_source *apart = NULL;
    scree__feed *feed = t->feed;
    scree_network_view *view = &t->network->view;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    const int64_t most = feed->part_rows[SCREE__TRAINING] < feed->cols ? feed->part_rows[SCREE__TRAINING] : feed->cols;
    options.components = t->options.code < most ? t->options.code : most;
    scree_run run = *t->options.run;
    if (t->checkpoint)
        run.memory = t->memory;
    options.run = &run;
    options.no_imputer = true;
    SCREE_TRY(scree__part_open(&rows, feed->source, SCREE__TRAINING, feed->seed, feed->validation,
                               feed->part_rows[SCREE__TRAINING], error));
    if (run.memory > 0) /* without a limit it is what is free by now */
        rows->memory += feed->held;
    SCREE_TRY(scree_model_fit(out, rows, &options, error));
    view->pca_training_error = scree_model_get(*out)->reconstruction_error;
    view->pca_validation_error = NAN;
    t->pca_error = view->pca_training_error;
    if (feed->part_rows[SCREE__VALIDATION] > 0) {
        SCREE_TRY(scree__part_open(&apart, feed->source, SCREE__VALIDATION, feed->seed, feed->validation,
                                   feed->part_rows[SCREE__VALIDATION], error));
        SCREE_TRY(scree_model_round_trip(*out, apart, NULL, &view->pca_validation_error, &run, error));
        t->pca_error = view->pca_validation_error;
    }
done:
    scree_source_free(rows);
    scree_source_free(apart);
    return status;
}

static scree_status make_network(scree__trainer *t, scree_error *error)
{
    const scree_autoencode_options *o = &t->options;
    int64_t widths[SCREE__MAX_ENCODERS + 1] = {t->feed->cols};
    const scree__shape shape = {.widths = widths,
                                .encoders = o->hidden_count + 1,
                                .activation = scree__activation_find(o->activation),
                                .output = scree__activation_find(o->output),
                                .tied = o->tied,
                                .bias = !o->linear};
    if (o->resume)
        return scree__network_copy(&t->network, scree__network_of(o->resume), error);
    for (int64_t l = 0; l < o->hidden_count; l++)
        widths[l + 1] = o->hidden[l];
    widths[o->hidden_count + 1] = o->code;
    return scree__network_new(&t->network, &shape, error);
}

/* Mean range of the columns that vary, in squares; 1 where there is none. */
static double usual_range(const scree__feed *feed)
{
    double squares = 0;
    int64_t count = 0;
    for (int64_t j = 0; j < feed->cols; j++) {
        const double range = feed->highest[j] - feed->lowest[j];
        squares += range * range;
        count += range > 0;
    }
    const double usual = sqrt(squares / (double)(count > 0 ? count : 1));
    return usual > 0 && isfinite(usual) ? usual : 1;
}

/* Bytes are images as a rule: 0 to 255, whatever was seen. A column without a range takes the middle of a usual one: so
 * it weighs no more than others, and a sigmoid gives it back before it has learned anything. */
static void choose_ranges(scree__network *network, const scree__feed *feed, const scree_model_view *pca)
{
    const bool sigmoid = network->layers[network->count - 1].activation == SCREE__SIGMOID;
    const double spread = sqrt(pca->total_variance / (double)pca->d);
    const double usual = usual_range(feed);
    for (int64_t j = 0; j < pca->d; j++) {
        const double range = feed->highest[j] - feed->lowest[j];
        network->offset[j] = pca->mean[j];
        network->range[j] = spread > 0 && isfinite(spread) ? spread : 1;
        if (sigmoid && feed->source->about.type == SCREE_U8) {
            network->offset[j] = 0;
            network->range[j] = 255;
        } else if (sigmoid) {
            const bool varies = range > 0 && isfinite(range);
            network->offset[j] = varies ? feed->lowest[j] : feed->lowest[j] - usual / 2;
            network->range[j] = varies ? range : usual;
        }
    }
}

/* The unit of errors, and what each column weighs in it: nothing is said where all weigh the same. */
static scree_status weigh_columns(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double *range = t->network->range;
    const int64_t d = t->feed->cols;
    float *weight = NULL;
    bool alike = true;
    double squares = 0;
    t->feed->offset = t->network->offset;
    for (int64_t j = 0; j < d; j++) {
        t->feed->factor[j] = 1 / range[j];
        squares += range[j] * range[j];
        alike &= range[j] == range[0];
    }
    t->unit = alike ? range[0] : sqrt(squares / (double)d);
    if (alike)
        goto done;
    SCREE_ALLOC(weight, d, error);
    for (int64_t j = 0; j < d; j++)
        weight[j] = (float)(range[j] / t->unit * (range[j] / t->unit));
    t->stack.weight = weight;
done:
    return status;
}

/* Where each layer's numbers stand, as scree__network_give puts them. */
static void lay_out(scree__stack *stack, const scree__network *network)
{
    int64_t at = 0;
    stack->count = network->count;
    for (int64_t l = 0; l < network->count; l++) {
        const scree__layer *layer = &network->layers[l];
        const bool flipped = network->tied && l >= network->encoders;
        stack->layers[l] = (scree__dense){layer->in, layer->out, layer->activation, at, flipped, -1};
        if (flipped)
            stack->layers[l].weights = stack->layers[network->count - 1 - l].weights;
        else
            at += layer->in * layer->out;
        if (layer->bias) {
            stack->layers[l].bias = at;
            at += layer->out;
        }
    }
    stack->parameters = at;
}

/* A finished network is the best so far, by the rows that are kept apart now: what follows must be better. */
static scree_status judge_before(scree__trainer *t, int64_t best_epoch, scree_error *error)
{
    scree_network_view *view = &t->network->view;
    if (t->options.linear || t->feed->part_rows[SCREE__VALIDATION] == 0)
        return SCREE_OK;
    view->epochs = t->before;
    view->best_epoch = best_epoch;
    const scree_status status = scree__trainer_error(t, SCREE__VALIDATION, &view->validation_error, error);
    t->best_error = view->validation_error;
    return status;
}

/* From the weights of a network that was trained before, and where it was interrupted from all that it knew. */
static scree_status go_on(scree__trainer *t, scree_error *error)
{
    const scree__network *from = scree__network_of(t->options.resume);
    const size_t bytes = (size_t)t->stack.parameters * sizeof(float);
    scree_network_view *view = &t->network->view;
    scree__network_give(from, t->current);
    scree__network_give(from, t->best);
    if (!from->training.current) {
        t->before = from->view.epochs;
        return judge_before(t, from->view.best_epoch, error);
    }
    if (from->view.training_rows != t->feed->part_rows[SCREE__TRAINING] ||
        from->view.validation_rows != t->feed->part_rows[SCREE__VALIDATION])
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "the training was interrupted on %" PRId64 " rows, and here are %" PRId64
                           "; give it the same rows",
                           from->view.training_rows + from->view.validation_rows, t->feed->rows);
    memcpy(t->current, from->training.current, bytes);
    memcpy(t->moments[0], from->training.moments[0], bytes);
    memcpy(t->moments[1], from->training.moments[1], bytes);
    t->step = from->training.step;
    t->stale = from->training.stale;
    t->sum = from->training.sum;
    t->seen = from->training.seen;
    t->before = from->training.before;
    view->epochs = from->view.epochs;
    view->best_epoch = from->view.best_epoch;
    view->training_error = from->view.training_error;
    view->validation_error = from->view.validation_error;
    t->best_error = isnan(view->validation_error) ? view->training_error : view->validation_error;
    return SCREE_OK;
}

/* Bytes that all parameters take, wherever they are kept: the network's own, those of now and of the best, and what
 * either way of training needs: two moments and, where it is interrupted, copies of three, or what L-BFGS remembers. */
static int64_t memory_of_weights(const scree__trainer *t)
{
    const int64_t floats = (t->network->tied ? 2 : 1) + 2 + 2 + (t->options.linear ? 0 : 3);
    return floats * t->stack.parameters * (int64_t)sizeof(float) +
           (t->options.linear ? scree__train_whole_memory(t->stack.parameters) : 0);
}

static scree_status prepare(scree__trainer *t, const scree_model_view *pca, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__stack *stack = &t->stack;
    scree_network_view *view = &t->network->view;
    scree__training *kept = &t->network->training;
    SCREE_TRY(weigh_columns(t, error));
    lay_out(stack, t->network);
    stack->threads = t->feed->threads;
    stack->capacity = scree__feed_largest(t->feed, t->options.batch);
    const int64_t memory = scree__stack_memory(stack, sizeof(float)) + memory_of_weights(t);
    if (memory > t->feed->room)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "%s: the network and a batch of %" PRId64 " rows take %" PRId64
                   " MB, more than half of the memory; ask for "
                   "smaller batches or layers, or give more memory",
                   t->feed->source->about.path, stack->capacity, memory / 1000000);
    SCREE_TRY(scree__stack_alloc(stack, sizeof(float), error));
    SCREE_ALLOC(t->current, stack->parameters, error);
    SCREE_ALLOC(t->best, stack->parameters, error);
    SCREE_ALLOC(t->moments[0], stack->parameters, error);
    SCREE_ALLOC(t->moments[1], stack->parameters, error);
    stack->values = t->current;
    t->steps_an_epoch = scree__feed_batches(t->feed, t->options.batch);
    view->seed = t->options.seed;
    view->training_rows = t->feed->part_rows[SCREE__TRAINING];
    view->validation_rows = t->feed->part_rows[SCREE__VALIDATION];
    SCREE_TRY(t->options.resume ? go_on(t, error) : scree__trainer_start(t, pca, error));
    kept->batch = t->options.batch;
    kept->patience = t->options.patience;
    kept->rate = t->options.rate;
    kept->decay = t->options.decay;
    kept->validation = t->options.validation;
done:
    return status;
}

/* The best parameters into the network, and their error on all rows that were trained on. A training that was broken
 * off has no time for that: there it is the mean of the epoch. */
static scree_status conclude(scree__trainer *t, scree_error *error)
{
    scree_network_view *view = &t->network->view;
    scree__network_take(t->network, t->best);
    t->network->training.epochs = t->options.epochs;
    if (strcmp(view->stopped, "cancelled") == 0)
        return SCREE_OK;
    t->stack.values = t->best;
    scree_status status = scree__trainer_error(t, SCREE__TRAINING, &view->training_error, error);
    t->stack.values = t->current;
    return status == SCREE_OK && !isfinite(view->training_error) ? scree__trainer_lost(t, error) : status;
}

static scree_status make_model(scree_model **out, scree__trainer *t, const scree_source *source,
                               const scree_model_view *pca, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    const size_t columns = (size_t)pca->d * sizeof(double);
    SCREE_TRY(scree__model_new(&model, pca->d, t->options.code, "autoencoder", false,
                               (const char *const *)source->about.columns, error));
    memcpy(model->mean, pca->mean, columns);
    memcpy(model->variances, pca->variances, columns);
    model->view.n = pca->n;
    model->view.weight = (double)pca->n;
    model->view.passes = (int)t->network->view.epochs;
    model->view.converged = strcmp(t->network->view.stopped, "cancelled") != 0;
    model->view.total_variance = pca->total_variance;
    model->view.observed = pca->observed;
    model->view.image_rows = source->about.image_rows;
    model->view.image_cols = source->about.image_cols;
    scree__model_become(model, &scree__kind_network, t->network);
    t->network = NULL;
    SCREE_TRY(scree__model_settle(model, error));
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    return status;
}

static void trainer_close(scree__trainer *t)
{
    free(t->stack.weight);
    scree__stack_clear(&t->stack);
    scree__network_free(t->network);
    free(t->current);
    free(t->best);
    free(t->moments[0]);
    free(t->moments[1]);
}

scree_status scree__autoencode_within(scree_model **out, scree_source *source, const scree_autoencode_options *options,
                                      int64_t room, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__feed feed = {0};
    scree__trainer t = {.options = *options, .feed = &feed};
    scree_model *pca = NULL;
    SCREE_TRY(scree__autoencode_settle(&t.options, source, error));
    SCREE_TRY(scree__trainer_checkpoint(&t, source, &room, error));
    SCREE_TRY(scree__feed_open(&feed, source, &t.options, room, error));
    scree__autoencode_settle_rows(&t.options, feed.part_rows[SCREE__TRAINING]);
    SCREE_TRY(make_network(&t, error));
    SCREE_TRY(fit_pca(&pca, &t, error));
    if (!t.options.resume)
        choose_ranges(t.network, &feed, scree_model_get(pca));
    SCREE_TRY(prepare(&t, scree_model_get(pca), error));
    SCREE_TRY(t.options.linear ? scree__train_whole(&t, error) : scree__train_adam(&t, error));
    SCREE_TRY(conclude(&t, error));
    SCREE_TRY(make_model(out, &t, source, scree_model_get(pca), error));
    if (t.checkpoint && !options->checkpoint_stays && (*out)->view.converged)
        scree__checkpoint_remove(options->checkpoint);
done:
    scree__checkpoint_close(t.checkpoint);
    trainer_close(&t);
    scree_model_free(pca);
    scree__feed_close(&feed);
    return status;
}

/* Half of the memory that reading leaves is for rows and batches: PCA and the system have the other. */
scree_status scree_model_autoencode(scree_model **out, scree_source *source, const scree_autoencode_options *options,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_autoencode_options mine = SCREE_AUTOENCODE_OPTIONS_INIT;
    scree_run run;
    scree_error problem = SCREE_ERROR_INIT; /* training that is cancelled after an epoch is none */
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    const int64_t memory = run.memory > 0 ? run.memory : scree__memory_available() / 10 * 8;
    const int64_t reading = run.memory > 0 ? scree__pass_memory(source, PASS_ROWS) : 0;
    char limit[SCREE__SIZE_TEXT], needed[SCREE__SIZE_TEXT];
    if (memory < reading)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "%s: %s is too little memory: reading its rows needs %s; allow more than that", source->about.path,
                   scree__size_text(limit, memory), scree__size_text(needed, reading));
    status = scree__autoencode_within(out, source, &mine, (memory - reading) / 2, &problem);
    if (status != SCREE_OK)
        scree__fail(error, status, "%s", problem.text);
done:
    return status;
}
