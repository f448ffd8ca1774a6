/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and what is left of them: x beside x̃ = UUᵀ(x - µ) + µ (10.3) for M = 1, 5, 20, ... up to all that the model has,
 * or for those M that were asked for, as in Figure 10.12 of the book; or beside what the decoder makes of their codes
 * (10.76), with the squared error ‖x - x̃‖² of each, in the scaled columns where the model has a scale. As images, or as
 * lines over the columns. */

#include "view/gather.h"
#include "view/lines.h"
#include "view/tiles.h"
#include "view/words.h"

#include "scree_private.h"
#include "view/in_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { ROWS = 6, ROWS_CHOSEN = 4, STEPS = SCREE__STEPS, STEPS_CHOSEN = 6, TEXT = 256 };

typedef struct table {
    int64_t rows[ROWS]; /* ascending */
    int64_t row_count;
    int64_t steps[STEPS]; /* M of each */
    int64_t step_count;
    scree__points kept;        /* of the rows */
    const double *x;           /* row_count×D, theirs */
    char called[ROWS][64];     /* "row 7", or its id */
    double *made[STEPS];       /* row_count×D each */
    double error[STEPS][ROWS]; /* ‖x - x̃‖² */
    char names[STEPS][32];     /* for the legend */
} table;

static void clear(table *t)
{
    scree__points_clear(&t->kept);
    for (int i = 0; i < STEPS; i++)
        free(t->made[i]);
}

/* Those that were asked for. Codes without an order cannot be cut shorter. */
static void choose_steps(table *t, const scree__plot *plot)
{
    static const int64_t usual[] = {1, 5, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    const int64_t m = plot->view->m;
    for (int64_t i = 0; i < plot->options.step_count; i++)
        t->steps[t->step_count++] = plot->options.steps[i];
    if (t->step_count > 0)
        return;
    if (!plot->is_ordered)
        t->steps[t->step_count++] = m;
    else if (m <= 5)
        for (int64_t i = 1; i <= m; i++)
            t->steps[t->step_count++] = i;
    else
        for (size_t i = 0; i < sizeof usual / sizeof usual[0] && usual[i] < m && t->step_count < STEPS_CHOSEN - 1; i++)
            t->steps[t->step_count++] = usual[i];
    if (m > 5 && plot->is_ordered)
        t->steps[t->step_count++] = m;
}

static void add_row(table *t, int64_t row)
{
    int64_t at = t->row_count;
    for (int64_t i = 0; i < t->row_count; i++)
        if (t->rows[i] == row)
            return;
    for (; at > 0 && t->rows[at - 1] > row; at--)
        t->rows[at] = t->rows[at - 1];
    t->rows[at] = row;
    t->row_count++;
}

/* Those that are highlighted, or some from all over the data. */
static scree_status choose_rows(table *t, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_plot_options *options = &plot->options;
    if (scree_source_rows(plot->rows) < 0 && options->highlight_count <= 0 && scree__source_rewinds(plot->rows))
        SCREE_TRY(scree_source_copy(plot->rows, NULL, options->run, error)); /* counts them */
    const int64_t all = scree_source_rows(plot->rows);
    if (options->highlight_count > ROWS)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " rows are to be reconstructed; choose at most %d",
                   options->highlight_count, ROWS);
    const int64_t some = all >= 0 && all < ROWS_CHOSEN ? all : ROWS_CHOSEN;
    for (int64_t i = 0; i < some && options->highlight_count <= 0; i++)
        add_row(t, all > 0 ? i * all / some : i);
    for (int64_t i = 0; i < options->highlight_count; i++)
        add_row(t, options->highlight[i]);
    if (t->row_count == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    SCREE_TRY(scree__rows_keep(&t->kept, plot->model, plot->rows, t->rows, t->row_count, error));
    t->x = t->kept.values;
    for (int64_t i = 0; i < t->row_count; i++)
        scree__points_name(&t->kept, i, t->called[i], sizeof t->called[i]);
done:
    return status;
}

static double squared_error(const scree_model_view *view, const double *x, const double *made)
{
    double sum = 0.0;
    for (int64_t j = 0; j < view->d; j++) {
        const double difference = (scree__in_model(view, x[j]) - scree__in_model(view, made[j])) /
                                  (view->scale && view->scale[j] > 0.0 ? view->scale[j] : 1.0);
        sum += isnan(difference) ? 0.0 : difference * difference; /* a gap has nothing to compare with */
    }
    return sum;
}

static scree_status reconstruct(table *t, const scree__plot *plot, int64_t step, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = plot->view;
    scree_model *cut = NULL;
    double *codes = NULL;
    if (plot->is_ordered)
        SCREE_TRY(scree_model_truncate(&cut, plot->model, t->steps[step], error));
    const scree_model *model = cut ? cut : plot->model;
    SCREE_ALLOC(codes, t->row_count * t->steps[step], error);
    SCREE_ALLOC(t->made[step], t->row_count * view->d, error);
    const scree_block rows = {
        .size = sizeof rows, .data = t->x, .type = SCREE_F64, .rows = t->row_count, .cols = view->d};
    const scree_block made = {
        .size = sizeof made, .data = codes, .type = SCREE_F64, .rows = t->row_count, .cols = t->steps[step]};
    SCREE_TRY(scree__project_shown(model, &rows, codes, plot->options.run, error));
    SCREE_TRY(scree_model_reconstruct_rows(model, &made, t->made[step], plot->options.run, error));
    for (int64_t i = 0; i < t->row_count; i++)
        t->error[step][i] = squared_error(view, t->x + i * view->d, t->made[step] + i * view->d);
done:
    free(codes);
    scree_model_free(cut);
    return status;
}

static scree_status draw_images(scree__plot *plot, const table *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__page *page = &plot->page;
    const int64_t d = plot->view->d, across = t->step_count + 1;
    const double shape = (double)plot->image_rows / (double)plot->image_cols;
    const scree__tone tone = scree__tone_of(t->x, t->row_count * d);
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    const double head = (scree__canvas_is_cells(plot->canvas) ? 1.0 : 1.6) * page->em;
    scree__page below = *page;
    char text[TEXT];
    below.room.y += head;
    below.room.h -= head;
    const scree__grid grid = scree__grid_over(&below, t->row_count * across, across, shape, 1);
    for (int64_t k = 0; k < t->row_count * across; k++) {
        const int64_t i = k / across, step = k % across - 1;
        const scree__box box = scree__grid_at(&grid, k);
        scree__box drawn;
        SCREE_TRY(scree__tile_draw(plot, &box, (step < 0 ? t->x : t->made[step]) + i * d, &tone, &drawn, error));
        type.colour = page->theme->muted;
        if (step < 0)
            snprintf(text, sizeof text, "%s", t->called[i]);
        else
            scree__words_number(text, sizeof text, t->error[step][i], 3);
        scree__page_text(page, box.x + box.w / 2, drawn.y + drawn.h + grid.text / 2, box.w, &type, text);
        type.colour = page->theme->ink;
        if (step < 0)
            snprintf(text, sizeof text, "original");
        else
            snprintf(text, sizeof text, "M = %" PRId64, t->steps[step]);
        if (i == 0)
            scree__page_text(page, box.x + box.w / 2, page->room.y + head / 2, box.w, &type, text);
    }
done:
    return status;
}

static double line_width(const scree__page *page, int64_t step)
{
    return (step < 0 ? 0.2 : 0.12) * page->em;
}

static void draw_row(const scree__plot *plot, const table *t, int64_t i, const scree__frame *frame, double *room)
{
    const scree__page *page = &plot->page;
    const int64_t d = plot->view->d;
    if (scree__lines_are_many(plot)) {
        scree__lines_standardise(plot->view, t->x + i * d, room);
        scree__lines_band(frame, room, 1, d, page->theme->other);
    }
    for (int64_t step = -1; step < t->step_count; step++) {
        scree__pen pen = scree__page_pen(step < 0 ? page->theme->other : scree__series(page->look, step, 1).colour,
                                         line_width(page, step));
        pen.dashed = step >= 0 && step + 1 < t->step_count;
        scree__lines_standardise(plot->view, (step < 0 ? t->x : t->made[step]) + i * d, room);
        scree__lines_draw(frame, room, d, &pen);
    }
}

/* "row 7; error 0.31, 0.02" */
static void row_title(const table *t, int64_t i, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s: ‖x − x̃‖²", t->called[i]);
    for (int64_t step = 0; step < t->step_count && used < size; step++) {
        char number[48];
        scree__words_number(number, sizeof number, t->error[step][i], 3);
        used += (size_t)snprintf(text + used, size - used, "%s %s", step > 0 ? "," : " =", number);
    }
}

static void line_legend(scree__page *page, table *t)
{
    scree__legend_entry entries[STEPS + 1];
    entries[0] = (scree__legend_entry){{page->theme->other, 1, 1, 0, '-'}, true, false, "original"};
    for (int64_t step = 0; step < t->step_count; step++) {
        snprintf(t->names[step], sizeof t->names[step], "M = %" PRId64, t->steps[step]);
        entries[step + 1] =
            (scree__legend_entry){scree__series(page->look, step, 1), true, step + 1 < t->step_count, t->names[step]};
    }
    scree__page_legend(page, entries, t->step_count + 1);
}

/* The least and the greatest of all lines of a row. */
static void reach(const scree_model_view *view, const table *t, int64_t i, double *room, double range[2])
{
    range[0] = -1.0;
    range[1] = 1.0;
    for (int64_t step = -1; step < t->step_count; step++) {
        double own[2];
        scree__lines_standardise(view, (step < 0 ? t->x : t->made[step]) + i * view->d, room);
        scree__range(room, view->d, 1, false, own);
        range[0] = fmin(range[0], own[0]);
        range[1] = fmax(range[1], own[1]);
    }
}

static scree_status draw_lines(scree__plot *plot, table *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__page *page = &plot->page;
    double *room = NULL;
    scree__lines_names names = {0};
    const double head = (scree__canvas_is_cells(plot->canvas) ? 1.0 : 1.4) * page->em;
    SCREE_ALLOC(room, plot->view->d, error);
    SCREE_TRY(scree__lines_names_make(&names, plot, error));
    line_legend(page, t);
    const double height = page->room.h / (double)t->row_count;
    for (int64_t i = 0; i < t->row_count; i++) {
        scree__box box = {page->room.x, page->room.y + (double)i * height, page->room.w, height};
        const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
        char text[TEXT];
        double range[2];
        scree__frame frame;
        row_title(t, i, text, sizeof text);
        scree__page_text(page, box.x, box.y + head / 2, box.w, &type, text);
        box.y += head;
        box.h -= head;
        reach(plot->view, t, i, room, range);
        const scree__axis x = scree__lines_axis(plot, &names, i + 1 == t->row_count);
        const scree__axis y = {.title = page->narrow ? "" : "(x − µ)/s",
                               .short_title = "",
                               .scale = scree__scale_over(range[0], range[1], false)};
        scree__frame_draw(&frame, page, &box, &x, &y, NULL);
        draw_row(plot, t, i, &frame, room);
    }
done:
    scree__lines_names_free(&names);
    free(room);
    return status;
}

static double aspect(const scree__plot *plot, double em)
{
    table t = {.row_count = 0};
    const int64_t rows = plot->options.highlight_count > 0 ? plot->options.highlight_count : ROWS_CHOSEN;
    choose_steps(&t, plot);
    const double tile = plot->image_rows > 0 ? (double)plot->image_rows / (double)plot->image_cols : 1.0;
    if (plot->image_rows > 0)
        return fmin(t.step_count > 1 ? HUGE_VAL : 1.2, /* two images side by side need not fill the width */
                    1.6 * em + scree__grid_aspect(rows * (t.step_count + 1), t.step_count + 1, tile, 1, em));
    return fmin(1.3, 0.15 + 0.24 * (double)rows);
}

static void under_title(const scree__plot *plot, char *text, size_t size)
{
    const char *name = scree__words_base(scree_source_name(plot->rows));
    const scree__page page = {.canvas = plot->canvas};
    if (plot->image_rows > 0)
        snprintf(text, size, "%s; under each the squared error ‖x − x̃‖²", name);
    else if (scree__lines_are_many(plot))
        snprintf(text, size, "%s; lines: means of about %" PRId64 " columns; area: the original, least to greatest",
                 name, scree__lines_stretch(&page, plot->view->d));
    else
        snprintf(text, size, "%s; lines over the columns", name);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    table t = {.row_count = 0};
    char under[TEXT];
    choose_steps(&t, plot);
    SCREE_TRY(choose_rows(&t, plot, error));
    for (int64_t step = 0; step < t.step_count; step++)
        SCREE_TRY(reconstruct(&t, plot, step, error));
    under_title(plot, under, sizeof under);
    scree__page_begin(&plot->page, plot->canvas,
                      plot->is_ordered ? "Rows from M components" : "Rows from codes of M numbers", under);
    if (plot->image_rows > 0)
        SCREE_TRY(draw_images(plot, &t, error));
    else
        SCREE_TRY(draw_lines(plot, &t, error));
done:
    clear(&t);
    return status;
}

const scree__plot_kind scree__plot_reconstruction = {"reconstruction", true, SCREE_CAN_PROJECT, aspect, draw, NULL};
