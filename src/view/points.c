/* SPDX-License-Identifier: BSD-3-Clause */
/* Points as marks: smaller and more transparent the more there are. Above a few thousand they go to a raster layer, so
 * that a vector file stays small and quick. They are drawn in the order of the rows, so that no label hides another. */

#include "view/plane.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum { RASTER = 5000, OTHER_LETTER = '.' };

static scree__mark mark_of(const scree__page *page, const scree__labels *labels, int64_t series, double radius)
{
    scree__mark mark = scree__series(page->look, series < 0 ? 0 : series, radius);
    if (series < 0 && labels->shown > 0) {
        mark.colour = page->theme->other;
        mark.shape = SCREE__CIRCLE;
        mark.letter = OTHER_LETTER;
    }
    return mark;
}

double scree__points_radius(const scree__page *page, const scree__points *points)
{
    const double many = fmax(1.0, (double)points->count / 200.0);
    return page->em * fmax(0.1, (page->narrow ? 0.22 : 0.26) / pow(many, 0.17));
}

static void place_of(const scree__plane *plane, int64_t i, double at[2])
{
    const double *code = plane->points.values + i * plane->points.cols;
    at[0] = scree__frame_x(&plane->frame, code[0]);
    at[1] = scree__frame_y(&plane->frame, plane->component[1] < 0 ? (double)plane->points.rows[i] + 1.0 : code[1]);
}

/* The mark of its label, in the colour and of the size that its numbers have. */
static scree__mark mark_at(const scree__plane *plane, int64_t i, const scree__mark *usual)
{
    const scree__page *page = plane->frame.page;
    scree__mark mark = *usual;
    if (plane->size.values)
        mark.radius = scree__values_radius(&plane->size, plane->size.values[i], usual->radius);
    if (plane->colour.values) {
        const scree__mark coloured = scree__ramp_mark(&plane->colour.ramp, plane->colour.values[i], page, mark.radius);
        mark.colour = coloured.colour;
        mark.letter = coloured.letter;
    }
    return mark;
}

void scree__points_draw(const scree__plane *plane)
{
    const scree__page *page = plane->frame.page;
    const scree__points *points = &plane->points;
    const double many = fmax(1.0, (double)points->count / 200.0);
    const double radius = scree__points_radius(page, points);
    const double alpha = fmax(0.25, 0.85 / pow(many, 0.12));
    scree__mark marks[SCREE__LABELS_SHOWN + 1];
    for (int64_t s = -1; s < SCREE__LABELS_SHOWN; s++) {
        marks[s + 1] = mark_of(page, &points->labels, s, radius);
        marks[s + 1].alpha = alpha;
    }
    scree__canvas_clip(page->canvas, &plane->frame.inside, points->count > RASTER);
    for (int64_t i = 0; i < points->count; i++) {
        const int64_t series = scree__labels_series(&points->labels, points->label[i]);
        const scree__mark mark = mark_at(plane, i, &marks[series + 1]);
        double at[2];
        place_of(plane, i, at);
        scree__canvas_mark(page->canvas, at[0], at[1], &mark);
    }
    scree__canvas_unclip(page->canvas);
}

void scree__points_mark(const scree__plane *plane, scree__placer *placer)
{
    const double usual = scree__points_radius(plane->frame.page, &plane->points);
    for (int64_t i = 0; i < plane->points.count; i++) {
        const double radius = scree__values_radius(&plane->size, plane->size.values ? plane->size.values[i] : 0, usual);
        double at[2];
        place_of(plane, i, at);
        scree__placer_mark(placer, at[0], at[1], radius, 1);
    }
}

int64_t scree__points_legend(const scree__page *page, const scree__plane *plane, scree__legend_entry *entries,
                             char other[64])
{
    const scree__labels *labels = &plane->points.labels;
    int64_t count = 0;
    for (int64_t s = 0; s < labels->shown; s++) {
        const char *name = labels->names[labels->order[s]];
        entries[count++] = (scree__legend_entry){mark_of(page, labels, s, 1), false, false, *name ? name : "(none)"};
    }
    if (labels->shown > 0 && labels->count > labels->shown) {
        const long long classes = (long long)(labels->count - labels->shown);
        snprintf(other, 64, "other (%lld class%s)", classes, classes == 1 ? "" : "es");
        entries[count++] = (scree__legend_entry){mark_of(page, labels, -1, 1), false, false, other};
    }
    for (int64_t i = 0; i < count && plane->colour.values; i++) /* labels are shapes alone */
        entries[i].mark.colour = page->theme->muted;
    return count;
}

void scree__points_title(const scree__points *points, const char *name, char *text, size_t size)
{
    char total[32];
    const bool one = points->total == 1;
    scree__words_count(total, sizeof total, points->total);
    if (points->every > 1)
        snprintf(text, size, "%s, one in %lld of %s rows", scree__words_base(name), (long long)points->every, total);
    else
        snprintf(text, size, "%s, %s row%s", scree__words_base(name), total, one ? "" : "s");
}
