/* SPDX-License-Identifier: BSD-3-Clause */
/* One fit of the imputer: variational Bayes for x_ij = µ_j + w_j'z_i + noise of variance ψ_j, by the steps of method
 * em. Columns over √ψ_j have noise of variance 1, so that its E step serves (em_expect.c); its normal equations take
 * ψ_j from the state (em_maximise.c); then, A, b being its sums in the columns as they are and v = [w; the change of
 * µ],
 *
 *     Σ⟨(x - µ - w'z)²⟩ = Σ(x - µ before)² - 2v'b + v'Av + tr(AC)
 *
 * gives ψ_j (imputer_noise.c); and z is turned and stretched to where it and w agree best with their priors
 * (em_expand.c): without that, small noise would leave their scales where they are. It ends when the noise no longer
 * changes. 2 N D k² flops a step. */

#include "fit/imputer.h"

#include "base/memory.h"
#include "kernel/packed.h"

#include <math.h>
#include <string.h>

enum { A, B, C, SETTLED = 2, PRUNE_FROM = 10 };
static const double TOLERANCE = 1e-3;  /* of the average ln ψ, a step */
static const double MEAN_VARIANCE = 1; /* prior of µ, about the mean of what was observed */
static const double FLOOR = 1e-8;

scree_status scree__imputer_trainer_open(scree__imputer_trainer *t, const scree__job *job,
                                         const scree__imputer_plan *plan, const scree__imputer_table *table,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = table->cols;
    const int64_t k = plan->k < d - 1 ? plan->k : d - 1;
    *t = (scree__imputer_trainer){.job = *job, .k = k, .frugal = plan->large};
    t->job.replicates = NULL;
    t->job.witnesses = NULL;
    t->job.gap = NULL;
    t->job.checkpoint = NULL; /* a training is a stage of it, and its steps are none */
    t->checkpoint = job->checkpoint;
    t->job.cols = d;
    SCREE_TRY(scree__em_state_new(&t->scaled, d, k, true, error));
    for (int f = 0; f < SCREE__IMPUTER_FITS; f++) {
        SCREE_TRY(scree__em_state_new(&t->state[f], d, k, true, error));
        SCREE_ALLOC(t->noise[f], d, error);
    }
    SCREE_ALLOC(t->mean, d, error);
    SCREE_ALLOC(t->before, d, error);
    SCREE_ALLOC(t->square, d, error);
done:
    return status;
}

/* What belongs to the table. */
static void leave(scree__imputer_trainer *t)
{
    scree__em_close(&t->em);
    t->em = (scree__em){0};
    scree_source_free(t->source);
    t->source = NULL;
}

void scree__imputer_trainer_close(scree__imputer_trainer *t)
{
    leave(t);
    scree__em_state_clear(&t->scaled);
    for (int f = 0; f < SCREE__IMPUTER_FITS; f++) {
        scree__em_state_clear(&t->state[f]);
        free(t->noise[f]);
    }
    free(t->mean);
    free(t->before);
    free(t->square);
}

static scree_status begin(scree__imputer_trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_state start = {0};
    SCREE_TRY(scree__em_start(&t->em, &start, t->k, t->frugal, true, error));
    for (int f = 0; f < SCREE__IMPUTER_FITS; f++) {
        scree__em_state *s = &t->state[f];
        scree__em_state_copy(s, &start);
        s->broad = MEAN_VARIANCE;
        s->noises = t->noise[f];
        s->precision = f == C ? 0 : (double)s->m / 3;
        for (int64_t i = 0; f != C && i < s->m; i++)
            s->width[i] = 1 / s->precision;
        for (int64_t j = 0; j < s->d; j++)
            t->noise[f][j] = fmax(start.noise, FLOOR);
    }
done:
    scree__em_state_clear(&start);
    return status;
}

/* Offsets are counted from the means of the table. */
static void shift(scree__imputer_trainer *t, bool fresh)
{
    for (int64_t j = 0; j < t->em.d; j++) {
        for (int f = 0; !fresh && f < SCREE__IMPUTER_FITS; f++)
            t->state[f].offset[j] += t->mean[j] - t->em.rows.mean[j];
        t->mean[j] = t->em.rows.mean[j];
    }
}

scree_status scree__imputer_trainer_take(scree__imputer_trainer *t, const scree__imputer_table *table, bool fresh,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    leave(t);
    SCREE_TRY(scree__memory_open(&t->source, table->x, SCREE_F64, table->rows, table->cols, table->cols, error));
    if (table->weights)
        SCREE_TRY(scree_source_weigh(t->source, table->weights, table->rows, error));
    t->job.source = t->source;
    t->job.rows = table->rows;
    t->job.rows_known = true;
    t->em.job = &t->job;
    t->em.d = table->cols;
    t->em.floor = FLOOR;
    SCREE_TRY(scree__em_rows_open(&t->em.rows, &t->job, 0, error));
    SCREE_ALLOC(t->em.factor, table->cols, error);
    for (int64_t j = 0; j < table->cols; j++)
        t->em.factor[j] = 1;
    shift(t, fresh);
    if (fresh)
        SCREE_TRY(begin(t, error));
    SCREE_TRY(scree__em_open(&t->em, t->k, error));
done:
    return status;
}

void scree__imputer_follow(scree__imputer_trainer *t, int64_t f, int64_t other)
{
    scree__em_state_copy(&t->state[f], &t->state[other]);
    memcpy(t->noise[f], t->noise[other], (size_t)t->em.d * sizeof *t->noise[f]);
}

/* The state with its columns over √ψ. */
static void scale(scree__imputer_trainer *t, const scree__em_state *s, const double *noise)
{
    scree__em_state *to = &t->scaled;
    const int64_t pairs = scree__pairs(s->m + 1);
    scree__em_state_copy(to, s);
    to->noise = 1;
    for (int64_t j = 0; j < s->d; j++) {
        const double factor = 1 / sqrt(noise[j]);
        t->em.factor[j] = factor;
        to->offset[j] *= factor;
        for (int64_t i = 0; i < s->m; i++)
            to->w[j * s->m + i] *= factor;
        for (int64_t i = 0; i < pairs; i++)
            to->cover[j * pairs + i] *= factor * factor;
    }
}

/* Σ⟨(x - µ - w'z)²⟩ of every column. */
static void sum_squares(const scree__imputer_trainer *t, const scree__em_state *s)
{
    const scree__em *em = &t->em;
    const int64_t n = s->m + 1;
    for (int64_t j = 0; j < s->d; j++) {
        const double *a = em->sums.a + j * scree__pairs(n);
        const double *b = em->sums.b + j * n;
        const double *w = s->w + j * s->m;
        const double moved = s->offset[j] - t->before[j];
        double sum = em->rows.seen[j] * (em->rows.variance[j] + t->before[j] * t->before[j]);
        sum -= 2 * (scree__packed_dot(w, b, s->m) + moved * b[s->m]);
        sum += scree__packed_quadratic(a, w, s->m) +
               moved * (2 * scree__packed_dot(a + scree__pairs(s->m), w, s->m) + moved * em->rows.seen[j]);
        t->square[j] = fmax(sum + scree__packed_trace(a, s->cover + j * scree__pairs(n), n), 0);
    }
}

/* A step; the average ln ψ after it. */
static scree_status step(scree__imputer_trainer *t, int64_t f, double *level, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_state *s = &t->state[f];
    scree__em *em = &t->em;
    double sum = 0;
    scale(t, s, t->noise[f]);
    SCREE_TRY(scree__em_expect(em, &t->scaled, error));
    for (int64_t j = 0; j < s->d; j++) {
        for (int64_t i = 0; i <= s->m; i++)
            em->sums.b[j * (s->m + 1) + i] *= sqrt(t->noise[f][j]);
        t->before[j] = s->offset[j];
    }
    SCREE_TRY(scree__em_maximise_columns(em, s, error));
    sum_squares(t, s);
    scree__imputer_noise(t->square, em->rows.seen, s->d, f != A, t->noise[f]);
    SCREE_TRY(scree__em_expand(em, s, error));
    for (int64_t j = 0; j < s->d; j++)
        sum += em->rows.seen[j] * log(t->noise[f][j]);
    *level = sum / em->rows.cell_weight;
done:
    return status;
}

/* A training at work. */
typedef struct training {
    scree__imputer_trainer *t;
    int64_t f;
    int most; /* steps */
    int i;
    int still;
    double before;
} training;

static void move_training(void *context, scree__snapshot *s)
{
    training *w = context;
    scree__snapshot_int(s, &w->i, 0, w->most);
    scree__snapshot_int(s, &w->still, 0, SETTLED);
    scree__snapshot_double(s, &w->before);
    scree__em_state_move(&w->t->state[w->f], w->t->k, s);
    scree__snapshot_doubles(s, w->t->noise[w->f], w->t->em.d);
}

static scree_status run_training(training *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_trainer *t = w->t;
    scree__em_state *s = &t->state[w->f];
    for (; w->i < w->most && w->still < SETTLED; w->i++) {
        double level = 0;
        SCREE_TRY(scree__checkpoint_turn(t->checkpoint, error));
        SCREE_TRY(step(t, w->f, &level, error));
        w->still = fabs(level - w->before) < TOLERANCE ? w->still + 1 : 0;
        w->before = level;
        if (w->f == C && w->i >= PRUNE_FROM) {
            s->noise = t->noise[w->f][0];
            scree__em_prune(s);
        }
    }
done:
    return status;
}

scree_status scree__imputer_train(scree__imputer_trainer *t, int64_t f, int steps, scree_error *error)
{
    scree_status status = SCREE_OK;
    training w = {.t = t, .f = f, .most = steps, .before = HUGE_VAL};
    const scree__stage stage = {.name = "training", .move = move_training, .context = &w};
    scree__reached reached;
    SCREE_TRY(scree__checkpoint_begin(t->checkpoint, &stage, &reached, error));
    if (reached == SCREE__OVER)
        goto done;
    status = run_training(&w, error);
    SCREE_TRY(scree__checkpoint_end(t->checkpoint, status, error));
done:
    return status;
}

void scree__imputer_pack(scree__imputer_fit *into, const scree__imputer_trainer *t, int64_t f, const int64_t *columns)
{
    const scree__em_state *s = &t->state[f];
    const int64_t n = s->m + 1;
    const int64_t pairs = scree__pairs(n);
    for (int64_t j = 0; j < s->d; j++) {
        const int64_t to = columns ? columns[j] : j;
        memcpy(into->loadings + to * n, s->w + j * s->m, (size_t)s->m * sizeof *s->w);
        into->loadings[to * n + s->m] = t->mean[j] + s->offset[j];
        memcpy(into->cover + to * pairs, s->cover + j * pairs, (size_t)pairs * sizeof *s->cover);
        into->noise[to] = t->noise[f][j];
    }
}
