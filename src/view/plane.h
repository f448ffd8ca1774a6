/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PLANE_H
#define SCREE_VIEW_PLANE_H

/* Rows in the plane of two components: what embedding and biplot share. */

#include "view/ellipse.h"
#include "view/gather.h"
#include "view/outline.h"
#include "view/placer.h"
#include "view/plot.h"
#include "view/ramp.h"

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

/* What the colour or the size of points stands for. */
typedef struct scree__by {
    double *values; /* of each point; NULL: nothing */
    char title[128];
    scree__ramp ramp;
} scree__by;

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
    scree__by colour;
    scree__by size;
    scree__points extra;          /* other rows */
    scree_supplement *supplement; /* columns that the model was not fitted to; or NULL */
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

/* Points as marks, by label and by what their colour and size stand for; many of them as a raster. */
void scree__points_draw(const scree__plane *plane);
/* Tells a placer of names where they are. */
void scree__points_mark(const scree__plane *plane, scree__placer *placer);
/* Half the width of a point, where sizes stand for nothing. */
double scree__points_radius(const scree__page *page, const scree__points *points);
/* "setosa", ..., "other (18 classes)", a text in other: entries has room for SCREE__LABELS_SHOWN + 1. Returns how many.
 */
int64_t scree__points_legend(const scree__page *page, const scree__plane *plane, scree__legend_entry *entries,
                             char other[64]);
/* "iris.csv, 150 rows", or "iris.csv, one in 4 of 4 000 000 rows". */
void scree__points_title(const scree__points *points, const char *name, char *text, size_t size);

/* Numbers for colours and sizes, where options ask for them. */
scree_status scree__values_gather(scree__plane *plane, const scree__plot *plot, scree_error *error);
void scree__values_clear(scree__plane *plane);
/* Half the width of a point of that number. */
double scree__values_radius(const scree__by *size, double value, double usual);
/* What sizes stand for: three of them, with their texts. Returns how many, none where sizes stand for nothing. */
enum { SCREE__SIZES = 3 };
int64_t scree__values_legend(const scree__plane *plane, const scree__page *page, double usual,
                             scree__legend_entry entries[SCREE__SIZES], char texts[SCREE__SIZES][160]);

/* Other rows, and columns that the model was not fitted to. */
scree_status scree__extra_gather(scree__plane *plane, scree__plot *plot, scree_error *error);
void scree__extra_clear(scree__plane *plane);
/* Makes room for the other rows in a range along an axis. */
void scree__extra_widen(const scree__plane *plane, int axis, double range[2]);
void scree__extra_draw(const scree__plane *plane);
int64_t scree__extra_legend(const scree__plane *plane, const scree__page *page, scree__legend_entry entries[2]);
void scree__extra_mark(const scree__plane *plane, scree__placer *placer);
/* Asks for places of their names. */
void scree__extra_place(const scree__plane *plane, scree__placer *placer);

#endif
