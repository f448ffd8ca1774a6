/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_FRAME_H
#define SCREE_VIEW_FRAME_H

/* A picture's page, with title and legend, and the frame of a plot, with axes. Each takes its part of the room that is
 * left and leaves the rest, so that nothing lies over anything else. */

#include "view/canvas.h"
#include "view/palette.h"
#include "view/scale.h"

/* What is said about a picture beside what its kind says. */
typedef struct scree__page_words {
    const char *title; /* instead of the kind's; "": no title, and no line under it; NULL: the kind's */
    scree_plot_note note;
    void *note_context;
} scree__page_words;

typedef struct scree__page {
    scree__canvas *canvas;
    const scree__look *look;
    const scree__theme_colours *theme; /* of the look */
    double em;
    bool dark;
    bool narrow;
    scree__box room; /* what is left */
    char title[512];
    scree__page_words words; /* known before a page is begun */
} scree__page;

/* Is there little room beside each other? Known before a page is begun. */
bool scree__page_is_narrow(const scree__canvas *canvas);
/* Title, and a text under it that may be "", in two lines where it needs them. */
void scree__page_begin(scree__page *page, scree__canvas *canvas, const char *title, const char *under);
/* A text at the foot, in as many lines as it needs, three at most; call before anything else takes room there. */
void scree__page_note(scree__page *page, const char *text);

typedef struct scree__legend_entry {
    scree__mark mark; /* of the usual size where its radius is 1 */
    bool line;        /* a line instead of a mark */
    bool dashed;
    const char *text;
} scree__legend_entry;

/* Under the room, in as many lines as it needs. */
void scree__page_legend(scree__page *page, const scree__legend_entry *entries, int64_t count);

/* The text, cut to width where it is too long. */
void scree__page_fit(const scree__page *page, double width, const scree__text_style *type, const char *text, char *out,
                     size_t size);
/* The same, drawn. */
void scree__page_text(const scree__page *page, double x, double y, double width, const scree__text_style *type,
                      const char *text);

scree__text_style scree__page_text_style(const scree__page *page, scree__colour colour, scree__anchor anchor);
scree__pen scree__page_pen(scree__colour colour, double width);

typedef struct scree__axis {
    const char *title;       /* "": none */
    const char *short_title; /* of an upright axis, where the other has no room; NULL: it is cut */
    scree__scale scale;
    const char *const *names;       /* of the whole numbers from 1 on, instead of ticks; NULL: ticks */
    const char *const *short_names; /* where those have no room */
    int64_t name_count;
    bool bare;  /* no ticks */
    bool equal; /* of an upright axis: a unit is as long as along the other, and both show more where they must */
} scree__axis;

typedef struct scree__frame {
    const scree__page *page;
    scree__box inside;
    scree__scale x;
    scree__scale y;
    scree__scale right;
} scree__frame;

/* Draws axes at the edges of the box; right may be NULL. */
void scree__frame_draw(scree__frame *frame, const scree__page *page, const scree__box *box, const scree__axis *x,
                       const scree__axis *y, const scree__axis *right);
double scree__frame_x(const scree__frame *frame, double value);
double scree__frame_y(const scree__frame *frame, double value);
double scree__frame_right(const scree__frame *frame, double value);

/* A line through count points, x(i) = first + i. */
void scree__frame_curve(const scree__frame *frame, double first, const double *values, int64_t count, bool right,
                        const scree__pen *pen);

#endif
