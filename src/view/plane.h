/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PLANE_H
#define SCREE_VIEW_PLANE_H

/* Rows in the plane of two components: what embedding and biplot share. */

#include "view/ellipse.h"
#include "view/gather.h"
#include "view/outline.h"
#include "view/placer.h"
#include "view/plot.h"

enum { SCREE__HIGHLIGHTS_MOST = 12, SCREE__LEVELS_MOST = 8 };

/* What is drawn around the rows of each label. */
typedef struct scree__groups {
    scree__around what;
    double levels[SCREE__LEVELS_MOST]; /* ascending */
    int64_t level_count;
    scree__outlines outlines;
    double bandwidth[2]; /* of densities: the least and the greatest, in standard deviations */
    char without[256];   /* "setosa and virginica": labels that have too few rows; "": none */
    int64_t without_count;
    char legend[96];
    char note[512];
} scree__groups;

typedef struct scree__plane {
    int64_t component[2]; /* the second is -1 when the model has only one: up is then the number of the row */
    scree__points points;
    scree__frame frame;
    int64_t highlight[SCREE__HIGHLIGHTS_MOST]; /* rows, ascending */
    double place[SCREE__HIGHLIGHTS_MOST][2];   /* their codes */
    scree__ellipse posterior[SCREE__HIGHLIGHTS_MOST];
    char names[SCREE__HIGHLIGHTS_MOST][64];
    int64_t highlight_count;
    double *images; /* of the highlighted rows, count×D; NULL: not shown */
    scree__groups groups;
    double arrows[2][2]; /* how far arrows go along each axis, with room for their names; 0: nowhere */
    double lengthened;   /* by how much they are */
} scree__plane;

/* Codes and labels of the rows, those to highlight and their images: plot->plane. */
scree_status scree__plane_gather(scree__plot *plot, scree_error *error);
void scree__plane_free(scree__plane *plane); /* NULL-safe */
/* Height over width in which a unit is as long up as across, within reason. */
double scree__plane_aspect(const scree__plot *plot, double em);
/* Title, legend, axes and points; under, or NULL, is said beside the name of the rows. Where there are images, room is
 * left for them on the right. */
void scree__plane_draw(scree__plot *plot, const char *title, const char *under);

/* Which rows to highlight, and their images. */
scree_status scree__highlight_choose(scree__plane *plane, scree__plot *plot, scree_error *error);
/* Rings and ellipses; images with lines to them. */
void scree__highlight_rings(const scree__plane *plane, scree__plot *plot);
scree_status scree__highlight_images(const scree__plane *plane, scree__plot *plot, scree_error *error);
/* Makes room in a range along an axis for what will be drawn of the highlighted rows. */
void scree__highlight_widen(const scree__plane *plane, const scree__plot *plot, int axis, double range[2]);
/* What their ellipses are, for the legend; NULL: none is drawn. */
const char *scree__highlight_legend(const scree__plane *plane, const scree__plot *plot);
/* Width that the images take at the right edge of the room. */
double scree__highlight_width(const scree__plane *plane, const scree__plot *plot);
/* Tells a placer of names where rings and ellipses are. */
void scree__highlight_mark(const scree__plane *plane, const scree__plot *plot, scree__placer *placer);

/* What options ask for around the rows, and its lines in the units of the codes. */
scree_status scree__groups_gather(scree__plane *plane, const scree__plot *plot, scree_error *error);
void scree__groups_clear(scree__groups *groups);
/* Makes room for them in a range along an axis. */
void scree__groups_widen(const scree__groups *groups, int axis, double range[2]);
/* What they are, for the legend: a line; false: nothing is drawn. */
bool scree__groups_legend(const scree__groups *groups, const scree__page *page, scree__legend_entry *entry);
/* Areas, under the points; lines, above them. */
void scree__groups_fill(const scree__plane *plane);
void scree__groups_draw(const scree__plane *plane);
/* Tells a placer of names where the lines are. */
void scree__groups_mark(const scree__plane *plane, scree__placer *placer);

/* Names in the plane: of highlighted rows, and of all rows where they are few and have names. Where is the placer, with
 * whatever has its place already. */
bool scree__names_are_shown(const scree__plane *plane, const scree__plot *plot);
void scree__names_place(const scree__plane *plane, const scree__plot *plot, scree__placer *placer);

/* Points as marks, by label; many of them as a raster. */
void scree__points_draw(const scree__frame *frame, const scree__points *points, int64_t x, int64_t y);
/* Tells a placer of names where they are. */
void scree__points_mark(const scree__frame *frame, const scree__points *points, int64_t x, int64_t y,
                        scree__placer *placer);
/* "setosa", ..., "other (18 classes)", a text in other: entries has room for SCREE__LABELS_SHOWN + 1. Returns how many.
 */
int64_t scree__points_legend(const scree__page *page, const scree__points *points, scree__legend_entry *entries,
                             char other[64]);
/* "iris.csv, 150 rows", or "iris.csv, one in 4 of 4 000 000 rows". */
void scree__points_title(const scree__points *points, const char *name, char *text, size_t size);

#endif
