/* SPDX-License-Identifier: BSD-3-Clause */
/* The page: title on top, note and legend at the foot, the room between them left for plots. Lines of text are 1.5 em
 * apart; on cells, one cell. */

#include "view/frame.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

static const double narrow_width = 44.0; /* em */

scree__type scree__page_type(const scree__page *page, scree__colour colour, scree__anchor anchor)
{
    (void)page;
    return (scree__type){colour, 1.0, false, anchor};
}

scree__pen scree__page_pen(scree__colour colour, double width)
{
    return (scree__pen){colour, 1.0, width, false};
}

static double line_height(const scree__page *page)
{
    return scree__canvas_is_cells(page->canvas) ? page->em : 1.55 * page->em;
}

void scree__page_fit(const scree__page *page, double width, const scree__type *type, const char *text, char *out,
                     size_t size)
{
    char clean[512];
    scree__words_clean(clean, sizeof clean, text);
    int64_t letters = scree__words_letters(clean);
    snprintf(out, size, "%s", clean);
    const double whole = scree__canvas_text_width(page->canvas, type, clean);
    if (whole > width && width > 0.0) /* a first guess, then letter by letter */
        letters = (int64_t)fmin((double)letters, 1.3 * (double)letters * width / whole + 1.0);
    while (letters > 1 && scree__canvas_text_width(page->canvas, type, out) > width)
        scree__words_cut(out, size, clean, --letters);
}

void scree__page_text(const scree__page *page, double x, double y, double width, const scree__type *type,
                      const char *text)
{
    char cut[512];
    scree__page_fit(page, width, type, text, cut, sizeof cut);
    scree__canvas_text(page->canvas, x, y, type, cut);
}

void scree__page_begin(scree__page *page, scree__canvas *canvas, const char *title, const char *under)
{
    const scree__canvas_shape *shape = scree__canvas_shape_of(canvas);
    const double em = scree__canvas_em(canvas);
    const bool cells = scree__canvas_is_cells(canvas);
    const double edge = cells ? 0.0 : em;
    *page = (scree__page){.canvas = canvas,
                          .theme = scree__theme(shape->dark),
                          .em = em,
                          .dark = shape->dark,
                          .narrow = shape->width < narrow_width * em * (cells ? 0.5 : 1.0),
                          .room = {edge, 0.6 * edge, shape->width - 2 * edge, shape->height - 1.4 * edge}};
    snprintf(page->title, sizeof page->title, "%s", title);
    scree__type type = {page->theme->ink, 1.2, true, SCREE__LEFT};
    const double line = line_height(page);
    scree__page_text(page, page->room.x, page->room.y + (cells ? 0.5 * em : 0.6 * line), page->room.w, &type, title);
    double used = cells ? line : 1.15 * line;
    if (*under) {
        type = scree__page_type(page, page->theme->muted, SCREE__LEFT);
        scree__page_text(page, page->room.x, page->room.y + used + 0.5 * line, page->room.w, &type, under);
        used += line;
    }
    used += cells ? 0.0 : 0.5 * em;
    page->room.y += used;
    page->room.h -= used;
}

void scree__page_note(scree__page *page, const char *text)
{
    const double line = line_height(page);
    scree__type type = scree__page_type(page, page->theme->muted, SCREE__LEFT);
    type.size = 0.9;
    page->room.h -= line;
    scree__page_text(page, page->room.x, page->room.y + page->room.h + 0.5 * line, page->room.w, &type, text);
}

static void draw_entry(const scree__page *page, const scree__legend_entry *entry, double x, double y, double width)
{
    const scree__type type = scree__page_type(page, page->theme->ink, SCREE__LEFT);
    const double key = scree__canvas_is_cells(page->canvas) ? 6.0 : 1.6 * page->em;
    if (entry->line) {
        scree__pen pen = scree__page_pen(entry->mark.colour, 0.14 * page->em);
        pen.dashed = entry->dashed;
        scree__canvas_line(page->canvas, x, y, x + 0.75 * key, y, &pen);
    } else {
        scree__mark mark = entry->mark;
        mark.radius = 0.38 * page->em;
        mark.alpha = 1.0;
        scree__canvas_mark(page->canvas, x + 0.4 * key, y, &mark);
    }
    scree__page_text(page, x + key, y, width - key, &type, entry->text);
}

void scree__page_legend(scree__page *page, const scree__legend_entry *entries, int64_t count)
{
    const double line = line_height(page), most = page->room.w, share = most / 3.0;
    const scree__type type = scree__page_type(page, page->theme->ink, SCREE__LEFT);
    double column = 0.0;
    for (int64_t i = 0; i < count; i++)
        column = fmax(column, scree__canvas_text_width(page->canvas, &type, entries[i].text));
    column += scree__canvas_is_cells(page->canvas) ? 10.0 : 3.0 * page->em;
    if (column > share) /* long ones are cut rather than given lines of their own */
        column = share;
    int64_t across = (int64_t)fmax(1.0, floor(most / column + 1e-9));
    across = across < count ? across : count;
    if (count == 0)
        return;
    const int64_t lines = (count + across - 1) / across;
    page->room.h -= (double)lines * line;
    for (int64_t i = 0; i < count; i++)
        draw_entry(page, &entries[i], page->room.x + (double)(i % across) * column,
                   page->room.y + page->room.h + ((double)(i / across) + 0.5) * line, column - 0.6 * page->em);
    page->room.h -= scree__canvas_is_cells(page->canvas) ? 0.0 : 0.3 * page->em;
}
