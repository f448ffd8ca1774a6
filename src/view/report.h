/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_REPORT_H
#define SCREE_VIEW_REPORT_H

/* A report at work. It is made in three steps, a file each: which rows are shown (report_sample.c, one pass), what is
 * shown of them (report_gather.c, another), and all of it as JSON (report_json.c). Memory goes with what is shown. */

#include "scree_private.h"
#include "scree_view.h"
#include "view/labels.h"
#include "view/report_dictionary.h"

#include <math.h>

/* A row that may be shown. */
typedef struct scree__report_row {
    int64_t row; /* of the source, from 0 */
    uint64_t priority;
    double key;    /* the smaller, the sooner it is shown */
    int64_t label; /* number of its class; -1: one of the rest */
    bool outlier;  /* among those that the table names */
    scree__score score;
} scree__report_row;

/* The cells of the first rows as they were, packed block by block (report_originals.c). */
typedef struct scree__originals {
    bool exact;    /* bytes as they came; else floats, less the mean where rows are no images */
    int64_t count; /* rows */
    int64_t block; /* rows that are packed together */
    uint8_t *cells;
    double low; /* of all cells */
    double high;
    char **blocks; /* each as base64 */
    int64_t packed;
} scree__originals;

/* p-values of the rows with other numbers of components than that of the scores (report_chances.c). */
typedef struct scree__report_chances {
    int64_t count; /* of such numbers; 0: the page has none */
    int64_t *m;    /* the numbers */
    scree_model **models;
    scree_scorer **scorers; /* NULL: no density with so many */
    uint16_t *codes;        /* count × rows */
    int64_t *gapped;        /* rows: place among those with gaps, from 1; 0: none */
    float *gap_scores;      /* log-likelihood, T² and Q of these with each number */
    int64_t gap_count;
    int64_t gap_room;
} scree__report_chances;

typedef struct scree__report {
    const scree_model *model; /* as it was given */
    const scree_model *shown; /* with the components that the page has */
    scree_model *cut;         /* the same where it is not the model itself */
    char *decoder;            /* what decodes codes, as JSON; NULL: the components do */
    scree_scorer *scorer;     /* NULL: the model has no density */
    scree_source *source;
    scree__source_texts carried;  /* by the source */
    scree_report_options options; /* resolved */
    int64_t image_rows;           /* 0: rows are no images */
    int64_t image_cols;
    char no_scores[256]; /* why there is no scorer */

    /* Of a page that fetches what it does not have: its rows are a sample of more. */
    const int64_t *numbers; /* of the rows among all, from 0; NULL: these are all */
    int64_t of;             /* all rows */
    bool fetches;           /* any of them can be asked for */

    /* The classes that rows are sampled by. */
    int64_t class_text;        /* the source's column of text that has them; -1: none */
    int64_t *labels;           /* a number for each row, from the source of labels; NULL: there is none */
    int64_t label_count;       /* of rows that have one */
    scree__dictionary classes; /* the labels */
    int64_t *class_sizes;      /* rows of each, behind those that have none of them */

    /* Which rows. */
    scree__report_row *rows; /* in the order in which they are shown: any first part is a sample, too */
    int64_t count;
    int64_t total;      /* rows of the source */
    scree__uniform p;   /* how the p-values of all of them are spread */
    int64_t outliers;   /* among all of them */
    int64_t most_rows;  /* as many as are shown at most */
    int64_t row_ahead;  /* bytes that the second pass will keep, for a row .. */
    int64_t page_ahead; /* .. and for the rest */
    int64_t most_outliers;
    int64_t room; /* bytes that rows may take */

    /* What of them; row i is rows[i]. */
    float *codes;   /* count × M */
    int64_t *which; /* columns that are kept for every row */
    int64_t which_count;
    float *columns; /* count × which_count, less the mean */
    double *full;   /* of the outliers, the first rows: D each */
    int64_t full_count;
    scree__originals originals; /* whole rows, of the first ones */
    scree__report_chances chances;
    uint32_t *gaps;     /* count: cells that are missing */
    int64_t text_count; /* columns of text; the source of labels is one more, the first */
    uint32_t *texts;    /* count × text_count, numbers of words */
    scree__dictionary *words;
    char **why; /* most_outliers: what is to blame for full row i, or NULL */
} scree__report;

/* The p-values are not spread as those of rows of the model are. */
static inline bool scree__report_is_uneven(const scree__report *report)
{
    const double fitted = fmax((double)scree_model_get(report->model)->n, 1);
    return report->scorer && !scree__uniform_fits(&report->p, report->options.training ? HUGE_VAL : fitted);
}

/* Components are few enough to be kept in double precision; above, float does: 1e-7 of what a component adds. */
static inline bool scree__report_wide(int64_t d, int64_t components)
{
    return d * components <= 65536;
}

/* Decides what fits, from the options: components and rows. When it is known how many rows there are: columns and full
 * rows. */
scree_status scree__report_plan(scree__report *report, scree_error *error);
/* Bytes that a row takes until the page is written, and what is taken beside rows, once all is planned. */
int64_t scree__report_row_memory(const scree__report *report);
int64_t scree__report_memory(const scree__report *report);
scree_status scree__report_plan_rest(scree__report *report, scree_error *error);

/* When all rows are known, the classes with the most rows, the first seen of equals: lends their texts, returns how
 * many; none when each row is a class of its own. */
int64_t scree__report_commonest(const scree__report *report, const char *texts[SCREE__LABELS_SHOWN]);

/* Reads the source of labels, where there is one. */
scree_status scree__report_labels(scree__report *report, scree_error *error);

/* Fills rows, count, total, outliers, and finds class_text. */
scree_status scree__report_sample(scree__report *report, scree_error *error);

/* Fills what is shown of the rows. */
scree_status scree__report_gather(scree__report *report, scree_error *error);

/* Bytes of a row among the originals; keeps one; packs them all; those that fit into so many bytes of the page, as
 * text, with the number of rows; frees them. */
int64_t scree__originals_row(const scree__report *report);
void scree__originals_keep(scree__report *report, int64_t place, const double *x);
scree_status scree__originals_pack(scree__report *report, scree_error *error);
scree_status scree__originals_text(char **text, int64_t *rows, const scree__report *report, int64_t room,
                                   scree_error *error);
void scree__originals_clear(scree__originals *originals);

/* One block of raw deflate as base64, the caller's to free; NULL: no memory. */
char *scree__pack_block(const uint8_t *cells, int64_t bytes);

/* p-values for every number of components: whether there is room for those of so many rows; bytes that a row takes, and
 * all beside; how many rows are asked for together; makes what is asked; asks for rows (x, by D) that are shown at
 * these places; the block of the k-th number; of it, three scores of each row with gaps, the caller's to free; frees
 * all. */
void scree__chances_plan(scree__report *report, int64_t rows, int64_t left);
int64_t scree__chances_row(const scree__report *report);
int64_t scree__chances_memory(const scree__report *report);
int64_t scree__chances_together(const scree__report *report);
scree_status scree__chances_open(scree__report *report, scree_error *error);
scree_status scree__chances_rows(scree__report *report, const int64_t *places, const double *x, int64_t rows,
                                 scree_error *error);
char *scree__chances_pack(const scree__report *report, int64_t k, int64_t rows);
float *scree__chances_gapped(const scree__report *report, int64_t k, int64_t rows, int64_t *count);
void scree__chances_clear(scree__report_chances *chances);

/* What stands between the parts of the page, and what is said of it. */
typedef struct scree__report_made {
    char *json;
    char *originals;
    scree_report_summary summary;
} scree__report_made;

typedef scree_status scree__report_write(void *context, const void *data, int64_t size, scree_error *error);

/* A report whose model, source and options are set is prepared, which is when what cannot be is refused; made; and
 * written, with what its policy allows beside what it says, such as "; connect-src 'self'". */
scree_status scree__report_prepare(scree__report *report, scree_error *error);
scree_status scree__report_make(scree__report_made *made, scree__report *report, scree_error *error);
scree_status scree__report_written(const scree__report_made *made, const char *also_allowed, scree__report_write *write,
                                   void *context, scree_error *error);
void scree__report_made_clear(scree__report_made *made);
void scree__report_clear(scree__report *report);

/* The number of the row that is shown at this place, among all rows, from 0. */
static inline int64_t scree__report_number(const scree__report *report, int64_t place)
{
    const int64_t row = report->rows[place].row;
    return report->numbers ? report->numbers[row] : row;
}

/* The first rows of them as one JSON object; the caller's to free. */
scree_status scree__report_json(char **json, const scree__report *report, int64_t rows, scree_error *error);

#endif
