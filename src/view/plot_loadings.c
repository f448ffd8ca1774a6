/* SPDX-License-Identifier: BSD-3-Clause */
/* The components themselves, u_j: as images where rows are images, blue below and vermilion above zero; as bars with
 * the names of the columns where these are few; else as curves over the columns. Of a network, what takes their place:
 * the slopes ∂x̃/∂z_j of the decoder at z = 0, by central differences. */

#include "view/lines.h"
#include "view/tiles.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { IMAGES = 12, PANELS = 4, PANELS_NARROW = 3, NAMED = 40 };

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
        return fmin(1.4, (7.5 + 1.9 * (double)plot->view->d) * em);
    return fmin(1.2, 0.2 + 0.24 * (double)count);
}

static void panel_name(const scree__plot *plot, int64_t j, char *text, size_t size)
{
    scree__plot_name(plot, j, "", text, size);
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
    const scree__type type = scree__page_type(&plot->page, plot->page.theme->ink, SCREE__MIDDLE);
    for (int64_t i = 0; i < count; i++) {
        const double *u = component_of(plot, chosen[i]);
        const scree__tone tone = {.high = largest(u, plot->view->d), .diverging = true};
        const scree__box box = scree__grid_at(&grid, i);
        scree__box drawn;
        char name[64];
        panel_name(plot, chosen[i], name, sizeof name);
        SCREE_TRY(scree__tile_draw(plot, &box, u, &tone, &drawn, error));
        scree__page_text(&plot->page, box.x + box.w / 2, drawn.y + drawn.h + grid.text / 2, box.w, &type, name);
    }
done:
    return status;
}

/* Bars of one component, a column a line, from the line in the middle to both sides. */
static void draw_bars(const scree__plot *plot, int64_t j, const scree__box *panel, double line, double most)
{
    const scree__page *page = &plot->page;
    const double *u = component_of(plot, j), middle = panel->x + panel->w / 2;
    const scree__pen axis = scree__page_pen(page->theme->muted, 0.08 * page->em);
    for (int64_t i = 0; i < plot->view->d; i++) {
        const double length = u[i] / most * panel->w * 0.48;
        const double thick =
            scree__canvas_is_cells(plot->canvas) ? fmax(line / 2, 2.0) : fmin(0.68 * line, 1.8 * page->em);
        const double top = panel->y + ((double)i + 0.5) * line - thick / 2;
        const scree__box bar = {length < 0.0 ? middle + length : middle, top, fabs(length), thick};
        scree__canvas_fill(plot->canvas, &bar, scree__series(page->dark, length < 0.0 ? 0 : 1, 1).colour, 1.0);
    }
    scree__canvas_line(plot->canvas, middle, panel->y, middle, panel->y + panel->h, &axis);
}

/* Names of the columns on the left; returns how wide they are. */
static double draw_names(const scree__plot *plot, double top, double line)
{
    const scree__page *page = &plot->page;
    scree__type type = scree__page_type(page, page->theme->ink, SCREE__RIGHT);
    const double most = 0.3 * page->room.w;
    double width = 0.0;
    char name[128];
    type.size = scree__canvas_is_cells(plot->canvas) ? 1.0 : fmin(1.0, 0.85 * line / page->em);
    for (int64_t i = 0; i < plot->view->d; i++)
        width =
            fmax(width, scree__canvas_text_width(plot->canvas, &type, scree__plot_column(plot, i, name, sizeof name)));
    width = fmin(width, most);
    for (int64_t i = 0; i < plot->view->d; i++)
        scree__page_text(page, page->room.x + width, top + ((double)i + 0.5) * line, width, &type,
                         scree__plot_column(plot, i, name, sizeof name));
    return width + (scree__canvas_is_cells(plot->canvas) ? 2.0 : 0.6 * page->em);
}

static void draw_panels(scree__plot *plot, const int64_t *chosen, int64_t count)
{
    const scree__page *page = &plot->page;
    const scree__type type = scree__page_type(page, page->theme->ink, SCREE__MIDDLE);
    const double head = (scree__canvas_is_cells(plot->canvas) ? 1.0 : 1.6) * page->em, top = page->room.y + head;
    const double line = (page->room.h - head) / (double)plot->view->d;
    const double names = draw_names(plot, top, line), gap = 0.8 * page->em;
    const double width = (page->room.w - names - (double)(count - 1) * gap) / (double)count;
    double most = 0.0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, largest(component_of(plot, chosen[i]), plot->view->d));
    for (int64_t i = 0; i < count; i++) {
        const scree__box panel = {page->room.x + names + (double)i * (width + gap), top, width, page->room.h - head};
        char name[64];
        panel_name(plot, chosen[i], name, sizeof name);
        scree__page_text(page, panel.x + width / 2, page->room.y + head / 2, width, &type, name);
        draw_bars(plot, chosen[i], &panel, line, most);
    }
}

static void draw_curves(scree__plot *plot, const int64_t *chosen, int64_t count)
{
    const scree__page *page = &plot->page;
    const double height = page->room.h / (double)count;
    const int64_t d = plot->view->d;
    for (int64_t i = 0; i < count; i++) {
        const double *u = component_of(plot, chosen[i]), most = largest(u, d);
        const scree__box box = {page->room.x, page->room.y + (double)i * height, page->room.w, height};
        const bool last = i + 1 == count;
        char name[64];
        panel_name(plot, chosen[i], name, sizeof name);
        const scree__axis x = {.title = last ? "column" : "",
                               .scale = {.low = 1.0 - 0.01 * (double)d, .high = 1.01 * (double)d, .whole = true}};
        const scree__axis y = {.title = name, .scale = {.low = -1.08 * most, .high = 1.08 * most}};
        const scree__pen zero = scree__page_pen(page->theme->muted, 0.06 * page->em);
        scree__frame frame;
        scree__frame_draw(&frame, page, &box, &x, &y, NULL);
        scree__canvas_line(plot->canvas, frame.inside.x, scree__frame_y(&frame, 0.0), frame.inside.x + frame.inside.w,
                           scree__frame_y(&frame, 0.0), &zero);
        const scree__pen pen = scree__page_pen(scree__series(page->dark, 0, 1).colour, 0.1 * page->em);
        scree__lines_draw(&frame, u, d, &pen);
    }
}

/* Steps are long beside the rounding of float, and short beside the bends of a network. */
static scree_status find_slopes(scree__plot *plot, scree_error *error)
{
    static const double step = 0.05;
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    double *codes = NULL, *ends = NULL;
    SCREE_ALLOC(plot->slopes, m * d, error);
    SCREE_ALLOC(codes, 2 * m, error);
    SCREE_ALLOC(ends, 2 * d, error);
    for (int64_t j = 0; j < m; j++) {
        codes[j] = step;
        codes[m + j] = -step;
        SCREE_TRY(scree_reconstruct_rows(plot->model, codes, 2, ends, error));
        codes[j] = codes[m + j] = 0.0;
        for (int64_t i = 0; i < d; i++)
            plot->slopes[j * d + i] = (ends[i] - ends[d + i]) / (2 * step);
    }
done:
    free(codes);
    free(ends);
    return status;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t chosen[IMAGES];
    int64_t count = choose(plot, chosen);
    const bool images = plot->image_rows > 0, network = plot->view->network != NULL;
    if (network)
        SCREE_TRY(find_slopes(plot, error));
    scree__page_begin(&plot->page, plot->canvas, network ? "What each number of the code changes" : "Components",
                      images && network ? "slope of the decoder at z = 0; blue: below zero; vermilion: above"
                      : images          ? "blue: below zero; vermilion: above"
                      : network         ? "slope of the decoder at z = 0"
                                        : "weights of the columns, and share of the variance");
    if (images) {
        SCREE_TRY(draw_images(plot, chosen, count, error));
        goto done;
    }
    if (plot->page.narrow && count > PANELS_NARROW && !plot->options.components)
        count = PANELS_NARROW;
    if (plot->view->d <= NAMED)
        draw_panels(plot, chosen, count);
    else
        draw_curves(plot, chosen, count);
done:
    return status;
}

const scree__plot_kind scree__plot_loadings = {"loadings", false, true, aspect, draw};
