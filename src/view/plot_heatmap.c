/* SPDX-License-Identifier: BSD-3-Clause */
/* Correlations of columns with components as a table of colours, for columns that are too many for bars: a line a
 * column, in the order of the data, with the numbers where they have room. Of very many columns those are shown of
 * whose variance the components keep most, by the sum of their cos². */

#include "view/plot.h"
#include "view/ramp.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 256, COMPONENTS = 24, USUAL = 8, USUAL_NARROW = 5, LINES = 100, NAME = 128 };

static int64_t components_of(const scree__plot *plot, int64_t *chosen)
{
    return scree__plot_components(plot, chosen, plot->options.component_count > 0 ? COMPONENTS : USUAL);
}

static int64_t lines_of(const scree__plot *plot)
{
    const int64_t most = plot->options.top > 0 ? plot->options.top : LINES;
    return plot->view->d < most ? plot->view->d : most;
}

static double aspect(const scree__plot *plot, double em)
{
    const double lines = (double)lines_of(plot);
    return plot->cells ? (7.0 + lines) * em : (12.0 + (lines > 40.0 ? 1.0 : 1.35) * lines) * em;
}

typedef struct ranked {
    int64_t column;
    double cos2;
} ranked;

static int by_cos2(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->cos2 != y->cos2 ? (x->cos2 < y->cos2) - (x->cos2 > y->cos2)
                              : (x->column > y->column) - (x->column < y->column);
}

static int by_column(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/* Columns with the largest cos², in the order of the data. */
static void choose(ranked *columns, const scree__plot *plot, const int64_t *component, int64_t count, int64_t lines)
{
    for (int64_t j = 0; j < plot->view->d; j++) {
        columns[j] = (ranked){.column = j};
        for (int64_t k = 0; k < count; k++) {
            const double r = plot->slopes[j * plot->view->m + component[k]];
            columns[j].cos2 += isfinite(r) ? r * r : 0.0;
        }
    }
    qsort(columns, (size_t)plot->view->d, sizeof *columns, by_cos2);
    qsort(columns, (size_t)lines, sizeof *columns, by_column);
}

/* The table, and what it shows. */
typedef struct sheet {
    const ranked *columns;
    int64_t lines;
    int64_t component[COMPONENTS];
    int64_t count;
    scree__box box;
} sheet;

static double value_at(const scree__plot *plot, const sheet *s, int64_t i, int64_t k)
{
    return plot->slopes[s->columns[i].column * plot->view->m + s->component[k]];
}

static scree_status draw_colours(const scree__plot *plot, const sheet *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint32_t *pixels = NULL;
    const scree__pen pen = scree__page_pen(plot->page.theme->muted, 0.06 * plot->page.em);
    SCREE_ALLOC(pixels, s->lines * s->count, error);
    for (int64_t i = 0; i < s->lines; i++)
        for (int64_t k = 0; k < s->count; k++) {
            const double r = value_at(plot, s, i, k);
            pixels[i * s->count + k] = scree__diverging(plot->page.look, isfinite(r) ? r : 0.0);
        }
    scree__canvas_image(plot->canvas, &s->box, pixels, s->lines, s->count);
    if (!scree__canvas_is_cells(plot->canvas))
        scree__canvas_frame(plot->canvas, &s->box, &pen);
done:
    free(pixels);
    return status;
}

static bool have_numbers(const scree__plot *plot, const sheet *s)
{
    const double w = s->box.w / (double)s->count, h = s->box.h / (double)s->lines, em = plot->page.em;
    return scree__canvas_is_cells(plot->canvas) ? w >= 12.0 : w >= 2.8 * em && h >= 0.95 * em;
}

/* Numbers in the cells, if all have room, in the colour that is read there. */
static void draw_numbers(const scree__plot *plot, const sheet *s)
{
    const scree__page *page = &plot->page;
    const double w = s->box.w / (double)s->count, h = s->box.h / (double)s->lines;
    const bool cells = scree__canvas_is_cells(plot->canvas);
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    type.size = cells ? 1.0 : 0.8;
    if (!have_numbers(plot, s))
        return;
    for (int64_t i = 0; i < s->lines; i++)
        for (int64_t k = 0; k < s->count; k++) {
            char number[32];
            const double r = value_at(plot, s, i, k);
            scree__format(number, sizeof number, r <= -0.005 ? "−%.2f" : "%.2f", fabs(r));
            type.colour = fabs(r) > 0.6 && !page->dark && !cells ? page->theme->paper : page->theme->ink;
            scree__canvas_text(plot->canvas, s->box.x + ((double)k + 0.5) * w, s->box.y + ((double)i + 0.5) * h, &type,
                               isfinite(r) ? number : "–");
        }
}

static void draw_names(const scree__plot *plot, const sheet *s)
{
    const scree__page *page = &plot->page;
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const double w = s->box.w / (double)s->count, h = s->box.h / (double)s->lines, gap = cells ? 2.0 : 0.4 * page->em;
    scree__text_style of_line = scree__page_text_style(page, page->theme->ink, SCREE__RIGHT);
    const scree__text_style of_column = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    of_line.size = cells ? 1.0 : fmin(1.0, 0.95 * h / page->em);
    const int64_t every = of_line.size < 0.6 ? (int64_t)ceil(0.6 / of_line.size) : 1;
    of_line.size = fmax(of_line.size, 0.6);
    for (int64_t i = 0; i < s->lines; i += every) {
        char name[NAME];
        scree__page_text(page, s->box.x - gap, s->box.y + ((double)i + 0.5) * h, s->box.x - gap - page->room.x,
                         &of_line, scree__plot_short_column(plot, s->columns[i].column, name, sizeof name));
    }
    for (int64_t k = 0; k < s->count; k++) {
        char name[64], brief[64];
        scree__plot_name(plot, s->component[k], "", name, sizeof name);
        snprintf(brief, sizeof brief, "%s%" PRId64, scree__model_code_prefix(plot->model), s->component[k] + 1);
        const bool fits = scree__canvas_text_width(plot->canvas, &of_column, name) < 0.95 * w;
        scree__page_text(page, s->box.x + ((double)k + 0.5) * w, s->box.y - (cells ? 0.5 : 0.75) * page->em, w,
                         &of_column, fits ? name : brief);
    }
}

/* Names on the left take what they need, and a third of the room at most. */
static void lay_out(sheet *s, const scree__plot *plot)
{
    const scree__page *page = &plot->page;
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__RIGHT);
    const double head = (cells ? 1.0 : 1.5) * page->em;
    double width = 0.0;
    for (int64_t i = 0; i < s->lines; i++) {
        char name[NAME];
        scree__plot_short_column(plot, s->columns[i].column, name, sizeof name);
        width = fmax(width, scree__canvas_text_width(plot->canvas, &type, name));
    }
    width = fmin(width, 0.33 * page->room.w) + (cells ? 2.0 : 0.5 * page->em);
    s->box = (scree__box){page->room.x + width, page->room.y + head, page->room.w - width, page->room.h - head};
    if (!cells)
        return;
    s->box.h = fmax(1.0, floor(s->box.h / page->em / (double)s->lines)) * (double)s->lines * page->em;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__page *page = &plot->page;
    ranked *columns = NULL;
    sheet s = {.lines = lines_of(plot)};
    char under[TEXT] = "";
    s.count = components_of(plot, s.component);
    if (plot->options.component_count == 0 && scree__page_is_narrow(plot->canvas) && s.count > USUAL_NARROW)
        s.count = USUAL_NARROW;
    SCREE_ALLOC(plot->slopes, plot->view->d * plot->view->m, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_CORRELATIONS, plot->slopes, error));
    SCREE_ALLOC(columns, plot->view->d, error);
    if (plot->cells) { /* a line of letters each */
        const double height = scree__canvas_shape_of(plot->canvas)->height / scree__canvas_em(plot->canvas);
        s.lines = (int64_t)fmax(1.0, fmin((double)s.lines, height - 6.0));
    }
    choose(columns, plot, s.component, s.count, s.lines);
    s.columns = columns;
    if (s.lines < plot->view->d)
        snprintf(under, sizeof under, "%" PRId64 " of %" PRId64 " columns shown: the largest cos²", s.lines,
                 plot->view->d);
    scree__page_begin(page, plot->canvas, "Correlations of columns with components", under);
    const scree__ramp ramp = {.low = -1.0, .high = 1.0, .title = "correlation", .signs = page->look};
    scree__ramp_bar(page, &ramp);
    lay_out(&s, plot);
    if (!plot->cells || !have_numbers(plot, &s)) /* a terminal may have no colours: there numbers are enough */
        SCREE_TRY(draw_colours(plot, &s, error));
    draw_numbers(plot, &s);
    draw_names(plot, &s);
done:
    free(columns);
    return status;
}

const scree__plot_kind scree__plot_heatmap = {"heatmap", false, SCREE_CAN_EXPLAIN, aspect, draw, NULL};
