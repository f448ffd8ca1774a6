/* SPDX-License-Identifier: BSD-3-Clause */
/* The components themselves, u_j: as images where rows are images; as bars beside the names of the columns where these
 * are few; else as bars over the columns, the largest with their names. Blue is below zero, orange above. Of a
 * model whose components are not in order, what takes their place: loadings where it has such, else the slopes ∂x̃/∂z_j
 * of the decoder at z = 0, by central differences. */

#include "view/lines.h"
#include "view/placer.h"
#include "view/tiles.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { IMAGES = 12, PANELS = 4, PANELS_NARROW = 3, NAMED = 40, LARGEST = 5, LARGEST_NARROW = 3 };

static const double *component_of(const scree__plot *plot, int64_t j)
{
    return (plot->slopes ? plot->slopes : plot->view->components) + j * plot->view->d;
}

static int64_t choose(const scree__plot *plot, int64_t *chosen)
{
    return scree__plot_components(plot, chosen, plot->image_rows > 0 ? IMAGES : PANELS);
}

static double shape_of(const scree__plot *plot)
{
    return (double)plot->image_rows / (double)plot->image_cols;
}

static int64_t across_of(int64_t count)
{
    return count <= 4 ? count : count <= 8 ? (count + 1) / 2 : 4;
}

static double aspect(const scree__plot *plot, double em)
{
    int64_t chosen[IMAGES];
    const int64_t count = choose(plot, chosen);
    if (plot->image_rows > 0)
        return fmin(1.6, scree__grid_aspect(count, across_of(count), shape_of(plot), 1, em));
    if (plot->view->d <= NAMED)
        return fmin(1.4, (9.5 + 1.9 * (double)plot->view->d) * em);
    return fmin(1.2, 0.2 + 0.24 * (double)count);
}

/* "pc1, 43 %", or "pc1" where that has no room: half a share would be another one. */
static void panel_name(const scree__plot *plot, int64_t j, double width, char *text, size_t size)
{
    const scree__text_style type = scree__page_text_style(&plot->page, plot->page.theme->ink, SCREE__MIDDLE);
    scree__plot_name(plot, j, "", text, size);
    if (scree__canvas_text_width(plot->canvas, &type, text) > width)
        snprintf(text, size, "%s%" PRId64, scree__model_code_prefix(plot->model), j + 1);
}

static double largest(const double *values, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most > 0.0 ? most : 1.0;
}

static scree_status draw_images(scree__plot *plot, const int64_t *chosen, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__grid grid = scree__grid_over(&plot->page, count, across_of(count), shape_of(plot), 1);
    const scree__text_style type = scree__page_text_style(&plot->page, plot->page.theme->ink, SCREE__MIDDLE);
    for (int64_t i = 0; i < count; i++) {
        const double *u = component_of(plot, chosen[i]);
        const scree__tone tone = {.high = largest(u, plot->view->d), .diverging = true};
        const scree__box box = scree__grid_at(&grid, i);
        scree__box drawn;
        char name[64];
        panel_name(plot, chosen[i], box.w, name, sizeof name);
        SCREE_TRY(scree__tile_draw(plot, &box, u, &tone, &drawn, error));
        scree__page_text(&plot->page, box.x + box.w / 2, drawn.y + drawn.h + grid.text / 2, box.w, &type, name);
    }
done:
    return status;
}

/* Where the bars of one component go: from the middle to both sides. */
typedef struct panel {
    scree__box box;
    double line;        /* height of a column's line */
    scree__scale scale; /* symmetric, common to all panels */
} panel;

static double across(const panel *p, double value)
{
    return p->box.x + p->box.w * scree__scale_place(&p->scale, value);
}

/* Numbers under the bars, with lines up through them: as many as have room. */
static void draw_scale(const scree__plot *plot, const panel *p)
{
    const scree__page *page = &plot->page;
    const scree__pen grid = scree__page_pen(page->theme->grid, 0.06 * page->em);
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const double bottom = p->box.y + p->box.h;
    scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__MIDDLE);
    scree__ticks ticks;
    type.size = 0.9;
    scree__scale_ticks(&ticks, &p->scale, (int)fmax(2.0, p->box.w / ((cells ? 5.0 : 4.0) * page->em)));
    const double each = ticks.count > 1 ? across(p, ticks.at[1]) - across(p, ticks.at[0]) : p->box.w;
    const double wide = 1.2 * scree__canvas_text_width(plot->canvas, &type, ticks.text[0]);
    const bool ends = ticks.count == 3 && wide >= each && wide < 2.0 * each; /* 0 says least */
    for (int i = 0; i < ticks.count; i++) {
        const double x = across(p, ticks.at[i]), size = scree__canvas_text_width(plot->canvas, &type, ticks.text[i]);
        const bool inside = x - size / 2 >= p->box.x - page->em && x + size / 2 <= p->box.x + p->box.w + page->em;
        if (!cells)
            scree__canvas_line(plot->canvas, x, p->box.y, x, bottom, &grid);
        if (inside && (wide < each || (ends ? i != 1 : i % 2 == ticks.count / 2 % 2))) /* 0 stands in the middle */
            scree__canvas_text(plot->canvas, x, bottom + (cells ? 0.5 : 0.8) * page->em, &type, ticks.text[i]);
    }
}

static void draw_bars(const scree__plot *plot, int64_t j, const panel *p)
{
    const scree__page *page = &plot->page;
    const double *u = component_of(plot, j), middle = across(p, 0.0);
    const scree__pen axis = scree__page_pen(page->theme->muted, 0.08 * page->em);
    const bool cells = scree__canvas_is_cells(plot->canvas);
    draw_scale(plot, p);
    for (int64_t i = 0; i < plot->view->d; i++) {
        const double end = across(p, u[i]);
        const double thick = cells ? fmax(p->line / 2, 2.0) : fmin(0.68 * p->line, 1.8 * page->em);
        const scree__box bar = {fmin(end, middle), p->box.y + ((double)i + 0.5) * p->line - thick / 2,
                                fabs(end - middle), thick};
        scree__canvas_fill(plot->canvas, &bar, scree__signed(page->look, u[i] < 0.0), 1.0);
    }
    scree__canvas_line(plot->canvas, middle, p->box.y, middle, p->box.y + p->box.h, &axis);
}

static const char *name_of(const scree__plot *plot, int64_t column, bool brief, char name[256])
{
    return brief ? scree__plot_short_column(plot, column, name, 256) : scree__plot_column(plot, column, name, 256);
}

/* Names of the columns on the left, short ones where the whole ones have no room; returns how wide they are. */
static double draw_names(const scree__plot *plot, double top, double line)
{
    const scree__page *page = &plot->page;
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__RIGHT);
    const double most = 0.3 * page->room.w;
    double width = 0.0;
    char name[256];
    type.size = scree__canvas_is_cells(plot->canvas) ? 1.0 : fmin(1.0, 0.85 * line / page->em);
    for (int64_t i = 0; i < plot->view->d; i++)
        width = fmax(width, scree__canvas_text_width(plot->canvas, &type, name_of(plot, i, false, name)));
    const bool brief = width > most;
    for (int64_t i = 0; i < plot->view->d && brief; i++)
        width = fmax(i > 0 ? width : 0.0, scree__canvas_text_width(plot->canvas, &type, name_of(plot, i, true, name)));
    width = fmin(width, most);
    for (int64_t i = 0; i < plot->view->d; i++)
        scree__page_text(page, page->room.x + width, top + ((double)i + 0.5) * line, width, &type,
                         name_of(plot, i, brief, name));
    return width + (scree__canvas_is_cells(plot->canvas) ? 2.0 : 0.6 * page->em);
}

static void draw_panels(scree__plot *plot, const int64_t *chosen, int64_t count)
{
    const scree__page *page = &plot->page;
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const double head = (cells ? 1.0 : 1.6) * page->em, foot = (cells ? 1.0 : 1.4) * page->em;
    const double top = page->room.y + head, height = page->room.h - head - foot;
    const double line = height / (double)plot->view->d;
    const double names = draw_names(plot, top, line), gap = (cells ? 1.0 : 1.2) * page->em;
    const double width = (page->room.w - names - (double)(count - 1) * gap) / (double)count;
    double most = 0.0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, largest(component_of(plot, chosen[i]), plot->view->d));
    for (int64_t i = 0; i < count; i++) {
        const panel p = {.box = {page->room.x + names + (double)i * (width + gap), top, width, height},
                         .line = line,
                         .scale = {.low = -1.04 * most, .high = 1.04 * most}};
        char name[64];
        panel_name(plot, chosen[i], width, name, sizeof name);
        scree__page_text(page, p.box.x + width / 2, page->room.y + head / 2, width, &type, name);
        draw_bars(plot, chosen[i], &p);
    }
}

/* The columns with the largest weights, largest first. */
static int64_t find_largest(const double *u, int64_t d, int64_t *columns, int64_t most)
{
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++) {
        if (u[j] == 0.0 || (count == most && fabs(u[j]) <= fabs(u[columns[count - 1]])))
            continue;
        count += count < most;
        int64_t at = count - 1;
        for (; at > 0 && fabs(u[columns[at - 1]]) < fabs(u[j]); at--)
            columns[at] = columns[at - 1];
        columns[at] = j;
    }
    return count;
}

/* Names of the largest beside the ends of their bars, where they cover no others. */
static scree_status name_largest(const scree__plot *plot, const scree__frame *frame, const double *u,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t columns[LARGEST];
    scree__placer placer = {.count = 0};
    const int64_t d = plot->view->d;
    const int64_t count = find_largest(u, d, columns, plot->page.narrow ? LARGEST_NARROW : LARGEST);
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &frame->inside, error));
    for (int64_t j = 0; j < d; j++) {
        const double x = scree__frame_x(frame, (double)j + 1.0);
        scree__placer_line(&placer, (double[]){x, scree__frame_y(frame, 0.0)},
                           (double[]){x, scree__frame_y(frame, u[j])}, 1);
    }
    for (int64_t k = 0; k < count; k++) {
        char name[256];
        const scree__wish wish = {
            .at = {scree__frame_x(frame, (double)columns[k] + 1.0), scree__frame_y(frame, u[columns[k]])},
            .leftwards = columns[k] > d / 2,
            .must = k == 0};
        scree__placer_find(&placer, &wish, scree__plot_short_column(plot, columns[k], name, sizeof name));
    }
    scree__placer_draw_lines(&placer);
    scree__placer_draw_names(&placer);
done:
    scree__placer_close(&placer);
    return status;
}

static scree_status draw_curves(scree__plot *plot, const int64_t *chosen, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__page *page = &plot->page;
    const double height = page->room.h / (double)count;
    const int64_t d = plot->view->d;
    for (int64_t i = 0; i < count; i++) {
        const double *u = component_of(plot, chosen[i]), most = largest(u, d);
        const scree__box box = {page->room.x, page->room.y + (double)i * height, page->room.w, height};
        const bool last = i + 1 == count;
        char name[64], brief[64];
        panel_name(plot, chosen[i], INFINITY, name, sizeof name);
        panel_name(plot, chosen[i], 0.0, brief, sizeof brief);
        const scree__axis x = {.title = last ? "column" : "",
                               .scale = {.low = 1.0 - 0.01 * (double)d, .high = 1.01 * (double)d, .whole = true}};
        const scree__axis y = {
            .title = name, .short_title = brief, .scale = {.low = -1.15 * most, .high = 1.15 * most}};
        const scree__pen zero = scree__page_pen(page->theme->muted, 0.06 * page->em);
        scree__frame frame;
        scree__frame_draw(&frame, page, &box, &x, &y, NULL);
        scree__lines_bars(&frame, u, d);
        scree__canvas_line(plot->canvas, frame.inside.x, scree__frame_y(&frame, 0.0), frame.inside.x + frame.inside.w,
                           scree__frame_y(&frame, 0.0), &zero);
        if (plot->view->columns)
            SCREE_TRY(name_largest(plot, &frame, u, error));
    }
done:
    return status;
}

/* Loadings of components that were divided by their standard deviation: c ≈ Σ loading_j z_j. */
static scree_status find_loadings(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    double *loadings = NULL;
    SCREE_ALLOC(plot->slopes, m * d, error);
    SCREE_ALLOC(loadings, m * d, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_LOADINGS, loadings, error));
    for (int64_t i = 0; i < m * d; i++)
        plot->slopes[i] = loadings[i % d * m + i / d];
done:
    free(loadings);
    return status;
}

/* Steps are long beside the rounding of float, and short beside the bends of a decoder. */
static scree_status find_slopes(scree__plot *plot, scree_error *error)
{
    static const double step = 0.05;
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    double *codes = NULL, *ends = NULL;
    SCREE_ALLOC(plot->slopes, m * d, error);
    SCREE_ALLOC(codes, 2 * m, error);
    SCREE_ALLOC(ends, 2 * d, error);
    const scree_block both = {.size = sizeof both, .data = codes, .type = SCREE_F64, .rows = 2, .cols = m};
    for (int64_t j = 0; j < m; j++) {
        codes[j] = step;
        codes[m + j] = -step;
        SCREE_TRY(scree_model_reconstruct_rows(plot->model, &both, ends, plot->options.run, error));
        codes[j] = codes[m + j] = 0.0;
        for (int64_t i = 0; i < d; i++)
            plot->slopes[j * d + i] = (ends[i] - ends[d + i]) / (2 * step);
    }
done:
    free(codes);
    free(ends);
    return status;
}

/* "3 of 4 components; blue below zero, orange above". */
static void under_title(const scree__plot *plot, int64_t count, char *text, size_t size)
{
    const bool images = plot->image_rows > 0, explained = scree_model_can(plot->model, SCREE_CAN_EXPLAIN);
    const bool slopes = !plot->is_ordered && !explained;
    const int64_t all = plot->options.components ? plot->options.component_count : plot->view->m;
    size_t used = 0;
    if (count < all)
        used = (size_t)snprintf(text, size, "%" PRId64 " of %" PRId64 " %s; ", count, all,
                                slopes ? "numbers" : "components");
    snprintf(text + used, size - used, "%s%s%s",
             slopes              ? "slope of the decoder at z = 0"
             : images            ? ""
             : !plot->is_ordered ? "loadings of the columns, share of the variance"
                                 : "weights of the columns, share of the variance",
             slopes && images ? "; " : "", images ? "blue below zero, orange above" : "");
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t chosen[IMAGES];
    int64_t count = choose(plot, chosen);
    char under[128];
    const bool slopes = !plot->is_ordered && !scree_model_can(plot->model, SCREE_CAN_EXPLAIN);
    if (!plot->is_ordered)
        SCREE_TRY(slopes ? find_slopes(plot, error) : find_loadings(plot, error));
    if (plot->image_rows == 0 && !plot->options.components && scree__page_is_narrow(plot->canvas) &&
        count > PANELS_NARROW)
        count = PANELS_NARROW;
    under_title(plot, count, under, sizeof under);
    scree__page_begin(&plot->page, plot->canvas,
                      slopes             ? "What each number of the code changes"
                      : plot->is_ordered ? "Components"
                                         : "Loadings",
                      under);
    if (plot->image_rows > 0)
        SCREE_TRY(draw_images(plot, chosen, count, error));
    else if (plot->view->d > NAMED)
        SCREE_TRY(draw_curves(plot, chosen, count, error));
    else
        draw_panels(plot, chosen, count);
done:
    return status;
}

const scree__plot_kind scree__plot_loadings = {"loadings", false, SCREE_CAN_PROJECT, aspect, draw, NULL};
