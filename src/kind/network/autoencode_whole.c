/* SPDX-License-Identifier: BSD-3-Clause */
/* Training on all rows at once, for linear networks: their error is smooth and its optimum is known to be the space of
 * PCA (10.76), which mini-batches only circle. L-BFGS (Nocedal 1980) with 12 pairs: the direction comes from the
 * differences of the last gradients, and a step is taken once it lowers the error enough and the slope has flattened
 * (weak Wolfe, found by bisection as Lewis and Overton 2013). One pass over the rows for each point that is looked at,
 * 6 flops a weight and row.
 *
 * It has converged when the gradient is small beside the error, or when ten steps together gain less than rounding. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 12, LOOKS = 24, WINDOW = 10 };

static const double ENOUGH = 1e-4;  /* of the fall that the slope promises */
static const double FLATTER = 0.9;  /* than the slope before */
static const double FLAT = 1e-7;    /* gradient over error */
static const double NOTHING = 2e-8; /* of the error: what rounding in float hides */

int64_t scree__train_whole_memory(int64_t parameters)
{
    return (4 + 2 * PAIRS) * parameters * (int64_t)sizeof(double);
}

typedef struct search {
    scree__trainer *t;
    int64_t n;
    double *x;         /* n: where it is */
    double *g;         /* n: gradient there */
    double *direction; /* n */
    double *next;      /* n: gradient at the point looked at */
    double *s[PAIRS];  /* differences of points */
    double *y[PAIRS];  /* of gradients */
    double rho[PAIRS]; /* 1/(s·y) */
    int64_t pairs;     /* ever made */
    double f;
    double f_next;
    int64_t epoch;
    double sum;          /* in a pass */
    bool looked;         /* f and g are those at x */
    double past[WINDOW]; /* errors of the last steps, by their number */
} search;

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static scree_status add_batch(void *context, int64_t rows, scree_error *error)
{
    search *s = context;
    scree__stack *stack = &s->t->stack;
    (void)error;
    s->sum += scree__stack_forward_f32(stack, rows, true);
    scree__stack_backward_f32(stack, rows, 1.0, true);
    return SCREE_OK;
}

/* Error and gradient at the trainer's current parameters. */
static scree_status look(search *s, double *f, double *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__trainer *t = s->t;
    const double rows = (double)t->feed->part_rows[SCREE__TRAINING];
    float *gradient = t->stack.gradient;
    const scree__batches batches = {.into = t->stack.h[0],
                                    .batch = t->stack.capacity,
                                    .epoch = s->epoch,
                                    .epochs = t->options.epochs,
                                    .visit = add_batch,
                                    .context = s};
    s->sum = 0;
    memset(gradient, 0, (size_t)s->n * sizeof *gradient);
    SCREE_TRY(scree__feed_in_order(t->feed, SCREE__TRAINING, &batches, error));
    *f = s->sum / rows;
    for (int64_t i = 0; i < s->n; i++)
        g[i] = (double)gradient[i] / rows;
done:
    return status;
}

/* -H g, by the two loops over the pairs. */
static void choose_direction(search *s)
{
    double alpha[PAIRS];
    const int64_t kept = s->pairs < PAIRS ? s->pairs : PAIRS;
    double *q = s->direction;
    for (int64_t i = 0; i < s->n; i++)
        q[i] = -s->g[i];
    for (int64_t p = s->pairs - 1; p >= s->pairs - kept; p--) {
        const int64_t at = p % PAIRS;
        alpha[at] = s->rho[at] * dot(s->s[at], q, s->n);
        for (int64_t i = 0; i < s->n; i++)
            q[i] -= alpha[at] * s->y[at][i];
    }
    if (kept > 0) {
        const int64_t at = (s->pairs - 1) % PAIRS;
        const double scale = 1 / (s->rho[at] * dot(s->y[at], s->y[at], s->n));
        for (int64_t i = 0; i < s->n; i++)
            q[i] *= scale;
    }
    for (int64_t p = s->pairs - kept; p < s->pairs; p++) {
        const int64_t at = p % PAIRS;
        const double beta = s->rho[at] * dot(s->y[at], q, s->n);
        for (int64_t i = 0; i < s->n; i++)
            q[i] += (alpha[at] - beta) * s->s[at][i];
    }
}

static void move(search *s, double step)
{
    for (int64_t i = 0; i < s->n; i++)
        s->t->current[i] = (float)(s->x[i] + step * s->direction[i]);
}

/* A step along the direction; *step is 0 when none helps. */
static scree_status search_line(search *s, double *step, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double slope = dot(s->g, s->direction, s->n);
    double low = 0;
    double high = INFINITY;
    double at = s->pairs > 0 ? 1.0 : 0.1 * sqrt(dot(s->x, s->x, s->n) / dot(s->g, s->g, s->n));
    *step = 0;
    for (int looks = 0; looks < LOOKS && slope < 0; looks++) {
        move(s, at);
        SCREE_TRY(look(s, &s->f_next, s->next, error));
        const double flat = dot(s->next, s->direction, s->n);
        if (!(s->f_next <= s->f + ENOUGH * at * slope)) {
            high = at;
        } else if (flat < FLATTER * slope) {
            low = at;
        } else {
            *step = at;
            break;
        }
        at = isfinite(high) ? 0.5 * (low + high) : 2 * at;
    }
done:
    return status;
}

/* The step becomes the place, and a pair; one that would not keep the matrix positive is left out. */
static void accept(search *s)
{
    const int64_t at = s->pairs % PAIRS;
    for (int64_t i = 0; i < s->n; i++) {
        const double here = (double)s->t->current[i];
        s->s[at][i] = here - s->x[i];
        s->y[at][i] = s->next[i] - s->g[i];
        s->x[i] = here;
        s->g[i] = s->next[i];
    }
    s->f = s->f_next;
    const double curvature = dot(s->s[at], s->y[at], s->n);
    if (curvature > 0) {
        s->rho[at] = 1 / curvature;
        s->pairs++;
    }
}

static scree_status open_search(search *s, scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    s->t = t;
    s->n = t->stack.parameters;
    SCREE_ALLOC(s->x, s->n, error);
    SCREE_ALLOC(s->g, s->n, error);
    SCREE_ALLOC(s->direction, s->n, error);
    SCREE_ALLOC(s->next, s->n, error);
    for (int p = 0; p < PAIRS; p++) {
        SCREE_ALLOC(s->s[p], s->n, error);
        SCREE_ALLOC(s->y[p], s->n, error);
    }
    for (int64_t i = 0; i < s->n; i++)
        s->x[i] = (double)t->current[i];
done:
    return status;
}

static void close_search(search *s)
{
    free(s->x);
    free(s->g);
    free(s->direction);
    free(s->next);
    for (int p = 0; p < PAIRS; p++) {
        free(s->s[p]);
        free(s->y[p]);
    }
}

/* Steps until it has converged or may do no more. */
static scree_status descend(search *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__trainer *t = s->t;
    double validation = NAN;
    double step = 1;
    bool stuck = false;
    if (!s->looked)
        SCREE_TRY(look(s, &s->f, s->g, error));
    s->looked = true;
    for (; s->epoch < t->options.epochs; s->epoch++) {
        const double before = s->epoch >= WINDOW ? s->past[s->epoch % WINDOW] : INFINITY;
        SCREE_TRY(scree__checkpoint_offer(t->checkpoint, error));
        choose_direction(s);
        SCREE_TRY(search_line(s, &step, error));
        s->past[s->epoch % WINDOW] = s->f;
        if (step > 0) {
            accept(s);
        } else {
            move(s, 0); /* back to where it was; the gradient itself may yet lead on */
            stuck = s->pairs == 0;
            s->pairs = 0;
        }
        SCREE_TRY(scree__trainer_error(t, SCREE__VALIDATION, &validation, error));
        scree__trainer_tell(t, s->epoch + 1, t->unit * t->unit * s->f, validation);
        if (stuck || before - s->f <= NOTHING * s->f || sqrt(dot(s->g, s->g, s->n)) <= FLAT * s->f) {
            t->network->view.stopped = "converged";
            break;
        }
        t->out_of_time = t->options.seconds > 0 && scree__trainer_seconds(t) > t->options.seconds;
        if (t->out_of_time) {
            t->network->view.stopped = "time";
            break;
        }
    }
done:
    return status;
}

/* For a checkpoint, between two epochs. */
static void move_search(void *context, scree__snapshot *snapshot)
{
    search *s = context;
    scree__trainer_move(s->t, snapshot);
    scree__snapshot_flag(snapshot, &s->looked);
    scree__snapshot_count(snapshot, &s->epoch, 0, s->t->options.epochs);
    scree__snapshot_count(snapshot, &s->pairs, 0, INT32_MAX);
    scree__snapshot_double(snapshot, &s->f);
    scree__snapshot_doubles(snapshot, s->x, s->n);
    scree__snapshot_doubles(snapshot, s->g, s->n);
    scree__snapshot_doubles(snapshot, s->rho, PAIRS);
    scree__snapshot_doubles(snapshot, s->past, WINDOW);
    for (int64_t p = 0; p < PAIRS && p < s->pairs; p++) {
        scree__snapshot_doubles(snapshot, s->s[p], s->n);
        scree__snapshot_doubles(snapshot, s->y[p], s->n);
    }
}

scree_status scree__train_whole(scree__trainer *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    search s = {0};
    const scree__stage stage = {.name = "whole", .move = move_search, .context = &s};
    scree__reached reached;
    scree__blas_enter();
    scree__trainer_seconds(t);
    t->network->view.stopped = "epochs";
    SCREE_TRY(open_search(&s, t, error));
    SCREE_TRY(scree__checkpoint_begin(t->checkpoint, &stage, &reached, error));
    if (reached == SCREE__OVER)
        goto done;
    t->network->view.stopped = "epochs"; /* though an earlier process was */
    status = scree__checkpoint_end(t->checkpoint, descend(&s, error), error);
    if (status == SCREE_ERR_CANCELLED && t->network->view.best_epoch > 0) {
        t->network->view.stopped = "cancelled";
        status = SCREE_OK;
    }
done:
    scree__blas_leave();
    close_search(&s);
    return status;
}
