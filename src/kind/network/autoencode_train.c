/* SPDX-License-Identifier: BSD-3-Clause */
/* Training by mini-batches: Adam, whose rate climbs during the first epoch and falls as a cosine over the others.
 *
 * The first epoch does not depend on how many there will be: so a limit of time can make them fewer once it is known
 * how long one takes, and the result is the same as if so many had been asked for. After each epoch the rows kept apart
 * decide whether the network is the best so far; too many epochs without a better one end it. 6 flops a weight and row
 * for training, 2 for validation. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/progress.h"
#include "kernel/adam.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double SPARE = 0.97; /* of the time that is given: what epochs are planned for */

double scree__trainer_seconds(scree__trainer *t)
{
    if (!(t->began > 0))
        t->began = scree__seconds();
    return scree__seconds() - t->began;
}

static double rate_at(const scree__trainer *t, int64_t step)
{
    const double warm = (double)t->steps_an_epoch;
    const double all = (double)(t->options.epochs * t->steps_an_epoch);
    if ((double)step < warm)
        return t->options.rate * (double)(step + 1) / warm;
    return t->options.rate * 0.5 * (1 + cos(PI * ((double)step - warm) / (all - warm)));
}

scree_status scree__trainer_lost(const scree__trainer *t, scree_error *error)
{
    const int64_t step = t->step < t->options.epochs * t->steps_an_epoch ? t->step : t->step - 1;
    return scree__fail(error, SCREE_ERR_NUMERIC,
                       "training ran out of bounds in epoch %lld; ask for a lower rate than %g, or look for values far "
                       "from all others",
                       (long long)(step / t->steps_an_epoch + 1), t->options.rate);
}

/* One update, by the rows that lie in the first layer. */
static scree_status update(void *context, int64_t rows, scree_error *error)
{
    scree__trainer *t = context;
    const double sum = scree__stack_forward_f32(&t->stack, rows, true);
    if (!isfinite(sum))
        return scree__trainer_lost(t, error);
    scree__stack_backward_f32(&t->stack, rows, 1.0 / (double)rows, false);
    const scree__adam adam = {.values = t->current,
                              .gradient = t->stack.gradient,
                              .first = t->moments[0],
                              .second = t->moments[1],
                              .count = t->stack.parameters,
                              .step = t->step + 1,
                              .rate = rate_at(t, t->step),
                              .decay = t->options.decay};
    scree__adam_update(&adam, t->stack.threads);
    t->step++;
    t->sum += sum;
    t->seen += rows;
    if (t->step % t->steps_an_epoch != 0) { /* after the last one comes validation */
        const scree_status status = scree__checkpoint_offer(t->checkpoint, error);
        if (status != SCREE_OK)
            return status;
    }
    t->out_of_time = t->options.seconds > 0 && scree__trainer_seconds(t) > t->options.seconds;
    return t->out_of_time ? scree__fail(error, SCREE_ERR_CANCELLED, "the time is over") : SCREE_OK;
}

/* Fewer epochs, where the first shows that all of them would take too long; but one more than are done. */
static void plan_epochs(scree__trainer *t)
{
    const double epoch = scree__trainer_seconds(t);
    const double fit = floor(SPARE * t->options.seconds / epoch);
    if (t->options.seconds > 0 && fit < (double)t->options.epochs)
        t->options.epochs = fit > 2 ? (int64_t)fit : 2;
}

/* No epoch was better for so long that training ends. */
static bool is_stale(const scree__trainer *t)
{
    return t->options.validation > 0 && t->stale >= t->options.patience;
}

/* Cancelled at the end of an epoch, that epoch counts, and training stops after it, unless it would have ended there.
 */
static scree_status train_epoch(scree__trainer *t, int64_t epoch, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool stop = false;
    double validation = NAN;
    const scree__batches batches = {.into = t->stack.h[0],
                                    .batch = t->options.batch,
                                    .epoch = epoch,
                                    .epochs = t->options.epochs,
                                    .began = scree__seconds(),
                                    .skip = t->step % t->steps_an_epoch,
                                    .visit = update,
                                    .context = t};
    SCREE_TRY(scree__feed_shuffled(t->feed, &batches, error));
done:
    if (status == SCREE_ERR_CANCELLED && t->step == (epoch + 1) * t->steps_an_epoch) {
        stop = epoch + 1 < t->options.epochs;
        status = SCREE_OK;
    }
    if (status == SCREE_OK)
        status = scree__trainer_error(t, SCREE__VALIDATION, &validation, error);
    if (status == SCREE_OK && t->feed->part_rows[SCREE__VALIDATION] > 0 && !isfinite(validation))
        status = scree__trainer_lost(t, error);
    if (status == SCREE_OK) {
        scree__trainer_tell(t, epoch + 1, t->unit * t->unit * t->sum / (double)t->seen, validation);
        t->sum = 0;
        t->seen = 0;
    }
    return status == SCREE_OK && stop && !is_stale(t) ? SCREE_ERR_CANCELLED : status;
}

/* What is needed to go on as if nothing had happened. */
static scree_status keep_state(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__training *kept = &t->network->training;
    float **const from[] = {&t->current, &t->moments[0], &t->moments[1]};
    float **const to[] = {&kept->current, &kept->moments[0], &kept->moments[1]};
    for (int i = 0; i < 3; i++) {
        SCREE_ALLOC(*to[i], t->stack.parameters, error);
        memcpy(*to[i], *from[i], (size_t)t->stack.parameters * sizeof **to[i]);
    }
    kept->step = t->step;
    kept->stale = t->stale;
    kept->sum = t->sum;
    kept->seen = t->seen;
    kept->before = t->before;
done:
    return status;
}

/* An interrupted training: with what it has found, if it has found anything. */
static scree_status break_off(scree__trainer *t, int64_t epoch, scree_error *error)
{
    scree_status status = SCREE_OK;
    double validation = NAN;
    if (t->network->view.best_epoch == 0 && !t->out_of_time)
        return SCREE_ERR_CANCELLED;
    t->network->view.stopped = t->out_of_time ? "time" : "cancelled";
    SCREE_TRY(keep_state(t, error));
    if (t->network->view.best_epoch == 0) { /* not even one epoch: what there is is the best */
        SCREE_TRY(scree__trainer_error(t, SCREE__VALIDATION, &validation, error));
        scree__trainer_tell(t, epoch + 1, t->unit * t->unit * t->sum / (double)t->seen, validation);
    }
done:
    return status;
}

/* For a checkpoint. */
static void move(void *context, scree__snapshot *s)
{
    scree__trainer *t = context;
    const int64_t bytes = t->stack.parameters * (int64_t)sizeof *t->current;
    scree__trainer_move(t, s);
    scree__snapshot_bytes(s, t->moments[0], bytes);
    scree__snapshot_bytes(s, t->moments[1], bytes);
}

static scree_status run_epochs(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t epoch = t->step / t->steps_an_epoch; epoch < t->options.epochs; epoch++) {
        status = train_epoch(t, epoch, error);
        if (status == SCREE_ERR_CANCELLED) {
            SCREE_TRY(break_off(t, epoch, error));
            break;
        }
        SCREE_TRY(status);
        if (is_stale(t)) {
            t->network->view.stopped = "patience";
            break;
        }
        if (epoch == 0)
            plan_epochs(t);
        SCREE_TRY(scree__checkpoint_offer(t->checkpoint, error));
    }
done:
    return status;
}

scree_status scree__train_adam(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__stage stage = {.name = "adam", .move = move, .context = t};
    scree__reached reached;
    scree__blas_enter();
    scree__trainer_seconds(t);
    t->network->view.stopped = "epochs";
    SCREE_TRY(scree__checkpoint_begin(t->checkpoint, &stage, &reached, error));
    if (reached == SCREE__OVER)
        goto done;
    t->network->view.stopped = "epochs"; /* though an earlier process was */
    status = run_epochs(t, error);
    const bool broken_off = status == SCREE_OK && t->network->training.current; /* the best so far is no end */
    const scree_status ended = scree__checkpoint_end(t->checkpoint, broken_off ? SCREE_ERR_CANCELLED : status, error);
    status = broken_off ? SCREE_OK : ended;
done:
    scree__blas_leave();
    return status;
}
