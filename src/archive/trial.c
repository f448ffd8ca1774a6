/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes on trial: each codes the same part of the rows, half a million cells in runs of rows, just as a block would be
 * coded, and the size of the archive is that of its header and of the part, times as many as there are rows. Nothing is
 * modelled, so nothing is modelled wrongly; ten milliseconds each, several side by side. */

#include "archive/choose.h"

#include "archive/lattice.h"
#include "archive/squeeze.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>

enum { LEAST_ROWS = 64, MOST_ROWS = 1 << 16 };

scree_status scree__trial_new(scree__trial *trial, const scree__sample *sample, const scree__learnt *learnt,
                              int64_t cells, int threads, scree_error *error)
{
    int64_t rows = cells / sample->cols;
    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    *trial = (scree__trial){.sample = sample, .learnt = learnt, .threads = scree__threads(threads)};
    return scree__sample_part(&trial->part, &trial->owned, sample, rows, error);
}

void scree__trial_clear(scree__trial *trial)
{
    free(trial->owned);
    *trial = (scree__trial){0};
}

bool scree__lattice_make(scree__lattice *lattice, const scree__sample *sample, double max_error)
{
    const double grid = sample->signals ? 0 : sample->grid;
    const scree__cell_range range = {sample->type, grid, sample->least, sample->largest, sample->element};
    return scree__lattice_find(lattice, &range, max_error);
}

scree_status scree__choice_make(scree__code *code, const scree__choice *choice, const scree__learnt *learnt,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    *code = (scree__code){0};
    if (choice->coding == SCREE__CODING_MODEL)
        status = scree__code_make(code, learnt, &choice->lattice, choice->components, choice->step, error);
    if (status != SCREE_OK)
        return status;
    code->coding = choice->coding;
    code->neighbour = choice->neighbour;
    code->packer = choice->packer;
    code->lattice = choice->lattice;
    code->cols = learnt->cols;
    code->tagged = true;
    code->max_error = choice->max_error;
    code->contexts = choice->contexts;
    code->gain = choice->gain > 0 ? choice->gain : scree__best_gain;
    return SCREE_OK;
}

typedef struct work {
    const scree__trial *trial;
    scree__choice *choices;
    bool missed; /* a try had no memory */
} work;

static void run_one(void *context, int64_t index, int worker)
{
    work *w = context;
    const scree__trial *t = w->trial;
    scree__choice *choice = &w->choices[index];
    scree__outcome outcome = {0};
    scree__pack pack = {0};
    scree__code code = {0};
    (void)worker;
    choice->bytes = HUGE_VAL;
    choice->rmse = 0;
    const bool before = scree__memory_watch();
    if (scree__choice_make(&code, choice, t->learnt, NULL) == SCREE_OK) {
        code.on_trial = true;
        scree__code_put(&pack, &code);
        const double head = (double)pack.size;
        scree__block_put(&pack, &code, &t->part, &outcome);
        if (!pack.failed && t->part.rows > 0) {
            choice->bytes =
                head + ((double)pack.size - outcome.saved - head) * (double)t->sample->rows / (double)t->part.rows;
            choice->rmse = outcome.cells > 0 ? sqrt(outcome.squares / (double)outcome.cells) : 0;
        }
    }
    if (scree__memory_missed(before))
        __atomic_store_n(&w->missed, true, __ATOMIC_RELAXED);
    scree__pack_free(&pack);
    scree__code_clear(&code);
}

void scree__trial_run(const scree__trial *trial, scree__choice *choices, int64_t count)
{
    work w = {trial, choices, false};
    scree__blas_enter();
    scree__parallel(trial->threads, count, run_one, &w);
    scree__blas_leave();
    if (w.missed)
        scree__memory_miss();
}
