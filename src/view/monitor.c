/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in their order, for a chart over time. Where there are more rows than bins, two neighbours become one, again and
 * again: what is kept are the least and the greatest of so many rows that follow each other, and the farthest of their
 * outliers, the same whatever the blocks, and their number need not be known before. The worst rows are kept whole, so
 * that one pass is enough and a pipe can be watched. O(bins + D) memory. */

#include "view/monitor.h"

#include "view/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pass at work. */
typedef struct watching {
    scree__monitor *monitor;
    int64_t cols;
    double alpha;
    scree__source_texts texts;
    int64_t slot[SCREE__MONITOR_WORST]; /* of cells, where that of each of the worst is */
} watching;

static double least(double a, double b)
{
    return isnan(a) || b < a ? b : a;
}

static double greatest(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static void join(scree__monitor_bin *to, const scree__monitor_bin *bin)
{
    for (int v = 0; v < SCREE__MONITOR_CHARTS; v++) {
        to->low[v] = least(to->low[v], bin->low[v]);
        to->high[v] = greatest(to->high[v], bin->high[v]);
        to->far[v] = greatest(to->far[v], bin->far[v]);
    }
}

/* Every two bins become one. */
static void halve(scree__monitor *monitor)
{
    monitor->every *= 2;
    for (int64_t i = 0; i < monitor->count; i++) {
        const scree__monitor_bin bin = monitor->bins[i];
        if (i % 2 == 0)
            monitor->bins[i / 2] = bin;
        else
            join(&monitor->bins[i / 2], &bin);
    }
    monitor->count = (monitor->count + 1) / 2;
}

static bool is_worse(const scree__score *a, const scree__score *b)
{
    return a->p_value < b->p_value || (a->p_value == b->p_value && a->loglik < b->loglik);
}

static void name_row(const watching *all, const scree__sight *sight, int64_t i, scree__monitor_row *row)
{
    if (all->texts.id >= 0 && sight->texts)
        scree__words_cut(row->name, sizeof row->name, sight->texts[i * all->texts.count + all->texts.id], 20);
    else
        snprintf(row->name, sizeof row->name, "row %" PRId64, row->row + 1);
}

/* An outlier takes its place among the worst, if it is one of them. */
static void rank(watching *all, const scree__sight *sight, int64_t i)
{
    scree__monitor *monitor = all->monitor;
    scree__monitor_row *worst = monitor->worst;
    const bool full = monitor->worst_count == SCREE__MONITOR_WORST;
    if (full && !is_worse(&sight->scores[i], &worst[SCREE__MONITOR_WORST - 1].score))
        return;
    const int64_t slot = full ? all->slot[SCREE__MONITOR_WORST - 1] : monitor->worst_count;
    monitor->worst_count += !full;
    int64_t at = monitor->worst_count - 1;
    for (; at > 0 && is_worse(&sight->scores[i], &worst[at - 1].score); at--) {
        worst[at] = worst[at - 1];
        all->slot[at] = all->slot[at - 1];
    }
    worst[at] = (scree__monitor_row){.row = monitor->total, .score = sight->scores[i]};
    all->slot[at] = slot;
    name_row(all, sight, i, &worst[at]);
    scree__sight_row(sight, i, monitor->cells + slot * all->cols);
}

static scree_status take_rows(void *context, const scree__sight *sight, scree_error *error)
{
    watching *all = context;
    scree__monitor *monitor = all->monitor;
    (void)error;
    for (int64_t i = 0; i < sight->rows; i++, monitor->total++) {
        const scree__score *score = &sight->scores[i];
        const bool outlier = score->p_value <= all->alpha;
        const double nan = (double)NAN;
        const scree__monitor_bin own = {
            {score->t2, score->q}, {score->t2, score->q}, {outlier ? score->t2 : nan, outlier ? score->q : nan}};
        if (monitor->total == SCREE__MONITOR_BINS * monitor->every)
            halve(monitor);
        if (monitor->total % monitor->every == 0)
            monitor->bins[monitor->count++] = own;
        else
            join(&monitor->bins[monitor->count - 1], &own);
        monitor->outliers += outlier;
        if (outlier)
            rank(all, sight, i);
    }
    return SCREE_OK;
}

scree_status scree__monitor_watch(scree__monitor *monitor, const scree_model *model, scree_source *rows,
                                  const scree_score_options *how, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_scorer *scorer = NULL;
    scree__score scores[SCREE__MONITOR_WORST];
    watching all = {.monitor = monitor, .cols = scree_model_get(model)->d, .alpha = how->alpha};
    *monitor = (scree__monitor){.every = 1};
    scree__source_texts_of(rows, &all.texts);
    SCREE_ALLOC(monitor->bins, SCREE__MONITOR_BINS, error);
    SCREE_ALLOC(monitor->cells, SCREE__MONITOR_WORST * all.cols, error);
    SCREE_ALLOC(monitor->order, SCREE__MONITOR_WORST * all.cols, error);
    SCREE_TRY(scree_scorer_make(&scorer, model, how, error));
    const scree__survey survey = {.stage = "score",
                                  .scorer = scorer,
                                  .visit = take_rows,
                                  .context = &all,
                                  .keeps_rows = 2 * SCREE__MONITOR_WORST,
                                  .keeps_bytes = 8 * all.cols,
                                  .keeps_more = SCREE__MONITOR_BINS * (int64_t)sizeof *monitor->bins};
    SCREE_TRY(scree__survey_run(rows, &survey, run, error));
    for (int64_t i = 0; i < monitor->worst_count; i++) {
        scores[i] = monitor->worst[i].score;
        memcpy(monitor->order + i * all.cols, monitor->cells + all.slot[i] * all.cols,
               (size_t)all.cols * sizeof *monitor->cells);
    }
    if (monitor->worst_count > 0)
        SCREE_TRY(scree__scorer_blame(&monitor->blame, scorer, monitor->order, scores, monitor->worst_count, error));
done:
    scree_scorer_free(scorer);
    return status;
}

void scree__monitor_clear(scree__monitor *monitor)
{
    scree__strings_free(monitor->blame, monitor->worst_count);
    free(monitor->bins);
    free(monitor->cells);
    free(monitor->order);
    *monitor = (scree__monitor){0};
}
