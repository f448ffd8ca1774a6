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

static double radius_of(const scree__page *page, const scree__points *points)
{
    const double many = fmax(1.0, (double)points->count / 200.0);
    return page->em * fmax(0.1, (page->narrow ? 0.22 : 0.26) / pow(many, 0.17));
}

static double height_of(const scree__points *points, int64_t i, int64_t y)
{
    return y >= 0 ? points->values[i * points->cols + y] : (double)points->rows[i] + 1.0;
}

void scree__points_draw(const scree__frame *frame, const scree__points *points, int64_t x, int64_t y)
{
    const scree__page *page = frame->page;
    const double many = fmax(1.0, (double)points->count / 200.0);
    const double radius = radius_of(page, points);
    const double alpha = fmax(0.25, 0.85 / pow(many, 0.12));
    scree__mark marks[SCREE__LABELS_SHOWN + 1];
    for (int64_t s = -1; s < SCREE__LABELS_SHOWN; s++) {
        marks[s + 1] = mark_of(page, &points->labels, s, radius);
        marks[s + 1].alpha = alpha;
    }
    scree__canvas_clip(page->canvas, &frame->inside, points->count > RASTER);
    for (int64_t i = 0; i < points->count; i++) {
        const int64_t series = scree__labels_series(&points->labels, points->label[i]);
        scree__canvas_mark(page->canvas, scree__frame_x(frame, points->values[i * points->cols + x]),
                           scree__frame_y(frame, height_of(points, i, y)), &marks[series + 1]);
    }
    scree__canvas_unclip(page->canvas);
}

void scree__points_mark(const scree__frame *frame, const scree__points *points, int64_t x, int64_t y,
                        scree__placer *placer)
{
    const double radius = radius_of(frame->page, points);
    for (int64_t i = 0; i < points->count; i++)
        scree__placer_mark(placer, scree__frame_x(frame, points->values[i * points->cols + x]),
                           scree__frame_y(frame, height_of(points, i, y)), radius, 1);
}

int64_t scree__points_legend(const scree__page *page, const scree__points *points, scree__legend_entry *entries,
                             char other[64])
{
    const scree__labels *labels = &points->labels;
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
