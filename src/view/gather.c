/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink that keeps what a picture needs. Where there are more rows than may be kept, every second is dropped and from
 * then on only every second taken, again and again: what is kept are evenly spaced rows, the same ones whatever the
 * blocks, and their number need not be known before. O(points) memory. */

#include "view/gather.h"

#include "answer/match.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static scree_status gather_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    scree__gather *gather = (scree__gather *)sink;
    (void)error;
    gather->text = shape->text_count > 0 ? 0 : -1;
    for (int64_t i = 0; gather->label && i < shape->text_count; i++)
        if (strcmp(shape->text_names[i], gather->label) == 0)
            gather->text = i;
    gather->text_count = shape->text_count;
    gather->input_cols = shape->cols;
    return SCREE_OK;
}

static scree_status reserve(scree__gather *gather, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__points *points = &gather->points;
    const int64_t room = gather->room ? 2 * gather->room : gather->wanted ? gather->wanted_count : 1024;
    double *values = NULL;
    int64_t *rows = NULL;
    int32_t *label = NULL;
    if (points->count < gather->room)
        return SCREE_OK;
    SCREE_ALLOC(values, room * points->cols, error);
    SCREE_ALLOC(rows, room, error);
    SCREE_ALLOC(label, room, error);
    if (points->count > 0) {
        memcpy(values, points->values, (size_t)(points->count * points->cols) * sizeof *values);
        memcpy(rows, points->rows, (size_t)points->count * sizeof *rows);
        memcpy(label, points->label, (size_t)points->count * sizeof *label);
    }
    free(points->values);
    free(points->rows);
    free(points->label);
    points->values = values;
    points->rows = rows;
    points->label = label;
    gather->room = room;
    return SCREE_OK;
done:
    free(values);
    free(rows);
    free(label);
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

static void keep(scree__gather *gather, const double *data, int32_t label)
{
    scree__points *points = &gather->points;
    for (int64_t j = 0; j < points->cols; j++)
        points->values[points->count * points->cols + j] = data[gather->columns ? gather->columns[j] : j];
    points->rows[points->count] = points->total;
    points->label[points->count++] = label;
}

static scree_status gather_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                 int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather *gather = (scree__gather *)sink;
    scree__points *points = &gather->points;
    (void)threads;
    for (int64_t i = 0; i < rows; i++, points->total++) {
        int32_t label = -1;
        if (text && gather->text >= 0)
            SCREE_TRY(scree__labels_add(&points->labels, text[i * gather->text_count + gather->text], &label, error));
        if (!is_wanted(gather, points->total))
            continue;
        if (points->count == gather->most)
            thin(points);
        if (!is_wanted(gather, points->total))
            continue;
        SCREE_TRY(reserve(gather, error));
        keep(gather, data + i * gather->input_cols, label);
    }
done:
    return status;
}

static scree_status gather_finish(scree_sink *sink, scree_error *error)
{
    (void)sink;
    (void)error;
    return SCREE_OK;
}

static const scree__sink_table gather_table = {"gather", gather_begin, gather_write, gather_finish, NULL};

void scree__gather_begin(scree__gather *gather, const int64_t *columns, int64_t cols, int64_t most)
{
    static char name[] = "a picture";
    *gather = (scree__gather){.base = {.table = &gather_table, .path = name, .type = SCREE_F64},
                              .points = {.cols = cols, .every = 1},
                              .columns = columns,
                              .most = most > 1 ? most : 2,
                              .text = -1};
}

void scree__points_clear(scree__points *points)
{
    free(points->values);
    free(points->rows);
    free(points->label);
    scree__labels_clear(&points->labels);
    *points = (scree__points){0};
}

/* Numbers as labels: 3, not 3.0. */
static scree_status number_labels(scree__points *points, const scree__points *given, scree_error *error)
{
    scree_status status = SCREE_OK;
    char text[48];
    for (int64_t i = 0; i < points->count; i++) {
        snprintf(text, sizeof text, "%.10g", given->values[points->rows[i]]);
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
    SCREE_TRY(scree_copy(labels, &gather.base, NULL, error));
    const scree__points *given = &gather.points;
    if (given->total != points->total)
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: has %" PRId64 " labels for the %" PRId64 " rows of %s; give a label for each row",
                   scree_source_name(labels), given->total, points->total, rows_name);
    scree__labels_clear(&points->labels);
    if (gather.text < 0) {
        SCREE_TRY(number_labels(points, given, error));
    } else {
        for (int64_t i = 0; i < points->count; i++)
            points->label[i] = given->label[points->rows[i]];
        points->labels = gather.points.labels;
        gather.points.labels = (scree__labels){0};
    }
done:
    scree__points_clear(&gather.points);
    return status;
}

scree_status scree__rows_keep(double **out, const scree_model *model, scree_source *rows, const int64_t *wanted,
                              int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gather;
    int64_t *columns = NULL;
    scree__gather_begin(&gather, NULL, scree_model_get(model)->d, INT64_MAX);
    gather.wanted = wanted;
    gather.wanted_count = count;
    SCREE_TRY(scree__match_columns(&columns, model, rows, error));
    gather.columns = columns;
    SCREE_TRY(scree_copy(rows, &gather.base, NULL, error));
    if (gather.points.count < count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: row %" PRId64 " is to be shown, but there are only %" PRId64 " rows",
                   scree_source_name(rows), wanted[count - 1] + 1, gather.points.total);
    *out = gather.points.values;
    gather.points.values = NULL;
done:
    free(columns);
    scree__points_clear(&gather.points);
    return status;
}
