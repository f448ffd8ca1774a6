/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PLOT_H
#define SCREE_VIEW_PLOT_H

/* A picture in the making: what every kind is given. One file a kind, one const table each. */

#include "view/frame.h"
#include "view/shorten.h"

enum { SCREE__STEPS = 8 }; /* numbers of components that a picture may be about */

typedef struct scree__plot {
    const scree_model *model;
    const scree_model_view *view;
    bool cells;                    /* what it is drawn on is cells of a terminal */
    bool is_ordered;               /* components are in the order of the variance that they explain */
    scree_source *rows;            /* NULL: none */
    const scree_curve_view *curve; /* of rate and distortion, which has neither model nor rows; else NULL */
    scree_plot_options options;
    int64_t image_rows; /* 0: rows are no images */
    int64_t image_cols;
    double *slopes;       /* M×D, of the decoder, or D×M covariances, where a kind of picture has computed them */
    scree__shared shared; /* by the names of the columns */
    struct scree__plane *plane; /* rows in the plane of two components, where a kind shows these; or NULL */
    scree__look look;
    scree__canvas *canvas;
    scree__page page;
} scree__plot;

typedef struct scree__plot_kind {
    const char *name;
    bool needs_rows;
    scree_ability needs; /* of the model; SCREE_CAN_PROJECT: what every kind has */
    /* Height over width that suits it; em is the size of letters over the width. Called before anything is drawn. */
    double (*aspect)(const scree__plot *plot, double em);
    scree_status (*draw)(scree__plot *plot, scree_error *error);
    scree_status (*gather)(scree__plot *plot, scree_error *error); /* what its shape depends on; or NULL */
} scree__plot_kind;

extern const scree__plot_kind scree__plot_scree;
extern const scree__plot_kind scree__plot_error;
extern const scree__plot_kind scree__plot_embedding;
extern const scree__plot_kind scree__plot_biplot;
extern const scree__plot_kind scree__plot_loadings;
extern const scree__plot_kind scree__plot_reconstruction;
extern const scree__plot_kind scree__plot_outliers;
extern const scree__plot_kind scree__plot_monitor;
extern const scree__plot_kind scree__plot_samples;
extern const scree__plot_kind scree__plot_rows;
extern const scree__plot_kind scree__plot_circle;
extern const scree__plot_kind scree__plot_contributions;
extern const scree__plot_kind scree__plot_cos2;
extern const scree__plot_kind scree__plot_variance;
extern const scree__plot_kind scree__plot_heatmap;
extern const scree__plot_kind scree__plot_pairs;

/* Draws on a canvas of the format and size that are asked for, and writes it. Frees what the plot has. */
scree_status scree__plot_make(scree__plot *plot, const scree__plot_kind *kind, const char *path, scree_error *error);

/* The components to show: those of the options, or the first; at most of them. chosen has room for most. */
int64_t scree__plot_components(const scree__plot *plot, int64_t *chosen, int64_t most);

/* What stands under a column: its name, or "c7". Returns buffer. */
const char *scree__plot_column(const scree__plot *plot, int64_t column, char *buffer, size_t size);
/* The same without what all names share, where there is no room for them. */
const char *scree__plot_short_column(const scree__plot *plot, int64_t column, char *buffer, size_t size);

/* The columns' names for an axis, short ones or whole; free with scree__strings_free. */
scree_status scree__plot_columns(char ***names, const scree__plot *plot, bool shortened, scree_error *error);

/* Height over width that is usual, and more where letters are large beside the width: titles, axes and legend then take
 * their room from outside of the plot. */
double scree__plot_aspect(const scree__plot *plot, double usual, double em);

/* What stands around a plot: how high the picture must be follows from it. */
typedef struct scree__surroundings {
    double shape;  /* height over width of the plot itself */
    double beside; /* em left and right of it */
    int64_t under; /* letters under the title, of the note and of the legend, with its keys; 0: there is none */
    int64_t note;
    int64_t legend;
} scree__surroundings;

/* Height over width of a picture whose plot has that shape. */
double scree__plot_around(const scree__plot *plot, const scree__surroundings *around, double em);

/* Share of the variance along a component. */
double scree__plot_share(const scree__plot *plot, int64_t component);

/* What an axis along a component says: "pc2, 5.31 % of the variance", or "z2" where they have no order. */
void scree__plot_name(const scree__plot *plot, int64_t component, const char *after, char *text, size_t size);

#endif
