/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_H
#define SCREE_VIEW_H

/* Pictures of models and of what they say of rows, and one page to explore them: libscree-view, a library of its own
 * beside libscree (link -lscree-view). The conventions are those of scree.h. */

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sentence that belongs to a picture and does not stand in it. */
typedef void (*scree_plot_note)(void *context, const char *text);

typedef struct scree_plot_options {
    size_t size;
    const char *kind;   /* "scree", "variance", "error", "loadings", "heatmap", "samples", "circle"; with rows
                           "embedding", "biplot", "pairs", "reconstruction", "outliers", "monitor", "rows";
                           "contributions" and "cos2" of columns, with rows of these; NULL: scree, with rows
                           embedding */
    const char *format; /* "svg", "png", "pdf"; for terminals "kitty", "sixel", "ansi" (letters, in colour), "text"
                           (letters), "ascii" (letters of ASCII alone); NULL: by the extension */
    const int64_t *components; /* to show, from 0; NULL: the first */
    int64_t component_count;
    double width;  /* 200 to 20000 pixels of 1/96 inch, on terminals, in letters, 30 to 20000 letters; 0: automatic */
    double height; /* 10 to 80000; 0: automatic */
    double scale;  /* pixels of a PNG for each of these; 0: 1 */
    bool dark;
    scree_source *labels; /* of the rows, where they carry none: its first column of text or else of numbers; or NULL */
    const char *label;    /* the text column of the rows that is the label; NULL: the one that they were opened with, or
                             the first that is not their id and not another text in every row */
    const int64_t *highlight; /* rows to show by themselves, from 0 */
    int64_t highlight_count;  /* SCREE_AUTO: some that lie far out, where rows are images that can be read twice */
    int64_t image_rows;       /* shape of a row that is an image; 0: as the model says */
    int64_t image_cols;
    int64_t draws;  /* samples: how many; 0: as many as look good */
    int64_t points; /* at most; of more rows, evenly spaced ones are shown; 0: a million */
    double alpha;   /* outliers: as in scree_score_options */
    bool training;  /* outliers: the rows are those that were fitted */
    uint64_t seed;  /* samples */
    const scree_run *run;
    const int64_t *steps; /* reconstruction: numbers of components to reconstruct from, ascending, at most 8; error:
                             those to mark; NULL: automatic, and none */
    int64_t step_count;
    bool outlines;         /* SVG: letters as outlines, which look the same everywhere and are no text any more */
    double most_height;    /* of an automatic height, such as the lines of a terminal; 0: any */
    int64_t top;           /* biplot, circle, heatmap, contributions, cos2: show this many columns or rows; variance:
                              components; 0: automatic */
    const char *colour_by; /* circle: "cos2" or "contribution" of the columns; embedding, biplot: the same of the rows,
                              or a column of theirs; NULL: one colour, or by label */
    const char *layout;  /* "column", "page" or "slide": 85 mm or 180 mm wide for print, or 1280 × 720 pixels; "print":
                            for print, of any width; NULL: for a screen */
    const char *title;   /* instead of the usual one; "": none, nor the line under it, which goes to note */
    double font_size;    /* of letters, in points, 4 to 96; 0: by layout and width */
    const char *theme;   /* "light", "dark" or "print", black on white without grid lines; NULL: by dark */
    const char *palette; /* "okabe-ito", "tol-bright", "tol-muted", "viridis", or colours such as "#0072b2,#e07b00";
                            NULL: the usual one */
    scree_plot_note note; /* is told what the picture leaves unsaid; or NULL */
    void *note_context;
    const char *around; /* embedding, biplot: draw around the rows of each label, or around all of them, "normal", "t",
                           "confidence", "hull" or "density"; NULL: nothing */
    const double *levels; /* shares that these hold, above 0 and below 1, at most 8; NULL: 0.95; of "density" 0.5, 0.8
                             and 0.95 */
    int64_t level_count;
    const char *size_by;       /* embedding, biplot: as colour_by, for the area of the points; NULL: one size */
    const char *supplementary; /* embedding, biplot, circle: columns of the rows that the model was not fitted to, by
                                  name, separated by commas, or "all": arrows for numbers, means of groups for texts */
    scree_source *supplementary_rows; /* embedding, biplot: other rows, as crosses; or NULL */
} scree_plot_options;

/* clang-format off */
#define SCREE_PLOT_OPTIONS_INIT                                                                                        \
    {sizeof(scree_plot_options), NULL, NULL, NULL, 0, 0.0, 0.0, 0.0, false, NULL, NULL, NULL, SCREE_AUTO, 0, 0, 0, 0,  \
     0.0, false, 0, NULL, NULL, 0, false, 0.0, 0, NULL, NULL, NULL, 0.0, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL,  \
     NULL, NULL}
/* clang-format on */

/* Draws to a file, "-" for standard output, whole or not at all; rows may be NULL. The same input gives the same bytes
 * on one machine, with the same fonts. */
SCREE_API scree_status scree_model_plot(const scree_model *model, scree_source *rows, const char *path,
                                        const scree_plot_options *options, scree_error *error);

/* Draws a rate-distortion curve, the bound and what archives take: rmse and PSNR over bits a cell. Of the options only
 * format, width, height, scale, dark, layout, title, font_size, theme, palette and note count. */
SCREE_API scree_status scree_curve_plot(const scree_curve *curve, const char *path, const scree_plot_options *options,
                                        scree_error *error);

/* One page that opens offline in any browser: the rows in the plane of two components, what a code decodes to, the
 * spectrum, the components, the outliers, and what is proven. The source is read twice. */
typedef struct scree_report_options {
    size_t size;
    const char *title;    /* NULL: the name of the data */
    int64_t rows;         /* as many are shown at most, a sample stratified by label; 0: 60000 */
    int64_t max_size;     /* bytes of the page; 0: 12 MB */
    scree_source *labels; /* a label for each row: one column; NULL: a column of text of the source */
    const char *label;    /* the name of that column; NULL: the first that is not different in every row */
    const char *id;       /* the name of one that it is not */
    int64_t image_rows;   /* when a row is an image: its shape; 0: as the model knows */
    int64_t image_cols;
    bool training; /* as in scree_score_options */
    double alpha;
    uint64_t seed; /* for the sample */
    const scree_run *run;
} scree_report_options;

/* clang-format off */
#define SCREE_REPORT_OPTIONS_INIT                                                                                      \
    {sizeof(scree_report_options), NULL, 0, 0, NULL, NULL, NULL, 0, 0, false, 0.0, 0, NULL}
/* clang-format on */

typedef struct scree_report_summary {
    size_t size;
    int64_t rows;  /* read */
    int64_t shown; /* of them */
    int64_t components;
    int64_t outliers; /* among all rows */
    int64_t bytes;    /* of the page */
    bool differs;     /* the p-values are not spread evenly: see scree_score_summary */
} scree_report_summary;

/* clang-format off */
#define SCREE_REPORT_SUMMARY_INIT {sizeof(scree_report_summary), 0, 0, 0, 0, 0, false}
/* clang-format on */

/* path: "-" for standard output. options and summary may be NULL. */
SCREE_API scree_status scree_model_report(const scree_model *model, scree_source *source, const char *path,
                                          scree_report_summary *summary, const scree_report_options *options,
                                          scree_error *error);

/* == The same page for rows that are too many for a file: it shows a sample, and asks for the rest == */

/* Answers the requests of one page. An answer is a function of the server and the request: who uses this brings the
 * network, as the command scree serve does. */
typedef struct scree_server scree_server;

typedef struct scree_serve_options {
    size_t size;
    const scree_report_options *report; /* of the page; rows: of the sample, 0: 20000; labels must be NULL; or NULL */
    const char *token; /* every path begins with it: 16 to 128 letters and digits, from a source of true chance */
    int port;          /* that requests come to, at 127.0.0.1 or localhost: other hosts are refused */
    int64_t memory;    /* bytes for the codes of all rows, of as many components as fit; 0: a GiB */
} scree_serve_options;

/* clang-format off */
#define SCREE_SERVE_OPTIONS_INIT {sizeof(scree_serve_options), NULL, NULL, 0, 0}
/* clang-format on */

/* Reads a sample of the source: as many rows where any can be reached (scree_source_slice), else all, once. Model and
 * source outlive the server; the source is read when a row is asked for, and must be read by nobody else. */
SCREE_API scree_status scree_server_open(scree_server **out, const scree_model *model, scree_source *source,
                                         const scree_serve_options *options, scree_error *error);
SCREE_API void scree_server_free(scree_server *server); /* NULL-safe */

/* Finds the codes of all rows, in one pass over a source of its own with the same rows, while another thread answers:
 * what it counts grows meanwhile. Once. */
SCREE_API scree_status scree_server_count(scree_server *server, scree_source *source, const scree_run *run,
                                          scree_error *error);

typedef struct scree_serve_summary {
    size_t size;
    int64_t rows;
    int64_t shown;      /* the sample */
    int64_t components; /* of the page */
    int64_t counted;    /* components whose codes are kept of all rows; 0: no room */
    int64_t bytes;      /* that these take */
    int64_t page_bytes;
    bool fetches; /* any row can be asked for, not those of the sample alone */
} scree_serve_summary;

/* clang-format off */
#define SCREE_SERVE_SUMMARY_INIT {sizeof(scree_serve_summary), 0, 0, 0, 0, 0, 0, false}
/* clang-format on */

SCREE_API scree_status scree_server_about(const scree_server *server, scree_serve_summary *about, scree_error *error);

/* What came: texts as they stood in the request, NULL for what was not there. */
typedef struct scree_request {
    size_t size;
    const char *method;
    const char *target; /* path and query, with every % as it came */
    const char *host;   /* headers: Host, */
    const char *origin; /* Origin, */
    const char *site;   /* Sec-Fetch-Site */
} scree_request;

/* clang-format off */
#define SCREE_REQUEST_INIT {sizeof(scree_request), NULL, NULL, NULL, NULL, NULL}
/* clang-format on */

typedef struct scree_reply {
    size_t size;
    int status;
    const char *headers[24]; /* name, value, name, value, ..., NULL; lent by the server */
    const void *body;        /* not to be sent where the method was HEAD */
    int64_t bytes;
    void *owned; /* freed by scree_reply_clear; or NULL */
} scree_reply;

/* clang-format off */
#define SCREE_REPLY_INIT {sizeof(scree_reply), 0, {NULL}, NULL, 0, NULL}
/* clang-format on */

/* Refuses what does not come by GET or HEAD, to this host, from this page or the address line, with the token, and asks
 * for something that is there. One thread at a time. */
SCREE_API void scree_server_answer(const scree_server *server, const scree_request *request, scree_reply *reply);
SCREE_API void scree_reply_clear(scree_reply *reply);

#ifdef __cplusplus
}
#endif

#endif
