/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_REPORT_CLASS_H
#define SCREE_VIEW_REPORT_CLASS_H

/* The search for the text column that holds the classes, while rows come by: until it is decided, rows are noted, and
 * wait. */

#include "view/report.h"

typedef struct scree__class_column {
    scree__dictionary seen;
    bool repeats;   /* two rows have the same text */
    bool ruled_out; /* it is the id, or has had too many different texts */
} scree__class_column;

typedef struct scree__class_search {
    scree__report *report; /* class_text, and classes, are set when it is decided */
    bool decided;
    scree__class_column *columns;
    scree__report_row *rows; /* that waited; their labels are set when it is decided */
    int64_t count;
    int64_t room;
    int64_t *numbers; /* room × text columns */
} scree__class_search;

/* Closed with scree__class_search_close, also when opening failed. Decided at once where a column was named, or there
 * are none. */
scree_status scree__class_search_open(scree__class_search *search, scree__report *report, scree_error *error);
void scree__class_search_close(scree__class_search *search); /* safe on a zeroed struct */

/* A row, while it is not decided. */
scree_status scree__class_search_note(scree__class_search *search, const scree__report_row *row,
                                      const char *const *texts, scree_error *error);
/* No more rows will come. */
void scree__class_search_end(scree__class_search *search);

#endif
