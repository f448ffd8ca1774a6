/* SPDX-License-Identifier: BSD-3-Clause */
/* What is drawn around the rows of each label that has a colour, or around all rows where there are none: lines in that
 * colour, and a breath of it inside. Labels that have too few rows are named under the picture. */

#include "view/density.h"
#include "view/plane.h"
#include "view/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 4 };

static const struct {
    const char *name;
    scree__around what;
    const char *legend; /* behind the shares */
} kinds[] = {
    {"normal", SCREE__AROUND_NORMAL, "of a normal distribution"},        {"t", SCREE__AROUND_T, "of a t distribution"},
    {"confidence", SCREE__AROUND_CONFIDENCE, "confidence of the mean"},  {"hull", SCREE__AROUND_HULL, "convex hull"},
    {"density", SCREE__AROUND_DENSITY, "of the rows, at their densest"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static scree_status choose_levels(scree__groups *groups, const scree_plot_options *options, scree_error *error)
{
    static const double one[] = {0.95}, several[] = {0.5, 0.8, 0.95};
    const bool many = groups->what == SCREE__AROUND_DENSITY;
    const double *levels = options->levels ? options->levels : many ? several : one;
    const int64_t count = options->levels ? options->level_count : many ? 3 : 1;
    scree_status status = SCREE_OK;
    if (options->levels && groups->what == SCREE__AROUND_HULL)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a hull holds all rows and has no level; leave the level out");
    if (count > SCREE__LEVELS_MOST)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " levels are asked for; choose at most %d", count,
                   SCREE__LEVELS_MOST);
    for (int64_t i = 0; i < count; i++) {
        if (!(levels[i] > 0.0 && levels[i] < 1.0))
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a level of %g is no share of the rows; give one above 0 and below 1",
                       levels[i]);
        int64_t at = i; /* in order */
        for (; at > 0 && groups->levels[at - 1] > levels[i]; at--)
            groups->levels[at] = groups->levels[at - 1];
        groups->levels[at] = levels[i];
    }
    groups->level_count = count;
done:
    return status;
}

static scree_status choose(scree__groups *groups, const scree__plane *plane, const scree__plot *plot,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *around = plot->options.around;
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, around) == 0)
            groups->what = kinds[i].what;
    if (groups->what == SCREE__AROUND_NONE)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "'%s' is not what can be drawn around rows; choose normal, t, confidence, hull or density", around);
    if (plane->component[1] < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "lines around rows need two components, and %s; %s",
                   plot->view->m < 2 ? "the model has one" : "one is shown",
                   plot->view->m < 2 ? "fit two" : "name two");
    SCREE_TRY(choose_levels(groups, &plot->options, error));
done:
    return status;
}

/* "50, 80 and 95 % of ..." */
static void describe(scree__groups *groups)
{
    size_t used = 0;
    char *text = groups->legend;
    const size_t size = sizeof groups->legend;
    for (int64_t i = 0; i < groups->level_count && groups->what != SCREE__AROUND_HULL && used < size; i++)
        used += (size_t)scree__format(text + used, size - used, "%s%.3g%s",
                                      i == 0                         ? ""
                                      : i + 1 == groups->level_count ? " and "
                                                                     : ", ",
                                      100.0 * groups->levels[i], i + 1 == groups->level_count ? " % " : "");
    if (used < size)
        snprintf(text + used, size - used, "%s", kinds[groups->what - 1].legend);
}

/* "there is nothing around setosa: ..."; what the bandwidth is. */
static void note(scree__groups *groups)
{
    size_t used = 0;
    char *text = groups->note;
    const size_t size = sizeof groups->note;
    char to[32] = "";
    if (groups->bandwidth[1] > 0.0) {
        if (groups->bandwidth[1] > 1.005 * groups->bandwidth[0])
            scree__format(to, sizeof to, " to %.2f", groups->bandwidth[1]);
        used = (size_t)scree__format(text, size, "Density: normal kernel, bandwidth %.2f%s standard deviations. ",
                                     groups->bandwidth[0], to);
    }
    if (groups->without_count > NAMED)
        snprintf(text + used, size - used,
                 "Nothing is drawn around %s and %" PRId64
                 " more: they have fewer than three rows, or rows on one line.",
                 groups->without, groups->without_count - NAMED);
    else if (groups->without_count > 0)
        snprintf(text + used, size - used, "Nothing is drawn around %s: fewer than three rows, or rows on one line.",
                 groups->without);
}

static void leave_out(scree__groups *groups, const char *name)
{
    const size_t used = strlen(groups->without);
    char cut[64];
    scree__words_cut(cut, sizeof cut, *name ? name : "(none)", 24);
    if (groups->without_count++ < NAMED)
        snprintf(groups->without + used, sizeof groups->without - used, "%s%s", used > 0 ? ", " : "", cut);
}

/* Places of the points of a series, or of all; returns how many. */
static int64_t take(const scree__points *points, int64_t series, double *xy)
{
    int64_t count = 0;
    for (int64_t i = 0; i < points->count; i++) {
        const double *code = points->values + i * points->cols;
        if ((series >= 0 && scree__labels_series(&points->labels, points->label[i]) != series) || !isfinite(code[0]) ||
            !isfinite(code[1]))
            continue;
        xy[2 * count] = code[0];
        xy[2 * count++ + 1] = code[1];
    }
    return count;
}

static scree_status make(scree__groups *groups, double *xy, int64_t n, int64_t series, bool *made, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (groups->what == SCREE__AROUND_DENSITY) {
        double bandwidth = 0.0;
        SCREE_TRY(scree__density_make(&groups->outlines, groups->levels, groups->level_count, xy, n, series, &bandwidth,
                                      made, error));
        if (*made && (groups->bandwidth[1] == 0.0 || bandwidth < groups->bandwidth[0]))
            groups->bandwidth[0] = bandwidth;
        groups->bandwidth[1] = fmax(groups->bandwidth[1], bandwidth);
        return SCREE_OK;
    }
    *made = true;
    for (int64_t k = 0; k < groups->level_count && *made; k++)
        SCREE_TRY(scree__outline_make(&groups->outlines, groups->what, groups->levels[k], xy, n, series, made, error));
done:
    return status;
}

scree_status scree__groups_gather(scree__plane *plane, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__points *points = &plane->points;
    scree__groups *groups = &plane->groups;
    double *xy = NULL;
    if (!plot->options.around) {
        if (plot->options.levels)
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                       "a level is of what is drawn around rows, and nothing is; say what, such as normal");
        return SCREE_OK;
    }
    SCREE_TRY(choose(groups, plane, plot, error));
    SCREE_ALLOC(xy, 2 * points->count, error);
    for (int64_t s = points->labels.shown > 0 ? 0 : -1; s < points->labels.shown; s++) {
        bool made = false;
        SCREE_TRY(make(groups, xy, take(points, s, xy), s, &made, error));
        if (!made)
            leave_out(groups, s < 0 ? "the rows" : points->labels.names[points->labels.order[s]]);
        if (s < 0)
            break;
    }
    describe(groups);
    note(groups);
done:
    free(xy);
    return status;
}

void scree__groups_clear(scree__groups *groups)
{
    scree__outlines_clear(&groups->outlines);
}

void scree__groups_widen(const scree__groups *groups, int axis, double range[2])
{
    for (int64_t i = 0; i < groups->outlines.count; i++) {
        const scree__outline *outline = &groups->outlines.all[i];
        for (int64_t k = 0; k < outline->count; k++) {
            range[0] = fmin(range[0], outline->xy[2 * k + axis]);
            range[1] = fmax(range[1], outline->xy[2 * k + axis]);
        }
    }
}

bool scree__groups_legend(const scree__groups *groups, const scree__page *page, scree__legend_entry *entry)
{
    *entry = (scree__legend_entry){{page->theme->muted, 1, 1, SCREE__CIRCLE, '-'}, true, false, groups->legend};
    return groups->outlines.count > 0;
}

static scree__colour colour_of(const scree__plane *plane, int64_t series)
{
    const scree__page *page = plane->frame.page;
    return series < 0 ? page->theme->muted : scree__series(page->look, series, 1).colour;
}

static void to_canvas(const scree__plane *plane, const scree__outline *outline, double *xy)
{
    for (int64_t k = 0; k < outline->count; k++) {
        xy[2 * k] = scree__frame_x(&plane->frame, outline->xy[2 * k]);
        xy[2 * k + 1] = scree__frame_y(&plane->frame, outline->xy[2 * k + 1]);
    }
}

/* How many corners the largest has, or those of one area together, with ends of lines between them. */
static int64_t room_of(const scree__outlines *outlines)
{
    int64_t room = 0;
    for (int64_t i = 0; i < outlines->count; i++)
        room += outlines->all[i].count + 1;
    return room;
}

static bool is_of_one_area(const scree__outline *a, const scree__outline *b)
{
    return a->series == b->series && a->level == b->level;
}

void scree__groups_fill(const scree__plane *plane)
{
    static const double faint = 0.07;
    const scree__outlines *outlines = &plane->groups.outlines;
    double *xy = scree__alloc(room_of(outlines), 2 * sizeof *xy);
    for (int64_t i = 0, next = 0; xy && i < outlines->count; i = next) {
        int64_t count = 0;
        for (next = i; next < outlines->count && is_of_one_area(&outlines->all[i], &outlines->all[next]); next++) {
            to_canvas(plane, &outlines->all[next], xy + 2 * count);
            count += outlines->all[next].count;
            xy[2 * count] = xy[2 * count + 1] = NAN;
            count++;
        }
        scree__canvas_area(plane->frame.page->canvas, xy, count, colour_of(plane, outlines->all[i].series), faint);
    }
    free(xy);
}

void scree__groups_draw(const scree__plane *plane)
{
    const scree__page *page = plane->frame.page;
    const scree__outlines *outlines = &plane->groups.outlines;
    double *xy = scree__alloc(room_of(outlines), 2 * sizeof *xy);
    for (int64_t i = 0; xy && i < outlines->count; i++) {
        const scree__outline *outline = &outlines->all[i];
        const scree__pen pen = scree__page_pen(colour_of(plane, outline->series), 0.12 * page->em);
        to_canvas(plane, outline, xy);
        scree__canvas_path(page->canvas, xy, outline->count, &pen);
    }
    free(xy);
}

void scree__groups_mark(const scree__plane *plane, scree__placer *placer)
{
    const scree__outlines *outlines = &plane->groups.outlines;
    for (int64_t i = 0; i < outlines->count; i++)
        for (int64_t k = 0; k + 1 < outlines->all[i].count; k++) {
            const double *xy = outlines->all[i].xy + 2 * k;
            const double from[] = {scree__frame_x(&plane->frame, xy[0]), scree__frame_y(&plane->frame, xy[1])};
            const double to[] = {scree__frame_x(&plane->frame, xy[2]), scree__frame_y(&plane->frame, xy[3])};
            scree__placer_line(placer, from, to, 1);
        }
}
