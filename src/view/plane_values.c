/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that colours and sizes of points stand for: cos² or contributions of the rows to the components that are
 * drawn, or a column of theirs, one of the model's or not. One more pass over the rows, which are the same as those
 * drawn. The area of a point grows with its number. */

#include "view/described.h"
#include "view/plane.h"
#include "view/words.h"

#include "scree_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Takes the numbers of the rows that are points, as all rows come by. */
typedef struct picking {
    const scree__points *points;
    double *values;
    int64_t at;
} picking;

static void pick(void *context, int64_t row, double value)
{
    picking *p = context;
    if (p->at < p->points->count && p->points->rows[p->at] == row)
        p->values[p->at++] = value;
}

static scree_status describe(scree__by *by, const scree__plane *plane, const scree__plot *plot, bool cos2,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__together together;
    picking picked = {.points = &plane->points, .values = by->values};
    scree__described_rows rows = {.together = &together, .visit = pick, .context = &picked};
    SCREE_TRY(scree__together_of(&together, plot, cos2, plane->component, plane->component[1] < 0 ? 1 : 2, error));
    SCREE_TRY(scree__described_rows_run(&rows, plot, error));
    snprintf(by->title, sizeof by->title, "%s", scree__together_title(&together));
done:
    return status;
}

/* The column of that name; -1: none. */
static int64_t find_column(const scree_source *source, const char *name)
{
    for (int64_t j = 0; j < scree_source_cols(source); j++) {
        const char *own = scree_source_column(source, j);
        char numbered[32];
        snprintf(numbered, sizeof numbered, "c%lld", (long long)j + 1);
        if (strcmp(own ? own : numbered, name) == 0)
            return j;
    }
    return -1;
}

static scree_status take_column(scree__by *by, const scree__plane *plane, const scree__plot *plot, const char *name,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gather = {.points = {.count = 0}};
    const int64_t column = find_column(plot->rows, name);
    if (column < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: points cannot show '%s', which is no column of numbers; give one, or cos2 or contribution",
                   scree_source_name(plot->rows), name);
    scree__gather_begin(&gather, &column, 1, plot->options.points);
    SCREE_TRY(scree__gather_cells(&gather, NULL, plot->rows, plot->options.run, error));
    if (gather.points.count != plane->points.count)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has changed while it was read; draw it again",
                   scree_source_name(plot->rows));
    memcpy(by->values, gather.points.values, (size_t)plane->points.count * sizeof *by->values);
    scree__words_clean(by->title, sizeof by->title, name);
done:
    scree__points_clear(&gather.points);
    return status;
}

static scree_status gather(scree__by *by, const scree__plane *plane, const scree__plot *plot, const char *what,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool cos2 = what && strcmp(what, "cos2") == 0;
    if (!what)
        return SCREE_OK;
    if (!scree__source_rewinds(plot->rows))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: can be read only once, and what points stand for takes another time; save the rows to a file",
                   scree_source_name(plot->rows));
    SCREE_ALLOC(by->values, plane->points.count, error);
    if (cos2 || strcmp(what, "contribution") == 0)
        SCREE_TRY(describe(by, plane, plot, cos2, error));
    else
        SCREE_TRY(take_column(by, plane, plot, what, error));
    by->ramp = scree__ramp_over(by->values, plane->points.count, by->title);
done:
    return status;
}

scree_status scree__values_gather(scree__plane *plane, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(gather(&plane->colour, plane, plot, plot->options.colour_by, error));
    SCREE_TRY(gather(&plane->size, plane, plot, plot->options.size_by, error));
done:
    return status;
}

void scree__values_clear(scree__plane *plane)
{
    free(plane->colour.values);
    free(plane->size.values);
    plane->colour.values = plane->size.values = NULL;
}

double scree__values_radius(const scree__by *size, double value, double usual)
{
    static const double least = 0.5, most = 2.0; /* of the usual one */
    const scree__ramp *ramp = &size->ramp;
    const double low = ramp->low > 0.0 && ramp->low < 0.5 * ramp->high ? 0.0 : ramp->low;
    if (!size->values)
        return usual;
    if (!isfinite(value))
        return least * usual;
    const double share = fmin(fmax((value - low) / (ramp->high - low), 0.0), 1.0);
    return usual * sqrt(least * least + share * (most * most - least * least));
}

int64_t scree__values_legend(const scree__plane *plane, const scree__page *page, double usual,
                             scree__legend_entry entries[SCREE__SIZES], char texts[SCREE__SIZES][160])
{
    const scree__by *size = &plane->size;
    if (!size->values || scree__canvas_is_cells(page->canvas))
        return 0;
    const double shown[SCREE__SIZES] = {size->ramp.low, (size->ramp.low + size->ramp.high) / 2, size->ramp.high};
    for (int i = 0; i < SCREE__SIZES; i++) {
        char number[32];
        scree__words_number(number, sizeof number, shown[i], 2);
        snprintf(texts[i], 160, "%.100s%s%s", i == 0 ? size->title : "", i == 0 ? ": " : "", number);
        entries[i] = (scree__legend_entry){
            {page->theme->muted, 1, scree__values_radius(size, shown[i], usual), SCREE__CIRCLE, 'o'},
            false,
            false,
            texts[i]};
    }
    return SCREE__SIZES;
}
