/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes. The room that tick texts and axis titles need is measured first; what is left is the inside of the frame. Texts
 * that would touch are left out: of names every second, third, ... is shown. Grid lines go under the data. */

#include "view/frame.h"

#include <math.h>

typedef struct margins {
    double left;
    double right;
    double top;
    double bottom;
} margins;

double scree__frame_x(const scree__frame *frame, double value)
{
    return frame->inside.x + frame->inside.w * scree__scale_place(&frame->x, value);
}

static double up(const scree__frame *frame, const scree__scale *scale, double value)
{
    return frame->inside.y + frame->inside.h * (1.0 - scree__scale_place(scale, value));
}

double scree__frame_y(const scree__frame *frame, double value)
{
    return up(frame, &frame->y, value);
}

double scree__frame_right(const scree__frame *frame, double value)
{
    return up(frame, &frame->right, value);
}

static scree__text_style tick_type(const scree__page *page, scree__anchor anchor)
{
    scree__text_style type = scree__page_text_style(page, page->theme->muted, anchor);
    type.size = 0.9;
    return type;
}

static double widest(const scree__page *page, const scree__ticks *ticks)
{
    const scree__text_style type = tick_type(page, SCREE__LEFT);
    double width = 0.0;
    for (int i = 0; i < ticks->count; i++)
        width = fmax(width, scree__canvas_text_width(page->canvas, &type, ticks->text[i]));
    return width;
}

static int ticks_down(const scree__page *page, double height)
{
    const double apart = (scree__canvas_is_cells(page->canvas) ? 2.0 : 2.6) * page->em;
    return (int)fmin(10.0, fmax(2.0, height / apart));
}

static void y_ticks(const scree__frame *frame, const scree__axis *axis, const scree__ticks *ticks, bool right)
{
    const scree__page *page = frame->page;
    const scree__pen grid = scree__page_pen(page->theme->grid, 0.06 * page->em);
    const scree__text_style type = tick_type(page, right ? SCREE__LEFT : SCREE__RIGHT);
    const double edge = right ? frame->inside.x + frame->inside.w : frame->inside.x;
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double gap = cells ? 2.0 : 0.4 * page->em;
    for (int i = 0; i < ticks->count && !axis->bare; i++) {
        const double y = up(frame, &axis->scale, ticks->at[i]);
        if (!right && !cells)
            scree__canvas_line(page->canvas, frame->inside.x, y, frame->inside.x + frame->inside.w, y, &grid);
        scree__canvas_text(page->canvas, right ? edge + gap : edge - gap, y, &type, ticks->text[i]);
    }
}

static double widest_name(const scree__page *page, const char *const *names, int64_t count)
{
    const scree__text_style type = tick_type(page, SCREE__MIDDLE);
    double width = 0.0;
    for (int64_t i = 0; i < count && i < 200; i++)
        width = fmax(width, scree__canvas_text_width(page->canvas, &type, names[i]));
    return width;
}

/* Names of whole numbers from 1 on: as many as fit beside each other, each cut to its room, that of those at the ends
 * being what is left of the page. */
static void x_names(const scree__frame *frame, const scree__axis *axis)
{
    const scree__page *page = frame->page;
    const scree__text_style type = tick_type(page, SCREE__MIDDLE);
    const double step = scree__frame_x(frame, 2.0) - scree__frame_x(frame, 1.0), air = 0.6 * page->em;
    const char *const *names = axis->names;
    double width = widest_name(page, names, axis->name_count);
    if (width + air > step && axis->short_names) {
        names = axis->short_names;
        width = widest_name(page, names, axis->name_count);
    }
    width = fmin(width, fmax(frame->inside.w / 4.0, step)) + air;
    const int64_t every = (int64_t)fmax(1.0, ceil(width / step - 1e-9));
    const double below =
        frame->inside.y + frame->inside.h + (scree__canvas_is_cells(page->canvas) ? 0.5 : 0.9) * page->em;
    for (int64_t i = 0; i < axis->name_count; i += every) {
        const double x = scree__frame_x(frame, (double)i + 1.0);
        const double beside = fmin(x - page->room.x, page->room.x + page->room.w - x);
        scree__page_text(page, x, below, fmin((double)every * step - air / 2, 2.0 * beside), &type, names[i]);
    }
}

static void x_ticks(const scree__frame *frame, const scree__axis *axis)
{
    const scree__page *page = frame->page;
    const scree__pen grid = scree__page_pen(page->theme->grid, 0.06 * page->em);
    const scree__text_style type = tick_type(page, SCREE__MIDDLE);
    const bool cells = scree__canvas_is_cells(page->canvas);
    scree__ticks ticks;
    if (axis->names) {
        x_names(frame, axis);
        return;
    }
    scree__scale_ticks(&ticks, &axis->scale, (int)fmin(10.0, fmax(2.0, frame->inside.w / (5.0 * page->em))));
    if (ticks.count > 0 && widest(page, &ticks) * 1.25 * ticks.count > frame->inside.w)
        scree__scale_ticks(&ticks, &axis->scale, (int)fmax(2.0, frame->inside.w / (1.5 * widest(page, &ticks)) - 1.0));
    for (int i = 0; i < ticks.count && !axis->bare; i++) {
        const double x = scree__frame_x(frame, ticks.at[i]), bottom = frame->inside.y + frame->inside.h;
        if (!cells)
            scree__canvas_line(page->canvas, x, frame->inside.y, x, bottom, &grid);
        scree__canvas_text(page->canvas, x, bottom + (cells ? 0.5 : 0.9) * page->em, &type, ticks.text[i]);
    }
}

static void titles(const scree__frame *frame, const scree__box *box, const scree__axis *x, const scree__axis *y,
                   const scree__axis *right)
{
    const scree__page *page = frame->page;
    const scree__box *in = &frame->inside;
    const bool cells = scree__canvas_is_cells(page->canvas);
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    scree__page_text(page, in->x + in->w / 2, box->y + box->h - (cells ? 0.5 : 0.65) * page->em, in->w, &type,
                     x->title);
    char cut[256];
    const bool fits = scree__canvas_text_width(page->canvas, &type, y->title) <= in->h + page->em;
    scree__page_fit(page, in->h + page->em, &type, fits || !y->short_title ? y->title : y->short_title, cut,
                    sizeof cut);
    scree__canvas_text_up(page->canvas, box->x + 0.6 * page->em, in->y + in->h / 2, &type, cut);
    if (right) {
        scree__page_fit(page, in->h + page->em, &type, right->title, cut, sizeof cut);
        scree__canvas_text_up(page->canvas, box->x + box->w - 0.6 * page->em, in->y + in->h / 2, &type, cut);
    }
    if (!cells)
        return;
    type.anchor = SCREE__LEFT;
    scree__page_text(page, box->x, box->y + 0.5 * page->em, box->w / 2, &type, y->title);
    type.anchor = SCREE__RIGHT;
    if (right)
        scree__page_text(page, box->x + box->w, box->y + 0.5 * page->em, box->w / 2, &type, right->title);
}

static margins measure(const scree__page *page, const scree__axis *x, const scree__ticks *left,
                       const scree__ticks *right, const scree__axis *const axes[2])
{
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double em = page->em, gap = cells ? 4.0 : 0.7 * em;
    margins m = {.top = cells ? em : 0.6 * em, .bottom = cells ? 2.0 * em : 1.7 * em, .right = cells ? 2.0 : 0.9 * em};
    if (!cells && *x->title)
        m.bottom += 1.4 * em;
    if (cells && !*x->title)
        m.bottom -= em;
    m.left = (axes[0]->bare ? 0.0 : widest(page, left)) + gap + (cells || !*axes[0]->title ? 0.0 : 1.5 * em);
    if (axes[1])
        m.right = widest(page, right) + gap + (cells || !*axes[1]->title ? 0.0 : 1.5 * em);
    return m;
}

static scree__box inside_of(const scree__page *page, const scree__box *box, const margins *m)
{
    return (scree__box){box->x + m->left, box->y + m->top, fmax(box->w - m->left - m->right, page->em),
                        fmax(box->h - m->top - m->bottom, page->em)};
}

/* Where a unit is shorter along one axis than along the other, that one shows more, to both sides. */
static void equalise(scree__scale *x, scree__scale *y, const scree__box *inside)
{
    const double across = (x->high - x->low) / inside->w, up = (y->high - y->low) / inside->h;
    scree__scale *longer = across < up ? x : y;
    const double more = fabs(across - up) * (across < up ? inside->w : inside->h) / 2.0;
    longer->low -= more;
    longer->high += more;
}

void scree__frame_draw(scree__frame *frame, const scree__page *page, const scree__box *box, const scree__axis *across,
                       const scree__axis *up, const scree__axis *right)
{
    scree__axis of_x = *across, of_y = *up;
    const scree__axis *x = &of_x, *y = &of_y;
    const scree__axis *const axes[] = {y, right};
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.08 * page->em);
    scree__ticks left_ticks = {.count = 0}, right_ticks = {.count = 0};
    const int wanted = ticks_down(page, box->h - 3.0 * page->em);
    if (right)
        scree__scale_ticks(&right_ticks, &right->scale, wanted);
    scree__scale_ticks(&left_ticks, &y->scale, wanted);
    margins m = measure(page, x, &left_ticks, &right_ticks, axes);
    *frame = (scree__frame){.page = page, .inside = inside_of(page, box, &m)};
    if (y->equal) {
        /* Ticks that show more may be wider: the room is measured with these, and the scales are settled in it. */
        equalise(&of_x.scale, &of_y.scale, &frame->inside);
        scree__scale_ticks(&left_ticks, &y->scale, wanted);
        m = measure(page, x, &left_ticks, &right_ticks, axes);
        frame->inside = inside_of(page, box, &m);
        of_x.scale = across->scale;
        of_y.scale = up->scale;
        equalise(&of_x.scale, &of_y.scale, &frame->inside);
        scree__scale_ticks(&left_ticks, &y->scale, wanted);
    }
    frame->x = x->scale;
    frame->y = y->scale;
    if (right)
        frame->right = right->scale;
    x_ticks(frame, x);
    y_ticks(frame, y, &left_ticks, false);
    if (right)
        y_ticks(frame, right, &right_ticks, true);
    scree__box edge = frame->inside;
    if (scree__canvas_is_cells(page->canvas)) { /* the last dots inside, not the first beyond */
        edge.w -= 1.0;
        edge.h -= 1.0;
    }
    scree__canvas_frame(page->canvas, &edge, &pen);
    titles(frame, box, x, y, right);
}

void scree__frame_curve(const scree__frame *frame, double first, const double *values, int64_t count, bool right,
                        const scree__pen *pen)
{
    enum { PIECE = 256 };
    double xy[2 * PIECE];
    scree__canvas_clip(frame->page->canvas, &frame->inside, false);
    for (int64_t start = 0; start < count; start += PIECE - 1) {
        int64_t n = 0;
        for (int64_t i = start; i < count && n < PIECE; i++, n++) {
            xy[2 * n] = scree__frame_x(frame, first + (double)i);
            xy[2 * n + 1] = right ? scree__frame_right(frame, values[i]) : scree__frame_y(frame, values[i]);
        }
        scree__canvas_path(frame->page->canvas, xy, n, pen);
    }
    scree__canvas_unclip(frame->page->canvas);
}
