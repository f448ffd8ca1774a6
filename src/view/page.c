/* SPDX-License-Identifier: BSD-3-Clause */
/* The page: title on top, note and legend at the foot, the room between them left for plots. Lines of text are 1.5 em
 * apart; on cells, one cell. Texts break between words; the entries of a legend stand in columns unless they take fewer
 * lines one behind another. */

#include "view/frame.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 3, TEXT = 512 };

static const double narrow_width = 44.0; /* em */

scree__text_style scree__page_text_style(const scree__page *page, scree__colour colour, scree__anchor anchor)
{
    (void)page;
    return (scree__text_style){colour, 1.0, false, anchor, false};
}

scree__pen scree__page_pen(scree__colour colour, double width)
{
    return (scree__pen){colour, 1.0, width, false};
}

static double line_height(const scree__page *page)
{
    return scree__canvas_is_cells(page->canvas) ? page->em : 1.55 * page->em;
}

void scree__page_fit(const scree__page *page, double width, const scree__text_style *type, const char *text, char *out,
                     size_t size)
{
    char clean[512];
    scree__words_clean(clean, sizeof clean, text);
    int64_t letters = scree__words_letters(clean);
    width += 1e-6 * page->em; /* room that was measured by this text has it, whatever was rounded */
    snprintf(out, size, "%s", clean);
    const double whole = scree__canvas_text_width(page->canvas, type, clean);
    if (whole > width && width > 0.0) /* a first guess, then letter by letter */
        letters = (int64_t)fmin((double)letters, 1.3 * (double)letters * width / whole + 1.0);
    while (letters > 1 && scree__canvas_text_width(page->canvas, type, out) > width)
        scree__words_cut(out, size, clean, --letters);
}

void scree__page_text(const scree__page *page, double x, double y, double width, const scree__text_style *type,
                      const char *text)
{
    char cut[512];
    scree__page_fit(page, width, type, text, cut, sizeof cut);
    scree__canvas_text(page->canvas, x, y, type, cut);
}

/* Text broken between words into lines of that width, at most so many; what is too long is cut. Returns how many. */
static int break_lines(const scree__page *page, double width, const scree__text_style *type, const char *text,
                       char lines[LINES][TEXT], int most)
{
    char rest[TEXT];
    int count = 0;
    scree__words_clean(rest, sizeof rest, text);
    for (const char *at = rest; *at;) {
        size_t taken = strlen(at);
        while (count + 1 < most) { /* the longest beginning that fits */
            snprintf(lines[count], TEXT, "%.*s", (int)taken, at);
            if (scree__canvas_text_width(page->canvas, type, lines[count]) <= width)
                break;
            size_t shorter = taken;
            while (shorter > 0 && at[shorter - 1] != ' ')
                shorter--;
            while (shorter > 0 && at[shorter - 1] == ' ')
                shorter--;
            if (shorter == 0)
                break;
            taken = shorter;
        }
        char line[TEXT];
        snprintf(line, sizeof line, "%.*s", (int)taken, at);
        scree__page_fit(page, width, type, line, lines[count], TEXT);
        count++;
        at += taken;
        at += strspn(at, " ");
    }
    return count;
}

bool scree__page_is_narrow(const scree__canvas *canvas)
{
    return scree__canvas_shape_of(canvas)->width <
           narrow_width * scree__canvas_em(canvas) * (scree__canvas_is_cells(canvas) ? 0.5 : 1.0);
}

/* The title on top; returns the height that it takes. */
static double draw_title(const scree__page *page, const char *title)
{
    const bool cells = scree__canvas_is_cells(page->canvas);
    const scree__text_style type = {page->theme->ink, page->narrow && !cells ? 1.1 : 1.2, true, SCREE__LEFT, false};
    const double line = line_height(page);
    char lines[LINES][TEXT];
    const int count = break_lines(page, page->room.w, &type, title, lines, page->words.title ? LINES : 2);
    for (int i = 0; i < count; i++)
        scree__canvas_text(page->canvas, page->room.x, page->room.y + (cells ? 0.5 * page->em : 0.6 * line) + i * line,
                           &type, lines[i]);
    return (cells ? line : 1.15 * line) + (count - 1) * line;
}

void scree__page_begin(scree__page *page, scree__canvas *canvas, const char *title, const char *under)
{
    const scree__canvas_shape *shape = scree__canvas_shape_of(canvas);
    const double em = scree__canvas_em(canvas);
    const bool cells = scree__canvas_is_cells(canvas);
    const double edge = cells ? 0.0 : em;
    const scree__page_words words = page->words;
    *page = (scree__page){.canvas = canvas,
                          .look = shape->look,
                          .theme = &shape->look->theme,
                          .em = em,
                          .dark = shape->look->dark,
                          .narrow = scree__page_is_narrow(canvas),
                          .words = words,
                          .room = {edge, 0.6 * edge, shape->width - 2 * edge, shape->height - 1.4 * edge}};
    const bool bare = words.title && !*words.title;
    snprintf(page->title, sizeof page->title, "%s", words.title && !bare ? words.title : title);
    if (bare) {
        if (words.note && *under)
            words.note(words.note_context, under);
        return;
    }
    const double line = line_height(page);
    double used = draw_title(page, page->title);
    const scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__LEFT);
    char lines[LINES][TEXT];
    const int count = break_lines(page, page->room.w, &type, under, lines, 2);
    for (int i = 0; i < count; i++)
        scree__canvas_text(canvas, page->room.x, page->room.y + used + (i + 0.5) * line, &type, lines[i]);
    used += count * line;
    used += cells ? 0.0 : 0.5 * em;
    page->room.y += used;
    page->room.h -= used;
}

void scree__page_note(scree__page *page, const char *text)
{
    const double line = line_height(page);
    scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__LEFT);
    char lines[LINES][TEXT];
    type.size = 0.9;
    const int count = break_lines(page, page->room.w, &type, text, lines, LINES);
    page->room.h -= count * line;
    for (int i = 0; i < count; i++)
        scree__canvas_text(page->canvas, page->room.x, page->room.y + page->room.h + (i + 0.5) * line, &type, lines[i]);
}

static double key_width(const scree__page *page)
{
    return scree__canvas_is_cells(page->canvas) ? 6.0 : 1.6 * page->em;
}

static void draw_entry(const scree__page *page, const scree__legend_entry *entry, double x, double y, double width)
{
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    const double key = key_width(page);
    if (entry->line) {
        scree__pen pen = scree__page_pen(entry->mark.colour, 0.14 * page->em);
        pen.dashed = entry->dashed;
        scree__canvas_line(page->canvas, x, y, x + 0.75 * key, y, &pen);
    } else {
        scree__mark mark = entry->mark;
        mark.radius = mark.radius == 1.0 ? 0.38 * page->em : mark.radius;
        mark.alpha = 1.0;
        scree__canvas_mark(page->canvas, x + 0.4 * key, y, &mark);
    }
    scree__page_text(page, x + key, y, width - key, &type, entry->text);
}

/* An entry's width, with the gap behind it. */
static double entry_width(const scree__page *page, const scree__legend_entry *entry)
{
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    const double gap = scree__canvas_is_cells(page->canvas) ? 4.0 : 1.4 * page->em;
    return fmin(key_width(page) + scree__canvas_text_width(page->canvas, &type, entry->text) + gap, page->room.w + gap);
}

/* Where each entry stands, in lines from 0 and from the left; returns how many lines. column: the width of columns,
 * 0: one behind another. */
static int64_t place_entries(const scree__page *page, const scree__legend_entry *entries, int64_t count, double column,
                             double (*places)[2])
{
    const double gap = scree__canvas_is_cells(page->canvas) ? 4.0 : 1.4 * page->em;
    double x = 0.0;
    int64_t line = 0;
    for (int64_t i = 0; i < count; i++) {
        const double width = column > 0.0 ? column : entry_width(page, &entries[i]);
        if (x > 0.0 && x + width > page->room.w + gap + 1e-9) {
            x = 0.0;
            line++;
        }
        places[i][0] = x;
        places[i][1] = (double)line;
        x += width;
    }
    return count > 0 ? line + 1 : 0;
}

/* One below another, at the right edge of the room, over its whole height; false: they have no room there. */
static bool legend_beside(scree__page *page, const scree__legend_entry *entries, int64_t count)
{
    static const double most = 0.36; /* of the room */
    const double line = line_height(page), gap = 1.4 * page->em;
    double width = 0.0;
    for (int64_t i = 0; i < count; i++)
        width = fmax(width, entry_width(page, &entries[i]));
    if (width > most * page->room.w || (double)count * line > page->room.h)
        return false;
    page->room.w -= width;
    for (int64_t i = 0; i < count; i++)
        draw_entry(page, &entries[i], page->room.x + page->room.w + gap, page->room.y + ((double)i + 1.0) * line,
                   width - gap);
    return true;
}

void scree__page_legend(scree__page *page, const scree__legend_entry *entries, int64_t count)
{
    enum { ENTRIES = 48 };
    const double line = line_height(page);
    double column = 0.0, places[ENTRIES][2];
    count = count < ENTRIES ? count : ENTRIES;
    if (count > 0 && scree__canvas_shape_of(page->canvas)->beside && legend_beside(page, entries, count))
        return;
    for (int64_t i = 0; i < count; i++)
        column = fmax(column, entry_width(page, &entries[i]));
    const int64_t dense = place_entries(page, entries, count, 0.0, places);
    int64_t lines = place_entries(page, entries, count, column, places);
    if (dense < lines)
        lines = place_entries(page, entries, count, 0.0, places);
    if (count == 0)
        return;
    page->room.h -= (double)lines * line;
    for (int64_t i = 0; i < count; i++)
        draw_entry(page, &entries[i], page->room.x + places[i][0],
                   page->room.y + page->room.h + (places[i][1] + 0.5) * line, page->room.w - places[i][0]);
    page->room.h -= scree__canvas_is_cells(page->canvas) ? 0.0 : 0.3 * page->em;
}
