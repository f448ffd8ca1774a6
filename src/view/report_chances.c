/* SPDX-License-Identifier: BSD-3-Clause */
/* What the slider of M cannot compute from codes: the p-values of the rows for every other number of components, as
 * `scree score -k M` gives them, and T², Q and log-likelihood of rows with gaps. The laws behind p-values know how many
 * rows were fitted and how the rest of the spectrum falls (model/row_law.c); so they are asked here, where they are.
 *
 * A p-value takes two bytes: -ln p in steps of 1/4000 down to p = 1e-3 and of 1/400 below, half a unit of the last
 * digit that the page shows; what is below 1e-38 is one code. All rows of one M are one block of raw deflate, high
 * bytes first. A page has them where they take no more than a quarter of its room, and where the models of all M take
 * no more than 64 MB. */

#include "view/report.h"

#include "scree_private.h"

#include <math.h>
#include <string.h>

enum {
    CHANCE_BYTES = 2,
    SHARE = 4,
    MEMORY = 64 << 20,
    COPIES = 3,
    NEVER = 65535,
    UNKNOWN = 65534,
    SCORES = 3,
    ASKED = 8 << 20,
    MOST_TOGETHER = 1024
};

static const double FINE = 4000, COARSE = 400;
static const double BEND = 6.907755278982137, END = 87.49823353377374; /* -ln 1e-3, -ln 1e-38 */

static uint16_t chance_code(double p)
{
    if (isnan(p))
        return UNKNOWN;
    const double v = p > 0 ? fmax(-log(p), 0) : HUGE_VAL;
    return v > END ? NEVER : (uint16_t)lround(v <= BEND ? FINE * v : FINE * BEND + COARSE * (v - BEND));
}

static double models_bytes(const scree_model_view *view)
{
    return 0.5 * COPIES * sizeof(double) * (double)view->m * (double)view->m * (double)view->d;
}

int64_t scree__chances_row(const scree__report *report)
{
    return report->chances.count * CHANCE_BYTES;
}

int64_t scree__chances_together(const scree__report *report)
{
    const int64_t rows = ASKED / (8 * scree_model_get(report->shown)->d);
    return report->chances.count == 0 ? 0 : rows < 1 ? 1 : rows < MOST_TOGETHER ? rows : MOST_TOGETHER;
}

int64_t scree__chances_memory(const scree__report *report)
{
    const scree_model_view *view = scree_model_get(report->shown);
    return report->chances.count == 0 ? 0 : (int64_t)models_bytes(view) + 8 * scree__chances_together(report) * view->d;
}

void scree__chances_plan(scree__report *report, int64_t rows, int64_t left)
{
    const scree_model_view *view = scree_model_get(report->shown);
    const int64_t latent = scree_model_get(report->model)->latent;
    const int64_t others = view->m - (latent > 0 && latent <= view->m ? 1 : 0);
    const bool fits = (double)rows * (double)(others * CHANCE_BYTES) <= (double)left / SHARE;
    if (report->scorer && !report->decoder && others > 0 && fits && models_bytes(view) <= MEMORY)
        report->chances.count = others;
}

/* The scorer that `scree score -k M` asks. */
static scree_status make_scorer(scree_scorer **out, scree_model **kept, const scree__report *report, int64_t m,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *shorter = NULL;
    const scree_score_options how = {
        .size = sizeof how, .training = report->options.training, .alpha = report->options.alpha};
    SCREE_TRY(scree_model_truncate(&shorter, report->model, m, error));
    SCREE_TRY(scree_model_with_latent(kept, shorter, m, error));
    SCREE_TRY(scree_scorer_make(out, *kept, &how, error));
done:
    scree_model_free(shorter);
    return status;
}

scree_status scree__chances_open(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report_chances *chances = &report->chances;
    const int64_t latent = scree_model_get(report->model)->latent;
    if (chances->count == 0)
        return SCREE_OK;
    SCREE_ALLOC(chances->m, chances->count, error);
    SCREE_ALLOC(chances->models, chances->count, error);
    SCREE_ALLOC(chances->scorers, chances->count, error);
    SCREE_ALLOC(chances->codes, chances->count * report->count, error);
    SCREE_ALLOC(chances->gapped, report->count, error);
    for (int64_t k = 0; k < chances->count; k++) {
        scree_error reason = SCREE_ERROR_INIT;
        chances->m[k] = k + 1 + (latent > 0 && k + 1 >= latent);
        status = make_scorer(&chances->scorers[k], &chances->models[k], report, chances->m[k], &reason);
        if (status == SCREE_ERR_NUMERIC || status == SCREE_ERR_UNSUPPORTED)
            status = SCREE_OK; /* no density with so many: its rows have no p-value */
        else if (status != SCREE_OK)
            status = scree__fail(error, status, "%s", reason.text);
        SCREE_TRY(status);
    }
done:
    return status;
}

/* Rows with gaps keep what the page cannot compute: T², Q, log-likelihood, for each M. */
static scree_status keep_gapped(scree__report *report, int64_t place, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report_chances *chances = &report->chances;
    if (chances->gap_count == chances->gap_room) {
        float *wider = NULL;
        const int64_t room = 2 * chances->gap_room + 64, width = chances->count * SCORES;
        SCREE_ALLOC(wider, room * width, error);
        if (chances->gap_count > 0)
            memcpy(wider, chances->gap_scores, (size_t)(chances->gap_count * width) * sizeof *wider);
        free(chances->gap_scores);
        chances->gap_scores = wider;
        chances->gap_room = room;
    }
    chances->gapped[place] = ++chances->gap_count;
done:
    return status;
}

static scree_status score_with(scree__report *report, int64_t k, const double *x, int64_t rows, double *work,
                               scree_error *error)
{
    double *parts[] = {work, work + rows, work + 2 * rows, work + 3 * rows};
    const scree_scores scores = {
        .size = sizeof scores, .loglik = parts[0], .t2 = parts[1], .q = parts[2], .p_value = parts[3]};
    const scree_block block = {
        .size = sizeof block, .data = x, .type = SCREE_F64, .rows = rows, .cols = scree_model_get(report->shown)->d};
    scree_run run = SCREE_RUN_INIT;
    if (!report->chances.scorers[k]) {
        for (int64_t i = 0; i < 4 * rows; i++)
            work[i] = NAN;
        return SCREE_OK;
    }
    if (report->options.run)
        run.threads = report->options.run->threads;
    return scree_scorer_score_rows(report->chances.scorers[k], &block, &scores, &run, error);
}

scree_status scree__chances_rows(scree__report *report, const int64_t *places, const double *x, int64_t rows,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report_chances *chances = &report->chances;
    double *work = NULL;
    if (chances->count == 0 || rows == 0)
        return SCREE_OK;
    SCREE_ALLOC(work, 4 * rows, error);
    for (int64_t i = 0; i < rows; i++)
        if (report->gaps[places[i]] > 0)
            SCREE_TRY(keep_gapped(report, places[i], error));
    for (int64_t k = 0; k < chances->count; k++) {
        SCREE_TRY(score_with(report, k, x, rows, work, error));
        for (int64_t i = 0; i < rows; i++) {
            chances->codes[k * report->count + places[i]] = chance_code(work[3 * rows + i]);
            const int64_t gapped = chances->gapped[places[i]];
            for (int64_t s = 0; gapped > 0 && s < SCORES; s++)
                chances->gap_scores[((gapped - 1) * chances->count + k) * SCORES + s] = (float)work[s * rows + i];
        }
    }
done:
    free(work);
    return status;
}

char *scree__chances_pack(const scree__report *report, int64_t k, int64_t rows)
{
    const uint16_t *codes = report->chances.codes + k * report->count;
    uint8_t *split = scree__alloc(rows, CHANCE_BYTES);
    char *text = NULL;
    for (int64_t i = 0; split && i < rows; i++) {
        split[i] = (uint8_t)(codes[i] >> 8);
        split[rows + i] = (uint8_t)codes[i];
    }
    if (split)
        text = scree__pack_block(split, rows * CHANCE_BYTES);
    free(split);
    return text;
}

float *scree__chances_gapped(const scree__report *report, int64_t k, int64_t rows, int64_t *count)
{
    const scree__report_chances *chances = &report->chances;
    float *scores = scree__alloc(chances->gap_count * SCORES, sizeof *scores);
    *count = 0;
    for (int64_t i = 0; scores && i < rows; i++)
        if (chances->gapped[i] > 0) {
            const float *kept = chances->gap_scores + ((chances->gapped[i] - 1) * chances->count + k) * SCORES;
            memcpy(scores + *count * SCORES, kept, SCORES * sizeof *kept);
            (*count)++;
        }
    return scores;
}

void scree__chances_clear(scree__report_chances *chances)
{
    for (int64_t k = 0; k < chances->count; k++) {
        if (chances->scorers)
            scree_scorer_free(chances->scorers[k]);
        if (chances->models)
            scree_model_free(chances->models[k]);
    }
    free(chances->m);
    free(chances->models);
    free(chances->scorers);
    free(chances->codes);
    free(chances->gapped);
    free(chances->gap_scores);
    *chances = (scree__report_chances){0};
}
