/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of the rows that were chosen: their codes z = Uᵀ(x - µ), texts, some columns, and of a few all columns:
 * for images that are looked at, and for the reasons of the outliers. One more pass over the source. Columns are kept
 * less their mean, so that float has digits enough where means are large. */

#include "view/in_model.h"
#include "view/report.h"

#include <math.h>
#include <string.h>

typedef struct gathering {
    scree__report *report;
    int64_t *order;  /* places among the rows shown, by number of row */
    int64_t at;      /* of the next in that order */
    double *cells;   /* of the row at hand */
    double *block;   /* rows as they came, of which chances are asked */
    int64_t *places; /* where these are shown */
    int64_t held;
} gathering;

static int by_row(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* The places in the order of the rows: that is how they will come by. */
static scree_status sort_places(gathering *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__report *report = all->report;
    int64_t(*pairs)[2] = NULL;
    SCREE_ALLOC(pairs, report->count, error);
    SCREE_ALLOC(all->order, report->count, error);
    for (int64_t i = 0; i < report->count; i++) {
        pairs[i][0] = report->rows[i].row;
        pairs[i][1] = i;
    }
    qsort(pairs, (size_t)report->count, sizeof *pairs, by_row);
    for (int64_t i = 0; i < report->count; i++)
        all->order[i] = pairs[i][1];
done:
    free(pairs);
    return status;
}

/* The first rows are those that the table of outliers names. */
static void count_outliers(scree__report *report)
{
    report->full_count = 0;
    while (report->full_count < report->count && report->rows[report->full_count].outlier)
        report->full_count++;
}

static scree_status take_texts(scree__report *report, int64_t place, const char *const *text, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint32_t *out = report->texts + place * report->text_count;
    const int64_t extra = report->labels ? 1 : 0;
    for (int64_t t = 0; t < report->text_count; t++) {
        int64_t number = -1;
        const int64_t label = report->rows[place].label;
        const char *word = t < extra ? (label >= 0 ? report->classes.text[label] : "other")
                           : text    ? text[t - extra]
                                     : "";
        SCREE_TRY(scree__dictionary_number(&report->words[t], word, &number, error));
        out[t] = (uint32_t)number;
    }
done:
    return status;
}

static scree_status take_row(gathering *all, const scree__sight *sight, int64_t place, scree_error *error)
{
    scree__report *report = all->report;
    const scree_model_view *view = scree_model_get(report->shown);
    const scree__report_row *row = &report->rows[place];
    const int64_t i = row->row - sight->first;
    const double *x = all->cells;
    scree__sight_row(sight, i, all->cells);
    if (report->chances.count > 0) {
        memcpy(all->block + all->held * view->d, all->cells, (size_t)view->d * sizeof *all->cells);
        all->places[all->held++] = place;
    }
    for (int64_t c = 0; c < view->d; c++) /* the page is in the columns of the model, and says so */
        all->cells[c] = scree__in_model(view, all->cells[c]);
    for (int64_t j = 0; j < view->m; j++)
        report->codes[place * view->m + j] = (float)sight->codes[i * view->m + j];
    for (int64_t k = 0; k < report->which_count; k++) {
        const int64_t c = report->which[k];
        report->columns[place * report->which_count + k] = (float)(x[c] - view->mean[c]);
    }
    for (int64_t c = 0; c < view->d; c++)
        report->gaps[place] += isnan(x[c]) ? 1 : 0;
    if (row->outlier)
        memcpy(report->full + place * view->d, x, (size_t)view->d * sizeof *x);
    if (place < report->originals.count)
        scree__originals_keep(report, place, x);
    return take_texts(report, place, sight->texts ? sight->texts + i * report->carried.count : NULL, error);
}

static scree_status ask_chances(gathering *all, scree_error *error)
{
    const scree_status status = scree__chances_rows(all->report, all->places, all->block, all->held, error);
    all->held = 0;
    return status;
}

static scree_status gather_rows(void *context, const scree__sight *sight, scree_error *error)
{
    scree_status status = SCREE_OK;
    gathering *all = context;
    const scree__report *report = all->report;
    for (; all->at < report->count; all->at++) {
        const int64_t place = all->order[all->at];
        if (report->rows[place].row >= sight->first + sight->rows)
            break;
        SCREE_TRY(take_row(all, sight, place, error));
        if (all->held > 0 && all->held == scree__chances_together(report))
            SCREE_TRY(ask_chances(all, error));
    }
done:
    return status;
}

static scree_status reserve(gathering *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report *report = all->report;
    const scree_model_view *view = scree_model_get(report->shown);
    report->text_count = report->carried.count + (report->labels ? 1 : 0);
    SCREE_ALLOC(report->codes, report->count * view->m, error);
    SCREE_ALLOC(report->columns, report->count * report->which_count, error);
    SCREE_ALLOC(report->full, report->full_count * view->d, error);
    SCREE_ALLOC(report->originals.cells, report->originals.count * scree__originals_row(report), error);
    SCREE_ALLOC(report->gaps, report->count, error);
    SCREE_ALLOC(report->texts, report->count * report->text_count, error);
    SCREE_ALLOC(report->words, report->text_count, error);
    SCREE_ALLOC(all->cells, view->d, error);
    SCREE_ALLOC(all->block, scree__chances_together(report) * view->d, error);
    SCREE_ALLOC(all->places, scree__chances_together(report), error);
    SCREE_TRY(scree__chances_open(report, error));
    SCREE_TRY(sort_places(all, error));
done:
    return status;
}

/* What is to blame for each outlier: they are the first rows, and the first whole ones. */
static scree_status find_reasons(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__score *scores = NULL;
    char **texts = NULL;
    const int64_t count = report->full_count;
    SCREE_ALLOC(report->why, count, error);
    if (count == 0)
        goto done;
    SCREE_ALLOC(scores, count, error);
    for (int64_t i = 0; i < count; i++)
        scores[i] = report->rows[i].score;
    SCREE_TRY(scree__scorer_blame(&texts, report->scorer, report->full, scores, count, error));
    for (int64_t i = 0; i < count; i++) {
        report->why[i] = scree__report_text(texts[i], SCREE__SENTENCE_LETTERS);
        if (!report->why[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the reasons of outliers");
    }
done:
    scree__strings_free(texts, count);
    free(scores);
    return status;
}

scree_status scree__report_gather(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    gathering all = {.report = report};
    const scree__survey survey = {.stage = "report",
                                  .pass = 2,
                                  .passes = 2,
                                  .model = report->shown,
                                  .codes = true,
                                  .visit = gather_rows,
                                  .context = &all,
                                  .keeps_rows = report->count,
                                  .keeps_bytes = scree__report_row_memory(report),
                                  .keeps_more = scree__report_memory(report)};
    count_outliers(report);
    SCREE_TRY(reserve(&all, error));
    SCREE_TRY(scree__survey_run(report->source, &survey, report->options.run, error));
    SCREE_TRY(ask_chances(&all, error));
    SCREE_TRY(find_reasons(report, error));
    SCREE_TRY(scree__originals_pack(report, error));
done:
    free(all.order);
    free(all.cells);
    free(all.block);
    free(all.places);
    return status;
}
