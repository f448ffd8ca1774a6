/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_CSV_SOURCE_H
#define SCREE_DATA_CSV_SOURCE_H

/* CSV and TSV as a source (csv_source.c), and what it says of records that cannot be read (csv_fault.c). */

#include "data/csv.h"
#include "data/formats.h"

/* Where a record begins. */
typedef struct scree__csv_mark {
    int64_t offset; /* in the file */
    int64_t row;    /* from 0 */
    int64_t line;   /* from 1 */
} scree__csv_mark;

typedef struct scree__csv_source {
    scree_source base;
    scree__csv_window window;
    scree__csv_layout layout;
    int threads;
    int64_t data_offset; /* where the first record of data begins */
    int64_t data_line;
    scree__csv_piece *pieces;
    int64_t piece_capacity;
    scree__csv_index *indexes; /* threads */
    double *values;            /* rows×cols, of the window */
    int64_t value_capacity;
    const char **text; /* rows×text_count */
    int64_t text_capacity;
    int64_t piece_count; /* of the window */
    scree__csv_na na;
    int64_t missing[SCREE__CSV_WORDS]; /* cells of the first pass */
    bool told;                         /* that pass has ended */
    uint8_t *bad;                      /* rows, of the window, where bad ones are no error */
    int64_t bad_capacity;
    scree_error fault; /* ends the reading, after the rows before it */
    bool failed;
    bool marked;            /* some of values are none that doubles hold: too_wide.h */
    int64_t rows;           /* in values */
    int64_t lent;           /* of these */
    int64_t first;          /* rows of earlier windows */
    scree__csv_mark *marks; /* some starts of records, where rows were counted without parsing them */
    int64_t mark_count;
    int64_t empty; /* and lines of nothing but delimiters at the end */
} scree__csv_source;

/* ---- csv_rows.c: entries of its table (source.h) ---- */

scree_status scree__csv_count_rows(scree_source *source, const scree_communicator *with, int64_t *rows,
                                   scree_error *error);
scree_status scree__csv_seek(scree_source *source, int64_t row, scree_error *error);
scree_status scree__csv_tell(scree_source *source, const scree_communicator *with, scree_error *error);

/* The fault of a piece of the window, or of a record that was passed over; line is that of the record in the file. */
scree_status scree__csv_fault_report(const scree__csv_source *csv, const scree__csv_piece *piece, int64_t line,
                                     scree_error *error);
/* What is left of the file is no record. */
scree_status scree__csv_quote_report(const scree__csv_source *csv, scree_error *error);
/* Tells of the records of a piece that are at fault, and forgets them. */
void scree__csv_faults_tell(const scree__csv_source *csv, scree__csv_piece *piece);

#endif
