/* SPDX-License-Identifier: BSD-3-Clause */
/* Contributions and cos² as bars, the largest first, of columns or, where there are rows, of these, to one component or
 * to several together. A dashed line stands at the mean of all of them, which is 100 % over their number for
 * contributions: what is beyond it says more than its share. Those that have no room are said in one sum. */

#include "view/described.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 200, USUAL = 20, USUAL_NARROW = 12, TEXT = 256, NAME = 128 };

typedef struct item {
    int64_t index; /* of a column or a row */
    double value;
    char name[NAME];
} item;

typedef struct bars {
    scree__together together;
    item all[KEPT]; /* the largest, in order */
    int64_t kept;
    int64_t count; /* of all that there are */
    int64_t none;  /* of these, without a value: constant columns, rows at the mean */
    double sum;
} bars;

static void add(void *context, int64_t index, double value)
{
    bars *b = context;
    b->count++;
    if (!isfinite(value)) {
        b->none++;
        return;
    }
    b->sum += value;
    if (b->kept == KEPT && value <= b->all[KEPT - 1].value)
        return;
    b->kept += b->kept < KEPT;
    int64_t at = b->kept - 1;
    for (; at > 0 && b->all[at - 1].value < value; at--)
        b->all[at] = b->all[at - 1];
    b->all[at] = (item){.index = index, .value = value};
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The names of the rows that are kept: another pass, since which they are is known only after the first. */
static scree_status name_rows(bars *b, const scree__plot *plot, scree_error *error)
{
    static const int64_t first[] = {0};
    scree_status status = SCREE_OK;
    scree__gather gather = {.points = {.count = 0}};
    int64_t wanted[KEPT];
    for (int64_t i = 0; i < b->kept; i++)
        wanted[i] = b->all[i].index;
    qsort(wanted, (size_t)b->kept, sizeof *wanted, compare);
    scree__gather_begin(&gather, first, 1, INT64_MAX);
    gather.wanted = wanted;
    gather.wanted_count = b->kept;
    SCREE_TRY(scree__gather_cells(&gather, NULL, plot->rows, plot->options.run, error));
    scree__points_choose(&gather.points, plot->rows, plot->options.label);
    for (int64_t i = 0; i < b->kept; i++) {
        const int64_t *found =
            bsearch(&b->all[i].index, gather.points.rows, (size_t)gather.points.count, sizeof *found, compare);
        if (found)
            scree__points_name(&gather.points, found - gather.points.rows, b->all[i].name, NAME);
    }
done:
    scree__points_clear(&gather.points);
    return status;
}

static scree_status gather_rows(bars *b, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__described_rows rows = {.together = &b->together, .visit = add, .context = b};
    SCREE_TRY(scree__described_rows_run(&rows, plot, error));
    if (b->count == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    SCREE_TRY(name_rows(b, plot, error));
done:
    return status;
}

static scree_status gather_columns(bars *b, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *values = NULL;
    SCREE_TRY(scree__described_columns(&values, plot, &b->together, error));
    for (int64_t j = 0; j < plot->view->d; j++)
        add(b, j, values[j]);
    for (int64_t i = 0; i < b->kept; i++)
        scree__plot_column(plot, b->all[i].index, b->all[i].name, NAME);
done:
    free(values);
    return status;
}

static scree_status gather(bars **out, const scree__plot *plot, bool cos2, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_rotation_view *rotation = scree_model_rotation(plot->model);
    int64_t component[SCREE__TOGETHER_MOST];
    const bool given = plot->options.components && plot->options.component_count > 0;
    const int64_t most = given ? SCREE__TOGETHER_MOST : rotation && rotation->oblique ? 1 : 2;
    const int64_t count = scree__plot_components(plot, component, most);
    bars *b = NULL;
    SCREE_ALLOC(b, 1, error);
    SCREE_TRY(scree__together_of(&b->together, plot, cos2, component, count, error));
    SCREE_TRY(plot->rows ? gather_rows(b, plot, error) : gather_columns(b, plot, error));
    *out = b;
    b = NULL;
done:
    free(b);
    return status;
}

static int64_t wanted(const scree__plot *plot, int64_t there)
{
    const int64_t most = plot->options.top > 0 ? plot->options.top : USUAL;
    return there < most ? there : most;
}

static double aspect(const scree__plot *plot, double em)
{
    const int64_t there = plot->rows ? scree_source_rows(plot->rows) : plot->view->d;
    const double lines = (double)wanted(plot, there < 0 ? KEPT : there);
    return (plot->cells ? 6.0 + lines : 9.5 + 1.7 * lines) * em;
}

/* "pc1, pc2 and pc3". */
static void name_components(const scree__plot *plot, const scree__together *together, char *text, size_t size)
{
    size_t used = 0;
    for (int64_t k = 0; k < together->count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%" PRId64,
                                 k == 0                     ? ""
                                 : k + 1 == together->count ? " and "
                                                            : ", ",
                                 scree__model_code_prefix(plot->model), together->component[k] + 1);
}

/* "20 of 41 rows shown, the largest; the others contribute 22 %". */
static void describe(const bars *b, const scree__plot *plot, int64_t shown, char *text, size_t size)
{
    const char *what = plot->rows ? "row" : "column";
    const int64_t left = b->count - b->none - shown;
    char total[32], part[64] = "";
    double rest = b->sum;
    for (int64_t i = 0; i < shown; i++)
        rest -= b->all[i].value;
    scree__words_count(total, sizeof total, b->count);
    if (b->together.cos2)
        scree__format(part, sizeof part, "the mean of the others is %.2g", rest / (double)(left > 0 ? left : 1));
    else
        scree__format(part, sizeof part, "the others contribute %.3g %%", fmax(rest, 0.0));
    size_t used = 0;
    if (plot->rows)
        used = (size_t)snprintf(text, size, "%.80s: ", scree__words_base(scree_source_name(plot->rows)));
    if (left > 0)
        used += (size_t)snprintf(text + used, size - used, "%" PRId64 " of %s %ss shown, the largest; %s", shown, total,
                                 what, part);
    else
        used += (size_t)snprintf(text + used, size - used, "%s %s%s", total, what, b->count == 1 ? "" : "s");
    if (b->none > 0 && used < size)
        snprintf(text + used, size - used, "; %" PRId64 " without a value", b->none);
}

/* Where bars stand, and how long they are. */
typedef struct sheet {
    const scree__page *page;
    scree__box box;
    double line;
    scree__scale scale;
} sheet;

static double across(const sheet *s, double value)
{
    return s->box.x + s->box.w * scree__scale_place(&s->scale, value);
}

static void draw_scale(const sheet *s, const char *title)
{
    const scree__page *page = s->page;
    const scree__pen grid = scree__page_pen(page->theme->grid, 0.06 * page->em);
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double bottom = s->box.y + s->box.h;
    scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__MIDDLE);
    scree__ticks ticks;
    type.size = 0.9;
    scree__scale_ticks(&ticks, &s->scale, (int)fmin(10.0, fmax(2.0, s->box.w / (5.0 * page->em))));
    for (int i = 0; i < ticks.count; i++) {
        const double x = across(s, ticks.at[i]);
        if (!cells)
            scree__canvas_line(page->canvas, x, s->box.y, x, bottom, &grid);
        scree__canvas_text(page->canvas, x, bottom + (cells ? 0.5 : 0.9) * page->em, &type, ticks.text[i]);
    }
    type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    scree__page_text(page, s->box.x + s->box.w / 2, bottom + (cells ? 1.5 : 2.2) * page->em, s->box.w, &type, title);
}

static void draw_bars(const bars *b, int64_t shown, const sheet *s)
{
    const scree__page *page = s->page;
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double thick = cells ? 0.5 * s->line : fmin(0.7 * s->line, 1.5 * page->em);
    for (int64_t i = 0; i < shown; i++) {
        const double middle = s->box.y + ((double)i + 0.5) * s->line;
        const scree__box bar = {s->box.x, middle - thick / 2, across(s, b->all[i].value) - s->box.x, thick};
        scree__canvas_fill(page->canvas, &bar, scree__series(page->look, 0, 1).colour, 1.0);
    }
}

static void draw_mean(const sheet *s, double mean)
{
    scree__pen pen = scree__page_pen(s->page->theme->alarm, 0.12 * s->page->em);
    const double x = across(s, mean);
    pen.dashed = true;
    scree__canvas_line(s->page->canvas, x, s->box.y, x, s->box.y + s->box.h, &pen);
}

/* Names before the bars and numbers behind them, on paper, so that the line of the mean does not cross them. */
static void draw_texts(const bars *b, int64_t shown, const sheet *s)
{
    const scree__page *page = s->page;
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double gap = cells ? 2.0 : 0.5 * page->em;
    scree__text_style of_name = scree__page_text_style(page, page->theme->ink, SCREE__RIGHT);
    scree__text_style of_number = scree__page_text_style(page, page->theme->muted, SCREE__LEFT);
    of_name.size = of_number.size = cells ? 1.0 : fmin(1.0, 0.85 * s->line / page->em);
    for (int64_t i = 0; i < shown; i++) {
        const double middle = s->box.y + ((double)i + 0.5) * s->line, bar = across(s, b->all[i].value);
        const double end = (cells ? 2.0 * ceil(bar / 2.0) : bar) + gap; /* behind the cell where the bar ends */
        char number[32];
        scree__page_text(page, s->box.x - gap, middle, s->box.x - gap - page->room.x, &of_name, b->all[i].name);
        scree__words_number(number, sizeof number, b->all[i].value, 3);
        const double wide = scree__canvas_text_width(page->canvas, &of_number, number);
        const scree__box paper = {end, middle - 0.5 * page->em, wide, page->em};
        if (!cells)
            scree__canvas_fill(page->canvas, &paper, page->theme->paper, 1.0);
        scree__canvas_text(page->canvas, end, middle, &of_number, number);
    }
}

static double widest_name(const bars *b, int64_t shown, const scree__page *page)
{
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__RIGHT);
    double width = 0.0;
    for (int64_t i = 0; i < shown; i++)
        width = fmax(width, scree__canvas_text_width(page->canvas, &type, b->all[i].name));
    return fmin(width, 0.36 * page->room.w);
}

static void draw_sheet(const bars *b, int64_t shown, const scree__page *page)
{
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double em = page->em, names = widest_name(b, shown, page) + (cells ? 2.0 : 0.5 * em);
    const double foot = (cells ? 2.0 : 3.0) * em, numbers = (cells ? 14.0 : 3.5 * em);
    const double most = b->kept > 0 && b->all[0].value > 0.0 ? b->all[0].value : 1.0;
    sheet s = {.page = page,
               .box = {page->room.x + names, page->room.y, page->room.w - names - numbers, page->room.h - foot}};
    s.line = s.box.h / (double)shown;
    if (cells) {
        s.line = fmax(1.0, floor(s.line / em)) * em;
        s.box.h = s.line * (double)shown;
    }
    s.scale = (scree__scale){.low = 0.0, .high = fmax(1.02 * most, 1.02 * b->sum / (double)(b->count - b->none))};
    const scree__pen axis = scree__page_pen(page->theme->muted, 0.08 * em);
    draw_scale(&s, scree__together_title(&b->together));
    draw_bars(b, shown, &s);
    scree__canvas_line(page->canvas, s.box.x, s.box.y, s.box.x, s.box.y + s.box.h, &axis);
    draw_mean(&s, b->sum / (double)(b->count - b->none));
    draw_texts(b, shown, &s);
}

static int64_t room_for(const scree__plot *plot, double most)
{
    const double em = scree__canvas_em(plot->canvas);
    const bool cells = plot->cells;
    const double height = scree__canvas_shape_of(plot->canvas)->height;
    return (int64_t)fmax(1.0, fmin(most, (height / em - (cells ? 6.0 : 9.0)) / (cells ? 1.0 : 1.05)));
}

static scree_status draw_any(scree__plot *plot, bool cos2, scree_error *error)
{
    scree_status status = SCREE_OK;
    bars *b = NULL;
    char components[TEXT], title[TEXT + 64], under[TEXT], mean[64];
    SCREE_TRY(gather(&b, plot, cos2, error));
    if (b->count == b->none)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "nothing has a value along these components; there is nothing to show");
    int64_t shown = wanted(plot, b->kept);
    if (plot->options.top <= 0 && scree__page_is_narrow(plot->canvas) && shown > USUAL_NARROW)
        shown = USUAL_NARROW;
    shown = room_for(plot, (double)shown);
    name_components(plot, &b->together, components, sizeof components);
    snprintf(title, sizeof title, "%s of %s %s %s", cos2 ? "cos²" : "Contributions", plot->rows ? "rows" : "columns",
             cos2 ? "with" : "to", components);
    describe(b, plot, shown, under, sizeof under);
    scree__page_begin(&plot->page, plot->canvas, title, under);
    scree__format(mean, sizeof mean, "mean of all %s: %.3g%s", plot->rows ? "rows" : "columns",
                  b->sum / (double)(b->count - b->none), cos2 ? "" : " %");
    const scree__legend_entry entry = {{plot->page.theme->alarm, 1, 1, 0, '|'}, true, true, mean};
    scree__page_legend(&plot->page, &entry, 1);
    draw_sheet(b, shown, &plot->page);
done:
    free(b);
    return status;
}

static scree_status draw_contributions(scree__plot *plot, scree_error *error)
{
    return draw_any(plot, false, error);
}

static scree_status draw_cos2(scree__plot *plot, scree_error *error)
{
    return draw_any(plot, true, error);
}

const scree__plot_kind scree__plot_contributions = {"contributions",    false, SCREE_CAN_EXPLAIN, aspect,
                                                    draw_contributions, NULL};
const scree__plot_kind scree__plot_cos2 = {"cos2", false, SCREE_CAN_EXPLAIN, aspect, draw_cos2, NULL};
