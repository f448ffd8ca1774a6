/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_CSV_SURVEY_H
#define SCREE_DATA_CSV_SURVEY_H

/* How the first records of a text are cut into cells; see csv_survey.c. */

#include "data/csv.h"

enum { SCREE__CSV_SAMPLE_RECORDS = 100, SCREE__CSV_SAMPLE_BYTES = 1 << 20, SCREE__CSV_CANDIDATES = 5 };

extern const char scree__csv_candidates[SCREE__CSV_CANDIDATES];

/* The sample as it is cut by one delimiter. */
typedef struct scree__csv_sample {
    char *p;
    char *end;
    char delimiter;
    char *record;    /* the last one that was read */
    char *open;      /* the quote that is not closed in the one after, or NULL */
    int64_t records; /* read so far */
    int64_t bytes;
    int64_t line; /* of the record, where that is known */
} scree__csv_sample;

/* Steps to the next record that is not blank; false at the end of the sample. */
bool scree__csv_sample_next(scree__csv_sample *s);

/* What speaks for a delimiter. */
typedef struct scree__csv_survey {
    int64_t records;
    int64_t titles; /* records above the table */
    int64_t fields; /* of the table */
    int64_t agree;  /* records with as many */
    int64_t cells;
    int64_t numbers;          /* whatever their decimal mark */
    int64_t points;           /* plain numbers that have one, as only a decimal point stands */
    int64_t points_either;    /* as one between thousands stands, too: 1.234 */
    int64_t by_comma;         /* cells that are numbers with a decimal comma only */
    int64_t by_point;         /* with commas that group digits only */
    int64_t by_either;        /* with a comma that may be either */
    int64_t grouped_by_point; /* of by_comma */
    const char *either;       /* the first cell that leaves it open */
    char *open;               /* a quote that is not closed, after these records */
    bool header_lacks_first;  /* the first record names all columns but the first, which names the rows */
    bool header_lacks_last;   /* all but the last, which is empty */
    bool header_leaves_first; /* a cell without a name stands above numbers of rows */
    bool unsettled;           /* what follows the titles may be a title, too */
} scree__csv_survey;

/* titles: lines above the table are looked for. */
scree__csv_survey scree__csv_survey_make(char *text, int64_t size, char delimiter, bool titles);
/* *unsettled: by some delimiter it is. */
char scree__csv_best_delimiter(char *text, int64_t size, bool titles, bool *unsettled);

/* Numbers that only a decimal point explains. */
int64_t scree__csv_survey_points(const scree__csv_survey *found, char delimiter);

/* How numbers are written; wanted: the decimal mark of the options, or 0. False: nothing in the sample says what a
 * comma is. */
bool scree__csv_survey_marks(const scree__csv_survey *found, char delimiter, char wanted, scree__csv_syntax *syntax);

/* == csv_wanted.c == */

/* What the names that the options call numeric say of the first record. */
typedef struct scree__csv_wanted {
    char *header;    /* the record, which has all of them; NULL: it has not */
    int64_t fields;  /* of it */
    bool *is_wanted; /* of these: it is such a name */
    bool row_names;  /* the record below has one cell more, the name of a row */
} scree__csv_wanted;

/* wanted is zeroed; its is_wanted is the caller's to free. */
scree_status scree__csv_wanted_find(scree__csv_wanted *wanted, char *text, int64_t size, char delimiter,
                                    const scree_read_options *options, scree_error *error);

#endif
