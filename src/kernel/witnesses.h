/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WITNESSES_H
#define SCREE_KERNEL_WITNESSES_H

/* How many rows bear out what seems to hold in all of them: see witnesses.c. */

#include "base/error.h"
#include "base/snapshot.h"
#include "kernel/entries.h"
#include "kernel/rows.h"

/* Rows that must differ from the others in a column, for it to be more than a few rows' own. */
enum { SCREE__WITNESSES_ENOUGH = 10 };

typedef struct scree__witnesses {
    int64_t cols;
    int64_t rows;       /* that came by */
    bool is_incomplete; /* one of them had gaps, and was passed over */
    bool has_many;      /* there were more different rows than are counted */
    int64_t distinct;   /* different rows; one that came often enough is as many rows as it came */
    int64_t kinds;      /* different rows, each once */
    int64_t most;       /* that are counted */
    int64_t room;       /* of keys, a power of two */
    uint64_t *keys;     /* room */
    int64_t *times;     /* room: that the row of a key has come */
    bool is_settled;    /* values are known */
    int64_t held;       /* of the first different rows */
    int64_t most_held;
    double *first;    /* those, cols each; NULL: columns are too many to be watched */
    int64_t *numbers; /* of those */
    int64_t *slots;   /* of their keys */
    int64_t watched;  /* columns in which fewer than enough rows differ so far */
    int64_t *columns; /* watched */
    double *values;   /* cols: what most rows have */
    int64_t *differs; /* cols: rows that have another value; enough: at least as many */
    int64_t *last;    /* cols: the last such row */
    double *row;      /* cols */
} scree__witnesses;

scree_status scree__witnesses_new(scree__witnesses **out, int64_t cols, scree_error *error);
void scree__witnesses_free(scree__witnesses *witnesses); /* NULL-safe */
void scree__witnesses_restart(scree__witnesses *witnesses);
void scree__witnesses_add(scree__witnesses *witnesses, const scree__rows *x);
void scree__witnesses_add_entries(scree__witnesses *witnesses, const scree__entries *x);

/* What the rows so far come to. */
void scree__witnesses_move(scree__witnesses *witnesses, scree__snapshot *snapshot);

/* When all rows have come by. */
void scree__witnesses_finish(scree__witnesses *witnesses);
/* Of so many rows, those that are different from each other; all, where they are too many to count. */
int64_t scree__witnesses_distinct(const scree__witnesses *witnesses, int64_t rows);
/* Whether a column varies, but in too few rows. */
bool scree__witnesses_are_few(const scree__witnesses *witnesses, int64_t column);
/* Whether a relation between columns, whose coefficients (cols) are not 0, and p, may be one because the rows repeat
 * each other in these. */
bool scree__witnesses_repeat(const scree__witnesses *witnesses, const double *coefficients, int64_t p);
/* Rows that are the only one to differ in some column. */
int64_t scree__witnesses_alone(const scree__witnesses *witnesses);

#endif
