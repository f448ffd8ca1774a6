/* SPDX-License-Identifier: BSD-3-Clause */
/* A training in a checkpoint: the parameters as they are and as they were best, the errors that go with them, and where
 * in the epochs it is. Rows are read again, and the PCA beside the network is found again, before it goes on. What
 * memory there is decides the order of rows that are shuffled through it, so that it is noted, too. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/number.h"
#include "fit/checkpoint_file.h"
#include "fit/fit_resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 };

static const char *const STOPPED[] = {"epochs", "patience", "converged", "time"};
enum { REASONS = sizeof STOPPED / sizeof *STOPPED };

/* All options. */
static void print_options(char *text, size_t size, const scree_autoencode_options *o)
{
    int at =
        scree__format(text, size,
                      "codes: %" PRId64 "\nlinear: %d\ntied: %d\nactivations: %.40s\noutput layers: %.40s"
                      "\nepochs: %" PRId64 "\nbatches: %" PRId64 "\nrates: %.17g\ndecay: %.17g"
                      "\nvalidation: %.17g\npatience: %" PRId64 "\ntimes: %.17g\nseeds: %" PRIu64
                      "\nnetworks to resume: %d\nmemory: %" PRId64 "\nhidden layers:",
                      o->code, o->linear, o->tied, o->activation, o->output, o->epochs, o->batch, o->rate, o->decay,
                      o->validation, o->patience, o->seconds, o->seed, o->resume != NULL, o->run->memory);
    for (int64_t i = 0; i < o->hidden_count && at >= 0 && (size_t)at < size; i++)
        at += snprintf(text + at, size - (size_t)at, " %" PRId64, o->hidden[i]);
    if (at >= 0 && (size_t)at + 1 < size)
        memcpy(text + at, "\n", 2);
}

scree_status scree__trainer_checkpoint(scree__trainer *t, scree_source *source, int64_t *room, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_autoencode_options *o = &t->options;
    int64_t values[2] = {*room, o->run->memory > 0 ? o->run->memory : 2 * *room};
    char text[TEXT];
    char *identity = NULL;
    SCREE_TRY(scree__fit_check_every(o->checkpoint, o->checkpoint_every, error));
    if (!o->checkpoint)
        goto done;
    SCREE_TRY(scree__fit_check_rewind(source, error));
    print_options(text, sizeof text, o);
    SCREE_TRY(scree__fit_identity(&identity, source, text, error));
    const scree__checkpoint_options how = {.path = o->checkpoint, .every = o->checkpoint_every, .identity = identity};
    SCREE_TRY(scree__checkpoint_open(&t->checkpoint, &how, error));
    SCREE_TRY(scree__checkpoint_settle(t->checkpoint, "memory", values, 2, error));
    if (values[0] < 0 || values[1] < 0)
        SCREE_TRY(scree__checkpoint_broken(o->checkpoint, error));
    *room = values[0];
    t->memory = values[1];
done:
    free(identity);
    return status;
}

static void move_view(scree_network_view *view, scree__snapshot *s)
{
    int64_t reason = 0;
    while (reason + 1 < REASONS && strcmp(view->stopped, STOPPED[reason]) != 0)
        reason++;
    scree__snapshot_count(s, &reason, 0, REASONS - 1);
    view->stopped = STOPPED[reason];
    scree__snapshot_count(s, &view->epochs, 0, INT32_MAX);
    scree__snapshot_count(s, &view->best_epoch, 0, INT32_MAX);
    scree__snapshot_double(s, &view->training_error);
    scree__snapshot_double(s, &view->validation_error);
}

void scree__trainer_move(scree__trainer *t, scree__snapshot *s)
{
    const int64_t bytes = t->stack.parameters * (int64_t)sizeof *t->current;
    double seconds = scree__trainer_seconds(t);
    scree__snapshot_same(s, t->stack.parameters);
    scree__snapshot_bytes(s, t->current, bytes);
    scree__snapshot_bytes(s, t->best, bytes);
    scree__snapshot_count(s, &t->options.epochs, 1, t->options.epochs);
    scree__snapshot_count(s, &t->step, 0, t->options.epochs * t->steps_an_epoch);
    scree__snapshot_count(s, &t->stale, 0, INT32_MAX);
    scree__snapshot_count(s, &t->seen, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_double(s, &t->best_error);
    scree__snapshot_double(s, &t->sum);
    scree__snapshot_double(s, &seconds);
    move_view(&t->network->view, s);
    if (s->reads && seconds > 0)
        t->began -= seconds; /* which an earlier process took */
}
