/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the smallest archive. With a bound on every error, a step Δ of the codes trades their bits for those
 * of corrections, and so does the number of components M: tried are a ladder of M with a Δ that leaves corrections
 * rare, then Δ up and down for the best M, then the M beside it. With a bound on the mean squared error, Δ follows from
 * M by reverse water-filling, D·rmse² = J_M + MΔ²/12, and cells are corrected only when they are far out; or, where
 * J_M alone is too much, corrections half as wide as the error that is asked for times √12 do the rest.
 * Codings without a model, and the plain elements, are tried beside them: the smallest wins. What rounding does is
 * known beforehand only where cells are spread evenly over its steps, w²/12; so the best code for that width is made
 * coarser and finer by factors until its error is the one that was asked for. */

#include "archive/choose.h"

#include "archive/lags.h"
#include "archive/squeeze.h"
#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_PART = 256, MOST_TRIED = 64, FAR_OUT = 16, STEPS = 4, ENOUGH = 16, FINER = 7 };

/* What is tried in one round. */
typedef struct tries {
    scree__choice choices[MOST_TRIED];
    int64_t count;
} tries;

typedef struct search {
    const scree__trial *trial;
    const scree__goal *goal;
    double rmse;  /* at most; infinite: no matter */
    double rival; /* bytes without a model; 0: not known */
    scree__choice best;
} search;

static void add(tries *r, const scree__choice *choice)
{
    if (r->count < MOST_TRIED)
        r->choices[r->count++] = *choice;
}

/* Tries all; the best of those that are good enough becomes the best. */
static void try_all(search *s, tries *r)
{
    scree__trial_run(s->trial, r->choices, r->count);
    for (int64_t i = 0; i < r->count; i++)
        if (r->choices[i].rmse <= s->rmse && r->choices[i].bytes < s->best.bytes)
            s->best = r->choices[i];
    r->count = 0;
}

static scree__choice model_choice(const scree__lattice *lattice, int64_t m, double step)
{
    return (scree__choice){.coding = SCREE__CODING_MODEL, .lattice = *lattice, .components = m, .step = step};
}

/* 0, 1, 2, 3, 4, 6, 8, 12, ...: two an octave. */
static int64_t next_rung(int64_t m)
{
    if (m < 4)
        return m + 1;
    return (m & (m - 1)) == 0 ? m + m / 2 : m / 3 * 4;
}

/* The step at which rounding of codes alone stays within half a correction three times over. */
static double plain_step(const scree__learnt *l, const scree__lattice *lattice, int64_t m)
{
    const double half = lattice->width / 2 / (lattice->grid > 0 ? lattice->grid : 1);
    return half * sqrt(12.0 * (double)l->cols / (double)(m > 0 ? m : 1)) / 3;
}

/* Models of more and more components, some at a time, for as long as it pays. */
static void climb(search *s, const scree__lattice *lattice)
{
    const scree__learnt *l = s->trial->learnt;
    tries r = {.count = 0};
    double before = HUGE_VAL;
    for (int64_t m = 0; m <= l->components; m = next_rung(m)) {
        const scree__choice choice = model_choice(lattice, m, plain_step(l, lattice, m));
        add(&r, &choice);
        if (r.count < STEPS && next_rung(m) <= l->components)
            continue;
        try_all(s, &r);
        const bool behind = s->rival > 0 && s->best.bytes > s->rival;
        if ((m > ENOUGH || behind) && s->best.bytes >= before)
            break;
        before = s->best.bytes;
    }
}

static void try_bounded(search *s, const scree__lattice *lattice)
{
    const scree__learnt *l = s->trial->learnt;
    const int64_t asked = s->goal->components;
    static const double factors[] = {0.25, 0.5, 0.7, 1.4, 2, 4};
    tries r = {.count = 0};
    if (asked == SCREE_AUTO) {
        climb(s, lattice);
    } else {
        const int64_t m = asked < l->components ? asked : l->components;
        const scree__choice choice = model_choice(lattice, m, plain_step(l, lattice, m));
        add(&r, &choice);
        try_all(s, &r);
    }
    if (s->best.coding != SCREE__CODING_MODEL || s->best.components == 0)
        return;
    const scree__choice middle = s->best;
    for (int i = 0; i < 6; i++) {
        const scree__choice choice = model_choice(lattice, middle.components, middle.step * factors[i]);
        add(&r, &choice);
    }
    try_all(s, &r);
    const double factor = s->best.step / plain_step(l, lattice, s->best.components);
    const int64_t found = s->best.components;
    for (int i = -2; i <= 2 && asked == SCREE_AUTO; i++) {
        const int64_t beside = (int64_t)rint((double)found * pow(1.25, i));
        if (beside == found || beside > l->components || beside < 1)
            continue;
        const scree__choice choice = model_choice(lattice, beside, factor * plain_step(l, lattice, beside));
        add(&r, &choice);
    }
    const scree__choice finer = model_choice(lattice, found, s->best.step * 0.85);
    const scree__choice coarser = model_choice(lattice, found, s->best.step * 1.18);
    add(&r, &finer);
    add(&r, &coarser);
    try_all(s, &r);
}

/* Reverse water-filling: the step that M components may have, when a share of the error that is asked for is theirs;
 * 0 when the others alone take more. */
static double filled_step(const search *s, const scree__lattice *lattice, int64_t m, double share)
{
    const scree__learnt *l = s->trial->learnt;
    const double grain = lattice->grid > 0 ? 1 / (12 * lattice->grid * lattice->grid) : 0;
    const double budget = share * (double)l->cols * (s->rmse * s->rmse - grain);
    double tail = l->total;
    for (int64_t j = 0; j < m; j++)
        tail -= l->eigenvalues[j];
    return budget > tail ? sqrt(12 * (budget - fmax(tail, 0)) / (double)(m > 0 ? m : 1)) : 0;
}

static void add_filled(tries *r, const search *s, const scree__lattice *lattice, int64_t m, double share)
{
    const double step = m <= s->trial->learnt->components ? filled_step(s, lattice, m, share) : 0;
    const scree__choice choice = model_choice(lattice, m, step);
    if (step > 0)
        add(r, &choice);
}

/* Each M first; then for the best, and those beside it, more or less than was planned: rounding to whole numbers, and
 * cells that are clamped, change what comes out. */
static void try_filling(search *s)
{
    static const double shares[] = {0.97, 0.85, 0.7};
    static const double others[] = {1.6, 1.45, 1.3, 1.2, 1.1, 1.04, 0.93, 0.9};
    const scree__learnt *l = s->trial->learnt;
    const int64_t asked = s->goal->components;
    const int64_t fixed = asked < l->components ? asked : l->components;
    scree__lattice lattice;
    tries r = {.count = 0};
    if (!scree__lattice_make(&lattice, s->trial->sample, FAR_OUT * s->rmse))
        return;
    for (int i = 0; i < 3 && s->best.bytes == HUGE_VAL; i++) {
        for (int64_t m = 0; m <= l->components && asked == SCREE_AUTO; m = next_rung(m))
            add_filled(&r, s, &lattice, m, shares[i]);
        if (asked != SCREE_AUTO)
            add_filled(&r, s, &lattice, fixed, shares[i]);
        try_all(s, &r);
    }
    const int64_t found = s->best.components;
    for (int i = 0; i < 8 && found > 0; i++)
        add_filled(&r, s, &lattice, found, others[i]);
    try_all(s, &r);
    const double more = s->best.rmse > 0 ? s->rmse / s->best.rmse : 1;
    for (int i = -2; i <= 2 && found > 0 && asked == SCREE_AUTO; i++)
        add_filled(&r, s, &lattice, (int64_t)rint((double)found * pow(1.2, i)), 0.97 * more * more);
    try_all(s, &r);
}

/* Cells predicted from those beside them. */
static void try_beside(search *s, const scree__lattice *lattice)
{
    tries r = {.count = 0};
    scree__choice choice = {.coding = SCREE__CODING_BESIDE, .lattice = *lattice};
    for (int n = SCREE__NEIGHBOUR_NONE; n <= SCREE__NEIGHBOUR_BOTH; n++) {
        choice.neighbour = (scree__neighbour)n;
        add(&r, &choice);
    }
    try_all(s, &r);
}

/* The best of some ways to code numbers, on a quarter of the rows. */
static scree__contexts best_contexts(const search *s, scree__choice choice, const scree__contexts *found, int count)
{
    scree__trial quarter = *s->trial;
    tries r = {.count = 0};
    int best = 0;
    quarter.part.rows = quarter.part.rows > 4 * LEAST_PART ? quarter.part.rows / 4 : quarter.part.rows;
    for (int i = 0; i < count; i++) {
        choice.contexts = found[i];
        add(&r, &choice);
    }
    scree__trial_run(&quarter, r.choices, r.count);
    for (int i = 1; i < count; i++)
        best = r.choices[i].bytes < r.choices[best].bytes ? i : best;
    return found[best];
}

/* Whole numbers, column by column, by their contexts; or by zstd where it may make less of them. */
static void try_numbers(search *s, double max_error)
{
    const scree__trial *t = s->trial;
    const bool whole = t->sample->spacing == 1;
    tries r = {.count = 0};
    scree__contexts found[SCREE__LAGS_MOST];
    scree__choice choice = {.coding = SCREE__CODING_NUMBERS, .max_error = max_error, .gain = HUGE_VAL};
    int32_t *cells = t->sample->signals ? NULL : scree__block_numbers(&t->part, t->sample->element, max_error);
    if (!cells)
        return;
    if (!scree__lattice_make(&choice.lattice, t->sample, max_error))
        choice.lattice = (scree__lattice){.type = t->sample->type, .element = t->sample->element};
    const int count = scree__lags_find(found, cells, t->part.rows, t->part.cols,
                                       whole ? SCREE__CONTEXT_FARTHEST : SCREE__SAMPLE_RUN / 2 * t->part.cols);
    choice.contexts = best_contexts(s, choice, found, count);
    add(&r, &choice);
    scree__trial_run(t, r.choices, 1);
    choice.gain = scree__block_gain(cells, t->part.rows * t->part.cols,
                                    r.choices[0].bytes / (double)t->sample->rows * (double)t->part.rows);
    r.choices[0].gain = choice.gain;
    if (choice.gain > scree__best_gain)
        scree__trial_run(t, r.choices, 1);
    if (r.choices[0].rmse <= s->rmse && r.choices[0].bytes < s->best.bytes)
        s->best = r.choices[0];
    free(cells);
}

static void try_elements(search *s)
{
    tries r = {.count = 0};
    const scree__rows *part = &s->trial->part;
    scree__choice choice = {.coding = SCREE__CODING_ELEMENTS};
    choice.gain = scree__squeeze_gain(part->data, part->rows * part->cols * scree__type_size(part->type));
    choice.lattice.type = s->trial->sample->type;
    choice.lattice.element = s->trial->sample->element;
    add(&r, &choice);
    try_all(s, &r);
}

/* Tries a code coarser or finer by each factor; the largest factor whose error is small enough, or 0. */
static double try_factors(search *s, const scree__choice *base, double half, const double *factors, int count)
{
    tries r = {.count = 0};
    double tried[MOST_TRIED];
    double good = 0;
    for (int i = 0; i < count; i++) {
        scree__choice choice = *base;
        choice.step *= factors[i];
        choice.max_error = half * factors[i];
        tried[r.count] = factors[i];
        if (scree__lattice_make(&choice.lattice, s->trial->sample, half * factors[i]))
            add(&r, &choice);
    }
    const int64_t added = r.count;
    try_all(s, &r);
    for (int64_t i = 0; i < added; i++)
        good = r.choices[i].rmse <= s->rmse && r.choices[i].bytes < HUGE_VAL && tried[i] > good ? tried[i] : good;
    return good;
}

/* A code that was made for errors of half a width, made to have the mean error that is asked for. */
static void fit_error(search *s, const scree__choice *base, double half)
{
    static const double factors[] = {0.1,   0.3,  0.5, 0.7, 0.8, 0.9, 0.96, 0.985, 1,
                                     1.015, 1.04, 1.1, 1.2, 1.4, 1.8, 2.5,  4};
    enum { COUNT = sizeof factors / sizeof *factors };
    double finer[FINER];
    if (!(base->bytes < HUGE_VAL))
        return;
    const double good = try_factors(s, base, half, factors, COUNT);
    int next = 0;
    while (next < COUNT && factors[next] <= good)
        next++;
    if (good == 0 || next == COUNT)
        return;
    for (int i = 0; i < FINER; i++)
        finer[i] = good + (factors[next] - good) * (i + 1) / (FINER + 1);
    try_factors(s, base, half, finer, FINER);
}

/* With a bound on the mean squared error. */
static void choose_mean(search *s)
{
    const double half = s->rmse * sqrt(3.0);
    const bool any = s->goal->components == SCREE_AUTO;
    search model = *s;
    scree__lattice lattice;
    model.rmse = HUGE_VAL;
    search beside = model;
    try_filling(s);
    if (scree__lattice_make(&lattice, s->trial->sample, half)) {
        try_bounded(&model, &lattice);
        fit_error(s, &model.best, half);
        if (any) {
            try_beside(&beside, &lattice);
            try_numbers(&beside, half);
        }
        fit_error(s, &beside.best, half);
    }
    if (any && scree__lattice_make(&lattice, s->trial->sample, 0))
        try_beside(s, &lattice);
    if (any)
        try_numbers(s, 0);
    if (any || s->best.bytes == HUGE_VAL)
        try_elements(s);
}

scree_status scree__choose(scree__choice *best, const scree__trial *trial, const scree__goal *goal, scree_error *error)
{
    const bool before = scree__memory_watch();
    search s = {.trial = trial, .goal = goal, .rmse = HUGE_VAL, .best = {.bytes = HUGE_VAL}};
    scree__lattice lattice;
    if (goal->rmse > 0) {
        s.rmse = goal->rmse;
        choose_mean(&s);
    } else {
        const bool has_lattice = scree__lattice_make(&lattice, trial->sample, goal->max_error);
        search plain = s;
        if (goal->components == SCREE_AUTO) {
            try_numbers(&plain, goal->max_error);
            if (trial->sample->type != SCREE_U8 || plain.best.bytes == HUGE_VAL) /* else these are their numbers */
                try_elements(&plain);
            if (has_lattice)
                try_beside(&plain, &lattice);
        }
        s.rival = plain.best.bytes;
        if (has_lattice)
            try_bounded(&s, &lattice);
        if (goal->components != SCREE_AUTO && s.best.bytes == HUGE_VAL)
            try_elements(&s);
        if (plain.best.bytes < s.best.bytes)
            s.best = plain.best;
    }
    *best = s.best;
    if (scree__memory_missed(before) || !(best->bytes < HUGE_VAL))
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for trying codes");
    return SCREE_OK;
}
