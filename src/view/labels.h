/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_LABELS_H
#define SCREE_VIEW_LABELS_H

/* Labels of rows: each distinct text has a number; the commonest get a colour and a name of their own. */

#include "scree_private.h"

enum { SCREE__LABELS_SHOWN = 36, SCREE__LABELS_MOST = 65536, SCREE__LABELS_ALONE = 12 /* of a row each are shown */ };

typedef struct scree__labels {
    char **names;
    int64_t *counts;
    int64_t count; /* distinct ones */
    int64_t room;
    int64_t most;   /* distinct ones; 0: SCREE__LABELS_MOST */
    int32_t *slots; /* hash table: number + 1 */
    int64_t slot_count;
    int32_t *series;                    /* of each, from 0; -1: one of the others */
    int64_t shown;                      /* series */
    int64_t others;                     /* rows whose label is not shown */
    int32_t order[SCREE__LABELS_SHOWN]; /* the label of each series */
} scree__labels;

/* The number of a text, new or known; -1 when there are too many. */
scree_status scree__labels_add(scree__labels *labels, const char *text, int32_t *number, scree_error *error);
/* Chooses what is shown: when all are known. Labels that are all different tell nothing and are not shown. */
scree_status scree__labels_settle(scree__labels *labels, scree_error *error);
void scree__labels_clear(scree__labels *labels);

/* The series of a label, -1: other or none. */
int64_t scree__labels_series(const scree__labels *labels, int32_t number);

#endif
