/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of components as a matrix: the rows in each plane below the diagonal, and along it how they are spread over one
 * component, as a histogram. A unit is as long in every panel and along every axis, so that distances and angles can be
 * compared, and late components look as narrow as they are. */

#include "view/plane.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 256, MOST = 8, USUAL = 4, BINS = 24, SERIES = SCREE__LABELS_SHOWN + 1 };

typedef struct matrix {
    scree__plane plane; /* of the panel at hand */
    scree__points points;
    int64_t component[MOST];
    int64_t count;
    double middle[MOST]; /* of what is shown along each */
    double half;         /* of what is shown, along all */
    double side;         /* of a panel */
    double gap;
    scree__box box;
} matrix;

static double aspect(const scree__plot *plot, double em)
{
    const scree__surroundings around = {.shape = 1.0, .beside = 6.0, .under = 30, .legend = 40};
    return plot->cells ? 1.0 : scree__plot_around(plot, &around, em);
}

static scree_status gather(matrix *m, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gathered = {.points = {.count = 0}};
    const bool given = plot->options.component_count > 0;
    m->count = scree__plot_components(plot, m->component, given ? MOST : USUAL);
    if (m->count < 2)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "pairs need two components at least; %s",
                   plot->view->m < 2 ? "the model has one: fit more" : "name more");
    scree__gather_begin(&gathered, m->component, m->count, plot->options.points);
    SCREE_TRY(scree__gather_codes(&gathered, plot->model, plot->rows, plot->options.run, error));
    if (gathered.points.total == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    m->points = gathered.points;
    gathered.points = (scree__points){0};
    scree__points_choose(&m->points, plot->rows, plot->options.label);
    if (plot->options.labels)
        SCREE_TRY(scree__points_label(&m->points, plot->options.labels, scree_source_name(plot->rows), error));
    SCREE_TRY(scree__labels_settle(&m->points.labels, error));
done:
    scree__points_clear(&gathered.points);
    return status;
}

static void find_ranges(matrix *m)
{
    static const double air = 1.08;
    for (int64_t k = 0; k < m->count; k++) {
        double range[2];
        scree__range(m->points.values + k, m->points.count, m->points.cols, false, range);
        m->middle[k] = (range[0] + range[1]) / 2;
        m->half = fmax(m->half, air * (range[1] - range[0]) / 2);
    }
    if (!(m->half > 0.0))
        m->half = 1.0;
}

static scree__scale scale_of(const matrix *m, int64_t k)
{
    return (scree__scale){.low = m->middle[k] - m->half, .high = m->middle[k] + m->half};
}

static scree__box panel_at(const matrix *m, int64_t row, int64_t col)
{
    const double step = m->side + m->gap;
    return (scree__box){m->box.x + (double)col * step, m->box.y + (double)row * step, m->side, m->side};
}

/* The plane of two of the components. */
static void aim(matrix *m, const scree__page *page, int64_t row, int64_t col, double *values)
{
    scree__plane *plane = &m->plane;
    plane->points = m->points;
    plane->points.values = values;
    plane->points.cols = 2;
    plane->component[0] = m->component[col];
    plane->component[1] = m->component[row];
    for (int64_t i = 0; i < m->points.count; i++) {
        values[2 * i] = m->points.values[i * m->points.cols + col];
        values[2 * i + 1] = m->points.values[i * m->points.cols + row];
    }
    plane->frame =
        (scree__frame){.page = page, .inside = panel_at(m, row, col), .x = scale_of(m, col), .y = scale_of(m, row)};
}

/* Lines and numbers of an axis: along the lower edge of a column of panels, or beside a row of them. */
static void draw_ticks(const matrix *m, const scree__page *page, int64_t row, int64_t col, bool across)
{
    const scree__pen grid = scree__page_pen(page->theme->grid, 0.06 * page->em);
    const scree__box box = panel_at(m, row, col);
    const scree__scale scale = scale_of(m, across ? col : row);
    const bool cells = scree__canvas_is_cells(page->canvas), edge = across ? row + 1 == m->count : col == 0;
    scree__text_style type = scree__page_text_style(page, page->theme->muted, across ? SCREE__MIDDLE : SCREE__RIGHT);
    scree__ticks ticks;
    type.size = cells ? 1.0 : 0.8;
    scree__scale_ticks(&ticks, &scale, (int)fmax(2.0, fmin(6.0, m->side / (4.0 * page->em))));
    for (int i = 0; i < ticks.count; i++) {
        const double at = scree__scale_place(&scale, ticks.at[i]);
        const double x = box.x + at * box.w, y = box.y + (1.0 - at) * box.h;
        if (!cells && row != col)
            scree__canvas_line(page->canvas, across ? x : box.x, across ? box.y : y, across ? x : box.x + box.w,
                               across ? box.y + box.h : y, &grid);
        if (edge && (across || row != col))
            scree__canvas_text(page->canvas, across ? x : box.x - (cells ? 2.0 : 0.3 * page->em),
                               across ? box.y + box.h + (cells ? 0.5 : 0.8) * page->em : y, &type, ticks.text[i]);
    }
}

/* How the rows of each label are spread over a component, one above another. */
static void draw_histogram(const matrix *m, const scree__page *page, int64_t k)
{
    int64_t counts[SERIES][BINS] = {{0}}, most = 1;
    const scree__box box = panel_at(m, k, k);
    const scree__scale scale = scale_of(m, k);
    for (int64_t i = 0; i < m->points.count; i++) {
        const double at = scree__scale_place(&scale, m->points.values[i * m->points.cols + k]);
        const int64_t bin = isfinite(at) ? (int64_t)fmin(BINS - 1, fmax(0.0, floor(at * BINS))) : 0;
        counts[scree__labels_series(&m->points.labels, m->points.label[i]) + 1][bin]++;
    }
    for (int b = 0; b < BINS; b++) {
        int64_t sum = 0;
        for (int s = 0; s < SERIES; s++)
            sum += counts[s][b];
        most = sum > most ? sum : most;
    }
    for (int b = 0; b < BINS; b++) {
        double y = box.y + box.h;
        for (int s = 0; s < SERIES; s++) {
            const double high = 0.72 * box.h * (double)counts[s][b] / (double)most;
            const scree__box bar = {box.x + box.w * b / BINS, y - high, 0.92 * box.w / BINS, high};
            const bool other = s == 0 && m->points.labels.shown > 0;
            if (counts[s][b] > 0)
                scree__canvas_fill(page->canvas, &bar,
                                   other ? page->theme->other : scree__series(page->look, s == 0 ? 0 : s - 1, 1).colour,
                                   1.0);
            y -= high;
        }
    }
}

static void draw_diagonal(const matrix *m, const scree__plot *plot, int64_t k)
{
    const scree__page *page = &plot->page;
    const scree__box box = panel_at(m, k, k);
    const bool cells = scree__canvas_is_cells(page->canvas);
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    char name[64], brief[64];
    scree__plot_name(plot, m->component[k], "", name, sizeof name);
    snprintf(brief, sizeof brief, "%s%" PRId64, scree__model_code_prefix(plot->model), m->component[k] + 1);
    if (!cells)
        draw_histogram(m, page, k);
    const bool fits = scree__canvas_text_width(page->canvas, &type, name) < box.w;
    scree__page_text(page, box.x + box.w / 2, box.y + (cells ? 0.5 : 0.9) * page->em, box.w, &type,
                     fits ? name : brief);
}

static void lay_out(matrix *m, const scree__page *page)
{
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double left = (cells ? 5.0 : 2.6) * page->em, below = (cells ? 1.0 : 1.3) * page->em;
    const double w = page->room.w - left, h = page->room.h - below;
    m->gap = cells ? 2.0 : 0.5 * page->em;
    m->side = (fmin(w, h) - (double)(m->count - 1) * m->gap) / (double)m->count;
    m->side = fmax(m->side, page->em);
    m->box = (scree__box){page->room.x + left, page->room.y, w, h};
}

static void draw_panel(matrix *m, const scree__plot *plot, int64_t row, int64_t col, double *values)
{
    const scree__page *page = &plot->page;
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.08 * page->em);
    const scree__box box = panel_at(m, row, col);
    draw_ticks(m, page, row, col, true);
    draw_ticks(m, page, row, col, false);
    if (row == col) {
        draw_diagonal(m, plot, row);
    } else {
        aim(m, page, row, col, values);
        scree__points_draw(&m->plane);
    }
    scree__canvas_frame(page->canvas, &box, &pen);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    matrix *m = NULL;
    double *values = NULL;
    char rows[TEXT], other[64];
    scree__legend_entry entries[SCREE__LABELS_SHOWN + 1];
    SCREE_ALLOC(m, 1, error);
    SCREE_TRY(gather(m, plot, error));
    SCREE_ALLOC(values, 2 * m->points.count, error);
    find_ranges(m);
    scree__points_title(&m->points, scree_source_name(plot->rows), rows, sizeof rows);
    scree__page_begin(&plot->page, plot->canvas, "Rows along pairs of components", rows);
    m->plane.points = m->points;
    const int64_t count = scree__points_legend(&plot->page, &m->plane, entries, other);
    scree__page_legend(&plot->page, entries, count);
    lay_out(m, &plot->page);
    for (int64_t row = 0; row < m->count; row++)
        for (int64_t col = 0; col <= row; col++)
            draw_panel(m, plot, row, col, values);
done:
    if (m)
        scree__points_clear(&m->points);
    free(m);
    free(values);
    return status;
}

const scree__plot_kind scree__plot_pairs = {"pairs", true, SCREE_CAN_PROJECT, aspect, draw, NULL};
