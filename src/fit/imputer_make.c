/* SPDX-License-Identifier: BSD-3-Clause */
/* The imputer of a fit with gaps, from beginning to end: rows are gathered; cells are held out, once or, of a small
 * table, several times; the three fits are made without these cells, and predict them; that gives weights and the width
 * of intervals; fits that count for little are dropped; the others go on, from where they are, with all cells. */

#include "fit/imputer.h"

#include "base/memory.h"
#include "base/threads.h"
#include "model/relations.h"

#include <math.h>
#include <string.h>

enum { A, B, C };
enum { HELD_ENOUGH = 600, MOST_ROUNDS = 10, STEPS = 60, FINAL_STEPS = 20, STEPS_LARGE = 15, FINAL_STEPS_LARGE = 3 };
enum { FEW_EQUAL = 10 }; /* values of a column that are one: whether others can differ is not known */
static const double LEAST_WEIGHT = 0.02;
static const double LEAST_WEIGHT_LARGE = 0.05;

typedef struct making {
    scree__em *em;
    const scree__imputer_plan *plan;
    scree__solution *solution;
    scree__imputer_table table;
    scree__imputer_trainer trainer;
    scree__imputer_held held[MOST_ROUNDS];
    int64_t rounds;
    scree__relations *related; /* of the columns of the table; NULL: none */
    bool sought;
} making;

/* The fits as they are, in the columns of the table or of the data. */
static scree_status pack(scree__imputer **out, const making *m, const int64_t *which, int64_t fits, bool in_data,
                         scree_error *error)
{
    int64_t k[SCREE__IMPUTER_FITS];
    for (int64_t f = 0; f < fits; f++)
        k[f] = m->trainer.state[which[f]].m;
    const int64_t d = in_data ? m->em->d : m->table.cols;
    const scree_status status = scree__imputer_new(out, d, fits, k, error);
    for (int64_t f = 0; status == SCREE_OK && f < fits; f++) {
        for (int64_t j = 0; j < d; j++)
            (*out)->fit[f].noise[j] = 1;
        scree__imputer_pack(&(*out)->fit[f], &m->trainer, which[f], in_data ? m->table.column : NULL);
    }
    return status;
}

/* Rows with held-out cells, by any thread. */
typedef struct predicting {
    const making *m;
    scree__imputer_held *held;
    scree__imputer_row *rows; /* one a thread */
    uint8_t *missing;         /* D a thread */
    double *x;                /* D a thread */
    int64_t *starts;          /* first cell of each row that has any, and the end */
} predicting;

static void predict_row(void *context, int64_t index, int worker)
{
    const predicting *p = context;
    const int64_t d = p->m->table.cols;
    scree__imputer_held *held = p->held;
    scree__imputer_row *row = &p->rows[worker];
    uint8_t *missing = p->missing + worker * d;
    double *x = p->x + worker * d;
    memcpy(x, p->m->table.x + held->cell[p->starts[index]] / d * d, (size_t)d * sizeof *x);
    for (int64_t j = 0; j < d; j++)
        missing[j] = (bool)isnan(x[j]);
    for (int64_t k = 0; p->m->related && k < p->m->related->count; k++)
        missing[p->m->related->columns[k]] = 1; /* as where they are filled: model/related.c */
    scree__imputer_row_solve(row, missing);
    scree__imputer_row_fill(row, x);
    for (int64_t i = p->starts[index]; i < p->starts[index + 1]; i++)
        for (int64_t f = 0; f < SCREE__IMPUTER_FITS; f++) {
            const int64_t j = held->cell[i] % d;
            held->expected[i * SCREE__IMPUTER_FITS + f] = row->code[f].expected[j];
            held->variance[i * SCREE__IMPUTER_FITS + f] = scree__imputer_row_variance(row, f, j);
        }
}

static int64_t find_starts(const scree__imputer_held *held, int64_t d, int64_t *starts)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < held->count; i++)
        if (i == 0 || held->cell[i] / d != held->cell[i - 1] / d)
            starts[rows++] = i;
    starts[rows] = held->count;
    return rows;
}

static scree_status predict(const making *m, scree__imputer_held *held, scree_error *error)
{
    static const int64_t all[] = {0, 1, 2};
    scree_status status = SCREE_OK;
    const int threads = m->em->job->threads;
    const int64_t d = m->table.cols;
    scree__imputer *imputer = NULL;
    predicting p = {.m = m, .held = held};
    SCREE_TRY(pack(&imputer, m, all, SCREE__IMPUTER_FITS, false, error));
    scree__imputer_settle(imputer);
    SCREE_ALLOC(p.rows, threads, error);
    for (int i = 0; i < threads; i++)
        SCREE_TRY(scree__imputer_row_open(&p.rows[i], imputer, error));
    SCREE_ALLOC(p.missing, threads * d, error);
    SCREE_ALLOC(p.x, threads * d, error);
    SCREE_ALLOC(p.starts, held->count + 1, error);
    scree__parallel(threads, find_starts(held, d, p.starts), predict_row, &p);
done:
    for (int i = 0; p.rows && i < threads; i++)
        scree__imputer_row_close(&p.rows[i]);
    free(p.rows);
    free(p.missing);
    free(p.x);
    free(p.starts);
    scree__imputer_free(imputer);
    return status;
}

/* In a large table the prior of the loadings says little: (b) would be (c) once more. */
static bool is_left_out(const making *m, int64_t fit)
{
    return m->plan->large && fit == B;
}

/* (b) before (a), which begins where it ended: the one lacks only the noise of each column. (c) begins anew: shrunk
 * alike, components would die that stand out. */
static scree_status train_all(making *m, scree_error *error)
{
    static const int64_t order[] = {B, A, C};
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < SCREE__IMPUTER_FITS; i++) {
        if (is_left_out(m, order[i]))
            continue;
        if (order[i] == A && !is_left_out(m, B))
            scree__imputer_follow(&m->trainer, A, B);
        SCREE_TRY(scree__imputer_train(&m->trainer, order[i], m->plan->large ? STEPS_LARGE : STEPS, error));
    }
done:
    return status;
}

/* Cells are held out, fits made without them and asked about them. */
static scree_status run_round(making *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__imputer_held *held = &m->held[m->rounds];
    SCREE_TRY(scree__imputer_hide(held, &m->table, m->em->job->options->seed, m->rounds, error));
    m->rounds++;
    SCREE_TRY(scree__imputer_trainer_take(&m->trainer, &m->table, true, error));
    SCREE_TRY(train_all(m, error));
    SCREE_TRY(predict(m, held, error));
    for (int64_t i = 0; is_left_out(m, B) && i < held->count * SCREE__IMPUTER_FITS; i += SCREE__IMPUTER_FITS) {
        held->expected[i + B] = held->expected[i + C];
        held->variance[i + B] = held->variance[i + C];
    }
    SCREE_TRY(scree__imputer_forget(held, &m->table, m->related, error));
    scree__imputer_restore(held, &m->table);
done:
    return status;
}

static scree_status run_rounds(making *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t count = 0;
    do {
        SCREE_TRY(run_round(m, error));
        count += m->held[m->rounds - 1].count;
    } while (count < HELD_ENOUGH && m->rounds < MOST_ROUNDS && m->held[m->rounds - 1].count > 0);
done:
    return status;
}

/* Those that count, and their weights. */
static int64_t drop(const double *weights, double least, int64_t *which, double *left)
{
    double sum = 0;
    int64_t fits = 0;
    for (int64_t f = 0; f < SCREE__IMPUTER_FITS; f++) {
        if (weights[f] < least)
            continue;
        which[fits] = f;
        left[fits++] = weights[f];
        sum += weights[f];
    }
    for (int64_t f = 0; f < fits; f++)
        left[f] /= sum;
    return fits;
}

/* From standardised columns to those that questions load (model/chunks.h). */
static void set_frame(scree__imputer *imputer, const making *m)
{
    const scree__em_rows *rows = &m->em->rows;
    for (int64_t j = 0; j < imputer->d; j++) {
        const double scale = m->solution->scale ? m->solution->scale[j] : 1;
        imputer->centre[j] = (rows->mean[j] - m->solution->mean[j]) / scale;
        imputer->deviation[j] = sqrt(rows->variance[j]) / scale;
    }
}

/* Student's law: 97.5 % of values are below T[n - 2] standard deviations of n values, and not 1.96. A column of few
 * values, whose deviation is over n, is the less certain; one of a single value, seen a few times, has no deviation. */
static void widen_few(scree__imputer *imputer, const making *m)
{
    static const double T[] = {12.706, 4.303, 3.182, 2.776};
    if (m->em->job->source->about.weighted) /* seen is then a sum of weights, and tells no number of values */
        return;
    for (int64_t j = 0; j < imputer->d; j++) {
        const double n = m->em->rows.seen[j];
        const int64_t count = n < 6 ? (int64_t)n : 6;
        if (n < FEW_EQUAL && imputer->deviation[j] == 0 && n < (double)m->solution->rows)
            scree__imputer_set_single(imputer, j);
        if (count < 2 || count > 5 || imputer->deviation[j] == 0)
            continue;
        const double factor = T[count - 2] * T[count - 2] / (1.96 * 1.96) * n / (n - 1);
        for (int64_t f = 0; f < imputer->fits; f++) {
            const int64_t pairs = scree__pairs(imputer->fit[f].k + 1);
            imputer->fit[f].noise[j] *= factor;
            for (int64_t i = 0; i < pairs; i++)
                imputer->fit[f].cover[j * pairs + i] *= factor;
        }
    }
}

static scree_status finish(scree__imputer **out, making *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    double weights[SCREE__IMPUTER_FITS];
    double left[SCREE__IMPUTER_FITS];
    int64_t which[SCREE__IMPUTER_FITS];
    scree__imputer *made = NULL;
    scree__imputer_weigh(m->held, m->rounds, weights);
    if (is_left_out(m, B)) {
        weights[C] += weights[B];
        weights[B] = 0;
    }
    const int64_t fits = drop(weights, m->plan->large ? LEAST_WEIGHT_LARGE : LEAST_WEIGHT, which, left);
    if (m->plan->final_rows > m->plan->held_rows) {
        const scree__imputer_table like = m->table;
        m->table = (scree__imputer_table){0};
        free(like.x);
        free(like.weights);
        status = scree__imputer_gather(&m->table, m->em, m->plan->final_rows, &like, error);
        free(like.column);
        SCREE_TRY(status);
    }
    SCREE_TRY(scree__imputer_trainer_take(&m->trainer, &m->table, false, error));
    for (int64_t f = 0; f < fits; f++)
        SCREE_TRY(scree__imputer_train(&m->trainer, which[f], m->plan->large ? FINAL_STEPS_LARGE : FINAL_STEPS, error));
    SCREE_TRY(pack(&made, m, which, fits, true, error));
    const double cells = (double)m->em->rows.cells / (double)m->em->d;
    SCREE_TRY(scree__imputer_widen(m->held, m->rounds, weights, cells, &made->widening, error));
    for (int64_t f = 0; f < fits; f++)
        made->fit[f].weight = left[f];
    for (int64_t r = 0; r < m->rounds; r++)
        made->held_out += m->held[r].count;
    set_frame(made, m);
    widen_few(made, m);
    scree__imputer_settle(made);
    made->view.relations_sought = m->sought;
    SCREE_TRY(scree__imputer_relations(&m->solution->relations, m->related, m->table.column, made, error));
    if (!m->em->job->source->rescaled)
        scree__imputer_decimals(m->solution->relations, &m->table, m->em->rows.mean, m->em->rows.variance);
    *out = made;
    made = NULL;
done:
    scree__imputer_free(made);
    return status;
}

scree_status scree__imputer_make(scree__imputer **out, scree__em *em, scree__solution *solution,
                                 const scree__imputer_plan *plan, scree_error *error)
{
    scree_status status = SCREE_OK;
    making m = {.em = em, .plan = plan, .solution = solution};
    if (plan->k < 1 || em->rows.cells == em->rows.rows * em->d)
        goto done;
    SCREE_TRY(scree__imputer_gather(&m.table, em, plan->held_rows, NULL, error));
    if (m.table.cols < 2 || m.table.rows < 3)
        goto done;
    SCREE_TRY(scree__imputer_relate(&m.related, &m.sought, &m.table, error));
    SCREE_TRY(scree__imputer_trainer_open(&m.trainer, em->job, plan, &m.table, error));
    SCREE_TRY(run_rounds(&m, error));
    SCREE_TRY(finish(out, &m, error));
done:
    scree__imputer_trainer_close(&m.trainer);
    for (int64_t r = 0; r < MOST_ROUNDS; r++)
        scree__imputer_held_clear(&m.held[r]);
    scree__imputer_table_clear(&m.table);
    scree__relations_free(m.related);
    return status;
}
