/* SPDX-License-Identifier: BSD-3-Clause */
/* What both ways of training do between epochs: measure the error of a part of the rows, (1/N) Σ ‖x - x̃‖² in the units
 * of the data (10.29), keep the best parameters, and tell whoever asked. 2 flops a weight and row. */

#include "kind/network/autoencode.h"

#include "base/sum.h"
#include "kernel/blas.h"

#include <string.h>

typedef struct measuring {
    scree__trainer *trainer;
    scree__sum sum;
    int64_t rows;
} measuring;

static scree_status measure(void *context, int64_t rows, scree_error *error)
{
    measuring *m = context;
    scree__stack *stack = &m->trainer->stack;
    (void)error;
    scree__stack_forward_f32(stack, rows, false);
    for (int64_t i = 0; i < rows; i++)
        scree__sum_add(&m->sum, stack->errors[i]);
    m->rows += rows;
    return SCREE_OK;
}

scree_status scree__trainer_error(scree__trainer *t, scree__part part, double *mean, scree_error *error)
{
    scree_status status = SCREE_OK;
    measuring m = {.trainer = t};
    const scree__batches batches = {
        .into = t->stack.h[0], .batch = t->stack.capacity, .silent = true, .visit = measure, .context = &m};
    *mean = NAN;
    if (t->feed->part_rows[part] == 0)
        return SCREE_OK;
    scree__blas_enter(); /* the same bits whether training is under way or over */
    status = scree__feed_in_order(t->feed, part, &batches, error);
    scree__blas_leave();
    SCREE_TRY(status);
    *mean = t->unit * t->unit * scree__sum_total(&m.sum) / (double)m.rows;
done:
    return status;
}

bool scree__trainer_tell(scree__trainer *t, int64_t epoch, double training, double validation)
{
    scree_network_view *view = &t->network->view;
    const bool judged = !isnan(validation) && !t->options.linear; /* whose best is the optimum itself */
    const bool better = !judged || view->best_epoch == 0 || validation < t->best_error;
    const scree_epoch told = {.size = sizeof told,
                              .epoch = t->before + epoch,
                              .epochs = t->before + t->options.epochs,
                              .training_error = training,
                              .validation_error = validation,
                              .pca_error = t->pca_error,
                              .seconds = scree__trainer_seconds(t)};
    view->epochs = told.epoch;
    const bool waits = t->before > 0 && view->best_epoch <= t->before; /* a larger rate first makes it worse */
    t->stale = better || waits ? 0 : t->stale + 1;
    if (better) {
        view->best_epoch = told.epoch;
        view->training_error = training;
        view->validation_error = validation;
        t->best_error = judged ? validation : training;
        memcpy(t->best, t->current, (size_t)t->stack.parameters * sizeof *t->best);
    }
    if (t->options.on_epoch)
        t->options.on_epoch(t->options.on_epoch_context, &told);
    return better;
}
