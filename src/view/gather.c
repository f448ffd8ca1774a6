/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a survey, of which is kept what a picture needs. Where there are more rows than may be kept, every second is
 * dropped and from then on only every second taken, again and again: what is kept are evenly spaced rows, the same ones
 * whatever the blocks, and their number need not be known before. O(points) memory. */

#include "view/gather.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MANY = 1 << 30, /* more points than can be kept */
    COPIES = 3      /* of what is kept, while its memory doubles */
};

static scree_status reserve(scree__gather *gather, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__points *points = &gather->points;
    const int64_t room = gather->room ? 2 * gather->room : gather->wanted ? gather->wanted_count : 1024;
    const int64_t count = points->count, text_count = points->text.count;
    double *values = NULL;
    int64_t *rows = NULL;
    int32_t *label = NULL, *texts = NULL;
    if (count < gather->room)
        return SCREE_OK;
    SCREE_ALLOC(values, room * points->cols, error);
    SCREE_ALLOC(rows, room, error);
    SCREE_ALLOC(label, room, error);
    SCREE_ALLOC(texts, room * text_count, error);
    if (count > 0) {
        memcpy(values, points->values, (size_t)(count * points->cols) * sizeof *values);
        memcpy(rows, points->rows, (size_t)count * sizeof *rows);
        memcpy(label, points->label, (size_t)count * sizeof *label);
        memcpy(texts, points->texts, (size_t)(count * text_count) * sizeof *texts);
    }
    free(points->values);
    free(points->rows);
    free(points->label);
    free(points->texts);
    points->values = values;
    points->rows = rows;
    points->label = label;
    points->texts = texts;
    gather->room = room;
    return SCREE_OK;
done:
    free(values);
    free(rows);
    free(label);
    free(texts);
    return status;
}

static void thin(scree__points *points)
{
    int64_t kept = 0;
    points->every *= 2;
    for (int64_t i = 0; i < points->count; i++) {
        if (points->rows[i] % points->every != 0)
            continue;
        memmove(points->values + kept * points->cols, points->values + i * points->cols,
                (size_t)points->cols * sizeof *points->values);
        memmove(points->texts + kept * points->text.count, points->texts + i * points->text.count,
                (size_t)points->text.count * sizeof *points->texts);
        points->rows[kept] = points->rows[i];
        points->label[kept++] = points->label[i];
    }
    points->count = kept;
}

static bool is_wanted(const scree__gather *gather, int64_t row)
{
    if (!gather->wanted)
        return row % gather->points.every == 0;
    for (int64_t i = 0; i < gather->wanted_count; i++)
        if (gather->wanted[i] == row)
            return true;
    return false;
}

static void keep(scree__gather *gather, const double *data, const int32_t *numbers)
{
    scree__points *points = &gather->points;
    const int64_t at = points->count++;
    for (int64_t j = 0; j < points->cols; j++)
        points->values[at * points->cols + j] = data[gather->columns ? gather->columns[j] : j];
    for (int64_t t = 0; t < points->text.count; t++)
        points->texts[at * points->text.count + t] = numbers[t];
    points->rows[at] = points->total;
    points->label[at] = -1;
}

/* The numbers of row i, lent. */
static const double *numbers_of(scree__gather *gather, const scree__sight *sight, int64_t i, int64_t width,
                                double scores[SCREE__GATHER_OUTLIER + 1])
{
    if (sight->codes)
        return sight->codes + i * width;
    if (!sight->scores) {
        scree__sight_row(sight, i, gather->cells);
        return gather->cells;
    }
    const scree__score *score = &sight->scores[i];
    const bool outlier = score->p_value <= gather->alpha;
    gather->outliers += outlier;
    memcpy(scores, (double[]){score->loglik, score->t2, score->q, score->p_value, outlier ? 1 : 0},
           (SCREE__GATHER_OUTLIER + 1) * sizeof *scores);
    return scores;
}

typedef struct gathering {
    scree__gather *gather;
    int64_t width; /* of codes */
} gathering;

static scree_status take_rows(void *context, const scree__sight *sight, scree_error *error)
{
    scree_status status = SCREE_OK;
    const gathering *all = context;
    scree__gather *gather = all->gather;
    scree__points *points = &gather->points;
    for (int64_t i = 0; i < sight->rows; i++, points->total++) {
        int32_t numbers[SCREE__TEXTS_MOST];
        double scores[SCREE__GATHER_OUTLIER + 1];
        memset(numbers, -1, sizeof numbers);
        const bool wanted = is_wanted(gather, points->total);
        if (sight->texts && (wanted || !gather->wanted)) /* labels of rows that are not shown count, too */
            SCREE_TRY(scree__texts_add(&points->text, sight->texts + i * gather->text_count, numbers, error));
        if (!wanted && !sight->scores)
            continue;
        const double *row = numbers_of(gather, sight, i, all->width, scores);
        if (wanted && points->count == gather->most)
            thin(points);
        if (!is_wanted(gather, points->total))
            continue;
        SCREE_TRY(reserve(gather, error));
        keep(gather, row, numbers);
    }
done:
    return status;
}

void scree__gather_begin(scree__gather *gather, const int64_t *columns, int64_t cols, int64_t most)
{
    *gather = (scree__gather){.points = {.cols = cols, .every = 1, .text = {.label = -1, .id = -1}},
                              .columns = columns,
                              .most = most > 1 ? most : 2};
}

static scree_status look(scree__gather *gather, scree__survey survey, scree_source *source, const scree_run *run,
                         scree_error *error)
{
    scree__source_texts texts;
    gathering all = {gather, survey.codes ? scree_model_get(survey.model)->m : 0};
    scree__source_texts_of(source, &texts);
    gather->points.text.count = texts.count < SCREE__TEXTS_MOST ? texts.count : SCREE__TEXTS_MOST;
    gather->text_count = texts.count;
    survey.visit = take_rows;
    survey.context = &all;
    survey.keeps_rows = gather->most < MANY ? gather->most : MANY;
    survey.keeps_bytes = COPIES * (8 * gather->points.cols + 12 + 4 * gather->points.text.count);
    return scree__survey_run(source, &survey, run, error);
}

scree_status scree__gather_cells(scree__gather *gather, const scree_model *model, scree_source *source,
                                 const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(gather->cells, (model ? scree_model_get(model)->d : scree_source_cols(source)) + 1, error);
    SCREE_TRY(look(gather, (scree__survey){.stage = "copy", .model = model}, source, run, error));
done:
    free(gather->cells);
    gather->cells = NULL;
    return status;
}

scree_status scree__gather_codes(scree__gather *gather, const scree_model *model, scree_source *source,
                                 const scree_run *run, scree_error *error)
{
    return look(gather, (scree__survey){.stage = "project", .model = model, .codes = true}, source, run, error);
}

scree_status scree__gather_scores(scree__gather *gather, const scree_scorer *scorer, double alpha, scree_source *source,
                                  const scree_run *run, scree_error *error)
{
    gather->alpha = alpha;
    return look(gather, (scree__survey){.stage = "score", .scorer = scorer}, source, run, error);
}

void scree__points_clear(scree__points *points)
{
    free(points->values);
    free(points->rows);
    free(points->label);
    free(points->texts);
    scree__labels_clear(&points->labels);
    scree__texts_clear(&points->text);
    *points = (scree__points){.text = points->text};
}

/* The column's texts become the labels of the points. */
static void take_labels(scree__points *points, int64_t column)
{
    points->labels = points->text.columns[column];
    points->text.columns[column] = (scree__labels){0};
    for (int64_t i = 0; i < points->count; i++)
        points->label[i] = points->texts[i * points->text.count + column];
}

void scree__points_choose(scree__points *points, const scree_source *source, const char *label)
{
    scree__source_texts texts;
    scree__source_texts_of(source, &texts);
    scree__texts_choose(&points->text, &texts, label);
    if (points->text.label >= 0)
        take_labels(points, points->text.label);
}

const char *scree__points_name(const scree__points *points, int64_t i, char *buffer, size_t size)
{
    return scree__texts_name(&points->text, points->texts + i * points->text.count, points->rows[i], buffer, size);
}

/* Numbers as labels: 3, not 3.0. */
static scree_status number_labels(scree__points *points, const scree__points *given, scree_error *error)
{
    scree_status status = SCREE_OK;
    char text[48];
    for (int64_t i = 0; i < points->count; i++) {
        scree__format(text, sizeof text, "%.10g", given->values[points->rows[i]]);
        SCREE_TRY(scree__labels_add(&points->labels, text, &points->label[i], error));
    }
done:
    return status;
}

scree_status scree__points_label(scree__points *points, scree_source *labels, const char *rows_name, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gather;
    static const int64_t first[] = {0};
    scree__gather_begin(&gather, first, 1, INT64_MAX);
    SCREE_TRY(scree__gather_cells(&gather, NULL, labels, NULL, error));
    const scree__points *given = &gather.points;
    if (given->total != points->total)
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: has %" PRId64 " labels for the %" PRId64 " rows of %s; give a label for each row",
                   scree_source_name(labels), given->total, points->total, rows_name);
    scree__labels_clear(&points->labels);
    if (given->text.count == 0) {
        SCREE_TRY(number_labels(points, given, error));
    } else {
        take_labels(&gather.points, 0);
        for (int64_t i = 0; i < points->count; i++)
            points->label[i] = given->label[points->rows[i]];
        points->labels = gather.points.labels;
        gather.points.labels = (scree__labels){0};
    }
done:
    scree__points_clear(&gather.points);
    return status;
}

scree_status scree__rows_keep(scree__points *out, const scree_model *model, scree_source *rows, const int64_t *wanted,
                              int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gather;
    scree__source_texts texts;
    scree__gather_begin(&gather, NULL, scree_model_get(model)->d, INT64_MAX);
    gather.wanted = wanted;
    gather.wanted_count = count;
    SCREE_TRY(scree__gather_cells(&gather, model, rows, NULL, error));
    if (gather.points.count < count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: row %" PRId64 " is to be shown, but there are only %" PRId64 " rows",
                   scree_source_name(rows), wanted[count - 1] + 1, gather.points.total);
    *out = gather.points;
    scree__source_texts_of(rows, &texts);
    out->text.id = texts.id < out->text.count ? texts.id : -1;
    gather.points = (scree__points){0};
done:
    scree__points_clear(&gather.points);
    return status;
}
